//===- ColumnSearch.h - The fewest columns, by search -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_COLUMNSEARCH_H
#define TMEM_LIB_LAYOUT_COLUMNSEARCH_H

#include "tmem/Layout/ColumnPacking.h"

namespace mlir::tmem {

/// The most items that can be searched.
inline constexpr unsigned maxSearchItems = 64;

/// Replaces `best` by a packing of fewer columns, down to `least`, where one is
/// found. Marks it as optimal when the search was complete, or ended at
/// `least`.
void searchPacking(const PackingProblem &problem, unsigned least,
                   unsigned maxSteps, ColumnPacking &best);

} // namespace mlir::tmem

#endif // TMEM_LIB_LAYOUT_COLUMNSEARCH_H
