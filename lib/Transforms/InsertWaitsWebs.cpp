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

bool mlir::tmem::isFarUse(OpOperand &use) {
  Operation *owner = use.getOwner();
  return mayHandOn(owner) ||
         use.get().getParentRegion() != owner->getParentRegion();
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

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

Items::Items(Survey &survey, DominanceInfo &dominance)
    : items(std::move(survey.transfers)) {
  addInputs(survey, dominance);
  sortSources();
  waitedFor.resize(size());
  cutUnfit();
}

/// Whether a block has other vectors as arguments, or an operation as results.
static bool hasSiblings(Value value) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::count_if(argument.getOwner()->getArgumentTypes(), isVector) >
           1;
  return llvm::count_if(value.getDefiningOp()->getResultTypes(), isVector) > 1;
}

unsigned Items::addInput(Value value) {
  auto [it, isNew] = inputIds.try_emplace(value, items.size());
  if (!isNew)
    return it->second;
  Item item;
  item.value = value;
  item.home = value.getParentRegion();
  item.hasSiblings = ::hasSiblings(value);
  item.hasOneUse = value.hasOneUse();
  SmallVector<OpOperand *> operands;
  if (getIncoming(value, operands))
    item.numIncoming = operands.size();
  items.push_back(item);
  return it->second;
}

void Items::addReceivers(unsigned id, OpOperand &use,
                         DominanceInfo &dominance) {
  SmallVector<Value, 2> inputs = ::getInputs(use);
  if (inputs.empty())
    return;
  bool isFit = items[id].home == use.getOwner()->getParentRegion() &&
               isLastUse(use, dominance);
  Receivers receivers(addInput(inputs.front()), none);
  sources.push_back({&use, id, receivers.first, isFit});
  if (inputs.size() == 2) {
    receivers.second = addInput(inputs.back());
    sources.push_back({&use, id, receivers.second, isFit});
  }
  if (items[id].handing) {
    moreReceivers[&use] = receivers;
    return;
  }
  items[id].handing = &use;
  items[id].receivers = receivers;
}

void Items::addCapture(unsigned id, Operation *user) {
  if (user->getParentRegion() == items[id].home)
    return;
  SmallVector<unsigned, 2> &list =
      captures[items[id].home->findAncestorOpInRegion(*user)];
  if (!llvm::is_contained(ArrayRef(list).take_back(1), id))
    list.push_back(id);
}

void Items::addFarUse(unsigned id, OpOperand &use, DominanceInfo &dominance) {
  addReceivers(id, use, dominance);
  addCapture(id, use.getOwner());
}

/// Inputs that a read can come to, and what operations use in their regions.
void Items::addInputs(const Survey &survey, DominanceInfo &dominance) {
  firstInput = items.size();
  for (auto [use, id] : survey.farUses)
    addFarUse(id, *use, dominance);
  for (unsigned id = firstInput; id < items.size(); ++id)
    for (OpOperand &use : items[id].value.getUses())
      if (isFarUse(use))
        addFarUse(id, use, dominance);
}

unsigned Items::findInput(Value value) {
  // Programs are gone through in order, so it is one of the next ones, as a
  // rule: an argument comes with a result.
  for (unsigned id : {lastFound + 1, lastFound + 2})
    if (id < items.size() && items[id].value == value)
      return lastFound = id;
  auto it = inputIds.find(value);
  return it == inputIds.end() ? none : lastFound = it->second;
}

unsigned Items::findRead(Value value) {
  if (readIds.empty())
    for (unsigned id = 0; id < firstInput; ++id)
      if (!items[id].isWrite())
        readIds[items[id].value] = id;
  return readIds.lookup_or(value, none);
}

unsigned Items::find(Value value) {
  if (!isa<VectorType>(value.getType()))
    return none;
  bool isRead = isa_and_nonnull<ReadOp, ReadSplitOp>(value.getDefiningOp());
  unsigned id = isRead ? findRead(value) : findInput(value);
  return id != none && isPending(id) ? id : none;
}

// Does not look at the user, which may be in no cache.
Items::Receivers Items::getReceivers(unsigned id, OpOperand &use) const {
  if (items[id].handing == &use)
    return items[id].receivers;
  auto it = moreReceivers.find(&use);
  return it == moreReceivers.end() ? Receivers(none, none) : it->second;
}

