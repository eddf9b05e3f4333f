//===- LayoutConversionsTest.cpp - Layouts in other notations -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/LayoutConversions.h"
#include "LayoutTestUtils.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

//===----------------------------------------------------------------------===//
// Linear bases
//===----------------------------------------------------------------------===//

/// The elements at all places, by the definition of linear bases. Each basis is
/// a row-major index: for sizes that are powers of two that is linear, too.
std::map<Coordinates, int64_t> getElements(const LinearBases &bases) {
  std::map<Coordinates, int64_t> elements = {{Coordinates{}, 0}};
  for (const LinearBases::Input &input : bases.inputs)
    for (size_t bit = 0; bit < input.bases.size(); ++bit) {
      auto before = elements;
      for (const auto &[place, element] : before) {
        Coordinates moved = place;
        moved[static_cast<unsigned>(input.axis)] += int64_t(1) << bit;
        elements[moved] = element ^ linearize(input.bases[bit], bases.shape);
      }
    }
  return elements;
}

std::vector<Places> getPlaces(const LinearBases &bases) {
  std::vector<Places> places(multiply(bases.shape));
  for (const auto &[place, element] : getElements(bases))
    places[element].insert(place);
  return places;
}

std::string convertBases(llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
  std::string reason;
  auto bases = parseLinearBases(text, shape, &reason);
  if (!bases)
    return reason;
  auto layout = fromLinearBases(*bases, &reason);
  return layout ? print(*layout) : reason;
}

TEST(LayoutConversions, LinearExamples) {
  // A row of 128 for each thread.
  llvm::StringRef rows = "{register = [[0, 1], [0, 2], [0, 4]], "
                         "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], "
                         "warp = [[32, 0], [64, 0]]}";
  EXPECT_EQ(convertBases(rows, {128, 8}), "(128, 8) : (1@tid, 1@reg)");
  auto bases =
      toLinearBases(parseLayout("(128, 8) : (1@tid, 1@reg)"), {128, 8});
  ASSERT_TRUE(bases);
  EXPECT_EQ(print(*bases), rows);
  // One instruction 16x64b.x2: even lanes have rows 0 to 7, odd ones 8 to 15.
  EXPECT_EQ(convertBases("{register = [[0, 2]], "
                         "lane = [[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]], "
                         "warp = [], block = []}",
                         {16, 4}),
            "(2, 8, 2, 2) : (1@tid, 4@tid, 1@reg, 2@tid)");
  // Zero bases are replicas.
  EXPECT_EQ(convertBases("{lane = [[1], [0]], register = [[0], [2]]}", {4}),
            "(2, 2) : (2@reg, 1@tid) * (2 : 1@reg, 2 : 2@tid)");
  // Memory.
  EXPECT_EQ(convertBases("{row = [[1, 0], [0, 2]], col = [[0, 1]]}", {2, 4}),
            "(2, 2, 2) : (1@tlane, 2@tlane, 1@tcol)");
  EXPECT_EQ(convertBases("{}", {1}), "(1) : (0@reg)");
}

TEST(LayoutConversions, LinearReasons) {
  EXPECT_EQ(convertBases("{register = [[1], [3]]}", {4}),
            "expected bases with one bit, but got several in that of "
            "register 2");
  EXPECT_EQ(convertBases("{register = [[1], [2]], lane = [[2]]}", {4}),
            "expected bases with no bit in common, but got the same for "
            "register 2 and lane 1");
  EXPECT_EQ(
      convertBases("{register = [[2]]}", {4}),
      "expected every element at some place, but got none for element (1)");
  EXPECT_EQ(convertBases("{register = [[4]]}", {4}),
            "expected an element of the tile as the basis of register 1");
  EXPECT_EQ(convertBases("{register = [[1, 0]]}", {4}),
            "expected an element of the tile as the basis of register 1");
  llvm::StringRef sizes = "expected sizes that are powers of two and multiply "
                          "to less than 2^31, but got ";
  EXPECT_EQ(convertBases("{}", {6}), (sizes + "6").str());
  EXPECT_EQ(convertBases("{}", {0}), (sizes + "0").str());
  EXPECT_EQ(convertBases("{}", {INT64_MIN}),
            (sizes + "-9223372036854775808").str());
  EXPECT_EQ(convertBases("{}", {1 << 30, 2}), (sizes + "2").str());
  EXPECT_EQ(convertBases("{lane = [[1]], lane = []}", {2}),
            "expected warps and lanes, each axis once, with at most 30 bases, "
            "but got others for lane");
  EXPECT_EQ(convertBases("{lane = [[1]], row = [[0]]}", {2}),
            "expected axes of memory or axes of registers, but got both");
  for (llvm::StringRef text :
       {"", "{", "{}}", "{lane}", "{lane = }", "{lane = [[1]}", "{lane = [1]}",
        "{lane = [[1,]]}", "{tid = []}", "{block = [[1]]}", "{lane = [],}",
        "{lane = [[99999999999999999999]]}"})
    EXPECT_TRUE(llvm::StringRef(convertBases(text, {2}))
                    .starts_with("expected {name = "))
        << text.str();
}

