//===- InsertWaitsBlocks.cpp - Where a block waits ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a block, a wait is placed where one is first demanded, and is for all that
// is under way: no wait can be later, and none fewer.
//
//===----------------------------------------------------------------------===//

#include "InsertWaitsFlow.h"

using namespace mlir;
using namespace mlir::tmem;

/// Branches in branches take no more in.
static constexpr unsigned maxLevels = 4;

/// More than this is not kept under way between blocks. It is more than the
/// registers of a thread hold vectors.
static constexpr unsigned maxBetweenBlocks = 32;

//===----------------------------------------------------------------------===//
// What is under way
//===----------------------------------------------------------------------===//

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
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<VectorType>(operand.get().getType()))
      continue;
    unsigned id = loads.find(operand.get());
    if (id == Items::none) {
      if (items.isHandedOn(operand))
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
