//===- Registration.cpp - What every context of the package knows ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "mlir/CAPI/IR.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "tmem/InitAll.h"

using namespace mlir;

void mlir::tmem::python::registerDialects(MlirDialectRegistry registry) {
  DialectRegistry &known = *unwrap(registry);
  mlir::registerAllDialects(known);
  registerAllExtensions(known);
  registerAllToLLVMIRTranslations(known);
  mlir::tmem::registerAllDialects(known);
}

void mlir::tmem::python::registerPasses() {
  mlir::registerAllPasses();
  mlir::tmem::registerAllPasses();
}
