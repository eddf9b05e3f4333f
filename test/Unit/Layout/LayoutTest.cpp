//===- LayoutTest.cpp - Layouts of tiles in TMEM and registers ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Layout.h"
#include "LayoutTestUtils.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

TEST(Layout, AxisNames) {
  for (llvm::StringRef name : {"tlane", "tcol", "warp", "lane", "reg", "tid"})
    EXPECT_EQ(stringifyAxis(*symbolizeAxis(name)), name);
  EXPECT_EQ(symbolizeAxis("m"), std::nullopt);
}

TEST(Layout, Print) {
  for (llvm::StringRef text :
       {"(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)",
        "(8) : (-1@tid) + (16@tid, 3@reg)",
        "(8) : (1@tlane) * (4 : 32@tlane, 2 : 64@tcol)",
        "(8, 3) : (0@tlane, 1@tcol) + (2@tcol) * (2 : 64@tcol)"})
    EXPECT_EQ(print(parseLayout(text)), text.str());
}

TEST(Layout, MapIsItsDefinition) {
  LayoutGenerator generator(1);
  for (int i = 0; i < 300; ++i) {
    Layout layout = generator.get();
    std::vector<Places> expected = enumerate(layout);
    ASSERT_EQ(layout.getNumElements(), int64_t(expected.size()));
    int64_t next = 0;
    forEachElement(layout, [&](int64_t element, const Coordinates &first) {
      EXPECT_EQ(element, next++);
      EXPECT_EQ(first, layout.getCoordinates(element));
      Places places;
      for (Coordinates place : layout.getReplicaOffsets()) {
        for (unsigned axis = 0; axis < numAxes; ++axis)
          place[axis] += first[axis];
        places.insert(place);
      }
      EXPECT_EQ(places, expected[element]) << print(layout);
    });
    EXPECT_EQ(next, layout.getNumElements());
    EXPECT_EQ(int64_t(layout.getReplicaOffsets().size()),
              layout.getNumReplicas());
  }
}

TEST(Layout, RangeIsExact) {
  LayoutGenerator generator(2);
  for (int i = 0; i < 300; ++i) {
    Layout layout = generator.get();
    for (unsigned axis = 0; axis < numAxes; ++axis) {
      std::set<int64_t> values;
      for (const Places &places : enumerate(layout))
        for (const Coordinates &place : places)
          values.insert(place[axis]);
      EXPECT_EQ(layout.getRange(static_cast<Axis>(axis)),
                std::make_pair(*values.begin(), *values.rbegin()));
    }
  }
}

