//===- InsertWaitsRewrite.cpp - Loads, stores and waits -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Which wait serves a use
//===----------------------------------------------------------------------===//

WaitFinder::WaitFinder(Items &items, const WaitPlan &plan,
                       DominanceInfo &dominance)
    : items(items), dominance(dominance), waits(items.size()) {
  for (auto [number, wait] : llvm::enumerate(plan.waits))
    for (unsigned id : wait.items)
      waits[id].push_back(number);
  // There are few of these, and the program will change.
  for (ArrayRef<unsigned> list : waits)
    if (list.size() > 1)
      for (unsigned wait : list)
        blocks[wait] = plan.waits[wait].before->getBlock();
}

std::optional<unsigned> WaitFinder::find(unsigned item, OpOperand &use) {
  ArrayRef<unsigned> list = waits[item];
  if (list.size() == 1)
    return list.front();
  for (unsigned wait : list) {
    Block *block = blocks.at(wait);
    // Of waits in the arms of a branch, the one in the arm of the use.
    Operation *user =
        block->getParent()->findAncestorOpInRegion(*use.getOwner());
    if (user && dominance.dominates(block, user->getBlock()))
      return wait;
  }
  return std::nullopt;
}

bool WaitFinder::servesAllUses(unsigned item) {
  if (waits[item].size() == 1)
    return true;
  // Without a look at the uses.
  const Item &known = items[item];
  if (known.hasOneUse && known.handing &&
      items.isHandedOn(item, *known.handing))
    return true;
  for (OpOperand &use : items[item].value.getUses())
    if (!items.isHandedOn(item, use) &&
        (waits[item].size() > maxWaits || !find(item, use)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Goes through the program once, from wait to wait: a read or write is
/// replaced when the first wait names it, and what the wait gives takes the
/// place of what was read.
class Rewriter {
public:
  Rewriter(Items &items, const WaitPlan &plan, WaitFinder &finder,
           MLIRContext *context)
      : items(items), plan(plan), finder(finder), builder(context),
        inFlight(items.size()) {}

  void run();

private:
  Type getPending(Value vector);
  Value getInFlight(unsigned id);
  Value replaceTransfer(unsigned id);
  void makeWait(unsigned number);
  void serve(unsigned number, unsigned id, Value waited);
  ResultRange extendWait(Operation *op, ArrayRef<Value> values);

  Items &items;
  const WaitPlan &plan;
  WaitFinder &finder;
  OpBuilder builder;
  std::vector<Value> inFlight; ///< By item: the pending value or the token.
};

} // namespace

static StringRef getNameInFlight(Operation *op) {
  if (isa<ReadOp>(op))
    return LoadOp::getOperationName();
  if (isa<ReadSplitOp>(op))
    return LoadSplitOp::getOperationName();
  return isa<WriteOp>(op) ? StoreOp::getOperationName()
                          : StoreSplitOp::getOperationName();
}

Type Rewriter::getPending(Value vector) {
  return PendingType::get(builder.getContext(),
                          cast<VectorType>(vector.getType()));
}

/// The load or store for a read or write. The read stays while waits may ask
/// for its uses.
Value Rewriter::replaceTransfer(unsigned id) {
  const Item &item = items[id];
  Type type = item.isWrite() ? TokenType::get(builder.getContext())
                             : getPending(item.value);
  // Waits before it have been placed.
  builder.setInsertionPoint(item.op);
  OperationState state(item.op->getLoc(), getNameInFlight(item.op),
                       item.op->getOperands(), type, item.op->getAttrs());
  Value result = builder.create(state)->getResult(0);
  if (!item.isWrite())
    for (OpOperand &use : llvm::make_early_inc_range(item.value.getUses()))
      if (items.isHandedOn(id, use))
        use.set(result);
  if (item.isWrite() || finder.getWaits(id).empty())
    item.op->erase();
  return result;
}

Value Rewriter::getInFlight(unsigned id) {
  Value &result = inFlight[id];
  if (result)
    return result;
  if (!items[id].isInput())
    return result = replaceTransfer(id);
  // What hands vectors on has a pending type from now on.
  result = items[id].value;
  result.setType(getPending(result));
  return result;
}

/// A wait that is there, with more operands. The results of these.
ResultRange Rewriter::extendWait(Operation *op, ArrayRef<Value> values) {
  SmallVector<Value> operands(op->getOperands());
  llvm::append_range(operands, values);
  builder.setInsertionPoint(op);
  unsigned numOld = op->getNumResults();
  if (isa<WaitStoreOp>(op)) {
    op->setOperands(operands);
    return op->getResults();
  }
  auto wait = WaitLoadOp::create(builder, op->getLoc(), operands);
  wait->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(wait->getResults().take_front(numOld));
  op->erase();
  return wait->getResults().drop_front(numOld);
}

void Rewriter::makeWait(unsigned number) {
  const PlannedWait &wait = plan.waits[number];
  SmallVector<Value> values;
  for (unsigned id : wait.items)
    values.push_back(getInFlight(id));
  if (!wait.isPlaced)
    builder.setInsertionPoint(wait.before);
  if (wait.isStore) {
    if (wait.isPlaced)
      extendWait(wait.before, values);
    else
      WaitStoreOp::create(builder, wait.before->getLoc(), values);
    return;
  }
  ResultRange results =
      wait.isPlaced ? extendWait(wait.before, values)
                    : WaitLoadOp::create(builder, wait.before->getLoc(), values)
                          ->getResults();
  for (auto [id, result] : llvm::zip_equal(wait.items, results))
    serve(number, id, result);
}

/// What a wait gives takes the place of the vector where it is the one to serve
/// it.
void Rewriter::serve(unsigned number, unsigned id, Value waited) {
  const Item &item = items[id];
  for (OpOperand &use : llvm::make_early_inc_range(item.value.getUses()))
    // An input is what waits take.
    if (!isa<WaitLoadOp>(use.getOwner()) && !items.isHandedOn(id, use) &&
        finder.find(id, use) == number)
      use.set(waited);
  if (!item.isInput() && finder.getWaits(id).back() == number)
    item.op->erase();
}

void Rewriter::run() {
  for (unsigned number = 0; number < plan.waits.size(); ++number)
    makeWait(number);
  // What no wait names is handed on.
  for (unsigned id = 0; id < items.size(); ++id)
    if (items.isPending(id))
      getInFlight(id);
}

void mlir::tmem::rewriteTransfers(Items &items, const WaitPlan &plan,
                                  WaitFinder &finder, MLIRContext *context) {
  Rewriter(items, plan, finder, context).run();
}
