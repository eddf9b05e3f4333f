//===- Passes.h - Transformation passes -------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TRANSFORMS_PASSES_H
#define TMEM_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::tmem {

#define GEN_PASS_DECL
#include "tmem/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tmem/Transforms/Passes.h.inc"

} // namespace mlir::tmem

#endif // TMEM_TRANSFORMS_PASSES_H
