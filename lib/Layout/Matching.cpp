//===- Matching.cpp - Where register words fit into TMEM ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matching.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

bool detail::isLegalSplit(Cell split, Packing packing) {
  bool inRange = (split.lane == 0 || split.lane == 16) && split.column >= 0 &&
                 split.column < 512;
  bool even = packing == Packing::None || split.column % 2 == 0;
  return inRange && even && split != Cell{};
}

Matcher::Matcher(const TransferTables &tables, const Atom &atom, Budget &budget)
    : tables(tables), shape(atom.shape), packing(atom.packing),
      givenSplit(atom.split), budget(budget) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    laneCells[lane] = getLaneCell(shape, packing, lane);
  setAlignment({});
}

void Matcher::setAlignment(const Alignment &newAlignment) {
  alignment = newAlignment;
  reach = {};
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    Cell cell = laneCells[lane];
    if (isSplit() && lane >= 16)
      cell = cell + alignment.split;
    laneUnits[lane] =
        cell.lane * tables.lanePitch + cell.column * tables.unitsPerWord;
    reach.lane = std::max(reach.lane, cell.lane);
    reach.column = std::max(reach.column, cell.column + isPacked());
  }
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

bool Matcher::holdsAnything(unsigned word) const {
  for (unsigned warp = 0; warp < tables.numWarps; ++warp)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (!isEmpty(tables.getWord(warp, lane, word)))
        return true;
  return false;
}

bool Matcher::isSameWord(unsigned a, unsigned b) const {
  for (unsigned warp = 0; warp < tables.numWarps; ++warp)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (tables.getWord(warp, lane, a) != tables.getWord(warp, lane, b))
        return false;
  return true;
}

std::vector<WordClass> Matcher::findClasses() const {
  std::vector<WordClass> classes;
  // Words can be the same only where elements have replicas; then look among
  // those that start with the same unit.
  bool unique = tables.registerPiece.replicaOffsets.size() == 1;
  llvm::DenseMap<Unit, llvm::SmallVector<unsigned, 1>> classesOf;
  for (unsigned word = 0; word < tables.words; ++word) {
    if (!holdsAnything(word))
      continue;
    if (unique) {
      classes.push_back({{word}, {}});
      continue;
    }
    Unit first = tables.getWord(0, 0, word).front();
    llvm::SmallVector<unsigned, 1> &similar = classesOf[first];
    auto same = llvm::find_if(similar, [&](unsigned index) {
      return isSameWord(classes[index].words.front(), word);
    });
    if (same != similar.end()) {
      classes[*same].words.push_back(word);
      continue;
    }
    similar.push_back(classes.size());
    classes.push_back({{word}, {}});
  }
  return classes;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

bool Matcher::isWordLane(int64_t lane) const {
  if (shape == AtomShape::S32x32b)
    return lane == 0;
  bool halves = getNativeImage(shape).wordsPerRepeat > 1;
  return lane >= 0 && lane < 32 && lane % (halves ? 8 : 16) == 0;
}

bool Matcher::isStartLane(int64_t lane) const {
  return lane == 0 || (lane == 16 && shape != AtomShape::S32x32b);
}

/// Orders positions by columns, then lanes, and drops repeated ones.
static void sortPositions(llvm::SmallVectorImpl<Cell> &positions) {
  llvm::sort(positions, [](Cell a, Cell b) {
    return std::make_pair(a.column, a.lane) < std::make_pair(b.column, b.lane);
  });
  positions.erase(llvm::unique(positions), positions.end());
}

llvm::SmallVector<Cell, 1> Matcher::findOrigins(unsigned warp, unsigned lane,
                                                unsigned word,
                                                unsigned unit) const {
  // Packed, the units of a word lie in the low halves of two cells.
  unsigned unitsPerCell = tables.unitsPerWord / getNumHalves();
  Cell offset = getLaneOffset(lane, unit / unitsPerCell);
  offset.lane += tables.getSlabLane(warp);
  llvm::SmallVector<Cell, 1> origins;
  Unit held = tables.getWord(warp, lane, word)[unit];
  for (const MemoryPlace &place : tables.findInMemory(held))
    if (place.cell.lane / 32 == tables.getSlabLane(warp) / 32 &&
        place.unit == unit % unitsPerCell)
      origins.push_back(place.cell - offset);
  sortPositions(origins);
  return origins;
}

llvm::SmallVector<Cell, 1>
Matcher::findFirstOrigins(unsigned warp, unsigned lane, unsigned word) const {
  if (auto anchor = findAnchor(tables.getWord(warp, lane, word)))
    return findOrigins(warp, lane, word, *anchor);
  return {};
}

bool Matcher::matches(llvm::ArrayRef<Unit> word, const Unit *cell) const {
  // No early exits: words are short, and this is where planning spends its
  // time. All bits of emptyUnit are set, so a cell is empty when all units are.
  const Unit *held = word.data();
  size_t size = word.size(), half = size / 2;
  Unit difference = 0, low = emptyUnit, high = emptyUnit;
  if (!isPacked()) {
    for (size_t i = 0; i < size; ++i) {
      difference |= held[i] ^ cell[i];
      low &= cell[i];
    }
    return difference == 0 && low != emptyUnit;
  }
  for (size_t i = 0; i < size; ++i) {
    difference |= held[i] ^ cell[i < half ? i : size + i - half];
    low &= cell[i];
    high &= cell[size + i];
  }
  return difference == 0 && low != emptyUnit && high != emptyUnit;
}

/// True when all cells of the word exist, within the slab.
bool Matcher::isInside(Cell position) const {
  int64_t shift =
      alignment.columnsPerWarpgroup * (tables.getNumWarpgroups() - 1);
  return position.lane >= 0 && position.lane + reach.lane < 32 &&
         position.column + std::min<int64_t>(shift, 0) >= 0 &&
         position.column + std::max<int64_t>(shift, 0) + reach.column <
             tables.columns;
}

bool Matcher::fits(unsigned word, Cell position) const {
  budget.spend(1);
  if (!isInside(position))
    return false;
  bool single = tables.unitsPerWord == 1;
  for (unsigned warp = 0; warp < tables.numWarps; ++warp) {
    Cell first = position + Cell{tables.getSlabLane(warp),
                                 alignment.columnsPerWarpgroup * (warp / 4)};
    const Unit *cells = tables.getCell(first).data();
    const Unit *words = tables.getWord(warp, 0, word).data();
    budget.spend(warpSize);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      const Unit *cell = cells + laneUnits[lane];
      const Unit *held = words + lane * tables.threadPitch;
      if (single ? *cell != *held || *held == emptyUnit
                 : !matches({held, tables.unitsPerWord}, cell))
        return false;
    }
  }
  return true;
}

