//===- InsertWaitsFlow.cpp - Where to wait --------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each region is looked at by itself: what is under way in the region around it
// is waited for before the operation, if something inside demands it, and else
// passes it by. So what is under way at the start of a region are its pending
// arguments, and at its end there is nothing but what is handed on.
//
// Branches may take what is under way into all of their arms, each of which
// then waits: never more often than once before the branch, and not once more
// where an arm waits for loads of its own.
//
// Between blocks the rule is that what is under way must be so on every way
// that leads to a block; where ways disagree, it is waited for at the ends of
// the blocks before. What happens in them is in InsertWaitsBlocks.cpp.
//
//===----------------------------------------------------------------------===//

#include "InsertWaitsFlow.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include <queue>

using namespace mlir;
using namespace mlir::tmem;

namespace {

class RegionFlow {
public:
  RegionFlow(Region &region, Items &items, BlockFlow &flow)
      : region(region), items(items), flow(flow) {}

  /// `isHome` says whether the region has items of its own.
  void run(bool isHome, WaitPlan &plan);

private:
  void meet(Block *block, ItemList &loads, ItemList &stores);
  void alignPredecessors(Block *block);
  bool update(Block *block);
  void collect(WaitPlan &plan);
  void reportBrokenEdges(Block *block, WaitPlan &plan);

  void findOrder();
  void revisit(Block *block);
  Block *takeNext();

  BlockState &getState(Block *block) { return states[ranks.at(block)]; }

  Region &region;
  Items &items;
  BlockFlow &flow;
  /// In reverse post order, then those that are not reached.
  std::vector<Block *> order;
  std::vector<BlockState> states;    ///< In that order.
  DenseMap<Block *, unsigned> ranks; ///< In that order.
  /// The ranks of the blocks to look at, each once. The least is next: a block
  /// that many lead to is looked at once after all of them, not once after
  /// each.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> worklist;
  llvm::BitVector isWaiting;
};

/// A block that is looked at more often than this starts with nothing under
/// way. What loops ask for is settled in two or three rounds.
constexpr unsigned maxVisits = 8;

} // namespace

static void intersect(ItemList &list, const ItemList &other) {
  llvm::erase_if(list,
                 [&](unsigned id) { return !llvm::is_contained(other, id); });
}

/// What is under way on every edge to the block.
void RegionFlow::meet(Block *block, ItemList &loads, ItemList &stores) {
  bool isFirst = true;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    BlockState &from = getState(*it);
    if (!from.isKnown)
      continue;
    const ItemList &fromLoads = from.loadsOut[it.getSuccessorIndex()];
    const ItemList &fromStores = from.storesOut[it.getSuccessorIndex()];
    if (isFirst) {
      loads = fromLoads;
      stores = fromStores;
    } else {
      intersect(loads, fromLoads);
      intersect(stores, fromStores);
    }
    isFirst = false;
  }
  // The arguments are written here.
  llvm::erase_if(loads, [&](unsigned id) {
    return llvm::any_of(block->getArguments(), [&](Value argument) {
      unsigned other = items.find(argument);
      return other != Items::none && items.getWeb(other) == items.getWeb(id);
    });
  });
}

/// Predecessors wait for what is not under way on other edges.
void RegionFlow::alignPredecessors(Block *block) {
  BlockState &state = getState(block);
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    BlockState &from = getState(*it);
    if (!from.isKnown)
      continue;
    bool loads =
        from.loadsOut[it.getSuccessorIndex()].size() > state.loads.size();
    bool stores =
        from.storesOut[it.getSuccessorIndex()].size() > state.stores.size();
    if ((loads && !from.waitsLoads) || (stores && !from.waitsStores)) {
      from.isStale = true;
      revisit(*it);
    }
    from.waitsLoads |= loads;
    from.waitsStores |= stores;
  }
}

