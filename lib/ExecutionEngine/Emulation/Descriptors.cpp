//===- Descriptors.cpp - What tcgen05.mma and cp are told -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "Faults.h"

using namespace tmem::emulation;

static uint32_t getBits(uint64_t value, uint32_t first, uint32_t count) {
  return value >> first & ((uint64_t(1) << count) - 1);
}

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

// The pattern is one of addresses: rows of `span` bytes change places of their
// chunks by the number of the row, which bits 7 and up of the address are.
uint32_t SharedMatrix::swizzle(uint32_t offset) const {
  uint32_t address = start + offset;
  if (hasWideAtoms)
    return address ^ (address >> 2 & 0x60);
  return address ^ (address >> 3 & (span - 16));
}

uint32_t SharedMatrix::getKMajor(uint32_t row, uint32_t chunk) const {
  uint32_t offset = row / 8 * stride + row % 8 * span;
  return swizzle(offset + chunk * (span == 16 ? leading : 16));
}

uint32_t SharedMatrix::getMNMajor(uint32_t chunk, uint32_t k) const {
  if (span == 16)
    return swizzle(chunk * stride + k % 8 * 16 + k / 8 * leading);
  uint32_t perRow = span / 16;
  return swizzle(chunk % perRow * 16 + chunk / perRow * leading + k % 8 * span +
                 k / 8 * stride);
}