TEST(Layout, Kinds) {
  EXPECT_TRUE(parseLayout("(2, 2) : (1@tlane, 1@tcol)").isMemoryLayout());
  EXPECT_FALSE(parseLayout("(2, 2) : (1@tlane, 1@tcol)").isRegisterLayout());
  EXPECT_TRUE(parseLayout("(2) : (1@tid) * (2 : 1@reg)").isRegisterLayout());
  Layout mixed = parseLayout("(2) : (1@tid) + (1@tcol)");
  EXPECT_FALSE(mixed.isRegisterLayout() || mixed.isMemoryLayout());
  EXPECT_TRUE(mixed.usesAxis(Axis::TCol));
  EXPECT_FALSE(mixed.usesAxis(Axis::Reg));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

void expectRule(const Layout &layout, Rule rule, llvm::StringRef message) {
  auto violation = verifyLayout(layout);
  ASSERT_TRUE(violation);
  EXPECT_EQ(getRuleId(violation->rule).str(), getRuleId(rule).str());
  EXPECT_EQ(violation->message, message.str());
}

TEST(Layout, Verifies) {
  for (llvm::StringRef text :
       {"(1) : (0@tlane)", "(2147483647) : (2147483647@tlane)",
        "(2, 1) : (1@warp, -2147483647@lane)", "(2) : (1@tid) * (2 : 0@reg)"})
    EXPECT_FALSE(verifyLayout(parseLayout(text))) << text.str();
}

TEST(Layout, L1_ExtentBelowOne) {
  expectRule(parseLayout("(4, 0) : (1@tlane, 1@tcol)"), Rule::L1,
             "expected an extent of at least 1, but got 0");
  expectRule(parseLayout("(4) : (1@tlane) * (-2 : 1@tcol)"), Rule::L1,
             "expected an extent of at least 1, but got -2");
}

TEST(Layout, L2_NoMode) {
  expectRule(Layout(), Rule::L2, "expected at least one extent, but got none");
}

TEST(Layout, L3_ProductTooLarge) {
  llvm::StringRef message = "expected extents and replica counts whose product "
                            "is less than 2^31, but got more";
  expectRule(parseLayout("(65536, 32768) : (1@tlane, 1@tcol)"), Rule::L3,
             message);
  expectRule(parseLayout("(65536) : (1@tlane) * (32768 : 1@tcol)"), Rule::L3,
             message);
  expectRule(parseLayout("(9223372036854775807, 9223372036854775807) : "
                         "(1@tlane, 1@tcol)"),
             Rule::L3, message);
}

TEST(Layout, L4_StepTooLarge) {
  expectRule(parseLayout("(1) : (2147483648@tlane)"), Rule::L4,
             "expected a stride between -2^31 and 2^31, but got 2147483648");
  expectRule(parseLayout("(2) : (1@tlane) * (1 : -2147483648@tlane)"), Rule::L4,
             "expected a stride between -2^31 and 2^31, but got -2147483648");
  expectRule(parseLayout("(2) : (1@tlane) + (2147483648@tcol)"), Rule::L4,
             "expected an offset between -2^31 and 2^31, but got 2147483648");
  expectRule(
      parseLayout("(2) : (1@tlane) + (2147483647@tcol, 1@tcol)"), Rule::L4,
      "expected offsets of an axis between -2^31 and 2^31, but got 2147483648");
}

TEST(Layout, L5_BothKindsOfAxes) {
  expectRule(parseLayout("(2, 2) : (1@tlane, 1@reg)"), Rule::L5,
             "expected axes of memory or axes of registers, but got both");
}

TEST(Layout, L6_ThreadsNamedTwice) {
  expectRule(parseLayout("(2, 2) : (1@tid, 1@warp)"), Rule::L6,
             "expected threads by tid or by warp and lane, but got both");
  expectRule(parseLayout("(2) : (1@tid) + (1@lane)"), Rule::L6,
             "expected threads by tid or by warp and lane, but got both");
}

//===----------------------------------------------------------------------===//
// The canonical form
//===----------------------------------------------------------------------===//

TEST(Layout, CanonicalForms) {
  std::pair<llvm::StringRef, llvm::StringRef> forms[] = {
      // Contiguous modes merge, unit modes go.
      {"(2, 1, 4, 8) : (32@tlane, 7@tcol, 8@tlane, 1@tlane)",
       "(64) : (1@tlane)"},
      {"(2, 64) : (32@tlane, 1@tcol)", "(2, 64) : (32@tlane, 1@tcol)"},
      {"(4, 4) : (-4@tlane, -1@tlane)", "(16) : (-1@tlane)"},
      // Modes that do not move have no axis of their own.
      {"(2, 3, 4) : (0@tcol, 0@tlane, 1@tcol)", "(6, 4) : (0@tlane, 1@tcol)"},
      {"(1, 1) : (5@tid, 6@reg)", "(1) : (0@reg)"},
      {"(1) : (5@tcol)", "(1) : (0@tlane)"},
      // One name for threads.
      {"(4, 32, 8) : (1@warp, 1@lane, 1@reg)", "(128, 8) : (1@tid, 1@reg)"},
      {"(32) : (1@lane) + (2@warp, 0@reg)", "(32) : (1@tid) + (64@tid)"},
      {"(33) : (1@lane)", "(33) : (1@lane)"},
      {"(2) : (1073741824@warp)", "(2) : (1073741824@warp)"},
      // Offsets: one an axis.
      {"(2) : (1@tlane) + (3@tcol, 4@tlane, -3@tcol)",
       "(2) : (1@tlane) + (4@tlane)"},
      // Replicas: a set of places.
      {"(2) : (1@tlane) * (2 : 32@tlane, 3 : 0@tcol, 2 : 64@tlane)",
       "(2) : (1@tlane) * (4 : 32@tlane)"},
      {"(2) : (1@tlane) + (64@tlane) * (3 : -32@tlane)",
       "(2) : (1@tlane) * (3 : 32@tlane)"},
  };
  for (auto [before, after] : forms)
    EXPECT_EQ(print(canonicalize(parseLayout(before))), after.str());
}

TEST(Layout, CanonicalFormMeansTheSame) {
  LayoutGenerator generator(3);
  for (int i = 0; i < 2000; ++i) {
    Layout layout = generator.get();
    Layout canonical = canonicalize(layout);
    EXPECT_EQ(normalizeThreads(enumerate(layout)),
              normalizeThreads(enumerate(canonical)))
        << print(layout);
    EXPECT_EQ(canonicalize(canonical), canonical) << print(layout);
    EXPECT_FALSE(verifyLayout(canonical));
    EXPECT_EQ(canonical.isMemoryLayout(), layout.isMemoryLayout());
  }
}

/// Every pair of layouts without replicas and with the same map.
TEST(Layout, SameMapSameCanonicalForm) {
  LayoutGenerator generator(4);
  generator.maxReplicas = 0;
  generator.strides = {-1, 0, 1, 2, 3, 4, 6, 8, 32, 64};
  std::map<std::pair<bool, std::vector<Places>>, Layout> canonicals;
  int numEqual = 0;
  for (int i = 0; i < 30000; ++i) {
    Layout layout = generator.get(12);
    Layout canonical = canonicalize(layout);
    auto [known, isNew] = canonicals.insert(
        {{layout.isMemoryLayout(), normalizeThreads(enumerate(layout))},
         canonical});
    EXPECT_EQ(known->second, canonical) << print(layout);
    numEqual += !isNew;
  }
  EXPECT_GT(numEqual, 10000);
}

//===----------------------------------------------------------------------===//
// Dimensions and windows
//===----------------------------------------------------------------------===//

TEST(Layout, SplitModes) {
  auto split = [](llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<unsigned> expectedCounts) -> std::string {
    llvm::SmallVector<unsigned, 4> counts;
    auto layout = splitModes(parseLayout(text), shape, counts);
    if (!layout)
      return "none";
    EXPECT_EQ(llvm::ArrayRef<unsigned>(counts), expectedCounts);
    return print(*layout);
  };
  EXPECT_EQ(split("(128) : (1@tlane)", {4, 32}, {1, 1}),
            "(4, 32) : (32@tlane, 1@tlane)");
  EXPECT_EQ(
      split("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)", {64, 128}, {1, 2}),
      "(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)");
  EXPECT_EQ(split("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol) + (2@tcol)",
                  {1, 16, 4, 1, 128}, {0, 1, 1, 0, 2}),
            "(16, 4, 2, 64) : (4@tlane, 1@tlane, 64@tlane, 1@tcol) + (2@tcol)");
  // Merging comes first: modes of 2 and 3 can be one of 6.
  EXPECT_EQ(split("(2, 3) : (3@tcol, 1@tcol)", {3, 2}, {1, 1}),
            "(3, 2) : (2@tcol, 1@tcol)");
  EXPECT_EQ(split("(2, 3) : (1@tlane, 1@tcol)", {3, 2}, {}), "none");
  EXPECT_EQ(split("(4) : (1@tlane)", {5}, {}), "none");
  EXPECT_EQ(split("(4) : (1@tlane)", {-2, -2}, {}), "none");
  EXPECT_EQ(split("(1) : (9@tcol)", {1, 1}, {1, 0}), "(1) : (0@tlane)");
}

TEST(Layout, SplitModesIsComplete) {
  LayoutGenerator generator(5);
  int numNone = 0;
  for (int i = 0; i < 3000; ++i) {
    Layout layout = generator.get(36);
    auto shape = generator.getShape(layout.getNumElements());
    llvm::SmallVector<unsigned, 4> counts;
    auto split = splitModes(layout, shape, counts);
    auto places = enumerate(layout);
    if (!split) {
      ++numNone;
      EXPECT_FALSE(followsDims(places, shape)) << print(layout);
      continue;
    }
    EXPECT_EQ(enumerate(*split), places);
    auto mode = split->modes.begin();
    for (auto [size, count] : llvm::zip(shape, counts)) {
      int64_t product = 1;
      for (unsigned n = 0; n < count; ++n)
        product *= (mode++)->extent;
      EXPECT_EQ(product, size);
    }
    EXPECT_EQ(mode, split->modes.end());
  }
  EXPECT_GT(numNone, 100);
}

TEST(Layout, Permute) {
  Layout layout = parseLayout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)");
  EXPECT_EQ(print(*permute(layout, {64, 128}, {1, 0})),
            "(2, 64, 64) : (64@tlane, 1@tcol, 1@tlane)");
  EXPECT_FALSE(permute(layout, {64, 128}, {1, 1}));
  EXPECT_FALSE(permute(layout, {64, 128}, {0}));
  EXPECT_FALSE(permute(layout, {64, 64}, {1, 0}));
}

