//===- Passes.h - Conversion passes -----------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_CONVERSION_PASSES_H
#define TMEM_CONVERSION_PASSES_H

#include "tmem/Conversion/EmulateTcgen05/EmulateTcgen05.h"
#include "tmem/Conversion/TMemToNVVM/TMemToNVVM.h"

namespace mlir::tmem {

#define GEN_PASS_REGISTRATION
#include "tmem/Conversion/Passes.h.inc"

} // namespace mlir::tmem

#endif // TMEM_CONVERSION_PASSES_H
