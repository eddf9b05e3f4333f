//===- Matching.h - Where register words fit into TMEM ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In every native image the cell of a word is a sum: of where the issue starts,
// of what the lane adds and of what the word's number in the issue adds. So a
// word of the thread's vector fits at a position, the cell of its lane 0,
// whatever issue it will be part of.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_MATCHING_H
#define TMEM_LIB_LAYOUT_MATCHING_H

#include "TransferTables.h"
#include "tmem/Layout/NativeImages.h"
#include <unordered_map>

namespace mlir::tmem::detail {

/// Elementary steps that may still be spent on choosing among replicas. Without
/// replicas there is no choice, and planning is linear.
struct Budget {
  int64_t left = int64_t(1) << 25;

  void spend(int64_t steps) { left -= steps; }
  bool isSpent() const { return left < 0; }
};

/// What all issues of a plan have in common.
struct Alignment {
  int64_t columnsPerWarpgroup = 0;
  Cell split;
};

/// Words that hold the same in every thread, in ascending order, and the
/// positions at which they fit.
struct WordClass {
  llvm::SmallVector<unsigned, 1> words;
  llvm::SmallVector<Cell, 1> positions;
};

/// True when the second access of 16x32bx2 may start there (rule S2).
bool isLegalSplit(Cell split, Packing packing);

class Matcher {
public:
  Matcher(const TransferTables &tables, const Atom &atom, Budget &budget);

  const TransferTables &getTables() const { return tables; }
  bool isPacked() const { return packing != Packing::None; }
  bool isSplit() const { return shape == AtomShape::S16x32bx2; }

  /// The words that hold anything, grouped by what they hold.
  std::vector<WordClass> findClasses() const;

  /// The alignments at which `word` may fit: no other one is possible.
  llvm::SmallVector<Alignment, 1> findAlignments(unsigned word) const;

  /// Chooses the alignment for what follows.
  void setAlignment(const Alignment &alignment);
  const Alignment &getAlignment() const { return alignment; }

  /// True when the word holds, in every lane of every warp, exactly the bits of
  /// the cells there.
  bool fits(unsigned word, Cell position) const;
  /// Where a word fits, in the order of columns, then lanes.
  llvm::SmallVector<Cell, 1> findPositions(unsigned word) const;

  /// True for the slab's lanes at which some word of an issue may stand.
  bool isWordLane(int64_t lane) const;
  /// True for the slab's lanes at which an issue may start (rule T6).
  bool isStartLane(int64_t lane) const;

  /// The cell of a lane's word relative to the position, in half `half` of the
  /// word; without packing the word has one half. Knows of no alignment.
  Cell getLaneOffset(unsigned lane, unsigned half = 0) const {
    return laneCells[lane] + Cell{0, half};
  }
  unsigned getNumHalves() const { return isPacked() ? 2 : 1; }

  /// The positions, relative to the slab, at which the word would have its unit
  /// `unit` in lane `lane` of `warp` where TMEM has it. Knows of no alignment.
  llvm::SmallVector<Cell, 1> findOrigins(unsigned warp, unsigned lane,
                                         unsigned word, unsigned unit) const;

  /// True when the word of one lane holds exactly the bits of its cell, or of
  /// its two cells if packed, and none of the cells is empty.
  bool matches(llvm::ArrayRef<Unit> word, const Unit *cell) const;

private:
  llvm::SmallVector<Cell, 1> findFirstOrigins(unsigned warp, unsigned lane,
                                              unsigned word) const;
  /// The origins of lane 0 of the first warp at which a word may stand,
  /// whatever the alignment.
  llvm::ArrayRef<Cell> findWordOrigins(unsigned word) const;
  /// Of the origins of lane 16, and of the second warpgroup.
  llvm::SmallVector<Cell, 1> findSplits(llvm::ArrayRef<Cell> seconds,
                                        Cell position) const;
  llvm::SmallVector<int64_t, 1>
  findColumnsPerWarpgroup(llvm::ArrayRef<Cell> others, Cell position) const;
  bool isSameWord(unsigned a, unsigned b) const;
  bool holdsAnything(unsigned word) const;
  bool isInside(Cell position) const;

  const TransferTables &tables;
  AtomShape shape;
  Packing packing;
  std::optional<Cell> givenSplit;
  Budget &budget;
  mutable std::unordered_map<unsigned, llvm::SmallVector<Cell, 1>> wordOrigins;
  Alignment alignment;
  std::array<Cell, warpSize> laneCells;
  /// What the lanes add to a position, in units of the table, and the largest
  /// lane and column that they reach: with the alignment.
  std::array<int64_t, warpSize> laneUnits;
  Cell reach;
};

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_MATCHING_H
