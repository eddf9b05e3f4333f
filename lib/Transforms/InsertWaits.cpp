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

/// The waits of each item, by their number in the plan.
using WaitLists = std::vector<SmallVector<unsigned, 1>>;

//===----------------------------------------------------------------------===//
// Which wait serves a use
//===----------------------------------------------------------------------===//

class WaitFinder {
public:
  WaitFinder(Items &items, const WaitPlan &plan, DominanceInfo &dominance);

  /// The number of a wait for the item that comes before the use on every way,
  /// or nothing.
  std::optional<unsigned> find(unsigned item, OpOperand &use);
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
  for (auto [number, wait] : llvm::enumerate(plan.waits))
    for (unsigned id : wait.items)
      waits[id].push_back(number);
}

std::optional<unsigned> WaitFinder::find(unsigned item, OpOperand &use) {
  ArrayRef<unsigned> list = waits[item];
  if (list.size() == 1)
    return list.front();
  Operation *user = items[item].home->findAncestorOpInRegion(*use.getOwner());
  for (unsigned number : list) {
    Block *block = plan.waits[number].before->getBlock();
    if (dominance.dominates(block, user->getBlock()))
      return number;
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
    unsigned item, wait;
  };

  void findUses();
  void makePending();
  void makeStores();
  void makeWait(unsigned number);
  Operation *replaceAs(Operation *op, Type result);
  ResultRange extendWait(Operation *op, ArrayRef<Value> values);

  Items &items;
  const WaitPlan &plan;
  WaitFinder &finder;
  OpBuilder builder;
  std::vector<Use> uses;
  std::vector<Value> inFlight; ///< By item: the pending value or the token.
  DenseMap<std::pair<unsigned, unsigned>, Value> waited; ///< By wait and item.
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
        if (std::optional<unsigned> wait = finder.find(id, use))
          uses.push_back({&use, id, *wait});
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

void Rewriter::makeWait(unsigned number) {
  const PlannedWait &wait = plan.waits[number];
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
  for (auto [id, result] : llvm::zip_equal(wait.items, results))
    waited[{number, id}] = result;
}

void Rewriter::run() {
  findUses();
  makePending();
  for (unsigned i = 0; i < plan.waits.size(); ++i)
    if (!plan.waits[i].isStore)
      makeWait(i);
  for (const Use &use : uses)
    use.operand->set(waited.lookup({use.wait, use.item}));
  makeStores();
  for (unsigned i = 0; i < plan.waits.size(); ++i)
    if (plan.waits[i].isStore)
      makeWait(i);
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

/// Gives up what the plan could not keep. False when it has kept everything.
bool InsertWaitsPass::refine(Items &items, const WaitPlan &plan,
                             WaitFinder &finder) {
  bool isRefined = !plan.broken.empty();
  for (OpOperand *operand : plan.broken)
    items.cutReceivers(*operand);
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
