//===- ColumnPackingTest.cpp - Tiles side by side in columns --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The oracle shares nothing with the packer: it tries every column for every
// item, for one number of columns after the other.

#include "tmem/Layout/ColumnPacking.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir::tmem;

namespace {

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

void addConflict(PackingProblem &problem, unsigned a, unsigned b) {
  problem.conflicts[a].push_back(b);
  problem.conflicts[b].push_back(a);
}

PackingProblem makeClique(std::vector<PackingItem> items) {
  PackingProblem problem;
  problem.items = std::move(items);
  problem.conflicts.resize(problem.items.size());
  for (unsigned a = 0; a < problem.items.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      addConflict(problem, a, b);
  return problem;
}

unsigned pick(std::mt19937 &random, std::initializer_list<unsigned> values) {
  return values.begin()[random() % values.size()];
}

PackingItem makeItem(std::mt19937 &random) {
  PackingItem item;
  item.columns = 1 + random() % 5;
  item.alignment = pick(random, {1, 1, 1, 2, 4});
  item.lanes = pick(random, {0xff, 0xff, 0x55, 0x55, 0xaa, 0x03, 0x0c, 0x01});
  return item;
}

/// Conflicts of lifetimes, or any.
PackingProblem makeProblem(std::mt19937 &random, unsigned count) {
  PackingProblem problem;
  problem.conflicts.resize(count);
  bool hasTimes = random() % 2;
  unsigned density = 3 + random() % 7;
  std::vector<std::pair<unsigned, unsigned>> times;
  for (unsigned a = 0; a < count; ++a) {
    problem.items.push_back(makeItem(random));
    unsigned first = random() % 12;
    times.emplace_back(first, first + random() % 8);
    for (unsigned b = 0; b < a; ++b)
      if (hasTimes ? times[a].first <= times[b].second &&
                         times[b].first <= times[a].second
                   : random() % 10 < density)
        addConflict(problem, a, b);
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// Oracle
//===----------------------------------------------------------------------===//

bool conflict(const PackingProblem &problem, unsigned a, unsigned b) {
  return std::count(problem.conflicts[a].begin(), problem.conflicts[a].end(),
                    b) > 0;
}

/// Whether two places have a cell in common, cell by cell.
bool overlap(const PackingProblem &problem, unsigned a, PackingPlace atA,
             unsigned b, PackingPlace atB) {
  for (unsigned group = 0; group < 8; ++group) {
    auto isIn = [&](unsigned item, PackingPlace place) {
      return (problem.items[item].lanes << (place.isShifted ? 1 : 0)) >> group &
             1;
    };
    if (!isIn(a, atA) || !isIn(b, atB))
      continue;
    for (unsigned column = 0; column < problem.items[a].columns; ++column)
      if (atA.column + column >= atB.column &&
          atA.column + column < atB.column + problem.items[b].columns)
        return true;
  }
  return false;
}

void expectLegal(const PackingProblem &problem, const ColumnPacking &packing) {
  ASSERT_EQ(packing.places.size(), problem.items.size());
  unsigned end = 0;
  for (unsigned a = 0; a < problem.items.size(); ++a) {
    const PackingPlace &place = packing.places[a];
    EXPECT_EQ(place.column % problem.items[a].alignment, 0u);
    EXPECT_TRUE(!place.isShifted || (problem.items[a].lanes & 0xaa) == 0);
    end = std::max(end, place.column + problem.items[a].columns);
    for (unsigned b = 0; b < a; ++b)
      if (conflict(problem, a, b))
        EXPECT_FALSE(overlap(problem, a, place, b, packing.places[b]));
  }
  EXPECT_EQ(packing.columns, end);
}

/// Places item `next` and all after it within `columns`, in every way.
bool canPlace(const PackingProblem &problem, unsigned columns, unsigned next,
              std::vector<PackingPlace> &places) {
  if (next == problem.items.size())
    return true;
  const PackingItem &item = problem.items[next];
  for (unsigned column = 0; column + item.columns <= columns;
       column += item.alignment)
    for (bool isShifted : {false, true}) {
      if (isShifted && (item.lanes & 0xaa))
        continue;
      PackingPlace place{column, isShifted};
      bool isFree = true;
      for (unsigned other = 0; other < next && isFree; ++other)
        isFree = !conflict(problem, next, other) ||
                 !overlap(problem, next, place, other, places[other]);
      if (!isFree)
        continue;
      places[next] = place;
      if (canPlace(problem, columns, next + 1, places))
        return true;
    }
  return false;
}

unsigned findOptimum(const PackingProblem &problem) {
  std::vector<PackingPlace> places(problem.items.size());
  unsigned columns = 0;
  while (!canPlace(problem, columns, 0, places))
    ++columns;
  return columns;
}

ColumnPacking packInOrder(const PackingProblem &problem) {
  std::vector<unsigned> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  return packFirstFit(problem, order);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

TEST(ColumnPacking, NothingTakesNothing) {
  EXPECT_EQ(packColumns({}).columns, 0u);
  EXPECT_TRUE(packColumns({}).isOptimal);
}

TEST(ColumnPacking, OneWideTileThenThreeScales) {
  PackingProblem problem = makeClique({{4, 4}, {4, 4}, {384, 1}, {4, 4}});
  ColumnPacking packing = packColumns(problem);
  EXPECT_EQ(packing.columns, 396u);
  EXPECT_EQ(packing.places[2].column, 0u);
  EXPECT_EQ(packing.places[0].column, 384u);
  EXPECT_EQ(packing.places[1].column, 388u);
  EXPECT_EQ(packing.places[3].column, 392u);
}

TEST(ColumnPacking, HalvesOfSlabsAreStacked) {
  PackingProblem problem = makeClique({{32, 1, 0x55}, {32, 1, 0x55}});
  ColumnPacking packing = packColumns(problem);
  expectLegal(problem, packing);
  EXPECT_EQ(packing.columns, 32u);
  EXPECT_NE(packing.places[0].isShifted, packing.places[1].isShifted);
}

TEST(ColumnPacking, FirstFitNeedNotBeBest) {
  // Chain 2 - 3 - 3 - 2 in this order: the inner two last do not fit in 5.
  PackingProblem problem;
  problem.items = {{2}, {2}, {3}, {3}};
  problem.conflicts.resize(4);
  addConflict(problem, 0, 2);
  addConflict(problem, 2, 3);
  addConflict(problem, 3, 1);
  EXPECT_GT(packInOrder(problem).columns, 6u);
  EXPECT_EQ(packColumns(problem).columns, 6u);
  EXPECT_EQ(findOptimum(problem), 6u);
}

TEST(ColumnPacking, RandomProblemsAreOptimal) {
  std::mt19937 random(1);
  unsigned optimal = 0, firstFitOptimal = 0, proven = 0;
  constexpr unsigned count = 1000;
  for (unsigned i = 0; i < count; ++i) {
    PackingProblem problem = makeProblem(random, 1 + random() % 8);
    ColumnPacking packing = packColumns(problem);
    expectLegal(problem, packing);
    unsigned optimum = findOptimum(problem),
             inOrder = packInOrder(problem).columns;
    EXPECT_GE(packing.columns, optimum);
    EXPECT_LE(packing.columns, inOrder);
    EXPECT_TRUE(!packing.isOptimal || packing.columns == optimum);
    optimal += packing.columns == optimum;
    proven += packing.isOptimal;
    firstFitOptimal += inOrder == optimum;
  }
  std::printf("of %u problems optimal: %u, proven: %u; first-fit: %u\n", count,
              optimal, proven, firstFitOptimal);
  EXPECT_EQ(optimal, count);
  EXPECT_GE(proven * 100, count * 99);
}

TEST(ColumnPacking, LargeProblemsAreLegalAndNoWorseThanFirstFit) {
  std::mt19937 random(2);
  unsigned better = 0;
  for (unsigned i = 0; i < 40; ++i) {
    PackingProblem problem = makeProblem(random, 9 + random() % 120);
    ColumnPacking packing = packColumns(problem, /*maxSteps=*/2000);
    expectLegal(problem, packing);
    unsigned inOrder = packInOrder(problem).columns;
    EXPECT_LE(packing.columns, inOrder);
    better += packing.columns < inOrder;
  }
  EXPECT_GT(better, 0u);
}

TEST(ColumnPacking, LeastColumnsCountTheBusiestSlab) {
  EXPECT_EQ(getLeastColumns({{8, 1, 0xff}, {5, 1, 0x55}, {6, 1, 0x55}}), 14u);
  EXPECT_EQ(getLeastColumns({{8, 1, 0xaa}, {5, 1, 0x55}}), 8u);
  EXPECT_EQ(getLeastColumns({{8, 1, 0x03}, {5, 1, 0x0c}}), 8u);
}

} // namespace
