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
// In a block, a wait is placed where one is first demanded, and is for all that
// is under way: no wait can be later, and none fewer. Between blocks the rule
// is that what is under way must be so on every way that leads to a block;
// where ways disagree, it is waited for at the ends of the blocks before.
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include <queue>

using namespace mlir;
using namespace mlir::tmem;

namespace {

//===----------------------------------------------------------------------===//
// What is under way
//===----------------------------------------------------------------------===//

/// The loads, or the stores, that have not been waited for.
class InFlight {
public:
  InFlight(Items &items, bool areStores)
      : items(items), members(items.size()),
        webs(areStores ? 0 : items.size()) {}

  ArrayRef<unsigned> getItems() const { return list; }
  bool contains(unsigned id) const { return members[id] == stamp; }
  /// The item of a vector, if it is one of them, or none.
  unsigned find(Value value);
  /// Of loads.
  bool hasWeb(unsigned web) const { return webs[web] == stamp; }

  void add(unsigned id);
  void clear();
  void assign(ArrayRef<unsigned> ids);
  /// Whether one of them may touch a cell of the place.
  bool mayTouch(Place place) const;

private:
  Items &items;
  SmallVector<unsigned> list;
  DenseMap<Value, unsigned> numbers; ///< Of the first ones, if they are many.
  /// By item and by web: the stamp, where there is one under way. To forget all
  /// takes a new stamp.
  std::vector<unsigned> members, webs;
  unsigned stamp = 1;
  unsigned base = 0;    ///< Of all of them,
  bool isMixed = false; ///< unless these differ.
  CellSet cells;
};

} // namespace

void InFlight::add(unsigned id) {
  if (contains(id))
    return;
  members[id] = stamp;
  if (!webs.empty())
    webs[items.getWeb(id)] = stamp;
  Place place = items[id].place;
  isMixed |= place.base == 0 || (!list.empty() && place.base != base);
  base = place.base;
  list.push_back(id);
  if (place.cells)
    cells.add(*place.cells);
}

unsigned InFlight::find(Value value) {
  // Few are under way, as a rule.
  constexpr unsigned few = 8;
  if (list.size() > few) {
    for (unsigned id : ArrayRef(list).drop_front(numbers.size()))
      numbers[items[id].value] = id;
    return numbers.lookup_or(value, Items::none);
  }
  for (unsigned id : list)
    if (items[id].value == value)
      return id;
  return Items::none;
}

void InFlight::clear() {
  if (list.empty())
    return;
  list.clear();
  numbers.clear();
  ++stamp;
  isMixed = false;
  cells = CellSet();
}

void InFlight::assign(ArrayRef<unsigned> ids) {
  clear();
  for (unsigned id : ids)
    add(id);
}

