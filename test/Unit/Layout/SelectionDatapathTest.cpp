//===- SelectionDatapathTest.cpp - All data paths at all sizes ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accumulators of tcgen05.mma, with inferred registers. How many issues
// each shape needs follows from the width alone; at some sizes brute force
// confirms it.
//
//===----------------------------------------------------------------------===//

#include "SelectionSearch.h"
#include "SelectionTestUtils.h"
#include "tmem/Layout/Datapaths.h"
#include <iostream>
#include <set>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

//===----------------------------------------------------------------------===//
// The letters
//===----------------------------------------------------------------------===//

/// (facts of the PTX ISA, "Data Path Layout Organization")
Cell getDatapathCell(char letter, int64_t half, int64_t i, int64_t j,
                     int64_t columns) {
  switch (letter) {
  case 'B':
  case 'E':
    return {i + 64 * (j / (columns / 2)), j % (columns / 2)};
  case 'C':
  case 'F':
    return {32 * (i / 16) + 16 * half + i % 16, j};
  case 'G':
    return {i + 32 * (j / (columns / 4)), j % (columns / 4)};
  default:
    return {i, j};
  }
}

Layout expand(char letter, int64_t half, llvm::ArrayRef<int64_t> shape,
              unsigned bits) {
  return std::get<Layout>(
      expandDatapath(llvm::StringRef(&letter, 1), half, shape, bits));
}

TEST(SelectionDatapath, LettersStandWhereTheISASays) {
  for (const DatapathRow &row : getDatapathRows())
    for (int64_t half = 0; half <= (row.hasHalf ? 1 : 0); ++half)
      for (unsigned bits : {16, 32}) {
        int64_t columns = 12;
        Layout layout = expand(row.letter, half, {row.rows, columns}, bits);
        for (int64_t e = 0; e < row.rows * columns; ++e) {
          Cell cell = getDatapathCell(row.letter, half, e / columns,
                                      e % columns, columns);
          Coordinates place = layout.getCoordinates(e);
          ASSERT_EQ(place[0], cell.lane) << row.letter;
          ASSERT_EQ(place[1] * bits, cell.column * 32) << row.letter;
        }
      }
}

/// Each CTA of a pair has half of the rows, and TMEM is taken in full or by
/// half: cells of all lanes that hold nothing are none or half of them.
TEST(SelectionDatapath, TilesOfOneCTA) {
  struct Producer {
    char letter;
    int64_t m, ctas, columnsPerN; ///< One in so many of N's columns.
    bool isFull;
  };
  constexpr Producer producers[] = {
      {'A', 256, 2, 1, true}, {'B', 128, 2, 2, true}, {'C', 128, 2, 1, false},
      {'D', 128, 1, 1, true}, {'E', 64, 1, 2, true},  {'F', 64, 1, 1, false},
      {'G', 32, 1, 4, true}};
  constexpr int64_t n = 48;
  ASSERT_EQ(getDatapathRows().size(), std::size(producers));
  for (const Producer &producer : producers) {
    int64_t rows = producer.m / producer.ctas;
    Layout layout = expand(producer.letter, 0, {rows, n}, 32);
    std::set<std::pair<int64_t, int64_t>> cells;
    for (int64_t e = 0; e < rows * n; ++e) {
      Coordinates place = layout.getCoordinates(e);
      EXPECT_TRUE(cells.insert({place[0], place[1]}).second);
    }
    EXPECT_EQ(cells.size(), size_t(rows * n)) << producer.letter;
    EXPECT_EQ(cells.size() * (producer.isFull ? 1 : 2),
              size_t(128 * n / producer.columnsPerN))
        << producer.letter;
    // The whole accumulator of a pair is no tile.
    EXPECT_EQ(
        std::holds_alternative<Violation>(expandDatapath(
            llvm::StringRef(&producer.letter, 1), 0, {producer.m, n}, 32)),
        producer.ctas == 2)
        << producer.letter;
  }
}