TEST(Layout, PermuteMovesElements) {
  LayoutGenerator generator(6);
  int numSome = 0;
  for (int i = 0; i < 2000; ++i) {
    Layout layout = generator.get(36);
    auto shape = generator.getShape(layout.getNumElements());
    auto order = generator.getPermutation(shape.size());
    auto permuted = permute(layout, shape, order);
    if (!permuted)
      continue;
    ++numSome;
    auto before = enumerate(layout), after = enumerate(*permuted);
    llvm::SmallVector<int64_t, 4> newShape;
    for (unsigned dim : order)
      newShape.push_back(shape[dim]);
    for (size_t e = 0; e < after.size(); ++e) {
      auto to = delinearize(e, newShape);
      llvm::SmallVector<int64_t, 4> from(shape.size());
      for (auto [dim, index] : llvm::zip(order, to))
        from[dim] = index;
      EXPECT_EQ(after[e], before[linearize(from, shape)]);
    }
  }
  EXPECT_GT(numSome, 500);
}

TEST(Layout, Slice) {
  auto window = [](llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> offsets,
                   llvm::ArrayRef<int64_t> sizes) -> std::string {
    auto layout = slice(parseLayout(text), shape, offsets, sizes);
    return layout ? print(*layout) : "none";
  };
  llvm::StringRef b = "(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)";
  // Within one digit of the outer mode.
  EXPECT_EQ(window(b, {64, 128}, {0, 64}, {64, 64}),
            "(64, 64) : (1@tlane, 1@tcol) + (64@tlane)");
  EXPECT_EQ(window(b, {64, 128}, {16, 72}, {16, 8}),
            "(16, 8) : (1@tlane, 1@tcol) + (80@tlane, 8@tcol)");
  // Several outer digits, a full inner mode.
  llvm::StringRef f = "(4, 16, 64) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane)";
  EXPECT_EQ(window(f, {64, 64}, {16, 0}, {32, 64}),
            "(2, 16, 64) : (32@tlane, 1@tlane, 1@tcol) + (48@tlane)");
  // Half an inner mode on either side of an outer step is even, too.
  EXPECT_EQ(window(f, {64, 64}, {8, 0}, {16, 64}),
            "(2, 8, 64) : (24@tlane, 1@tlane, 1@tcol) + (24@tlane)");
  EXPECT_EQ(window(f, {64, 64}, {8, 0}, {24, 64}), "none");
  // Across columns and lanes there is no stride.
  EXPECT_EQ(window(b, {64, 128}, {0, 32}, {64, 64}), "none");
  // Replicas stay.
  EXPECT_EQ(window("(32, 8) : (1@tlane, 1@tcol) * (4 : 32@tlane)", {32, 8},
                   {0, 4}, {32, 1}),
            "(32) : (1@tlane) + (4@tcol) * (4 : 32@tlane)");
  EXPECT_EQ(window(b, {64, 128}, {5, 70}, {1, 1}),
            "(1) : (0@tlane) + (69@tlane, 6@tcol)");
  EXPECT_EQ(window(b, {64, 128}, {0, 64}, {64, 65}), "none");
  EXPECT_EQ(window(b, {64, 128}, {0, -1}, {64, 2}), "none");
  EXPECT_EQ(window(b, {64, 128}, {0, 0}, {64, 0}), "none");
  EXPECT_EQ(window(b, {64, 128}, {0}, {64}), "none");
}

