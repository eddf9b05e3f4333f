//===- Prepare.cpp - What compiling and running begin with ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include "tmem-c/Dialects.h"

using namespace mlir;

std::string mlir::tmem::capi::getString(MlirStringRef text,
                                        StringRef otherwise) {
  if (!text.data || text.length == 0)
    return otherwise.str();
  return unwrap(text).str();
}

OwningOpRef<ModuleOp> mlir::tmem::capi::copyModule(MlirModule module) {
  if (mlirModuleIsNull(module))
    return {};
  ModuleOp original = unwrap(module);
  DialectRegistry registry;
  tmemRegisterAllDialects(wrap(&registry));
  original.getContext()->appendDialectRegistry(registry);
  if (failed(verify(original)))
    return {};
  return OwningOpRef<ModuleOp>(original.clone());
}
