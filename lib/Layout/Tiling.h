//===- Tiling.h - Cutting positions into issues -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The positions of an issue's words are a translate of one fixed set, whose
// smallest member, by columns and then lanes, is its start. So the smallest
// position that no issue has covered yet is where one must start: the cut into
// issues of the smallest repetition count (blocks) is unique, if there is one.
// Larger issues are chains of blocks at a fixed distance.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_TILING_H
#define TMEM_LIB_LAYOUT_TILING_H

#include "Matching.h"

namespace mlir::tmem::detail {

/// Where one issue starts in the slab, and how long it is.
struct Run {
  Cell start;
  unsigned repeat;
};

/// Why a cut cannot go on: the issue that would have to be next, and what is
/// wrong with it.
struct Gap {
  enum class Kind {
    Start,        ///< It would start at an illegal lane.
    NoWord,       ///< No register word is left for its word `word`.
    TwiceWritten, ///< It would write `cell` again.
    NotWritten,   ///< No issue writes `cell`.
  };
  Kind kind = Kind::Start;
  Run run = {};
  unsigned word = 0;
  Cell cell = {}; ///< Of TMEM: in the first two kinds, the issue's first one.
  Alignment alignment = {};
};

/// A number for each position of a slab at which a word can stand.
class PositionGrid {
public:
  PositionGrid(int64_t columns, int value) : values(columns * 4, value) {}

  /// Positions by columns, then lanes.
  static int64_t getIndex(Cell position) {
    return position.column * 4 + position.lane / 8;
  }
  static Cell getPosition(int64_t index) { return {index % 4 * 8, index / 4}; }
  int64_t size() const { return values.size(); }
  int &operator[](int64_t index) { return values[index]; }
  int operator[](int64_t index) const { return values[index]; }

private:
  std::vector<int> values;
};

class Tiler {
public:
  Tiler(const Matcher &matcher, const Atom &atom);

  /// Of a slab.
  int64_t getNumPositions() const { return columns * 4; }
  PositionGrid makeGrid(int value) const { return {columns, value}; }
  /// Ascending.
  llvm::ArrayRef<unsigned> getRepeats() const { return repeats; }
  unsigned getBlockRepeat() const { return repeats.front(); }
  unsigned getNumWords(unsigned repeat) const {
    return wordsPerRepeat * repeat;
  }
  /// What a word of an issue adds to the grid's index of its start.
  int64_t getStep(unsigned word) const { return steps[word]; }
  bool isStart(int64_t index) const;

  /// The fewest issues that so many words can be cut into, wherever they are.
  /// Nothing when no number of issues has as many.
  std::optional<int64_t> getFewestRuns(int64_t numWords) const;

  /// Cuts positions, each wanted so many times, into blocks. Counts the blocks
  /// at each start.
  std::optional<Gap> cutBlocks(PositionGrid wanted, PositionGrid &blocks) const;

  /// Cuts the cells of memory into blocks, given the class of words at each
  /// position, or -1. Every cell must be in one block, in every slab.
  std::optional<Gap> coverCells(const PositionGrid &classes,
                                PositionGrid &blocks) const;

  /// Joins blocks to the fewest issues.
  std::vector<Run> joinBlocks(const PositionGrid &blocks) const;

private:
  class Coverage;
  Gap makeGap(Cell start) const;
  std::optional<Gap> coverBlock(const PositionGrid &classes, Gap gap,
                                Coverage &coverage) const;

  const Matcher &matcher;
  int64_t columns;
  unsigned wordsPerRepeat;
  llvm::SmallVector<unsigned, 8> repeats;
  llvm::SmallVector<int64_t, 128> steps;
};

/// Chooses a position for every word where some have several, by search: finds
/// a list of issues shorter than `best`, if best is not empty, and the shortest
/// one as long as the budget lasts.
void searchReplicas(const Tiler &tiler, llvm::ArrayRef<WordClass> classes,
                    Budget &budget, std::vector<Run> &best);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_TILING_H
