//===- TestedWaits.cpp - What happens where a test of an mbarrier fails ---===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a run, tests of mbarriers hold: the warp waits until they do. So it does
// on a machine where a branch at a failed test only repeats the test, or where
// its arm only waits for the phase that the test has not seen yet.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Loops that wait
//===----------------------------------------------------------------------===//

/// Blocks that a loop that waits may consist of, apart from that of its test.
static constexpr unsigned maxWaitBlocks = 8;

/// The test of an mbarrier that a condition is, or is the opposite of.
static Operation *findTest(Value condition) {
  Operation *op = condition.getDefiningOp();
  while (op && op->getNumOperands() == 2 &&
         (isa<LLVM::XOrOp, LLVM::ICmpOp, arith::XOrIOp, arith::CmpIOp>(op)) &&
         matchPattern(op->getOperand(1), m_Constant()))
    op = op->getOperand(0).getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return nullptr;
  SmallVector<Effect, 2> effects;
  classify(op, effects);
  bool isTest =
      effects.size() == 1 && effects.front().kind == EventKind::MBarrierWait;
  return isTest ? op : nullptr;
}

/// Whether nothing from `from` on, up to `to`, does something that matters.
static bool isIdle(Block::iterator from, Block::iterator to) {
  SmallVector<Effect, 2> effects;
  for (Operation &op : llvm::make_range(from, to)) {
    classify(&op, effects);
    bool isIdle =
        effects.empty() && op.getNumRegions() == 0 && !isa<CallOpInterface>(op);
    if (!isIdle)
      return false;
  }
  return true;
}

/// Whether a branch goes on with what its target has been entered with.
static bool changesArguments(BranchOpInterface branch, unsigned successor,
                             const IRMapping &entered) {
  Block *target = branch->getSuccessor(successor);
  OperandRange operands =
      branch.getSuccessorOperands(successor).getForwardedOperands();
  for (auto [argument, operand] : llvm::zip(target->getArguments(), operands))
    if (entered.lookupOrDefault(operand) != argument)
      return true;
  return false;
}

