//===- Pipelines.cpp - Names of the pass pipelines ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void mlir::tmem::registerTMemPipelines() {
  PassPipelineRegistration<TMemToCubinOptions>(
      "tmem-to-cubin",
      "Compile gpu.modules with tmem operations to checked cubins",
      buildTMemToCubinPipeline);
  PassPipelineRegistration<TMemEmulateOptions>(
      "tmem-emulate",
      "Compile host code and gpu.modules to LLVM, with Tensor Memory emulated",
      buildTMemEmulatePipeline);
}
