//===- TMemToCubin.cpp - From tmem to a cubin -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tmem;

void mlir::tmem::buildTMemToCubinPipeline(OpPassManager &manager,
                                          const TMemToCubinOptions &options) {
  manager.addPass(createTMemCheckTarget(
      TMemCheckTargetOptions{options.chip, options.format, options.optLevel}));
  manager.addPass(createGpuKernelOutliningPass());
  addDeviceLowering(manager.nest<gpu::GPUModuleOp>(), options.chip,
                    {options.tileColumns, options.maxLiveRegisters});
  addAssembly(manager, options.chip, options.format, options.optLevel,
              options.ptxas);
}
