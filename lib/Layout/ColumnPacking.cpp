//===- ColumnPacking.cpp - Tiles side by side in columns ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/ColumnPacking.h"
#include "ColumnSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <functional>

using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// First-fit
//===----------------------------------------------------------------------===//

namespace {

/// Columns in use, as `begin` to one past the last.
struct Span {
  unsigned begin, end;
  bool operator<(const Span &other) const { return begin < other.begin; }
};

/// Places items one by one.
class FirstFit {
public:
  explicit FirstFit(const PackingProblem &problem)
      : problem(problem), isPlaced(problem.items.size()) {
    packing.places.resize(problem.items.size());
  }

  void place(unsigned number) {
    const PackingItem &item = problem.items[number];
    PackingPlace &place = packing.places[number];
    place = {findColumn(number, item.lanes), false};
    if (item.mayShift() && place.column > 0) {
      unsigned column = findColumn(number, item.getLanes(true));
      if (column < place.column)
        place = {column, true};
    }
    isPlaced[number] = true;
    packing.columns = std::max(packing.columns, place.column + item.columns);
  }

  ColumnPacking take() { return std::move(packing); }

private:
  unsigned findColumn(unsigned number, LaneGroups lanes) {
    const PackingItem &item = problem.items[number];
    taken.clear();
    for (unsigned other : problem.conflicts[number]) {
      const PackingPlace &place = packing.places[other];
      if (isPlaced[other] &&
          (lanes & problem.items[other].getLanes(place.isShifted)))
        taken.push_back(
            {place.column, place.column + problem.items[other].columns});
    }
    llvm::sort(taken);
    uint64_t column = 0;
    for (const Span &span : taken) {
      if (column + item.columns <= span.begin)
        break;
      column =
          std::max<uint64_t>(column, llvm::alignTo(span.end, item.alignment));
    }
    return column;
  }

  const PackingProblem &problem;
  ColumnPacking packing;
  std::vector<bool> isPlaced;
  std::vector<Span> taken;
};

} // namespace

ColumnPacking mlir::tmem::packFirstFit(const PackingProblem &problem,
                                       llvm::ArrayRef<unsigned> order) {
  FirstFit fit(problem);
  for (unsigned item : order)
    fit.place(item);
  return fit.take();
}

