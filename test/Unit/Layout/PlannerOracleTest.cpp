//===- PlannerOracleTest.cpp - The planner against brute force ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// planTransfer must say what the brute-force oracle says, on legal transfers,
// near misses and random layouts, and its plans must move every bit where the
// layouts want it.
//
//===----------------------------------------------------------------------===//

#include "PlannerOracleMessages.h"
#include "PlannerOracleRandom.h"
#include "PlannerOracleSimulator.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <set>

using namespace mlir::tmem;
using namespace mlir::tmem::oracle;

namespace {

//===----------------------------------------------------------------------===//
// Comparing the planner with the oracle
//===----------------------------------------------------------------------===//

/// What was tried, counted by shape, packing, width, direction and scope.
struct Tally {
  struct Count {
    int legal = 0;
    int illegal = 0;
    int wellFormed = 0; ///< Illegal for the images alone.
  };
  std::map<std::string, Count> counts;
  int total = 0;
  int undecided = 0;
  int failures = 0;

  static std::vector<std::string> topicsOf(const Case &c) {
    static const char *const packings[] = {"no packing", "pack", "unpack"};
    static const char *const scopes[] = {"warp", "warpgroup", "cta"};
    std::string bits = std::to_string(c.bits) + " bits";
    return {toString(Atom{c.atom.shape, {}}),
            packings[unsigned(c.atom.packing)], c.bits < 10 ? " " + bits : bits,
            c.direction == Direction::Load ? "load" : "store",
            scopes[unsigned(c.scope.kind)]};
  }

  void add(const Case &c, const Verdict &verdict) {
    ++total;
    undecided += verdict.undecided;
    for (const std::string &topic : topicsOf(c)) {
      Count &count = counts[topic];
      count.legal += verdict.legal;
      count.illegal += !verdict.legal;
      count.wellFormed += !verdict.legal && verdict.wellFormed;
    }
  }

  void report(const char *title) const {
    std::cout << title << ": " << total << " cases, " << undecided
              << " undecided\n";
    for (const auto &[topic, count] : counts)
      std::cout << "  " << topic << ": " << count.legal << " legal, "
                << count.illegal << " illegal, of these " << count.wellFormed
                << " well formed\n";
  }

