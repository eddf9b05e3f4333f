//===- PlannerTest.cpp - From two layouts to a list of issues -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transfers that have a plan. Those that have none: PlannerRulesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "PlannerTestUtils.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

//===----------------------------------------------------------------------===//
// Datapaths
//===----------------------------------------------------------------------===//

TEST(Planner, DatapathBRoundTrip) {
  TransferCase b("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)",
                 "(64, 2, 64) : (1@tid, 64@tid, 1@reg)", {64, 128}, 32, 64);
  TransferPlan plan = expectRoundTrip(b, atom("32x32b", {64}));
  EXPECT_EQ(printIssues(plan), "x64 h0 c0: 0-63\n");
  EXPECT_EQ(plan.numWarps, 4u);
  EXPECT_EQ(plan.vectorWords, 64u);
}

TEST(Planner, DatapathDWithX128) {
  TransferCase d("(128, 128) : (1@tlane, 1@tcol)",
                 "(128, 128) : (1@tid, 1@reg)", {128, 128}, 32, 128);
  EXPECT_EQ(printIssues(expectRoundTrip(d, atom("32x32b", {128}))),
            "x128 h0 c0: 0-127\n");
  EXPECT_EQ(printIssues(expectRoundTrip(d, atom("32x32b", {32}))),
            "x32 h0 c0: 0-31\nx32 h0 c32: 32-63\n"
            "x32 h0 c64: 64-95\nx32 h0 c96: 96-127\n");
}

TEST(Planner, DatapathGAtAnOffset) {
  TransferCase g("(32, 4, 16) : (1@tlane, 32@tlane, 1@tcol) + (100@tcol)",
                 "(32, 4, 16) : (1@lane, 1@warp, 1@reg)", {32, 64}, 32, 16);
  EXPECT_EQ(printIssues(expectRoundTrip(g, anyRepeat("32x32b"))),
            "x16 h0 c100: 0-15\n");
}

/// Rows of F as the 16-row shapes have them, in either half of the slabs.
TransferCase getF(llvm::StringRef registers, unsigned half) {
  std::string memory = "(4, 16, 64) : (32@tlane, 1@tlane, 1@tcol)";
  if (half == 1)
    memory += " + (16@tlane)";
  return TransferCase(memory, registers, {64, 64}, 32, 32);
}

llvm::StringRef f64b =
    "(4, 2, 8, 32, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)";
llvm::StringRef f128b =
    "(4, 2, 8, 16, 4) : (32@tid, 1@reg, 4@tid, 2@reg, 1@tid)";
llvm::StringRef f256b =
    "(4, 2, 8, 8, 4, 2) : (32@tid, 2@reg, 4@tid, 4@reg, 1@tid, 1@reg)";

TEST(Planner, DatapathFWith16x64b) {
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f64b, 0), atom("16x64b", {32}))),
            "x32 h0 c0: 0-31\n");
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f64b, 1), atom("16x64b", {32}))),
            "x32 h1 c0: 0-31\n");
}

TEST(Planner, DatapathFWith16x128b) {
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f128b, 0), atom("16x128b", {16}))),
            "x16 h0 c0: 0-31\n");
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f128b, 1), atom("16x128b", {8}))),
            "x8 h1 c0: 0-15\nx8 h1 c32: 16-31\n");
}

TEST(Planner, DatapathFWith16x256b) {
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f256b, 0), atom("16x256b", {8}))),
            "x8 h0 c0: 0-31\n");
  EXPECT_EQ(printIssues(expectRoundTrip(getF(f256b, 1), atom("16x256b", {4}))),
            "x4 h1 c0: 0-15\nx4 h1 c32: 16-31\n");
}

/// All 32 rows of a slab are two issues of a 16-row shape.
TEST(Planner, BothHalvesOfTheSlab) {
  TransferCase d("(4, 2, 2, 8, 8, 4, 2) : "
                 "(32@tlane, 16@tlane, 8@tlane, 1@tlane, 8@tcol, 2@tcol, "
                 "1@tcol)",
                 "(4, 2, 2, 8, 8, 4, 2) : "
                 "(32@tid, 32@reg, 2@reg, 4@tid, 4@reg, 1@tid, 1@reg)",
                 {128, 64}, 32, 64);
  EXPECT_EQ(printIssues(expectRoundTrip(d, anyRepeat("16x256b"))),
            "x8 h0 c0: 0-31\nx8 h1 c0: 32-63\n");
}

