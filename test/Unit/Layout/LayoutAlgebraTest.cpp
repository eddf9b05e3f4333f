//===- LayoutAlgebraTest.cpp - Equality, composition, inverses ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/LayoutAlgebra.h"
#include "LayoutTestUtils.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

bool haveSamePlaces(llvm::StringRef a, llvm::StringRef b) {
  Decision decision =
      mlir::tmem::haveSamePlaces(parseLayout(a), parseLayout(b));
  EXPECT_NE(decision, Decision::Unknown);
  return decision == Decision::Yes;
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

TEST(LayoutAlgebra, SamePlacesExamples) {
  // Replicas that are sums in several ways.
  EXPECT_TRUE(haveSamePlaces("(2) : (9@tcol) * (2 : 1@tcol, 3 : 1@tcol)",
                             "(2) : (9@tcol) * (4 : 1@tcol)"));
  EXPECT_TRUE(haveSamePlaces("(2) : (9@tcol) * (2 : 3@tcol, 2 : -2@tcol)",
                             "(2) : (9@tcol) + (-2@tcol) * (2 : 2@tcol, "
                             "2 : 3@tcol)"));
  EXPECT_FALSE(haveSamePlaces("(2) : (9@tcol) * (2 : 2@tcol, 2 : 3@tcol)",
                              "(2) : (9@tcol) * (2 : 3@tcol)"));
  // Far apart: with the same smallest step and the same reach.
  EXPECT_FALSE(haveSamePlaces("(1) : (0@tcol) * (2 : 20000003@tcol, "
                              "2 : 30000001@tcol, 2 : 70000009@tcol)",
                              "(1) : (0@tcol) * (2 : 20000003@tcol, "
                              "2 : 30000003@tcol, 2 : 70000007@tcol)"));
  // A unit mode's stride has no say, however large it is.
  EXPECT_TRUE(
      haveSamePlaces("(1, 32) : (1073741824@warp, 1@lane)", "(32) : (1@tid)"));
  EXPECT_TRUE(haveSamePlaces("(134217728) : (1@warp)",
                             "(2, 67108864) : (67108864@warp, 1@warp)"));
  EXPECT_TRUE(haveSamePlaces("(2, 16777216, 32) : (16777216@warp, 1@warp, "
                             "1@lane)",
                             "(1073741824) : (1@tid)"));
  EXPECT_FALSE(haveSamePlaces("(33) : (1@lane)", "(33) : (1@tid)"));
  EXPECT_FALSE(haveSamePlaces("(2) : (0@tlane)", "(2) : (0@reg)"));
  EXPECT_EQ(mlir::tmem::haveSamePlaces(Layout(), Layout()), Decision::Unknown);
}

TEST(LayoutAlgebra, SamePlacesIsExact) {
  LayoutGenerator generator(11);
  generator.maxReplicas = 4;
  generator.strides = {-2, -1, 0, 1, 2, 3, 4, 5, 32};
  std::map<std::pair<bool, std::vector<Places>>, Layout> known;
  std::vector<Layout> previous;
  int numEqual = 0, numSets = 0;
  for (int i = 0; i < 40000; ++i) {
    Layout layout = generator.get(i % 2 ? 6 : 2);
    auto places = normalizeThreads(enumerate(layout));
    auto [same, isNew] =
        known.insert({{layout.isMemoryLayout(), places}, layout});
    if (!isNew) {
      ++numEqual;
      numSets += !(canonicalize(layout) == canonicalize(same->second));
      EXPECT_EQ(mlir::tmem::haveSamePlaces(layout, same->second), Decision::Yes)
          << print(layout) << " and " << print(same->second);
    }
    for (int n = 0; n < 4 && !previous.empty(); ++n) {
      const Layout &other = previous[generator.pick(0, previous.size() - 1)];
      bool expected = layout.isMemoryLayout() == other.isMemoryLayout() &&
                      normalizeThreads(enumerate(other)) == places;
      EXPECT_EQ(mlir::tmem::haveSamePlaces(layout, other),
                expected ? Decision::Yes : Decision::No)
          << print(layout) << " and " << print(other);
    }
    previous.push_back(layout);
    if (previous.size() > 50)
      previous.erase(previous.begin());
  }
  EXPECT_GT(numEqual, 5000);
  EXPECT_GT(numSets, 40);
}

/// Many ways to write the same set, and sets that differ in little.
TEST(LayoutAlgebra, SetsOfReplicas) {
  LayoutGenerator generator(10);
  std::map<Places, Layout> known;
  std::map<std::pair<Coordinates, Coordinates>, std::pair<Places, Layout>>
      sameEnds;
  int numSets = 0, numNear = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout layout;
    layout.modes.push_back({1, 0, Axis::TCol});
    for (int64_t n = generator.pick(1, 4); n > 0; --n)
      layout.replicas.push_back(
          {generator.pick(1, 4), generator.pick(-5, 7), Axis::TCol});
    // All start at 0.
    layout.offsets.push_back({-layout.getRange(Axis::TCol).first, Axis::TCol});
    Places places = enumerate(layout)[0];
    const Layout &same = known.insert({places, layout}).first->second;
    EXPECT_EQ(mlir::tmem::haveSamePlaces(layout, same), Decision::Yes)
        << print(layout) << " and " << print(same);
    numSets += !(canonicalize(layout) == canonicalize(same));
    auto &[otherPlaces, other] =
        sameEnds.insert({{*places.begin(), *places.rbegin()}, {places, layout}})
            .first->second;
    if (otherPlaces == places)
      continue;
    ++numNear;
    EXPECT_EQ(mlir::tmem::haveSamePlaces(layout, other), Decision::No)
        << print(layout) << " and " << print(other);
  }
  EXPECT_GT(numSets, 3000);
  EXPECT_GT(numNear, 3000);
}

