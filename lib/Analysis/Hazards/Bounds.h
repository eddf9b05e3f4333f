//===- Bounds.h - Numbers that a value may be -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of columns that a loop with constant bounds, a branch or a select
// computes, and the constants of which a branch or a select picks one.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_BOUNDS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_BOUNDS_H

#include "Values.h"

namespace mlir::tmem::hazards {

/// Numbers from the first to the last one; none if the last one is less.
struct Bounds {
  int64_t first = 1, last = 0;
  bool isEmpty() const { return last < first; }
  bool operator==(const Bounds &other) const {
    return first == other.first && last == other.last;
  }
};

/// The values one of which `value` is, or none if that is not known; a null
/// value is one that is not known.
SmallVector<Value> getChoices(Value value);

/// Bounds of what a value may be in any thread, if there are any. `frame`:
/// where it is used; `isZero`: unknowns that do not count.
std::optional<Bounds>
findBounds(Evaluator &evaluator, const ThreadValue &value, Frame *frame,
           llvm::function_ref<bool(unsigned)> isZero = {});

/// Every number that a value may be, if it is one of a few constants.
std::optional<SmallVector<int64_t>>
findConstants(Evaluator &evaluator, const ThreadValue &value, Frame *frame);

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_BOUNDS_H