bool InFlight::mayTouch(Place place) const {
  if (list.empty())
    return false;
  return isMixed || place.base != base || cells.overlaps(*place.cells);
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

namespace {

struct BlockState {
  ItemList loads, stores; ///< Under way at the start.
  /// Under way at the end, for each successor.
  SmallVector<ItemList, 2> loadsOut, storesOut;
  SmallVector<PlannedWait, 0> waits;
  SmallVector<OpOperand *, 0> broken;
  bool isKnown = false;
  bool waitsLoads = false, waitsStores = false; ///< At the end, in any case.
  bool isStale = true; ///< Something has changed since it was looked at.
  unsigned numVisits = 0;
};

/// Branches in branches take no more in.
constexpr unsigned maxLevels = 4;

/// More than this is not kept under way between blocks. It is more than the
/// registers of a thread hold vectors.
constexpr unsigned maxBetweenBlocks = 32;

class BlockFlow {
public:
  BlockFlow(const Survey &survey, Items &items, UniformBranches &branches)
      : survey(survey), items(items), branches(branches),
        loads(items, /*areStores=*/false), stores(items, /*areStores=*/true) {}

  void run(Block &block, BlockState &state);
  /// Whether a branch takes anything into its arms, of which this is one; if so
  /// what is under way at its start.
  bool enter(Region &region, BlockState &state);

private:
  void visit(Operation *op);
  bool takeIn(Operation *branch, InFlight &flight, ItemList &taken);
  void leave(Operation *terminator);
  void joinPlacedWait(Operation *op);
  void wait(Operation *before, InFlight &flight, ArrayRef<unsigned> except = {},
            bool isPlaced = false);
  bool usesLoads(Operation *op, SmallVectorImpl<unsigned> &handed);
  unsigned takeTransfer(Operation *op);
  void checkDemands(Operation *op, bool &needsLoads, bool &needsStores);
  bool definesSharedRegisters(Operation *op);
  void takeOut(ArrayRef<unsigned> handed, Operation *op);
  void visitTransfer(Operation *op, unsigned id);
  void visitOther(Operation *op);
  void leaveTo(Operation *terminator, unsigned successor);

  const Survey &survey;
  Items &items;
  UniformBranches &branches;
  InFlight loads, stores;
  BlockState *state = nullptr;
  unsigned next = 0; ///< The next transfer of the block, or behind it.
  BranchEntries entries;
  CaptureMap captured; ///< Of what was taken into the region at hand.
  unsigned level = 0;  ///< How many branches have taken it in.
};

} // namespace

void BlockFlow::wait(Operation *before, InFlight &flight,
                     ArrayRef<unsigned> except, bool isPlaced) {
  PlannedWait planned{before, isPlaced, &flight == &stores, {}};
  ItemList kept;
  for (unsigned id : flight.getItems()) {
    if (llvm::is_contained(except, id))
      kept.push_back(id);
    else
      planned.items.push_back(id);
  }
  if (planned.items.empty())
    return;
  state->waits.push_back(std::move(planned));
  flight.assign(kept);
}

/// A wait that is there is for everything.
void BlockFlow::joinPlacedWait(Operation *op) {
  wait(op, isa<WaitLoadOp>(op) ? loads : stores, {}, /*isPlaced=*/true);
}

/// Whether the operation uses what is under way, other than to hand it on.
bool BlockFlow::usesLoads(Operation *op, SmallVectorImpl<unsigned> &handed) {
  auto isInFlight = [&](unsigned id) { return loads.contains(id); };
  bool uses = op->getNumRegions() != 0 &&
              (llvm::any_of(items.getCaptured(op), isInFlight) ||
               llvm::any_of(captured.lookup(op), isInFlight));
  bool handsOn = mayHandOn(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<VectorType>(operand.get().getType()))
      continue;
    unsigned id = loads.find(operand.get());
    if (id == Items::none) {
      if (handsOn && items.isHandedOn(operand))
        state->broken.push_back(&operand);
      continue;
    }
    if (items.isHandedOn(id, operand))
      handed.push_back(id);
    else
      uses = true;
  }
  return uses;
}

void BlockFlow::checkDemands(Operation *op, bool &needsLoads,
                             bool &needsStores) {
  const Demands asked = survey.getDemands(op);
  auto touches = [](InFlight &flight, ArrayRef<Place> places) {
    return llvm::any_of(places,
                        [&](Place place) { return flight.mayTouch(place); });
  };
  needsLoads |= asked.everything || touches(loads, asked.stored);
  needsStores |= asked.everything || touches(stores, asked.stored) ||
                 touches(stores, asked.loaded);
}

/// Whether the operation writes registers that are still being loaded: of its
/// results, and of what its regions begin with.
bool BlockFlow::definesSharedRegisters(Operation *op) {
  auto shares = [&](Value value) {
    unsigned id = items.find(value);
    return id != Items::none && loads.hasWeb(items.getWeb(id));
  };
  return llvm::any_of(op->getResults(), shares) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return !region.empty() &&
                  llvm::any_of(region.getArguments(), shares);
         });
}

/// What is handed over leaves. That few are left where there is much to search
/// is worth a wait.
void BlockFlow::takeOut(ArrayRef<unsigned> handed, Operation *op) {
  if (handed.empty())
    return;
  if (loads.getItems().size() > handed.size() + maxBetweenBlocks)
    wait(op, loads, handed);
  ItemList kept;
  for (unsigned id : loads.getItems())
    if (!llvm::is_contained(handed, id))
      kept.push_back(id);
  loads.assign(kept);
}

/// The read or write that the operation is; none if it is another one.
unsigned BlockFlow::takeTransfer(Operation *op) {
  bool isNext = next < items.getNumTransfers() && items[next].op == op;
  return isNext ? next++ : Items::none;
}

void BlockFlow::visitTransfer(Operation *op, unsigned id) {
  SmallVector<unsigned> handed;
  const Item &item = items[id];
  bool isWrite = item.isWrite();
  if (usesLoads(op, handed) || (isWrite && loads.mayTouch(item.place)) ||
      (!isWrite && loads.hasWeb(items.getWeb(id))))
    wait(op, loads);
  if (stores.mayTouch(item.place))
    wait(op, stores);
  (isWrite ? stores : loads).add(id);
}