unsigned mlir::tmem::getLeastColumns(llvm::ArrayRef<PackingItem> items) {
  uint64_t least = 0;
  for (unsigned slab = 0; slab < 4; ++slab) {
    uint64_t halves[2] = {0, 0}, either = 0;
    for (const PackingItem &item : items) {
      unsigned lanes = item.lanes >> (2 * slab) & 3;
      if (item.mayShift()) {
        either += lanes ? item.columns : 0;
        continue;
      }
      for (unsigned half : {0, 1})
        halves[half] += lanes >> half & 1 ? item.columns : 0;
    }
    least = std::max({least, halves[0], halves[1],
                      (halves[0] + halves[1] + either + 1) / 2});
  }
  return least;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// The numbers of all items, those with the greater key first.
static std::vector<unsigned>
sortItems(const PackingProblem &problem,
          std::function<uint64_t(unsigned item)> getKey) {
  std::vector<std::pair<uint64_t, unsigned>> keys;
  for (unsigned item = 0; item < problem.items.size(); ++item)
    keys.emplace_back(~getKey(item), item);
  llvm::sort(keys);
  std::vector<unsigned> order;
  for (auto [key, item] : keys)
    order.push_back(item);
  return order;
}

/// The orders that first-fit is tried in.
static std::vector<std::vector<unsigned>>
getOrders(const PackingProblem &problem) {
  const std::vector<PackingItem> &items = problem.items;
  auto getWidth = [&](unsigned item) -> uint64_t {
    return items[item].columns;
  };
  auto getArea = [&](unsigned item) -> uint64_t {
    return getWidth(item) * llvm::popcount(items[item].lanes);
  };
  auto getPressure = [&](unsigned item) {
    uint64_t pressure = getWidth(item);
    for (unsigned other : problem.conflicts[item])
      pressure += getWidth(other);
    return pressure;
  };
  constexpr unsigned bits = 32;
  return {
      sortItems(problem, getWidth),
      sortItems(problem, [](unsigned) { return 0; }),
      sortItems(problem, getArea),
      sortItems(problem, getPressure),
      sortItems(problem,
                [&](unsigned item) {
                  return uint64_t(llvm::popcount(items[item].lanes)) << bits |
                         getWidth(item);
                }),
      sortItems(problem,
                [&](unsigned item) {
                  return uint64_t(items[item].alignment) << bits |
                         getWidth(item);
                }),
      sortItems(problem, [](unsigned item) { return item; }),
  };
}

//===----------------------------------------------------------------------===//
// Groups of items that compete
//===----------------------------------------------------------------------===//

/// The connected parts of the conflicts, items in their order.
static std::vector<std::vector<unsigned>>
getGroups(const PackingProblem &problem) {
  std::vector<std::vector<unsigned>> groups;
  std::vector<bool> seen(problem.items.size());
  for (unsigned first = 0; first < problem.items.size(); ++first) {
    if (seen[first])
      continue;
    std::vector<unsigned> group{first};
    seen[first] = true;
    for (size_t next = 0; next < group.size(); ++next)
      for (unsigned other : problem.conflicts[group[next]])
        if (!seen[other]) {
          seen[other] = true;
          group.push_back(other);
        }
    llvm::sort(group);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The part of a problem that a group is; `numbers` has room for all items.
static PackingProblem extract(const PackingProblem &problem,
                              llvm::ArrayRef<unsigned> group,
                              std::vector<unsigned> &numbers) {
  PackingProblem part;
  for (auto [number, item] : llvm::enumerate(group))
    numbers[item] = number;
  for (unsigned item : group) {
    part.items.push_back(problem.items[item]);
    std::vector<unsigned> &others = part.conflicts.emplace_back();
    for (unsigned other : problem.conflicts[item])
      others.push_back(numbers[other]);
    llvm::sort(others);
  }
  return part;
}

/// What some items that conflict pairwise cannot do without: those around each
/// item, widest first.
static unsigned findLeast(const PackingProblem &problem) {
  auto getWidth = [&](unsigned item) { return problem.items[item].columns; };
  std::vector<unsigned> order = sortItems(problem, getWidth);
  unsigned least = 0;
  for (unsigned seed : order) {
    llvm::SmallVector<unsigned> clique{seed};
    llvm::SmallVector<PackingItem> members{problem.items[seed]};
    for (unsigned other : order)
      if (llvm::all_of(clique, [&](unsigned member) {
            return std::binary_search(problem.conflicts[member].begin(),
                                      problem.conflicts[member].end(), other);
          })) {
        clique.push_back(other);
        members.push_back(problem.items[other]);
      }
    least = std::max(least, getLeastColumns(members));
  }
  return least;
}

static ColumnPacking packGroup(const PackingProblem &problem,
                               unsigned maxSteps) {
  ColumnPacking best;
  bool isFirst = true;
  for (const std::vector<unsigned> &order : getOrders(problem)) {
    ColumnPacking packing = packFirstFit(problem, order);
    if (isFirst || packing.columns < best.columns)
      best = std::move(packing);
    isFirst = false;
  }
  if (problem.items.size() <= maxSearchItems)
    searchPacking(problem, findLeast(problem), maxSteps, best);
  return best;
}

ColumnPacking mlir::tmem::packColumns(const PackingProblem &problem,
                                      unsigned maxSteps) {
  ColumnPacking packing;
  packing.places.resize(problem.items.size());
  packing.isOptimal = true;
  std::vector<unsigned> numbers(problem.items.size());
  // The widest group decides: a group is as good as the best when no narrower
  // one would make a difference.
  unsigned proven = 0;
  for (const std::vector<unsigned> &group : getGroups(problem)) {
    ColumnPacking part = packGroup(extract(problem, group, numbers), maxSteps);
    for (auto [item, place] : llvm::zip_equal(group, part.places))
      packing.places[item] = place;
    packing.columns = std::max(packing.columns, part.columns);
    if (part.isOptimal)
      proven = std::max(proven, part.columns);
  }
  packing.isOptimal = proven == packing.columns;
  return packing;
}
