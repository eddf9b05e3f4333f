//===- InitAll.cpp - All of tmem at once ----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/InitAll.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/IR/TMemDialect.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Target/LLVMIR/TMemToLLVMIR.h"
#include "tmem/Transforms/Passes.h"

void mlir::tmem::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TMemDialect>();
  registerConvertTMemToLLVMInterface(registry);
  registerTMemDialectTranslation(registry);
}

void mlir::tmem::registerAllPasses() {
  registerTMemConversionPasses();
  registerTMemTransformsPasses();
  registerTMemPipelines();
}
