//===- Selection.cpp - The cheapest instructions for a transfer -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Selection.h"
#include "SelectionDetail.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

bool TransferCost::operator<(const TransferCost &other) const {
  return std::tie(issues, moves, registers) <
         std::tie(other.issues, other.moves, other.registers);
}

static unsigned countMoves(const Issue &issue) {
  unsigned moves = 0;
  for (size_t i = 1; i < issue.words.size(); ++i)
    moves += issue.words[i] != issue.words[i - 1] + 1;
  return moves;
}

TransferCost mlir::tmem::getCost(const TransferPlan &plan) {
  TransferCost cost;
  cost.issues = plan.issues.size() * getNativeImage(plan.shape).issuesInSASS;
  for (const Issue &issue : plan.issues)
    cost.moves += countMoves(issue);
  cost.registers = plan.vectorWords;
  return cost;
}

bool detail::isBetter(const SelectionCandidate &a,
                      const SelectionCandidate &b) {
  if (!(a.cost == b.cost))
    return a.cost < b.cost;
  return std::tie(a.atom.shape, a.atom.packing) <
         std::tie(b.atom.shape, b.atom.packing);
}

//===----------------------------------------------------------------------===//
// What there is to choose from
//===----------------------------------------------------------------------===//

bool SelectionOptions::isAllowed(AtomShape shape) const {
  return shapes.empty() || llvm::is_contained(shapes, shape);
}

llvm::SmallVector<AtomKind, 10>
detail::getAtomKinds(Direction direction, unsigned elementBits,
                     const SelectionOptions &options) {
  llvm::SmallVector<Packing, 2> packings = {Packing::None};
  if (elementBits <= 16)
    packings.push_back(direction == Direction::Load ? Packing::Pack
                                                    : Packing::Unpack);
  if (options.packing)
    packings = {*options.packing};
  llvm::SmallVector<AtomKind, 10> kinds;
  for (const NativeImage &image : getNativeImages())
    for (Packing packing : packings)
      kinds.push_back({image.shape, packing});
  return kinds;
}

std::variant<Atom, SelectionReason>
detail::makeAtom(AtomKind kind, const SelectionOptions &options) {
  using Kind = SelectionReason::Kind;
  if (!options.isAllowed(kind.shape)) {
    std::string allowed;
    for (AtomShape shape : options.shapes)
      allowed +=
          (allowed.empty() ? "" : ", ") + stringifyAtomShape(shape).str();
    return SelectionReason{kind.shape, kind.packing, Kind::Excluded,
                           std::nullopt,
                           "expected a shape of " + allowed + ", but got " +
                               stringifyAtomShape(kind.shape).str()};
  }
  llvm::SmallVector<unsigned, 8> repeats = options.repeats;
  if (repeats.empty())
    for (unsigned repeat = 1; isLegalRepeat(kind.shape, repeat); repeat *= 2)
      repeats.push_back(repeat);
  Atom atom{kind.shape, {}, kind.packing, options.split};
  for (unsigned repeat : repeats)
    if (getNumWords(kind.shape, repeat) <= options.maxRegistersPerIssue)
      atom.repeats.push_back(repeat);
  if (!atom.repeats.empty())
    return atom;
  unsigned smallest = *llvm::min_element(repeats);
  return SelectionReason{
      kind.shape, kind.packing, Kind::TooManyRegisters, std::nullopt,
      "expected at most " +
          describeCount(options.maxRegistersPerIssue, "register") +
          " per issue, but got " +
          std::to_string(getNumWords(kind.shape, smallest)) + " for " +
          stringifyAtomShape(kind.shape).str() + ".x" +
          std::to_string(smallest)};
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// The cheapest candidate to the front, a reason for each of the others.
static void rank(SelectionResult &result) {
  llvm::sort(result.candidates, isBetter);
  for (const SelectionCandidate &candidate :
       llvm::drop_begin(result.candidates, result.isFound()))
    result.reasons.push_back(explainCost(candidate, result.candidates.front()));
  sortReasons(result.reasons);
}

SelectionResult mlir::tmem::selectAtom(const Transfer &transfer,
                                       const SelectionOptions &options) {
  assert((transfer.memory.size() == 1 || transfer.memory.size() == 2) &&
         "expected one memory layout, or two in a split transfer");
  TransferTables tables;
  std::optional<Violation> malformed = buildMemory(
      transfer.memory, transfer.tileShape, transfer.elementBits, tables);
  if (!malformed)
    malformed = buildRegisters(transfer, tables);
  SelectionResult result;
  for (AtomKind kind :
       getAtomKinds(transfer.direction, transfer.elementBits, options)) {
    auto atom = makeAtom(kind, options);
    if (auto *reason = std::get_if<SelectionReason>(&atom)) {
      result.reasons.push_back(std::move(*reason));
      continue;
    }
    if (malformed) {
      result.reasons.push_back(makeIllegal(kind, *malformed));
      continue;
    }
    CandidateResult tried = tryAtom(transfer, std::get<Atom>(atom), tables);
    if (auto *candidate = std::get_if<SelectionCandidate>(&tried))
      result.candidates.push_back(std::move(*candidate));
    else
      result.reasons.push_back(std::move(std::get<SelectionReason>(tried)));
  }
  rank(result);
  return result;
}
