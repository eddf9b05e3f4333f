//===- TileTransfers.cpp - Wide tiles in chunks ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All chains are looked at before the first is rewritten: then operations are
// numbered once. Chains have nothing in common, and each moves down across what
// it may move across, so none makes another one's check wrong.
//
//===----------------------------------------------------------------------===//

#include "TileTransfers.h"
#include "TileTransfersOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionKindInterface.h"
#include "tmem/Layout/Wording.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMTILETRANSFERS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {
/// A chain, and what becomes of it.
struct ChainWork {
  explicit ChainWork(TransferChain chain) : chain(std::move(chain)) {}

  TransferChain chain;
  /// Registers of all chains at a place where they are too many, or 0.
  int64_t together = 0;
  std::optional<Tiling> tiling;
};

/// Tiles the chains below an operation.
class ChainTiler {
public:
  ChainTiler(const TilingLimits &limits, AliasAnalysis &aliases)
      : columns(limits.columns), maxLiveRegisters(limits.maxLiveRegisters),
        order(aliases, dominance) {}

  void run(Operation *root);

private:
  void collect(Operation *root);
  bool isOrdered(Block *block);
  void findCrowds();
  void findCrowds(ArrayRef<ChainWork *> chains);
  void plan(ChainWork &work);
  std::optional<Tiling> choose(TransferChain &chain,
                               std::optional<Obstacle> &obstacle);
  bool isWide(ChainWork &work);
  bool isTooMuch(VectorType vector, ViewType view);
  bool fits(TransferChain &chain, int64_t width);
  SmallVector<int64_t> getWidths(int64_t extent);
  void findNarrowest(TransferChain &chain, std::optional<Obstacle> &obstacle);
  void emitObstacle(ChainWork &work, const Obstacle &obstacle);
  void checkWhole(TransferOpInterface op);

  int64_t columns, maxLiveRegisters;
  DominanceInfo dominance;
  OrderChecker order;
  WindowCache windows;
  DenseMap<Block *, bool> orderedBlocks;
  std::vector<ChainWork> work;
};
} // namespace

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// True where there is something to do.
bool ChainTiler::isWide(ChainWork &work) {
  TransferChain &chain = work.chain;
  if (columns != 0 && chain.getColumns() > columns)
    return true;
  if (maxLiveRegisters == 0)
    return false;
  return work.together != 0 ||
         countRegisters(chain, chain.getLength()).inTurn() > maxLiveRegisters;
}

static int64_t getChunkSize(TransferChain &chain, int64_t width) {
  return llvm::divideCeil(width * chain.getLength(), chain.getColumns());
}

/// Do two chunks fit, one in arithmetic and one being loaded?
bool ChainTiler::fits(TransferChain &chain, int64_t width) {
  return maxLiveRegisters == 0 ||
         countRegisters(chain, getChunkSize(chain, width)).ahead() <=
             maxLiveRegisters;
}

/// The widths to try, the widest first.
SmallVector<int64_t> ChainTiler::getWidths(int64_t extent) {
  SmallVector<int64_t> widths;
  if (columns != 0 && columns < extent)
    widths.push_back(columns);
  if (maxLiveRegisters == 0)
    return widths;
  for (int64_t width = llvm::bit_floor(uint64_t(extent)); width > 0; width /= 2)
    if (width < extent && (columns == 0 || width < columns))
      widths.push_back(width);
  return widths;
}

/// Not even the narrowest chunks fit: says what takes the registers.
void ChainTiler::findNarrowest(TransferChain &chain,
                               std::optional<Obstacle> &obstacle) {
  std::string limit = describeCount(maxLiveRegisters, "register");
  Value outside = findLargestOutside(chain);
  if (!outside) {
    obstacle = {nullptr,
                "expected two chunks of one column in " + limit +
                    ", but got more",
                "allow more registers"};
    return;
  }
  Operation *op = outside.getDefiningOp();
  std::string name =
      op ? "the result of '" + op->getName().getStringRef().str() + "'"
         : "an argument";
  bool isRead = isa_and_nonnull<vector::LoadOp, vector::TransferReadOp>(op);
  obstacle = {
      op,
      "expected two chunks in " + limit + ", but got " + name + " in " +
          describeCount(countRegisters(cast<VectorType>(outside.getType())),
                        "register") +
          " beside them",
      isRead ? "read it in the block of the tile, in consecutive "
               "elements, where nothing up to the last store may "
               "change that memory ("
               "llvm.noalias says that of arguments), so that each chunk can "
               "read a part"
             : "allow more registers, or read the vector from memory "
               "beside the tile, so that each chunk can read a part"};
}

