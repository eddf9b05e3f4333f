//===- MathHalf.cpp - Conversions to and from 16-bit floats ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the host has no instruction for a conversion, LLVM calls these, and the
// C library of an older system may lack some of them. They are weak: libgcc's
// or compiler-rt's win where both are linked.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstring>

#define TMEM_WEAK extern "C" __attribute__((weak, visibility("default")))

namespace {
/// An IEEE format of up to 64 bits.
struct Format {
  unsigned exponentBits, mantissaBits;
  int getBias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t getMaxExponent() const { return (uint64_t(1) << exponentBits) - 1; }
  uint64_t getImplicitBit() const { return uint64_t(1) << mantissaBits; }
};
} // namespace

static constexpr Format half = {5, 10}, bfloat = {8, 7}, single = {8, 23},
                        twice = {11, 52};

/// `value` without its low `count` bits, rounded to nearest, ties to even.
static uint64_t shiftRounding(uint64_t value, unsigned count) {
  if (count == 0)
    return value;
  if (count > 63)
    return 0;
  uint64_t kept = value >> count, half = uint64_t(1) << (count - 1);
  uint64_t rest = value & (2 * half - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

/// The bits of a number in a narrower format. A NaN stays one: it keeps the
/// upper bits of its payload and becomes quiet.
static uint64_t narrow(uint64_t bits, Format from, Format to) {
  unsigned fromBits = 1 + from.exponentBits + from.mantissaBits;
  unsigned dropped = from.mantissaBits - to.mantissaBits;
  uint64_t sign = (bits >> (fromBits - 1))
                  << (to.exponentBits + to.mantissaBits);
  uint64_t mantissa = bits & (from.getImplicitBit() - 1);
  uint64_t exponent = (bits >> from.mantissaBits) & from.getMaxExponent();
  uint64_t infinity = to.getMaxExponent() << to.mantissaBits;
  if (exponent == from.getMaxExponent()) {
    if (mantissa == 0)
      return sign | infinity;
    return sign | infinity | (to.getImplicitBit() >> 1) | (mantissa >> dropped);
  }

  // Both with the implicit bit, so that rounding may carry into the exponent.
  int scale = int(exponent) - from.getBias() + to.getBias();
  if (exponent != 0)
    mantissa |= from.getImplicitBit();
  else
    ++scale; // Subnormal numbers have the exponent of the least normal ones.
  if (scale < 1)
    return sign | shiftRounding(mantissa, dropped + unsigned(1 - scale));
  uint64_t rounded = shiftRounding(mantissa, dropped);
  uint64_t result = rounded;
  if (rounded >= to.getImplicitBit())
    result += uint64_t(scale - 1) << to.mantissaBits;
  return sign | (result >= infinity ? infinity : result);
}

/// The bits of a half in a wider format: always exact.
static uint64_t widen(uint64_t bits, Format from, Format to) {
  unsigned added = to.mantissaBits - from.mantissaBits;
  uint64_t sign = (bits >> (from.exponentBits + from.mantissaBits))
                  << (to.exponentBits + to.mantissaBits);
  uint64_t mantissa = bits & (from.getImplicitBit() - 1);
  uint64_t exponent = (bits >> from.mantissaBits) & from.getMaxExponent();
  if (exponent == from.getMaxExponent()) {
    uint64_t quiet = mantissa ? to.getImplicitBit() >> 1 : 0;
    return sign | (to.getMaxExponent() << to.mantissaBits) | quiet |
           (mantissa << added);
  }
  if (exponent == 0 && mantissa == 0)
    return sign;
  int scale = int(exponent) - from.getBias() + to.getBias();
  if (exponent == 0)
    for (++scale; !(mantissa & from.getImplicitBit()); --scale)
      mantissa <<= 1;
  mantissa &= from.getImplicitBit() - 1;
  return sign | (uint64_t(scale) << to.mantissaBits) | (mantissa << added);
}

static uint64_t getBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
static uint64_t getBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
static float getFloat(uint64_t bits) {
  uint32_t low = uint32_t(bits);
  float value;
  std::memcpy(&value, &low, sizeof(value));
  return value;
}
static double getDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// A 16-bit float travels in the low half of a floating-point register, on
// x86-64 and aarch64 alike: as a float of these bits, for compilers that have
// no type for it.
TMEM_WEAK float __truncsfhf2(float value) {
  return getFloat(narrow(getBits(value), single, half));
}
TMEM_WEAK float __truncdfhf2(double value) {
  return getFloat(narrow(getBits(value), twice, half));
}
TMEM_WEAK float __truncsfbf2(float value) {
  return getFloat(narrow(getBits(value), single, bfloat));
}
TMEM_WEAK float __truncdfbf2(double value) {
  return getFloat(narrow(getBits(value), twice, bfloat));
}
TMEM_WEAK float __extendhfsf2(float value) {
  return getFloat(widen(getBits(value) & 0xffff, half, single));
}
TMEM_WEAK double __extendhfdf2(float value) {
  return getDouble(widen(getBits(value) & 0xffff, half, twice));
}
TMEM_WEAK float __extendbfsf2(float value) {
  return getFloat((getBits(value) & 0xffff) << 16);
}

// The same in integer registers, as older compilers call them.
TMEM_WEAK uint16_t __gnu_f2h_ieee(float value) {
  return uint16_t(narrow(getBits(value), single, half));
}
TMEM_WEAK float __gnu_h2f_ieee(uint16_t bits) {
  return getFloat(widen(bits, half, single));
}
