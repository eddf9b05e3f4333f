//===- LayoutAlgebraDetail.h - Reasons and index maps -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_LAYOUTALGEBRADETAIL_H
#define TMEM_LIB_LAYOUT_LAYOUTALGEBRADETAIL_H

#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/Twine.h"

namespace mlir::tmem::detail {

/// Says why there is no result: `return refuse(reason, "expected ...");`.
inline std::nullopt_t refuse(std::string *reason, const llvm::Twine &message) {
  if (reason)
    *reason = message.str();
  return std::nullopt;
}

/// True when the layout verifies; else says why not.
inline bool verifies(const Layout &layout, std::string *reason) {
  std::optional<Violation> violation = verifyLayout(layout);
  if (violation)
    refuse(reason, violation->message);
  return !violation;
}

/// An index map as a layout on one axis, and back. Nothing else is on the axis.
Layout toLayout(const IndexMap &map);
IndexMap toIndexMap(const Layout &layout);

inline int64_t &at(Coordinates &place, Axis axis) {
  return place[static_cast<unsigned>(axis)];
}
inline int64_t at(const Coordinates &place, Axis axis) {
  return place[static_cast<unsigned>(axis)];
}

/// The offset on an axis.
int64_t getOffset(const Layout &layout, Axis axis);

/// Adds to the offsets, on each axis.
void addOffsets(Layout &layout, const Coordinates &distance);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_LAYOUTALGEBRADETAIL_H