/// What does not move has no say in the canonical form.
TEST(LayoutAlgebra, CanonicalFormIsExactBeyondTid) {
  for (llvm::StringRef text :
       {"(1, 32) : (1073741824@warp, 1@lane)",
        "(32) : (1@lane) + (1073741824@warp, -1073741824@warp)"})
    EXPECT_EQ(print(canonicalize(parseLayout(text))), "(32) : (1@tid)");
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

TEST(LayoutAlgebra, IndexMaps) {
  IndexMap map = {{{4, 8}, {1, 5}, {8, 1}}, 3};
  EXPECT_EQ(print(map), "(4, 1, 8) : (8, 5, 1) + 3");
  EXPECT_EQ(print(canonicalize(map)), "(32) : (1) + 3");
  EXPECT_EQ(map.getNumIndices(), 32);
  EXPECT_EQ(map.apply(9), 12);
  EXPECT_EQ(map.getRange(), std::make_pair(int64_t(3), int64_t(34)));
  EXPECT_EQ(print(getIdentity(7)), "(7) : (1)");
  EXPECT_TRUE(verifyIndexMap({{}, 0}));
  EXPECT_TRUE(verifyIndexMap({{{0, 1}}, 0}));
  EXPECT_TRUE(verifyIndexMap({{{2, int64_t(1) << 31}}, 0}));
  EXPECT_FALSE(verifyIndexMap(map));
}

std::string composeText(llvm::StringRef outer, const IndexMap &inner) {
  std::string reason;
  auto result = compose(parseLayout(outer), inner, &reason);
  return result ? print(*result) : reason;
}

TEST(LayoutAlgebra, ComposeExamples) {
  llvm::StringRef b = "(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)";
  EXPECT_EQ(composeText(b, getIdentity(8192)), b);
  // Every second row; columns first.
  EXPECT_EQ(composeText(b, {{{32, 256}, {128, 1}}, 0}),
            "(32, 2, 64) : (2@tlane, 64@tlane, 1@tcol)");
  EXPECT_EQ(composeText(b, {{{128, 1}, {64, 128}}, 0}),
            "(2, 64, 64) : (64@tlane, 1@tcol, 1@tlane)");
  // Backwards.
  EXPECT_EQ(composeText(b, {{{8192, -1}}, 8191}),
            "(64, 2, 64) : (-1@tlane, -64@tlane, -1@tcol) + "
            "(127@tlane, 63@tcol)");
  // Steps of 6 in digits of 8: no digit alone, yet all lie in line.
  EXPECT_EQ(composeText("(4, 8) : (8@tcol, 2@tcol)", {{{4, 6}}, 6}),
            "(4) : (4@tcol) + (12@tcol)");
  EXPECT_EQ(composeText("(4, 8) : (1@tlane, 1@tcol)", {{{4, 3}}, 0}),
            "expected elements at constant strides, but got steps that carry "
            "unevenly from digit to digit");
  EXPECT_EQ(composeText("(4) : (1@tlane)", {{{2, 1}}, 3}),
            "expected indices 0 to 3 of the outer map, but got 3 to 4");
  EXPECT_EQ(composeText("(4) : (1073741824@tlane)", {{{2, 2}}, 0}),
            "expected a stride between -2^31 and 2^31, but got 2147483648");
  EXPECT_EQ(composeText("(4) : (1@tlane)", {}),
            "expected at least one extent, but got none");
  // Nothing is walked, but where digits carry unevenly.
  EXPECT_EQ(composeText("(32768, 65535) : (1@tlane, 1@tcol)",
                        {{{16384, 131070}, {65535, 1}}, 0}),
            "(16384, 65535) : (2@tlane, 1@tcol)");
  EXPECT_EQ(
      composeText("(32768, 65535) : (1@tlane, 1@tcol)", {{{1 << 21, 1022}}, 0}),
      "expected elements at constant strides, but got steps that carry "
      "unevenly from digit to digit");
}

/// A random map into 0 .. size - 1.
IndexMap getInnerMap(LayoutGenerator &generator, int64_t size) {
  while (true) {
    IndexMap map;
    for (int64_t n = generator.pick(1, 3); n > 0; --n) {
      int64_t stride = generator.pick(-4, 12);
      if (generator.pick(0, 2) == 0)
        stride = generator.pick(1, 4) * generator.pick(1, 16);
      map.modes.push_back({generator.pick(1, 5), stride});
    }
    auto [low, high] = map.getRange();
    if (high - low >= size)
      continue;
    map.offset = generator.pick(-low, size - 1 - high);
    return map;
  }
}

TEST(LayoutAlgebra, ComposeIsExact) {
  LayoutGenerator generator(12);
  int numNone = 0, numSome = 0;
  for (int i = 0; i < 30000; ++i) {
    Layout outer = generator.get(64);
    IndexMap inner = getInnerMap(generator, outer.getNumElements());
    auto places = enumerate(outer);
    std::vector<Places> expected;
    for (int64_t n = 0; n < inner.getNumIndices(); ++n)
      expected.push_back(places[inner.apply(n)]);
    auto result = compose(outer, inner);
    ++(result ? numSome : numNone);
    if (result)
      EXPECT_EQ(enumerate(*result), expected)
          << print(outer) << " after " << print(inner);
    else
      EXPECT_FALSE(isSomeLayout(expected))
          << print(outer) << " after " << print(inner);
  }
  EXPECT_GT(numSome, 5000);
  EXPECT_GT(numNone, 5000);
}

TEST(LayoutAlgebra, ComposeIndexMapsIsAssociative) {
  LayoutGenerator generator(13);
  int numBoth = 0;
  for (int i = 0; i < 10000; ++i) {
    Layout layout = generator.get(64);
    IndexMap f = getInnerMap(generator, layout.getNumElements());
    IndexMap g = getInnerMap(generator, f.getNumIndices());
    auto fg = compose(f, g);
    auto left = compose(layout, f);
    if (fg) {
      ASSERT_EQ(fg->getNumIndices(), g.getNumIndices());
      for (int64_t n = 0; n < g.getNumIndices(); ++n)
        EXPECT_EQ(fg->apply(n), f.apply(g.apply(n)));
    }
    if (!fg || !left)
      continue;
    auto a = compose(layout, *fg), b = compose(*left, g);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a)
      continue;
    ++numBoth;
    EXPECT_EQ(mlir::tmem::haveSamePlaces(*a, *b), Decision::Yes);
  }
  EXPECT_GT(numBoth, 1000);
}

