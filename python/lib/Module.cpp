//===- Module.cpp - The native part of the package tmem -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

using namespace tmem_python;

int64_t Integer::read(const char *name) const {
  nb::object read = nb::module_::import_("tmem._checks").attr("read_integer");
  return nb::cast<int64_t>(read(name, object));
}

NB_MODULE(_tmem, m) {
  nb::set_leak_warnings(false);
  m.doc() = "Layouts, transfers, pictures, kernels; the tmem dialect";
  populateLayouts(m);
  populatePrograms(m);
  populateReports(m);
  populateAttributes(m);
  populateTypes(m);
}
