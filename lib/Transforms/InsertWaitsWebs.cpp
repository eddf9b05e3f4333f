//===- InsertWaitsWebs.cpp - How vectors that are read are handed on ------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is an argument or a result of a loop or a branch that vectors are
// handed to. It can be pending when all that comes to it is, and is not used
// elsewhere at the same time. Which inputs that are looks at uses alone;
// whether something asks for a wait on the way is left to the flow.
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Handing on (rule P1)
//===----------------------------------------------------------------------===//

static bool isRegionCarrier(Operation *op) {
  return isa_and_nonnull<scf::ForOp, scf::IfOp, scf::WhileOp,
                         scf::IndexSwitchOp>(op);
}

static bool isBranchCarrier(Operation *op) {
  return isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>(op);
}

/// The loop or branch whose regions an operand is handed to or comes from.
static Operation *getRegionCarrier(Operation *op) {
  if (isRegionCarrier(op))
    return op;
  if (isa<scf::YieldOp, scf::ConditionOp>(op) &&
      isRegionCarrier(op->getParentOp()))
    return op->getParentOp();
  return nullptr;
}

/// Before the operands that scf.for hands on come its bounds and its step.
static constexpr unsigned numBounds = 3;

/// The argument of a region's first block, and the result, that `index` counts.
static SmallVector<Value, 2> getPair(Operation *carrier, unsigned region,
                                     unsigned argument, unsigned result) {
  return {carrier->getRegion(region).getArgument(argument),
          carrier->getResult(result)};
}

static SmallVector<Value, 2> getLoopInputs(scf::WhileOp loop,
                                           OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  if (!isa<scf::ConditionOp>(operand.getOwner()))
    return {loop.getBefore().getArgument(index)};
  if (index == 0)
    return {};
  return getPair(loop, /*region=*/1, index - 1, index - 1);
}

/// What an operand is handed to, if by an operation that may do so.
static SmallVector<Value, 2> getInputs(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (isBranchCarrier(op)) {
    auto argument =
        cast<BranchOpInterface>(op).getSuccessorBlockArgument(index);
    return argument ? SmallVector<Value, 2>{*argument}
                    : SmallVector<Value, 2>();
  }
  Operation *carrier = getRegionCarrier(op);
  if (!carrier)
    return {};
  if (auto loop = dyn_cast<scf::WhileOp>(carrier))
    return getLoopInputs(loop, operand);
  if (isa<scf::ForOp>(carrier)) {
    if (op != carrier)
      return getPair(carrier, /*region=*/0, index + 1, index);
    if (index < numBounds)
      return {};
    return getPair(carrier, /*region=*/0, index - numBounds + 1,
                   index - numBounds);
  }
  // The operands of branches choose one.
  if (op == carrier)
    return {};
  return {carrier->getResult(index)};
}

bool mlir::tmem::mayHandOn(Operation *op) {
  return isBranchCarrier(op) || getRegionCarrier(op);
}

static OpOperand *getYielded(Region &region, unsigned index) {
  return &region.back().getTerminator()->getOpOperand(index);
}

/// All that branches hand to an argument of their block; false when something
/// else comes to it, too.
static bool getIncomingOfBlock(BlockArgument argument,
                               SmallVectorImpl<OpOperand *> &incoming) {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    Operation *branch = (*it)->getTerminator();
    if (!isBranchCarrier(branch))
      return false;
    SuccessorOperands operands =
        cast<BranchOpInterface>(branch).getSuccessorOperands(
            it.getSuccessorIndex());
    if (operands.isOperandProduced(argument.getArgNumber()))
      return false;
    incoming.push_back(&branch->getOpOperand(
        operands.getOperandIndex(argument.getArgNumber())));
  }
  return !incoming.empty();
}

/// All operands that come to an input; false when something else does, too.
static bool getIncoming(Value input, SmallVectorImpl<OpOperand *> &incoming) {
  auto argument = dyn_cast<BlockArgument>(input);
  if (argument && !argument.getOwner()->isEntryBlock())
    return getIncomingOfBlock(argument, incoming);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : input.getDefiningOp();
  unsigned index = argument ? argument.getArgNumber()
                            : cast<OpResult>(input).getResultNumber();
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (argument && argument.getOwner() == loop.getBeforeBody())
      incoming.append(
          {&op->getOpOperand(index), getYielded(loop.getAfter(), index)});
    else
      incoming.push_back(getYielded(loop.getBefore(), index + 1));
  } else if (isa<scf::ForOp>(op)) {
    index -= argument ? 1 : 0;
    incoming.append({&op->getOpOperand(numBounds + index),
                     getYielded(op->getRegion(0), index)});
  } else if (isRegionCarrier(op)) {
    for (Region &region : op->getRegions())
      incoming.push_back(getYielded(region, index));
  }
  return !incoming.empty();
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

