//===- PlannerTransferRulesTest.cpp - Transfers that have no plan ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerTestUtils.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

TEST(Planner, T1_RowInTheWrongLane) {
  // Rows 16 to 31 of each slab in the same lanes as rows 0 to 15.
  expectRefused(withRegisters(getRows(8),
                              "(4, 2, 16, 8) : (32@tid, 1@tid, 2@tid, 1@reg)"),
                atom("32x32b", {8}), Rule::T1,
                "element (1, 0) is in TMEM lane 1, column 0, and in register 0 "
                "of warp 0, "
                "lane 2, but 32x32b puts TMEM lane 2, column 0 there");
}

TEST(Planner, T1_RowOfAnotherShape) {
  TransferCase f("(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)",
                 "(4, 2, 8, 2, 4) : (32@tid, 1@reg, 4@tid, 2@reg, 1@tid)",
                 {64, 8}, 32, 4);
  expectPlan(f, atom("16x128b", {2}));
  expectRefused(
      f, atom("16x256b", {1}), Rule::T1,
      "element (0, 1) is in TMEM lane 0, column 1, and in register 0 of warp "
      "0, lane 1, but 16x256b puts TMEM lane 0, column 2 there");
  expectRefused(
      f, atom("16x64b", {4}), Rule::T1,
      "element (0, 1) is in TMEM lane 0, column 1, and in register 0 of warp "
      "0, lane 1, but 16x64b puts TMEM lane 8, column 0 there");
  expectRefused(
      f.stored(), atom("32x32b", {4}), Rule::T1,
      "element (0, 1) is in TMEM lane 0, column 1, and in register 0 of warp "
      "0, lane 1, but 32x32b puts TMEM lane 1, column 0 there");
}

/// A window that starts within an atom of the fragment it was cut from: the
/// threads that own its columns are rotated.
TEST(Planner, T1_WindowOffTheAtom) {
  TransferCase f("(4, 2, 8, 2, 4) : "
                 "(32@tlane, 8@tlane, 1@tlane, 4@tcol, 1@tcol) + (4@tcol)",
                 "(4, 2, 8, 2, 2, 2) : "
                 "(32@tid, 2@reg, 4@tid, -2@tid, 1@tid, 1@reg) + (2@tid)",
                 {64, 8}, 32, 4);
  expectRefused(
      f, atom("16x256b", {1}), Rule::T1,
      "element (0, 4) is in TMEM lane 0, column 8, and in register 0 of warp "
      "0, lane 0, but 16x256b puts TMEM lane 0, column 0 there");
}

TEST(Planner, T1_ColumnsOfAThreadInOneRow) {
  TransferCase t("(128, 8) : (1@tlane, 1@tcol)",
                 "(32, 4, 8) : (1@lane, 1@warp, 1@reg)", {128, 8}, 32, 8);
  t.memory.front() =
      parseLayout("(32, 4, 2, 4) : (1@tlane, 32@tlane, 4@tcol, 1@tcol)");
  expectPlan(t, atom("32x32b", {8}));
  t.registers = parseLayout("(2, 16, 4, 8) : (16@lane, 1@lane, 1@warp, 1@reg)");
  expectPlan(t, atom("32x32b", {8}));
  t.registers = parseLayout("(16, 2, 4, 8) : (1@lane, 16@lane, 1@warp, 1@reg)");
  expectRefused(
      t, atom("32x32b", {8}), Rule::T1,
      "element (4, 0) is in TMEM lane 1, column 0, and in register 0 of warp "
      "0, lane 16, but 32x32b puts TMEM lane 16, column 0 there");
}

TEST(Planner, T2_HalvesOfAWordSwapped) {
  TransferCase dense("(128, 64) : (1@tlane, 1@tcol)",
                     "(128, 32, 2) : (1@tid, 2@reg, -1@reg) + (1@reg)",
                     {128, 64}, 16, 64);
  expectRefused(
      dense, atom("32x32b", {32}), Rule::T2,
      "element (0, 0) is in bits 0 to 15 of TMEM lane 0, column 0, but in bits "
      "16 to 31 of its word in register 1 of warp 0, lane 0");
}

