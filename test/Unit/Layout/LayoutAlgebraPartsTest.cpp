//===- LayoutAlgebraPartsTest.cpp - Parts, footprints, dimensions ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTestUtils.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

//===----------------------------------------------------------------------===//
// Restriction
//===----------------------------------------------------------------------===//

std::string printPart(const std::optional<Restriction> &part,
                      const std::string &reason) {
  if (!part)
    return reason;
  std::string text;
  llvm::raw_string_ostream os(text);
  part->elements.print(os);
  os << " at ";
  part->layout.print(os);
  return text;
}

TEST(LayoutParts, RestrictExamples) {
  std::string reason;
  auto warp = [&](llvm::StringRef text, int64_t number) {
    return printPart(restrictToWarp(parseLayout(text), number, &reason),
                     reason);
  };
  auto warpgroup = [&](llvm::StringRef text, int64_t number) {
    return printPart(restrictToWarpgroup(parseLayout(text), number, &reason),
                     reason);
  };
  auto lanes = [&](llvm::StringRef text, int64_t low, int64_t high) {
    return printPart(restrictToLanes(parseLayout(text), low, high, &reason),
                     reason);
  };
  llvm::StringRef b = "(64, 2, 64) : (1@tid, 64@tid, 1@reg)";
  EXPECT_EQ(warp(b, 3), "(32, 64) : (128, 1) + 4160 at "
                        "(32, 64) : (1@lane, 1@reg)");
  EXPECT_EQ(warp("(4, 32, 8) : (1@warp, 1@lane, 1@reg)", 2),
            "(256) : (1) + 512 at (32, 8) : (1@lane, 1@reg)");
  EXPECT_EQ(warp(b, 4), "expected an element in the range, but got none");
  EXPECT_EQ(warp(b, -1), "expected the number of a warp, but got -1");
  EXPECT_EQ(warp("(2) : (1@tlane)", 0),
            "expected a register layout, but got the axes of a memory layout");
  EXPECT_EQ(warpgroup("(256, 8) : (1@tid, 1@reg)", 1),
            "(1024) : (1) + 1024 at (128, 8) : (1@tid, 1@reg)");
  EXPECT_EQ(warpgroup("(8, 32, 8) : (1@warp, 1@lane, 1@reg)", 1),
            "(1024) : (1) + 1024 at (4, 32, 8) : (1@warp, 1@lane, 1@reg)");
  EXPECT_EQ(warpgroup(b, INT64_MAX),
            "expected the number of a warpgroup, but got 9223372036854775807");
  EXPECT_EQ(lanes("(128, 64) : (1@tlane, 1@tcol)", 48, 64),
            "(1024) : (1) + 3072 at (16, 64) : (1@tlane, 1@tcol) + (48@tlane)");
  // One replica of four.
  EXPECT_EQ(lanes("(32, 8) : (1@tlane, 1@tcol) * (4 : 32@tlane)", 64, 96),
            "(256) : (1) at (32, 8) : (1@tlane, 1@tcol) + (64@tlane)");
  // Lanes 4 to 11 are half of each of two digits: no intervals, but a layout.
  EXPECT_EQ(lanes("(8, 2, 2) : (1@tcol, 8@tlane, 4@tlane)", 4, 12),
            "(8, 2) : (4, 1) + 1 at (8, 2) : (1@tcol, 4@tlane) + (4@tlane)");
  EXPECT_EQ(lanes("(2, 8) : (8@tlane, 1@tlane)", 3, 11),
            "(8) : (1) + 3 at (8) : (1@tlane) + (3@tlane)");
  EXPECT_EQ(lanes("(2, 8) : (1@tcol, 1@tlane) * (2 : 8@tlane)", 3, 11),
            "expected a range with the same replicas of every element");
  // Nothing is walked.
  EXPECT_EQ(lanes("(1048576, 2047) : (1@tlane, 2147483647@tcol)", 7, 9),
            "(4094) : (1) + 14329 at (2, 2047) : (1@tlane, 2147483647@tcol) + "
            "(7@tlane)");
  EXPECT_EQ(lanes("(1048576, 2) : (2@tlane, 1@tlane)", INT64_MIN, INT64_MAX),
            "(2097152) : (1) at (2097152) : (1@tlane)");
}

