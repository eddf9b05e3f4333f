//===- ColumnSearch.cpp - The fewest columns, by search -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every packing can be tightened: take its items from left to right, and move
// each to the first place that those before it leave. No item moves right, and
// once nothing moves any more the items stand where first-fit puts them in the
// order of their columns. So it is enough to try orders in which first-fit
// never goes back to the left, and among these only what can still beat the
// best.
//
//===----------------------------------------------------------------------===//

#include "ColumnSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace mlir::tmem;

namespace {

/// An item at its next place.
struct Candidate {
  unsigned column, width, item;
  bool isShifted;

  bool operator<(const Candidate &other) const {
    return std::make_tuple(column, ~width, item, isShifted) <
           std::make_tuple(other.column, ~other.width, other.item,
                           other.isShifted);
  }
};

class Search {
public:
  Search(const PackingProblem &problem, unsigned least, unsigned maxSteps,
         ColumnPacking &best)
      : problem(problem), least(least), stepsLeft(maxSteps), best(best),
        neighbours(problem.items.size()), places(problem.items.size()) {
    for (auto [item, others] : llvm::enumerate(problem.conflicts))
      for (unsigned other : others)
        neighbours[item] |= uint64_t(1) << other;
    findTwins();
  }

  void run() {
    extend(0, 0);
    best.isOptimal |= best.columns <= least || stepsLeft != 0;
  }

private:
  /// Items that can stand for each other come in the order of their numbers.
  void findTwins() {
    unsigned count = problem.items.size();
    twinBefore.assign(count, count);
    for (unsigned b = 0; b < count; ++b)
      for (unsigned a = 0; a < b; ++a)
        if (areTwins(a, b))
          twinBefore[b] = a;
  }

  bool areTwins(unsigned a, unsigned b) const {
    const PackingItem &x = problem.items[a], &y = problem.items[b];
    uint64_t both = uint64_t(1) << a | uint64_t(1) << b;
    return x.columns == y.columns && x.alignment == y.alignment &&
           x.lanes == y.lanes &&
           (neighbours[a] & ~both) == (neighbours[b] & ~both);
  }

  bool isPlaced(unsigned item) const { return placed >> item & 1; }

  /// The first column from `begin` on that is free for an item. Those placed
  /// stand in the order of their columns.
  unsigned findColumn(unsigned item, bool isShifted, unsigned begin) const {
    const PackingItem &wanted = problem.items[item];
    LaneGroups lanes = wanted.getLanes(isShifted);
    uint64_t column = llvm::alignTo(begin, wanted.alignment);
    for (unsigned other : order) {
      if (!(neighbours[item] >> other & 1) ||
          !(lanes & problem.items[other].getLanes(places[other].isShifted)))
        continue;
      if (column + wanted.columns <= places[other].column)
        break;
      uint64_t end = places[other].column + problem.items[other].columns;
      column = std::max(column, llvm::alignTo(end, wanted.alignment));
    }
    return column;
  }

  /// Adds the ways in which an item can come next. False when it could only
  /// have come earlier, or can only end too far right.
  bool addCandidates(unsigned item, unsigned begin, unsigned last,
                     llvm::SmallVectorImpl<Candidate> &candidates) {
    unsigned width = problem.items[item].columns;
    bool isPossible = false;
    bool waits =
        twinBefore[item] < problem.items.size() && !isPlaced(twinBefore[item]);
    for (bool isShifted : {false, true}) {
      if (isShifted && !problem.items[item].mayShift())
        continue;
      unsigned column = findColumn(item, isShifted, 0);
      // What fits left of everything that is still to come was to come earlier.
      if (column + width <= begin ||
          findColumn(item, isShifted, begin) + width >= best.columns)
        continue;
      isPossible = true;
      bool isInOrder =
          column > begin || (column == begin && (order.empty() || item > last));
      if (isInOrder && !waits && column + width < best.columns)
        candidates.push_back({column, width, item, isShifted});
    }
    return isPossible;
  }

  /// Places all that is left, at `begin` or to the right of it.
  void extend(unsigned begin, unsigned last) {
    unsigned count = problem.items.size();
    if (order.size() == count)
      return keep();
    llvm::SmallVector<Candidate, 16> candidates;
    for (unsigned item = 0; item < count; ++item)
      if (!isPlaced(item) && !addCandidates(item, begin, last, candidates))
        return;
    llvm::sort(candidates);
    for (const Candidate &candidate : candidates) {
      if (stepsLeft == 0 || best.columns <= least)
        return;
      if (candidate.column + candidate.width >= best.columns)
        continue;
      --stepsLeft;
      places[candidate.item] = {candidate.column, candidate.isShifted};
      order.push_back(candidate.item);
      placed |= uint64_t(1) << candidate.item;
      extend(candidate.column, candidate.item);
      placed &= ~(uint64_t(1) << candidate.item);
      order.pop_back();
    }
  }

  /// Whatever is complete is better than the best: the others were cut off.
  void keep() {
    best.places = places;
    best.columns = 0;
    for (auto [item, place] : llvm::zip_equal(problem.items, places))
      best.columns = std::max(best.columns, place.column + item.columns);
  }

  const PackingProblem &problem;
  unsigned least, stepsLeft;
  ColumnPacking &best;
  std::vector<uint64_t> neighbours;
  std::vector<unsigned> twinBefore;
  std::vector<PackingPlace> places;
  llvm::SmallVector<unsigned, maxSearchItems> order;
  uint64_t placed = 0;
};

} // namespace

void mlir::tmem::searchPacking(const PackingProblem &problem, unsigned least,
                               unsigned maxSteps, ColumnPacking &best) {
  Search(problem, least, maxSteps, best).run();
}
