//===- SelectionSearch.h - Every atom of a transfer, by trying --*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search of PlannerOracle.h for many atoms of one transfer: what stands
// where is written down once. Every placement of every instruction is held
// against the maps, then an exact cover of the destinations is sought.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_SELECTIONSEARCH_H
#define TMEM_TEST_UNIT_LAYOUT_SELECTIONSEARCH_H

#include "PlannerOracle.h"

namespace mlir::tmem::oracle {

/// What there is to know of one atom.
struct Answer {
  bool legal = false;
  bool undecided = false;
  size_t fewest = 0; ///< Issues, where it is legal.
};

class AtomSearch {
public:
  explicit AtomSearch(const Case &c) : c(c), fault(buildMaps(c, maps)) {
    if (fault)
      return;
    groupWords();
    for (bool packed : {false, true})
      for (int64_t lane = 0; lane < 4 * lanesPerWarp; ++lane)
        for (int64_t column = 0; column < maps.columns; ++column)
          contents[packed].push_back(contentOf(lane, column, packed));
    countWanted();
  }

  /// Only the images can be in the way of an atom.
  bool isWellFormed() const { return !fault; }

  Answer search(AtomShape atomShape, bool isPacked,
                const std::vector<unsigned> &repeats) {
    Answer answer;
    if (fault || (c.memory.size() == 2 && atomShape != AtomShape::S16x32bx2) ||
        (isPacked && c.bits > 16))
      return answer;
    shape = atomShape;
    packed = isPacked;
    for (Cell candidate : getSplits()) {
      split = candidate;
      step = 0;
      std::vector<Placement> starts = getPlacements(repeats);
      for (int64_t candidateStep : getSteps()) {
        step = candidateStep;
        if (!starts.empty())
          cover(starts, answer);
      }
    }
    return answer;
  }

private:
  bool isStore() const { return c.direction == Direction::Store; }
  int numThreads() const { return int(maps.warps * lanesPerWarp); }

  /// Numbers the contents of words, and puts words that agree in all threads
  /// into one class.
  void groupWords() {
    std::map<std::vector<int>, int> classOf;
    for (int64_t k = 0; k < maps.words; ++k) {
      std::vector<int> signature;
      for (int thread = 0; thread < numThreads(); ++thread)
        signature.push_back(numberOf(maps.word(thread, k)));
      if (llvm::all_of(signature, [](int number) { return number < 0; }))
        continue;
      auto [it, isNew] = classOf.try_emplace(signature, int(classes.size()));
      if (isNew)
        classes.push_back({signature, 0});
      ++classes[it->second].words;
    }
    for (size_t i = 0; i < classes.size(); ++i)
      classesByFirst[classes[i].signature.front()].push_back(int(i));
  }

  int numberOf(const Bits &bits) {
    return isEmpty(bits)
               ? -1
               : numbers.try_emplace(bits, int(numbers.size())).first->second;
  }

  /// The number of the word that an access moves; -2 where there is none, or
  /// none that it may move.
  int contentOf(int64_t lane, int64_t column, bool packed) const {
    Bits word = maps.cell(lane, column);
    if (isEmpty(word))
      return -2;
    if (packed) {
      if (column + 1 == maps.columns)
        return -2;
      const Bits &next = maps.cell(lane, column + 1);
      if (isEmpty(next) ||
          (isStore() && !(isHighHalfEmpty(word) && isHighHalfEmpty(next))))
        return -2;
      std::copy(next.begin(), next.begin() + 4, word.begin() + 4);
    }
    // Packed cells may be empty in their low halves, but no word is.
    auto it = numbers.find(word);
    return it == numbers.end() ? (isEmpty(word) ? -1 : -2) : it->second;
  }

  void countWanted() {
    if (!isStore()) {
      for (const WordClass &wordClass : classes)
        wanted.push_back(uint8_t(wordClass.words));
      return;
    }
    for (const Bits &cell : maps.memory) {
      destinationOf.push_back(isEmpty(cell) ? -1 : int(wanted.size()));
      if (!isEmpty(cell))
        wanted.push_back(1);
    }
  }

  std::vector<Cell> getSplits() const {
    if (shape != AtomShape::S16x32bx2)
      return {{0, 0}};
    std::vector<Cell> all;
    for (int64_t lane : {0, 16})
      for (int64_t column = 0; column < std::min<int64_t>(maps.columns, 512);
           column += packed ? 2 : 1)
        if (lane || column)
          all.push_back({lane, column});
    return all;
  }