bool contains(const Places &places, llvm::function_ref<bool(Coordinates)> fn) {
  return llvm::any_of(places, fn);
}

/// Compares with the elements and places for which `fn` holds. `complete` asks
/// for a part wherever there is one.
void checkPart(const Layout &layout, llvm::ArrayRef<Places> places,
               const std::optional<Restriction> &part, bool complete,
               llvm::function_ref<bool(Coordinates)> fn) {
  std::vector<Places> elements, parts;
  for (size_t e = 0; e < places.size(); ++e) {
    if (!contains(places[e], fn))
      continue;
    elements.push_back({Coordinates{int64_t(e)}});
    Places &kept = parts.emplace_back();
    for (const Coordinates &place : places[e])
      if (fn(place))
        kept.insert(place);
  }
  if (!part) {
    EXPECT_TRUE(!complete || elements.empty() || !isSomeLayout(elements) ||
                !isSomeLayout(parts))
        << print(layout);
    return;
  }
  ASSERT_EQ(part->elements.getNumIndices(), int64_t(elements.size()))
      << print(layout);
  for (size_t i = 0; i < elements.size(); ++i)
    EXPECT_EQ(part->elements.apply(i), (*elements[i].begin())[0])
        << print(layout);
  EXPECT_EQ(enumerate(part->layout), parts) << print(layout);
}

TEST(LayoutParts, RestrictToRangeIsExact) {
  LayoutGenerator generator(21);
  int numSome = 0, numReplicas = 0;
  for (int i = 0; i < 30000; ++i) {
    Layout layout = generator.get(48);
    Axis axis = layout.modes[generator.pick(0, layout.modes.size() - 1)].axis;
    int64_t low = generator.pick(-4, 20), high = low + generator.pick(0, 20);
    auto part = restrictToRange(layout, axis, low, high);
    bool replicasMove = false;
    for (const Mode &replica : layout.replicas)
      replicasMove |= replica.axis == axis;
    checkPart(layout, enumerate(layout), part, !replicasMove,
              [&](const Coordinates &place) {
                int64_t at = place[static_cast<unsigned>(axis)];
                return low <= at && at < high;
              });
    numSome += part.has_value();
    numReplicas += part && replicasMove;
  }
  EXPECT_GT(numSome, 10000);
  EXPECT_GT(numReplicas, 500);
}

TEST(LayoutParts, RestrictToWarpIsExact) {
  LayoutGenerator generator(22);
  int numSome = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout layout = generator.get(48);
    if (!layout.isRegisterLayout())
      continue;
    bool byTid = layout.usesAxis(Axis::Tid);
    int64_t warp = generator.pick(0, 2), group = generator.pick(0, 1);
    // Both kinds of threads, counted from the warp or the warpgroup on.
    auto getPlaces = [&](int64_t first) {
      auto places = enumerate(layout);
      for (Places &all : places) {
        Places moved;
        for (Coordinates place : all) {
          place[static_cast<unsigned>(byTid ? Axis::Tid : Axis::Warp)] -=
              byTid ? 32 * first : first;
          moved.insert(place);
        }
        all = moved;
      }
      return places;
    };
    auto isInWarps = [&](const Coordinates &place, int64_t count) {
      int64_t warps = place[static_cast<unsigned>(Axis::Warp)];
      int64_t tid = place[static_cast<unsigned>(Axis::Tid)];
      return 0 <= warps && warps < count && 0 <= tid && tid < 32 * count;
    };
    auto part = restrictToWarp(layout, warp);
    numSome += part.has_value();
    if (part) {
      EXPECT_FALSE(part->layout.usesAxis(Axis::Tid));
      EXPECT_EQ(part->layout.getRange(Axis::Warp),
                std::make_pair(int64_t(0), int64_t(0)));
      // Back to the names of the whole.
      if (byTid) {
        for (Mode &mode : part->layout.modes)
          mode.axis = mode.axis == Axis::Lane ? Axis::Tid : mode.axis;
        for (Mode &mode : part->layout.replicas)
          mode.axis = mode.axis == Axis::Lane ? Axis::Tid : mode.axis;
        for (AxisOffset &offset : part->layout.offsets)
          offset.axis = offset.axis == Axis::Lane ? Axis::Tid : offset.axis;
      }
    }
    bool complete = layout.replicas.empty();
    checkPart(layout, getPlaces(warp), part, complete,
              [&](const Coordinates &place) { return isInWarps(place, 1); });
    checkPart(layout, getPlaces(4 * group), restrictToWarpgroup(layout, group),
              complete,
              [&](const Coordinates &place) { return isInWarps(place, 4); });
  }
  EXPECT_GT(numSome, 2000);
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