TEST(SelectionDatapath, D1_D2_D3_D4_D5_WrongTiles) {
  auto refuse = [](llvm::StringRef letter, int64_t half,
                   llvm::ArrayRef<int64_t> shape, unsigned bits, Rule rule,
                   llvm::StringRef message) {
    auto result = expandDatapath(letter, half, shape, bits);
    auto *violation = std::get_if<Violation>(&result);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, rule);
    EXPECT_EQ(violation->message, message.str());
  };
  refuse("B", 0, {128, 64}, 32, Rule::D1,
         "expected a tile of 64 rows and some columns for datapath B, but got "
         "the shape 128x64");
  refuse("H", 0, {128, 64}, 32, Rule::D5,
         "expected a datapath from A to G, but got H");
  refuse("G", 0, {32, 6}, 32, Rule::D2,
         "expected a multiple of 4 columns for datapath G, but got 6");
  refuse("D", 1, {128, 64}, 32, Rule::D3,
         "expected no half for datapath D, but got 1");
  refuse("F", 2, {64, 64}, 32, Rule::D3,
         "expected the half 0 or 1 for datapath F, but got 2");
  refuse("D", 0, {128, 64}, 8, Rule::D4,
         "expected elements of 16 or 32 bits for datapath D, but got 8");
}

/// Columns that no layout has. Of those that no TMEM has views take care.
TEST(SelectionDatapath, V1_L3_Columns) {
  auto expand = [](llvm::StringRef letter, int64_t rows,
                   int64_t columns) -> std::string {
    auto result = expandDatapath(letter, 0, {rows, columns}, 32);
    if (auto *violation = std::get_if<Violation>(&result))
      return (getRuleId(violation->rule) + ": " + violation->message).str();
    const Layout &layout = std::get<Layout>(result);
    EXPECT_FALSE(verifyLayout(layout));
    return std::to_string(layout.getNumElements()) + " elements";
  };
  EXPECT_EQ(expand("B", 64, -128),
            "V1: expected dimensions of at least 1, but got -128");
  EXPECT_EQ(expand("D", 128, 0),
            "V1: expected dimensions of at least 1, but got 0");
  EXPECT_EQ(expand("B", 64, int64_t(1) << 40),
            "L3: expected a tile of less than 2^31 elements, but got "
            "64x1099511627776");
  EXPECT_EQ(expand("B", 64, int64_t(1) << 62),
            "L3: expected a tile of less than 2^31 elements, but got "
            "64x4611686018427387904");
  EXPECT_EQ(expand("F", 64, int64_t(1) << 25),
            "L3: expected a tile of less than 2^31 elements, but got "
            "64x33554432");
  EXPECT_EQ(expand("F", 64, (int64_t(1) << 25) - 1), "2147483584 elements");
  EXPECT_EQ(expand("D", 128, 1024), "131072 elements");
}

//===----------------------------------------------------------------------===//
// All sizes
//===----------------------------------------------------------------------===//

struct ShapeFacts {
  const char *name;
  int64_t columns; ///< Of an image at x1.
  int64_t maxRepeat;
  int64_t issuesInSASS;
};
constexpr ShapeFacts shapes[] = {{"32x32b", 1, 128, 1},
                                 {"16x64b", 2, 128, 1},
                                 {"16x128b", 4, 64, 1},
                                 {"16x256b", 8, 32, 1},
                                 {"16x32bx2", 1, 128, 2}};

/// The issues of so many images beside each other; 0 if they do not fit.
int64_t countIssues(int64_t columns, int64_t perImage, int64_t maxRepeat) {
  if (columns % perImage != 0)
    return 0;
  int64_t images = columns / perImage, issues = images / maxRepeat;
  for (images %= maxRepeat; images; images &= images - 1)
    ++issues;
  return issues;
}

