//===- MathTest.cpp - Math functions of emulated kernels ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions are compared with a model that knows only what value the bits of
// a 16-bit float stand for, at each number, each midpoint between neighbours,
// and just beside them.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

extern "C" {
float __truncsfhf2(float);
float __truncdfhf2(double);
float __truncsfbf2(float);
float __truncdfbf2(double);
float __extendhfsf2(float);
double __extendhfdf2(float);
float __extendbfsf2(float);
uint16_t __gnu_f2h_ieee(float);
float __gnu_h2f_ieee(uint16_t);

float __nv_fmaxf(float, float);
float __nv_fminf(float, float);
double __nv_fmax(double, double);
double __nv_fmin(double, double);
double __nv_powi(double, int32_t);
float __nv_powif(float, int32_t);
float __nv_rintf(float);
float __nv_roundf(float);
double __nv_rint(double);
double __nv_round(double);
float __nv_rsqrtf(float);
float __nv_sinf(float);
double __nv_exp2(double);
float __nv_fast_expf(float);
float __nv_fast_exp10f(float);
void __nv_sincosf(float, float *, float *);
int32_t __nv_abs(int32_t);
int32_t __nv_finitef(float);
int32_t __nv_isfinited(double);
int32_t __nv_isinff(float);
int32_t __nv_isnand(double);
int32_t __nv_clz(uint32_t);
int32_t __nv_ffs(int32_t);
int32_t __nv_mulhi(int32_t, int32_t);
uint32_t __nv_umulhi(uint32_t, uint32_t);
float __nv_saturatef(float);
}

namespace {

uint32_t getBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
float getFloat(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// A 16-bit format, and the functions for it.
struct Format {
  int exponentBits, mantissaBits;
  float (*fromFloat)(float);
  float (*fromDouble)(double);
  float (*toFloat)(float);

  uint16_t narrow(float value) const {
    return uint16_t(getBits(fromFloat(value)));
  }
  uint16_t narrow(double value) const {
    return uint16_t(getBits(fromDouble(value)));
  }
  float widen(uint16_t bits) const {
    // What else is in the register does not matter.
    return toFloat(getFloat(0xabcd0000u | bits));
  }

  uint16_t getInfinity() const {
    return uint16_t(((1 << exponentBits) - 1) << mantissaBits);
  }
  /// The value of a number that is not negative.
  double getValue(uint16_t bits) const {
    int mantissa = bits & ((1 << mantissaBits) - 1);
    int exponent = bits >> mantissaBits;
    int bias = (1 << (exponentBits - 1)) - 1;
    if (exponent != 0)
      mantissa += 1 << mantissaBits;
    return std::ldexp(mantissa, std::max(exponent, 1) - bias - mantissaBits);
  }
};

const Format half = {5, 10, __truncsfhf2, __truncdfhf2, __extendhfsf2};
const Format bfloat = {8, 7, __truncsfbf2, __truncdfbf2, __extendbfsf2};

class HalfConversions : public ::testing::TestWithParam<const Format *> {};

TEST_P(HalfConversions, WidenEachNumber) {
  const Format &format = *GetParam();
  for (uint16_t bits = 0; bits < format.getInfinity(); ++bits) {
    ASSERT_EQ(getBits(format.widen(bits)),
              getBits(float(format.getValue(bits))))
        << bits;
    ASSERT_EQ(getBits(format.widen(bits | 0x8000)),
              getBits(-float(format.getValue(bits))));
  }
  EXPECT_EQ(format.widen(format.getInfinity()),
            std::numeric_limits<float>::infinity());
  for (uint32_t bits = format.getInfinity() + 1u; bits < 0x8000; ++bits)
    ASSERT_TRUE(std::isnan(format.widen(uint16_t(bits))));
}

TEST_P(HalfConversions, NarrowEachNumberBack) {
  const Format &format = *GetParam();
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7fff) > format.getInfinity())
      continue;
    float value = format.widen(uint16_t(bits));
    ASSERT_EQ(format.narrow(value), bits);
    ASSERT_EQ(format.narrow(double(value)), bits);
  }
}

