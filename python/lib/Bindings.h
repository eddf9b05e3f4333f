//===- Bindings.h - The parts of the module _tmem ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PYTHON_BINDINGS_H
#define TMEM_PYTHON_BINDINGS_H

#include "mlir/Bindings/Python/Nanobind.h"
#include "tmem/Layout/LayoutParser.h"
#include "tmem/Layout/RegisterInference.h"
#include <memory>
#include <string>
#include <vector>

namespace tmem_python {

namespace nb = nanobind;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// tmem.Layout: a layout, and the shape of its tile if that is known.
struct PyLayout {
  mlir::tmem::Layout layout;
  std::vector<int64_t> shape;

  std::string str() const;
};

/// The tile's shape; one dimension where none is known.
llvm::SmallVector<int64_t, 4> getShape(const PyLayout &layout);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Raise tmem.RuleError.
[[noreturn]] void raise(const mlir::tmem::Violation &violation);
[[noreturn]] void raise(const std::string &message,
                        std::optional<mlir::tmem::Rule> rule,
                        const std::vector<std::string> &notes = {});
/// Also shows where in the text the error is.
[[noreturn]] void raise(const mlir::tmem::ParseError &error,
                        llvm::StringRef text);

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// "f32" or "i8": its bits, 4 to 64.
unsigned parseElementType(const std::string &text);
/// "warpgroup", "cta", "warp 2" or "warp(2)".
mlir::tmem::Scope parseScope(const std::string &text);
/// "load" or "store".
mlir::tmem::Direction parseDirection(const std::string &text);
/// "32x32b, x64, x32, pack", or the attribute. Without counts: all of them.
mlir::tmem::Atom parseAtom(const std::string &text);

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void populateAttributes(nb::module_ &m);
void populateLayouts(nb::module_ &m);
void populatePictures(nb::module_ &m);
void populatePlans(nb::module_ &m);
void populatePrograms(nb::module_ &m);
void populateTransfers(nb::module_ &m);
void populateTypes(nb::module_ &m);

} // namespace tmem_python

#endif // TMEM_PYTHON_BINDINGS_H
