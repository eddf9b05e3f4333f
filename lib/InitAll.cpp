//===- InitAll.cpp - All of tmem at once ----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/InitAll.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/IR/TMemDialect.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Target/LLVMIR/TMemToLLVMIR.h"
#include "tmem/Transforms/Passes.h"

void mlir::tmem::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TMemDialect>();
  registerConvertTMemToLLVMInterface(registry);
  registerTMemDialectTranslation(registry);
  // Without these gpu-module-to-binary crashes.
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlir::tmem::registerAllPasses() {
  registerTMemConversionPasses();
  registerTMemTransformsPasses();
  registerTMemPipelines();
}