void BlockFlow::visitOther(Operation *op) {
  SmallVector<unsigned> handed;
  bool needsLoads = usesLoads(op, handed), needsStores = false;
  if (needsLoads && !handed.empty())
    wait(op, loads, handed);
  takeOut(handed, op);
  // Loops and branches define items; nothing else that is no read does.
  if (op->getNumRegions() != 0 && !loads.getItems().empty())
    needsLoads |= definesSharedRegisters(op);
  checkDemands(op, needsLoads, needsStores);
  BranchEntry entry{{}, {}, level + 1};
  if (needsLoads && !takeIn(op, loads, entry.loads))
    wait(op, loads);
  if (needsStores && !takeIn(op, stores, entry.stores))
    wait(op, stores);
  if (op->getNumRegions() == 0)
    return;
  // Blocks of loops are looked at again, when less may be under way.
  if (!entry.loads.empty() || !entry.stores.empty())
    entries[op] = std::move(entry);
  else if (!entries.empty())
    entries.erase(op);
  for (Value result : op->getResults())
    if (unsigned id = items.find(result); id != Items::none)
      loads.add(id);
}

void BlockFlow::visit(Operation *op) {
  unsigned id = takeTransfer(op);
  if (id != Items::none)
    visitTransfer(op, id);
  else if (isa<WaitLoadOp, WaitStoreOp>(op))
    joinPlacedWait(op);
  else
    visitOther(op);
}

bool BlockFlow::takeIn(Operation *branch, InFlight &flight, ItemList &taken) {
  if (level == maxLevels ||
      !canTakeIn(branch, flight.getItems(), items, branches))
    return false;
  taken.assign(flight.getItems().begin(), flight.getItems().end());
  flight.clear();
  return true;
}

bool BlockFlow::enter(Region &region, BlockState &state) {
  captured.clear();
  level = 0;
  auto it = entries.find(region.getParentOp());
  if (it == entries.end())
    return false;
  level = it->second.level;
  state.loads = it->second.loads;
  state.stores = it->second.stores;
  captured = findCaptures(region, state.loads, items);
  return true;
}

/// What the edge to a successor carries besides its operands.
void BlockFlow::leaveTo(Operation *terminator, unsigned successor) {
  auto branch = cast<BranchOpInterface>(terminator);
  OperandRange operands =
      branch.getSuccessorOperands(successor).getForwardedOperands();
  DenseSet<unsigned> handed;
  if (!operands.empty())
    for (unsigned i = 0; i < operands.size(); ++i)
      if (items.isHandedOn(
              terminator->getOpOperand(operands.getBeginOperandIndex() + i)))
        handed.insert(loads.find(operands[i]));
  for (unsigned id : loads.getItems())
    if (!handed.contains(id))
      state->loadsOut[successor].push_back(id);
  llvm::append_range(state->storesOut[successor], stores.getItems());
}

void BlockFlow::leave(Operation *terminator) {
  SmallVector<unsigned> handed;
  bool needsLoads = usesLoads(terminator, handed), needsStores = false;
  checkDemands(terminator, needsLoads, needsStores);
  bool goesOn =
      terminator->getNumSuccessors() != 0 && isa<BranchOpInterface>(terminator);
  bool isUniform = goesOn && branches.isUniform(terminator);
  if (goesOn && !isUniform)
    for (OpOperand &operand : terminator->getOpOperands())
      if (items.isHandedOn(operand))
        state->broken.push_back(&operand);
  auto mustStay = [&](InFlight &flight) {
    return !isUniform || flight.getItems().size() > maxBetweenBlocks ||
           llvm::any_of(flight.getItems(),
                        [&](unsigned id) { return items[id].staysHome; });
  };
  if (needsLoads || state->waitsLoads || mustStay(loads))
    wait(terminator, loads, handed);
  if (needsStores || state->waitsStores || mustStay(stores))
    wait(terminator, stores);
  state->loadsOut.assign(terminator->getNumSuccessors(), {});
  state->storesOut.assign(terminator->getNumSuccessors(), {});
  if (goesOn)
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      leaveTo(terminator, i);
}

void BlockFlow::run(Block &block, BlockState &blockState) {
  state = &blockState;
  state->waits.clear();
  state->broken.clear();
  next = survey.firstTransfers.lookup(&block);
  loads.assign(state->loads);
  stores.assign(state->stores);
  for (BlockArgument argument : block.getArguments())
    if (unsigned id = items.find(argument); id != Items::none)
      loads.add(id);
  Operation *last = block.empty() ? nullptr : &block.back();
  for (Operation &op : block) {
    if (&op == last && op.mightHaveTrait<OpTrait::IsTerminator>())
      leave(&op);
    else
      visit(&op);
  }
}

//===----------------------------------------------------------------------===//
// A region
//===----------------------------------------------------------------------===//

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
