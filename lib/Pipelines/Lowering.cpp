//===- Lowering.cpp - The parts that pipelines share ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "Checks.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Target/Chips.h"
#include "tmem/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tmem;

/// What is said of transfers, while vectors are still stored as wholes.
static void addSelection(OpPassManager &module, StringRef chip,
                         Chunking chunking) {
  module.addPass(createTMemPlanColumns());
  module.addPass(createTMemInsertWaits());
  module.addPass(createTMemSelectAtoms());
  if (chunking.columns != 0 || chunking.maxLiveRegisters != 0)
    module.addPass(createTMemTileTransfers(
        TMemTileTransfersOptions{chunking.columns, chunking.maxLiveRegisters}));
  TMemFoldLoadReduceOptions reduceOptions;
  reduceOptions.chip = chip.str();
  module.addPass(createTMemFoldLoadReduce(reduceOptions));
}

void mlir::tmem::addDeviceLowering(OpPassManager &module, StringRef chip,
                                   Chunking chunking, bool checkBounds) {
  module.addPass(createLowerAffinePass());
  addSelection(module, chip, chunking);
  module.addPass(createTMemConvertFloat8());
  module.addPass(createTMemLowerSubgroups());
  module.addPass(createConvertVectorToSCFPass());
  ConvertTMemToNVVMOptions tmemOptions;
  tmemOptions.chip = chip.str();
  module.addPass(createConvertTMemToNVVM(tmemOptions));
  // Behind all that looks at what orders accesses of Tensor Memory.
  if (checkBounds)
    module.addPass(createCheckBounds());
  module.addPass(createSCFToControlFlowPass());
  module.addPass(memref::createExpandStridedMetadataPass());
  module.addPass(createLowerAffinePass());
  module.addPass(createLowerVectors());
  module.addPass(createConvertGpuOpsToNVVMOps());
  module.addPass(createConvertNVVMToLLVMPass());
  module.addPass(createConvertIndexToLLVMPass());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  module.addPass(createReconcileUnrealizedCastsPass());
  module.addPass(createTMemAlignSharedMemory());
  module.addPass(createTMemRequireBlockSize());
}

void mlir::tmem::addAssembly(OpPassManager &manager, StringRef chip,
                             StringRef format, unsigned optLevel,
                             StringRef ptxas) {
  // Without a chip, or with a wrong one, the targets of the modules count.
  TMemGenerateCodeOptions target;
  if (const Chip *row = findChip(chip)) {
    target.chip = row->llvmTarget.str();
    target.features =
        "+ptx" + std::to_string(findChip(row->llvmTarget)->ptxVersion);
    target.optLevel = optLevel;
  }
  manager.addPass(createTMemCheckCode());
  manager.addPass(createTMemGenerateCode(target));
  TMemAssembleOptions options;
  options.chip = chip.str();
  options.format = format.str();
  options.optLevel = optLevel;
  options.ptxas = ptxas.str();
  manager.addPass(createTMemAssemble(options));
}

void mlir::tmem::addDeviceBinary(OpPassManager &manager, StringRef chip,
                                 StringRef library) {
  TMemGenerateCodeOptions options;
  options.chip = chip.str();
  options.features = "+ptx80";
  options.format = "bin";
  options.library = library.str();
  manager.addPass(createTMemCheckCode());
  manager.addPass(createTMemGenerateCode(options));
}

void mlir::tmem::addHostLowering(OpPassManager &manager, HostChecks checks) {
  manager.addPass(createLowerAffinePass());
  manager.addPass(createConvertVectorToSCFPass());
  if (checks.bounds)
    manager.addNestedPass<func::FuncOp>(createCheckBounds());
  if (!checks.handler.empty())
    manager.addPass(createReportHostAssertions(checks.handler));
  manager.addPass(createSCFToControlFlowPass());
  manager.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(arith::createArithExpandOpsPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectorOptions;
  manager.addPass(createConvertVectorToLLVMPass(vectorOptions));
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createGpuToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createTMemCheckCode({/*checkHost=*/true}));
}
