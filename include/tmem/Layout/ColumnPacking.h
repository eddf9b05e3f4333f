//===- ColumnPacking.h - Tiles side by side in columns ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives tiles columns so that no two that conflict share a cell, in as few
// columns as can be found. A tile is a rectangle: all of its columns in each of
// its groups of lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_COLUMNPACKING_H
#define TMEM_LAYOUT_COLUMNPACKING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace mlir::tmem {

/// Lanes in groups of 16, the fewest that an instruction accesses: bit g stands
/// for lanes 16g to 16g+15, so that two bits are a slab.
using LaneGroups = uint8_t;
inline constexpr LaneGroups allLaneGroups = 0xff;
/// The groups of the lower lanes of each slab.
inline constexpr LaneGroups firstHalves = 0x55;

/// A tile to be placed.
struct PackingItem {
  /// How many columns, at least 1.
  unsigned columns = 1;
  /// What its first column is a multiple of, at least 1.
  unsigned alignment = 1;
  LaneGroups lanes = allLaneGroups;

  /// True for a tile in the lower halves of slabs, which may be moved to the
  /// upper ones: every instruction that reaches 16 lanes starts at lane 0 or 16
  /// of a slab (PTX ISA, "tcgen05.ld").
  bool mayShift() const { return (lanes & ~firstHalves) == 0; }
  LaneGroups getLanes(bool isShifted) const {
    return isShifted ? LaneGroups(lanes << 1) : lanes;
  }
};

struct PackingProblem {
  std::vector<PackingItem> items;
  /// For each item those that it may not share cells with. Symmetric, without
  /// repetitions and the item itself.
  std::vector<std::vector<unsigned>> conflicts;
};

/// Where an item went.
struct PackingPlace {
  unsigned column = 0;
  /// 16 lanes further down than the item says.
  bool isShifted = false;
};

struct ColumnPacking {
  std::vector<PackingPlace> places;
  /// One past the last column in use.
  unsigned columns = 0;
  /// True when it is proven that no packing takes fewer columns.
  bool isOptimal = false;
};

/// Places the items one by one, each in the first columns that are free, in
/// `order`: a permutation of their numbers.
ColumnPacking packFirstFit(const PackingProblem &problem,
                           llvm::ArrayRef<unsigned> order);

/// The columns that no packing of `items` can do without when all of them
/// conflict: the busiest slab's.
unsigned getLeastColumns(llvm::ArrayRef<PackingItem> items);

inline constexpr unsigned defaultPackingSteps = 200000;

/// The best packing found: first-fit in several orders, widest first among
/// them, then for groups of up to 64 items that compete an exact search that
/// places at most `maxSteps` of them. Never worse than first-fit in the order
/// of the items. Depends on the arguments alone.
ColumnPacking packColumns(const PackingProblem &problem,
                          unsigned maxSteps = defaultPackingSteps);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_COLUMNPACKING_H
