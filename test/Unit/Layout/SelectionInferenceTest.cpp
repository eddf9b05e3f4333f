//===- SelectionInferenceTest.cpp - Register layouts for tiles ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every plan is executed, as a load and as a store. Data paths:
// SelectionDatapathTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "PlannerOracleRandom.h"
#include "PlannerOracleSimulator.h"
#include "SelectionTestUtils.h"
#include <iostream>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

/// "16x64b, x32: (...), 32 elements": one line for each candidate, the cheapest
/// first.
std::string infer(const TileCase &tile, bool hasGaps = false) {
  InferenceResult result = inferRegisterLayout(tile.get());
  std::string text;
  for (const InferredCandidate &candidate : result.candidates) {
    checkInferred(tile, candidate, hasGaps);
    text += describeAtom(candidate.choice.atom) + ": " +
            print(candidate.registers.layout) + ", " +
            std::to_string(candidate.registers.vectorSize) + "\n";
  }
  return text;
}

/// The line of one shape.
std::string inferFor(const TileCase &tile, llvm::StringRef shape,
                     Packing packing = Packing::None, bool hasGaps = false) {
  InferenceResult result =
      inferRegisterLayout(tile.get(), *symbolizeAtomShape(shape));
  const InferredCandidate *found = find(result, shape, packing);
  if (!found)
    return printReasons(result.reasons);
  checkInferred(tile, *found, hasGaps);
  return describeAtom(found->choice.atom) + ": " +
         print(found->registers.layout) + ", " +
         std::to_string(found->registers.vectorSize);
}

/// The message of one shape that has no layout.
std::string reasonFor(const TileCase &tile, llvm::StringRef shape) {
  auto result = getCanonicalRegisters(tile.get(), *symbolizeAtomShape(shape));
  if (auto *violation = std::get_if<Violation>(&result))
    return violation->message;
  return "a layout";
}

//===----------------------------------------------------------------------===//
// The order of each shape
//===----------------------------------------------------------------------===//

TEST(SelectionInference, EachShapeHasItsOrder) {
  EXPECT_EQ(infer(getHalfTile(16, 0)),
            "16x64b, x8: (4, 2, 8, 8, 2) : (32@tid, 1@tid, 4@tid, 1@reg, "
            "2@tid), 8\n"
            "16x128b, x4: (4, 2, 8, 4, 4) : (32@tid, 1@reg, 4@tid, 2@reg, "
            "1@tid), 8\n"
            "16x256b, x2: (4, 2, 8, 2, 4, 2) : (32@tid, 2@reg, 4@tid, 4@reg, "
            "1@tid, 1@reg), 8\n"
            "16x32bx2, x8: (4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg), "
            "8\n");
}

/// The lower half of each slab first, with all its columns.
TEST(SelectionInference, BothHalves) {
  EXPECT_EQ(inferFor(getTile(12), "16x64b"),
            "16x64b, x4, x2: (4, 2, 2, 8, 6, 2) : (32@tid, 6@reg, 1@tid, "
            "4@tid, 1@reg, 2@tid), 12");
  EXPECT_EQ(inferFor(getTile(12), "16x32bx2"),
            "16x32bx2, x8, x4: (128, 12) : (1@tid, 1@reg), 12");
}

TEST(SelectionInference, TheHalfOfTheSlabDoesNotMatter) {
  for (llvm::StringRef shape : {"16x64b", "16x128b", "16x256b", "16x32bx2"})
    EXPECT_EQ(inferFor(getHalfTile(24, 0), shape),
              inferFor(getHalfTile(24, 1), shape));
}

TEST(SelectionInference, WidthsThatAreNoPowerOfTwo) {
  EXPECT_EQ(infer(getTile(1)), "32x32b, x1: (128) : (1@tid), 1\n"
                               "16x32bx2, x1: (128) : (1@tid), 1\n");
  for (int64_t columns : {1, 24, 48, 96, 127, 160}) {
    std::string n = std::to_string(columns);
    std::string line = inferFor(getTile(columns), "32x32b");
    EXPECT_TRUE(llvm::StringRef(line).ends_with(
        columns == 1 ? ": (128) : (1@tid), 1"
                     : ": (128, " + n + ") : (1@tid, 1@reg), " + n))
        << line;
  }
  EXPECT_EQ(inferFor(getTile(24), "16x256b"),
            "16x256b, x2, x1: (4, 2, 2, 8, 3, 4, 2) : (32@tid, 12@reg, 2@reg, "
            "4@tid, 4@reg, 1@tid, 1@reg), 24");
  EXPECT_EQ(inferFor(getTile(160), "16x128b"),
            "16x128b, x32, x8: (4, 2, 2, 8, 40, 4) : (32@tid, 80@reg, 1@reg, "
            "4@tid, 2@reg, 1@tid), 160");
  EXPECT_EQ(reasonFor(getTile(127), "16x64b"),
            "16x64b.x1 at column 126 from element (0, 126) on would touch TMEM "
            "lane 0, column 127, which holds no element");
}