/// Rounds at each midpoint: a tie goes to the even one.
TEST_P(HalfConversions, RoundToNearestEven) {
  const Format &format = *GetParam();
  for (uint16_t bits = 0; bits < format.getInfinity(); ++bits) {
    uint16_t next = bits + 1, even = bits & 1 ? next : bits;
    double low = format.getValue(bits), high = format.getValue(next);
    double middle = (low + high) / 2;
    for (double sign : {1.0, -1.0}) {
      uint16_t signBit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(format.narrow(sign * middle), even | signBit) << bits;
      double below = std::nextafter(middle, 0),
             above = std::nextafter(middle, 1e300);
      ASSERT_EQ(format.narrow(sign * below), bits | signBit) << bits;
      ASSERT_EQ(format.narrow(sign * above), next | signBit) << bits;
      auto single = float(middle);
      if (single != middle)
        continue; // Below the least float there is no midpoint.
      ASSERT_EQ(format.narrow(float(sign) * single), even | signBit);
      float belowSingle = std::nextafter(single, 0.0f);
      float aboveSingle = std::nextafter(single, HUGE_VALF);
      ASSERT_EQ(format.narrow(float(sign) * belowSingle), bits | signBit);
      ASSERT_EQ(format.narrow(float(sign) * aboveSingle), next | signBit);
    }
  }
}

TEST_P(HalfConversions, NarrowExtremes) {
  const Format &format = *GetParam();
  EXPECT_EQ(format.narrow(1e300), format.getInfinity());
  EXPECT_EQ(format.narrow(-1e300), format.getInfinity() | 0x8000);
  EXPECT_EQ(format.narrow(std::numeric_limits<float>::infinity()),
            format.getInfinity());
  EXPECT_EQ(format.narrow(std::numeric_limits<float>::max()),
            format.getInfinity());
  EXPECT_EQ(format.narrow(1e-300), 0u);
  EXPECT_EQ(format.narrow(-1e-300), 0x8000u);
  EXPECT_EQ(format.narrow(std::numeric_limits<double>::denorm_min()), 0u);
}

TEST_P(HalfConversions, KeepNaNs) {
  const Format &format = *GetParam();
  uint16_t quiet =
      uint16_t(format.getInfinity() | 1 << (format.mantissaBits - 1));
  // The least payload is lost, but not that it is a NaN.
  EXPECT_EQ(format.narrow(getFloat(0x7f800001)), quiet);
  EXPECT_EQ(format.narrow(getFloat(0xff800001)), quiet | 0x8000);
  EXPECT_EQ(format.narrow(std::numeric_limits<double>::quiet_NaN()), quiet);
  // The upper bits of a payload stay.
  uint32_t payload = 0x7fc00000 | 1u << (23 - format.mantissaBits);
  EXPECT_EQ(format.narrow(getFloat(payload)), quiet | 1);
}

INSTANTIATE_TEST_SUITE_P(Formats, HalfConversions,
                         ::testing::Values(&half, &bfloat),
                         [](const auto &info) {
                           return info.param == &half ? "Half" : "BFloat";
                         });

TEST(HalfConversion, IntegerRegisters) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = __gnu_h2f_ieee(uint16_t(bits));
    ASSERT_EQ(getBits(value), getBits(half.widen(uint16_t(bits))));
    ASSERT_EQ(__gnu_f2h_ieee(value), half.narrow(value));
    double twice = __extendhfdf2(getFloat(bits));
    ASSERT_TRUE(std::isnan(value) ? std::isnan(twice) : twice == value);
  }
}

