//===- Errors.cpp - Broken rules as exceptions ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"

using namespace mlir::tmem;
using namespace tmem_python;

void tmem_python::raise(const std::string &message, std::optional<Rule> rule,
                        const std::vector<std::string> &notes) {
  nb::list list;
  for (const std::string &note : notes)
    list.append(nb::cast(note));
  nb::object id = nb::none();
  if (rule) {
    id = nb::cast(getRuleId(*rule).str());
    list.append(nb::cast(
        ("rule " + getRuleId(*rule) + ": " + getRuleText(*rule)).str()));
  }
  nb::object type = nb::module_::import_("tmem._errors").attr("RuleError");
  nb::object error = type(message, id, nb::tuple(list));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void tmem_python::raise(const Violation &violation) {
  raise(violation.message, violation.rule);
}

void tmem_python::raise(const ParseError &error, llvm::StringRef text) {
  std::vector<std::string> notes;
  if (!text.contains('\n'))
    notes.push_back(("at the mark in\n  " + text + "\n  " +
                     std::string(error.position, ' ') + "^")
                        .str());
  raise(error.message, error.rule, notes);
}
