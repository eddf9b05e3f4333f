//===- ViewUtils.h - Where views come from ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_VIEWUTILS_H
#define TMEM_IR_VIEWUTILS_H

#include "mlir/IR/Value.h"

namespace mlir::tmem {

/// An address: the value at its root, a view or the base of one, plus dynamic
/// offsets, each times so many cells, in an order of their own. Static offsets
/// of windows stand in the layouts and play no part.
struct ViewBase {
  Value root;
  SmallVector<std::pair<Value, int64_t>> steps;
};

/// Where a view comes from, through windows and rearrangements.
ViewBase getViewBase(Value view);

/// True when two views provably have the same base address: both are windows of
/// one view, or of views of one address, moved by the same dynamic offsets.
/// Static offsets stand in the layouts and play no part.
bool haveSameBase(Value a, Value b);

} // namespace mlir::tmem

#endif // TMEM_IR_VIEWUTILS_H
