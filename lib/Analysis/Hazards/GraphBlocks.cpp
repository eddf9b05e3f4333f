//===- GraphBlocks.cpp - Branches between blocks as a graph ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// How deep arms of branches on the thread id may nest.
static constexpr unsigned maxNesting = 200;

void GraphBuilder::buildBlocks(Region &region) {
  std::unique_ptr<PostDominanceInfo> &dominance =
      postDominance[region.getParentOp()];
  if (!dominance)
    dominance = std::make_unique<PostDominanceInfo>(region.getParentOp());
  currentDominance = dominance.get();
  Scope scope;
  unsigned begin = current;
  scope.exitNode = addNode();
  ++loopDepth; // Any block may be in a loop.
  link(begin, getNode(&region.front(), scope));
  run(scope);
  --loopDepth;
  current = scope.exitNode;
}

/// Lanes that leave a loop of blocks do not run it any more.
Mixed GraphBuilder::mixBlock(Block *block) {
  return evaluator.getAgreementOnTurns(block, frame) == Agreement::None
             ? Mixed::Lanes
             : mixed;
}

unsigned GraphBuilder::getNode(Block *block, Scope &scope) {
  if (block == scope.stop)
    return scope.stopNode;
  for (Scope *outer = &scope; outer; outer = outer->outer) {
    auto it = outer->nodes.find(block);
    if (it != outer->nodes.end())
      return it->second;
  }
  unsigned node = addNode();
  graph.nodes[node].mixed = mixBlock(block);
  scope.nodes[block] = node;
  scope.worklist.push_back(block);
  return node;
}

void GraphBuilder::run(Scope &scope) {
  ThreadSet outer = threads;
  Mixed outerMixed = mixed;
  while (!scope.worklist.empty() && !graph.incompleteAt) {
    Block *block = scope.worklist.pop_back_val();
    threads = outer;
    mixed = mixBlock(block);
    current = scope.nodes[block];
    visitBlock(*block);
    mixed = outerMixed;
    if (!graph.incompleteAt)
      finishBlock(block, scope);
  }
  threads = outer;
  mixed = outerMixed;
}

/// What decides where a branch goes.
Agreement GraphBuilder::getControl(Operation *branch) {
  Agreement agreement = Agreement::CTA;
  DenseSet<Value> forwarded;
  if (auto op = dyn_cast<BranchOpInterface>(branch))
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      for (Value operand : op.getSuccessorOperands(i).getForwardedOperands())
        forwarded.insert(operand);
  for (Value operand : branch->getOperands())
    if (!forwarded.contains(operand))
      agreement = std::max(agreement, evaluator.getAgreement(operand, frame));
  return agreement;
}

static bool isTwoWay(Operation *branch) {
  return branch->getNumSuccessors() == 2 && branch->getNumOperands() != 0 &&
         branch->getOperand(0).getType().isInteger(1) && !getCases(branch);
}

void GraphBuilder::linkSuccessor(Operation *branch, unsigned successor,
                                 Scope &scope, int guard) {
  Block *target = branch->getSuccessor(successor);
  unsigned node = getNode(target, scope);
  int move = -1;
  // Where arms meet, each thread has its own.
  if (target == scope.stop)
    graph.definitions.push_back({target, node});
  else if (auto op = dyn_cast<BranchOpInterface>(branch))
    move = addMove(target->getArguments(),
                   op.getSuccessorOperands(successor).getForwardedOperands());
  node = handOverToBlock(branch, target, node, successor);
  if (guard < 0 && linkFirstTest(branch, successor, node, move))
    return;
  link(current, node, guard, move);
}