  /// Guards against a generator that makes one kind alone.
  void requireAtLeast(int least) const {
    for (const auto &[topic, count] : counts) {
      EXPECT_GE(count.legal, least) << topic;
      EXPECT_GE(count.wellFormed, least) << topic;
    }
    EXPECT_EQ(counts.size(), 18u) << "topics";
    EXPECT_LE(undecided, total / 1000);
  }
};

/// What is wrong with an accepted plan; empty when nothing is.
std::string checkPlan(const Case &c, const TransferPlan &plan,
                      const Verdict &verdict) {
  if (!verdict.legal && !verdict.undecided)
    return std::string("accepted, but ") + verdict.reason;
  std::string wrong = simulate(c, plan);
  if (!wrong.empty())
    return "accepted with a plan that fails: " + wrong;
  size_t found = plan.issues.size(), fewest = verdict.plan.issues.size();
  if (!verdict.undecided && found != fewest)
    return "the plan has " + std::to_string(found) + " issues where " +
           std::to_string(fewest) + " do";
  return "";
}

/// What planTransfer does wrong; empty when nothing is. Planner.h lets it give
/// up on replicas (T8); none of these cases is so hard.
std::string compare(const Case &c, const Verdict &verdict) {
  PlanResult result = planTransfer(c.transfer(), c.atom);
  if (const auto *plan = std::get_if<TransferPlan>(&result))
    return checkPlan(c, *plan, verdict);
  const Violation &violation = std::get<Violation>(result);
  if (verdict.legal)
    return "rejected a legal case (" + getRuleId(violation.rule).str() + ": " +
           violation.message + ")";
  return checkMessage(c, violation);
}

constexpr int maxFailures = 20;

/// Compares one case; `name` is how to find it again.
void check(const Case &c, Tally &tally, const std::string &name) {
  if (tally.failures >= maxFailures)
    return;
  Verdict verdict = decide(c);
  tally.add(c, verdict);
  if (verdict.legal)
    ASSERT_EQ(simulate(c, verdict.plan), "")
        << "the oracle is wrong in " << name << '\n'
        << toString(c);
  std::string wrong = compare(c, verdict);
  if (wrong.empty())
    return;
  ++tally.failures;
  ADD_FAILURE() << name << ": " << wrong << '\n' << toString(c);
}

//===----------------------------------------------------------------------===//
// Writing layouts by hand
//===----------------------------------------------------------------------===//

constexpr Axis tlane = Axis::TLane, tcol = Axis::TCol, tid = Axis::Tid,
               lane = Axis::Lane, reg = Axis::Reg;

Layout layout(std::initializer_list<Mode> modes,
              std::initializer_list<AxisOffset> offsets = {},
              std::initializer_list<Mode> replicas = {}) {
  Layout result;
  result.modes.assign(modes);
  result.offsets.assign(offsets);
  result.replicas.assign(replicas);
  return result;
}

Case makeCase(AtomShape shape, std::initializer_list<unsigned> repeats,
              std::vector<Layout> memory, Layout registers) {
  Case c;
  c.memory = std::move(memory);
  c.registers = std::move(registers);
  c.tileShape = {countElements(c.registers)};
  c.atom.shape = shape;
  c.atom.repeats.assign(repeats);
  c.vectorSize = 128;
  return c;
}

/// The number of issues the oracle needs; 0 when there is no list.
size_t issuesOf(Case c, Direction direction = Direction::Load) {
  c.direction = direction;
  Verdict verdict = decide(c);
  EXPECT_FALSE(verdict.undecided);
  if (!verdict.legal)
    return 0;
  EXPECT_EQ(simulate(c, verdict.plan), "");
  return verdict.plan.issues.size();
}

size_t issuesInWarp(Case c, unsigned warp = 0) {
  c.scope = {ScopeKind::Warp, warp};
  return issuesOf(std::move(c));
}

/// Data path D, and what 32x32b makes of it.
Case pathD(unsigned columns, std::initializer_list<unsigned> repeats) {
  return makeCase(AtomShape::S32x32b, repeats,
                  {layout({{128, 1, tlane}, {columns, 1, tcol}})},
                  layout({{128, 1, tid}, {columns, 1, reg}}));
}

//===----------------------------------------------------------------------===//
// What the oracle itself must know
//===----------------------------------------------------------------------===//

TEST(PlannerOracle, Oracle_ImagesAreBijections) {
  for (AtomShape shape : allShapes)
    for (int repeat : {1, 2, 4}) {
      int words = repeat * wordsPerRepeat(shape);
      int lanes = shape == AtomShape::S16x32bx2 ? 16 : 32;
      std::set<std::pair<int64_t, int64_t>> cells;
      for (int l = 0; l < lanes; ++l)
        for (int r = 0; r < words; ++r) {
          Cell cell = image(shape, l, r);
          EXPECT_LT(cell.lane, has16Rows(shape) ? 16 : 32);
          EXPECT_LT(cell.column, repeat * columnsPerRepeat(shape));
          cells.insert({cell.lane, cell.column});
        }
      EXPECT_EQ(cells.size(), size_t(lanes * words));
    }
}

TEST(PlannerOracle, Oracle_KnownCases_DataPathB) {
  Case c = makeCase(AtomShape::S32x32b, {64},
                    {layout({{64, 1, tlane}, {2, 64, tlane}, {64, 1, tcol}})},
                    layout({{64, 1, tid}, {2, 64, tid}, {64, 1, reg}}));
  EXPECT_EQ(issuesOf(c, Direction::Load), 1u);
  EXPECT_EQ(issuesOf(c, Direction::Store), 1u);
  c.atom.repeats = {32};
  EXPECT_EQ(issuesOf(c), 2u);
  c.atom.repeats = {128};
  EXPECT_EQ(issuesOf(c), 0u);
  c.atom = {AtomShape::S16x64b, {64}, Packing::None};
  EXPECT_EQ(issuesOf(c), 0u);
}

TEST(PlannerOracle, Oracle_KnownCases_WidthsOfNoPowerOfTwo) {
  EXPECT_EQ(issuesOf(pathD(96, {64, 32})), 2u);
  EXPECT_EQ(issuesOf(pathD(96, {32})), 3u);
  EXPECT_EQ(issuesOf(pathD(96, {64})), 0u);
  EXPECT_EQ(issuesOf(pathD(7, {1, 2, 4}), Direction::Store), 3u);
}

TEST(PlannerOracle, Oracle_KnownCases_HalvesOfPathF) {
  // Row i of F is in half s of slab i / 16: no 32x32b, and any half of the
  // slab.
  for (int64_t half : {0, 1}) {
    Case c = makeCase(AtomShape::S16x256b, {1},
                      {layout({{4, 32, tlane},
                               {2, 8, tlane},
                               {8, 1, tlane},
                               {4, 2, tcol},
                               {2, 1, tcol}},
                              {{16 * half, tlane}})},
                      layout({{4, 32, tid},
                              {2, 2, reg},
                              {8, 4, tid},
                              {4, 1, tid},
                              {2, 1, reg}}));
    EXPECT_EQ(issuesOf(c, Direction::Load), 1u);
    EXPECT_EQ(issuesOf(c, Direction::Store), 1u);
    // CuTe takes 16x256b at lane 8.
    c.memory[0].offsets[0].value -= 8;
    EXPECT_EQ(issuesOf(c), 0u);
    c.atom.shape = AtomShape::S32x32b;
    EXPECT_EQ(issuesOf(c), 0u);
  }
}

TEST(PlannerOracle, Oracle_KnownCases_RowOrderOf16x64b) {
  // Even lanes hold rows 0 to 7, odd lanes rows 8 to 15.
  Case c = makeCase(
      AtomShape::S16x64b, {1},
      {layout({{2, 8, tlane}, {8, 1, tlane}, {2, 1, tcol}}, {{64, tlane}})},
      layout({{2, 1, lane}, {8, 4, lane}, {2, 2, lane}}));
  EXPECT_EQ(issuesInWarp(c, 2), 1u);
  EXPECT_EQ(issuesInWarp(c, 0), 0u);
  std::swap(c.registers.modes[0].stride, c.registers.modes[2].stride);
  EXPECT_EQ(issuesInWarp(c, 2), 0u);
}

TEST(PlannerOracle, Oracle_KnownCases_Packing) {
  // One 16-bit element in each cell: packed on load, half-empty words without.
  Case c = makeCase(AtomShape::S32x32b, {4},
                    {layout({{32, 1, tlane}, {8, 2, tcol}})},
                    layout({{32, 1, tid}, {8, 1, reg}}));
  c.bits = 16;
  EXPECT_EQ(issuesInWarp(c), 0u);
  c.atom.packing = Packing::Pack;
  EXPECT_EQ(issuesInWarp(c), 1u);
  c.memory[0].modes[1].stride = 1;
  EXPECT_EQ(issuesInWarp(c), 0u);
  c.atom.packing = Packing::None;
  EXPECT_EQ(issuesInWarp(c), 1u);
  c.memory[0].modes[1].stride = c.registers.modes[1].stride = 2;
  c.atom.repeats = {8};
  EXPECT_EQ(issuesInWarp(c), 1u);
}

TEST(PlannerOracle, Oracle_KnownCases_TwoRegions) {
  Layout region = layout({{16, 1, tlane}, {4, 1, tcol}});
  Layout second = layout({{16, 1, tlane}, {4, 1, tcol}}, {{4, tcol}});
  Layout registers = layout({{2, 16, tid}, {16, 1, tid}, {4, 1, reg}});
  Case c = makeCase(AtomShape::S16x32bx2, {4}, {region, second}, registers);
  EXPECT_EQ(issuesInWarp(c), 1u);
  EXPECT_EQ(decide([&] {
              Case warp = c;
              warp.scope.kind = ScopeKind::Warp;
              return warp;
            }())
                .plan.split,
            (Cell{0, 4}));
  std::swap(c.memory[0], c.memory[1]);
  EXPECT_EQ(issuesInWarp(c), 0u) << "the immediate is never negative";
  // Lanes 16 to 31 16 rows below is what 32x32b does.
  c.memory = {layout({{32, 1, tlane}, {4, 1, tcol}})};
  c.registers = layout({{32, 1, tid}, {4, 1, reg}});
  EXPECT_EQ(issuesInWarp(c), 1u);
  c.atom.shape = AtomShape::S32x32b;
  EXPECT_EQ(issuesInWarp(c), 1u);
}

TEST(PlannerOracle, Oracle_KnownCases_Replicas) {
  // The same columns into two runs of registers; and into two warpgroups.
  Case twice = pathD(4, {4});
  twice.registers.replicas.push_back({2, 4, reg});
  EXPECT_EQ(issuesOf(twice, Direction::Load), 2u);
  EXPECT_EQ(issuesOf(twice, Direction::Store), 1u);
  Case groups = pathD(4, {4});
  groups.registers.replicas.push_back({2, 128, tid});
  groups.scope.kind = ScopeKind::CTA;
  EXPECT_EQ(issuesOf(groups, Direction::Load), 1u);
  EXPECT_EQ(issuesOf(groups, Direction::Store), 0u) << "written twice";
  groups.memory[0].replicas.push_back({2, 8, tcol});
  EXPECT_EQ(issuesOf(groups, Direction::Store), 1u);
}

TEST(PlannerOracle, Oracle_KnownCases_WarpgroupsOfACTA) {
  Case c = makeCase(AtomShape::S32x32b, {8},
                    {layout({{128, 1, tlane}, {2, 8, tcol}, {8, 1, tcol}})},
                    layout({{128, 1, tid}, {2, 128, tid}, {8, 1, reg}}));
  c.scope.kind = ScopeKind::CTA;
  EXPECT_EQ(issuesOf(c, Direction::Load), 1u);
  EXPECT_EQ(issuesOf(c, Direction::Store), 1u);
  EXPECT_EQ(decide(c).plan.columnsPerWarpgroup, 8);
  c.memory[0].modes[1].stride = -8;
  c.memory[0].offsets.push_back({8, tcol});
  EXPECT_EQ(issuesOf(c), 1u);
  EXPECT_EQ(decide(c).plan.columnsPerWarpgroup, -8);
}

TEST(PlannerOracle, Oracle_KnownCases_MalformedTiles) {
  Case c = pathD(4, {4});
  EXPECT_EQ(issuesOf(c), 1u);
  c.memory[0].modes[0].stride = 2;
  EXPECT_EQ(issuesOf(c), 0u) << "lane 254";
  c.memory[0].modes[0].stride = 0;
  EXPECT_EQ(issuesOf(c), 0u) << "all rows in one lane";
  c = pathD(4, {4});
  c.vectorSize = 3;
  EXPECT_EQ(issuesOf(c), 0u);
  c = pathD(4, {3});
  EXPECT_EQ(issuesOf(c), 0u);
}

//===----------------------------------------------------------------------===//
// Random cases
//===----------------------------------------------------------------------===//

/// A number from the environment, to try one seed or many others.
uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

TEST(PlannerOracle, Random) {
  Tally tally;
  uint64_t first = fromEnvironment("TMEM_ORACLE_SEED", 0);
  uint64_t count = fromEnvironment("TMEM_ORACLE_COUNT", 30000);
  for (uint64_t seed = first; seed < first + count; ++seed)
    check(makeRandomCase(seed), tally, "seed " + std::to_string(seed));
  tally.report("random");
  if (count < 30000)
    return;
  tally.requireAtLeast(300);
}

/// Legal by construction: the oracle must agree, or the cases above are not
/// what they are meant to be.
TEST(PlannerOracle, Oracle_TakesWhatIsBuiltLegal) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    Recipe recipe = randomRecipe(random, allShapes[seed % 5]);
    Case c = LegalCase(random, recipe).build();
    Verdict verdict = decide(c);
    EXPECT_TRUE(verdict.legal)
        << "seed " << seed << ": " << verdict.reason << '\n'
        << toString(c);
  }
}