//===----------------------------------------------------------------------===//
// Injectivity and inverses
//===----------------------------------------------------------------------===//

/// The elements at each place.
std::map<Coordinates, std::set<int64_t>> getElements(const Layout &layout) {
  std::map<Coordinates, std::set<int64_t>> elements;
  auto places = enumerate(layout);
  for (size_t e = 0; e < places.size(); ++e)
    for (const Coordinates &place : places[e])
      elements[place].insert(e);
  return elements;
}

bool isInjectiveByEnumeration(const Layout &layout) {
  for (const auto &[place, elements] : getElements(layout))
    if (elements.size() > 1)
      return false;
  return true;
}

TEST(LayoutAlgebra, InjectiveExamples) {
  auto decide = [](llvm::StringRef text) {
    return isInjective(parseLayout(text));
  };
  EXPECT_EQ(decide("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)"), Decision::Yes);
  EXPECT_EQ(decide("(4, 3) : (3@tcol, 4@tcol)"), Decision::Yes);
  EXPECT_EQ(decide("(5, 4) : (3@tcol, 4@tcol)"), Decision::No);
  EXPECT_EQ(decide("(2, 8) : (0@tcol, 1@tcol)"), Decision::No);
  // Replicas of one element may coincide, those of two may not.
  EXPECT_EQ(decide("(4) : (8@tcol) * (3 : 1@tcol, 3 : 2@tcol)"), Decision::Yes);
  EXPECT_EQ(decide("(4) : (6@tcol) * (3 : 1@tcol, 3 : 2@tcol)"), Decision::No);
  EXPECT_EQ(decide("(4) : (100@tcol) * (5 : 3@tcol, 4 : 4@tcol)"),
            Decision::Yes);
  EXPECT_EQ(decide("(0) : (1@tcol)"), Decision::Unknown);
  // Far apart, and told without enumeration.
  EXPECT_EQ(decide("(1024, 1024, 1024) : (2147483647@tcol, 1000003@tcol, "
                   "7@tcol)"),
            Decision::Yes);
  EXPECT_EQ(decide("(1024, 1024, 1024) : (2147483000@tcol, 1000003@tcol, "
                   "4294966@tcol)"),
            Decision::No);
  EXPECT_EQ(decide("(20, 20, 7) : (1000003@tcol, 1000033@tcol, 1000037@tcol)"),
            Decision::Yes);
  // 3 * 1000006 is 1000000 + 2 * 1000009.
  EXPECT_EQ(decide("(20, 20, 7) : (1000000@tcol, 1000006@tcol, 1000009@tcol)"),
            Decision::No);
  // Strides that interleave, with more places than are looked at.
  EXPECT_EQ(decide("(1021, 1019, 1013) : (1000003@tcol, 1000033@tcol, "
                   "1000037@tcol)"),
            Decision::Unknown);
}