/// A form with the constants put in with which a block is entered. None if it
/// has another argument of the block, or none.
std::optional<ThreadValue> GraphBuilder::enter(const Form &form, Block *target,
                                               ValueRange operands) {
  ThreadValue sum;
  bool isEntered = false;
  for (Term term : form.terms) {
    Value value = evaluator.getOpaque(term.symbol);
    if (!value)
      return std::nullopt;
    if (value.getParentBlock() != target) {
      sum.terms.push_back(term);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    ThreadValue first;
    if (argument && argument.getArgNumber() < operands.size())
      first = evaluator.get(operands[argument.getArgNumber()], frame);
    int64_t start;
    if (!argument || !first.isConstant() ||
        llvm::MulOverflow(first.constant, term.factor, start) ||
        llvm::AddOverflow(sum.constant, start, sum.constant))
      return std::nullopt;
    isEntered = true;
  }
  return isEntered && !sum.terms.empty() ? std::optional(sum) : std::nullopt;
}

/// Where a loop is entered, `i < n` is `0 < n`, which loops of equal bounds
/// share: there are two ways into it, one on which that holds and one on which
/// not.
bool GraphBuilder::linkFirstTest(Operation *branch, unsigned successor,
                                 unsigned node, int move) {
  Block *target = branch->getSuccessor(successor);
  auto edge = dyn_cast<BranchOpInterface>(branch);
  if (!edge || move < 0 || branch->getNumSuccessors() != 1 ||
      !target->mightHaveTerminator() || !isTwoWay(target->getTerminator()))
    return false;
  ThreadValue test =
      evaluator.get(target->getTerminator()->getOperand(0), frame);
  if (test.isConstant() || evaluator.getAgreement(test) != Agreement::CTA)
    return false;
  std::optional<Constraint> constraint = constrain(evaluator, test, true);
  if (!constraint || constraint->form.kind == Form::Bit)
    return false;
  std::optional<ThreadValue> sum =
      enter(constraint->form, target,
            edge.getSuccessorOperands(successor).getForwardedOperands());
  if (!sum)
    return false;
  for (bool holds : {true, false}) {
    std::optional<Constraint> first =
        constrainTo(*sum, constraint->intervals, holds);
    if (first)
      first->form.kind = constraint->form.kind;
    unsigned between = addNode();
    link(current, between, addGuard(std::move(first)));
    link(between, node, -1, move);
  }
  return true;
}

void GraphBuilder::finishBlock(Block *block, Scope &scope) {
  if (!block->mightHaveTerminator())
    return link(current, scope.exitNode);
  Operation *terminator = block->getTerminator();
  if (terminator->getNumSuccessors() == 0) {
    if (isa<LLVM::UnreachableOp>(terminator))
      return;
    bool isReturn =
        terminator->hasTrait<OpTrait::ReturnLike>() &&
        isa<FunctionOpInterface, gpu::LaunchOp>(terminator->getParentOp());
    if (isReturn && !frame->parent)
      exited |= threads;
    return link(current, scope.exitNode);
  }
  if (isTwoWay(terminator) || getCases(terminator)) {
    ThreadValue selector = evaluator.get(terminator->getOperand(0), frame);
    if (!selector.isConstant() && nesting < maxNesting &&
        evaluator.getAgreement(selector) != Agreement::CTA)
      return splitBlock(block, terminator, selector, scope);
    if (evaluator.getAgreement(selector) == Agreement::CTA)
      return chooseBlock(terminator, selector, scope);
  }
  if (getControl(terminator) != Agreement::CTA)
    giveUp(terminator, "the branch depends on the thread in a way that is not "
                       "followed");
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
    linkSuccessor(terminator, i, scope);
}

/// A branch on which all threads agree.
void GraphBuilder::chooseBlock(Operation *branch, const ThreadValue &selector,
                               Scope &scope) {
  std::optional<SmallVector<int64_t>> cases = getCases(branch);
  if (selector.isConstant()) {
    unsigned taken = cases ? 0 : !(selector.constant & 1);
    for (unsigned i = 0; cases && i < cases->size() && taken == 0; ++i)
      if ((*cases)[i] == selector.constant)
        taken = i + 1;
    return linkSuccessor(branch, taken, scope);
  }
  if (!cases && !isCombined(branch->getOperand(0))) {
    for (unsigned i : {0u, 1u})
      linkSuccessor(branch, i, scope, addGuard(selector, i == 0));
    return;
  }
  if (!cases) {
    unsigned ways[] = {addNode(), addNode()};
    linkCondition(branch->getOperand(0), current, ways[0], ways[1]);
    for (unsigned i : {0u, 1u}) {
      current = ways[i];
      linkSuccessor(branch, i, scope);
    }
    return;
  }
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    int guard = -1;
    if (i == 0)
      guard = addGuard(constrainEqual(selector, *cases, /*holds=*/false));
    else
      guard = addGuard(constrainEqual(selector, (*cases)[i - 1], true));
    linkSuccessor(branch, i, scope, guard);
  }
}