//===----------------------------------------------------------------------===//
// Element sizes
//===----------------------------------------------------------------------===//

/// One in each cell: packed, or in the low half of each register.
TEST(SelectionInference, ElementsOf16BitsInCells) {
  TileCase tile("(128, 48) : (1@tlane, 2@tcol)", {128, 48}, 16);
  EXPECT_EQ(inferFor(tile, "32x32b", Packing::Pack),
            "32x32b, x16, x8, pack: (128, 48) : (1@tid, 1@reg), 48");
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x32, x16: (128, 48) : (1@tid, 2@reg), 96");
  EXPECT_EQ(inferFor(tile, "16x256b", Packing::Pack),
            "16x256b, x2, x1, pack: (4, 2, 2, 8, 3, 4, 4) : (32@tid, 24@reg, "
            "4@reg, 4@tid, 8@reg, 1@tid, 1@reg), 48");
  // An odd number of them.
  TileCase odd("(128, 3) : (1@tlane, 2@tcol)", {128, 3}, 16);
  EXPECT_EQ(inferFor(odd, "32x32b"),
            "32x32b, x2, x1: (128, 3) : (1@tid, 2@reg), 6");
  EXPECT_EQ(infer(odd), "32x32b, x2, x1: (128, 3) : (1@tid, 2@reg), 6\n"
                        "16x32bx2, x2, x1: (128, 3) : (1@tid, 2@reg), 6\n");
}

TEST(SelectionInference, DenseElements) {
  for (unsigned bits : {4, 8, 16}) {
    int64_t columns = 16 * 32 / bits;
    std::string n = std::to_string(columns);
    EXPECT_EQ(inferFor(getTile(columns, bits), "32x32b"),
              "32x32b, x16: (128, " + n + ") : (1@tid, 1@reg), " + n);
    for (llvm::StringRef shape : {"16x64b", "16x128b", "16x256b", "16x32bx2"}) {
      EXPECT_TRUE(llvm::StringRef(inferFor(getTile(columns, bits), shape))
                      .starts_with(shape.str() + ", x"))
          << shape.str();
      EXPECT_TRUE(
          llvm::StringRef(inferFor(getHalfTile(columns, 1, bits), shape))
              .starts_with(shape.str() + ", x"))
          << shape.str();
    }
  }
  // The last word is not full.
  EXPECT_EQ(inferFor(getTile(127, 16), "32x32b"),
            "32x32b, x64: (128, 127) : (1@tid, 1@reg), 127");
  EXPECT_EQ(inferFor(getTile(13, 4), "32x32b"),
            "32x32b, x2: (128, 13) : (1@tid, 1@reg), 13");
}

/// The words of an element must be neighbours in registers as in cells.
TEST(SelectionInference, ElementsOf64Bits) {
  EXPECT_EQ(infer(getTile(24, 64)),
            "32x32b, x32, x16: (128, 24) : (1@tid, 1@reg), 24\n"
            "16x256b, x4, x2: (4, 2, 2, 8, 6, 4) : (32@tid, 12@reg, 1@reg, "
            "4@tid, 2@reg, 1@tid), 24\n"
            "16x32bx2, x32, x16: (128, 24) : (1@tid, 1@reg), 24\n");
  InferenceResult result = inferRegisterLayout(getTile(24, 64).get());
  for (const SelectionReason &reason : result.reasons)
    EXPECT_TRUE(reason.kind == SelectionReason::Kind::Costlier ||
                llvm::StringRef(reason.message).contains("element ("))
        << reason.message;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

TEST(SelectionInference, OneWarp) {
  TileCase tile("(32, 16) : (1@tlane, 1@tcol) + (64@tlane)", {32, 16}, 32);
  tile = tile.in(ScopeKind::Warp, 2);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg), 16");
  EXPECT_EQ(inferFor(tile, "16x64b"),
            "16x64b, x8: (2, 2, 8, 8, 2) : (8@reg, 1@tid, 4@tid, 1@reg, "
            "2@tid), 16");
  // The slab of another warp.
  EXPECT_EQ(infer(tile.in(ScopeKind::Warp, 1)), "");
  EXPECT_TRUE(llvm::StringRef(inferFor(tile.in(ScopeKind::Warp, 1), "32x32b"))
                  .contains("reaches TMEM lanes 32 to 63 [T4]"));
}