/// Is the set of numbers a sum of steps? Tries all.
bool isSumOfSteps(const std::set<int64_t> &set, std::set<int64_t> sums = {0},
                  int64_t stride = 1) {
  if (sums == set)
    return true;
  for (; stride <= *set.rbegin(); ++stride)
    for (int64_t extent = 2;; ++extent) {
      std::set<int64_t> next;
      for (int64_t sum : sums)
        for (int64_t i = 0; i < extent; ++i)
          next.insert(sum + i * stride);
      if (!std::includes(set.begin(), set.end(), next.begin(), next.end()))
        break;
      if (next != sums && isSumOfSteps(set, next, stride))
        return true;
    }
  return false;
}

/// Is there any layout, with replicas, that has these places?
bool isSomeReplicatedLayout(const std::vector<Places> &places) {
  if (llvm::any_of(places, [](const Places &p) { return p.empty(); }))
    return false;
  std::set<int64_t> sets[numAxes];
  size_t product = 1;
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    for (const Coordinates &place : places[0])
      sets[axis].insert(place[axis]);
    std::set<int64_t> fromZero;
    for (int64_t value : sets[axis])
      fromZero.insert(value - *sets[axis].begin());
    product *= fromZero.size();
    if (!isSumOfSteps(fromZero))
      return false;
  }
  if (product != places[0].size())
    return false;
  for (const Places &other : places) {
    Coordinates distance = getDistance(places[0], other);
    Places moved;
    for (Coordinates place : places[0]) {
      for (unsigned axis = 0; axis < numAxes; ++axis)
        place[axis] += distance[axis];
      moved.insert(place);
    }
    if (moved != other)
      return false;
  }
  return isSomeLayout(places);
}

TEST(LayoutConversions, FromLinearIsExact) {
  LayoutGenerator generator(31);
  int numSome = 0, numNone = 0, numReplicas = 0;
  for (int i = 0; i < 40000; ++i) {
    LinearBases bases;
    bases.shape = {int64_t(1) << generator.pick(0, 2),
                   int64_t(1) << generator.pick(0, 2)};
    bool memory = generator.pick(0, 1);
    bool single = generator.pick(0, 3) != 0;
    for (Axis axis : memory ? std::vector<Axis>{Axis::TLane, Axis::TCol}
                            : std::vector<Axis>{Axis::Reg, Axis::Lane}) {
      auto &input = bases.inputs.emplace_back();
      input.axis = axis;
      for (int64_t n = generator.pick(0, 3); n > 0; --n) {
        int64_t size = multiply(bases.shape);
        int64_t element = generator.pick(0, size - 1);
        if (single)
          element = (int64_t(1) << generator.pick(0, 5)) % size;
        auto index = delinearize(element, bases.shape);
        input.bases.emplace_back(index.begin(), index.end());
      }
    }
    auto places = getPlaces(bases);
    auto layout = fromLinearBases(bases);
    ASSERT_EQ(layout.has_value(), isSomeReplicatedLayout(places))
        << print(bases);
    ++(layout ? numSome : numNone);
    if (!layout)
      continue;
    numReplicas += !layout->replicas.empty();
    EXPECT_EQ(normalizeThreads(enumerate(*layout)), normalizeThreads(places))
        << print(bases);
    auto back = toLinearBases(*layout, bases.shape);
    ASSERT_TRUE(back) << print(bases);
    EXPECT_EQ(getElements(*back), getElements(bases)) << print(bases);
  }
  EXPECT_GT(numSome, 2000);
  EXPECT_GT(numNone, 10000);
  EXPECT_GT(numReplicas, 500);
}