/// Whether a branch looks at a test, and where that fails it only goes back to
/// the test, with the same values.
bool hazards::isWaitLoop(Operation *branch, unsigned untaken) {
  Operation *test = findTest(branch->getOperand(0));
  if (!test || test->getBlock() != branch->getBlock())
    return false;
  Block *home = test->getBlock();
  if (!isIdle(home->begin(), test->getIterator()) ||
      !isIdle(std::next(test->getIterator()), branch->getIterator()))
    return false;
  IRMapping entered;
  auto edge = dyn_cast<BranchOpInterface>(branch);
  unsigned successor = untaken;
  for (unsigned i = 0; edge && i < maxWaitBlocks; ++i) {
    Block *target = edge->getSuccessor(successor);
    if (target == home)
      return !changesArguments(edge, successor, entered);
    if (!target->getSinglePredecessor() || target->getNumSuccessors() != 1 ||
        !isIdle(target->begin(), target->getTerminator()->getIterator()))
      return false;
    OperandRange operands =
        edge.getSuccessorOperands(successor).getForwardedOperands();
    for (auto [argument, operand] : llvm::zip(target->getArguments(), operands))
      entered.map(argument, entered.lookupOrDefault(operand));
    edge = dyn_cast<BranchOpInterface>(target->getTerminator());
    successor = 0;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Arms that wait
//===----------------------------------------------------------------------===//

/// The wait for an mbarrier that an operation is, if it is one and no more.
static std::optional<Effect> getWait(Operation *op) {
  SmallVector<Effect, 2> effects;
  classify(op, effects);
  if (effects.size() != 1 || effects.front().kind != EventKind::MBarrierWait ||
      effects.front().isRelaxed || !effects.front().parity)
    return std::nullopt;
  return effects.front();
}

static bool isSame(Value a, Value b) {
  Attribute first, second;
  return a == b || (matchPattern(a, m_Constant(&first)) &&
                    matchPattern(b, m_Constant(&second)) && first == second);
}

/// Whether a wait is for the phase of the mbarrier that a test is for.
static bool isForSamePhase(Operation *wait, Operation *test) {
  std::optional<Effect> a = getWait(wait), b = getWait(test);
  return a && b && isSame(a->address, b->address) && a->offset == b->offset &&
         llvm::equal(a->indices, b->indices, isSame) &&
         isSame(a->parity, b->parity);
}

/// Whether nothing from `from` on, up to `to`, does more than compute.
static bool computesOnly(Block::iterator from, Block::iterator to) {
  return llvm::all_of(llvm::make_range(from, to), [](Operation &op) {
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
  });
}

/// The only operation up to `end` that does more than compute, or null.
static Operation *findOnly(Block *block, Block::iterator end) {
  auto it = block->begin();
  while (it != end && computesOnly(it, std::next(it)))
    ++it;
  return it != end && computesOnly(std::next(it), end) ? &*it : nullptr;
}

/// What a condition at a test of an mbarrier is where the test has that answer.
static std::optional<bool> evaluateAt(Value condition, bool answer) {
  Operation *op = condition.getDefiningOp(), *test = findTest(condition);
  if (!test || op == test)
    return test ? std::optional(answer) : std::nullopt;
  std::optional<bool> before = evaluateAt(op->getOperand(0), answer);
  APInt number;
  if (!before || !matchPattern(op->getOperand(1), m_ConstantInt(&number)))
    return std::nullopt;
  APInt value(number.getBitWidth(), *before);
  if (isa<LLVM::XOrOp, arith::XOrIOp>(op))
    value ^= number;
  else if (auto compare = dyn_cast<arith::CmpIOp>(op);
           compare && compare.getPredicate() == arith::CmpIPredicate::eq)
    return value == number;
  else if (compare && compare.getPredicate() == arith::CmpIPredicate::ne)
    return value != number;
  else if (auto compare = dyn_cast<LLVM::ICmpOp>(op);
           compare && compare.getPredicate() == LLVM::ICmpPredicate::eq)
    return value == number;
  else if (compare && compare.getPredicate() == LLVM::ICmpPredicate::ne)
    return value != number;
  if (value.ugt(1))
    return std::nullopt;
  return value.isOne();
}

/// What a condition is where its test holds, if it is the opposite else.
static std::optional<bool> findHolding(Value condition) {
  std::optional<bool> holds = evaluateAt(condition, true);
  std::optional<bool> fails = evaluateAt(condition, false);
  return holds && fails && *holds != *fails ? holds : std::nullopt;
}

/// The test that a loop of scf repeats until it holds, or null.
static Operation *findTestOf(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Operation *test = findTest(condition.getCondition());
  Block *after = loop.getAfterBody();
  bool isLoop =
      test && test->getBlock() == loop.getBeforeBody() &&
      loop->getNumResults() == 0 && loop->getNumOperands() == 0 &&
      findHolding(condition.getCondition()) == false &&
      findOnly(test->getBlock(), condition->getIterator()) == test &&
      computesOnly(after->begin(), after->getTerminator()->getIterator());
  return isLoop ? test : nullptr;
}

/// The wait that is all which a block does before its terminator, or null. One
/// that may fail is repeated.
static Operation *findOnlyWait(Block *block) {
  Operation *end = block->getTerminator();
  Operation *only = findOnly(block, end->getIterator());
  if (!only)
    return nullptr;
  if (auto loop = dyn_cast<scf::WhileOp>(only))
    return findTestOf(loop);
  if (!getWait(only))
    return nullptr;
  if (only->getNumResults() == 0)
    return only;
  if (end->getNumSuccessors() != 2 || findTest(end->getOperand(0)) != only)
    return nullptr;
  std::optional<bool> holds = findHolding(end->getOperand(0));
  return holds && isWaitLoop(end, *holds ? 1 : 0) ? only : nullptr;
}

/// Whether a block goes on to another one, or back to itself, with no values.
static bool leadsTo(Block *block, Block *target) {
  auto branch = dyn_cast<BranchOpInterface>(block->getTerminator());
  bool reaches = false;
  for (unsigned i = 0; branch && i < branch->getNumSuccessors(); ++i) {
    Block *next = branch->getSuccessor(i);
    if ((next != target && next != block) || next->getNumArguments() != 0)
      return false;
    reaches |= next == target;
  }
  return reaches;
}

Operation *hazards::findWaitForTested(Operation *branch, unsigned arm) {
  if (branch->getNumOperands() == 0)
    return nullptr;
  Operation *test = findTest(branch->getOperand(0));
  if (!test || test->getBlock() != branch->getBlock() ||
      !computesOnly(std::next(test->getIterator()), branch->getIterator()))
    return nullptr;
  Block *block = nullptr;
  if (auto choice = dyn_cast<scf::IfOp>(branch)) {
    Region &region = branch->getRegion(arm),
           &other = branch->getRegion(1 - arm);
    bool isOtherIdle =
        other.empty() ||
        computesOnly(other.front().begin(),
                     other.front().getTerminator()->getIterator());
    if (choice->getNumResults() == 0 && !region.empty() && isOtherIdle)
      block = &region.front();
  } else if (branch->getNumSuccessors() == 2) {
    block = branch->getSuccessor(arm);
    if (!leadsTo(block, branch->getSuccessor(1 - arm)))
      block = nullptr;
  }
  Operation *wait = block ? findOnlyWait(block) : nullptr;
  return wait && isForSamePhase(wait, test) ? wait : nullptr;
}

Operation *hazards::findBranchTo(Operation *op) {
  Block *block = op->getBlock();
  if (isa<scf::WhileOp>(block->getParentOp()))
    block = block->getParentOp()->getBlock();
  if (isa<scf::IfOp>(block->getParentOp()))
    return block->getParentOp();
  Operation *branch = nullptr;
  for (Block *from : block->getPredecessors()) {
    if (from == block)
      continue;
    if (branch)
      return nullptr;
    branch = from->getTerminator();
  }
  return branch;
}
