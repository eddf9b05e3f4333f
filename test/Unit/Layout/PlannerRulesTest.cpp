//===- PlannerRulesTest.cpp - Sides of a transfer that are illegal --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerTestUtils.h"
#include "tmem/Target/Chips.h"
#include <chrono>

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

void expectBadTile(llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                   unsigned bits, Rule rule, llvm::StringRef message) {
  auto violation = verifyMemoryTile(parseLayout(text), shape, bits);
  ASSERT_TRUE(violation);
  EXPECT_EQ(getRuleId(violation->rule).str(), getRuleId(rule).str());
  EXPECT_EQ(violation->message, message.str());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

TEST(Planner, GoodTiles) {
  auto isGood = [](llvm::StringRef text, llvm::ArrayRef<int64_t> shape,
                   unsigned bits) {
    return !verifyMemoryTile(parseLayout(text), shape, bits);
  };
  EXPECT_TRUE(isGood("(128, 576) : (1@tlane, 1@tcol)", {128, 576}, 32));
  EXPECT_TRUE(isGood("(128, 288) : (1@tlane, 1@tcol)", {128, 288}, 64));
  EXPECT_TRUE(isGood("(128, 4608) : (1@tlane, 1@tcol)", {128, 4608}, 4));
  EXPECT_TRUE(isGood("(1) : (2147483647@tcol)", {1, 1, 1}, 8));
  EXPECT_TRUE(isGood("(2) : (-1@tlane) + (127@tlane)", {2}, 8));
}

TEST(Planner, NumColumns) {
  auto columns = [](llvm::StringRef text, unsigned bits) {
    return getNumColumns(parseLayout(text), bits);
  };
  EXPECT_EQ(columns("(128, 64) : (1@tlane, 1@tcol)", 32), 64);
  EXPECT_EQ(columns("(128, 64) : (1@tlane, 1@tcol)", 64), 128);
  EXPECT_EQ(columns("(128, 63) : (1@tlane, 1@tcol)", 16), 32);
  EXPECT_EQ(columns("(128, 64) : (1@tlane, 2@tcol)", 16), 64);
  EXPECT_EQ(columns("(128, 9) : (1@tlane, 1@tcol) + (8@tcol)", 4), 3);
  EXPECT_EQ(columns("(128) : (1@tlane) * (2 : 5@tcol)", 8), 2);
}

TEST(Planner, V2_ElementWidth) {
  for (unsigned bits : {0u, 1u, 24u, 128u})
    expectBadTile("(32) : (1@tlane)", {32}, bits, Rule::V2,
                  "expected elements of 4, 8, 16, 32 or 64 bits, but got " +
                      std::to_string(bits));
}

TEST(Planner, V3_NotTheElementsOfTheTile) {
  expectBadTile("(32, 4) : (1@tlane, 1@tcol)", {32, 8}, 32, Rule::V3,
                "expected a memory layout of 256 elements, but got 128");
  expectRefused(getRows(8).splitWith("(64, 8) : (1@tlane, 8@tcol)"),
                atom("16x32bx2", {1}), Rule::V3,
                "expected a memory layout of 512 elements, but got 1024");
}

/// Sizes whose product is no number of 64 bits, or any number.
TEST(Planner, V1_L3_TilesThatNoLayoutCovers) {
  expectBadTile("(1) : (1@tlane)", {int64_t(1) << 62, 4}, 32, Rule::L3,
                "expected a tile of less than 2^31 elements, but got "
                "4611686018427387904x4");
  expectBadTile("(128, 64) : (1@tlane, 1@tcol)", {24576, 750599937895083}, 32,
                Rule::L3,
                "expected a tile of less than 2^31 elements, but got "
                "24576x750599937895083");
  expectBadTile("(1) : (1@tlane)", {-1, -1}, 32, Rule::V1,
                "expected dimensions of at least 1, but got -1");
}

TEST(Planner, V4_LaneOutsideOfTMem) {
  expectBadTile(
      "(2, 65, 4) : (64@tlane, 1@tlane, 1@tcol)", {130, 4}, 32, Rule::V4,
      "expected TMEM lanes 0 to 127, but got 128 for element (129, 0)");
  expectBadTile("(64, 4) : (1@tlane, -1@tlane) + (2@tlane)", {64, 4}, 32,
                Rule::V4,
                "expected TMEM lanes 0 to 127, but got -1 for element (0, 3)");
  expectBadTile("(32) : (1@tlane) * (4 : 64@tlane)", {32}, 32, Rule::V4,
                "expected TMEM lanes 0 to 127, but got 192 for element (0)");
}

TEST(Planner, V5_ColumnThatNoChipHas) {
  ASSERT_EQ(getMaxColumns(), 576u);
  expectBadTile("(2, 577) : (1@tlane, 1@tcol)", {2, 577}, 32, Rule::V5,
                "expected columns (tcol) 0 to 575, but got 576 for element "
                "(0, 576)");
  expectBadTile("(2, 2) : (1@tlane, 1@tcol) + (1151@tcol)", {2, 2}, 16,
                Rule::V5,
                "expected columns (tcol) 0 to 1151, but got 1152 for element "
                "(0, 1)");
  expectBadTile("(4) : (-1@tcol) + (2@tcol)", {4}, 32, Rule::V5,
                "expected columns (tcol) 0 to 575, but got -1 for element (3)");
}

TEST(Planner, V6_SharedCell) {
  expectBadTile(
      "(2, 4, 4) : (2@tcol, 1@tlane, 1@tcol)", {8, 4}, 32, Rule::V6,
      "elements (0, 2) and (4, 0) share bits of TMEM lane 0, column 2");
  expectBadTile(
      "(4, 8) : (1@tlane, 1@tcol) * (2 : 4@tcol)", {4, 8}, 16, Rule::V6,
      "elements (0, 4) and (0, 0) share bits of TMEM lane 0, column 2");
  expectBadTile("(1024, 64) : (0@tlane, 1@tcol)", {1024, 64}, 32, Rule::V6,
                "expected at most 8192 elements and replicas in the columns of "
                "the view, but got 65536 elements");
  expectBadTile(
      "(128, 4) : (1@tlane, 1@tcol) * (508 : 1@tcol)", {128, 4}, 32, Rule::V6,
      "expected at most 65408 elements and replicas in the columns of "
      "the view, but got 512 elements in 508 places each");
  TransferCase twice("(64, 8) : (1@tlane, 1@tcol)", "(128, 8) : (1@tid, 1@reg)",
                     {2, 64, 8}, 32, 8);
  expectRefused(twice.splitWith("(64, 8) : (1@tlane, 1@tcol) + (7@tcol)"),
                atom("16x32bx2", {8}), Rule::V6,
                "elements (0, 0, 7) and (1, 0, 0) share bits of TMEM lane 0, "
                "column 7");
}

TEST(Planner, L5_SidesSwapped) {
  TransferCase rows = getRows(8);
  expectRefused(withMemory(rows, "(128, 8) : (1@tid, 1@reg)"),
                atom("32x32b", {8}), Rule::L5,
                "expected a memory layout, but got the axes of a register "
                "layout");
  expectRefused(withRegisters(rows, "(128, 8) : (1@tlane, 1@tcol)"),
                atom("32x32b", {8}), Rule::L5,
                "expected a register layout, but got the axes of a memory "
                "layout");
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

TEST(Planner, R1_NotTheElementsOfTheTile) {
  expectRefused(withRegisters(getRows(8), "(64, 8) : (1@tid, 1@reg)"),
                atom("32x32b", {8}), Rule::R1,
                "expected a register layout of 1024 elements, but got 512");
}

TEST(Planner, R2_ThreadOutsideOfTheScope) {
  TransferCase rows = getRows(8);
  expectRefused(rows.in(ScopeKind::Warp), atom("32x32b", {8}), Rule::R2,
                "expected threads of the scope 0 to 31, but got 32 for element "
                "(32, 0)");
  expectRefused(withRegisters(rows, "(2, 64, 8) : (1@warp, 1@lane, 1@reg)"),
                atom("32x32b", {8}), Rule::R2,
                "expected lanes 0 to 31, but got 32 for element (32, 0)");
  expectRefused(withRegisters(rows, "(4, 32, 8) : (1@warp, 1@lane, 1@reg) "
                                    "+ (1@warp)"),
                atom("32x32b", {8}), Rule::R2,
                "expected warps of the scope 0 to 3, but got 4 for element "
                "(96, 0)");
  expectRefused(withRegisters(rows, "(128, 8) : (1@tid, 1@reg) * (9 : 128@tid)")
                    .in(ScopeKind::CTA),
                atom("32x32b", {8}), Rule::R2,
                "expected threads of the scope 0 to 1023, but got 1024 for "
                "element (0, 0)");
}

TEST(Planner, R3_SlotOutsideOfTheVector) {
  expectRefused(withRegisters(getRows(8), "(128, 8) : (1@tid, 1@reg)", 7),
                atom("32x32b", {8}), Rule::R3,
                "expected register slots 0 to 6, but got 7 for element (0, 7)");
  expectRefused(
      withRegisters(getRows(8), "(128, 8) : (1@tid, -1@reg)"),
      atom("32x32b", {8}), Rule::R3,
      "expected register slots 0 to 7, but got -1 for element (0, 1)");
}

TEST(Planner, R4_SharedSlot) {
  expectRefused(
      withRegisters(getRows(8), "(128, 2, 4) : (1@tid, 3@reg, 1@reg)"
                                " + (1@reg)"),
      atom("32x32b", {8}), Rule::R4,
      "elements (0, 3) and (0, 4) share register 4 of warp 0, lane 0");
  expectRefused(
      withRegisters(getRows(8), "(128, 8) : (1@tid, 0@reg)"),
      atom("32x32b", {8}), Rule::R4,
      "expected at most 128 elements and replicas in the registers of "
      "the scope, but got 1024 elements");
}

TEST(Planner, R6_VectorOfNoThread) {
  for (int64_t size :
       {int64_t(-1), int64_t(0), int64_t(1025), int64_t(1) << 62})
    expectRefused(withRegisters(getRows(8), "(128, 8) : (1@tid, 1@reg)",
                                size == 0 ? -0x7fffffff : size),
                  atom("32x32b", {8}), Rule::R6,
                  "expected a vector of 1 to 1024 elements, but got " +
                      std::to_string(size == 0 ? -0x7fffffff : size));
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

TEST(Planner, A1_RepetitionCount) {
  expectRefused(getRows(8), atom("32x32b", {}), Rule::A1,
                "expected a repetition count of 32x32b, but got none");
  for (unsigned repeat : {0u, 3u, 256u})
    expectRefused(
        getRows(8), atom("32x32b", {8, repeat}), Rule::A1,
        "expected a repetition count of 32x32b that is a power of two "
        "from 1 to 128, but got " +
            std::to_string(repeat));
  expectRefused(getRows(8), atom("16x256b", {64}), Rule::A1,
                "expected a repetition count of 16x256b that is a power of two "
                "from 1 to 32, but got 64");
}

TEST(Planner, A2_PackingInTheWrongDirection) {
  TransferCase packed("(128, 64) : (1@tlane, 2@tcol)",
                      "(128, 64) : (1@tid, 1@reg)", {128, 64}, 16, 64);
  expectRefused(
      packed, atom("32x32b", {32}, Packing::Unpack), Rule::A2,
      "expected pack on loads and unpack on stores, but got unpack on "
      "a load");
  expectRefused(
      packed.stored(), atom("32x32b", {32}, Packing::Pack), Rule::A2,
      "expected pack on loads and unpack on stores, but got pack on a "
      "store");
}

TEST(Planner, A3_PackingOfWideElements) {
  expectRefused(getRows(8), atom("32x32b", {8}, Packing::Pack), Rule::A3,
                "expected elements of at most 16 bits for pack, but got 32");
}

TEST(Planner, A4_SplitTransferOfAnotherShape) {
  TransferCase split = getRows(8).splitWith("(64, 8) : (1@tlane, 1@tcol)");
  expectRefused(split, atom("32x32b", {8}), Rule::A4,
                "expected 16x32bx2 for a split transfer, but got 32x32b");
}

/// Strides, offsets and extents up to 2^31, either sign: no overflow, no table
/// that large, no walk over that many elements.
TEST(Planner, LargeLayoutsAreRefusedAtOnce) {
  llvm::StringRef memories[] = {
      "(128, 8) : (2147483647@tlane, 2147483647@tcol)",
      "(128, 8) : (1@tlane, -2147483647@tcol)",
      "(1048576, 2047) : (0@tlane, 0@tcol)",
      "(1048576, 2047) : (2147483647@tlane, -2147483647@tcol)",
      "(128, 8) : (1@tlane, 1@tcol) * (2097151 : 0@tcol)",
      "(128, 8) : (0@tlane, 0@tcol) * (128 : 1@tlane, 128 : 1@tcol, 128 : "
      "1@tcol)",
      "(1, 128, 8, 1) : (2147483647@tcol, 1@tlane, 1@tcol, -2147483647@tlane)"};
  llvm::StringRef registers[] = {
      "(128, 8) : (2147483647@tid, 2147483647@reg)",
      "(128, 8) : (-2147483647@warp, 2147483647@lane)",
      "(1048576, 2047) : (0@tid, 0@reg)",
      "(128, 8) : (1@tid, 1@reg) * (2097151 : 0@reg)",
      "(128, 8) : (1@tid, 1@reg) * (128 : 8@reg, 128 : 8@reg, 127 : 8@reg)",
      "(128, 8) : (1@tid, 1@reg)"};
  auto start = std::chrono::steady_clock::now();
  for (unsigned bits : {4u, 32u, 64u})
    for (llvm::StringRef memory : memories)
      for (llvm::StringRef text : registers)
        for (ScopeKind scope : {ScopeKind::Warpgroup, ScopeKind::CTA}) {
          TransferCase t(memory, text, {128, 8}, bits, 8);
          planTransfer(t.in(scope).get(), atom("32x32b", {1}));
          t.shape = {1048576, 2047};
          planTransfer(t.in(scope).get(), atom("32x32b", {1}));
        }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

} // namespace
