//===- AtomSelector.cpp - Atoms and registers for tiles -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomSelector.h"
#include "tmem/IR/KernelUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// SelectorTile
//===----------------------------------------------------------------------===//

static Cell decodeImmediate(int64_t immediate) {
  return {immediate >> 16, immediate & 0xffff};
}

/// What tcgen05.ld.red has. Where the options allow nothing of it they stand,
/// and the verifier says why the choice is wrong.
static void restrictToReductions(SelectionOptions &options) {
  SmallVector<AtomShape, 5> shapes;
  for (AtomShape shape : LoadReduceOp::getShapes())
    if (options.isAllowed(shape))
      shapes.push_back(shape);
  if (!shapes.empty())
    options.shapes = std::move(shapes);
  options.packing = Packing::None;
}

SelectorTile::SelectorTile(const TileKey &key, const SelectionOptions &options)
    : key(key), options(options), memory{key.low.getLayout()} {
  if (key.high)
    memory.push_back(LayoutAttr(key.high).getLayout());
  // An atom that is named stands, whatever the options would choose.
  if (key.atom) {
    this->options.shapes = {AtomAttr(key.atom).getShape()};
    this->options.packing = AtomAttr(key.atom).getPacking();
    this->options.maxRegistersPerIssue = maxIssueRegisters;
  }
  if (key.reduces)
    restrictToReductions(this->options);
  if (key.immediate >= 0)
    this->options.split = decodeImmediate(key.immediate);
}

MemoryTile SelectorTile::getMemoryTile() const {
  return {memory,
          key.shape.asArrayRef(),
          *getElementBitWidth(VectorType(key.vector).getElementType()),
          ScopeAttr(key.scope).getScope(),
          key.numWarps,
          static_cast<Direction>(key.direction)};
}

const InferenceResult &SelectorTile::infer() {
  if (!inferred)
    inferred = inferRegisterLayout(getMemoryTile(), std::nullopt, options);
  return *inferred;
}

SelectionResult SelectorTile::plan(const Layout &registers) const {
  MemoryTile tile = getMemoryTile();
  Transfer transfer{tile.direction, tile.memory,      registers,
                    tile.tileShape, tile.elementBits, getVectorSize(),
                    tile.scope};
  if (!key.atom)
    return selectAtom(transfer, options);
  Atom atom = AtomAttr(key.atom).getAtom();
  atom.split = options.split;
  PlanResult planned = planTransfer(transfer, atom);
  SelectionResult result;
  if (auto *plan = std::get_if<TransferPlan>(&planned)) {
    TransferCost cost = getCost(*plan);
    result.candidates.push_back({atom, std::move(*plan), cost});
  } else {
    Violation &violation = std::get<Violation>(planned);
    result.reasons.push_back({atom.shape, atom.packing,
                              SelectionReason::Kind::Illegal, violation.rule,
                              std::move(violation.message)});
  }
  return result;
}

const SelectionResult &SelectorTile::select(LayoutAttr registers) {
  std::unique_ptr<SelectionResult> &entry = selected[registers];
  if (!entry)
    entry = std::make_unique<SelectionResult>(plan(registers.getLayout()));
  return *entry;
}

bool SelectorTile::areBest(LayoutAttr registers) const {
  if (!inferred || !inferred->isFound())
    return false;
  const RegisterTile &best = inferred->candidates.front().registers;
  return best.vectorSize == getVectorSize() &&
         best.layout == registers.getLayout();
}

const SelectionCandidate *SelectorTile::choose(LayoutAttr registers) {
  // Best of all, so best with these registers, and planned already.
  if (!key.atom && areBest(registers))
    return &inferred->candidates.front().choice;
  const SelectionResult &result = select(registers);
  return result.isFound() ? &result.candidates.front() : nullptr;
}

//===----------------------------------------------------------------------===//
// AtomSelector
//===----------------------------------------------------------------------===//

/// The first column of all layouts, in elements, rounded down to whole cells.
static int64_t getFirstColumn(ArrayRef<Layout> layouts, unsigned elementBits) {
  int64_t first = layouts.front().getRange(Axis::TCol).first;
  for (const Layout &layout : layouts)
    first = std::min(first, layout.getRange(Axis::TCol).first);
  return llvm::alignDown(first, std::max(1u, 32 / elementBits));
}

static void moveColumns(Layout &layout, int64_t columns) {
  for (AxisOffset &offset : layout.offsets)
    if (offset.axis == Axis::TCol) {
      offset.value -= columns;
      return;
    }
  layout.offsets.push_back({-columns, Axis::TCol});
}

static SmallVector<Layout, 2> getMemory(TransferOpInterface op) {
  return llvm::map_to_vector<2>(op.getViews(), [](Value view) {
    return cast<ViewType>(view.getType()).getExpandedLayout();
  });
}

static TileKey makeKey(TransferOpInterface op, ArrayRef<Layout> memory) {
  MLIRContext *context = op->getContext();
  TileKey key;
  key.direction = unsigned(op.getDirection());
  key.low = LayoutAttr::get(context, memory.front());
  if (memory.size() == 2)
    key.high = LayoutAttr::get(context, memory.back());
  key.shape = DenseI64ArrayAttr::get(context, op.getTileShape());
  key.vector = op.getVectorType();
  key.scope = op.getScope();
  key.numWarps =
      op.getScope().getKind() == ScopeKind::CTA ? getNumWarpsOfCTA(op) : 4;
  key.atom = op.getAtomAttr();
  key.immediate = op.getSplitImmediate().value_or(-1);
  key.reduces = isa<LoadReduceOp>(op);
  return key;
}

SelectorTile &AtomSelector::getOrCreate(const TileKey &key) {
  std::unique_ptr<SelectorTile> &tile = tiles[key.asTuple()];
  if (!tile)
    tile = std::make_unique<SelectorTile>(key, options);
  return *tile;
}

SelectorTile &AtomSelector::getTile(TransferOpInterface op, int64_t &columns) {
  SmallVector<Layout, 2> memory = getMemory(op);
  unsigned bits = *getElementBitWidth(op.getVectorType().getElementType());
  int64_t first = getFirstColumn(memory, bits);
  for (Layout &layout : memory) {
    moveColumns(layout, first);
    layout = canonicalize(layout);
  }
  columns = first * bits / 32;
  return getOrCreate(makeKey(op, memory));
}

SelectorTile &AtomSelector::getTileInPlace(TransferOpInterface op) {
  return getOrCreate(makeKey(op, getMemory(op)));
}

SelectorTile &AtomSelector::getTileForAnyAtom(TransferOpInterface op) {
  TileKey key = makeKey(op, getMemory(op));
  key.atom = {};
  return getOrCreate(key);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LayoutAttr mlir::tmem::getNamedRegisters(TransferOpInterface op) {
  LayoutAttrInterface registers = op.getRegistersAttr();
  if (auto layout = dyn_cast<LayoutAttr>(Attribute(registers)))
    return layout;
  auto view = cast<ViewType>(op.getViews().front().getType());
  // Verified, so there is one.
  FailureOr<Layout> layout =
      expandLayout(registers, op.getTileShape(), view.getElementType(),
                   [] { return InFlightDiagnostic(); });
  return LayoutAttr::get(op->getContext(), *layout);
}

AtomAttr mlir::tmem::getAtomAttr(MLIRContext *context, const Atom &atom) {
  return AtomAttr::get(context, atom.shape, atom.repeats, atom.packing);
}