/// Few cases of many words, up to the largest repeats.
TEST(PlannerOracle, RandomLarge) {
  Tally tally;
  for (uint64_t seed = 0; seed < 250; ++seed) {
    Random random(seed + 1000000);
    Recipe recipe = randomRecipe(random, allShapes[seed % 5]);
    recipe.scope.kind = ScopeKind(random.between(0, 1));
    recipe.repeat = 1u << random.between(3, 7);
    while (!isRepeat(recipe.shape, recipe.repeat))
      recipe.repeat /= 2;
    recipe.maxWords = 256;
    Case c = LegalCase(random, recipe).build();
    if (random.oneIn(2))
      Mutator(random, c).mutate();
    check(c, tally, "large seed " + std::to_string(seed));
  }
  tally.report("large");
}

/// Replicas may stand on one another: no two elements share a place.
TEST(PlannerOracle, ReplicasThatCoincide) {
  Tally tally;
  for (int64_t vectorSize : {2, 3, 4})
    for (Direction direction : {Direction::Load, Direction::Store}) {
      Case c =
          makeCase(AtomShape::S32x32b, {1},
                   {layout({{32, 1, tlane}}, {}, {{2, 1, tcol}, {2, 1, tcol}})},
                   layout({{32, 1, tid}}, {}, {{2, 1, reg}, {2, 1, reg}}));
      c.scope.kind = ScopeKind::Warp;
      c.vectorSize = vectorSize;
      c.direction = direction;
      check(c, tally, "coinciding replicas");
    }
  tally.report("coinciding replicas");
}

