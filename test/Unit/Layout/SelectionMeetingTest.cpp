//===- SelectionMeetingTest.cpp - One register layout for two tiles -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectionTestUtils.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

std::string meetTiles(const TileCase &first, const TileCase &second) {
  auto result = meet(first.get(), second.get());
  if (auto *violation = std::get_if<Violation>(&result))
    return getRuleId(violation->rule).str() + ": " + violation->message;
  const Meeting &meeting = std::get<Meeting>(result);
  Executor(withRegisters(first, meeting.registers), meeting.first.plan).run();
  Executor(withRegisters(second, meeting.registers), meeting.second.plan).run();
  return print(meeting.registers.layout) + ": " +
         describeAtom(meeting.first.atom) + " and " +
         describeAtom(meeting.second.atom);
}

TEST(SelectionMeeting, EqualTiles) {
  EXPECT_EQ(meetTiles(getTile(64), getTile(64)),
            "(128, 64) : (1@tid, 1@reg): 32x32b, x64 and 32x32b, x64");
}

/// f32 and 16-bit accumulators: the same slots, since pack makes them dense.
TEST(SelectionMeeting, ElementsOfDifferentSizes) {
  TileCase narrow("(128, 64) : (1@tlane, 2@tcol)", {128, 64}, 16);
  EXPECT_EQ(meetTiles(getTile(64), narrow),
            "(128, 64) : (1@tid, 1@reg): 32x32b, x64 and 32x32b, x32, pack");
}

/// Rows in one half of the slabs against rows in both: the lanes of two regions
/// are those of 32x32b. Of nine columns there is no 16x64b.
TEST(SelectionMeeting, OtherShapesForEachTile) {
  TileCase lower = getHalfTile(18, 0);
  TileCase both("(4, 16, 2, 9) : (32@tlane, 1@tlane, 16@tlane, 1@tcol)",
                {64, 18}, 32);
  EXPECT_EQ(meetTiles(lower, both),
            "(4, 16, 2, 9) : (32@tid, 1@tid, 16@tid, 1@reg): 16x32bx2, x8, x1 "
            "and 32x32b, x8, x1");
  // Of eight, two issues of 16x64b cost as much and come first.
  TileCase even("(4, 16, 2, 8) : (32@tlane, 1@tlane, 16@tlane, 1@tcol)",
                {64, 16}, 32);
  EXPECT_EQ(meetTiles(getHalfTile(16, 0), even),
            "(4, 2, 8, 8, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid): 16x64b, "
            "x8 and 16x64b, x4");
}

/// Columns in another order cost moves, but have one layout.
TEST(SelectionMeeting, ColumnsInAnotherOrder) {
  TileCase swapped("(128, 2, 4) : (1@tlane, 1@tcol, 2@tcol)", {128, 8}, 32);
  EXPECT_EQ(meetTiles(getTile(8), swapped),
            "(128, 8) : (1@tid, 1@reg): 32x32b, x8 and 32x32b, x8");
}

/// The order of the second tile costs the first 3 moves in each of two issues;
/// that of the first costs the second 7 in one.
TEST(SelectionMeeting, TheCheaperOrderOfTwo) {
  TileCase apart("(128, 2, 4) : (1@tlane, 16@tcol, 1@tcol)", {128, 8}, 32);
  TileCase swapped("(128, 2, 4) : (1@tlane, 1@tcol, 2@tcol)", {128, 8}, 32);
  for (auto [first, second] : {std::pair(apart, swapped), {swapped, apart}}) {
    auto result = meet(first.get(), second.get());
    const Meeting &meeting = std::get<Meeting>(result);
    EXPECT_EQ(print(meeting.registers.layout),
              "(128, 2, 4) : (1@tid, 1@reg, 2@reg)");
    EXPECT_EQ(meeting.first.cost.moves + meeting.second.cost.moves, 6u);
  }
}

TEST(SelectionMeeting, NoLayoutForBoth) {
  // Rows 2 i and 2 i + 1 beside each other: other threads for the same rows.
  TileCase paired("(64, 2, 8) : (1@tlane, 64@tlane, 1@tcol)", {128, 8}, 32);
  std::string reason = meetTiles(getTile(8), paired);
  EXPECT_TRUE(llvm::StringRef(reason).contains(
      "no register layout suits both tiles: with that of 32x32b, x8 for the "
      "first, in the second element ("))
      << reason;
  EXPECT_EQ(meetTiles(getTile(8), getTile(16)),
            "R1: expected two tiles of one shape");
  EXPECT_TRUE(
      llvm::StringRef(meetTiles(getTile(8), getTile(8).in(ScopeKind::Warp, 1)))
          .contains("the second tile has no layout: "));
}

} // namespace