Footprint getFootprint(llvm::StringRef text, unsigned bits) {
  Footprint footprint;
  auto violation = mlir::tmem::getFootprint(parseLayout(text), bits, footprint);
  EXPECT_FALSE(violation) << text.str();
  return footprint;
}

TEST(LayoutParts, FootprintExamples) {
  // 16-bit elements, one per cell, in the low and in the high half.
  llvm::StringRef low = "(128, 8) : (1@tlane, 2@tcol)";
  llvm::StringRef high = "(128, 8) : (1@tlane, 2@tcol) + (1@tcol)";
  Footprint lows = getFootprint(low, 16), highs = getFootprint(high, 16);
  EXPECT_FALSE(lows.overlaps(highs));
  EXPECT_TRUE(lows.sharesCellWith(highs));
  Footprint dense = getFootprint("(128, 16) : (1@tlane, 1@tcol)", 16);
  EXPECT_TRUE(dense.contains(lows) && dense.contains(highs));
  EXPECT_FALSE(lows.contains(dense));
  EXPECT_EQ(dense.getNumBits(), 128 * 16 * 16);
  EXPECT_EQ(dense.getColumnRange(), std::make_pair(int64_t(0), int64_t(7)));
  // 64-bit elements are two cells.
  Footprint wide = getFootprint("(32) : (1@tcol) + (3@tcol, 5@tlane)", 64);
  EXPECT_EQ(wide.getColumnRange(), std::make_pair(int64_t(6), int64_t(69)));
  EXPECT_EQ(wide.getLaneRange(), std::make_pair(int64_t(5), int64_t(5)));
  EXPECT_EQ(
      getCosize(parseLayout("(32) : (-2@tcol) * (2 : 1@tcol)"), Axis::TCol),
      64);
}

TEST(LayoutParts, FootprintIsExact) {
  LayoutGenerator generator(23);
  const unsigned widths[] = {4, 8, 16, 32, 64};
  using Bits = std::set<std::pair<int64_t, int64_t>>;
  struct Known {
    Footprint footprint;
    Bits bits, cells;
  };
  std::vector<Known> previous;
  int counts[4] = {};
  for (int i = 0; i < 30000; ++i) {
    Layout layout = generator.get(32);
    unsigned width = widths[generator.pick(0, 4)];
    Known known;
    if (mlir::tmem::getFootprint(layout, width, known.footprint)) {
      EXPECT_TRUE(!layout.isMemoryLayout() ||
                  layout.getRange(Axis::TLane).first < 0 ||
                  layout.getRange(Axis::TLane).second > 127 ||
                  layout.getRange(Axis::TCol).first < 0);
      continue;
    }
    for (const Places &places : enumerate(layout))
      for (const Coordinates &place : places)
        for (int64_t bit = 0; bit < width; ++bit) {
          known.bits.insert({place[0], place[1] * width + bit});
          known.cells.insert({place[0], (place[1] * width + bit) / 32});
        }
    EXPECT_EQ(known.footprint.getNumBits(), int64_t(known.bits.size()));
    EXPECT_EQ(int64_t(known.footprint.getColumns().count()) *
                  int64_t(known.footprint.lanes.count()),
              int64_t(known.cells.size()));
    EXPECT_EQ(
        known.footprint.getLaneRange(),
        std::make_pair(known.bits.begin()->first, known.bits.rbegin()->first));
    auto meet = [](const Bits &a, const Bits &b) {
      return llvm::any_of(a, [&](auto &bit) { return b.count(bit) != 0; });
    };
    for (const Known &other : previous) {
      bool overlaps = meet(known.bits, other.bits);
      bool shares = meet(known.cells, other.cells);
      bool contains = std::includes(known.bits.begin(), known.bits.end(),
                                    other.bits.begin(), other.bits.end());
      EXPECT_EQ(known.footprint.overlaps(other.footprint), overlaps);
      EXPECT_EQ(known.footprint.sharesCellWith(other.footprint), shares);
      EXPECT_EQ(known.footprint.contains(other.footprint), contains);
      counts[0] += overlaps;
      counts[1] += contains;
      counts[2] += shares && !overlaps;
      counts[3] += !shares;
    }
    previous.push_back(known);
    if (previous.size() > 3)
      previous.erase(previous.begin());
  }
  for (int count : counts)
    EXPECT_GT(count, 100);
}