std::optional<Tiling> ChainTiler::choose(TransferChain &chain,
                                         std::optional<Obstacle> &obstacle) {
  // Rather narrow chunks ahead than wide ones in turn.
  for (bool isAhead : {true, false})
    for (int64_t width : getWidths(chain.getColumns())) {
      if (!fits(chain, width) ||
          mayLoadAhead(chain, getChunkSize(chain, width)) != isAhead)
        continue;
      if (std::optional<Tiling> tiling =
              tileChain(chain, width, order.places, windows, obstacle)) {
        tiling->isAhead = isAhead;
        return tiling;
      }
    }
  if (!obstacle)
    findNarrowest(chain, obstacle);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

// At places, not at operations: with the whole function attached, which is
// numbered for each anew, many remarks would take quadratic time.

void ChainTiler::emitObstacle(ChainWork &work, const Obstacle &obstacle) {
  TransferChain &chain = work.chain;
  int64_t registers = std::max(countRegisters(chain.lead.getVectorType()),
                               countRegisters(chain, chain.getLength()).loaded);
  InFlightDiagnostic diag = emitRemark(chain.lead.getLoc(), "keeps ");
  if (registers <= maxLiveRegisters && work.together != 0)
    diag << describeCount(work.together, "register")
         << " live at once with other transfers: ";
  else
    diag << describeCount(registers, "register") << " live at once: ";
  diag << obstacle.message;
  Diagnostic &note = obstacle.op && obstacle.op != chain.lead
                         ? diag.attachNote(obstacle.op->getLoc())
                         : diag.attachNote();
  note << obstacle.advice;
}

bool ChainTiler::isTooMuch(VectorType vector, ViewType view) {
  if (columns != 0 && countColumns(view) > columns)
    return true;
  return maxLiveRegisters != 0 && countRegisters(vector) > maxLiveRegisters;
}

/// Some transfers have no part that could be on its way, or none that is known
/// how to combine.
void ChainTiler::checkWhole(TransferOpInterface op) {
  StringRef expected, advice = "run tmem-insert-waits before";
  if (isa<ReadOp>(op)) {
    expected = "loads with waits";
  } else if (isa<WriteOp>(op)) {
    expected = "stores with waits";
  } else if (isa<LoadReduceOp>(op)) {
    expected = "a load";
    advice = "reduce windows of the view (tmem.subview) and combine what comes "
             "of them";
  } else {
    return;
  }
  if (!isTooMuch(op.getVectorType(),
                 cast<ViewType>(op.getViews().front().getType())))
    return;
  InFlightDiagnostic diag =
      emitRemark(op.getLoc(), "keeps ")
      << describeCount(countRegisters(op.getVectorType()), "register")
      << " live at once: expected " << expected << ", but got '"
      << op->getName().getStringRef() << "'";
  diag.attachNote() << advice;
}

//===----------------------------------------------------------------------===//
// Crowds
//===----------------------------------------------------------------------===//

/// The last operation of its block that a chain needs registers for.
static Operation *getEnd(TransferChain &chain) {
  Operation *end = chain.sinks.empty() ? chain.getFirst() : chain.getLast();
  auto extend = [&](Operation *op) {
    if (end->isBeforeInBlock(op))
      end = op;
  };
  for (WaitLoadOp wait : chain.waits)
    extend(wait);
  for (Operation *op : chain.body)
    extend(op);
  if (!chain.obstacle || !chain.obstacle->op)
    return end;
  Block *block = end->getBlock();
  Operation *ancestor = block->findAncestorOpInBlock(*chain.obstacle->op);
  extend(ancestor ? ancestor : &block->back());
  return end;
}

/// Chains of one block that are too many together at some place.
void ChainTiler::findCrowds(ArrayRef<ChainWork *> chains) {
  struct Event {
    Operation *op;
    int64_t registers; ///< More from here on, or less.
    size_t chain;
  };
  std::vector<Event> events;
  for (auto [index, work] : llvm::enumerate(chains)) {
    TransferChain &chain = work->chain;
    ChainRegisters registers = countRegisters(chain, chain.getLength());
    int64_t count = std::max(registers.loaded, registers.collected);
    events.push_back({chain.getFirst(), count, index});
    events.push_back({getEnd(chain), -count, index});
  }
  llvm::sort(events, [](const Event &a, const Event &b) {
    return a.op == b.op ? a.registers > b.registers
                        : a.op->isBeforeInBlock(b.op);
  });
  // A chain is in a crowd if one begins while it is live.
  std::vector<int64_t> live(events.size());
  int64_t sum = 0;
  for (auto [place, event] : llvm::enumerate(events))
    live[place] = sum += event.registers;
  std::vector<size_t> crowds(chains.size(), 0);
  size_t crowd = events.size();
  for (size_t place = events.size(); place-- > 0;) {
    const Event &event = events[place];
    if (live[place] > maxLiveRegisters)
      crowd = place;
    if (event.registers < 0)
      crowds[event.chain] = place;
    else if (crowd < crowds[event.chain])
      chains[event.chain]->together = live[crowd];
  }
}

void ChainTiler::findCrowds() {
  if (maxLiveRegisters == 0)
    return;
  llvm::MapVector<Block *, SmallVector<ChainWork *>> blocks;
  for (ChainWork &item : work)
    blocks[item.chain.lead->getBlock()].push_back(&item);
  for (auto &entry : blocks)
    findCrowds(entry.second);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

void ChainTiler::plan(ChainWork &work) {
  TransferChain &chain = work.chain;
  // What nobody stores has a consumer that is in the way, or none.
  if (!isWide(work) || (chain.sinks.empty() && !chain.obstacle))
    return;
  order.check(chain);
  if (!chain.obstacle) {
    findRemade(chain,
               [&](Operation *op) { return order.mayMoveDown(op, chain); });
    if (!isWide(work))
      return;
  }
  std::optional<Obstacle> obstacle = chain.obstacle;
  for (Operation *op : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(op);
        store && !store.getRegistersAttr() && !obstacle)
      obstacle = {op, "expected stores with registers, but got one without",
                  "run tmem-select-atoms before"};
  for (LoadOp load : chain.loads)
    if (!load.getRegistersAttr() && !obstacle)
      obstacle = {load, "expected loads with registers, but got one without",
                  "run tmem-select-atoms before"};
  if (!obstacle)
    work.tiling = choose(chain, obstacle);
  if (!work.tiling)
    emitObstacle(work, *obstacle);
}

/// In unreachable blocks and graph regions operations have no order to go by.
bool ChainTiler::isOrdered(Block *block) {
  auto [it, isNew] = orderedBlocks.try_emplace(block, false);
  if (isNew)
    it->second = !mayBeGraphRegion(*block->getParent()) &&
                 dominance.isReachableFromEntry(block);
  return it->second;
}

void ChainTiler::collect(Operation *root) {
  DenseSet<Operation *> seen;
  SmallVector<StoreOp> stores;
  root->walk([&](TransferOpInterface op) {
    if (!isOrdered(op->getBlock()))
      return;
    checkWhole(op);
    if (auto store = dyn_cast<StoreOp>(op.getOperation()))
      stores.push_back(store);
    auto load = dyn_cast<LoadOp>(op.getOperation());
    if (!load || seen.contains(load))
      return;
    work.emplace_back(findChain(load));
    const TransferChain &chain = work.back().chain;
    seen.insert(chain.loads.begin(), chain.loads.end());
    seen.insert(chain.body.begin(), chain.body.end());
  });
  for (StoreOp store : stores)
    if (!seen.contains(store))
      work.emplace_back(makeChain(store));
}

void ChainTiler::run(Operation *root) {
  collect(root);
  findCrowds();
  for (ChainWork &item : work)
    plan(item);
  for (ChainWork &item : work)
    if (item.tiling)
      rewriteChain(item.chain, *item.tiling);
}

void mlir::tmem::tileTransfers(Operation *root, const TilingLimits &limits,
                               AliasAnalysis &aliases) {
  ChainTiler(limits, aliases).run(root);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct TileTransfersPass
    : public tmem::impl::TMemTileTransfersBase<TileTransfersPass> {
  using Base::Base;

  void runOnOperation() override {
    if (columns == 0 && maxLiveRegisters == 0) {
      mlir::emitError(getOperation()->getLoc())
          << "expected columns or max-live-registers, but got neither";
      return signalPassFailure();
    }
    tileTransfers(getOperation(), {columns, maxLiveRegisters},
                  getAnalysis<AliasAnalysis>());
  }
};
} // namespace
