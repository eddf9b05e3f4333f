//===- Datapaths.h - Where tcgen05.mma leaves an accumulator ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_DATAPATHS_H
#define TMEM_LAYOUT_DATAPATHS_H

#include "tmem/Layout/Layout.h"
#include <variant>

namespace mlir::tmem {

/// One row of the table of data paths (PTX ISA, "Data Path Layout
/// Organization"), for the tile of one CTA.
struct DatapathRow {
  char letter;
  int64_t rows;
  /// Groups of columns that stand beside each other in the lanes.
  int64_t columnGroups;
  /// The rows fill one half of each slab.
  bool hasHalf;
};

/// All rows, A to G.
llvm::ArrayRef<DatapathRow> getDatapathRows();

/// The layout of an accumulator, one element in each cell. Rules D1 to D4.
std::variant<Layout, Violation> expandDatapath(llvm::StringRef letter,
                                               int64_t half,
                                               llvm::ArrayRef<int64_t> shape,
                                               unsigned elementBits);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_DATAPATHS_H
