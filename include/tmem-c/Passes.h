//===- Passes.h - Passes of the tmem dialect from C ---------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_PASSES_H
#define TMEM_C_PASSES_H

#include "mlir-c/Pass.h"

// mlirCreateTMemTransforms<Pass>() and mlirCreateTMemConversion<Pass>() make
// each pass with its default options; the caller owns it until it is added to a
// pass manager. mlirRegisterTMem... register one pass or the group. For other
// options, register and parse a pipeline (mlirParsePassPipeline).
#include "tmem-c/Conversion.capi.h.inc"
#include "tmem-c/Transforms.capi.h.inc"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers all passes of this project, and the pipelines `tmem-to-cubin` and
/// `tmem-emulate`, for textual pipelines. May be called again, and beside the
/// C++ function that does the same.
MLIR_CAPI_EXPORTED void mlirTMemRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_PASSES_H
