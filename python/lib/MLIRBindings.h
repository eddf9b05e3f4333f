//===- MLIRBindings.h - Bindings of types and attributes of MLIR *- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PYTHON_MLIRBINDINGS_H
#define TMEM_PYTHON_MLIRBINDINGS_H

#include "Bindings.h"
#include "mlir/Bindings/Python/IRAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tmem_python {

namespace py = mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

/// Makes something at a location; raises ir.MLIRError with what was reported
/// there if that gives null. Diagnostics do not reach other handlers.
template <typename Result>
Result getChecked(py::PyLocation &loc, const char *what,
                  llvm::function_ref<Result()> get) {
  py::PyMlirContext::ErrorCapture errors(loc.getContext());
  Result result = get();
  auto reported = errors.take();
  if (!result.ptr)
    throw py::MLIRError(what, std::move(reported));
  return result;
}

} // namespace tmem_python

#endif // TMEM_PYTHON_MLIRBINDINGS_H
