//===- InsertWaits.cpp - From reads and writes to loads and waits ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/IR/Builders.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMINSERTWAITS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// A wait of an item: its number in the plan, and where it names the item,
/// counted through all waits.
struct ServingWait {
  unsigned number, position;
};

/// The waits of each item.
using WaitLists = std::vector<SmallVector<ServingWait, 1>>;

//===----------------------------------------------------------------------===//
// Which wait serves a use
//===----------------------------------------------------------------------===//

class WaitFinder {
public:
  WaitFinder(Items &items, const WaitPlan &plan, DominanceInfo &dominance);

  /// A wait for the item that comes before the use on every way, or nothing.
  std::optional<ServingWait> find(unsigned item, OpOperand &use);
  /// Whether each use of the item that is not handed on has one.
  bool servesAllUses(unsigned item);

private:
  /// A value that is waited for in more places is not worth the search.
  static constexpr unsigned maxWaits = 8;

  Items &items;
  const WaitPlan &plan;
  DominanceInfo &dominance;
  WaitLists waits;
};

} // namespace

WaitFinder::WaitFinder(Items &items, const WaitPlan &plan,
                       DominanceInfo &dominance)
    : items(items), plan(plan), dominance(dominance), waits(items.size()) {
  unsigned position = 0;
  for (auto [number, wait] : llvm::enumerate(plan.waits))
    for (unsigned id : wait.items)
      waits[id].push_back({unsigned(number), position++});
}

std::optional<ServingWait> WaitFinder::find(unsigned item, OpOperand &use) {
  ArrayRef<ServingWait> list = waits[item];
  if (list.size() == 1)
    return list.front();
  for (ServingWait wait : list) {
    Block *block = plan.waits[wait.number].before->getBlock();
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
  for (OpOperand &use : items[item].value.getUses())
    if (!items.isHandedOn(use) &&
        (waits[item].size() > maxWaits || !find(item, use)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

class Rewriter {
public:
  Rewriter(Items &items, const WaitPlan &plan, WaitFinder &finder,
           MLIRContext *context)
      : items(items), plan(plan), finder(finder), builder(context) {}

  void run();

private:
  struct Use {
    OpOperand *operand;
    unsigned position; ///< Of the item in a wait.
  };

  void findUses();
  void makePending();
  void makeStores();
  void makeWait(const PlannedWait &wait);
  Operation *replaceAs(Operation *op, Type result);
  ResultRange extendWait(Operation *op, ArrayRef<Value> values);

  Items &items;
  const WaitPlan &plan;
  WaitFinder &finder;
  OpBuilder builder;
  std::vector<Use> uses;
  std::vector<Value> inFlight; ///< By item: the pending value or the token.
  std::vector<Value> waited;   ///< What waits for loads give, in their order.
  SmallVector<Operation *> dead;
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

/// The load or store for a read or write, behind it: waits before it are
/// placed by the old operation.
Operation *Rewriter::replaceAs(Operation *op, Type result) {
  builder.setInsertionPointAfter(op);
  OperationState state(op->getLoc(), getNameInFlight(op), op->getOperands(),
                       result, op->getAttrs());
  dead.push_back(op);
  return builder.create(state);
}

void Rewriter::findUses() {
  for (unsigned id = 0; id < items.size(); ++id) {
    if (!items[id].value || !items[id].isPending)
      continue;
    for (OpOperand &use : items[id].value.getUses())
      if (!items.isHandedOn(use))
        if (std::optional<ServingWait> wait = finder.find(id, use))
          uses.push_back({&use, wait->position});
  }
}

/// Loads for reads, and pending types for what hands them on.
void Rewriter::makePending() {
  inFlight.resize(items.size());
  for (unsigned id = 0; id < items.size(); ++id) {
    Item &item = items[id];
    if (!item.value || !item.isPending)
      continue;
    Type type = PendingType::get(builder.getContext(),
                                 cast<VectorType>(item.value.getType()));
    if (item.isInput) {
      item.value.setType(type);
      inFlight[id] = item.value;
      continue;
    }
    inFlight[id] = replaceAs(item.value.getDefiningOp(), type)->getResult(0);
    for (OpOperand &use : llvm::make_early_inc_range(item.value.getUses()))
      if (items.isHandedOn(use))
        use.set(inFlight[id]);
  }
}

void Rewriter::makeStores() {
  for (unsigned id = 0; id < items.size(); ++id)
    if (Operation *write = items[id].write)
      inFlight[id] =
          replaceAs(write, TokenType::get(builder.getContext()))->getResult(0);
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

void Rewriter::makeWait(const PlannedWait &wait) {
  SmallVector<Value> values;
  for (unsigned id : wait.items)
    values.push_back(inFlight[id]);
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
  llvm::append_range(waited, results);
}

void Rewriter::run() {
  findUses();
  makePending();
  for (const PlannedWait &wait : plan.waits) {
    if (wait.isStore)
      waited.resize(waited.size() + wait.items.size());
    else
      makeWait(wait);
  }
  for (const Use &use : uses)
    use.operand->set(waited[use.position]);
  makeStores();
  for (const PlannedWait &wait : plan.waits)
    if (wait.isStore)
      makeWait(wait);
  for (Operation *op : dead)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct InsertWaitsPass
    : public tmem::impl::TMemInsertWaitsBase<InsertWaitsPass> {
  using Base::Base;

  void runOnOperation() override;

private:
  void eraseDeadReads();
  bool refine(Items &items, const WaitPlan &plan, WaitFinder &finder);
};
} // namespace

/// How often what is pending is decided anew. Programs take two or three
/// rounds; after the last one nothing is handed on pending.
static constexpr unsigned maxRounds = 10;

void InsertWaitsPass::eraseDeadReads() {
  getOperation()->walk([](Operation *op) {
    if (isa<ReadOp, ReadSplitOp>(op) && op->use_empty())
      op->erase();
  });
}

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
    if (!item.value || !item.isPending || item.staysHome ||
        finder.servesAllUses(id))
      continue;
    item.staysHome = isRefined = true;
  }
  return isRefined;
}

void InsertWaitsPass::runOnOperation() {
  Operation *root = getOperation();
  eraseDeadReads();
  Places places;
  Items items(root, places);
  if (items.size() == 0)
    return markAllAnalysesPreserved();
  DemandMap demands(root, places);
  DominanceInfo dominance(root);
  UniformBranches branches(dominance);
  for (unsigned round = 0; round <= maxRounds; ++round) {
    if (round == maxRounds)
      items.cutEverything();
    items.updateWebs(places);
    WaitPlan plan = planWaits(root, items, demands, branches);
    WaitFinder finder(items, plan, dominance);
    if (refine(items, plan, finder) && round < maxRounds)
      continue;
    Rewriter(items, plan, finder, &getContext()).run();
    return;
  }
}
