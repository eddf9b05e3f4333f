//===- TileTransfersCells.h - Which cells tiles share -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparing each transfer with each other one would take quadratic time. So the
// cells of all of them are cut into regions, of which a tile has all or
// nothing, and each region knows its transfers.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TILETRANSFERSCELLS_H
#define TMEM_LIB_TRANSFORMS_TILETRANSFERSCELLS_H

#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mlir::tmem {

/// Lanes or columns from `begin` to before `end`.
struct CellRun {
  int64_t begin, end;
};

/// Each of the lanes times each of the columns.
struct CellRuns {
  SmallVector<CellRun, 1> lanes, columns;

  CellRuns() = default;
  explicit CellRuns(const Footprint &footprint);
};

/// Cells behind an address.
struct PlacedCells {
  /// Cells of two addresses may be the same, whatever their numbers.
  unsigned address;
  CellRuns cells;
};

/// Says where views lie. Views have one address where their bases are known to
/// lie constants apart, in lanes and columns. (PTX ISA, "Tensor Memory
/// Addressing".)
class ViewPlaces {
public:
  PlacedCells get(Value view);
  /// A window of the view that has the cells.
  PlacedCells get(Value view, CellRuns cells);
  unsigned getAddress(Value view) { return find(view).address; }

private:
  struct Place {
    unsigned address;
    int64_t lane, column; ///< Of the view's base, behind the address.
  };
  Place find(Value view);
  std::pair<Value, int64_t> stripConstants(Value address);

  using Steps = std::vector<std::pair<const void *, int64_t>>;
  std::map<std::pair<const void *, Steps>, unsigned> addresses;
  DenseMap<Value, Place> places;
  DenseMap<Value, std::pair<Value, int64_t>> stripped;
  DenseMap<Type, CellRuns> runs;
};

/// What to do about two views that may overlap.
StringRef getOverlapAdvice(Value a, Value b);

/// Cells of an address that no tile parts.
using CellRegion = std::pair<unsigned, uint64_t>;

/// The regions that tiles are made of.
class CellGrid {
public:
  void add(const PlacedCells &tile);
  /// After all tiles are added.
  void finish();
  /// The regions of a tile that was added.
  void forEachRegion(const PlacedCells &tile,
                     function_ref<void(CellRegion)> visit) const;

private:
  struct Borders {
    SmallVector<int64_t> lanes, columns;
  };
  DenseMap<unsigned, Borders> borders;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TILETRANSFERSCELLS_H