TEST(LayoutAlgebra, InjectiveIsExact) {
  LayoutGenerator generator(14);
  generator.strides = {-5, -3, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 32};
  int numYes = 0, numInterleaved = 0;
  for (int i = 0; i < 40000; ++i) {
    Layout layout = generator.get(48);
    if (generator.pick(0, 1))
      layout.replicas.clear();
    bool expected = isInjectiveByEnumeration(layout);
    EXPECT_EQ(isInjective(layout), expected ? Decision::Yes : Decision::No)
        << print(layout);
    numYes += expected;
    numInterleaved += expected && !getRightInverse(layout);
  }
  EXPECT_GT(numYes, 10000);
  EXPECT_GT(numInterleaved, 500);
}

/// Calls `fn` with each place of the box around the layout, and one beyond.
void forEachPlaceAround(const Layout &layout,
                        llvm::function_ref<void(const Coordinates &)> fn) {
  Index sizes;
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    auto [low, high] = layout.getRange(static_cast<Axis>(axis));
    sizes.push_back(layout.usesAxis(static_cast<Axis>(axis)) ? high - low + 3
                                                             : 1);
  }
  for (int64_t i = 0; i < multiply(sizes); ++i) {
    Index index = delinearize(i, sizes);
    Coordinates place;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      place[axis] =
          index[axis] + layout.getRange(Axis(axis)).first - (sizes[axis] > 1);
    fn(place);
  }
}