//===----------------------------------------------------------------------===//
// 16x32bx2
//===----------------------------------------------------------------------===//

TEST(Planner, TwoAccessesOfOneView) {
  TransferCase t("(4, 16, 2, 8) : (32@tlane, 1@tlane, 16@tcol, 1@tcol)",
                 "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)", {64, 16}, 32,
                 8);
  TransferPlan plan = expectRoundTrip(t, atom("16x32bx2", {8}));
  EXPECT_EQ(plan.split, (Cell{0, 16}));
  EXPECT_EQ(plan.getSplitImmediate(), 16);
}

TEST(Planner, TwoAccessesOfTwoViews) {
  TransferCase t("(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)",
                 "(2, 4, 16, 8) : (16@tid, 32@tid, 1@tid, 1@reg)", {2, 64, 8},
                 32, 8);
  t = t.splitWith("(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol) "
                  "+ (16@tlane, 40@tcol)");
  TransferPlan plan = expectRoundTrip(t, atom("16x32bx2", {8}));
  EXPECT_EQ(printIssues(plan), "x8 h0 c0: 0-7\n");
  EXPECT_EQ(plan.split, (Cell{16, 40}));
  EXPECT_EQ(plan.getSplitImmediate(), 16 << 16 | 40);
}

TEST(Planner, GivenOffsetOfTheSecondAccess) {
  TransferCase t("(4, 16, 2, 8) : (32@tlane, 1@tlane, 8@tcol, 1@tcol) "
                 "* (2 : 16@tlane)",
                 "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)", {64, 16}, 32,
                 8);
  Atom given = atom("16x32bx2", {8});
  for (Cell split : {Cell{0, 8}, Cell{16, 8}}) {
    given.split = split;
    EXPECT_EQ(expectPlan(t, given).split, split);
  }
}

TEST(Planner, PackedSecondAccess) {
  TransferCase t("(4, 16, 2, 8) : (32@tlane, 1@tlane, 32@tcol, 2@tcol)",
                 "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)", {64, 16}, 16,
                 8);
  TransferPlan plan = expectRoundTrip(t, atom("16x32bx2", {4}, Packing::Pack));
  EXPECT_EQ(plan.split, (Cell{0, 16}));
}

//===----------------------------------------------------------------------===//
// Elements of other widths
//===----------------------------------------------------------------------===//

TEST(Planner, PackedElementsOf16Bits) {
  TransferCase t("(128, 64) : (1@tlane, 2@tcol)", "(128, 64) : (1@tid, 1@reg)",
                 {128, 64}, 16, 64);
  EXPECT_EQ(
      printIssues(expectRoundTrip(t, atom("32x32b", {32}, Packing::Pack))),
      "x32 h0 c0: 0-31\n");
  // One element a register, the other half of it unused.
  TransferCase wide("(128, 64) : (1@tlane, 2@tcol)",
                    "(128, 64) : (1@tid, 2@reg)", {128, 64}, 16, 128);
  EXPECT_EQ(printIssues(expectRoundTrip(wide, atom("32x32b", {64}))),
            "x64 h0 c0: 0-63\n");
}

TEST(Planner, PackedElementsOf16BitsIn16Rows) {
  TransferCase t(
      "(4, 2, 8, 4, 4, 2, 2) : "
      "(32@tlane, 8@tlane, 1@tlane, 32@tcol, 8@tcol, 4@tcol, 2@tcol)",
      "(4, 2, 8, 4, 4, 2, 2) : "
      "(32@tid, 4@reg, 4@tid, 8@reg, 1@tid, 2@reg, 1@reg)",
      {64, 64}, 16, 32);
  EXPECT_EQ(
      printIssues(expectRoundTrip(t, atom("16x256b", {4}, Packing::Pack))),
      "x4 h0 c0: 0-15\n");
}

TEST(Planner, DenseElementsOf16Bits) {
  TransferCase t("(128, 64) : (1@tlane, 1@tcol)", "(128, 64) : (1@tid, 1@reg)",
                 {128, 64}, 16, 64);
  EXPECT_EQ(printIssues(expectRoundTrip(t, atom("32x32b", {32}))),
            "x32 h0 c0: 0-31\n");
}

