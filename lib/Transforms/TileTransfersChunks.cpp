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
#include "tmem/Layout/Wording.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

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

/// Vectors from outside that take registers.
static bool isOutside(TransferChain &chain, Value vector) {
  return !chain.values.contains(vector) && !isFree(vector);
}

/// Those of them that are whole in registers while all chunks pass.
static bool isKept(TransferChain &chain, Value vector) {
  return isOutside(chain, vector) && !chain.remade.contains(vector);
}

ChainRegisters mlir::tmem::countRegisters(TransferChain &chain, int64_t size) {
  auto count = [&](VectorType type) {
    return countWords(
        type, llvm::divideCeil(size * type.getDimSize(0), chain.getLength()));
  };
  ChainRegisters registers = {0, 0, 0, 0};
  for (LoadOp load : chain.loads)
    registers.loaded += count(load.getVectorType());
  // What goes to memory leaves as it is made; what goes to TMEM is collected.
  DenseSet<Value> outside;
  for (Operation *op : chain.body) {
    auto store = dyn_cast<StoreOp>(op);
    if (store && !isKept(chain, store.getSource()))
      registers.collected += count(store.getVectorType());
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<VectorType>(operand.getType());
      if (!type || !isOutside(chain, operand) ||
          !outside.insert(operand).second)
        continue;
      if (isKept(chain, operand))
        registers.external += countWords(type, type.getNumElements());
      else if (!store)
        registers.remade += count(type);
    }
  }
  return registers;
}

Value mlir::tmem::findLargestOutside(TransferChain &chain) {
  Value largest;
  for (Operation *op : chain.body)
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<VectorType>(operand.getType());
      if (type && isKept(chain, operand) &&
          (!largest || countRegisters(type) >
                           countRegisters(cast<VectorType>(largest.getType()))))
        largest = operand;
    }
  return largest;
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

static ViewType getViewType(TransferOpInterface op) {
  return cast<ViewType>(op.getViews().front().getType());
}

/// The dimensions that have columns to choose from, the last one first.
static SmallVector<unsigned> getDims(ViewType view) {
  SmallVector<unsigned> dims;
  for (unsigned dim = view.getShape().size(); dim-- > 0;)
    if (view.getShape()[dim] > 1)
      dims.push_back(dim);
  return dims;
}

namespace {
class Tiler {
public:
  Tiler(TransferChain &chain, ViewPlaces &places, WindowCache &cache)
      : chain(chain), places(places), cache(cache) {}

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
  bool stopAtParts(int64_t columns);
  bool checkValues();
  bool checkValues(Operation *op);
  using WindowsPtr = std::shared_ptr<const Tiling::Windows>;
  bool findWindows(TransferOpInterface op, ArrayRef<unsigned> dims);
  bool findAnyWindows(TransferOpInterface op) {
    return findWindows(op, getDims(getViewType(op)));
  }
  WindowCache::Entry search(TransferOpInterface op, ArrayRef<unsigned> dims);
  using FindFn = function_ref<std::optional<TransferWindow>(const Chunk &)>;
  WindowsPtr search(TransferOpInterface op, FindFn find);
  WindowCache::Key getKey(TransferOpInterface op, ArrayRef<unsigned> dims);
  WindowsPtr lookUp(TransferOpInterface op, ArrayRef<unsigned> dims);
  bool checkCells();

  TransferChain &chain;
  ViewPlaces &places;
  WindowCache &cache;
  /// Transfers that are alike have the same windows, whether the dimension was
  /// given or found.
  using Kind =
      std::tuple<unsigned, Type, Type, Attribute, Attribute, Attribute>;
  DenseMap<Kind, WindowsPtr> known;
};
} // namespace

/// A thread has less than an element of each column, as with data path B, where
/// the right half of the columns is in lanes of its own.
bool Tiler::stopAtParts(int64_t columns) {
  int64_t all = chain.getColumns(), length = chain.getLength();
  int64_t step = all / std::gcd(all, length);
  return stop(chain.lead,
              "expected chunks of whole elements, but got " +
                  describeCount(columns, "column") + " of " + Twine(all) +
                  ", of which a thread has " + describeCount(length, "element"),
              step < all
                  ? "choose a multiple of " + Twine(step) + " columns"
                  : Twine("choose registers in which columns lie one after "
                          "the other"));
}

bool Tiler::makeChunks(unsigned leadDim, int64_t columns) {
  int64_t extent = chain.getLeadView().getShape()[leadDim];
  int64_t length = chain.getLength();
  for (int64_t column = 0; column < extent; column += columns) {
    int64_t end = std::min(column + columns, extent);
    if (column * length % extent != 0 || end * length % extent != 0)
      return stopAtParts(columns * chain.getColumns() / extent);
    tiling.chunks.push_back(
        {column * length / extent, (end - column) * length / extent});
  }
  if (tiling.chunks.size() > 1)
    return true;
  return stop(chain.lead, "expected more than one chunk, but got one",
              "choose fewer columns");
}

