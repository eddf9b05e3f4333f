//===- GapDiagnosis.cpp - Why words cannot be cut into issues -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnosis.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

Violation detail::describeIllegalSplit(Cell split, Packing packing) {
  return makeViolation(
      Rule::S2,
      Twine("expected the second access of 16x32bx2 to start 0 or 16 lanes and "
            "0 to 511 columns after the first, not at the same cell") +
          (packing == Packing::None ? "" : ", an even number of columns") +
          ", but got " + Twine(split.lane) + " lanes and " +
          Twine(split.column) + " columns");
}

Violation detail::describeIllegalStart(AtomShape shape, int64_t lane,
                                       const Twine &element) {
  return makeViolation(Rule::T6,
                       "expected issues of " + stringifyAtomShape(shape) +
                           " to start at lane 0 " +
                           (shape == AtomShape::S32x32b ? "" : "or 16 ") +
                           "of the slab, but got lane " + Twine(lane) +
                           " for " + element);
}

//===----------------------------------------------------------------------===//
// T3, T6, T7: cutting into issues
//===----------------------------------------------------------------------===//

/// The element in a cell that is not empty.
static std::string getElementIn(Cell cell, const TransferTables &tables) {
  llvm::ArrayRef<Unit> units = tables.getCell(cell);
  return "element " + tables.getName(units[*findAnchor(units)]);
}

/// The first empty cell of the word that is missing in an issue.
static std::optional<Cell> findEmptyCell(const Matcher &matcher,
                                         const Atom &atom, const Gap &gap) {
  const TransferTables &tables = matcher.getTables();
  Cell position =
      gap.run.start + getWordCell(atom.shape, atom.packing, gap.word);
  for (unsigned warp = 0; warp < tables.numWarps; ++warp) {
    Cell first =
        position + Cell{tables.getSlabLane(warp),
                        gap.alignment.columnsPerWarpgroup * (warp / 4)};
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned half = 0; half < matcher.getNumHalves(); ++half) {
        Cell cell = first + matcher.getLaneOffset(lane, half);
        if (matcher.isSplit() && lane >= 16)
          cell = cell + gap.alignment.split;
        if (!tables.isCellOfSlab(warp, cell) || isEmpty(tables.getCell(cell)))
          return cell;
      }
  }
  return std::nullopt;
}

static std::optional<Violation>
explainMissingWord(const Matcher &matcher, const Atom &atom, const Gap &gap) {
  std::optional<Cell> cell = findEmptyCell(matcher, atom, gap);
  if (!cell)
    return std::nullopt;
  return makeViolation(
      Rule::T3,
      stringifyAtomShape(atom.shape) + ".x" + Twine(gap.run.repeat) +
          " at half " + Twine(gap.run.start.lane / 16) + ", column " +
          Twine(gap.run.start.column) + " from " +
          getElementIn(gap.cell, matcher.getTables()) + " on would touch " +
          getCellName(*cell) + ", which holds no element",
      {std::nullopt, std::nullopt, std::nullopt, cell});
}

static std::optional<Violation> describeGap(const Matcher &matcher,
                                            const Atom &atom, const Gap &gap) {
  std::string element = getElementIn(gap.cell, matcher.getTables());
  switch (gap.kind) {
  case Gap::Kind::Start:
    return describeIllegalStart(atom.shape, gap.run.start.lane, element);
  case Gap::Kind::NoWord:
    return explainMissingWord(matcher, atom, gap);
  case Gap::Kind::TwiceWritten:
    return makeViolation(Rule::T7, element + " in " + getCellName(gap.cell) +
                                       " would be written twice");
  case Gap::Kind::NotWritten:
    return makeViolation(Rule::T7, element + " in " + getCellName(gap.cell) +
                                       " would not be written");
  }
  return std::nullopt;
}

std::optional<Violation> detail::explainGap(const Matcher &matcher,
                                            const Atom &atom, const Gap &gap) {
  std::optional<Violation> violation = describeGap(matcher, atom, gap);
  if (!violation)
    return violation;
  const TransferTables &tables = matcher.getTables();
  llvm::ArrayRef<Unit> units = tables.getCell(gap.cell);
  if (!violation->misfit)
    violation->misfit.emplace();
  violation->misfit->element = tables.getElement(units[*findAnchor(units)]);
  violation->misfit->cell = gap.cell;
  return violation;
}