TEST(Planner, ElementsOf64Bits) {
  TransferCase t("(128, 32) : (1@tlane, 1@tcol)", "(128, 32) : (1@tid, 1@reg)",
                 {128, 32}, 64, 32);
  TransferPlan plan = expectRoundTrip(t, atom("32x32b", {64}));
  EXPECT_EQ(printIssues(plan), "x64 h0 c0: 0-63\n");
  EXPECT_EQ(plan.vectorWords, 64u);
  // 16x256b gives a lane two adjacent cells: one element.
  TransferCase rows("(4, 2, 8, 8, 4) : "
                    "(32@tlane, 8@tlane, 1@tlane, 4@tcol, 1@tcol)",
                    "(4, 2, 8, 8, 4) : (32@tid, 1@reg, 4@tid, 2@reg, 1@tid)",
                    {64, 32}, 64, 16);
  EXPECT_EQ(printIssues(expectRoundTrip(rows, atom("16x256b", {8}))),
            "x8 h0 c0: 0-31\n");
}

TEST(Planner, ElementsOf8Bits) {
  TransferCase dense("(128, 64) : (1@tlane, 1@tcol)",
                     "(128, 64) : (1@tid, 1@reg)", {128, 64}, 8, 64);
  EXPECT_EQ(printIssues(expectRoundTrip(dense, atom("32x32b", {16}))),
            "x16 h0 c0: 0-15\n");
  TransferCase packed("(128, 32, 2) : (1@tlane, 4@tcol, 1@tcol)",
                      "(128, 64) : (1@tid, 1@reg)", {128, 64}, 8, 64);
  EXPECT_EQ(
      printIssues(expectRoundTrip(packed, atom("32x32b", {16}, Packing::Pack))),
      "x16 h0 c0: 0-15\n");
}

TEST(Planner, ElementsOf4Bits) {
  TransferCase dense("(128, 64) : (1@tlane, 1@tcol)",
                     "(128, 64) : (1@tid, 1@reg)", {128, 64}, 4, 64);
  EXPECT_EQ(printIssues(expectRoundTrip(dense, atom("32x32b", {8}))),
            "x8 h0 c0: 0-7\n");
  TransferCase packed("(128, 16, 4) : (1@tlane, 8@tcol, 1@tcol)",
                      "(128, 64) : (1@tid, 1@reg)", {128, 64}, 4, 64);
  EXPECT_EQ(
      printIssues(expectRoundTrip(packed, atom("32x32b", {8}, Packing::Pack))),
      "x8 h0 c0: 0-7\n");
}

