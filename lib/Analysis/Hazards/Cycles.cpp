//===- Cycles.cpp - Blocks that threads come to again ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cycles.h"
#include "Values.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

BlockCycles::BlockCycles(Region &region, DominanceInfo &dominance) {
  if (region.empty() || region.hasOneBlock())
    return;
  addLoops(region, dominance);
  findOtherEntries(region, dominance);
  for (Block &block : region)
    findUses(block);
}

bool BlockCycles::contains(const Cycle &cycle, Block *block) const {
  for (Cycle *other = find(block); other; other = other->parent)
    if (other == &cycle)
      return true;
  return false;
}

void BlockCycles::addLoops(Region &region, DominanceInfo &dominance) {
  CFGLoopInfo info(dominance.getDomTree(&region));
  DenseMap<CFGLoop *, Cycle *> known;
  // Outer ones come first.
  for (CFGLoop *loop : info.getLoopsInPreorder()) {
    Cycle &cycle = cycles.emplace_back();
    known[loop] = &cycle;
    cycle.header = loop->getHeader();
    cycle.parent = known.lookup(loop->getParentLoop());
    for (Block *block : loop->getBlocks()) {
      innermost[block] = &cycle;
      if (block->getNumSuccessors() > 1)
        cycle.branches.push_back(block);
    }
  }
}

/// Loops that are entered at several blocks are taken for a part of the loop
/// around them, or of one that has all blocks, of which nothing more is known.
void BlockCycles::findOtherEntries(Region &region, DominanceInfo &dominance) {
  DenseMap<Block *, unsigned> numbers;
  for (Block *block : llvm::post_order(&region.front()))
    numbers.try_emplace(block, numbers.size());
  Cycle *whole = nullptr;
  auto &dominators = dominance.getDomTree(&region);
  for (auto [block, number] : numbers)
    for (Block *next : block->getSuccessors()) {
      if (numbers.lookup(next) < number || dominators.dominates(next, block))
        continue;
      Cycle *common = find(block);
      while (common && !contains(*common, next))
        common = common->parent;
      if (!common && !whole)
        whole = &cycles.emplace_back();
      if (!common)
        common = whole;
      common->header = nullptr;
      common->escapes = true;
    }
  if (!whole)
    return;
  for (Cycle &cycle : cycles)
    if (!cycle.parent && &cycle != whole)
      cycle.parent = whole;
  for (Block &block : region) {
    innermost.try_emplace(&block, whole);
    if (block.getNumSuccessors() > 1)
      whole->branches.push_back(&block);
  }
}

void BlockCycles::findUses(Block &block) {
  Cycle *inner = find(&block);
  if (!inner)
    return;
  auto leaveTo = [&](Block *where) {
    for (Cycle *cycle = inner; cycle; cycle = cycle->parent) {
      if (where && contains(*cycle, where))
        break;
      cycle->escapes = true;
    }
  };
  auto look = [&](Value value) {
    if (isa<VectorType, FloatType>(value.getType()))
      return;
    for (OpOperand &use : value.getUses()) {
      Operation *user =
          block.getParent()->findAncestorOpInRegion(*use.getOwner());
      if (!user || user->getBlock() != &block)
        leaveTo(user ? user->getBlock() : nullptr);
      auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
      if (!branch || branch != user)
        continue;
      if (auto target =
              branch.getSuccessorBlockArgument(use.getOperandNumber()))
        leaveTo(target->getOwner());
    }
  };
  for (Value argument : block.getArguments())
    look(argument);
  for (Operation &op : block)
    if (!matchPattern(&op, m_Constant()))
      for (Value result : op.getResults())
        look(result);
}

//===----------------------------------------------------------------------===//
// Who stays for how many turns
//===----------------------------------------------------------------------===//

const BlockCycles &Evaluator::getCycles(Region *region) {
  std::unique_ptr<BlockCycles> &known = cycles[region];
  if (!known)
    known = std::make_unique<BlockCycles>(*region, dominance);
  return *known;
}

/// Whether threads that a branch parts may be in different turns where they
/// meet, or meet behind the loop only.
bool Evaluator::partsTurns(Block *branch, const Cycle &cycle) {
  constexpr size_t maxBlocks = 1024;
  if (!cycle.header)
    return true;
  Region *region = branch->getParent();
  auto *node = postDominance.getDomTree(region).getNode(branch);
  Block *meeting =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!meeting || !getCycles(region).contains(cycle, meeting))
    return true;
  SmallVector<Block *> worklist(branch->getSuccessors());
  DenseSet<Block *> seen(worklist.begin(), worklist.end());
  for (size_t next = 0; next < worklist.size(); ++next) {
    if (worklist[next] == meeting)
      continue;
    if (worklist[next] == cycle.header || next == maxBlocks)
      return true;
    for (Block *successor : worklist[next]->getSuccessors())
      if (seen.insert(successor).second)
        worklist.push_back(successor);
  }
  return false;
}

