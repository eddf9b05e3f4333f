//===- TileTransfersChunks.cpp - Windows for chunks -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chunk is a run of registers of the thread. So its window of the tile has to
// be one whose registers are that run, and each element keeps its place in it.
//
//===----------------------------------------------------------------------===//

#include "AtomSelector.h"
#include "TileTransfers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static int64_t countWords(Type vector, int64_t length) {
  Type element = cast<VectorType>(vector).getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(length * bits, 32);
}

int64_t mlir::tmem::countRegisters(VectorType vector) {
  return countWords(vector, vector.getNumElements());
}

std::optional<Chunk> mlir::tmem::scaleChunk(TransferChain &chain,
                                            const Chunk &chunk,
                                            int64_t length) {
  int64_t whole = chain.getLength();
  if (chunk.begin * length % whole != 0 || chunk.size * length % whole != 0)
    return std::nullopt;
  return Chunk{chunk.begin * length / whole, chunk.size * length / whole};
}

ChainRegisters mlir::tmem::countRegisters(TransferChain &chain, int64_t size) {
  auto count = [&](VectorType type) {
    return countWords(
        type, llvm::divideCeil(size * type.getDimSize(0), chain.getLength()));
  };
  ChainRegisters registers = {0, 0, 0};
  for (LoadOp load : chain.loads)
    registers.loaded += count(load.getVectorType());
  // What goes to memory leaves as it is made; what goes to TMEM is collected.
  int64_t stored = 0;
  DenseSet<Value> external;
  for (Operation *op : chain.body) {
    if (auto store = dyn_cast<StoreOp>(op))
      stored += count(store.getVectorType());
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<VectorType>(operand.getType()))
        if (!chain.values.contains(operand) && !isMadeAnew(operand) &&
            external.insert(operand).second)
          registers.external += countWords(type, type.getNumElements());
  }
  registers.chunk = std::max(registers.loaded, stored);
  return registers;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

void mlir::tmem::moveLayout(Layout &layout, Axis axis, int64_t distance) {
  for (AxisOffset &offset : layout.offsets)
    if (offset.axis == axis) {
      offset.value += distance;
      return;
    }
  layout.offsets.push_back({distance, axis});
}

namespace {
/// Finds the windows of one transfer along one dimension of its tile.
class WindowFinder {
public:
  WindowFinder(TransferOpInterface op, unsigned dim)
      : op(op), view(cast<ViewType>(op.getViews().front().getType())),
        registers(getNamedRegisters(op).getLayout()), dim(dim) {}

  /// The window whose registers are the chunk, which is in elements of the
  /// transfer's vector. Nothing, and `reason`, where there is none.
  std::optional<TransferWindow> find(const Chunk &chunk);