bool Items::isHandedOn(unsigned id, OpOperand &use) const {
  unsigned first = getReceivers(id, use).first;
  return first != none && isPending(first);
}

bool Items::isHandedOn(OpOperand &operand) {
  unsigned id = mayHandOn(operand.getOwner()) ? find(operand.get()) : none;
  return id != none && isHandedOn(id, operand);
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
  unsigned id = find(operand.get());
  if (id == none)
    return;
  if (unsigned first = getReceivers(id, operand).first; first != none)
    cut(first);
}

void Items::cut(unsigned input) {
  SmallVector<unsigned> worklist;
  auto cutOne = [&](unsigned id) {
    if (id == none || waitedFor[id])
      return;
    waitedFor.set(id);
    worklist.push_back(id);
  };
  auto cutAll = [&](unsigned id, OpOperand &operand) {
    auto [first, second] = getReceivers(id, operand);
    cutOne(first);
    cutOne(second);
  };
  cutOne(input);
  while (!worklist.empty()) {
    unsigned id = worklist.pop_back_val();
    // What shares an operand with it, and what it goes to itself.
    for (const Source &source : getSources(id))
      cutAll(source.id, *source.operand);
    for (OpOperand &use : items[id].value.getUses())
      cutAll(id, use);
  }
}

void Items::cutEverything() {
  waitedFor.set(firstInput, size());
  for (Item &item : items)
    item.staysHome = true;
}

/// By input. They come in the order of uses.
void Items::sortSources() {
  firstSources.resize(size() - firstInput + 1);
  for (const Source &source : sources)
    ++firstSources[source.input - firstInput + 1];
  std::partial_sum(firstSources.begin(), firstSources.end(),
                   firstSources.begin());
  std::vector<unsigned> next(firstSources);
  std::vector<Source> sorted(sources.size());
  for (const Source &source : sources)
    sorted[next[source.input - firstInput]++] = source;
  sources = std::move(sorted);
}

/// Inputs to which something else comes than items, each for the last time.
void Items::cutUnfit() {
  SmallVector<unsigned> unfit;
  auto isFit = [](const Source &source) { return source.isFit; };
  for (unsigned id : getInputs())
    if (getSources(id).size() != items[id].numIncoming ||
        !llvm::all_of(getSources(id), isFit))
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
    if (isPending(id))
      for (const Source &source : getSources(id))
        webs[findWeb(id)] = findWeb(source.id);
  for (unsigned id = 0; id < items.size(); ++id)
    webs[id] = findWeb(id);
}

/// One of the inputs that are handed the same operands: of the argument and the
/// result of a loop, say.
unsigned Items::getTie(unsigned id) const {
  unsigned tie = id;
  for (const Source &source : getSources(id))
    if (auto [first, second] = getReceivers(source.id, *source.operand);
        first != none)
      tie = std::min({tie, first, second});
  return tie;
}

/// Where an input is defined together with others.
static void *getDefinition(Value input) {
  if (auto argument = dyn_cast<BlockArgument>(input))
    return argument.getOwner();
  return input.getDefiningOp();
}

/// Two inputs that are defined at once cannot share registers. One that takes
/// over from another of them, as when values rotate, gives way. Whether there
/// were such.
bool Items::cutCrowded() {
  llvm::MapVector<std::pair<void *, unsigned>, SmallVector<unsigned, 1>> groups;
  for (unsigned id : getInputs())
    if (isPending(id) && items[id].hasSiblings)
      groups[{getDefinition(items[id].value), webs[id]}].push_back(id);
  SmallVector<unsigned> cuts;
  for (auto &[key, group] : groups) {
    if (group.size() == 1)
      continue;
    auto rotates = [&, &group = group](unsigned id) {
      return llvm::any_of(getSources(id), [&](const Source &source) {
        unsigned from = getTie(source.id);
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
  return !cuts.empty();
}

void Items::updateWebs(Places &places) {
  uniteWebs();
  if (cutCrowded())
    uniteWebs();
  // What the web of an input may touch: one of its reads, it is not known
  // which.
  DenseMap<unsigned, std::optional<Place>> all;
  for (unsigned id : getInputs())
    if (isPending(id))
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
    if (!isPending(id))
      continue;
    items[id].place = all.lookup(webs[id]).value_or(Place());
    if (!places.isFixed(items[id].place.base))
      items[id].place = Place();
  }
}
