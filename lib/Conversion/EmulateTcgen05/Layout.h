//===- Layout.h - Sizes of types in memory ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_LAYOUT_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_LAYOUT_H

#include "mlir/IR/Types.h"

namespace mlir::tmem::emulate {

struct TypeExtent {
  uint64_t bytes = 0;     ///< From one element of an array to the next.
  uint64_t stored = 0;    ///< What a load or store accesses.
  uint64_t alignment = 1; ///< A power of two.
};

/// How much memory a type takes in LLVM for NVPTX, x86-64 and AArch64 alike.
/// Not by MLIR's data layout: where a module states none, it aligns 64-bit
/// integers to 4 bytes.
TypeExtent getTypeExtent(Type type);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_LAYOUT_H