/// The instructions for a tile that takes `columns` cells of each lane, or of
/// one half of the lanes; 0 if the shape does not fit.
int64_t expectIssues(const ShapeFacts &shape, int64_t columns, bool isHalf,
                     bool packed) {
  int64_t perImage = shape.columns * (packed ? 2 : 1);
  int64_t halves = isHalf ? 1 : 2;
  if (llvm::StringRef(shape.name) == "32x32b")
    return isHalf ? 0 : countIssues(columns, perImage, shape.maxRepeat);
  // Two regions: the halves of the slab, or of the columns.
  if (shape.issuesInSASS == 2) {
    if (isHalf)
      return columns % 2
                 ? 0
                 : 2 * countIssues(columns / 2, perImage, shape.maxRepeat);
    return 2 * countIssues(columns, perImage, shape.maxRepeat);
  }
  return halves * countIssues(columns, perImage, shape.maxRepeat);
}

void checkDatapath(char letter, int64_t half, int64_t columns, unsigned bits) {
  const DatapathRow &row = getDatapathRows()[letter - 'A'];
  TileCase tile(
      expand(letter, half, {row.rows, columns * row.columnGroups}, bits),
      {row.rows, columns * row.columnGroups}, bits);
  InferenceResult result = inferRegisterLayout(tile.get());
  SCOPED_TRACE(std::string(1, letter) + std::to_string(half) + " with " +
               std::to_string(columns) + " columns of " + std::to_string(bits) +
               " bits");
  size_t atoms = 0;
  int64_t fewest = 1 << 20;
  for (const ShapeFacts &shape : shapes)
    for (Packing packing : {Packing::None, Packing::Pack}) {
      if (packing == Packing::Pack && bits > 16)
        continue;
      ++atoms;
      int64_t issues =
          expectIssues(shape, columns, row.hasHalf, packing == Packing::Pack);
      const InferredCandidate *found = find(result, shape.name, packing);
      ASSERT_EQ(found ? found->choice.cost.issues : 0, issues) << shape.name;
      if (!found)
        continue;
      fewest = std::min(fewest, issues);
      EXPECT_EQ(found->choice.cost.moves, 0u);
      EXPECT_TRUE(keepsWordOrder(found->choice.plan));
      if (columns % 37 == 1)
        checkInferred(tile, *found);
    }
  ASSERT_EQ(result.isFound(), fewest < 1 << 20);
  if (result.isFound()) {
    EXPECT_EQ(result.candidates.front().choice.cost.issues, fewest);
  }
  EXPECT_EQ(result.reasons.size(), atoms - (result.isFound() ? 1 : 0));
  for (const SelectionReason &reason : result.reasons)
    if (reason.kind == SelectionReason::Kind::Illegal) {
      EXPECT_TRUE(llvm::StringRef(reason.message).contains("element ("))
          << reason.message;
    }
}

/// A and D, B and E, C and F are one map each; all are 512 columns at most.
TEST(SelectionDatapath, AllSizesOf32Bits) {
  for (int64_t columns = 1; columns <= 512; ++columns) {
    checkDatapath('D', 0, columns, 32);
    checkDatapath('B', 0, columns, 32);
    checkDatapath('F', columns % 2, columns, 32);
    checkDatapath('G', 0, columns, 32);
  }
}

/// All sizes up to 64, then all widths that MMA instructions have and one size
/// in seven.
TEST(SelectionDatapath, SizesOf16Bits) {
  for (int64_t columns = 1; columns <= 512; ++columns)
    if (columns <= 64 || columns % 16 == 0 || columns % 7 == 0) {
      checkDatapath('D', 0, columns, 16);
      checkDatapath('F', columns / 2 % 2, columns, 16);
      if (columns % 3 == 0) {
        checkDatapath('B', 0, columns, 16);
        checkDatapath('G', 0, columns, 16);
      }
    }
}

TEST(SelectionDatapath, OtherLettersAreTheSame) {
  for (auto [letter, same, half] :
       {std::tuple<char, char, int>{'A', 'D', 0}, {'E', 'B', 0}, {'C', 'F', 1}})
    for (unsigned bits : {16, 32}) {
      int64_t rows = getDatapathRows()[letter - 'A'].rows;
      EXPECT_EQ(expand(letter, half, {rows, 96}, bits),
                expand(same, half, {rows, 96}, bits));
    }
}

//===----------------------------------------------------------------------===//
// Brute force
//===----------------------------------------------------------------------===//

