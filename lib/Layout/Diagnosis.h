//===- Diagnosis.h - Why there is no plan -----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_DIAGNOSIS_H
#define TMEM_LIB_LAYOUT_DIAGNOSIS_H

#include "Tiling.h"

namespace mlir::tmem::detail {

Violation describeIllegalSplit(Cell split, Packing packing);
Violation describeIllegalStart(AtomShape shape, int64_t lane,
                               const llvm::Twine &element);

/// Says why positions that are all right cannot be cut into issues.
std::optional<Violation> explainGap(const Matcher &matcher, const Atom &atom,
                                    const Gap &gap);

/// Names the rule that a transfer without a plan breaks, and the first element
/// in the wrong place. `gap` is where cutting into issues stopped, if it came
/// that far. Linear in the size of the tile.
Violation explainFailure(const Matcher &matcher, const Transfer &transfer,
                         const Atom &atom, const std::optional<Gap> &gap);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_DIAGNOSIS_H