/// The columns in equal shares, one after the other.
TEST(SelectionInference, TwoWarpgroups) {
  TileCase tile = getTile(48).in(ScopeKind::CTA, 0, 8);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16, x8: (128, 2, 24) : (1@tid, 128@tid, 1@reg), 24");
  EXPECT_EQ(inferFor(tile, "16x256b"),
            "16x256b, x2, x1: (4, 2, 2, 8, 2, 3, 4, 2) : (32@tid, 12@reg, "
            "2@reg, 4@tid, 128@tid, 4@reg, 1@tid, 1@reg), 24");
  EXPECT_EQ(reasonFor(getTile(12).in(ScopeKind::CTA, 0, 8), "16x128b"),
            "16x128b.x1 at column 4 from element (0, 4) on would touch TMEM "
            "lane 0, column 6, which is not of its share of the columns");
  EXPECT_EQ(reasonFor(getTile(7).in(ScopeKind::CTA, 0, 8), "32x32b"),
            "expected columns in 2 equal shares for the warpgroups and the "
            "accesses of 32x32b, but got 7 columns up to element (0, 6)");
}

TEST(SelectionInference, WarpsOfACTA) {
  TileCase two("(64, 16) : (1@tlane, 1@tcol)", {64, 16}, 32);
  EXPECT_EQ(inferFor(two.in(ScopeKind::CTA, 0, 2), "32x32b"),
            "32x32b, x16: (64, 16) : (1@tid, 1@reg), 16");
  EXPECT_EQ(inferFor(getTile(24).in(ScopeKind::CTA, 0, 12), "32x32b"),
            "32x32b, x8: (128, 3, 8) : (1@tid, 128@tid, 1@reg), 8");
  EXPECT_EQ(reasonFor(getTile(24).in(ScopeKind::CTA, 0, 6), "32x32b"),
            "expected 1 to 4 warps in the scope, or a multiple of 4 up to 32, "
            "but got 6");
  // A warpgroup has four warps, each with the same part of its slab.
  EXPECT_TRUE(llvm::StringRef(inferFor(two, "32x32b")).contains("[T5]"));
}

//===----------------------------------------------------------------------===//
// Columns with gaps, tiles in another order
//===----------------------------------------------------------------------===//