/// Columns that stand several times in memory, each wanted in several words: a
/// load must choose which copies to read together. Few columns, many ways.
TEST(PlannerOracle, Replicas) {
  Tally tally;
  for (int64_t columns : {3, 5, 7})
    for (int64_t wanted : {2, 4, 6})
      for (int64_t copies : {2, 3})
        for (unsigned repeats = 1; repeats < 8; ++repeats) {
          Case c = makeCase(AtomShape::S32x32b, {},
                            {layout({{32, 1, tlane}, {columns, 1, tcol}}, {},
                                    {{copies, columns, tcol}})},
                            layout({{32, 1, tid}, {columns, 1, reg}}, {},
                                   {{wanted, columns, reg}}));
          for (unsigned bit = 0; bit < 3; ++bit)
            if (repeats >> bit & 1)
              c.atom.repeats.push_back(1u << bit);
          c.scope.kind = ScopeKind::Warp;
          check(c, tally, "replicas");
        }
  tally.report("replicas");
}

//===----------------------------------------------------------------------===//
// Exhaustive cases
//===----------------------------------------------------------------------===//

/// All layouts of `count` modes of powers of two, 2^bits elements in all.
void enumerate(int bits, int count, std::initializer_list<Axis> axes,
               int64_t maxStride, Layout &prefix, std::vector<Layout> &all) {
  if (count == 0 && bits == 0)
    all.push_back(prefix);
  if (count == 0)
    return;
  for (int mine = 1; mine <= bits; ++mine)
    for (Axis axis : axes)
      for (int64_t stride = 1; stride <= maxStride; stride *= 2) {
        prefix.modes.push_back({int64_t(1) << mine, stride, axis});
        enumerate(bits - mine, count - 1, axes, maxStride, prefix, all);
        prefix.modes.pop_back();
      }
}