TEST(Planner, T2_HighHalvesAreNotPacked) {
  TransferCase high("(128, 64) : (1@tlane, 2@tcol) + (1@tcol)",
                    "(128, 64) : (1@tid, 1@reg)", {128, 64}, 16, 64);
  expectRefused(high, atom("32x32b", {32}, Packing::Pack), Rule::T2,
                "element (0, 0) is in bits 16 to 31 of TMEM lane 0, column 0, "
                "but in bits 0 to 15 of its word in register 0 of warp 0, lane "
                "0, of two packed cells");
}

TEST(Planner, T1_PackedWithoutPack) {
  TransferCase packed("(128, 64) : (1@tlane, 2@tcol)",
                      "(128, 64) : (1@tid, 1@reg)", {128, 64}, 16, 64);
  expectRefused(
      packed, atom("32x32b", {32}), Rule::T1,
      "element (0, 1) is in TMEM lane 0, column 1, and in register 1 of warp "
      "0, lane 0, but 32x32b puts TMEM lane 0, column 0 there");
}

TEST(Planner, T2_PartOfACell) {
  TransferCase t("(128, 2, 32) : (1@tlane, 1@tcol, 2@tcol)",
                 "(128, 2, 32) : (1@tid, 64@reg, 2@reg)", {128, 64}, 16, 128);
  expectRefused(
      t, atom("32x32b", {32}), Rule::T2,
      "element (0, 32) is in bits 16 to 31 of TMEM lane 0, column 0, but in "
      "bits 0 to 15 of its word in register 64 of warp 0, lane 0");
  // The same elements moved by a store.
  expectRefused(t.stored(), atom("32x32b", {32}, Packing::Unpack), Rule::T2,
                "element (0, 32) is in bits 16 to 31 of TMEM lane 0, column 0, "
                "but in bits 0 to 15 of its word in register 64 of warp 0, "
                "lane 0, of two packed cells");
}

TEST(Planner, T3_IssueLongerThanTheTile) {
  expectRefused(getRows(96), atom("32x32b", {64}), Rule::T3,
                "32x32b.x64 at half 0, column 64 from element (0, 64) on would "
                "touch TMEM lane 0, column 96, which holds no element");
  expectRefused(getRows(96).stored(), atom("32x32b", {64}), Rule::T3,
                "32x32b.x64 at half 0, column 64 from element (0, 64) on would "
                "touch TMEM lane 0, column 96, which holds no element");
  expectRefused(getRows(24), atom("32x32b", {16}), Rule::T3,
                "32x32b.x16 at half 0, column 16 from element (0, 16) on would "
                "touch TMEM lane 0, column 24, which holds no element");
}

TEST(Planner, T3_RowsThatDoNotExist) {
  TransferCase t("(4, 8, 8) : (32@tlane, 1@tlane, 1@tcol)",
                 "(4, 8, 8) : (32@tid, 1@tid, 1@reg)", {32, 8}, 32, 8);
  expectRefused(t, atom("32x32b", {8}), Rule::T3,
                "32x32b of register 0 of warp 0, lane 8 would touch TMEM lane "
                "8, column 0, which holds no element");
}

TEST(Planner, T3_HalfOfAPackedPair) {
  TransferCase t("(128, 5) : (1@tlane, 2@tcol)", "(128, 5) : (1@tid, 1@reg)",
                 {128, 5}, 16, 6);
  expectRefused(t, atom("32x32b", {1}, Packing::Pack), Rule::T3,
                "32x32b of register 5 of warp 0, lane 0 would touch TMEM lane "
                "0, column 5, which holds no element");
}

/// Rows 0 to 63 of an identity view are half of D, not F.
TEST(Planner, T4_IdentityIsNotDatapathF) {
  TransferCase t("(64, 8) : (1@tlane, 1@tcol)",
                 "(4, 2, 8, 4, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)",
                 {64, 8}, 32, 4);
  expectRefused(t, atom("16x64b", {4}), Rule::T4,
                "element (16, 0) is in TMEM lane 16, column 0, and in register "
                "0 of warp 1, lane 0, which reaches TMEM lanes 32 to 63");
  expectRefused(t.stored(), atom("16x64b", {4}), Rule::T4,
                "element (16, 0) is in TMEM lane 16, column 0, and in register "
                "0 of warp 1, lane 0, which reaches TMEM lanes 32 to 63");
}

