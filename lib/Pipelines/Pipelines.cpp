//===- Pipelines.cpp - Names of the pass pipelines ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Pipelines/Pipelines.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <atomic>

using namespace mlir;

LogicalResult mlir::tmem::runWithoutErrors(PassManager &manager,
                                           Operation *op) {
  std::atomic<bool> hasErrors = false;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &message) {
    if (message.getSeverity() == DiagnosticSeverity::Error)
      hasErrors = true;
    return failure(); // It goes on to who prints it.
  });
  return failure(failed(manager.run(op)) || hasErrors);
}

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
