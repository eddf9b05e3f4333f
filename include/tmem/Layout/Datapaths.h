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
/// Organization"), for the tile of one CTA. With cta_group::2 each CTA of the
/// pair has half of the accumulator's M rows and all of its N columns:
///
///   letter  M    cta_group  kind           rows of the CTA  columns in TMEM
///   A       256  2          any            128              N
///   B       128  2          dense          64               N / 2
///   C       128  2          sparse         64               N
///   D       128  1          any            128              N
///   E       64   1          .ws            64               N / 2
///   F       64   1          not .ws        64               N
///   G       32   1          .ws            32               N / 4
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

/// The layout of an accumulator, one element in each cell. Rules D1 to D4,
/// V1 and L3. It may have more columns than TMEM: a view's rule V5 says so.
std::variant<Layout, Violation> expandDatapath(llvm::StringRef letter,
                                               int64_t half,
                                               llvm::ArrayRef<int64_t> shape,
                                               unsigned elementBits);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_DATAPATHS_H