  std::vector<int64_t> getSteps() const {
    std::vector<int64_t> all{0};
    for (int64_t column = 1; maps.warps > 4 && column < maps.columns; ++column)
      all.insert(all.end(), {column, -column});
    return all;
  }

  Cell locate(const Issue &issue, int thread, int r) const {
    int warp = thread / lanesPerWarp, lane = thread % lanesPerWarp;
    Cell cell = image(shape, lane, r);
    cell.column = cell.column * (packed ? 2 : 1) + issue.column;
    cell.column += step * (warp / 4);
    cell.lane += maps.slabLane(warp) + 16 * issue.half;
    bool isSecond = shape == AtomShape::S16x32bx2 && lane >= 16;
    return isSecond ? cell + split : cell;
  }

  int contentAt(Cell cell) const {
    if (cell.column < 0 || cell.column >= maps.columns)
      return -2;
    return contents[packed][cell.lane * maps.columns + cell.column];
  }

  /// Finds the class of each word of an issue, in the first `threads` threads.
  bool match(Placement &placement, int threads) const {
    int words = int(placement.issue.repeat) * wordsPerRepeat(shape);
    placement.classOfWord.clear();
    for (int r = 0; r < words; ++r) {
      auto it = classesByFirst.find(contentAt(locate(placement.issue, 0, r)));
      if (it == classesByFirst.end())
        return false;
      auto found = llvm::find_if(it->second, [&](int candidate) {
        for (int thread = 0; thread < threads; ++thread)
          if (contentAt(locate(placement.issue, thread, r)) !=
              classes[candidate].signature[thread])
            return false;
        return true;
      });
      if (found == it->second.end())
        return false;
      placement.classOfWord.push_back(*found);
    }
    return true;
  }

  /// Every issue that is right for the first four warps.
  std::vector<Placement>
  getPlacements(const std::vector<unsigned> &repeats) const {
    std::vector<Placement> all;
    for (unsigned half = 0; half < (has16Rows(shape) ? 2 : 1); ++half)
      for (int64_t column = 0; column < maps.columns; ++column)
        for (unsigned repeat : repeats) {
          if (half && split.lane)
            continue; // The second region would leave the slab.
          Placement placement{{half, column, repeat, {}}, {}, {}};
          if (match(placement, std::min(128, numThreads())))
            all.push_back(std::move(placement));
        }
    return all;
  }

  void countFills(Placement &placement) const {
    std::map<int, int> times;
    for (int r = 0; r < int(placement.classOfWord.size()); ++r) {
      if (!isStore()) {
        ++times[placement.classOfWord[r]];
        continue;
      }
      for (int thread = 0; thread < numThreads(); ++thread) {
        Cell cell = locate(placement.issue, thread, r);
        int64_t index = cell.lane * maps.columns + cell.column;
        for (int half = 0; half < (packed ? 2 : 1); ++half)
          ++times[destinationOf[index + half]];
      }
    }
    placement.fills.assign(times.begin(), times.end());
  }

  void cover(const std::vector<Placement> &starts, Answer &answer) const {
    std::vector<Placement> placements;
    for (const Placement &start : starts) {
      placements.push_back(start);
      if (match(placements.back(), numThreads()))
        countFills(placements.back());
      else
        placements.pop_back();
    }
    Cover search(wanted, placements, false);
    int count = placements.empty() ? Cover::none : search.solve();
    answer.undecided |= search.ranOut();
    if (count >= Cover::none ||
        (answer.legal && size_t(count) >= answer.fewest))
      return;
    answer.legal = true;
    answer.fewest = count;
  }

  struct WordClass {
    std::vector<int> signature; ///< By thread.
    int words;
  };
  const Case &c;
  Maps maps;
  const char *fault;
  std::unordered_map<Bits, int, BitsHash> numbers;
  std::vector<WordClass> classes;
  std::unordered_map<int, std::vector<int>> classesByFirst;
  std::vector<int> contents[2]; ///< Without and with packing.
  std::vector<uint8_t> wanted;
  std::vector<int> destinationOf; ///< [lane][column]
  AtomShape shape = AtomShape::S32x32b;
  bool packed = false;
  Cell split;
  int64_t step = 0;
};

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_SELECTIONSEARCH_H
