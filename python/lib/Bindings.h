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

/// An integer that Python may have larger than C++, or write in other ways.
struct Integer {
  nb::object object;

  /// Raises TypeError for what is no integer, ValueError for what int64_t is
  /// too small for; both name the argument.
  int64_t read(const char *name) const;
};

void populateAttributes(nb::module_ &m);
void populateLayouts(nb::module_ &m);
void populatePrograms(nb::module_ &m);
void populateReports(nb::module_ &m);
void populateTypes(nb::module_ &m);

} // namespace tmem_python

/// Takes any object: what is wrong with it is for read() to say.
template <> struct nanobind::detail::type_caster<tmem_python::Integer> {
  NB_TYPE_CASTER(tmem_python::Integer, const_name("typing.SupportsIndex"))

  bool from_python(handle source, uint8_t, cleanup_list *) noexcept {
    value.object = borrow(source);
    return true;
  }
  static handle from_cpp(const tmem_python::Integer &integer, rv_policy,
                         cleanup_list *) noexcept {
    return integer.object.inc_ref();
  }
};

#endif // TMEM_PYTHON_BINDINGS_H