TEST(Planner, T4_ReplicaThatNoWarpWrites) {
  TransferCase t("(32, 8) : (1@tlane, 1@tcol) * (4 : 32@tlane)",
                 "(32, 8) : (1@lane, 1@reg)", {32, 8}, 32, 8);
  expectPlan(t.in(ScopeKind::Warp, 1), atom("32x32b", {8}));
  expectRefused(t.in(ScopeKind::Warp, 1).stored(), atom("32x32b", {8}),
                Rule::T4,
                "element (0, 0) is in TMEM lane 0, column 0, but in registers "
                "of warps that do not reach this lane");
}

TEST(Planner, T5_WarpsWithOtherColumns) {
  TransferCase t("(4, 32, 8) : (8@tcol, 1@tlane, 1@tcol) * (4 : 32@tlane)",
                 "(4, 32, 8) : (1@warp, 1@lane, 1@reg)", {4, 32, 8}, 32, 8);
  expectRefused(t, atom("32x32b", {8}), Rule::T5,
                "element (1, 0, 0) is in TMEM lane 32, column 8, and in "
                "register 0 of warp 1, lane 0, but the issue that moves this "
                "register of warp 0 puts TMEM lane 32, column 0 there");
}

TEST(Planner, T5_WarpWithoutElements) {
  TransferCase t("(64, 8) : (1@tlane, 1@tcol)", "(64, 8) : (1@tid, 1@reg)",
                 {64, 8}, 32, 8);
  expectRefused(t, atom("32x32b", {8}), Rule::T5,
                "expected elements in register 0 of every warp, as in warp 0, "
                "but got none in lanes 0 to 31 of warp 2");
}

TEST(Planner, T5_OffsetThatIsNotLinear) {
  TransferCase t("(128, 2, 2, 8) : (1@tlane, 8@tcol, 24@tcol, 1@tcol)",
                 "(128, 2, 2, 8) : (1@tid, 128@tid, 256@tid, 1@reg)", {128, 32},
                 32, 8);
  expectRefused(t.in(ScopeKind::CTA), atom("32x32b", {8}), Rule::T5,
                "element (0, 8) is in TMEM lane 0, column 24, and in register "
                "0 of warp 8, lane 0, but the issue that moves this register "
                "of warp 0 puts TMEM lane 0, column 16 there");
}

TEST(Planner, T6_RowsStartWithinTheHalf) {
  TransferCase t("(4, 2, 8, 8, 2) : "
                 "(32@tlane, 8@tlane, 1@tlane, 2@tcol, 1@tcol) + (8@tlane)",
                 "(4, 2, 8, 8, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)",
                 {64, 16}, 32, 8);
  expectRefused(t, atom("16x64b", {8}), Rule::T6,
                "expected issues of 16x64b to start at lane 0 or 16 of the "
                "slab, but got lane 8 for element (0, 0)");
  t.registers =
      parseLayout("(4, 2, 8, 4, 4) : (32@tid, 1@reg, 4@tid, 2@reg, 1@tid)");
  expectRefused(t, atom("16x128b", {4}), Rule::T6,
                "expected issues of 16x128b to start at lane 0 or 16 of the "
                "slab, but got lane 8 for element (0, 0)");
  expectRefused(t.stored(), atom("16x128b", {4}), Rule::T6,
                "expected issues of 16x128b to start at lane 0 or 16 of the "
                "slab, but got lane 8 for element (0, 0)");
}

TEST(Planner, T7_WarpgroupsWriteTheSame) {
  TransferCase t("(128, 16) : (1@tlane, 1@tcol)",
                 "(128, 16) : (1@tid, 1@reg) * (2 : 128@tid)", {128, 16}, 32,
                 16);
  expectRefused(
      t.stored().in(ScopeKind::CTA), atom("32x32b", {16}), Rule::T7,
      "element (0, 0) in TMEM lane 0, column 0 would be written twice");
}

