//===- EmulateTcgen05.h - Kernels without Tensor Memory ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_CONVERSION_EMULATETCGEN05_EMULATETCGEN05_H
#define TMEM_CONVERSION_EMULATETCGEN05_EMULATETCGEN05_H

#include "mlir/Pass/Pass.h"

namespace mlir::tmem {

#define GEN_PASS_DECL_EMULATETCGEN05
#include "tmem/Conversion/Passes.h.inc"

} // namespace mlir::tmem

#endif // TMEM_CONVERSION_EMULATETCGEN05_EMULATETCGEN05_H