TEST(Layout, SliceIsComplete) {
  LayoutGenerator generator(7);
  int numNone = 0, numUneven = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout layout = generator.get(48);
    auto shape = generator.getShape(layout.getNumElements());
    auto [offsets, sizes] = generator.getWindow(shape);
    auto places = enumerate(layout);
    std::vector<Places> expected;
    for (int64_t e = 0, n = multiply(sizes); e < n; ++e) {
      auto index = delinearize(e, sizes);
      for (size_t dim = 0; dim < index.size(); ++dim)
        index[dim] += offsets[dim];
      expected.push_back(places[linearize(index, shape)]);
    }
    auto window = slice(layout, shape, offsets, sizes);
    if (window)
      EXPECT_EQ(enumerate(*window), expected) << print(layout);
    else
      EXPECT_FALSE(isSomeLayout(expected)) << print(layout);
    numNone += !window;
    numUneven += window && !followsDims(places, shape);
  }
  EXPECT_GT(numNone, 100);
  EXPECT_GT(numUneven, 10);
}

TEST(Layout, LargeLayoutsAreNotWalked) {
  Layout large = parseLayout("(1048576, 2047) : (1@tlane, 2147483647@tcol)");
  EXPECT_FALSE(verifyLayout(large));
  EXPECT_EQ(canonicalize(large), large);
  EXPECT_EQ(large.getRange(Axis::TCol).second, 2046 * 2147483647LL);
  llvm::SmallVector<unsigned, 4> counts;
  EXPECT_TRUE(splitModes(large, {1024, 1024, 2047}, counts));
  EXPECT_TRUE(slice(large, {1048576, 2047}, {7, 0}, {1, 2047}));
  EXPECT_TRUE(slice(large, {1048576, 2047}, {0, 7}, {1048576, 1}));
  EXPECT_EQ(large.getCoordinates(2047)[0], 1);
}

} // namespace