/// Both lanes halves and both warpgroups can take any of 64 replicas, at as
/// many distances of the second access and of the second warpgroup. But the two
/// words are never neighbours.
TEST(Planner, T8_SearchIsBounded) {
  TransferCase t("(4, 16, 2) : (32@tlane, 1@tlane, 300@tcol) * (64 : 2@tcol)",
                 "(4, 16, 2) : (32@tid, 1@tid, 1@reg) "
                 "* (2 : 16@tid, 2 : 128@tid)",
                 {64, 2}, 32, 2);
  EXPECT_EQ(
      expectPlan(t.in(ScopeKind::CTA), atom("16x32bx2", {1})).issues.size(),
      2u);
  expectRefused(t.in(ScopeKind::CTA), atom("16x32bx2", {2}), Rule::T8,
                "expected a choice among replicas to be found in 2^25 steps, "
                "but the search was given up");
}

/// Boards of 7 times 7 words, each of which continues its neighbours in one of
/// the replicas: issues of two words would be dominoes that cover 49 fields.
/// The search sees that there is none.
TEST(Planner, T3_DominoesOnAnOddBoard) {
  TransferCase t("(2, 49, 32) : (280@tcol, 5@tcol, 1@tlane) "
                 "* (2 : 6@tcol, 2 : 42@tcol)",
                 "(2, 49, 32) : (49@reg, 1@reg, 1@lane)", {2, 49, 32}, 32, 98);
  t = t.in(ScopeKind::Warp);
  expectRefused(t, atom("32x32b", {2}), Rule::T3,
                "32x32b.x2 at half 0, column 0 from element (0, 0, 0) on would "
                "touch TMEM lane 0, column 1, which holds no element");
  // All fields but one in every board.
  EXPECT_EQ(expectPlan(t, atom("32x32b", {1, 2})).issues.size(), 50u);
}

TEST(Planner, S2_IllegalSecondAccess) {
  TransferCase t("(4, 16, 2, 8) : (32@tlane, 1@tlane, -16@tcol, 1@tcol) "
                 "+ (16@tcol)",
                 "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)", {64, 16}, 32,
                 8);
  expectRefused(t, atom("16x32bx2", {8}), Rule::S2,
                "expected the second access of 16x32bx2 to start 0 or 16 lanes "
                "and 0 to 511 columns after the first, not at the same cell, "
                "but got 0 lanes and -16 columns");
  t.memory.front() =
      parseLayout("(4, 16, 2, 8) : (32@tlane, 1@tlane, 512@tcol, 1@tcol)");
  expectRefused(t, atom("16x32bx2", {8}), Rule::S2,
                "expected the second access of 16x32bx2 to start 0 or 16 lanes "
                "and 0 to 511 columns after the first, not at the same cell, "
                "but got 0 lanes and 512 columns");
  TransferCase packed("(4, 16, 2, 8) : (32@tlane, 1@tlane, 34@tcol, 2@tcol)",
                      "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)",
                      {64, 16}, 16, 8);
  expectRefused(packed, atom("16x32bx2", {4}, Packing::Pack), Rule::S2,
                "expected the second access of 16x32bx2 to start 0 or 16 lanes "
                "and 0 to 511 columns after the first, not at the same cell, "
                "an even number of columns, but got 0 lanes and 17 columns");
  Atom given = atom("16x32bx2", {8});
  given.split = Cell{8, 0};
  expectRefused(t, given, Rule::S2,
                "expected the second access of 16x32bx2 to start 0 or 16 lanes "
                "and 0 to 511 columns after the first, not at the same cell, "
                "but got 8 lanes and 0 columns");
}

TEST(Planner, S3_GivenOffsetIsAnother) {
  TransferCase t("(4, 16, 2, 8) : (32@tlane, 1@tlane, 16@tcol, 1@tcol)",
                 "(4, 16, 2, 8) : (32@tid, 1@tid, 16@tid, 1@reg)", {64, 16}, 32,
                 8);
  Atom given = atom("16x32bx2", {8});
  given.split = Cell{16, 0};
  expectRefused(t, given, Rule::S3,
                "element (0, 8) is 0 lanes and 16 columns after element (0, "
                "0), but the second access of 16x32bx2 starts 16 lanes and 0 "
                "columns after the first");
}

} // namespace
