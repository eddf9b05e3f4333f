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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMTILETRANSFERS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {
/// Tiles the chains below an operation.
class ChainTiler {
public:
  ChainTiler(const TilingLimits &limits, AliasAnalysis &aliases)
      : columns(limits.columns), maxLiveRegisters(limits.maxLiveRegisters),
        aliases(aliases) {}

  void run(Operation *root);

private:
  struct Work {
    TransferChain chain;
    Tiling tiling;
  };

  std::optional<Tiling> plan(TransferChain &chain);
  std::optional<Tiling> choose(TransferChain &chain,
                               std::optional<Obstacle> &obstacle);
  bool isWide(TransferChain &chain);
  bool fits(TransferChain &chain, int64_t width);
  SmallVector<int64_t> getWidths(int64_t extent);
  void emitObstacle(TransferChain &chain, const Obstacle &obstacle);
  void checkRead(ReadOp op);

  int64_t columns, maxLiveRegisters;
  AliasAnalysis &aliases;
};
} // namespace

/// True where there is something to do.
bool ChainTiler::isWide(TransferChain &chain) {
  if (columns != 0 && chain.getColumns() > columns)
    return true;
  if (maxLiveRegisters == 0)
    return false;
  return countRegisters(chain, chain.getLength()).inTurn() > maxLiveRegisters;
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

std::optional<Tiling> ChainTiler::choose(TransferChain &chain,
                                         std::optional<Obstacle> &obstacle) {
  // Rather narrow chunks ahead than wide ones in turn.
  for (bool isAhead : {true, false})
    for (int64_t width : getWidths(chain.getColumns())) {
      if (!fits(chain, width) ||
          mayLoadAhead(chain, getChunkSize(chain, width)) != isAhead)
        continue;
      if (std::optional<Tiling> tiling = tileChain(chain, width, obstacle)) {
        tiling->isAhead = isAhead;
        return tiling;
      }
    }
  if (!obstacle)
    obstacle = {nullptr,
                "expected two chunks of one column in " +
                    std::to_string(maxLiveRegisters) +
                    " registers, but got more",
                "allow more registers, or keep fewer vectors that are not "
                "loaded from the tile"};
  return std::nullopt;
}

void ChainTiler::emitObstacle(TransferChain &chain, const Obstacle &obstacle) {
  InFlightDiagnostic diag = chain.lead.emitRemark("keeps ");
  diag << countRegisters(chain, chain.getLength()).loaded
       << " registers live at once: " << obstacle.message;
  Diagnostic &note = obstacle.op && obstacle.op != chain.lead
                         ? diag.attachNote(obstacle.op->getLoc())
                         : diag.attachNote();
  note << obstacle.advice;
}

std::optional<Tiling> ChainTiler::plan(TransferChain &chain) {
  // What nobody stores has a consumer that is in the way, or none.
  if (!isWide(chain) || (chain.sinks.empty() && !chain.obstacle))
    return std::nullopt;
  checkOrder(chain, aliases);
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
  std::optional<Tiling> tiling;
  if (!obstacle)
    tiling = choose(chain, obstacle);
  if (!tiling)
    emitObstacle(chain, *obstacle);
  return tiling;
}

/// A read waits at once, and has no part that could be on its way.
void ChainTiler::checkRead(ReadOp op) {
  int64_t registers = countRegisters(op.getVectorType());
  bool isWide = maxLiveRegisters != 0 && registers > maxLiveRegisters;
  if (columns != 0 && countColumns(op.getView().getType()) > columns)
    isWide = true;
  if (!isWide)
    return;
  InFlightDiagnostic diag = op.emitRemark("keeps ")
                            << registers
                            << " registers live at once: expected loads with "
                               "waits, but got 'tmem.read'";
  diag.attachNote() << "run tmem-insert-waits before";
}

void ChainTiler::run(Operation *root) {
  DenseSet<Operation *> seen;
  std::vector<Work> work;
  root->walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      checkRead(read);
    auto load = dyn_cast<LoadOp>(op);
    if (!load || seen.contains(load))
      return;
    TransferChain chain = findChain(load);
    seen.insert(chain.loads.begin(), chain.loads.end());
    if (std::optional<Tiling> tiling = plan(chain))
      work.push_back({std::move(chain), std::move(*tiling)});
  });
  for (Work &item : work)
    rewriteChain(item.chain, item.tiling);
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