GraphBuilder::Arms GraphBuilder::getArms(Operation *branch,
                                         const ThreadValue &selector) const {
  std::optional<SmallVector<int64_t>> cases = getCases(branch);
  bool isKnown = selector.isKnown();
  Arms arms;
  ThreadSet rest = threads;
  auto add = [&](Block *target, const ThreadSet &taken) {
    auto *it =
        llvm::find_if(arms, [&](auto &arm) { return arm.first == target; });
    if (it == arms.end())
      arms.push_back({target, taken});
    else
      it->second |= taken;
    if (isKnown)
      rest &= ~taken;
  };
  if (!cases) {
    add(branch->getSuccessor(0), isKnown ? select(selector) : threads);
  } else {
    for (auto [index, value] : llvm::enumerate(*cases)) {
      evaluator.keepTest(selector, value);
      add(branch->getSuccessor(index + 1),
          isKnown ? selectEqual(selector, value) & rest : threads);
    }
  }
  add(branch->getSuccessor(cases ? 0 : 1), rest);
  return arms;
}

/// To where some threads go, each with arguments of its own. `both`: only if
/// the other condition holds, too.
void GraphBuilder::linkArm(unsigned from, Operation *branch, Block *target,
                           Scope &scope, const std::optional<Both> &both) {
  unsigned node = getNode(target, scope);
  if (target->getNumArguments() != 0)
    graph.definitions.push_back({target, node});
  node = handOverToBlock(branch, target, node);
  if (both)
    linkCondition(both->other, from, node,
                  handOverToBlock(branch, scope.stop, scope.stopNode));
  else
    link(from, node);
}

/// A branch that the thread decides: one arm after the other, or all as
/// alternatives where it is not known who goes where.
void GraphBuilder::splitBlock(Block *block, Operation *branch,
                              ThreadValue selector, Scope &scope) {
  auto *node = currentDominance->getDomTree(block->getParent()).getNode(block);
  Block *meeting =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  std::optional<Both> both;
  if (!selector.isKnown() && !getCases(branch) &&
      branch->getSuccessor(1) == meeting)
    both = getBoth(branch->getOperand(0));
  if (both)
    selector = both->known;
  bool isKnown = selector.isKnown();
  ThreadSet outer = threads;
  Mixed outerMixed = mixed;
  if (!isKnown)
    mixed = mix(evaluator.getAgreement(selector));
  unsigned end = addNode(), from = current;
  Arms arms = getArms(branch, selector);
  ++nesting;
  for (auto [index, arm] : llvm::enumerate(arms)) {
    bool isLast = index + 1 == arms.size();
    Scope inner;
    inner.outer = &scope;
    inner.stop = meeting ? meeting : scope.stop;
    inner.stopNode = meeting ? end : scope.stopNode;
    inner.exitNode = scope.exitNode;
    if (!isLast && isKnown) {
      threads = arms[index + 1].second;
      inner.stopNode = inner.exitNode = addNode();
    }
    threads = arm.second;
    if (threads.none())
      link(from, isLast || !isKnown ? end : inner.stopNode);
    else if (arm.first == inner.stop)
      link(from, handOverToBlock(branch, arm.first, inner.stopNode));
    else
      linkArm(from, branch, arm.first, inner, index == 0 ? both : std::nullopt);
    run(inner);
    if (isKnown)
      from = inner.stopNode;
  }
  --nesting;
  threads = outer;
  mixed = outerMixed;
  if (meeting)
    graph.definitions.push_back({meeting, end});
  if (meeting && meeting != scope.stop)
    link(end, getNode(meeting, scope));
  else if (meeting)
    link(end, scope.stopNode);
}
