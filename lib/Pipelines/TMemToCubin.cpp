//===- TMemToCubin.cpp - From tmem to a cubin -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Target/Chips.h"
#include "tmem/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tmem;

/// Everything inside a gpu.module to LLVM and NVVM.
static void addDeviceLowering(OpPassManager &module, StringRef chip) {
  module.addPass(createLowerAffinePass());
  module.addPass(createConvertVectorToSCFPass());
  ConvertTMemToNVVMOptions tmemOptions;
  tmemOptions.chip = chip.str();
  module.addPass(createConvertTMemToNVVM(tmemOptions));
  module.addPass(createSCFToControlFlowPass());
  module.addPass(memref::createExpandStridedMetadataPass());
  module.addPass(createLowerAffinePass());
  module.addPass(createConvertVectorToLLVMPass());
  module.addPass(createConvertGpuOpsToNVVMOps());
  module.addPass(createConvertNVVMToLLVMPass());
  module.addPass(createConvertIndexToLLVMPass());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  module.addPass(createReconcileUnrealizedCastsPass());
}

/// The target that LLVM compiles for. LLVM aborts on a chip that it does not
/// know, but an earlier pass has refused it by then.
static void addTarget(OpPassManager &manager, const Chip &chip,
                      unsigned optLevel) {
  GpuNVVMAttachTargetOptions options;
  options.chip = chip.llvmTarget.str();
  options.features =
      "+ptx" + std::to_string(findChip(chip.llvmTarget)->ptxVersion);
  options.optLevel = optLevel;
  manager.addPass(createGpuNVVMAttachTarget(options));
}

void mlir::tmem::buildTMemToCubinPipeline(OpPassManager &manager,
                                          const TMemToCubinOptions &options) {
  manager.addPass(createTMemCheckTarget(
      TMemCheckTargetOptions{options.chip, options.format, options.optLevel}));
  manager.addPass(createGpuKernelOutliningPass());
  addDeviceLowering(manager.nest<gpu::GPUModuleOp>(), options.chip);
  // Without a chip, or with a wrong one, the targets of the modules count.
  if (const Chip *chip = findChip(options.chip))
    addTarget(manager, *chip, options.optLevel);
  GpuModuleToBinaryPassOptions binaryOptions;
  binaryOptions.compilationTarget = "isa";
  manager.addPass(createGpuModuleToBinaryPass(binaryOptions));
  TMemAssembleOptions assembleOptions;
  assembleOptions.chip = options.chip;
  assembleOptions.format = options.format;
  assembleOptions.optLevel = options.optLevel;
  assembleOptions.ptxas = options.ptxas;
  manager.addPass(createTMemAssemble(assembleOptions));
}

void mlir::tmem::registerTMemPipelines() {
  PassPipelineRegistration<TMemToCubinOptions>(
      "tmem-to-cubin",
      "Compile gpu.modules with tmem operations to checked cubins",
      buildTMemToCubinPipeline);
}
