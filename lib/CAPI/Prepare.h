//===- Prepare.h - What compiling and running begin with --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CAPI_PREPARE_H
#define TMEM_LIB_CAPI_PREPARE_H

#include "mlir-c/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace mlir::tmem::capi {

/// A string of options, or `otherwise` for an empty one.
std::string getString(MlirStringRef text, StringRef otherwise);

/// A copy of a module that verifies, in a context that has what compiling
/// takes. Null for a null module, and after diagnostics.
OwningOpRef<ModuleOp> copyModule(MlirModule module);

} // namespace mlir::tmem::capi

#endif // TMEM_LIB_CAPI_PREPARE_H