  std::string reason;

private:
  std::optional<TransferWindow> fail(const Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  bool selectAtom(TransferWindow &window, int64_t vectorSize);

  TransferOpInterface op;
  ViewType view;
  Layout registers;
  unsigned dim;
};
} // namespace

/// An atom that is named keeps its shape, and no instruction gets longer.
bool WindowFinder::selectAtom(TransferWindow &window, int64_t vectorSize) {
  SelectionOptions options;
  if (AtomAttr atom = op.getAtomAttr()) {
    options.shapes = {atom.getShape()};
    options.packing = atom.getPacking();
    size_t longest = 1;
    if (auto *plan = std::get_if<TransferPlan>(&op.getPlan()))
      for (const Issue &issue : plan->issues)
        longest = std::max(longest, issue.words.size());
    options.maxRegistersPerIssue = longest;
  }
  Layout memory = window.type.getExpandedLayout();
  Layout slots = window.registers.getLayout();
  Transfer transfer{op.getDirection(),
                    memory,
                    slots,
                    window.sizes,
                    view.getElementBits(),
                    vectorSize,
                    op.getScope().getScope()};
  SelectionResult result = mlir::tmem::selectAtom(transfer, options);
  if (!result.isFound())
    return false;
  if (op.getAtomAttr())
    window.atom = getAtomAttr(op->getContext(), result.candidates.front().atom);
  return true;
}

std::optional<TransferWindow> WindowFinder::find(const Chunk &chunk) {
  int64_t extent = view.getShape()[dim];
  int64_t length = op.getVectorType().getDimSize(0);
  if (chunk.begin * extent % length != 0 || chunk.size * extent % length != 0)
    return fail("no whole columns of the tile");
  TransferWindow window;
  window.offsets.assign(view.getShape().size(), 0);
  window.sizes.assign(view.getShape().begin(), view.getShape().end());
  window.offsets[dim] = chunk.begin * extent / length;
  window.sizes[dim] = chunk.size * extent / length;
  std::string name = ("columns " + Twine(window.offsets[dim]) + " to " +
                      Twine(window.offsets[dim] + window.sizes[dim] - 1))
                         .str();

  FailureOr<ViewType> type = SubviewOp::inferType(
      view, window.offsets, window.sizes, [] { return InFlightDiagnostic(); });
  if (failed(type))
    return fail(name + ", which are no window of the view");
  window.type = *type;
  std::optional<Layout> slots =
      slice(registers, view.getShape(), window.offsets, window.sizes);
  if (!slots)
    return fail(name + ", whose registers are no layout");
  auto [first, last] = slots->getRange(Axis::Reg);
  if (first < chunk.begin || last >= chunk.begin + chunk.size)
    return fail(name + " in registers " + Twine(first) + " to " + Twine(last) +
                ", not " + Twine(chunk.begin) + " to " +
                Twine(chunk.begin + chunk.size - 1));
  moveLayout(*slots, Axis::Reg, -chunk.begin);
  window.registers = LayoutAttr::get(op->getContext(), canonicalize(*slots));
  if (!selectAtom(window, chunk.size))
    return fail(name + ", which no atom moves to their registers");
  if (getFootprint(type->getExpandedLayout(), type->getElementBits(),
                   window.footprint))
    return fail(name + ", which are no window of the view");
  return window;
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

namespace {
class Tiler {
public:
  Tiler(TransferChain &chain) : chain(chain) {}

  /// Chunks of `columns` columns along a dimension of the lead's tile.
  bool run(unsigned leadDim, int64_t columns);

  Tiling tiling;
  std::optional<Obstacle> obstacle;

private:
  bool stop(Operation *op, const Twine &message, const Twine &advice) {
    obstacle = {op, message.str(), advice.str()};
    return false;
  }
  bool makeChunks(unsigned leadDim, int64_t columns);
  bool checkValues();
  bool findWindows(TransferOpInterface op, ArrayRef<unsigned> dims);
  bool findWindows(TransferOpInterface op, unsigned dim, std::string &reason);
  bool checkCells();
  bool takeTurns(Operation *first, Operation *second);

  TransferChain &chain;
};
} // namespace

/// The dimensions that have columns to choose from, the last one first.
static SmallVector<unsigned> getDims(ViewType view) {
  SmallVector<unsigned> dims;
  for (unsigned dim = view.getShape().size(); dim-- > 0;)
    if (view.getShape()[dim] > 1)
      dims.push_back(dim);
  return dims;
}

bool Tiler::makeChunks(unsigned leadDim, int64_t columns) {
  int64_t extent = chain.lead.getView().getType().getShape()[leadDim];
  int64_t length = chain.getLength();
  for (int64_t column = 0; column < extent; column += columns) {
    int64_t end = std::min(column + columns, extent);
    if (column * length % extent != 0 || end * length % extent != 0)
      return stop(chain.lead,
                  "expected as many registers for each column, but got " +
                      Twine(length) + " for " + Twine(extent) + " columns",
                  "choose registers in which columns lie one after the other");
    tiling.chunks.push_back(
        {column * length / extent, (end - column) * length / extent});
  }
  if (tiling.chunks.size() > 1)
    return true;
  return stop(chain.lead, "expected more than one chunk, but got one",
              "choose fewer columns");
}

/// Bit casts change how many elements there are.
bool Tiler::checkValues() {
  for (Operation *op : chain.body)
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<VectorType>(operand.getType());
      if (!type || type.getRank() != 1)
        continue;
      for (const Chunk &chunk : tiling.chunks)
        if (!scaleChunk(chain, chunk, type.getDimSize(0)))
          return stop(op, "expected chunks of whole elements, but got parts",
                      "choose more columns");
    }
  return true;
}

bool Tiler::findWindows(TransferOpInterface op, unsigned dim,
                        std::string &reason) {
  WindowFinder finder(op, dim);
  SmallVector<TransferWindow, 0> windows;
  int64_t length = op.getVectorType().getDimSize(0);
  for (const Chunk &chunk : tiling.chunks) {
    std::optional<Chunk> own = scaleChunk(chain, chunk, length);
    std::optional<TransferWindow> window;
    if (own)
      window = finder.find(*own);
    if (!window) {
      // The last dimension is what people call columns.
      if (reason.empty())
        reason = own ? finder.reason : "no whole elements";
      return false;
    }
    windows.push_back(std::move(*window));
  }
  tiling.windows[op] = std::move(windows);
  return true;
}

bool Tiler::findWindows(TransferOpInterface op, ArrayRef<unsigned> dims) {
  std::string reason;
  for (unsigned dim : dims)
    if (findWindows(op, dim, reason))
      return true;
  return stop(op,
              "expected a window of the view for each chunk of the registers, "
              "but got " +
                  reason,
              "choose registers in which columns lie one after the other, such "
              "as those of 32x32b, or regroup the view (tmem.rearrange)");
}

/// Do windows share a cell, of views whose bases lie so far behind an address?
static bool shareCells(const TransferWindow &a, int64_t offsetA,
                       const TransferWindow &b, int64_t offsetB) {
  if (offsetA == offsetB)
    return a.footprint.sharesCellWith(b.footprint);
  auto cellsA = getMovedFootprint(a.type, offsetA);
  auto cellsB = getMovedFootprint(b.type, offsetB);
  return !cellsA || !cellsB || cellsA->sharesCellWith(*cellsB);
}

/// The chunks of two transfers take turns: chunk 1 of the first comes after
/// chunk 0 of the second, so they may have no cell in common.
bool Tiler::takeTurns(Operation *first, Operation *second) {
  Value viewA = cast<TransferOpInterface>(first).getViews().front();
  Value viewB = cast<TransferOpInterface>(second).getViews().front();
  auto offsets = getBaseOffsets(viewA, viewB);
  if (!offsets)
    return stop(second,
                "expected views of one base address, but got two that may "
                "overlap",
                "take both as windows of one view");
  ArrayRef<TransferWindow> windowsA = tiling.windows[first];
  ArrayRef<TransferWindow> windowsB = tiling.windows[second];
  for (size_t i = 0; i < windowsA.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (shareCells(windowsA[i], offsets->first, windowsB[j], offsets->second))
        return stop(second,
                    "expected stores that leave the cells of later chunks "
                    "alone, but got one that changes them",
                    "store the tile where it was, or somewhere else");
  return true;
}

bool Tiler::checkCells() {
  SmallVector<StoreOp> stores;
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink))
      stores.push_back(store);
  for (auto [index, store] : llvm::enumerate(stores)) {
    for (LoadOp load : chain.loads)
      if (!takeTurns(load, store))
        return false;
    for (size_t before = 0; before < index; ++before)
      if (!takeTurns(stores[before], store))
        return false;
  }
  return true;
}

bool Tiler::run(unsigned leadDim, int64_t columns) {
  if (!makeChunks(leadDim, columns) || !checkValues() ||
      !findWindows(chain.lead, leadDim))
    return false;
  for (LoadOp load : chain.loads)
    if (load != chain.lead &&
        !findWindows(load, getDims(load.getView().getType())))
      return false;
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink))
      if (!findWindows(store, getDims(store.getView().getType())))
        return false;
  return checkCells();
}

std::optional<Tiling> mlir::tmem::tileChain(TransferChain &chain,
                                            int64_t columns,
                                            std::optional<Obstacle> &obstacle) {
  ArrayRef<int64_t> shape = chain.lead.getView().getType().getShape();
  for (unsigned dim : getDims(chain.lead.getView().getType())) {
    // As large a part of each dimension.
    if (columns * shape[dim] % chain.getColumns() != 0)
      continue;
    Tiler tiler(chain);
    if (tiler.run(dim, columns * shape[dim] / chain.getColumns()))
      return std::move(tiler.tiling);
    if (!obstacle)
      obstacle = tiler.obstacle;
  }
  return std::nullopt;
}
