//===- InsertWaitsSurvey.cpp - What there is in a program -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/IR/RegionKindInterface.h"

using namespace mlir;
using namespace mlir::tmem;

Survey::Survey(Operation *root, Places &places) : places(places) {
  visitRegions(root);
}

void Survey::addTransfer(Operation *op) {
  Item item;
  item.op = op;
  item.home = op->getParentRegion();
  item.place = places.get(cast<TransferOpInterface>(op));
  if (op->getNumResults() != 0) {
    item.value = op->getResult(0);
    item.hasOneUse = item.value.hasOneUse();
    for (OpOperand &use : item.value.getUses())
      if (isFarUse(use))
        farUses.emplace_back(&use, transfers.size());
  }
  transfers.push_back(item);
}

/// First all operations of the block itself, so that its transfers have numbers
/// one behind the other.
void Survey::visitBlock(Block &block, Operation *owner, Demands &sum) {
  firstTransfers[&block] = transfers.size();
  // Whether the order of operations is one of execution, and has an end.
  bool isInSequence =
      !mayBeGraphRegion(*block.getParent()) && block.mightHaveTerminator();
  SmallVector<Operation *> inner;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<ReadOp, ReadSplitOp>(op) && op.use_empty()) {
      op.erase();
      continue;
    }
    if (isInSequence && isa<ReadOp, ReadSplitOp, WriteOp, WriteSplitOp>(op))
      addTransfer(&op);
    if (op.getNumRegions() != 0)
      inner.push_back(&op);
    else if (!sum.everything)
      sum.add(getOwnDemands(&op, places), owner, places);
  }
  for (Operation *op : inner) {
    visitRegions(op);
    sum.add(getDemands(op), owner, places);
  }
}

void Survey::visitRegions(Operation *owner) {
  owners.push_back(owner);
  Demands sum = getOwnDemands(owner, places);
  for (Region &region : owner->getRegions())
    for (Block &block : region)
      visitBlock(block, owner, sum);
  if (sum.isEmpty())
    return;
  demandNumbers[owner] = demands.size();
  demands.emplace_back(owner, std::move(sum));
}

Demands Survey::getDemands(Operation *op) const {
  if (op->getNumRegions() == 0)
    return getOwnDemands(op, places);
  // Regions are gone through in order, so it is the next one, as a rule.
  if (++lastDemands < demands.size() && demands[lastDemands].first == op)
    return demands[lastDemands].second;
  auto it = demandNumbers.find(op);
  if (it == demandNumbers.end())
    return Demands();
  lastDemands = it->second;
  return demands[lastDemands].second;
}