/// Bit casts change how many elements there are.
bool Tiler::checkValues(Operation *op) {
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

bool Tiler::checkValues() {
  auto check = [&](Operation *op) { return checkValues(op); };
  return llvm::all_of(chain.body, check) &&
         llvm::all_of(chain.remadeOps, check);
}

/// Windows for all chunks, by a function that finds one.
Tiler::WindowsPtr Tiler::search(TransferOpInterface op, FindFn find) {
  Tiling::Windows windows;
  int64_t length = op.getVectorType().getDimSize(0);
  for (const Chunk &chunk : tiling.chunks) {
    std::optional<Chunk> own = scaleChunk(chain, chunk, length);
    std::optional<TransferWindow> window;
    if (own)
      window = find(*own);
    if (!window)
      return nullptr;
    windows.push_back(std::move(*window));
  }
  return std::make_shared<const Tiling::Windows>(std::move(windows));
}

WindowCache::Entry Tiler::search(TransferOpInterface op,
                                 ArrayRef<unsigned> dims) {
  WindowFinder finder(op);
  WindowCache::Entry result;
  for (unsigned dim : dims) {
    result.windows = search(
        op, [&](const Chunk &chunk) { return finder.findAlong(dim, chunk); });
    if (result.windows)
      return result;
    // The last dimension is what people call columns.
    if (result.reason.empty()) {
      result.reason =
          finder.reason.empty() ? "no whole elements" : finder.reason;
      result.isTooNarrow = finder.isTooNarrow;
    }
  }
  result.windows = search(
      op, [&](const Chunk &chunk) { return finder.findInFactors(chunk); });
  return result;
}

WindowCache::Key Tiler::getKey(TransferOpInterface op,
                               ArrayRef<unsigned> dims) {
  std::vector<int64_t> numbers{int64_t(op.getDirection()), chain.getLength()};
  llvm::append_range(numbers, dims);
  for (const Chunk &chunk : tiling.chunks)
    numbers.insert(numbers.end(), {-1, chunk.begin, chunk.size});
  return {{getViewType(op).getAsOpaquePointer(),
           op.getVectorType().getAsOpaquePointer(),
           op.getRegistersAttr().getAsOpaquePointer(),
           op.getAtomAttr().getAsOpaquePointer(),
           op.getScope().getAsOpaquePointer()},
          std::move(numbers)};
}

Tiler::WindowsPtr Tiler::lookUp(TransferOpInterface op,
                                ArrayRef<unsigned> dims) {
  auto [it, isNew] = cache.entries.try_emplace(getKey(op, dims));
  WindowCache::Entry &entry = it->second;
  if (isNew)
    entry = search(op, dims);
  if (!entry.windows)
    stop(
        op,
        "expected a window of the view for each chunk of the registers, but "
        "got " +
            entry.reason,
        entry.isTooNarrow
            ? "allow wider chunks: more columns, or more registers"
            : "choose registers in which columns lie one after the other, such "
              "as those of 32x32b, or regroup the view (tmem.rearrange)");
  return entry.windows;
}

bool Tiler::findWindows(TransferOpInterface op, ArrayRef<unsigned> dims) {
  Kind kind{unsigned(op.getDirection()), getViewType(op),  op.getVectorType(),
            op.getRegistersAttr(),       op.getAtomAttr(), op.getScope()};
  auto [it, isNew] = known.try_emplace(kind);
  if (isNew)
    it->second = lookUp(op, dims);
  if (it->second)
    tiling.windows[op] = it->second;
  return bool(it->second);
}

/// A load comes before the stores of later chunks, so they may have no cell in
/// common. No load has cells of a store that came before it: that is checked
/// already.
bool Tiler::checkCells() {
  CellGrid grid;
  std::vector<PlacedCells> tiles;
  for (auto &[op, windows] : tiling.windows) {
    Value view = cast<TransferOpInterface>(op).getViews().front();
    for (const TransferWindow &window : *windows) {
      tiles.push_back(places.get(view, window.cells));
      grid.add(tiles.back());
    }
  }
  grid.finish();
  // The last chunk that loads a region.
  DenseMap<CellRegion, size_t> lastLoads;
  Operation *wrong = nullptr;
  for (bool isStore : {false, true}) {
    auto tile = tiles.begin();
    for (auto &[op, windows] : tiling.windows)
      for (size_t chunk = 0; chunk < windows->size(); ++chunk, ++tile)
        if (isa<StoreOp>(op) == isStore)
          grid.forEachRegion(*tile, [&, op = op](CellRegion region) {
            if (!isStore) {
              size_t &last = lastLoads[region];
              last = std::max(last, chunk);
            } else if (lastLoads.lookup(region) > chunk && !wrong) {
              wrong = op;
            }
          });
  }
  return !wrong ||
         stop(wrong,
              "expected stores that leave the cells of later chunks alone, but "
              "got one that changes them",
              "store the tile where it was, or somewhere else");
}

bool Tiler::run(unsigned leadDim, int64_t columns) {
  if (!makeChunks(leadDim, columns) || !checkValues() ||
      !findWindows(chain.lead, leadDim))
    return false;
  // Transfers like the lead have its windows, along the same dimension.
  for (LoadOp load : chain.loads)
    if (!findAnyWindows(load))
      return false;
  bool hasStores = false;
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink)) {
      hasStores = true;
      if (!findAnyWindows(store))
        return false;
    }
  return !hasStores || checkCells();
}

std::optional<Tiling> mlir::tmem::tileChain(TransferChain &chain,
                                            int64_t columns, ViewPlaces &places,
                                            WindowCache &cache,
                                            std::optional<Obstacle> &obstacle) {
  ArrayRef<int64_t> shape = chain.getLeadView().getShape();
  for (unsigned dim : getDims(chain.getLeadView())) {
    // As large a part of each dimension.
    if (columns * shape[dim] % chain.getColumns() != 0)
      continue;
    Tiler tiler(chain, places, cache);
    if (tiler.run(dim, columns * shape[dim] / chain.getColumns()))
      return std::move(tiler.tiling);
    if (!obstacle)
      obstacle = tiler.obstacle;
  }
  return std::nullopt;
}
