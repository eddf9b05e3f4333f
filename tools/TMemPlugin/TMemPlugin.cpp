//===- TMemPlugin.cpp - The plugin of stock mlir-opt ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "tmem/InitAll.h"

using namespace mlir;

// In tmem-opt, and whoever else has them, dialect and passes are there already.

static void registerDialects(DialectRegistry *registry) {
  if (!llvm::is_contained(registry->getDialectNames(), "tmem"))
    tmem::registerAllDialects(*registry);
}

static void registerPasses() {
  if (!PassPipelineInfo::lookup("tmem-to-cubin"))
    tmem::registerAllPasses();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tmem", TMEM_VERSION, registerDialects};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tmem", TMEM_VERSION, registerPasses};
}