/// What decides who leaves a loop, by what is known of all of them now.
Agreement Evaluator::findAgreementOnTurns(const Cycle &cycle, Frame *frame) {
  Agreement result = turns[{&cycle, frame}];
  for (Block *block : cycle.branches) {
    Operation *branch = block->getTerminator();
    Agreement agreement = Agreement::None;
    if (isa<BranchOpInterface>(branch) && branch->getNumOperands() != 0)
      agreement = getAgreement(branch->getOperand(0), frame);
    if (agreement > result && partsTurns(block, cycle))
      result = agreement;
  }
  return result;
}

/// Supposes that threads run all loops of a region for as many turns, until
/// something says otherwise. What was evaluated so is evaluated again.
void Evaluator::findTurns(Region *region, Frame *frame) {
  if (!knownTurns.insert({region, frame}).second)
    return;
  const BlockCycles &all = getCycles(region);
  ++openLoops;
  size_t begin = trail.size();
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const Cycle &cycle : all.getCycles()) {
      Agreement found = findAgreementOnTurns(cycle, frame);
      Agreement &known = turns[{&cycle, frame}];
      if (found == known)
        continue;
      known = found;
      isStable = false;
      forgetSince(begin);
    }
  }
  --openLoops;
  forgetSince(begin);
  // What it is based on may be supposed as well.
  if (openLoops != 0)
    supposedTurns.push_back({begin, region, frame});
}

void Evaluator::forgetTurns(size_t begin) {
  while (!supposedTurns.empty() && supposedTurns.back().begin >= begin) {
    auto [position, region, frame] = supposedTurns.pop_back_val();
    knownTurns.erase({region, frame});
    for (const Cycle &cycle : getCycles(region).getCycles())
      turns.erase({&cycle, frame});
  }
}

/// Finds out about loops before values of them are evaluated on suppositions:
/// those around a region, and around calls that lead to it, come first.
void Evaluator::prepareTurns(Region *region, Frame *frame) {
  if (!preparedTurns.insert({region, frame}).second)
    return;
  Operation *parent = region->getParentOp();
  if (parent && parent != frame->function && parent->getParentRegion())
    prepareTurns(parent->getParentRegion(), frame);
  else if (frame->call)
    prepareTurns(frame->call->getParentRegion(), frame->parent);
  if (!region->hasOneBlock())
    findTurns(region, frame);
}

Agreement Evaluator::getAgreementOnTurns(const Cycle &cycle, Frame *frame,
                                         Region *region) {
  findTurns(region, frame);
  return turns[{&cycle, frame}];
}

Agreement Evaluator::getAgreementOnTurns(Block *block, Frame *frame) {
  Agreement agreement = Agreement::CTA;
  if (block->getParent()->hasOneBlock())
    return agreement;
  for (Cycle *cycle = getCycles(block->getParent()).find(block); cycle;
       cycle = cycle->parent)
    agreement = std::max(
        agreement, getAgreementOnTurns(*cycle, frame, block->getParent()));
  return agreement;
}

bool Evaluator::escapes(Value value) {
  Block *block = value.getParentBlock();
  if (block->getParent()->hasOneBlock())
    return false;
  for (Cycle *cycle = getCycles(block->getParent()).find(block); cycle;
       cycle = cycle->parent)
    if (cycle->escapes)
      return true;
  return false;
}

/// Threads that leave a loop in different turns take different values along.
void Evaluator::disagreeByTurn(Value value, const ThreadValue &is,
                               Frame *frame) {
  Block *block = value.getParentBlock();
  if (is.terms.empty() || block->getParent()->hasOneBlock())
    return;
  for (Term term : is.terms) {
    const Symbol &symbol = symbols[term.symbol];
    if (symbol.value != value || symbol.isObject ||
        (symbol.content && !isVersioned(*symbol.content)))
      continue;
    Agreement agreement = symbol.agreement;
    for (Cycle *cycle = getCycles(block->getParent()).find(block);
         cycle && agreement != Agreement::None; cycle = cycle->parent)
      if (cycle->escapes)
        agreement = std::max(
            agreement, getAgreementOnTurns(*cycle, frame, block->getParent()));
    symbols[term.symbol].agreement = agreement;
  }
}
