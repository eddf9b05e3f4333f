//===- TMemEmulate.cpp - From tmem to a program that runs anywhere --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tmem;

void mlir::tmem::buildTMemEmulatePipeline(OpPassManager &manager,
                                          const TMemEmulateOptions &options) {
  manager.addPass(createTMemCheckTarget(
      TMemCheckTargetOptions{options.chip, /*format=*/"bin", /*optLevel=*/3}));
  manager.addPass(createGpuKernelOutliningPass());
  addDeviceLowering(manager.nest<gpu::GPUModuleOp>(), options.chip,
                    {options.tileColumns, options.maxLiveRegisters},
                    options.checkBounds);
  if (options.mode != "none")
    manager.addPass(createEmulateTcgen05(
        EmulateTcgen05Options{options.mode, options.chip}));
  if (options.mode == "both" || options.mode == "none")
    addAssembly(manager, options.chip, "bin", /*optLevel=*/3, options.ptxas);
  if (options.mode == "device")
    addDeviceBinary(manager, options.gpuChip, options.library);
  addHostLowering(manager, {bool(options.checkBounds),
                            StringRef(options.assertionHandler)});
}
