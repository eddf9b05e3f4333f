//===- Datapaths.cpp - Where tcgen05.mma leaves an accumulator ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Datapaths.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tmem;
using llvm::Twine;

// C: the table of the PTX ISA gives it half of the lanes, as F.
static constexpr DatapathRow rows[] = {
    {'A', 128, 1, false}, {'B', 64, 2, false}, {'C', 64, 1, true},
    {'D', 128, 1, false}, {'E', 64, 2, false}, {'F', 64, 1, true},
    {'G', 32, 4, false},
};

llvm::ArrayRef<DatapathRow> mlir::tmem::getDatapathRows() { return rows; }

static Violation makeViolation(Rule rule, const Twine &message) {
  return {rule, message.str()};
}

static std::optional<Violation> checkTile(const DatapathRow &row, int64_t half,
                                          llvm::ArrayRef<int64_t> shape,
                                          unsigned elementBits) {
  std::string name = std::string("datapath ") + row.letter;
  if (shape.size() != 2 || shape[0] != row.rows)
    return makeViolation(Rule::D1, "expected a tile of " + Twine(row.rows) +
                                       " rows and some columns for " + name +
                                       ", but got the shape " +
                                       describeShape(shape));
  if (shape[1] % row.columnGroups != 0)
    return makeViolation(
        Rule::D2, "expected a multiple of " + Twine(row.columnGroups) +
                      " columns for " + name + ", but got " + Twine(shape[1]));
  if (half < 0 || half > (row.hasHalf ? 1 : 0))
    return makeViolation(Rule::D3,
                         Twine("expected ") +
                             (row.hasHalf ? "the half 0 or 1" : "no half") +
                             " for " + name + ", but got " + Twine(half));
  if (elementBits != 16 && elementBits != 32)
    return makeViolation(Rule::D4, "expected elements of 16 or 32 bits for " +
                                       name + ", but got " +
                                       Twine(elementBits));
  return std::nullopt;
}

std::variant<Layout, Violation>
mlir::tmem::expandDatapath(llvm::StringRef letter, int64_t half,
                           llvm::ArrayRef<int64_t> shape,
                           unsigned elementBits) {
  const DatapathRow *row = llvm::find_if(rows, [&](const DatapathRow &other) {
    return letter.size() == 1 && letter[0] == other.letter;
  });
  if (row == std::end(rows))
    return makeViolation(Rule::D5,
                         "expected a datapath from A to G, but got " + letter);
  if (auto violation = checkTile(*row, half, shape, elementBits))
    return *violation;
  // The letter does not limit the columns.
  if (auto violation = verifyTileShape(shape))
    return *violation;
  Layout layout;
  if (row->hasHalf)
    layout.modes = {{4, 32, Axis::TLane}, {16, 1, Axis::TLane}};
  else
    layout.modes = {{row->rows, 1, Axis::TLane}};
  if (row->columnGroups > 1)
    layout.modes.push_back({row->columnGroups, row->rows, Axis::TLane});
  layout.modes.push_back(
      {shape[1] / row->columnGroups, 32 / elementBits, Axis::TCol});
  if (half)
    layout.offsets.push_back({16, Axis::TLane});
  return layout;
}