llvm::ArrayRef<Cell> Matcher::findWordOrigins(unsigned word) const {
  auto [entry, isNew] = wordOrigins.try_emplace(word);
  if (isNew) {
    entry->second = findFirstOrigins(0, 0, word);
    budget.spend(entry->second.size());
    llvm::erase_if(entry->second,
                   [&](Cell origin) { return !isWordLane(origin.lane); });
  }
  return entry->second;
}

llvm::SmallVector<Cell, 1> Matcher::findPositions(unsigned word) const {
  llvm::SmallVector<Cell, 1> positions;
  for (Cell position : findWordOrigins(word))
    if (fits(word, position))
      positions.push_back(position);
  return positions;
}

//===----------------------------------------------------------------------===//
// Alignments
//===----------------------------------------------------------------------===//

llvm::SmallVector<Cell, 1> Matcher::findSplits(llvm::ArrayRef<Cell> seconds,
                                               Cell position) const {
  if (!isSplit())
    return {Cell{}};
  if (givenSplit)
    return {*givenSplit};
  llvm::SmallVector<Cell, 1> splits;
  for (Cell second : seconds)
    if (isLegalSplit(second - position, packing))
      splits.push_back(second - position);
  return splits;
}

llvm::SmallVector<int64_t, 1>
Matcher::findColumnsPerWarpgroup(llvm::ArrayRef<Cell> others,
                                 Cell position) const {
  if (tables.getNumWarpgroups() == 1)
    return {0};
  llvm::SmallVector<int64_t, 1> distances;
  for (Cell other : others)
    if (other.lane == position.lane)
      distances.push_back(other.column - position.column);
  return distances;
}

llvm::SmallVector<Alignment, 1> Matcher::findAlignments(unsigned word) const {
  llvm::SmallVector<Alignment, 1> alignments;
  std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
  llvm::SmallVector<Cell, 1> seconds, others;
  if (isSplit() && !givenSplit)
    seconds = findFirstOrigins(0, 16, word);
  if (tables.getNumWarpgroups() > 1)
    others = findFirstOrigins(4, 0, word);
  for (Cell position : findWordOrigins(word)) {
    llvm::SmallVector<Cell, 1> splits = findSplits(seconds, position);
    budget.spend(seconds.size() + others.size());
    for (int64_t distance : findColumnsPerWarpgroup(others, position))
      for (Cell split : splits) {
        budget.spend(1);
        if (budget.isSpent())
          return alignments;
        if (seen.insert({distance, split.lane, split.column}).second)
          alignments.push_back({distance, split});
      }
  }
  return alignments;
}