/// Looks at a block once more. False when nothing has changed at its end.
bool RegionFlow::update(Block *block) {
  ItemList loads, stores;
  meet(block, loads, stores);
  BlockState &state = getState(block);
  if (++state.numVisits > maxVisits) {
    loads.clear();
    stores.clear();
  }
  state.isStale |= loads != state.loads || stores != state.stores;
  if (!state.isStale) {
    alignPredecessors(block);
    return false;
  }
  state.isStale = false;
  state.loads = std::move(loads);
  state.stores = std::move(stores);
  auto loadsOut = std::move(state.loadsOut);
  auto storesOut = std::move(state.storesOut);
  flow.run(*block, state);
  bool isChanged = !state.isKnown || loadsOut != state.loadsOut ||
                   storesOut != state.storesOut;
  state.isKnown = true;
  alignPredecessors(block);
  return isChanged;
}

/// A value that was handed over on one edge and is left on another, where it
/// cannot be under way.
void RegionFlow::reportBrokenEdges(Block *block, WaitPlan &plan) {
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    BlockState &from = getState(*it);
    for (unsigned id : from.loadsOut[it.getSuccessorIndex()])
      if (!llvm::is_contained(getState(block).loads, id))
        for (OpOperand &operand : (*it)->getTerminator()->getOpOperands())
          if (operand.get() == items[id].value && items.isHandedOn(id, operand))
            plan.broken.push_back(&operand);
  }
}

static void append(BlockState &state, WaitPlan &plan) {
  llvm::append_range(plan.broken, state.broken);
  // All of them, where the program is one block.
  if (plan.waits.empty())
    plan.waits = std::move(state.waits);
  else
    std::move(state.waits.begin(), state.waits.end(),
              std::back_inserter(plan.waits));
}

/// In an order in which what is waited for comes before its wait.
void RegionFlow::collect(WaitPlan &plan) {
  for (Block *block : order) {
    append(getState(block), plan);
    reportBrokenEdges(block, plan);
  }
}

void RegionFlow::findOrder() {
  llvm::ReversePostOrderTraversal<Region *> reached(&region);
  order.assign(reached.begin(), reached.end());
  ranks.reserve(states.size());
  for (auto [rank, block] : llvm::enumerate(order))
    ranks[block] = rank;
  for (Block &block : region) {
    unsigned rank = order.size();
    if (!ranks.try_emplace(&block, rank).second)
      continue;
    // Of blocks that are not reached none comes first.
    order.push_back(&block);
    states[rank].waitsLoads = states[rank].waitsStores = true;
  }
}

void RegionFlow::revisit(Block *block) {
  unsigned rank = ranks.at(block);
  if (isWaiting[rank])
    return;
  isWaiting.set(rank);
  worklist.push(rank);
}

Block *RegionFlow::takeNext() {
  unsigned rank = worklist.top();
  worklist.pop();
  isWaiting.reset(rank);
  return order[rank];
}

void RegionFlow::run(bool isHome, WaitPlan &plan) {
  BlockState entry;
  if (flow.enter(region, entry))
    plan.takers.insert(region.getParentOp());
  else if (!isHome)
    return;
  states.resize(region.hasOneBlock() ? 1 : region.getBlocks().size());
  states.front() = std::move(entry);
  if (region.hasOneBlock()) {
    flow.run(region.front(), states.front());
    return append(states.front(), plan);
  }
  findOrder();
  isWaiting.resize(order.size());
  for (Block *block : order)
    revisit(block);
  while (!worklist.empty()) {
    Block *block = takeNext();
    if (update(block))
      llvm::for_each(block->getSuccessors(),
                     [&](Block *successor) { revisit(successor); });
  }
  collect(plan);
}

WaitPlan mlir::tmem::planWaits(const Survey &survey, Items &items,
                               UniformBranches &branches) {
  DenseSet<Region *> homes;
  Region *last = nullptr;
  for (unsigned id = 0; id < items.size(); ++id)
    if (items.isPending(id) && items[id].home != last)
      homes.insert(last = items[id].home);
  WaitPlan plan;
  BlockFlow flow(survey, items, branches);
  // What is around a region comes before it: branches there may take some in.
  for (Operation *op : survey.owners)
    for (Region &region : op->getRegions())
      if (!region.empty())
        RegionFlow(region, items, flow).run(homes.contains(&region), plan);
  return plan;
}