TEST(SelectionInference, GapsAreLeftOut) {
  TileCase tile("(128, 3, 6) : (1@tlane, 16@tcol, 1@tcol)", {128, 18}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x4, x2: (128, 18) : (1@tid, 1@reg), 18");
  EXPECT_EQ(inferFor(tile, "16x64b"),
            "16x64b, x2, x1: (4, 2, 2, 8, 9, 2) : (32@tid, 9@reg, 1@tid, "
            "4@tid, 1@reg, 2@tid), 18");
}

/// Columns 0, 2, 4, 3, 5 and 7: in order they are at no strides.
TEST(SelectionInference, GapsAreKeptWhereNothingElseCanBeWritten) {
  TileCase tile("(128, 2, 3) : (1@tlane, 3@tcol, 2@tcol)", {128, 6}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b", Packing::None, true),
            "32x32b, x4, x1: (128, 2, 3) : (1@tid, 3@reg, 2@reg), 8");
}

/// Columns 0, 2, 3, 5, 4, 6, 7 and 9: each mode alone is at strides, but
/// column 5 is the fifth, though 2 is the second and 3 the third.
TEST(SelectionInference, RanksThatDoNotAddUp) {
  TileCase tile("(128, 2, 2, 2) : (1@tlane, 4@tcol, 3@tcol, 2@tcol)", {128, 8},
                32);
  EXPECT_EQ(
      inferFor(tile, "32x32b", Packing::None, true),
      "32x32b, x4, x2, x1: (128, 2, 2, 2) : (1@tid, 4@reg, 3@reg, 2@reg), 10");
}

/// Registers at the strides of the columns are legal for 32x32b where any are.
TEST(SelectionInference, ThreeModesOfColumns) {
  SelectionOptions options;
  options.shapes = {AtomShape::S32x32b};
  options.packing = Packing::None;
  int legal = 0;
  for (unsigned bits : {8, 16, 32})
    for (int64_t a = 1; a < 10; ++a)
      for (int64_t b = 1; b < 10; ++b)
        for (int64_t c = 1; c < 10; ++c) {
          Layout memory{{{128, 1, Axis::TLane},
                         {2, a, Axis::TCol},
                         {2, b, Axis::TCol},
                         {2, c, Axis::TCol}},
                        {},
                        {}};
          TileCase tile(memory, {128, 8}, bits);
          RegisterTile own{memory,
                           int64_t(llvm::alignTo(a + b + c + 1, 32 / bits))};
          own.layout.modes[0].axis = Axis::Tid;
          for (Mode &mode : llvm::drop_begin(own.layout.modes))
            mode.axis = Axis::Reg;
          TransferCase given = withRegisters(tile, own);
          if (!selectAtom(given.get(), options).isFound())
            continue;
          ++legal;
          SCOPED_TRACE(print(memory) + ", " + std::to_string(bits) + " bits");
          EXPECT_EQ(
              inferFor(tile, "32x32b", Packing::None, true).find("32x32b, x"),
              0u);
        }
  EXPECT_GE(legal, 300);
}

/// Column i + 3 j: whether it is even is no sum over the digits.
TEST(SelectionInference, SomeOrdersCannotBeWritten) {
  TileCase tile("(128, 3, 2) : (1@tlane, 1@tcol, 3@tcol)", {128, 6}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x4, x2: (128, 3, 2) : (1@tid, 1@reg, 3@reg), 6");
  std::string reason = reasonFor(tile, "16x64b");
  EXPECT_TRUE(llvm::StringRef(reason).contains(
      "no extents and strides put the tile in the order of 16x64b"))
      << reason;
  EXPECT_TRUE(llvm::StringRef(reason).starts_with("element (0, ")) << reason;
}

/// Six columns in two modes: 16x64b has them in three pairs.
TEST(SelectionInference, ModesAreCutWhereTheShapeCutsThem) {
  TileCase tile("(4, 16, 2, 3) : (32@tlane, 1@tlane, 3@tcol, 1@tcol)", {64, 6},
                32);
  EXPECT_EQ(inferFor(tile, "16x64b"), inferFor(getHalfTile(6, 0), "16x64b"));
}

TEST(SelectionInference, ColumnsBackwards) {
  TileCase tile("(128, 8) : (1@tlane, -1@tcol) + (7@tcol)", {128, 8}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x8: (128, 8) : (1@tid, -1@reg) + (7@reg), 8");
}

TEST(SelectionInference, Transposed) {
  TileCase tile("(24, 128) : (1@tcol, 1@tlane) + (5@tcol)", {24, 128}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16, x8: (24, 128) : (1@reg, 1@tid), 24");
}

//===----------------------------------------------------------------------===//
// Replicas, split transfers
//===----------------------------------------------------------------------===//

TEST(SelectionInference, ReplicasInOtherSlabsAreInOtherWarps) {
  TileCase tile("(32, 16) : (1@tlane, 1@tcol) * (4 : 32@tlane)", {32, 16}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg) * (4 : 32@tid), 16");
  EXPECT_EQ(inferFor(tile.in(ScopeKind::Warp, 3), "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg), 16");
  EXPECT_EQ(inferFor(tile.in(ScopeKind::CTA, 0, 2), "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg) * (2 : 32@tid), 16");
}

/// A replica that goes down is one that goes up from its other end.
TEST(SelectionInference, ReplicasThatGoDown) {
  TileCase tile("(32, 16) : (1@tlane, 1@tcol) + (96@tlane) * (4 : -32@tlane)",
                {32, 16}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg) * (4 : 32@tid), 16");
  EXPECT_EQ(inferFor(tile.in(ScopeKind::CTA, 0, 1), "32x32b"),
            "32x32b, x16: (32, 16) : (1@tid, 1@reg), 16");
}

TEST(SelectionInference, ReplicasInASlabAreReadOnce) {
  TileCase tile("(128, 16) : (1@tlane, 1@tcol) * (2 : 20@tcol)", {128, 16}, 32);
  EXPECT_EQ(inferFor(tile, "32x32b"),
            "32x32b, x16: (128, 16) : (1@tid, 1@reg), 16");
  tile.direction = Direction::Store;
  InferenceResult result = inferRegisterLayout(tile.get(), AtomShape::S32x32b);
  ASSERT_TRUE(result.isFound());
  EXPECT_EQ(result.candidates.front().choice.cost.issues, 2u);
}

TEST(SelectionInference, SplitTransfers) {
  TileCase tile("(4, 16, 24) : (32@tlane, 1@tlane, 1@tcol)", {2, 64, 24}, 32);
  TileCase halves = tile.splitWith(
      "(4, 16, 24) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane, 40@tcol)");
  EXPECT_EQ(infer(halves), "16x32bx2, x16, x8: (2, 4, 16, 24) : (16@tid, "
                           "32@tid, 1@tid, 1@reg), 24\n");
  TileCase columns =
      tile.splitWith("(4, 16, 24) : (32@tlane, 1@tlane, 1@tcol) + (100@tcol)");
  EXPECT_EQ(infer(columns), infer(halves));
  EXPECT_EQ(reasonFor(halves, "32x32b"),
            "expected 16x32bx2 for a split transfer, but got 32x32b");
}

TEST(SelectionInference, MalformedTiles) {
  EXPECT_EQ(reasonFor(getTile(600), "32x32b"),
            "expected columns (tcol) 0 to 575, but got 576 for element "
            "(0, 576)");
  TileCase wide = getTile(8);
  auto packed =
      getCanonicalRegisters(wide.get(), AtomShape::S32x32b, Packing::Pack);
  EXPECT_EQ(std::get<Violation>(packed).rule, Rule::A3);
}

//===----------------------------------------------------------------------===//
// The warps of the scope
//===----------------------------------------------------------------------===//

/// What every atom says, with its rule.
std::string reasonForAll(const TileCase &tile) {
  InferenceResult result = inferRegisterLayout(tile.get());
  if (result.isFound())
    return "found";
  std::string text;
  for (const auto &group : groupReasons(result.reasons)) {
    const SelectionReason &reason = *group.front();
    text += text.empty() ? "" : "; ";
    text += (getRuleId(*reason.rule) + ": " + reason.message).str();
  }
  return text;
}

TEST(SelectionInference, T4_SlabsThatNoWarpReaches) {
  TileCase tile = getTile(96);
  EXPECT_EQ(reasonForAll(tile.in(ScopeKind::CTA, 0, 1)),
            "T4: element (32, 0) is in TMEM lane 32, column 0, but 1 warp "
            "reaches TMEM lanes 0 to 31");
  EXPECT_EQ(reasonForAll(tile.in(ScopeKind::CTA, 0, 3)),
            "T4: element (96, 0) is in TMEM lane 96, column 0, but 3 warps "
            "reach TMEM lanes 0 to 95");
  EXPECT_EQ(reasonForAll(tile.in(ScopeKind::CTA, 0, 4)), "found");
  EXPECT_EQ(reasonForAll(tile.in(ScopeKind::Warp, 1)),
            "T4: element (0, 0) is in TMEM lane 0, column 0, but warp 1 "
            "reaches TMEM lanes 32 to 63");
  EXPECT_EQ(reasonFor(tile.in(ScopeKind::Warp, 0), "16x256b"),
            "element (32, 0) is in TMEM lane 32, column 0, but warp 0 reaches "
            "TMEM lanes 0 to 31");
}

/// A load needs one of the places of an element, a store all of them.
TEST(SelectionInference, T4_ReplicasThatNoWarpReaches) {
  TileCase tile("(32, 16) : (1@tlane, 1@tcol) * (4 : 32@tlane)", {32, 16}, 32);
  for (const TileCase &few :
       {tile.in(ScopeKind::Warp, 2), tile.in(ScopeKind::CTA, 0, 2)}) {
    TileCase store = few;
    store.direction = Direction::Store;
    EXPECT_EQ(reasonForAll(few), "found");
    bool isWarp = few.scope.kind == ScopeKind::Warp;
    EXPECT_EQ(reasonForAll(store),
              isWarp ? "T4: element (0, 0) is in TMEM lane 0, column 0, but "
                       "warp 2 reaches TMEM lanes 64 to 95"
                     : "T4: element (0, 0) is in TMEM lane 64, column 0, but 2 "
                       "warps reach TMEM lanes 0 to 63");
  }
}

/// All warps of a CTA take part: no plan leaves some of them out.
TEST(SelectionInference, T5_WarpsWithoutElements) {
  TileCase tile("(32, 8) : (1@tlane, 1@tcol)", {32, 8}, 32);
  InferenceResult one =
      inferRegisterLayout(tile.in(ScopeKind::CTA, 0, 1).get());
  ASSERT_TRUE(one.isFound());
  EXPECT_EQ(one.candidates.front().choice.plan.numWarps, 1u);
  for (unsigned warps : {2u, 3u, 4u, 8u})
    EXPECT_NE(reasonForAll(tile.in(ScopeKind::CTA, 0, warps))
                  .find("T5: expected elements in register 0 of every warp, as "
                        "in warp 0, but got none in lanes 0 to 31 of warp 1"),
              std::string::npos)
        << warps;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// A dense tile has elements in the high halves of cells.
TEST(SelectionInference, T2_PackingMovesLowHalves) {
  auto check = [](const TileCase &tile, llvm::StringRef message) {
    InferenceResult result = inferRegisterLayout(tile.get());
    unsigned packed = 0;
    for (const SelectionReason &reason : result.reasons) {
      if (reason.packing == Packing::None)
        continue;
      ++packed;
      EXPECT_EQ(reason.rule, Rule::T2);
      EXPECT_EQ(reason.message, message);
    }
    EXPECT_EQ(packed, 5u);
  };
  check(getTile(64, 16), "element (0, 1) is in bits 16 to 31 of TMEM lane 0, "
                         "column 0, but pack moves bits 0 to 15 of a cell");
  check(getTile(64, 8), "element (0, 2) is in bits 16 to 23 of TMEM lane 0, "
                        "column 0, but pack moves bits 0 to 15 of a cell");
  check(getTile(64, 4), "element (0, 4) is in bits 16 to 19 of TMEM lane 0, "
                        "column 0, but pack moves bits 0 to 15 of a cell");
  TileCase high("(128, 8) : (1@tlane, 2@tcol) + (1@tcol)", {128, 8}, 16);
  high.direction = Direction::Store;
  check(high, "element (0, 0) is in bits 16 to 31 of TMEM lane 0, column 0, "
              "but unpack moves bits 0 to 15 of a cell");
}

//===----------------------------------------------------------------------===//
// Random tiles
//===----------------------------------------------------------------------===//

/// Where a transfer of a shape is legal with the registers that it has, there
/// are canonical ones for the tile, too. What is random here has replicas and
/// shares of columns that the canonical order does not know: most, not all.
TEST(SelectionInference, LegalTransfersHaveACanonicalLayout) {
  int legal = 0, inferred = 0, exempt = 0;
  for (uint64_t seed = 8000000; seed < 8004000; ++seed) {
    oracle::Case c = oracle::makeRandomCase(seed);
    c.atom.split = std::nullopt;
    if (oracle::countElements(c.registers) > 1024)
      continue;
    SelectionResult given = selectAtom(c.transfer());
    if (!given.isFound())
      continue;
    AtomShape shape = given.candidates.front().atom.shape;
    Packing packing = given.candidates.front().atom.packing;
    unsigned warps = given.candidates.front().plan.numWarps;
    MemoryTile tile{c.memory, c.tileShape, c.bits, c.scope, warps, c.direction};
    SelectionOptions options;
    options.packing = packing;
    InferenceResult result = inferRegisterLayout(tile, shape, options);
    bool hasReplicas =
        !c.memory.front().replicas.empty() || !c.registers.replicas.empty();
    bool isOpen = hasReplicas || warps > 4 || shape == AtomShape::S16x32bx2;
    legal += !isOpen;
    exempt += isOpen;
    if (!result.isFound()) {
      EXPECT_TRUE(isOpen) << "seed " << seed << ": "
                          << printReasons(result.reasons)
                          << oracle::toString(c);
      continue;
    }
    inferred += !isOpen;
    const InferredCandidate &found = result.candidates.front();
    oracle::Case mine = c;
    mine.registers = found.registers.layout;
    mine.vectorSize = found.registers.vectorSize;
    mine.atom = found.choice.atom;
    EXPECT_EQ(oracle::simulate(mine, found.choice.plan), "")
        << "seed " << seed << '\n'
        << oracle::toString(mine);
    if (!hasReplicas) {
      EXPECT_EQ(found.choice.cost.moves, 0u) << "seed " << seed;
    }
    if (!isOpen) {
      EXPECT_LE(found.choice.cost.issues, given.candidates.front().cost.issues)
          << "seed " << seed;
    }
  }
  std::cout << inferred << " of " << legal << " legal transfers, " << exempt
            << " others\n";
  EXPECT_GE(legal, 300);
}

} // namespace
