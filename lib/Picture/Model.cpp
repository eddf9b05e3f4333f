//===- Model.cpp - What stands where in a picture -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using namespace mlir::tmem::picture;
using llvm::Twine;

using Part = PictureError::Part;

static PictureError makeError(const Twine &message,
                              std::optional<Rule> rule = std::nullopt,
                              Part part = Part::Transfer) {
  return {message.str(), rule, part};
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

void Model::setPlace(Side side, int64_t index, Square &square) const {
  if (side == Side::Memory) {
    square.lane = index / tables.lanePitch;
    square.column = index % tables.lanePitch / tables.unitsPerWord;
    square.cellPart = index % tables.unitsPerWord;
    return;
  }
  int64_t thread = index / tables.threadPitch;
  square.warp = thread / warpSize;
  square.thread = thread % warpSize;
  square.word = index % tables.threadPitch / tables.unitsPerWord;
  square.wordPart = index % tables.unitsPerWord;
}

Square Model::getSquare(Side side, int64_t index) const {
  Square square;
  square.unit = getUnits(side)[index];
  setPlace(side, index, square);
  if (links[unsigned(side)].empty())
    return square;
  int32_t link = links[unsigned(side)][index];
  if (link >= 0)
    setPlace(side == Side::Memory ? Side::Registers : Side::Memory, link,
             square);
  square.issue = issues[unsigned(side)][index];
  return square;
}

bool Model::isColored(PictureColor color) const {
  switch (color) {
  case PictureColor::Element:
    return true;
  case PictureColor::Warp:
  case PictureColor::Lane:
  case PictureColor::Register:
    return hasRegisters();
  case PictureColor::Issue:
    return request.chosen.has_value();
  }
  llvm_unreachable("not a colour");
}

llvm::SmallVector<int64_t, 4> Model::getTileIndex(Unit unit) const {
  int64_t element = tables.getElement(unit);
  llvm::SmallVector<int64_t, 4> index(request.tileShape.size());
  for (size_t i = index.size(); i-- > 0; element /= request.tileShape[i])
    index[i] = element % request.tileShape[i];
  return index;
}

Unit Model::getMarkedUnit() const {
  if (request.marked.empty())
    return emptyUnit;
  int64_t element = 0;
  for (auto [index, extent] : llvm::zip(request.marked, request.tileShape))
    element = element * extent + index;
  return element * tables.unitsPerElement;
}

//===----------------------------------------------------------------------===//
// The two sides
//===----------------------------------------------------------------------===//

/// Rules V1, V2 and L3.
static std::optional<PictureError> checkTile(const PictureRequest &request) {
  if (auto violation = verifyTileShape(request.tileShape))
    return makeError(violation->message, violation->rule);
  if (llvm::is_contained({4u, 8u, 16u, 32u, 64u}, request.elementBits))
    return std::nullopt;
  return makeError("expected elements of 4, 8, 16, 32 or 64 bits, but got " +
                       Twine(request.elementBits),
                   Rule::V2);
}

static std::optional<PictureError> checkMarked(const PictureRequest &request) {
  if (request.marked.empty())
    return std::nullopt;
  if (request.marked.size() != request.tileShape.size())
    return makeError("expected an element to mark of " +
                         Twine(request.tileShape.size()) +
                         " indices, one for each dimension of the tile, but "
                         "got " +
                         Twine(request.marked.size()),
                     std::nullopt, Part::Marked);
  for (auto [index, extent] : llvm::zip(request.marked, request.tileShape))
    if (index < 0 || index >= extent)
      return makeError("expected an index of 0 to " + Twine(extent - 1) +
                           " of an element to mark, but got " + Twine(index),
                       std::nullopt, Part::Marked);
  return std::nullopt;
}

static std::optional<PictureError> fillTables(Model &model) {
  const PictureRequest &request = model.request;
  TransferTables &tables = model.tables;
  tables.tileShape = request.tileShape;
  tables.elementBits = request.elementBits;
  tables.unitsPerWord = request.elementBits < 32 ? 32 / request.elementBits : 1;
  tables.unitsPerElement = request.elementBits == 64 ? 2 : 1;
  tables.numElements = 1;
  for (int64_t extent : request.tileShape)
    tables.numElements *= extent;
  if (request.memory.size() > 2)
    return makeError("expected one memory layout, or two of a split transfer, "
                     "but got " +
                     Twine(request.memory.size()));
  if (model.hasMemory())
    if (auto violation = buildMemory(request.memory, request.tileShape,
                                     request.elementBits, tables))
      return makeError(violation->message, violation->rule);
  if (!model.hasRegisters())
    return std::nullopt;
  const RegisterTile &registers = *request.registers;
  Transfer transfer = {request.direction,   request.memory,
                       registers.layout,    request.tileShape,
                       request.elementBits, registers.vectorSize,
                       request.scope};
  if (auto violation = buildRegisters(transfer, tables))
    return makeError(violation->message, violation->rule);
  return std::nullopt;
}

/// What of TMEM is worth showing.
static void setWindow(Model &model) {
  const TransferTables &tables = model.tables;
  model.firstSlab = 4;
  model.endSlab = 0;
  auto addSlab = [&](unsigned slab) {
    model.firstSlab = std::min(model.firstSlab, slab);
    model.endSlab = std::max(model.endSlab, slab + 1);
  };
  if (model.hasRegisters())
    for (unsigned warp = 0; warp < tables.numWarps; ++warp)
      addSlab(tables.getSlabLane(warp) / 32);
  model.firstColumn = tables.columns;
  for (auto [index, unit] : llvm::enumerate(tables.memory)) {
    if (unit == emptyUnit)
      continue;
    Square square = model.getSquare(Side::Memory, index);
    addSlab(square.lane / 32);
    model.firstColumn = std::min(model.firstColumn, square.column);
    model.endColumn = std::max(model.endColumn, square.column + 1);
  }
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

static void allocateLinks(Model &model) {
  for (Side side : {Side::Memory, Side::Registers}) {
    size_t size = model.getUnits(side).size();
    model.links[unsigned(side)].assign(size, -1);
    model.issues[unsigned(side)].assign(size, -1);
  }
}

/// Links every place of an element on one side to one on the other: the first
/// of the same slab, or else the first.
static void linkPlaces(Model &model, Side side, llvm::ArrayRef<int64_t> places,
                       llvm::ArrayRef<int64_t> others) {
  Side other = side == Side::Memory ? Side::Registers : Side::Memory;
  std::array<int64_t, 4> near;
  near.fill(others.front());
  for (int64_t index : llvm::reverse(others))
    near[model.getSlab(other, index)] = index;
  for (int64_t index : places)
    model.links[unsigned(side)][index] = near[model.getSlab(side, index)];
}

static void linkByElements(Model &model) {
  const TransferTables &tables = model.tables;
  Unit end = tables.numElements * tables.unitsPerElement;
  for (Unit unit = 0; unit < end; ++unit) {
    llvm::SmallVector<int64_t, 4> memory, registers;
    for (const MemoryPlace &place : tables.findInMemory(unit))
      memory.push_back(
          model.getMemoryIndex(place.cell.lane, place.cell.column, place.unit));
    for (const RegisterPlace &place : tables.findInRegisters(unit))
      registers.push_back(model.getRegisterIndex(place.warp, place.lane,
                                                 place.word, place.unit));
    linkPlaces(model, Side::Memory, memory, registers);
    linkPlaces(model, Side::Registers, registers, memory);
  }
}

namespace {
/// Links what the issues of a plan move.
class PlanLinker {
public:
  PlanLinker(Model &model, const TransferPlan &plan)
      : model(model), tables(model.tables), plan(plan) {}

  /// True on failure: the plan is not one of this transfer.
  bool link() {
    if (plan.numWarps != tables.numWarps ||
        (plan.packing != Packing::None && tables.unitsPerWord < 2) ||
        plan.issues.size() > size_t(INT16_MAX))
      return true;
    for (unsigned warp = 0; warp < tables.numWarps; ++warp)
      for (size_t issue = 0; issue < plan.issues.size(); ++issue)
        if (linkIssue(warp, issue))
          return true;
    return false;
  }

private:
  bool linkIssue(unsigned warp, size_t number) {
    const Issue &issue = plan.issues[number];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (size_t word = 0; word < issue.words.size(); ++word) {
        Cell cell = Cell{tables.getSlabLane(warp) + 16 * issue.half,
                         issue.column + plan.columnsPerWarpgroup * (warp / 4)} +
                    getLaneCell(plan.shape, plan.packing, lane) +
                    getWordCell(plan.shape, plan.packing, word);
        if (plan.shape == AtomShape::S16x32bx2 && lane >= 16)
          cell = cell + plan.split;
        if (linkWord(warp, lane, issue.words[word], cell, number))
          return true;
      }
    return false;
  }

  /// A word is one cell, or the low halves of two.
  bool linkWord(unsigned warp, unsigned lane, unsigned word, Cell cell,
                size_t issue) {
    unsigned halves = plan.packing == Packing::None ? 1 : 2;
    unsigned units = tables.unitsPerWord / halves;
    if (word >= tables.words)
      return true;
    for (unsigned half = 0; half < halves; ++half)
      for (unsigned unit = 0; unit < units; ++unit) {
        Cell at = cell + Cell{0, half};
        if (!tables.isCellOfSlab(warp, at) ||
            linkUnits(
                model.getMemoryIndex(at.lane, at.column, unit),
                model.getRegisterIndex(warp, lane, word, half * units + unit),
                issue))
          return true;
      }
    return false;
  }

  bool linkUnits(int64_t memory, int64_t registers, size_t issue) {
    if (tables.memory[memory] != tables.registers[registers])
      return true;
    link(Side::Memory, memory, registers, issue);
    link(Side::Registers, registers, memory, issue);
    return false;
  }
  void link(Side side, int64_t from, int64_t to, size_t issue) {
    // A cell that is read twice keeps its first reader.
    int32_t &link = model.links[unsigned(side)][from];
    if (link >= 0)
      return;
    link = to;
    model.issues[unsigned(side)][from] = issue;
  }

  Model &model;
  const TransferTables &tables;
  const TransferPlan &plan;
};
} // namespace

/// What a picture lacks to be coloured. A layout may be left out that there is.
static PictureError describeColorless(const Model &model) {
  PictureColor color = model.request.color;
  return makeError(
      Twine("expected ") +
          (color == PictureColor::Issue ? "a transfer with a plan"
                                        : "registers in the picture") +
          " to colour by " + stringifyPictureColor(color) + ", but got " +
          (model.isTransfer()     ? "one without"
           : model.hasRegisters() ? "the register layout alone"
                                  : "the memory layout alone"),
      std::nullopt, Part::Color);
}

std::optional<PictureError> picture::build(Model &model) {
  const PictureRequest &request = model.request;
  if (!model.hasMemory() && !model.hasRegisters())
    return makeError("expected a memory layout, a register layout or both, but "
                     "got none");
  if (auto error = checkTile(request))
    return error;
  if (auto error = checkMarked(request))
    return error;
  if (request.chosen && !model.isTransfer())
    return makeError("expected no plan for one layout alone, but got one");
  if (!model.isColored(request.color))
    return describeColorless(model);
  if (auto error = fillTables(model))
    return error;
  setWindow(model);
  if (!model.isTransfer())
    return std::nullopt;
  allocateLinks(model);
  if (const TransferPlan *plan = model.getPlan()) {
    if (PlanLinker(model, *plan).link())
      return makeError("expected a plan of this transfer, but got one that "
                       "moves something else");
    return std::nullopt;
  }
  linkByElements(model);
  return std::nullopt;
}