TEST(LayoutAlgebra, PlaceMapsFindElements) {
  LayoutGenerator generator(15);
  generator.strides = {-4, -1, 0, 1, 2, 3, 4, 5, 8, 16};
  int numRight = 0, numLeft = 0, numNone = 0;
  for (int i = 0; i < 5000; ++i) {
    Layout layout = generator.get(32);
    auto right = getRightInverse(layout);
    auto left = getLeftInverse(layout);
    auto elements = getElements(layout);
    EXPECT_EQ(left.has_value(), right && isInjectiveByEnumeration(layout));
    numRight += right.has_value();
    numLeft += left.has_value();
    numNone += !right;
    if (!right)
      continue;
    forEachPlaceAround(layout, [&](const Coordinates &place) {
      auto found = right->lookUp(place);
      auto known = elements.find(place);
      ASSERT_EQ(found.has_value(), known != elements.end()) << print(layout);
      if (found) {
        EXPECT_TRUE(known->second.count(*found)) << print(layout);
      }
    });
  }
  EXPECT_GT(numRight, 2000);
  EXPECT_GT(numLeft, 500);
  EXPECT_GT(numNone, 100);
}

TEST(LayoutAlgebra, PlaceMapsFarAway) {
  auto map = getLeftInverse(parseLayout("(4) : (2147483647@tcol) + (-5@tcol)"));
  ASSERT_TRUE(map);
  EXPECT_EQ(map->lookUp({0, 2147483642}), 1);
  EXPECT_EQ(map->lookUp({0, INT64_MAX}), std::nullopt);
  EXPECT_EQ(map->lookUp({0, INT64_MIN}), std::nullopt);
  EXPECT_EQ(map->lookUp({1, -5}), std::nullopt);
  std::string reason;
  EXPECT_FALSE(
      getRightInverse(parseLayout("(3, 3) : (3@tcol, 4@tcol)"), &reason));
  EXPECT_EQ(reason, "expected strides of an axis that divide each other or lie "
                    "beyond the reach of smaller ones, but got strides that "
                    "interleave");
  EXPECT_FALSE(getLeftInverse(parseLayout("(3) : (0@tcol)"), &reason));
  EXPECT_EQ(reason, "expected an injective layout, but got a place of two "
                    "elements");
}

TEST(LayoutAlgebra, InvertExamples) {
  auto invertText = [](llvm::StringRef text, llvm::ArrayRef<Axis> axes) {
    std::string reason;
    auto map = invert(parseLayout(text), axes, &reason);
    return map ? print(*map) : reason;
  };
  // Datapath B: from (lane, column) to the row-major element of 64x128.
  EXPECT_EQ(invertText("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)",
                       {Axis::TLane, Axis::TCol}),
            "(2, 64, 64) : (64, 128, 1)");
  EXPECT_EQ(invertText("(8) : (-1@tid) * (2 : 1@reg)", {Axis::Tid, Axis::Reg}),
            "(8, 2) : (-1, 0) + 7");
  EXPECT_EQ(invertText("(1) : (5@tid)", {}), "(1) : (0)");
  EXPECT_EQ(invertText("(8) : (2@tid)", {Axis::Tid}),
            "expected one element at every place of the box, but got gaps or "
            "overlaps along tid");
  EXPECT_EQ(invertText("(2, 4) : (1@reg, 1@tid)", {Axis::Tid}),
            "expected every axis that the layout moves along, but got none for "
            "reg");
  EXPECT_EQ(invertText("(4) : (1@tid)", {Axis::Tid, Axis::Tid}),
            "expected each axis once, but got tid again");
  EXPECT_EQ(invertText("(4) : (0@tid)", {Axis::Tid}),
            "expected an injective layout, but got a mode of stride 0");
}

