//===- LayoutAlgebraLimitsTest.cpp - Bad and extreme layouts --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts that do not verify, or only just, go through every function. What
// comes out must verify. Built with -DLLVM_USE_SANITIZER=Undefined this shows
// that no sum or product overflows.
//
//===----------------------------------------------------------------------===//

#include "LayoutTestUtils.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "tmem/Layout/LayoutConversions.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

class ExtremeGenerator {
public:
  explicit ExtremeGenerator(unsigned seed) : generator(seed) {}

  int64_t pick(int64_t low, int64_t high) { return generator.pick(low, high); }

  int64_t getExtent() {
    static const int64_t bad[] = {-1, 0, int64_t(1) << 31, INT64_MAX,
                                  INT64_MIN};
    static const int64_t good[] = {1,     2,     3,       32,      1 << 10,
                                   46340, 65536, 1 << 20, 1 << 30, 2147483647};
    return pick(0, 60) == 0 ? bad[pick(0, 4)] : good[pick(0, 9)];
  }
  int64_t getStride() {
    static const int64_t bad[] = {int64_t(1) << 31, -(int64_t(1) << 31),
                                  INT64_MAX, INT64_MIN};
    static const int64_t good[] = {0,     1,       2,          3,
                                   32,    1000003, 1 << 26,    1 << 30,
                                   65537, 1 << 16, 2147483647, 2147483646};
    if (pick(0, 60) == 0)
      return bad[pick(0, 3)];
    return good[pick(0, 11)] * (pick(0, 3) == 0 ? -1 : 1);
  }
  Axis getAxis() {
    return kind == 0   ? Axis(pick(0, 1))
           : kind == 1 ? Axis(pick(2, 4))
                       : (pick(0, 1) ? Axis::Tid : Axis::Reg);
  }
  Mode getMode() { return {getExtent(), getStride(), getAxis()}; }

  Layout get() {
    kind = pick(0, 2);
    Layout layout;
    for (int64_t n = pick(0, 9) ? pick(1, 4) : pick(0, 40); n > 0; --n)
      layout.modes.push_back(getMode());
    for (int64_t n = pick(-2, 2); n > 0; --n)
      layout.offsets.push_back({getStride(), getAxis()});
    for (int64_t n = pick(-3, 2); n > 0; --n)
      layout.replicas.push_back(getMode());
    // Make most of them small enough.
    while (pick(0, 3) && verifyLayout(layout) && layout.modes.size() > 1)
      layout.modes[pick(0, layout.modes.size() - 1)].extent = pick(1, 2),
                                                 layout.modes.pop_back();
    return layout;
  }

  IndexMap getMap() {
    IndexMap map;
    for (int64_t n = pick(0, 3); n > 0; --n)
      map.modes.push_back({getExtent(), getStride()});
    map.offset = pick(0, 1) ? 0 : getStride();
    return map;
  }

  Index getShape(const Layout &layout) {
    Index shape;
    for (const Mode &mode : layout.modes)
      shape.push_back(pick(0, 9) ? mode.extent : getExtent());
    return shape;
  }

private:
  LayoutGenerator generator;
  int64_t kind = 0;
};

void expectVerifies(const std::optional<Layout> &layout) {
  if (!layout)
    return;
  EXPECT_FALSE(verifyLayout(*layout)) << print(*layout);
}

void expectVerifies(const std::optional<IndexMap> &map) {
  if (!map)
    return;
  EXPECT_FALSE(verifyIndexMap(*map));
}

void expectVerifies(const std::optional<ShapedLayout> &tile) {
  if (!tile)
    return;
  EXPECT_FALSE(verifyLayout(tile->layout)) << print(tile->layout);
}

void expectVerifies(const std::optional<Restriction> &part) {
  if (!part)
    return;
  EXPECT_FALSE(verifyLayout(part->layout)) << print(part->layout);
  EXPECT_FALSE(verifyIndexMap(part->elements));
  EXPECT_EQ(part->elements.getNumIndices(), part->layout.getNumElements());
}