/// Every shape, with the registers inferred for `inferred`.
void searchAtoms(const TileCase &tile, const InferredCandidate &inferred,
                 int &searched) {
  TransferCase transfer = test::withRegisters(tile, inferred.registers);
  oracle::Case c;
  c.memory.assign(tile.memory.begin(), tile.memory.end());
  c.registers = inferred.registers.layout;
  c.tileShape.assign(tile.shape.begin(), tile.shape.end());
  c.bits = tile.bits;
  c.vectorSize = inferred.registers.vectorSize;
  c.scope = tile.scope;
  SelectionResult result = selectAtom(transfer.get());
  oracle::AtomSearch search(c);
  for (const ShapeFacts &facts : shapes)
    for (bool packed : {false, true}) {
      if (packed && tile.bits > 16)
        continue;
      AtomShape shape = *symbolizeAtomShape(facts.name);
      std::vector<unsigned> repeats;
      for (unsigned n = 1; n <= facts.maxRepeat; n *= 2)
        repeats.push_back(n);
      oracle::Answer answer = search.search(shape, packed, repeats);
      auto found = llvm::find_if(result.candidates, [&](const auto &it) {
        return it.atom.shape == shape &&
               (it.atom.packing != Packing::None) == packed;
      });
      bool isFound = found != result.candidates.end();
      EXPECT_FALSE(answer.undecided);
      EXPECT_EQ(isFound, answer.legal) << facts.name;
      EXPECT_EQ(isFound ? found->cost.issues : 0,
                answer.fewest * facts.issuesInSASS)
          << facts.name;
      ++searched;
    }
}

TEST(SelectionDatapath, BruteForceAgreesAtSomeSizes) {
  int searched = 0;
  for (char letter : {'D', 'B', 'F', 'G'})
    for (int64_t columns : {1, 2, 3, 4, 7, 8, 12, 16, 24, 31, 32, 48})
      for (unsigned bits : {16, 32}) {
        const DatapathRow &row = getDatapathRows()[letter - 'A'];
        llvm::SmallVector<int64_t, 2> size = {row.rows,
                                              columns * row.columnGroups};
        TileCase tile(expand(letter, row.hasHalf, size, bits), size, bits);
        SCOPED_TRACE(std::string(1, letter) + std::to_string(columns));
        InferenceResult result = inferRegisterLayout(tile.get());
        for (const InferredCandidate &inferred : result.candidates)
          searchAtoms(tile, inferred, searched);
      }
  std::cout << searched << " searches\n";
}

/// The cheapest atom alone, up to the largest tile.
TEST(SelectionDatapath, BruteForceAgreesAtLargeSizes) {
  for (char letter : {'D', 'B', 'F', 'G'})
    for (int64_t columns : {96, 160, 255, 256, 512}) {
      const DatapathRow &row = getDatapathRows()[letter - 'A'];
      llvm::SmallVector<int64_t, 2> size = {row.rows,
                                            columns * row.columnGroups};
      TileCase tile(expand(letter, 0, size, 32), size, 32);
      InferenceResult result = inferRegisterLayout(tile.get());
      // 255 columns of F: no shape of 16 rows has an odd number.
      ASSERT_EQ(result.isFound(), letter != 'F' || columns != 255);
      if (!result.isFound())
        continue;
      const InferredCandidate &best = result.candidates.front();
      oracle::Case c;
      c.memory.assign(tile.memory.begin(), tile.memory.end());
      c.registers = best.registers.layout;
      c.tileShape.assign(size.begin(), size.end());
      c.vectorSize = best.registers.vectorSize;
      oracle::AtomSearch search(c);
      // The search forgets nothing, but gives up: no small pieces of 512.
      std::vector<unsigned> repeats = {1, 2, 4, 8, 16, 32, 64, 128};
      if (columns == 512)
        repeats = {32, 64, 128};
      oracle::Answer answer =
          search.search(best.choice.atom.shape, false, repeats);
      EXPECT_TRUE(answer.legal && !answer.undecided) << letter << columns;
      EXPECT_EQ(answer.fewest, best.choice.cost.issues) << letter << columns;
    }
}

} // namespace