TEST(LayoutAlgebra, InvertIsExact) {
  LayoutGenerator generator(16);
  generator.strides = {-2, -1, 1, 2, 3, 4, 6, 8};
  int numSome = 0, numReplicas = 0;
  for (int i = 0; i < 40000; ++i) {
    Layout layout = generator.get(24);
    llvm::SmallVector<Axis, 4> axes;
    Index sizes;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      if (layout.usesAxis(Axis(axis))) {
        axes.push_back(Axis(axis));
        sizes.push_back(getCosize(layout, Axis(axis)));
      }
    auto elements = getElements(layout);
    bool isBox = int64_t(elements.size()) == multiply(sizes) &&
                 isInjectiveByEnumeration(layout);
    auto inverse = invert(layout, axes);
    ASSERT_EQ(inverse.has_value(), isBox) << print(layout);
    if (!inverse)
      continue;
    ++numSome;
    numReplicas += layout.getNumReplicas() > 1;
    ASSERT_EQ(inverse->getNumIndices(), multiply(sizes));
    // The places of a box, in order, are the keys of the map in order.
    int64_t box = 0;
    for (const auto &[place, element] : elements)
      EXPECT_EQ(inverse->apply(box++), *element.begin()) << print(layout);
    // The layout after its inverse is the identity of the box.
    if (layout.getNumReplicas() > 1)
      continue;
    auto identity = compose(layout, *inverse);
    ASSERT_TRUE(identity) << print(layout);
    box = 0;
    for (const auto &[place, element] : elements)
      EXPECT_EQ(identity->getCoordinates(box++), place) << print(layout);
  }
  EXPECT_GT(numSome, 2000);
  EXPECT_GT(numReplicas, 200);
}

TEST(LayoutAlgebra, InvertIndexMaps) {
  LayoutGenerator generator(17);
  int numSome = 0;
  for (int i = 0; i < 20000; ++i) {
    IndexMap map = getInnerMap(generator, 36);
    if (i % 4 == 0) {
      // Digits in another order, some of them backwards.
      auto layout = permute({{{36, 1, Axis::Reg}}, {}, {}}, {3, 2, 6},
                            generator.getPermutation(3));
      map = {};
      for (const Mode &mode : layout->modes) {
        bool down = generator.pick(0, 1);
        map.modes.push_back({mode.extent, down ? -mode.stride : mode.stride});
        map.offset += down ? (mode.extent - 1) * mode.stride : 0;
      }
    }
    std::set<int64_t> values;
    for (int64_t n = 0; n < map.getNumIndices(); ++n)
      values.insert(map.apply(n));
    bool isBijection = int64_t(values.size()) == map.getNumIndices() &&
                       *values.begin() == 0 &&
                       *values.rbegin() == map.getNumIndices() - 1;
    auto inverse = invert(map);
    ASSERT_EQ(inverse.has_value(), isBijection) << print(map);
    if (!inverse)
      continue;
    numSome += map.getNumIndices() > 3;
    auto left = compose(*inverse, map), right = compose(map, *inverse);
    ASSERT_TRUE(left && right);
    EXPECT_EQ(canonicalize(*left),
              canonicalize(getIdentity(map.getNumIndices())));
    EXPECT_EQ(*left, *right);
  }
  EXPECT_GT(numSome, 4000);
}

/// What the pieces are for: which element of memory a register holds.
TEST(LayoutAlgebra, MemoryBehindRegisters) {
  Layout memory = parseLayout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)");
  Layout registers = parseLayout("(64, 2, 64) : (1@tid, 64@tid, 1@reg)");
  auto element = invert(registers, {Axis::Tid, Axis::Reg});
  ASSERT_TRUE(element);
  auto places = compose(memory, *element);
  ASSERT_TRUE(places);
  EXPECT_EQ(print(*places), "(128, 64) : (1@tlane, 1@tcol)");
}

} // namespace