TEST(LayoutLimits, AlgebraTakesAnything) {
  ExtremeGenerator generator(41);
  int numVerified = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout a = generator.get(), b = generator.get();
    bool verified = !verifyLayout(a);
    numVerified += verified;
    EXPECT_TRUE(verified || haveSamePlaces(a, b) == Decision::Unknown);
    EXPECT_EQ(haveSamePlaces(a, b), haveSamePlaces(b, a));
    EXPECT_EQ(haveSamePlaces(a, a),
              verified ? Decision::Yes : Decision::Unknown)
        << print(a);
    if (verified) {
      EXPECT_EQ(haveSamePlaces(a, canonicalize(a)), Decision::Yes) << print(a);
    }
    EXPECT_TRUE(verified || isInjective(a) == Decision::Unknown);
    isInjective(a);
    expectVerifies(compose(a, generator.getMap()));
    expectVerifies(compose(generator.getMap(), generator.getMap()));
    expectVerifies(invert(a, {Axis::TLane, Axis::TCol}));
    expectVerifies(invert(a, {Axis::Tid, Axis::Reg}));
    expectVerifies(invert(generator.getMap()));
    if (auto map = getRightInverse(a)) {
      EXPECT_TRUE(map->lookUp(map->first).has_value());
      EXPECT_TRUE(map->lookUp(map->last).has_value());
      map->lookUp({INT64_MIN, INT64_MAX, 0, 0, 0, 0});
    }
    for (int64_t low : {INT64_MIN, int64_t(-5), int64_t(0), INT64_MAX})
      for (int64_t high : {INT64_MIN, int64_t(0), int64_t(70), INT64_MAX}) {
        expectVerifies(restrictToRange(a, generator.getAxis(), low, high));
        expectVerifies(restrictToLanes(a, low, high));
      }
    for (int64_t number : {INT64_MIN, int64_t(0), int64_t(1), INT64_MAX}) {
      expectVerifies(restrictToWarp(a, number));
      expectVerifies(restrictToWarpgroup(a, number));
    }
    Footprint footprint;
    for (unsigned bits : {0u, 4u, 64u, ~0u})
      getFootprint(a, bits, footprint);
    EXPECT_EQ(getCosize(a, Axis::Reg) >= 1, verified);
  }
  EXPECT_GT(numVerified, 2000);
}

TEST(LayoutLimits, ShapesAndConversionsTakeAnything) {
  ExtremeGenerator generator(42);
  int numShapes = 0, numConverted = 0;
  for (int i = 0; i < 20000; ++i) {
    ShapedLayout tile;
    tile.layout = generator.get();
    tile.shape = generator.getShape(tile.layout);
    auto same = reshape(tile, {inferredSize});
    numShapes += same.has_value();
    expectVerifies(reshape(tile, generator.getShape(tile.layout)));
    expectVerifies(groupDims(tile, generator.pick(0, 5), generator.pick(0, 5)));
    expectVerifies(groupDims(tile, ~0u, ~0u));
    expectVerifies(ungroupDim(tile, generator.pick(0, 5),
                              {generator.getExtent(), inferredSize}));
    ShapedLayout result;
    if (!rearrange(tile, "a (b c) -> c (a b)", {{"b", generator.getExtent()}},
                   result))
      expectVerifies(std::optional<ShapedLayout>(result));
    std::string picture;
    llvm::raw_string_ostream os(picture);
    if (verifyLayout(tile.layout) || tile.layout.getNumElements() < 1000)
      printPicture(tile, os, generator.getExtent());

    const unsigned widths[] = {0, 4, 8, 16, 32, 64};
    unsigned bits = widths[generator.pick(0, 5)];
    auto cute = toCuteMemory(tile, bits);
    if (!cute)
      cute = toCuteThreadValue(tile);
    numConverted += cute.has_value();
    if (!cute) {
      cute.emplace();
      for (int64_t n = generator.pick(0, 3); n > 0; --n)
        cute->dims.push_back({{generator.getExtent(), generator.getStride()}});
      cute->offset = generator.pick(0, 1) ? 0 : generator.getStride();
    }
    expectVerifies(fromCuteMemory(*cute, bits));
    expectVerifies(fromCuteThreadValue(*cute, tile.shape));

    auto bases = toLinearBases(tile.layout, tile.shape);
    numConverted += bases.has_value();
    if (bases)
      expectVerifies(fromLinearBases(*bases));
    LinearBases any;
    any.shape = tile.shape;
    for (int64_t n = generator.pick(0, 3); n > 0; --n) {
      any.inputs.push_back({generator.getAxis(), {}});
      for (int64_t b = generator.pick(0, 33); b > 0; --b)
        any.inputs.back().bases.push_back(
            {generator.pick(0, 1) ? 0 : generator.getStride()});
    }
    expectVerifies(fromLinearBases(any));
  }
  EXPECT_GT(numShapes, 5000);
  EXPECT_GT(numConverted, 500);
}

/// Questions about large layouts do not depend on the number of elements.
TEST(LayoutLimits, ManyModes) {
  Layout layout;
  for (int i = 0; i < 20000; ++i)
    layout.modes.push_back({1, 2147483647, Axis(i % 2)});
  for (int i = 0; i < 30; ++i)
    layout.modes.push_back({2, int64_t(1) << (29 - i), Axis::TCol});
  EXPECT_EQ(isInjective(layout), Decision::Yes);
  EXPECT_EQ(haveSamePlaces(layout, canonicalize(layout)), Decision::Yes);
  EXPECT_EQ(print(*compose(layout, {{{1 << 29, 2}}, 1})),
            "(536870912) : (2@tcol) + (1@tcol)");
  auto part = restrictToRange(layout, Axis::TCol, 1 << 20, 1 << 21);
  ASSERT_TRUE(part);
  EXPECT_EQ(print(part->layout), "(1048576) : (1@tcol) + (1048576@tcol)");
  auto inverse = invert(layout, {Axis::TLane, Axis::TCol});
  ASSERT_TRUE(inverse);
  EXPECT_EQ(*inverse, canonicalize(getIdentity(1 << 30)));
}

} // namespace