/// Whether the layout is one-to-one within `lanes` x `columns`.
bool fitsBox(const Layout &layout, Axis laneAxis, Axis columnAxis,
             int64_t lanes, int64_t columns) {
  std::set<std::pair<int64_t, int64_t>> seen;
  bool fits = true;
  forEachPlace(layout, 0, [&](int64_t, const Coordinates &place) {
    int64_t lane = at(place, laneAxis), column = at(place, columnAxis);
    fits &= lane < lanes && column < columns;
    fits &= seen.insert({lane, column}).second;
  });
  return fits;
}

std::vector<Layout> layoutsInBox(int count, Axis laneAxis, Axis columnAxis,
                                 int64_t lanes, int64_t columns) {
  std::vector<Layout> all, fitting;
  Layout prefix;
  enumerate(7, count, {laneAxis, columnAxis}, std::max(lanes, columns) / 2,
            prefix, all);
  llvm::copy_if(all, std::back_inserter(fitting), [&](const Layout &layout) {
    return fitsBox(layout, laneAxis, columnAxis, lanes, columns);
  });
  return fitting;
}

/// 32-bit elements go as they are, 16-bit ones packed.
void checkEveryAtom(const Layout &memory, const Layout &registers,
                    Direction direction, unsigned bits, Tally &tally) {
  Packing packed =
      direction == Direction::Load ? Packing::Pack : Packing::Unpack;
  for (AtomShape shape : allShapes)
    for (unsigned repeat : {1, 2, 4}) {
      Case c = makeCase(shape, {repeat}, {memory}, registers);
      c.scope.kind = ScopeKind::Warp;
      c.vectorSize = 16;
      c.tileShape = {32, 4};
      c.direction = direction;
      c.bits = bits;
      c.atom.packing = bits == 16 ? packed : Packing::None;
      check(c, tally, "exhaustive");
    }
}

