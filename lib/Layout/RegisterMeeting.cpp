//===- RegisterMeeting.cpp - One register layout for two tiles ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectionDetail.h"
#include "tmem/Layout/RegisterInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

static SelectionResult selectWith(const MemoryTile &tile,
                                  const RegisterTile &registers,
                                  const SelectionOptions &options) {
  return selectAtom({tile.direction, tile.memory, registers.layout,
                     tile.tileShape, tile.elementBits, registers.vectorSize,
                     tile.scope, tile.numWarps},
                    options);
}

static TransferCost getTotal(const Meeting &meeting) {
  const TransferCost &first = meeting.first.cost;
  const TransferCost &second = meeting.second.cost;
  return {first.issues + second.issues, first.moves + second.moves,
          std::max(first.registers, second.registers)};
}

/// The canonical layouts of both tiles, each once, in the order of their costs.
static llvm::SmallVector<RegisterTile, 8>
getLayoutsToTry(const InferenceResult &first, const InferenceResult &second) {
  llvm::SmallVector<RegisterTile, 8> layouts;
  for (const InferenceResult *result : {&first, &second})
    for (const InferredCandidate &candidate : result->candidates)
      if (!llvm::is_contained(layouts, candidate.registers))
        layouts.push_back(candidate.registers);
  return layouts;
}

/// The first reason that names a rule; there is none where the options leave
/// nothing to choose from.
static Violation getFirstViolation(llvm::ArrayRef<SelectionReason> reasons) {
  for (const SelectionReason &reason : reasons)
    if (reason.rule)
      return {*reason.rule, reason.message};
  return {Rule::A1, reasons.front().message};
}

/// Why a tile has no layout of its own.
static Violation describeLonely(const char *which,
                                llvm::ArrayRef<SelectionReason> reasons) {
  Violation violation = getFirstViolation(reasons);
  violation.message =
      "the " + std::string(which) + " tile has no layout: " + violation.message;
  return violation;
}

std::variant<Meeting, Violation>
mlir::tmem::meet(const MemoryTile &first, const MemoryTile &second,
                 const SelectionOptions &options) {
  if (first.tileShape != second.tileShape)
    return Violation{Rule::R1, "expected two tiles of one shape"};
  InferenceResult mine = inferRegisterLayout(first, std::nullopt, options);
  if (!mine.isFound())
    return describeLonely("first", mine.reasons);
  InferenceResult other = inferRegisterLayout(second, std::nullopt, options);
  if (!other.isFound())
    return describeLonely("second", other.reasons);
  // The cheapest of each, if they are one: nothing is cheaper for both.
  InferredCandidate &cheapest = mine.candidates.front();
  if (cheapest.registers == other.candidates.front().registers)
    return Meeting{std::move(cheapest.registers), std::move(cheapest.choice),
                   std::move(other.candidates.front().choice)};
  std::optional<Meeting> best;
  std::optional<Violation> refusal;
  for (const RegisterTile &registers : getLayoutsToTry(mine, other)) {
    SelectionResult a = selectWith(first, registers, options);
    SelectionResult b = selectWith(second, registers, options);
    if (!a.isFound() || !b.isFound()) {
      // The first layout is the first tile's, so the second one refuses it.
      if (!refusal)
        refusal = getFirstViolation(b.reasons);
      continue;
    }
    Meeting meeting{registers, std::move(a.candidates.front()),
                    std::move(b.candidates.front())};
    if (!best || getTotal(meeting) < getTotal(*best))
      best = std::move(meeting);
  }
  if (best)
    return std::move(*best);
  return Violation{refusal->rule,
                   "no register layout suits both tiles: with that of " +
                       describeAtom(mine.candidates.front().choice.atom) +
                       " for the first, in the second " + refusal->message};
}
