//===- InsertWaits.cpp - From reads and writes to loads and waits ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMINSERTWAITS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {
struct InsertWaitsPass
    : public tmem::impl::TMemInsertWaitsBase<InsertWaitsPass> {
  using Base::Base;

  void runOnOperation() override;

private:
  bool refine(Items &items, const WaitPlan &plan, WaitFinder &finder);
};
} // namespace

/// How often what is pending is decided anew. Programs take two or three
/// rounds; after the last one nothing is handed on pending.
static constexpr unsigned maxRounds = 10;

/// The branch that has taken something in around an operation, or null.
static Operation *findTaker(Operation *op, const WaitPlan &plan) {
  if (plan.takers.empty())
    return nullptr;
  while ((op = op->getParentOp()) && !plan.takers.contains(op))
    ;
  return op;
}

/// Gives up what the plan could not keep. False when it has kept everything.
bool InsertWaitsPass::refine(Items &items, const WaitPlan &plan,
                             WaitFinder &finder) {
  bool isRefined = !plan.broken.empty();
  for (OpOperand *operand : plan.broken) {
    // Without what was taken in it may stay pending.
    if (Operation *branch = findTaker(operand->getOwner(), plan))
      items.refuse(branch);
    else
      items.cutReceivers(*operand);
  }
  for (unsigned id = 0; id < items.size(); ++id) {
    Item &item = items[id];
    if (!item.value || !items.isPending(id) || item.staysHome ||
        finder.servesAllUses(id))
      continue;
    item.staysHome = isRefined = true;
  }
  return isRefined;
}

void InsertWaitsPass::runOnOperation() {
  Operation *root = getOperation();
  Places places;
  Survey survey(root, places);
  DominanceInfo dominance(root);
  Items items(survey, dominance);
  if (items.size() == 0)
    return markAllAnalysesPreserved();
  UniformBranches branches(dominance);
  for (unsigned round = 0; round <= maxRounds; ++round) {
    if (round == maxRounds)
      items.cutEverything();
    items.updateWebs(places);
    WaitPlan plan = planWaits(survey, items, branches);
    WaitFinder finder(items, plan, dominance);
    if (refine(items, plan, finder) && round < maxRounds)
      continue;
    rewriteTransfers(items, plan, finder, &getContext());
    return;
  }
}
