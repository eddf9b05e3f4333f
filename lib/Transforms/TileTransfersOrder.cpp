//===- TileTransfersOrder.cpp - What chunks may move across ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of a chain moves down to its last store: loads from where they are, a
// store from where it is. That changes nothing where what they move across
// neither touches the same places nor tells another thread that they are done.
//
//===----------------------------------------------------------------------===//

#include "TileTransfers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "tmem/IR/ViewUtils.h"

using namespace mlir;
using namespace mlir::tmem;

/// Goes from an address to what a constant is added to, any number of times.
static Value stripConstants(Value address, int64_t &offset) {
  // In a graph region an address may come from itself.
  SmallPtrSet<Operation *, 4> seen;
  while (auto add = address.getDefiningOp<arith::AddIOp>()) {
    APInt constant;
    if (!seen.insert(add).second)
      break;
    if (matchPattern(add.getRhs(), m_ConstantInt(&constant)))
      address = add.getLhs();
    else if (matchPattern(add.getLhs(), m_ConstantInt(&constant)))
      address = add.getRhs();
    else
      break;
    offset += constant.getSExtValue();
  }
  return address;
}

std::optional<std::pair<int64_t, int64_t>> mlir::tmem::getBaseOffsets(Value a,
                                                                      Value b) {
  ViewBase baseA = getViewBase(a), baseB = getViewBase(b);
  if (baseA.steps != baseB.steps)
    return std::nullopt;
  if (baseA.root == baseB.root)
    return std::make_pair(int64_t(0), int64_t(0));
  int64_t offsetA = 0, offsetB = 0;
  if (stripConstants(baseA.root, offsetA) !=
      stripConstants(baseB.root, offsetB))
    return std::nullopt;
  return std::make_pair(offsetA, offsetB);
}

std::optional<Footprint> mlir::tmem::getMovedFootprint(ViewType view,
                                                       int64_t offset) {
  if (offset < 0)
    return std::nullopt;
  Layout layout = view.getExpandedLayout();
  int64_t cells[] = {offset >> 16, offset & 0xffff};
  Axis axes[] = {Axis::TLane, Axis::TCol};
  for (auto [axis, distance] : llvm::zip_equal(axes, cells))
    moveLayout(layout, axis, distance);
  Footprint footprint;
  if (getFootprint(layout, view.getElementBits(), footprint))
    return std::nullopt;
  return footprint;
}

bool mlir::tmem::mayShareCells(Value a, Value b) {
  auto offsets = getBaseOffsets(a, b);
  if (!offsets)
    return true;
  auto cellsA = getMovedFootprint(cast<ViewType>(a.getType()), offsets->first);
  auto cellsB = getMovedFootprint(cast<ViewType>(b.getType()), offsets->second);
  return !cellsA || !cellsB || cellsA->sharesCellWith(*cellsB);
}

static Value getMemory(Operation *sink) {
  if (auto store = dyn_cast<vector::StoreOp>(sink))
    return store.getBase();
  return cast<vector::TransferWriteOp>(sink).getBase();
}

namespace {
/// Goes through the operations between the first load and the last store.
class OrderCheck {
public:
  OrderCheck(TransferChain &chain, AliasAnalysis &aliases)
      : chain(chain), aliases(aliases) {}
  void run();

private:
  void stop(Operation *op, const Twine &message, const Twine &advice) {
    if (!chain.obstacle)
      chain.obstacle = {op, message.str(), advice.str()};
  }
  bool isOfChain(Operation *op) const;
  void checkOther(Operation *op);
  void checkTransfer(TransferOpInterface op);
  void checkSinks();

  TransferChain &chain;
  AliasAnalysis &aliases;
  /// Those that stand before the operation that is looked at.
  SmallVector<LoadOp> loads;
  SmallVector<Operation *> sinks;
};
} // namespace

bool OrderCheck::isOfChain(Operation *op) const {
  if (auto load = dyn_cast<LoadOp>(op))
    return chain.loads.contains(load);
  if (auto wait = dyn_cast<WaitLoadOp>(op))
    return chain.waits.contains(wait);
  if (auto wait = dyn_cast<WaitStoreOp>(op))
    return chain.earlyWaits.contains(wait);
  return chain.body.contains(op);
}

/// Reads and writes of memory, and nothing else, of one thread.
static bool isMemoryAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
             vector::TransferReadOp, vector::TransferWriteOp>(op);
}

void OrderCheck::checkTransfer(TransferOpInterface op) {
  bool writes = op.getDirection() == Direction::Store;
  for (Value view : op.getViews()) {
    for (LoadOp load : loads)
      if (writes && mayShareCells(view, load.getView()))
        return stop(op,
                    "expected no store that may change the cells between the "
                    "load and the last store, but got one",
                    "move it out of the way, or take both views as windows of "
                    "one view");
    for (Operation *sink : sinks)
      if (auto store = dyn_cast<StoreOp>(sink))
        if (mayShareCells(view, store.getView()))
          return stop(op,
                      "expected no transfer of the stored cells before the "
                      "last store, but got '" +
                          op->getName().getStringRef() + "'",
                      "move it behind the last store");
  }
}

void OrderCheck::checkOther(Operation *op) {
  if (isMemoryEffectFree(op) || isa<WaitLoadOp, WaitStoreOp>(op))
    return;
  if (auto transfer = dyn_cast<TransferOpInterface>(op))
    return checkTransfer(transfer);
  if (!isMemoryAccess(op))
    return stop(op,
                "expected nothing that may order or change memory between the "
                "load and the last store, but got '" +
                    op->getName().getStringRef() + "'",
                "move it before the load or behind the last store");
  // Loads of TMEM move across it freely.
  if (llvm::any_of(sinks, isMemorySink))
    stop(op,
         "expected no other access to memory between the stores, but got '" +
             op->getName().getStringRef() + "'",
         "move it before the first store or behind the last one");
}

/// Chunks of two stores take turns, which matters where they meet in memory.
/// (For stores to TMEM the chunks are compared.)
void OrderCheck::checkSinks() {
  for (auto [index, sink] : llvm::enumerate(chain.sinks)) {
    if (!isMemorySink(sink))
      continue;
    for (Operation *other : llvm::drop_begin(chain.sinks, index + 1))
      if (isMemorySink(other) &&
          !aliases.alias(getMemory(sink), getMemory(other)).isNo())
        return stop(other,
                    "expected stores to memory that does not overlap, but got "
                    "two that may",
                    "load the tile once for each, or allocate both in the "
                    "kernel");
  }
}

void OrderCheck::run() {
  for (Operation *op = chain.getFirst(); op != chain.getLast();
       op = op->getNextNode()) {
    if (!isOfChain(op))
      checkOther(op);
    else if (auto load = dyn_cast<LoadOp>(op))
      loads.push_back(load);
    else if (isa<StoreOp>(op) || isMemorySink(op))
      sinks.push_back(op);
    if (chain.obstacle)
      return;
  }
  checkSinks();
}

void mlir::tmem::checkOrder(TransferChain &chain, AliasAnalysis &aliases) {
  if (!chain.obstacle)
    OrderCheck(chain, aliases).run();
}
