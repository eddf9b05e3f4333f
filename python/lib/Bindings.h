//===- Bindings.h - The parts of the module _tmem ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PYTHON_BINDINGS_H
#define TMEM_PYTHON_BINDINGS_H

#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "tmem/Layout/Rules.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>

namespace tmem_python {

namespace nb = nanobind;

/// Raises tmem.RuleError.
[[noreturn]] void raise(const std::string &message,
                        std::optional<mlir::tmem::Rule> rule);

void populateAttributes(nb::module_ &m);
void populateLayouts(nb::module_ &m);
void populatePrograms(nb::module_ &m);
void populateReports(nb::module_ &m);
void populateTypes(nb::module_ &m);

} // namespace tmem_python

#endif // TMEM_PYTHON_BINDINGS_H