TEST(Planner, VectorOfPartOfAWord) {
  TransferCase t("(128, 3) : (1@tlane, 2@tcol)", "(128, 3) : (1@tid, 2@reg)",
                 {128, 3}, 16, 5);
  TransferPlan plan = expectRoundTrip(t, anyRepeat("32x32b"));
  EXPECT_EQ(printIssues(plan), "x2 h0 c0: 0-1\nx1 h0 c2: 2\n");
  EXPECT_EQ(plan.vectorWords, 3u);
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

TEST(Planner, TwoWarpgroupsAtAColumnOffset) {
  TransferCase t("(128, 2, 32) : (1@tlane, 32@tcol, 1@tcol)",
                 "(128, 2, 32) : (1@tid, 128@tid, 1@reg)", {128, 64}, 32, 32);
  TransferPlan plan =
      expectRoundTrip(t.in(ScopeKind::CTA), atom("32x32b", {32}));
  EXPECT_EQ(printIssues(plan), "x32 h0 c0: 0-31\n");
  EXPECT_EQ(plan.columnsPerWarpgroup, 32);
  EXPECT_EQ(plan.numWarps, 8u);
}

TEST(Planner, TheSecondWarpgroupFirst) {
  TransferCase t("(128, 3, 8) : (1@tlane, 8@tcol, 1@tcol)",
                 "(128, 3, 8) : (1@tid, -128@tid, 1@reg) + (256@tid)",
                 {128, 24}, 32, 8);
  TransferPlan plan =
      expectRoundTrip(t.in(ScopeKind::CTA), anyRepeat("32x32b"));
  EXPECT_EQ(printIssues(plan), "x8 h0 c16: 0-7\n");
  EXPECT_EQ(plan.columnsPerWarpgroup, -8);
  EXPECT_EQ(plan.numWarps, 12u);
}

TEST(Planner, WarpgroupsThatLoadTheSame) {
  TransferCase t("(128, 16) : (1@tlane, 1@tcol)",
                 "(128, 16) : (1@tid, 1@reg) * (2 : 128@tid)", {128, 16}, 32,
                 16);
  TransferPlan plan = expectPlan(t.in(ScopeKind::CTA), atom("32x32b", {16}));
  EXPECT_EQ(plan.columnsPerWarpgroup, 0);
}

TEST(Planner, CTAOfTwoWarps) {
  TransferCase t("(64, 16) : (1@tlane, 1@tcol)", "(64, 16) : (1@tid, 1@reg)",
                 {64, 16}, 32, 16);
  EXPECT_EQ(
      expectRoundTrip(t.in(ScopeKind::CTA), atom("32x32b", {16})).numWarps, 2u);
}

TEST(Planner, OneWarp) {
  TransferCase t("(32, 16) : (1@tlane, 1@tcol) + (64@tlane)",
                 "(32, 16) : (1@lane, 1@reg)", {32, 16}, 32, 16);
  TransferPlan plan =
      expectRoundTrip(t.in(ScopeKind::Warp, 2), atom("32x32b", {16}));
  EXPECT_EQ(printIssues(plan), "x16 h0 c0: 0-15\n");
  EXPECT_EQ(plan.numWarps, 1u);
}

//===----------------------------------------------------------------------===//
// Replicas
//===----------------------------------------------------------------------===//

TEST(Planner, ReplicaInEverySlab) {
  TransferCase t("(32, 16) : (1@tlane, 1@tcol) * (4 : 32@tlane)",
                 "(32, 16) : (1@lane, 1@reg) * (4 : 1@warp)", {32, 16}, 32, 16);
  EXPECT_EQ(printIssues(expectRoundTrip(t, atom("32x32b", {16}))),
            "x16 h0 c0: 0-15\n");
  // One warp takes the replica of its slab.
  t.registers = parseLayout("(32, 16) : (1@lane, 1@reg)");
  expectPlan(t.in(ScopeKind::Warp, 3), atom("32x32b", {16}));
}

TEST(Planner, ReplicaInEitherHalf) {
  TransferCase t = getF(f128b, 0);
  t.memory.front().replicas.push_back({2, 16, Axis::TLane});
  EXPECT_EQ(printIssues(expectPlan(t, atom("16x128b", {16}))),
            "x16 h0 c0: 0-31\n");
  // A store writes both.
  EXPECT_EQ(printIssues(expectPlan(t.stored(), atom("16x128b", {16}))),
            "x16 h0 c0: 0-31\nx16 h1 c0: 0-31\n");
}

/// Each word from the replica that continues the one before.
TEST(Planner, DifferentReplicasMakeLongerIssues) {
  TransferCase t("(128, 4) : (1@tlane, 2@tcol) * (2 : 1@tcol)",
                 "(128, 4) : (1@tid, 1@reg)", {128, 4}, 32, 4);
  EXPECT_EQ(printIssues(expectPlan(t, anyRepeat("32x32b"))),
            "x2 h0 c1: 0-1\nx2 h0 c5: 2-3\n");
  EXPECT_EQ(printIssues(expectPlan(t, atom("32x32b", {2}))),
            "x2 h0 c1: 0-1\nx2 h0 c5: 2-3\n");
}

TEST(Planner, OverlappingReplicasAreOnePlace) {
  TransferCase t("(128, 2) : (1@tlane, 1@tcol) * (2 : 4@tcol, 2 : 4@tcol, "
                 "1000 : 0@tcol)",
                 "(128, 2) : (1@tid, 1@reg)", {128, 2}, 32, 2);
  EXPECT_EQ(expectPlan(t, atom("32x32b", {2})).issues.size(), 1u);
  EXPECT_EQ(expectPlan(t.stored(), atom("32x32b", {2})).issues.size(), 3u);
}

TEST(Planner, RegisterReplicasAreLoadedTwiceAndStoredOnce) {
  TransferCase t("(128, 8) : (1@tlane, 1@tcol)",
                 "(128, 8) : (1@tid, 1@reg) * (2 : 8@reg)", {128, 8}, 32, 16);
  EXPECT_EQ(printIssues(expectPlan(t, atom("32x32b", {8}))),
            "x8 h0 c0: 0-7\nx8 h0 c0: 8-15\n");
  EXPECT_EQ(printIssues(expectPlan(t, atom("32x32b", {2, 4}))),
            "x4 h0 c0: 0-3\nx4 h0 c0: 8-11\nx4 h0 c4: 4-7\nx4 h0 c4: 12-15\n");
  EXPECT_EQ(printIssues(expectPlan(t.stored(), atom("32x32b", {8}))),
            "x8 h0 c0: 0-7\n");
}

//===----------------------------------------------------------------------===//
// Registers in any order, columns of any number
//===----------------------------------------------------------------------===//

TEST(Planner, ReversedRegisters) {
  TransferCase t("(128, 64) : (1@tlane, 1@tcol)",
                 "(128, 64) : (1@tid, -1@reg) + (63@reg)", {128, 64}, 32, 64);
  TransferPlan plan = expectRoundTrip(t, atom("32x32b", {64}));
  ASSERT_EQ(plan.issues.size(), 1u);
  EXPECT_EQ(plan.issues.front().words.front(), 63u);
  EXPECT_EQ(plan.issues.front().words.back(), 0u);
}

TEST(Planner, ScatteredRegisters) {
  TransferCase t("(128, 2, 4) : (1@tlane, 4@tcol, 1@tcol)",
                 "(128, 2, 4) : (1@tid, 3@reg, 7@reg) + (2@reg)", {128, 8}, 32,
                 30);
  EXPECT_EQ(printIssues(expectRoundTrip(t, atom("32x32b", {8}))),
            "x8 h0 c0: 2 9 16 23 5 12 19 26\n");
}

TEST(Planner, WidthsThatAreNoPowerOfTwo) {
  auto issues = [](int64_t columns, llvm::ArrayRef<unsigned> repeats) {
    std::string n = std::to_string(columns);
    TransferCase t("(128, " + n + ") : (1@tlane, 1@tcol)",
                   "(128, " + n + ") : (1@tid, 1@reg)", {128, columns}, 32,
                   columns);
    return printIssues(expectRoundTrip(t, atom("32x32b", repeats)));
  };
  EXPECT_EQ(issues(96, {32, 64}), "x64 h0 c0: 0-63\nx32 h0 c64: 64-95\n");
  EXPECT_EQ(issues(160, {1, 2, 4, 8, 16, 32, 64, 128}),
            "x128 h0 c0: 0-127\nx32 h0 c128: 128-159\n");
  EXPECT_EQ(issues(48, {32, 16, 16}), "x32 h0 c0: 0-31\nx16 h0 c32: 32-47\n");
  EXPECT_EQ(issues(24, {8}),
            "x8 h0 c0: 0-7\nx8 h0 c8: 8-15\nx8 h0 c16: 16-23\n");
  EXPECT_EQ(issues(576, {64, 128}),
            "x128 h0 c0: 0-127\nx128 h0 c128: 128-255\n"
            "x128 h0 c256: 256-383\nx128 h0 c384: 384-511\n"
            "x64 h0 c512: 512-575\n");
}

TEST(Planner, ColumnsWithGaps) {
  TransferCase t("(128, 3, 6) : (1@tlane, 16@tcol, 1@tcol)",
                 "(128, 18) : (1@tid, 1@reg)", {128, 18}, 32, 18);
  EXPECT_EQ(printIssues(expectRoundTrip(t, anyRepeat("32x32b"))),
            "x4 h0 c0: 0-3\nx2 h0 c4: 4-5\nx4 h0 c16: 6-9\nx2 h0 c20: 10-11\n"
            "x4 h0 c32: 12-15\nx2 h0 c36: 16-17\n");
}

TEST(Planner, FirstColumnCanBeOdd) {
  TransferCase t = getF(f256b, 0);
  t.memory.front().offsets.push_back({5, Axis::TCol});
  EXPECT_EQ(printIssues(expectRoundTrip(t, atom("16x256b", {8}))),
            "x8 h0 c5: 0-31\n");
}

} // namespace
