//===- DeviceModule.cpp - Kernels for a GPU without Tensor Memory ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// Targets that have Tensor Memory say nothing of where the module runs now.
static void dropTargets(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets)
    return;
  SmallVector<Attribute> kept;
  for (Attribute attr : targets) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
    if (!target || !mlir::tmem::findChip(target.getChip()))
      kept.push_back(attr);
  }
  if (kept.empty())
    module.removeTargetsAttr();
  else
    module.setTargetsAttr(ArrayAttr::get(module.getContext(), kept));
}

/// Declarations of what is not called any more.
static void dropDeclarations(gpu::GPUModuleOp module) {
  for (StringRef name :
       {"tmem_emulation_read_cell", "tmem_emulation_write_cell"})
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      function.erase();
}

/// The registers of a thread are then few enough for any block.
static void limitThreads(gpu::GPUModuleOp module) {
  StringRef limit = NVVM::NVVMDialect::getMaxntidAttrName();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (isKernel(function) && !function->hasAttr(limit) &&
        !function->hasAttr(NVVM::NVVMDialect::getReqntidAttrName()))
      function->setAttr(limit,
                        DenseI32ArrayAttr::get(module.getContext(), {1024}));
}

void mlir::tmem::emulate::finishDeviceModule(ModuleState &state) {
  dropTargets(state.module);
  dropDeclarations(state.module);
  limitThreads(state.module);
  SymbolTable symbols(state.module);
  addDefinitions(state, symbols);
}
