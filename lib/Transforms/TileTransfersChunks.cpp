//===- TileTransfersChunks.cpp - Chunks of a chain ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chunk is a run of registers of the thread, the same of all its vectors. The
// chunks of two transfers take turns, and must not get into each other's way.
//
//===----------------------------------------------------------------------===//

#include "TileTransfersWindows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
  DenseSet<Value> external;
  for (Operation *op : chain.body) {
    if (auto store = dyn_cast<StoreOp>(op))
      registers.collected += count(store.getVectorType());
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<VectorType>(operand.getType()))
        if (!chain.values.contains(operand) && !isMadeAnew(operand) &&
            external.insert(operand).second)
          registers.external += countWords(type, type.getNumElements());
  }
  return registers;
}

/// Becomes many instructions, or leaves its result in another register.
static bool isLong(Operation *op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp>(op);
}

/// What ptxas 13.0 was seen to compile without spilling. What goes to memory
/// leaves early, and fits as long as the chunk itself does.
bool mlir::tmem::mayLoadAhead(TransferChain &chain, int64_t size) {
  constexpr int64_t maxSimple = 192, maxLong = 128;
  ChainRegisters registers = countRegisters(chain, size);
  if (llvm::any_of(chain.body, isLong))
    return registers.ahead() <= maxLong;
  return registers.collected == 0 || registers.ahead() <= maxSimple;
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
  using FindFn = function_ref<std::optional<TransferWindow>(const Chunk &)>;
  bool findWindows(TransferOpInterface op, FindFn find);
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

/// Windows for all chunks, by a function that finds one.
bool Tiler::findWindows(TransferOpInterface op, FindFn find) {
  SmallVector<TransferWindow, 0> windows;
  int64_t length = op.getVectorType().getDimSize(0);
  for (const Chunk &chunk : tiling.chunks) {
    std::optional<Chunk> own = scaleChunk(chain, chunk, length);
    std::optional<TransferWindow> window;
    if (own)
      window = find(*own);
    if (!window)
      return false;
    windows.push_back(std::move(*window));
  }
  tiling.windows[op] = std::move(windows);
  return true;
}

bool Tiler::findWindows(TransferOpInterface op, ArrayRef<unsigned> dims) {
  WindowFinder finder(op);
  std::string reason;
  for (unsigned dim : dims) {
    if (findWindows(op, [&](const Chunk &chunk) {
          return finder.findAlong(dim, chunk);
        }))
      return true;
    // The last dimension is what people call columns.
    if (reason.empty())
      reason = finder.reason.empty() ? "no whole elements" : finder.reason;
  }
  if (findWindows(
          op, [&](const Chunk &chunk) { return finder.findInFactors(chunk); }))
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