SharedMatrix tmem::emulation::decodeMatrix(const Thread &thread,
                                           const Site *site, const char *name,
                                           uint64_t descriptor) {
  auto expect = [&](const char *field, uint32_t first, uint32_t count,
                    uint32_t value) {
    if (getBits(descriptor, first, count) != value)
      fault(thread, site,
            format("expected %u as %s (bits %u to %u) of the descriptor of %s, "
                   "but got %u in %#llx",
                   value, field, first, first + count - 1, name,
                   getBits(descriptor, first, count),
                   static_cast<unsigned long long>(descriptor)));
  };
  expect("reserved bits", 14, 2, 0);
  expect("reserved bits", 30, 2, 0);
  expect("the constant 0b001", 46, 3, 1);
  expect("the constant zero", 53, 8, 0);
  if (getBits(descriptor, 49, 3) != 0)
    unsupported(thread, site,
                format("a matrix base offset other than 0 is not emulated, but "
                       "the descriptor of %s has %u (bits 49 to 51): align the "
                       "pattern that is swizzled",
                       name, getBits(descriptor, 49, 3)));
  if (getBits(descriptor, 52, 1) != 0)
    unsupported(thread, site,
                format("an absolute leading dimension address is not emulated, "
                       "but the descriptor of %s asks for it (bit 52)",
                       name));
  SharedMatrix matrix = {getBits(descriptor, 0, 14) << 4,
                         getBits(descriptor, 16, 14) << 4,
                         getBits(descriptor, 32, 14) << 4, 16, false};
  uint32_t mode = getBits(descriptor, 61, 3);
  switch (mode) {
  case 0:
    break;
  case 1:
    matrix.hasWideAtoms = true;
    matrix.span = 128;
    break;
  case 2:
    matrix.span = 128;
    break;
  case 4:
    matrix.span = 64;
    break;
  case 6:
    matrix.span = 32;
    break;
  default:
    fault(thread, site,
          format("expected a swizzling mode of 0, 1, 2, 4 or 6 (bits 61 to 63) "
                 "in the descriptor of %s, but got %u",
                 name, mode));
  }
  return matrix;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

uint32_t tmem::emulation::getNumBits(Element element) {
  switch (element) {
  case Element::F16:
  case Element::BF16:
    return 16;
  case Element::E4M3:
  case Element::E5M2:
  case Element::U8:
  case Element::S8:
    return 8;
  case Element::TF32:
  case Element::F32:
  case Element::S32:
    return 32;
  }
  return 0;
}

namespace {

/// A value of a type field for one kind.
struct TypeRow {
  uint32_t kind, value;
  Element element;
};

} // namespace

/// PTX ISA, "Instruction descriptor", rows atype and btype.
static constexpr TypeRow sourceTypes[] = {
    {TMemEmuMmaF16, 0, Element::F16},     {TMemEmuMmaF16, 1, Element::BF16},
    {TMemEmuMmaTF32, 2, Element::TF32},   {TMemEmuMmaF8F6F4, 0, Element::E4M3},
    {TMemEmuMmaF8F6F4, 1, Element::E5M2}, {TMemEmuMmaI8, 0, Element::U8},
    {TMemEmuMmaI8, 1, Element::S8},
};

/// The same, row dtype.
static constexpr TypeRow resultTypes[] = {
    {TMemEmuMmaF16, 0, Element::F16},    {TMemEmuMmaF16, 1, Element::F32},
    {TMemEmuMmaTF32, 1, Element::F32},   {TMemEmuMmaF8F6F4, 0, Element::F16},
    {TMemEmuMmaF8F6F4, 1, Element::F32}, {TMemEmuMmaI8, 2, Element::S32},
};

static const char *getKindName(uint32_t kind) {
  static const char *const names[] = {".kind::f16", ".kind::tf32",
                                      ".kind::f8f6f4", ".kind::i8"};
  return names[kind];
}

template <size_t Size>
static Element findType(const Thread &thread, const Site *site,
                        const TypeRow (&rows)[Size], uint32_t kind,
                        uint32_t value, const char *field) {
  std::string values;
  for (const TypeRow &row : rows) {
    if (row.kind != kind)
      continue;
    if (row.value == value)
      return row.element;
    values += (values.empty() ? "" : " or ") + std::to_string(row.value);
  }
  fault(thread, site,
        format("expected %s as %s of the instruction descriptor with %s, but "
               "got %u",
               values.c_str(), field, getKindName(kind), value));
}

static Element findSourceType(const Thread &thread, const Site *site,
                              uint32_t kind, uint32_t value,
                              const char *field) {
  // E2M3, E3M2, E2M1
  if (kind == TMemEmuMmaF8F6F4 && value >= 3 && value <= 5)
    unsupported(thread, site,
                format("elements of 6 and 4 bits are not emulated, but %s of "
                       "the instruction descriptor is %u",
                       field, value));
  return findType(thread, site, sourceTypes, kind, value, field);
}

/// PTX ISA, "Matrix shape", dense, cta_group::1, and for what is MN-major
/// "Various combinations of N shape with .cta_group qualifier for 8bit
/// transpose B".
static void checkShape(const Thread &thread, const Site *site,
                       const Instruction &instruction) {
  uint32_t m = instruction.m, n = instruction.n;
  if (m != 64 && m != 128)
    fault(thread, site,
          format("expected M of 64 or 128 in the instruction descriptor, but "
                 "got %u",
                 m));
  bool transposesBytes =
      instruction.transposesB && getNumBits(instruction.b) == 8;
  uint32_t step = m == 128 || transposesBytes ? 16 : 8;
  bool isOdd = instruction.kind == TMemEmuMmaI8 && n > 32 && n % 16;
  if (n < step || n > 256 || n % step || isOdd)
    fault(thread, site,
          format("expected N to be a multiple of %u from %u to 256 in the "
                 "instruction descriptor with %s and M of %u, but got %u",
                 isOdd ? 16 : step, step, getKindName(instruction.kind), m, n));
}

Instruction tmem::emulation::decodeInstruction(const Thread &thread,
                                               const Site *site, uint32_t kind,
                                               uint32_t descriptor) {
  auto get = [&](uint32_t first, uint32_t count) {
    return getBits(descriptor, first, count);
  };
  auto expectZero = [&](const char *field, uint32_t first, uint32_t count) {
    if (get(first, count) != 0)
      fault(thread, site,
            format("expected zero as %s (bit %u) of the instruction descriptor "
                   "with %s, but got %u in 0x%08x",
                   field, first, getKindName(kind), get(first, count),
                   descriptor));
  };
  bool isInteger = kind == TMemEmuMmaI8;
  if (get(2, 1) != 0)
    unsupported(thread, site,
                "sparse matrices are not emulated, but the instruction "
                "descriptor asks for them (bit 2)");
  expectZero("the sparsity selector", 0, 2);
  expectZero("reserved", 6, 1);
  expectZero("reserved", 23, 1);
  expectZero("reserved", 29, 1);
  expectZero("the shift of .ws", 30, 2);
  if (!isInteger)
    expectZero("saturate", 3, 1);
  if (isInteger) {
    expectZero("negate A", 13, 1);
    expectZero("negate B", 14, 1);
  }
  Instruction result;
  result.kind = kind;
  result.saturates = get(3, 1);
  result.d = findType(thread, site, resultTypes, kind, get(4, 2), "dtype");
  result.a = findSourceType(thread, site, kind, get(7, 3), "atype");
  result.b = findSourceType(thread, site, kind, get(10, 3), "btype");
  // PTX ISA, "Matrix shape": bf16 is added up as f32.
  if (kind == TMemEmuMmaF16 && result.d == Element::F16 &&
      (result.a != Element::F16 || result.b != Element::F16))
    fault(thread, site,
          "expected f16 as atype and btype of the instruction descriptor with "
          "f16 as dtype, but got bf16");
  result.negatesA = get(13, 1);
  result.negatesB = get(14, 1);
  result.transposesA = get(15, 1);
  result.transposesB = get(16, 1);
  result.n = get(17, 6) << 3;
  result.m = get(24, 5) << 4;
  // A row of A is 32 bytes wide in every kind.
  result.k = 256 / getNumBits(result.a);
  checkShape(thread, site, result);
  return result;
}
