//===- Tiling.cpp - Cutting positions into issues -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

Tiler::Tiler(const Matcher &matcher, const Atom &atom)
    : matcher(matcher), columns(matcher.getTables().columns),
      wordsPerRepeat(getNativeImage(atom.shape).wordsPerRepeat),
      repeats(atom.repeats.begin(), atom.repeats.end()) {
  llvm::sort(repeats);
  repeats.erase(llvm::unique(repeats), repeats.end());
  for (unsigned word = 0; word < getNumWords(repeats.back()); ++word)
    steps.push_back(
        PositionGrid::getIndex(getWordCell(atom.shape, atom.packing, word)));
}

bool Tiler::isStart(int64_t index) const {
  return matcher.isStartLane(PositionGrid::getPosition(index).lane);
}

std::optional<int64_t> Tiler::getFewestRuns(int64_t numWords) const {
  if (numWords % getNumWords(getBlockRepeat()) != 0)
    return std::nullopt;
  int64_t runs = 0;
  for (unsigned repeat : llvm::reverse(repeats)) {
    runs += numWords / getNumWords(repeat);
    numWords %= getNumWords(repeat);
  }
  return runs;
}

/// What may turn out to be wrong with the block that starts here.
Gap Tiler::makeGap(Cell start) const {
  Gap gap;
  gap.run = {start, getBlockRepeat()};
  gap.cell = start + Cell{matcher.getTables().getSlabLane(0), 0};
  gap.alignment = matcher.getAlignment();
  return gap;
}

