//===- Passes.cpp - Passes of the tmem dialect from C ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Passes.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tmem;

#ifdef __cplusplus
extern "C" {
#endif

#include "tmem-c/Conversion.capi.cpp.inc"
#include "tmem-c/Transforms.capi.cpp.inc"

#ifdef __cplusplus
}
#endif

void mlirTMemRegisterPasses(void) {
  registerTMemConversionPasses();
  registerTMemTransformsPasses();
  // A pipeline that is registered twice ends the process; a pass does not.
  if (!PassPipelineInfo::lookup("tmem-to-cubin"))
    registerTMemPipelines();
}
