//===- MeetingOracle.h - One layout for two tiles, by trying ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two small tiles have a common register layout. For each atom of each
// tile the x1 images are laid from the left, which is forced: the leftmost cell
// that is not read yet has to be the first column of an image. Then every order
// of the slots is tried, and every way to split the element index into modes.
// Nothing of lib/Layout is used.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_MEETINGORACLE_H
#define TMEM_TEST_UNIT_LAYOUT_MEETINGORACLE_H

#include "PlannerOracleMaps.h"
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace mlir::tmem::oracle {

/// A tile of elements of 16 or 32 bits.
struct MeetingTile {
  Layout layout;
  unsigned bits = 32;
  int warps = 1; ///< 1: warp 0. 4: a warpgroup.
};

/// The elements of both halves of a register or a cell; -1 for none, and twice
/// the same for one of 32 bits.
using Halves = std::array<int, 2>;
/// A register in every thread.
using Word = std::vector<Halves>;
/// One slot of the vectors of all threads: the element of each.
using Slot = std::vector<int>;

/// All words of a tile as one atom reads them.
struct Reading {
  AtomShape shape;
  bool packed;
  std::set<Word> words;
  int issues = 0; ///< Of the hardware, with the best counts.
};

class TileReader {
public:
  explicit TileReader(const MeetingTile &tile) : tile(tile) {
    for (int e = 0, n = int(countElements(tile.layout)); e < n; ++e) {
      Coordinates place = firstPlace(tile.layout, e);
      int column = int(at(place, Axis::TCol));
      int perCell = 32 / int(tile.bits);
      auto [it, isNew] = cells.try_emplace(
          {int(at(place, Axis::TLane)), column / perCell}, Halves{-1, -1});
      it->second[column % perCell] = e;
      if (tile.bits == 32)
        it->second[1] = e;
      lastColumn = std::max(lastColumn, column / perCell);
    }
  }

  std::vector<Reading> readAll() {
    std::vector<Reading> all;
    for (AtomShape shape :
         {AtomShape::S32x32b, AtomShape::S16x64b, AtomShape::S16x128b,
          AtomShape::S16x256b, AtomShape::S16x32bx2})
      for (bool packed : {false, true})
        if (!packed || tile.bits == 16)
          readWith(shape, packed, all);
    return all;
  }

private:
  struct Start {
    int half, column;
  };

  void readWith(AtomShape shape, bool packed, std::vector<Reading> &all) {
    bool isSplit = shape == AtomShape::S16x32bx2;
    for (int lane : {0, 16})
      for (int column = 0; column <= lastColumn; ++column) {
        if (isSplit ? (lane == 0 && column == 0) || (packed && column % 2)
                    : lane != 0 || column != 0)
          continue;
        if (std::optional<Reading> reading =
                read(shape, packed, {lane, column}))
          all.push_back(*reading);
      }
  }

  std::optional<Reading> read(AtomShape shape, bool packed, Cell split) {
    Reading reading{shape, packed, {}, 0};
    std::map<std::pair<int, int>, Halves> left = cells;
    std::map<int, std::set<int>> columnsOfHalf;
    while (!left.empty()) {
      // Of warp 0: its lanes are the first ones.
      auto leftmost = left.begin();
      for (auto it = left.begin(); it != left.end(); ++it)
        if (it->first.second < leftmost->first.second)
          leftmost = it;
      Start start{has16Rows(shape) ? leftmost->first.first % 32 / 16 : 0,
                  leftmost->first.second};
      // The upper half is the second region's.
      if (split.lane == 16)
        start.half = 0;
      if (!readImage(shape, packed, split, start, left, reading))
        return std::nullopt;
      columnsOfHalf[start.half].insert(start.column);
    }
    int unit = int(columnsPerRepeat(shape)) * (packed ? 2 : 1);
    for (auto &[half, columns] : columnsOfHalf)
      reading.issues += countIssues(columns, unit);
    if (shape == AtomShape::S16x32bx2)
      reading.issues *= 2;
    return reading;
  }

  /// False when the image touches what is not there or has been read.
  bool readImage(AtomShape shape, bool packed, Cell split, Start start,
                 std::map<std::pair<int, int>, Halves> &left,
                 Reading &reading) const {
    for (int r = 0; r < wordsPerRepeat(shape); ++r) {
      Word word;
      for (int thread = 0; thread < 32 * tile.warps; ++thread) {
        Cell cell = image(shape, thread % 32, r);
        int lane = int(cell.lane) + 16 * start.half + thread / 32 * 32;
        int column = int(cell.column) * (packed ? 2 : 1) + start.column;
        if (shape == AtomShape::S16x32bx2 && thread % 32 >= 16) {
          lane += int(split.lane);
          column += int(split.column);
        }
        Halves halves;
        for (int i = 0; i < (packed ? 2 : 1); ++i) {
          auto it = left.find({lane, column + i});
          if (it == left.end() || (packed && it->second[1] >= 0))
            return false;
          halves = packed ? Halves{i ? halves[0] : it->second[0],
                                   i ? it->second[0] : -1}
                          : it->second;
          left.erase(it);
        }
        word.push_back(halves);
      }
      reading.words.insert(word);
    }
    return true;
  }

  /// Runs of images side by side, each of as many instructions as its length
  /// has ones: no run here is longer than the largest count.
  static int countIssues(const std::set<int> &columns, int unit) {
    int issues = 0, run = 0, next = *columns.begin();
    for (int column : columns) {
      if (column != next) {
        issues += __builtin_popcount(run);
        run = 0;
      }
      ++run;
      next = column + unit;
    }
    return issues + __builtin_popcount(run);
  }

  MeetingTile tile;
  std::map<std::pair<int, int>, Halves> cells;
  int lastColumn = 0;
};

/// Whether places are those of modes: tries each length of the last one.
inline bool isExpressible(const std::vector<std::pair<int, int>> &places) {
  int size = int(places.size());
  if (size <= 1)
    return true;
  for (int extent = 2; extent <= size; ++extent) {
    if (size % extent != 0)
      continue;
    int threads = places[1].first - places[0].first;
    int slots = places[1].second - places[0].second;
    if (threads != 0 && slots != 0)
      return false;
    bool fits = true;
    std::vector<std::pair<int, int>> outer;
    for (int i = 0; fits && i < size; ++i) {
      auto [thread, slot] = places[i - i % extent];
      fits = places[i] == std::pair(thread + i % extent * threads,
                                    slot + i % extent * slots);
      if (i % extent == 0)
        outer.push_back(places[i]);
    }
    if (fits && isExpressible(outer))
      return true;
  }
  return false;
}

/// The fewest issues of two tiles with one layout.
struct MeetingAnswer {
  std::optional<int> issues;
  /// As found without 16x32bx2, whose columns can be divided in many ways.
  std::optional<int> issuesOfWholeShapes;
};

class MeetingSearch {
public:
  MeetingSearch(const MeetingTile &first, const MeetingTile &second)
      : tiles{first, second} {}

  MeetingAnswer search() {
    std::vector<Reading> mine = TileReader(tiles[0]).readAll();
    std::vector<Reading> other = TileReader(tiles[1]).readAll();
    MeetingAnswer answer;
    for (const Reading &a : mine)
      for (const Reading &b : other) {
        bool isWhole =
            a.shape != AtomShape::S16x32bx2 && b.shape != AtomShape::S16x32bx2;
        int issues = a.issues + b.issues;
        if (isBetter(issues, answer.issues) ||
            (isWhole && isBetter(issues, answer.issuesOfWholeShapes)))
          tryPair(a, b, isWhole, issues, answer);
      }
    return answer;
  }

private:
  static bool isBetter(int issues, const std::optional<int> &known) {
    return !known || issues < *known;
  }

  static std::set<Slot> getSlots(const Reading &reading, unsigned bits) {
    std::set<Slot> slots;
    for (const Word &word : reading.words)
      for (unsigned half = 0; half < 32 / bits; ++half) {
        Slot slot;
        for (const Halves &halves : word)
          slot.push_back(halves[half]);
        if (slot != Slot(slot.size(), -1))
          slots.insert(slot);
      }
    return slots;
  }

  void tryPair(const Reading &a, const Reading &b, bool isWhole, int issues,
               MeetingAnswer &answer) {
    std::set<Slot> slots = getSlots(a, tiles[0].bits);
    if (slots != getSlots(b, tiles[1].bits))
      return;
    std::vector<Slot> contents(slots.begin(), slots.end());
    size_t count = contents.size();
    // With gaps, as far as the orders can be counted.
    size_t most = count <= 4 ? 2 * count : count;
    for (size_t size = count; size <= most; ++size)
      if (place(a, b, contents, size)) {
        if (isBetter(issues, answer.issues))
          answer.issues = issues;
        if (isWhole && isBetter(issues, answer.issuesOfWholeShapes))
          answer.issuesOfWholeShapes = issues;
        return;
      }
  }

  /// Tries each order of the contents in a vector of `size` slots.
  bool place(const Reading &a, const Reading &b,
             const std::vector<Slot> &contents, size_t size) {
    std::vector<int> order(size, -1);
    std::iota(order.begin() + (size - contents.size()), order.end(), 0);
    do {
      if (isRight(a, tiles[0].bits, contents, order) &&
          isRight(b, tiles[1].bits, contents, order) &&
          isLayout(contents, order))
        return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  /// The vector's words are those of the reading.
  static bool isRight(const Reading &reading, unsigned bits,
                      const std::vector<Slot> &contents,
                      const std::vector<int> &order) {
    size_t perWord = 32 / bits, threads = contents.front().size(), found = 0;
    for (size_t first = 0; first < order.size(); first += perWord) {
      Word word(threads, Halves{-1, -1});
      bool isEmpty = true;
      for (size_t half = 0; half < 2; ++half) {
        size_t slot = first + (bits == 32 ? 0 : half);
        if (slot >= order.size() || order[slot] < 0)
          continue;
        isEmpty = false;
        for (size_t thread = 0; thread < threads; ++thread)
          word[thread][half] = contents[order[slot]][thread];
      }
      if (isEmpty)
        continue;
      if (!reading.words.count(word))
        return false;
      ++found;
    }
    return found == reading.words.size();
  }

  static bool isLayout(const std::vector<Slot> &contents,
                       const std::vector<int> &order) {
    std::map<int, std::pair<int, int>> placeOf;
    for (int slot = 0; slot < int(order.size()); ++slot)
      for (int thread = 0; thread < int(contents.front().size()); ++thread)
        // A slot may be empty in some threads.
        if (order[slot] >= 0 && contents[order[slot]][thread] >= 0)
          placeOf[contents[order[slot]][thread]] = {thread, slot};
    std::vector<std::pair<int, int>> places;
    for (auto &[element, place] : placeOf)
      places.push_back(place);
    return isExpressible(places);
  }

  MeetingTile tiles[2];
};

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_MEETINGORACLE_H