std::optional<Gap> Tiler::cutBlocks(PositionGrid wanted,
                                    PositionGrid &blocks) const {
  for (int64_t start = 0; start < wanted.size(); ++start)
    while (wanted[start] > 0) {
      Gap gap = makeGap(PositionGrid::getPosition(start));
      if (!isStart(start))
        return gap;
      gap.kind = Gap::Kind::NoWord;
      for (; gap.word < getNumWords(getBlockRepeat()); ++gap.word) {
        int64_t index = start + steps[gap.word];
        if (index >= wanted.size() || wanted[index] == 0)
          return gap;
        --wanted[index];
      }
      ++blocks[start];
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Covering cells
//===----------------------------------------------------------------------===//

/// Which cells of memory some issue writes.
class Tiler::Coverage {
public:
  Coverage(const Matcher &matcher)
      : matcher(matcher), tables(matcher.getTables()),
        written(numTMemLanes * tables.columns, false) {}

  bool isWritten(Cell cell) const { return written[getIndex(cell)]; }

  /// Marks what the word at a position writes, which lies in the table. Returns
  /// a cell that was written before.
  std::optional<Cell> write(Cell position);

  /// The first cell that holds something and is not written.
  std::optional<Cell> findUnwritten() const;

private:
  size_t getIndex(Cell cell) const {
    return cell.lane * tables.columns + cell.column;
  }

  const Matcher &matcher;
  const TransferTables &tables;
  std::vector<char> written;
};

std::optional<Cell> Tiler::Coverage::write(Cell position) {
  const Alignment &alignment = matcher.getAlignment();
  for (unsigned warp = 0; warp < tables.numWarps; ++warp) {
    Cell first = position + Cell{tables.getSlabLane(warp),
                                 alignment.columnsPerWarpgroup * (warp / 4)};
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned half = 0; half < matcher.getNumHalves(); ++half) {
        Cell cell = first + matcher.getLaneOffset(lane, half);
        if (matcher.isSplit() && lane >= 16)
          cell = cell + alignment.split;
        if (isWritten(cell))
          return cell;
        written[getIndex(cell)] = true;
      }
  }
  return std::nullopt;
}

std::optional<Cell> Tiler::Coverage::findUnwritten() const {
  for (int64_t lane = 0; lane < numTMemLanes; ++lane)
    for (int64_t column = 0; column < tables.columns; ++column) {
      llvm::ArrayRef<Unit> units = tables.getCell({lane, column});
      // Unpacking leaves the high half of a cell undefined.
      bool lost =
          matcher.isPacked() && !isEmpty(units.drop_front(units.size() / 2));
      if (lost || (!isEmpty(units) && !isWritten({lane, column})))
        return Cell{lane, column};
    }
  return std::nullopt;
}

/// Writes the words of a block, `gap` until proven otherwise.
std::optional<Gap> Tiler::coverBlock(const PositionGrid &classes, Gap gap,
                                     Coverage &coverage) const {
  if (!matcher.isStartLane(gap.run.start.lane))
    return gap;
  int64_t start = PositionGrid::getIndex(gap.run.start);
  for (; gap.word < getNumWords(getBlockRepeat()); ++gap.word) {
    int64_t index = start + steps[gap.word];
    gap.kind = Gap::Kind::NoWord;
    if (index >= classes.size() || classes[index] < 0)
      return gap;
    gap.kind = Gap::Kind::TwiceWritten;
    if (auto cell = coverage.write(PositionGrid::getPosition(index))) {
      gap.cell = *cell;
      return gap;
    }
  }
  return std::nullopt;
}

std::optional<Gap> Tiler::coverCells(const PositionGrid &classes,
                                     PositionGrid &blocks) const {
  const TransferTables &tables = matcher.getTables();
  Coverage coverage(matcher);
  // The warpgroup with the smallest columns is the one that comes first.
  int64_t shift = std::min<int64_t>(matcher.getAlignment().columnsPerWarpgroup *
                                        (tables.getNumWarpgroups() - 1),
                                    0);
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t lane = 0; lane < 32; ++lane) {
      Cell cell = {tables.getSlabLane(0) + lane, column};
      if (coverage.isWritten(cell) || isEmpty(tables.getCell(cell)))
        continue;
      Gap gap = makeGap({lane, column - shift});
      gap.cell = cell;
      if (auto found = coverBlock(classes, gap, coverage))
        return found;
      ++blocks[PositionGrid::getIndex(gap.run.start)];
    }
  if (auto cell = coverage.findUnwritten())
    return Gap{Gap::Kind::NotWritten, {}, 0, *cell, {}};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Joining blocks
//===----------------------------------------------------------------------===//

/// Cuts a chain in which link i is wanted counts[i] times into pieces of
/// `lengths` links, which ascend from 1. The longest piece first: as each
/// length divides the next, these are the fewest where all links are wanted
/// equally often, which is so unless memory has replicas.
static void cutChain(llvm::MutableArrayRef<int> counts,
                     llvm::ArrayRef<unsigned> lengths,
                     llvm::function_ref<void(unsigned, unsigned)> emit) {
  for (size_t first = 0; first < counts.size();) {
    if (counts[first] == 0) {
      ++first;
      continue;
    }
    size_t end = first;
    while (end < counts.size() && counts[end] > 0)
      ++end;
    while (first < end) {
      unsigned length = *llvm::find_if(
          llvm::reverse(lengths), [&](unsigned n) { return n <= end - first; });
      emit(first, length);
      for (unsigned i = 0; i < length; ++i)
        --counts[first++];
    }
    // Links that are wanted again come first once more.
    first = 0;
  }
}

std::vector<Run> Tiler::joinBlocks(const PositionGrid &blocks) const {
  std::vector<Run> runs;
  unsigned blockRepeat = getBlockRepeat();
  llvm::SmallVector<unsigned, 8> lengths;
  for (unsigned repeat : repeats)
    lengths.push_back(repeat / blockRepeat);
  // The distance of blocks that continue each other. (There are more steps than
  // words of a block only if a longer issue is allowed.)
  int64_t pitch =
      lengths.size() > 1 ? steps[getNumWords(blockRepeat)] : blocks.size();
  for (int64_t first = 0; first < std::min(pitch, blocks.size()); ++first) {
    llvm::SmallVector<int, 128> counts;
    for (int64_t i = first; i < blocks.size(); i += pitch)
      counts.push_back(blocks[i]);
    cutChain(counts, lengths, [&](unsigned link, unsigned length) {
      runs.push_back({PositionGrid::getPosition(first + link * pitch),
                      length * blockRepeat});
    });
  }
  return runs;
}