//===----------------------------------------------------------------------===//
// libdevice
//===----------------------------------------------------------------------===//

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Libdevice, MinAndMax) {
  EXPECT_EQ(__nv_fmaxf(1, 2), 2);
  EXPECT_EQ(__nv_fminf(1, 2), 1);
  EXPECT_EQ(__nv_fmaxf(nan, -3), -3);
  EXPECT_EQ(__nv_fminf(-3, nan), -3);
  EXPECT_TRUE(std::isnan(__nv_fmaxf(nan, nan)));
  for (bool swap : {false, true}) {
    float x = swap ? -0.0f : 0.0f, y = -x;
    EXPECT_FALSE(std::signbit(__nv_fmaxf(x, y)));
    EXPECT_TRUE(std::signbit(__nv_fminf(x, y)));
    EXPECT_FALSE(std::signbit(__nv_fmax(x, y)));
    EXPECT_TRUE(std::signbit(__nv_fmin(x, y)));
  }
}

TEST(Libdevice, Rounding) {
  EXPECT_EQ(__nv_rintf(2.5f), 2);
  EXPECT_EQ(__nv_rint(-3.5), -4);
  EXPECT_EQ(__nv_roundf(2.5f), 3);
  EXPECT_EQ(__nv_round(-2.5), -3);
  EXPECT_EQ(__nv_roundf(0.49999997f), 0);
}

TEST(Libdevice, Powers) {
  EXPECT_EQ(__nv_powi(-2, 3), -8);
  EXPECT_EQ(__nv_powif(2, -3), 0.125f);
  EXPECT_EQ(__nv_powif(7, 0), 1);
  EXPECT_EQ(__nv_powi(1, std::numeric_limits<int32_t>::min()), 1);
  EXPECT_EQ(__nv_exp2(-3), 0.125);
  EXPECT_NEAR(__nv_fast_exp10f(3), 1000, 1e-3);
  EXPECT_NEAR(__nv_fast_expf(1), 2.718281828, 1e-6);
}

TEST(Libdevice, Functions) {
  EXPECT_EQ(__nv_rsqrtf(4), 0.5f);
  EXPECT_EQ(__nv_rsqrtf(0), inf);
  EXPECT_EQ(__nv_rsqrtf(-0.0f), -inf);
  EXPECT_EQ(__nv_rsqrtf(inf), 0);
  EXPECT_TRUE(std::isnan(__nv_rsqrtf(-1)));
  float sine = 0, cosine = 0;
  __nv_sincosf(1, &sine, &cosine);
  EXPECT_EQ(sine, __nv_sinf(1));
  EXPECT_NEAR(sine * sine + cosine * cosine, 1, 1e-6);
  EXPECT_EQ(__nv_saturatef(nan), 0);
  EXPECT_EQ(__nv_saturatef(-1), 0);
  EXPECT_EQ(__nv_saturatef(0.25f), 0.25f);
  EXPECT_EQ(__nv_saturatef(inf), 1);
}

TEST(Libdevice, Classes) {
  EXPECT_EQ(__nv_finitef(1) != 0, true);
  EXPECT_EQ(__nv_finitef(inf), 0);
  EXPECT_EQ(__nv_isfinited(nan), 0);
  EXPECT_NE(__nv_isinff(-inf), 0);
  EXPECT_EQ(__nv_isinff(nan), 0);
  EXPECT_NE(__nv_isnand(nan), 0);
  EXPECT_EQ(__nv_isnand(inf), 0);
}

TEST(Libdevice, Integers) {
  EXPECT_EQ(__nv_abs(-5), 5);
  EXPECT_EQ(__nv_abs(std::numeric_limits<int32_t>::min()),
            std::numeric_limits<int32_t>::min());
  EXPECT_EQ(__nv_clz(0), 32);
  EXPECT_EQ(__nv_clz(1), 31);
  EXPECT_EQ(__nv_ffs(0), 0);
  EXPECT_EQ(__nv_ffs(8), 4);
  EXPECT_EQ(__nv_mulhi(-1, 1), -1);
  EXPECT_EQ(__nv_umulhi(0xffffffff, 0xffffffff), 0xfffffffeu);
}

} // namespace