void expectFootprintRule(llvm::StringRef text, unsigned bits, Rule rule,
                         llvm::StringRef message) {
  Footprint footprint;
  auto violation = mlir::tmem::getFootprint(parseLayout(text), bits, footprint);
  ASSERT_TRUE(violation);
  EXPECT_EQ(getRuleId(violation->rule), getRuleId(rule));
  EXPECT_EQ(violation->message, message.str());
}

TEST(LayoutParts, V2_ElementBits) {
  expectFootprintRule("(2) : (1@tcol)", 24, Rule::V2,
                      "expected elements of 4, 8, 16, 32 or 64 bits, but got "
                      "24");
  expectFootprintRule("(2) : (1@tcol)", 0, Rule::V2,
                      "expected elements of 4, 8, 16, 32 or 64 bits, but got "
                      "0");
}

TEST(LayoutParts, V4_V5_OutsideOfTMem) {
  expectFootprintRule("(2) : (128@tlane)", 32, Rule::V4,
                      "expected tlane 0 to 127, but got 0 to 128");
  expectFootprintRule("(2) : (-1@tcol)", 32, Rule::V5,
                      "expected tcol 0 to 575, but got -1 to 0");
  expectFootprintRule("(2) : (1152@tcol)", 16, Rule::V5,
                      "expected tcol 0 to 1151, but got 0 to 1152");
  expectFootprintRule("(2147483647) : (2147483647@tcol)", 4, Rule::V5,
                      "expected tcol 0 to 4607, but got 0 to "
                      "4611686011984936962");
}