Items::Items(Operation *root, Survey &survey)
    : items(std::move(survey.transfers)) {
  // Maps that grow step by step go through memory each time.
  ids.reserve(llvm::count_if(items, [](Item &item) { return item.value; }));
  for (auto [id, item] : llvm::enumerate(items))
    if (item.value)
      ids[item.value] = id;
  addInputs(survey);
  DominanceInfo dominance(root);
  cutUnfit(dominance);
}

void Items::addInput(Value value) {
  if (!ids.try_emplace(value, items.size()).second)
    return;
  Item item;
  item.value = value;
  item.home = value.getParentRegion();
  items.push_back(item);
}

void Items::addReceivers(OpOperand &use) {
  SmallVector<Value, 2> inputs = ::getInputs(use);
  if (inputs.empty())
    return;
  SmallVector<unsigned, 2> &list = receivers[&use];
  for (Value input : inputs) {
    addInput(input);
    list.push_back(find(input));
  }
}

void Items::addCapture(unsigned id, Operation *user) {
  if (user->getParentRegion() == items[id].home)
    return;
  SmallVector<unsigned, 2> &list =
      captures[items[id].home->findAncestorOpInRegion(*user)];
  if (!llvm::is_contained(ArrayRef(list).take_back(1), id))
    list.push_back(id);
}

/// Inputs that a read can come to, and what operations use in their regions.
void Items::addInputs(const Survey &survey) {
  firstInput = items.size();
  for (unsigned id = 0; id < items.size() && !survey.farUses.empty(); ++id) {
    if (!items[id].value)
      continue;
    auto it = survey.farUses.find(items[id].value);
    if (it == survey.farUses.end())
      continue;
    for (OpOperand *use : llvm::reverse(it->second)) {
      addReceivers(*use);
      addCapture(id, use->getOwner());
    }
  }
  incoming.resize(items.size() - firstInput);
}

// The map is large. What cannot be in it is not looked up.

unsigned Items::find(Value value) const {
  if (!isa<VectorType>(value.getType()))
    return none;
  auto it = ids.find(value);
  if (it == ids.end() || !items[it->second].isPending)
    return none;
  return it->second;
}

ArrayRef<unsigned> Items::getReceivers(OpOperand &operand) const {
  auto it = receivers.find(&operand);
  if (it == receivers.end() || !items[it->second.front()].isPending)
    return {};
  return it->second;
}

bool Items::isHandedOn(OpOperand &operand) const {
  return !getReceivers(operand).empty();
}

