//===- Registration.h - What every context of the package knows -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PYTHON_REGISTRATION_H
#define TMEM_PYTHON_REGISTRATION_H

#include "mlir-c/IR.h"

namespace mlir::tmem::python {

/// Adds MLIR's dialects, extensions and translations, and the tmem dialect.
void registerDialects(MlirDialectRegistry registry);

/// Makes MLIR's passes and ours known by their names.
void registerPasses();

} // namespace mlir::tmem::python

#endif // TMEM_PYTHON_REGISTRATION_H