/// Every tile of 128 elements over two modes in 32 lanes x 16 columns.
TEST(PlannerOracle, ExhaustiveTwoModes) {
  Tally tally;
  std::vector<Layout> registers = layoutsInBox(2, tid, reg, 32, 16);
  for (const Layout &memory : layoutsInBox(2, tlane, tcol, 32, 16))
    for (const Layout &fragment : registers)
      for (Direction direction : {Direction::Load, Direction::Store})
        checkEveryAtom(memory, fragment, direction, 32, tally);
  tally.report("two modes");
}

/// Every dense tile of 128 elements over three modes, 32 x 4 and 16 x 8; and
/// the same with 16-bit elements that fill half of their cells.
TEST(PlannerOracle, ExhaustiveThreeModes) {
  Tally tally;
  std::vector<Layout> registers = layoutsInBox(3, tid, reg, 32, 4);
  for (int64_t lanes : {16, 32})
    for (Layout memory : layoutsInBox(3, tlane, tcol, lanes, 128 / lanes)) {
      for (const Layout &fragment : registers)
        checkEveryAtom(memory, fragment, Direction::Load, 32, tally);
      for (Mode &mode : memory.modes)
        mode.stride *= mode.axis == tcol ? 2 : 1;
      for (const Layout &fragment : registers)
        checkEveryAtom(memory, fragment, Direction::Store, 16, tally);
    }
  tally.report("three modes");
}

//===----------------------------------------------------------------------===//
// Mixed repeats
//===----------------------------------------------------------------------===//

/// The tile of `count` x1 images side by side, in the order of the registers.
Case runOfImages(AtomShape shape, int64_t count) {
  Layout memory, registers;
  int64_t words = wordsPerRepeat(shape);
  auto add = [&](int64_t extent, Cell cell, int64_t thread, int64_t word) {
    memory.modes.push_back({extent, cell.lane ? cell.lane : cell.column,
                            cell.lane ? tlane : tcol});
    registers.modes.push_back(
        {extent, thread ? thread : word, thread ? tid : reg});
  };
  add(count, {0, columnsPerRepeat(shape)}, 0, words);
  for (int bit = 1; bit < words; bit *= 2)
    add(2, image(shape, 0, bit), 0, bit);
  for (int bit = 1; bit < 16; bit *= 2)
    add(2, image(shape, bit, 0), bit, 0);
  bool twoRegions = shape == AtomShape::S16x32bx2;
  add(2, twoRegions ? Cell{16, 0} : image(shape, 16, 0), 16, 0);
  Case c = makeCase(shape, {}, {memory}, registers);
  c.scope.kind = ScopeKind::Warp;
  return c;
}

/// The fewest issues, for every shape, width and set of repeats; check()
/// compares their number.
TEST(PlannerOracle, MixedRepeats) {
  Tally tally;
  for (AtomShape shape : allShapes)
    for (unsigned count = 1; count <= 24; ++count)
      for (unsigned repeats = 1; repeats < 32; ++repeats) {
        Case c = runOfImages(shape, count);
        for (unsigned bit = 0; bit < 5; ++bit)
          if (repeats >> bit & 1)
            c.atom.repeats.push_back(1u << bit);
        c.direction = Direction(count % 2);
        check(c, tally, "mixed");
      }
  tally.report("mixed repeats");
}

} // namespace
