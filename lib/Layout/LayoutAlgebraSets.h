//===- LayoutAlgebraSets.h - Sets of coordinates on one axis ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets { d1 * s1 + d2 * s2 + ... : 0 <= di < extent i } of positive strides.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_LAYOUTALGEBRASETS_H
#define TMEM_LIB_LAYOUT_LAYOUTALGEBRASETS_H

#include "tmem/Layout/LayoutAlgebra.h"

namespace mlir::tmem::detail {

/// The steps of such a set. Those of one verified layout reach below 2^62.
using Steps = llvm::SmallVector<IndexMode, 4>;

/// The steps of modes on one axis, all made to go upwards; unit modes and
/// strides of 0 are left out.
Steps getSteps(llvm::ArrayRef<Mode> modes, Axis axis);

/// The largest member.
int64_t getReach(llvm::ArrayRef<IndexMode> steps);

/// The same set, with steps merged that continue or overlap each other, sorted
/// by stride. Where each stride divides the next, this form is the only one,
/// and each member is a sum in one way.
Steps simplify(Steps steps);

/// Are the sets equal?
Decision areEqual(Steps a, Steps b);

/// Do sums of `modes` and `replicas` that are equal have equal digits of
/// `modes`?
Decision areDistinct(const Steps &modes, const Steps &replicas);

/// Adds the steps to each member of a bit set that is large enough to hold all
/// sums.
void addSteps(llvm::BitVector &set, llvm::ArrayRef<IndexMode> steps);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_LAYOUTALGEBRASETS_H