ArrayRef<unsigned> Items::getCaptured(Operation *op) const {
  if (op->getNumRegions() == 0)
    return {};
  auto it = captures.find(op);
  return it == captures.end() ? ArrayRef<unsigned>()
                              : ArrayRef<unsigned>(it->second);
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

void Items::cutReceivers(OpOperand &operand) {
  if (ArrayRef<unsigned> list = getReceivers(operand); !list.empty())
    cut(list.front());
}

void Items::cut(unsigned input) {
  SmallVector<unsigned> worklist{input};
  auto cutOne = [&](unsigned id) {
    if (items[id].isPending)
      worklist.push_back(id);
    items[id].isPending = false;
  };
  worklist.clear();
  cutOne(input);
  while (!worklist.empty()) {
    unsigned id = worklist.pop_back_val();
    // What shares an operand with it, and what it goes to itself.
    for (OpOperand *operand : getIncoming(id))
      if (auto it = receivers.find(operand); it != receivers.end())
        llvm::for_each(it->second, cutOne);
    for (OpOperand &use : items[id].value.getUses())
      if (auto it = receivers.find(&use); it != receivers.end())
        llvm::for_each(it->second, cutOne);
  }
}

void Items::cutEverything() {
  for (Item &item : items) {
    item.isPending &= !item.isInput();
    item.staysHome = true;
  }
}

/// Whether the operand's value is nowhere used once it has been handed over.
static bool isLastUse(OpOperand &operand, DominanceInfo &dominance) {
  Operation *owner = operand.getOwner();
  Value value = operand.get();
  if (isRegionCarrier(owner))
    return value.hasOneUse();
  auto branch = dyn_cast<BranchOpInterface>(owner);
  if (!branch)
    return llvm::count(owner->getOperands(), value) == 1;
  for (unsigned i = 0; i < owner->getNumSuccessors(); ++i) {
    OperandRange operands =
        branch.getSuccessorOperands(i).getForwardedOperands();
    unsigned begin = operands.empty() ? 0 : operands.getBeginOperandIndex();
    if (operand.getOperandNumber() < begin ||
        operand.getOperandNumber() >= begin + operands.size())
      continue;
    if (llvm::count(operands, value) != 1)
      return false;
    // Where the way on does not lead to the definition again, uses may follow.
    if (dominance.properlyDominates(value.getParentBlock(),
                                    owner->getSuccessor(i)))
      return llvm::all_of(value.getUsers(),
                          [&](Operation *user) { return user == owner; });
  }
  return true;
}

bool Items::isFit(unsigned input, DominanceInfo &dominance) {
  SmallVectorImpl<OpOperand *> &operands = incoming[input - firstInput];
  if (!::getIncoming(items[input].value, operands))
    return false;
  return llvm::all_of(operands, [&](OpOperand *operand) {
    return ids.contains(operand->get()) &&
           operand->get().getParentRegion() ==
               operand->getOwner()->getParentRegion() &&
           isLastUse(*operand, dominance);
  });
}

void Items::cutUnfit(DominanceInfo &dominance) {
  SmallVector<unsigned> unfit;
  for (unsigned id : getInputs())
    if (!isFit(id, dominance))
      unfit.push_back(id);
  llvm::for_each(unfit, [&](unsigned id) { cut(id); });
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

unsigned Items::findWeb(unsigned id) {
  while (webs[id] != id)
    id = webs[id] = webs[webs[id]];
  return id;
}

void Items::uniteWebs() {
  webs.resize(items.size());
  std::iota(webs.begin(), webs.end(), 0);
  for (unsigned id : getInputs())
    if (items[id].isPending)
      for (OpOperand *operand : getIncoming(id))
        webs[findWeb(id)] = findWeb(ids.lookup(operand->get()));
  for (unsigned id = 0; id < items.size(); ++id)
    webs[id] = findWeb(id);
}

/// One of the inputs that are handed the same operands: of the argument and the
/// result of a loop, say.
unsigned Items::getTie(unsigned id) const {
  unsigned tie = id;
  for (OpOperand *operand : getIncoming(id))
    tie = std::min(tie, *llvm::min_element(receivers.lookup(operand)));
  return tie;
}

/// Where an input is defined together with others.
static void *getDefinition(Value input) {
  if (auto argument = dyn_cast<BlockArgument>(input))
    return argument.getOwner();
  return input.getDefiningOp();
}

/// Two inputs that are defined at once cannot share registers. One that takes
/// over from another of them, as when values rotate, gives way.
void Items::cutCrowded() {
  llvm::MapVector<std::pair<void *, unsigned>, SmallVector<unsigned, 1>> groups;
  for (unsigned id : getInputs())
    if (items[id].isPending)
      groups[{getDefinition(items[id].value), webs[id]}].push_back(id);
  SmallVector<unsigned> cuts;
  for (auto &[key, group] : groups) {
    if (group.size() == 1)
      continue;
    auto rotates = [&, &group = group](unsigned id) {
      return llvm::any_of(getIncoming(id), [&](OpOperand *operand) {
        unsigned from = getTie(ids.lookup(operand->get()));
        return from != getTie(id) && llvm::any_of(group, [&](unsigned other) {
                 return getTie(other) == from;
               });
      });
    };
    unsigned *kept = llvm::find_if_not(group, rotates);
    if (kept == group.end())
      kept = group.begin();
    for (unsigned &id : group)
      if (&id != kept)
        cuts.push_back(id);
  }
  llvm::for_each(cuts, [&](unsigned id) { cut(id); });
}

void Items::updateWebs(Places &places) {
  uniteWebs();
  cutCrowded();
  uniteWebs();
  // What the web of an input may touch: one of its reads, it is not known
  // which.
  DenseMap<unsigned, std::optional<Place>> all;
  for (unsigned id : getInputs())
    if (items[id].isPending)
      all.try_emplace(webs[id]);
  if (all.empty())
    return;
  for (unsigned id = 0; id < firstInput; ++id) {
    auto it = items[id].isWrite() ? all.end() : all.find(webs[id]);
    if (it != all.end())
      it->second = it->second ? places.unite(*it->second, items[id].place)
                              : items[id].place;
  }
  for (unsigned id : getInputs()) {
    if (!items[id].isPending)
      continue;
    items[id].place = all.lookup(webs[id]).value_or(Place());
    if (!places.isFixed(items[id].place.base))
      items[id].place = Place();
  }
}
