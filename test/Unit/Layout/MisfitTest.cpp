//===- MisfitTest.cpp - The places that refusals are about ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectionTestUtils.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

std::string getElementName(int64_t element, llvm::ArrayRef<int64_t> shape) {
  std::string name;
  for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
    name = std::to_string(element % shape[dim]) +
           (name.empty() ? "" : ", " + name);
  return "element (" + name + ")";
}

std::string getCellName(Cell cell) {
  return "TMEM lane " + std::to_string(cell.lane) + ", column " +
         std::to_string(cell.column);
}

/// What a misfit holds stands in the message. Returns how many places it has.
unsigned checkReason(const SelectionReason &reason,
                     llvm::ArrayRef<int64_t> shape, unsigned firstWarp) {
  if (!reason.misfit)
    return 0;
  const Misfit &misfit = *reason.misfit;
  llvm::StringRef message = reason.message;
  auto expect = [&](const std::string &name) {
    EXPECT_TRUE(message.contains(name)) << message.str() << "\n" << name;
  };
  if (misfit.element)
    expect(getElementName(*misfit.element, shape));
  // T6 and S messages name elements without their cells.
  bool namesCells = message.contains("TMEM lane");
  if (misfit.cell && namesCells && !message.contains("would touch"))
    expect(getCellName(*misfit.cell));
  if (misfit.expected)
    expect(getCellName(*misfit.expected));
  if (misfit.slot) {
    std::string warp = std::to_string(firstWarp + misfit.slot->warp);
    std::string lane = std::to_string(misfit.slot->lane);
    expect("register " + std::to_string(misfit.slot->slot) + " of ");
    expect(message.contains("of every warp") ? "none in lanes " + lane + " to "
                                             : ", lane " + lane);
    expect(" of warp " + warp);
  }
  return misfit.cell.has_value() + misfit.slot.has_value() +
         misfit.expected.has_value();
}

unsigned checkAll(const TransferCase &transfer, unsigned firstWarp = 0) {
  unsigned places = 0;
  for (const SelectionReason &reason : selectAtom(transfer.get()).reasons)
    places += checkReason(reason, transfer.shape, firstWarp);
  return places;
}

TEST(MisfitTest, NamesBothPlacesAndTheExpectedCell) {
  TransferCase transfer("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)",
                        "(64, 2, 64) : (1@tid, 64@tid, 1@reg)", {64, 128}, 32,
                        64);
  SelectionResult result = selectAtom(transfer.get());
  const SelectionReason &reason = result.reasons.front();
  ASSERT_EQ(reason.shape, AtomShape::S16x64b);
  ASSERT_TRUE(reason.misfit);
  EXPECT_EQ(reason.misfit->element, 128);
  EXPECT_EQ(reason.misfit->cell, (Cell{1, 0}));
  EXPECT_EQ(reason.misfit->slot, (Misfit::Slot{0, 1, 0}));
  EXPECT_EQ(reason.misfit->expected, (Cell{8, 0}));
}

TEST(MisfitTest, SaysWhatMessagesSay) {
  // A swap of lanes, of columns, of warps, of halves; a gap; a narrow tile.
  EXPECT_GE(checkAll(withRegisters(getRows(8),
                                   "(2, 64, 8) : (64@tid, 1@tid, 1@reg)")),
            1u);
  EXPECT_GE(checkAll(withRegisters(getRows(8),
                                   "(64, 2, 8) : (1@tid, 64@tid, 1@reg)")),
            6u);
  EXPECT_GE(
      checkAll(withRegisters(getRows(8), "(2, 64, 8) : (1@tid, 2@tid, 1@reg)")),
      6u);
  EXPECT_GE(checkAll(withRegisters(getRows(8),
                                   "(128, 2, 4) : (1@tid, 1@reg, 2@reg)")),
            4u);
  EXPECT_GE(checkAll(withMemory(getRows(8), "(128, 8) : (1@tlane, 2@tcol)")),
            4u);
  EXPECT_GE(checkAll(TransferCase("(16, 4) : (1@tlane, 1@tcol) + (72@tlane)",
                                  "(16, 4) : (1@lane, 1@reg)", {16, 4}, 32, 4)
                         .in(ScopeKind::Warp, 2),
                     2),
            2u);
}

TEST(MisfitTest, NamesThePlacesOfInferredLayouts) {
  TileCase tile = getHalfTile(64, 0);
  InferenceResult result = inferRegisterLayout(tile.get());
  unsigned places = 0;
  for (const SelectionReason &reason : result.reasons)
    places += checkReason(reason, tile.shape, 0);
  EXPECT_EQ(places, 2u);
}

} // namespace