TEST(LayoutParts, L1_L5_FootprintOfNoMemoryLayout) {
  expectFootprintRule("(0) : (1@tcol)", 32, Rule::L1,
                      "expected an extent of at least 1, but got 0");
  expectFootprintRule("(2) : (1@reg)", 32, Rule::L5,
                      "expected a memory layout, but got the axes of a "
                      "register layout");
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

std::string printShape(const std::optional<ShapedLayout> &tile,
                       const std::string &reason) {
  if (!tile)
    return reason;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(tile->shape, os, "x");
  return text;
}

TEST(LayoutParts, Regroup) {
  ShapedLayout tile = {{4, 6, 2}, parseLayout("(4, 12) : (1@tlane, 1@tcol)")};
  std::string why;
  EXPECT_EQ(printShape(reshape(tile, {8, -1, 3}, &why), why), "8x2x3");
  EXPECT_EQ(printShape(reshape(tile, {-1, -1}, &why), why),
            "expected at most one size to infer, but got more");
  EXPECT_EQ(printShape(reshape(tile, {5, -1}, &why), why),
            "expected sizes that multiply to 48, but got 5");
  EXPECT_EQ(printShape(reshape(tile, {48, 0}, &why), why),
            "expected a size of at least 1, but got 0");
  EXPECT_EQ(printShape(reshape(tile, {INT64_MAX, INT64_MAX}, &why), why),
            "expected sizes that multiply to 48, but got more");
  EXPECT_EQ(printShape(groupDims(tile, 1, 2, &why), why), "4x12");
  EXPECT_EQ(printShape(groupDims(tile, 3, 0, &why), why), "4x6x2x1");
  EXPECT_EQ(printShape(groupDims(tile, 2, 2, &why), why),
            "expected dimensions 0 to 3, but got 2 from 2");
  EXPECT_EQ(printShape(ungroupDim(tile, 1, {-1, 3}, &why), why), "4x2x3x2");
  EXPECT_EQ(printShape(ungroupDim(tile, 0, {3, 2}, &why), why),
            "expected sizes that multiply to 4, but got 6");
  EXPECT_EQ(printShape(ungroupDim(tile, 3, {1}, &why), why),
            "expected a dimension below 3, but got 3");
  EXPECT_EQ(
      printShape(ungroupDim({{1}, parseLayout("(1) : (0@reg)")}, 0, {}, &why),
                 why),
      "");
  EXPECT_EQ(printShape(reshape({{4}, tile.layout}, {48}, &why), why),
            "expected sizes that multiply to 48, but got 4");
  EXPECT_EQ(printShape(reshape({{}, Layout()}, {}, &why), why),
            "expected at least one extent, but got none");
}

TEST(LayoutParts, Rearrange) {
  ShapedLayout tile = {
      {64, 128}, parseLayout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)")};
  ShapedLayout result;
  EXPECT_FALSE(rearrange(tile, "m (h n) -> (h m) n", {{"h", 2}}, result));
  EXPECT_EQ(print(result.layout), "(2, 64, 64) : (64@tlane, 1@tlane, 1@tcol)");
  EXPECT_EQ(printShape(result, ""), "128x64");
  EXPECT_FALSE(rearrange({{1, 1}, parseLayout("(1) : (5@tcol)")}, "() () -> ()",
                         {}, result));
  EXPECT_EQ(printShape(result, ""), "1");
  EXPECT_FALSE(verifyLayout(result.layout));
}

void expectRearrangeRule(
    llvm::StringRef pattern,
    llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> sizes, Rule rule,
    llvm::StringRef message) {
  ShapedLayout tile = {{4, 6}, parseLayout("(4, 6) : (1@tlane, 1@tcol)")};
  ShapedLayout result;
  auto violation = rearrange(tile, pattern, sizes, result);
  ASSERT_TRUE(violation) << pattern.str();
  EXPECT_EQ(getRuleId(violation->rule), getRuleId(rule));
  EXPECT_EQ(violation->message, message.str());
}

TEST(LayoutParts, E1_Patterns) {
  std::pair<llvm::StringRef, llvm::StringRef> cases[] = {
      {"a b", "expected \"->\" in the pattern"},
      {"(a b -> a b", "expected a closing parenthesis"},
      {"a b) -> a b", "expected balanced parentheses, not nested, but got a "
                      "stray \")\""},
      {"((a) b) -> a b", "expected balanced parentheses, not nested, but got a "
                         "stray \"(\""},
      {"a 2 -> a", "expected a name or a parenthesis, but got \"2\""},
      {"a b -> a -> b", "expected a name or a parenthesis, but got \"-\""},
      {"a a -> a", "expected each name once a side, but got a again"},
      {"a b -> a", "expected b on the right side too"},
      {"a b -> a b b", "expected the names of the left side, each once, but "
                       "got b"},
      {"a b -> a c b", "expected the names of the left side, each once, but "
                       "got c"},
      {"a -> a", "expected 2 dimensions on the left side and at least one on "
                 "the right, but got 1 and 1"}};
  for (auto [pattern, message] : cases)
    expectRearrangeRule(pattern, {}, Rule::E1, message);
}

TEST(LayoutParts, E2_Sizes) {
  expectRearrangeRule("a (b c) -> a b c", {}, Rule::E2,
                      "expected at most one size to infer, but got more in "
                      "(b c)");
  expectRearrangeRule("a (b c) -> a b c", {{"b", 4}}, Rule::E2,
                      "expected sizes that multiply to 6, but got 4 in (b c)");
  expectRearrangeRule("a b -> b a", {{"c", 1}}, Rule::E2,
                      "expected sizes of names in the pattern, but got c");
  expectRearrangeRule("a b -> b a", {{"a", -1}}, Rule::E2,
                      "expected a size of at least 1 for a, but got -1");
}

TEST(LayoutParts, E3_UnevenModes) {
  ShapedLayout tile = {{3, 2}, parseLayout("(2, 3) : (1@tlane, 1@tcol)")};
  ShapedLayout result;
  auto violation = rearrange(tile, "a b -> b a", {}, result);
  ASSERT_TRUE(violation);
  EXPECT_EQ(getRuleId(violation->rule), "E3");
}

TEST(LayoutParts, RearrangeMovesElements) {
  LayoutGenerator generator(24);
  int numSome = 0;
  for (int i = 0; i < 5000; ++i) {
    ShapedLayout tile;
    tile.layout = generator.get(36);
    tile.shape = generator.getShape(tile.layout.getNumElements());
    // Each dimension in two factors, in any order, in any groups.
    Index factors;
    std::string left, right;
    std::vector<std::pair<std::string, int64_t>> names;
    for (int64_t size : tile.shape) {
      int64_t outer = generator.getShape(size)[0];
      left += "(";
      for (int64_t factor : {outer, size / outer}) {
        names.push_back({"f" + std::to_string(names.size()), factor});
        left += names.back().first + " ";
      }
      left += ") ";
    }
    llvm::SmallVector<std::pair<llvm::StringRef, int64_t>, 8> sizes;
    for (auto &[name, factor] : names) {
      factors.push_back(factor);
      sizes.push_back({name, factor});
    }
    auto order = generator.getPermutation(names.size());
    Index newFactors;
    int64_t total = 1;
    for (unsigned n : order) {
      bool group = generator.pick(0, 1);
      right += (group ? "(" : "") + names[n].first + (group ? ") " : " ");
      newFactors.push_back(factors[n]);
      total *= factors[n];
    }
    ShapedLayout result;
    if (rearrange(tile, left + "->" + right, sizes, result))
      continue;
    ++numSome;
    EXPECT_EQ(result.shape, newFactors);
    auto before = enumerate(tile.layout), after = enumerate(result.layout);
    for (int64_t e = 0; e < total; ++e) {
      auto to = delinearize(e, newFactors);
      Index from(factors.size());
      for (auto [n, index] : llvm::zip(order, to))
        from[n] = index;
      EXPECT_EQ(after[e], before[linearize(from, factors)]);
    }
  }
  EXPECT_GT(numSome, 1000);
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

std::string draw(llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                 int64_t block = 16) {
  std::string picture;
  llvm::raw_string_ostream os(picture);
  ShapedLayout tile = {{shape.begin(), shape.end()}, parseLayout(text)};
  bool drawn = printPicture(tile, os, block);
  EXPECT_EQ(drawn, !picture.empty());
  return "\n" + picture;
}

TEST(LayoutParts, Pictures) {
  // Datapath F, half 1: every second block of lanes.
  EXPECT_EQ(
      draw("(4, 16, 32) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane)", {64, 32}),
      R"(
tlane\tcol  0      16
16          0,0    0,16
32          .      .
48          16,0   16,16
64          .      .
80          32,0   32,16
96          .      .
112         48,0   48,16
)");
  // Replicas show what they repeat; threads go by number.
  EXPECT_EQ(draw("(2, 2) : (1@lane, 1@reg) + (1@reg) * (2 : 2@lane)", {4}, 1),
            R"(
tid\reg  1  2
0        0  1
1        2  3
2        0  1
3        2  3
)");
  EXPECT_EQ(draw("(3) : (2147483647@reg) + (-2147483647@reg)", {3}, 2147483647),
            R"(
tid\reg  -2147483647  0            2147483647
0        0            1            2
)");
  EXPECT_EQ(draw("(1048576, 2) : (1@tlane, 1@tcol)", {2097152}), "\n");
  EXPECT_EQ(draw("(1025) : (1@tlane)", {1025}), "\n");
  EXPECT_EQ(draw("(33) : (1@lane)", {33}), "\n");
  EXPECT_EQ(draw("(33) : (1@tid)", {32}), "\n");
  EXPECT_EQ(draw("(33) : (1@tid)", {33}, 0), "\n");
}

} // namespace