/// Are the places those of linear bases? By the definition: all places of a box
/// from 0, sizes powers of two, and the element at each the exclusive or of
/// those at its bits.
bool areLinear(std::vector<Places> places) {
  std::map<Coordinates, int64_t> elements;
  Coordinates sizes = {};
  for (size_t e = 0; e < places.size(); ++e)
    for (const Coordinates &place : places[e]) {
      if (!elements.insert({place, e}).second)
        return false;
      for (unsigned axis = 0; axis < numAxes; ++axis)
        sizes[axis] = std::max(sizes[axis], place[axis] + 1);
    }
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (!llvm::isPowerOf2_64(size))
      return false;
    product *= size;
  }
  if (product != int64_t(elements.size()) || !elements.count(Coordinates{}))
    return false;
  for (const auto &[place, element] : elements) {
    int64_t expected = 0;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      for (int64_t bit = 1; bit <= place[axis]; bit *= 2) {
        Coordinates unit = {};
        unit[axis] = bit;
        if (place[axis] & bit)
          expected ^= elements[unit];
      }
    if (expected != element)
      return false;
  }
  return true;
}

TEST(LayoutConversions, ToLinearIsExact) {
  LayoutGenerator generator(32);
  generator.strides = {-1, 1, 1, 2, 2, 4, 4, 8, 16, 32};
  int numSome = 0, numNone = 0, numReplicas = 0;
  for (int i = 0; i < 60000; ++i) {
    Layout layout = generator.get(32);
    if (generator.pick(0, 3))
      layout.offsets.clear();
    int64_t size = layout.getNumElements();
    Index shape = generator.getShape(size);
    auto bases = toLinearBases(layout, shape);
    auto places = normalizeThreads(enumerate(layout));
    ASSERT_EQ(bases.has_value(), llvm::isPowerOf2_64(size) && areLinear(places))
        << print(layout);
    ++(bases ? numSome : numNone);
    if (!bases)
      continue;
    numReplicas += layout.getNumReplicas() > 1;
    EXPECT_EQ(normalizeThreads(getPlaces(*bases)), places) << print(layout);
    auto back = fromLinearBases(*bases);
    ASSERT_TRUE(back);
    EXPECT_EQ(haveSamePlaces(*back, layout), Decision::Yes) << print(layout);
  }
  EXPECT_GT(numSome, 500);
  EXPECT_GT(numNone, 10000);
  EXPECT_GT(numReplicas, 50);
}

TEST(LayoutConversions, ToLinearReasons) {
  auto why = [](llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
    std::string reason = "linear";
    toLinearBases(parseLayout(text), shape, &reason);
    return reason;
  };
  EXPECT_EQ(why("(8) : (1@tid)", {4}),
            "expected a shape of 8 elements, but got 4");
  EXPECT_EQ(why("(8) : (2@tid)", {8}),
            "expected an element at every place, but got gaps along lane");
  EXPECT_EQ(why("(2, 4) : (3@reg, 1@reg)", {8}),
            "expected strides that are powers of two, each bit once, but got "
            "others along reg");
  EXPECT_EQ(why("(8) : (-1@reg) + (7@reg)", {8}),
            "expected strides that are powers of two, each bit once, but got "
            "others along reg");
  EXPECT_EQ(why("(8) : (1@reg) + (8@reg)", {8}),
            "expected places that start at 0, but got others along reg");
  EXPECT_EQ(why("(1073741824) : (1073741824@reg)", {1073741824}),
            "expected an element at every place, but got gaps along reg");
  EXPECT_EQ(why("(1) : (1@reg) * (0 : 1@reg)", {1}),
            "expected an extent of at least 1, but got 0");
}

} // namespace
