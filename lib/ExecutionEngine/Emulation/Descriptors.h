//===- Descriptors.h - What tcgen05.mma and cp are told ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written down from the PTX ISA: "Shared Memory Descriptor", "Instruction
// Descriptor", "Canonical Layouts" and "Shared Memory Layout and Swizzling" of
// tcgen05. A field that is wrong is a fault, and one that is not emulated is
// reported as that: neither gives a number.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_DESCRIPTORS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_DESCRIPTORS_H

#include "Cta.h"

namespace tmem::emulation {

/// A matrix in shared memory, in chunks of 16 bytes.
struct SharedMatrix {
  uint32_t start;           ///< Low 18 bits of its address.
  uint32_t leading, stride; ///< Leading and stride dimension offsets, in bytes.
  uint32_t span;            ///< Bytes of a swizzled row; 16 without swizzling.
  bool hasWideAtoms;        ///< 128 bytes are swizzled by 32, not by 16.

  /// The address of the chunk that holds bytes 16*chunk to 16*chunk+15 of a row
  /// of a K-major matrix.
  uint32_t getKMajor(uint32_t row, uint32_t chunk) const;
  /// The address of the chunk that holds rows of an MN-major matrix, as many as
  /// 16 bytes have elements, at column k.
  uint32_t getMNMajor(uint32_t chunk, uint32_t k) const;

private:
  uint32_t swizzle(uint32_t offset) const;
};

/// Reads a shared memory descriptor; `name` is that of the operand.
SharedMatrix decodeMatrix(const Thread &thread, const Site *site,
                          const char *name, uint64_t descriptor);

/// Types of elements.
enum class Element : uint8_t { F16, BF16, TF32, E4M3, E5M2, U8, S8, F32, S32 };

/// In bits; a TF32 takes 32.
uint32_t getNumBits(Element element);

/// What an instruction descriptor says.
struct Instruction {
  uint32_t kind; ///< TMemEmuMmaKind
  Element a, b, d;
  bool saturates;
  bool negatesA, negatesB;
  bool transposesA, transposesB; ///< MN-major instead of K-major
  uint32_t m, n, k;
};

Instruction decodeInstruction(const Thread &thread, const Site *site,
                              uint32_t kind, uint32_t descriptor);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_DESCRIPTORS_H
