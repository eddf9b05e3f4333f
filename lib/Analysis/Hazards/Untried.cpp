//===- Untried.cpp - What runs of a kernel have not met -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs say what a kernel does if they have executed all of it. What they cannot
// meet does not count: the way back of a loop that waits, since tests hold in a
// run, and what conditions around it exclude.
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "Run.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// What conditions exclude
//===----------------------------------------------------------------------===//

namespace {
/// What the branches around an operation of a kernel say of conditions on which
/// the block agrees.
class Surroundings {
public:
  Surroundings(Evaluator &evaluator, Operation *kernel)
      : evaluator(evaluator), kernel(kernel) {}

  /// True if they leave no way to an operation; or none on which its condition
  /// has that outcome, too.
  bool exclude(Operation *op);
  bool exclude(Operation *op, Value condition, bool holds);

private:
  void addAll(Operation *op);
  void addBlocks(Block *block);
  void addLoop(scf::ForOp loop);
  void addLess(const ThreadValue &difference, const ThreadValue &lower,
               bool isUnsigned);
  void add(Value condition, bool holds);
  void add(std::optional<Constraint> constraint);
  bool isEmpty() const;

  Evaluator &evaluator;
  Operation *kernel;
  DominanceInfo dominance;
  std::vector<Constraint> constraints;
};
} // namespace

bool Surroundings::exclude(Operation *op) {
  constraints.clear();
  addAll(op);
  return isEmpty();
}

bool Surroundings::exclude(Operation *op, Value condition, bool holds) {
  constraints.clear();
  addAll(op);
  add(condition, holds);
  return isEmpty();
}

void Surroundings::addAll(Operation *op) {
  for (; op && op != kernel; op = op->getParentOp()) {
    addBlocks(op->getBlock());
    Operation *parent = op->getParentOp();
    if (auto choice = dyn_cast_or_null<scf::IfOp>(parent))
      add(choice.getCondition(),
          op->getParentRegion() == &choice.getThenRegion());
    else if (auto loop = dyn_cast_or_null<scf::ForOp>(parent))
      addLoop(loop);
  }
}

/// Branches of which one way alone leads to a block.
void Surroundings::addBlocks(Block *block) {
  Region *region = block->getParent();
  if (region->hasOneBlock() || !dominance.isReachableFromEntry(block))
    return;
  auto *node = dominance.getDomTree(region).getNode(block);
  for (; node && node->getIDom(); node = node->getIDom()) {
    Block *target = node->getBlock(), *from = target->getSinglePredecessor();
    if (!from)
      continue;
    Operation *branch = from->getTerminator();
    bool isTwoWay = branch->getNumSuccessors() == 2 && !getCases(branch) &&
                    branch->getNumOperands() != 0 &&
                    branch->getOperand(0).getType().isInteger(1) &&
                    branch->getSuccessor(0) != branch->getSuccessor(1);
    if (isTwoWay)
      add(branch->getOperand(0), branch->getSuccessor(0) == target);
  }
}

void Surroundings::addLoop(scf::ForOp loop) {
  Frame *frame = evaluator.getKernelFrame();
  ThreadValue lower = evaluator.get(loop.getLowerBound(), frame);
  ThreadValue upper = evaluator.get(loop.getUpperBound(), frame);
  ThreadValue turn = evaluator.get(loop.getInductionVar(), frame);
  bool isUnsigned = loop.getUnsignedCmp();
  for (const ThreadValue &value : {lower, turn})
    addLess(evaluator.add(value, upper, -1), lower, isUnsigned);
  if (!isUnsigned)
    add(constrainLess(evaluator.add(turn, lower, -1), /*holds=*/false));
}

/// `difference` is less than 0: from a lower bound of 0 on, without a sign,
/// too.
void Surroundings::addLess(const ThreadValue &difference,
                           const ThreadValue &lower, bool isUnsigned) {
  std::optional<Constraint> less = constrainLess(difference, /*holds=*/true);
  if (!isUnsigned)
    add(less);
  bool hasSign = !lower.isConstant() || lower.constant < 0;
  if (!less || (!isUnsigned && hasSign))
    return;
  less->form.kind = Form::Unsigned;
  add(less);
}

void Surroundings::add(Value condition, bool holds) {
  ThreadValue value = evaluator.get(condition, evaluator.getKernelFrame());
  add(constrain(evaluator, value, holds));
}

/// Words of memory may be others by the next test.
void Surroundings::add(std::optional<Constraint> constraint) {
  bool isFixed =
      constraint && llvm::all_of(constraint->form.terms, [&](Term t) {
        return evaluator.getOpaque(t.symbol) && !evaluator.getContent(t.symbol);
      });
  if (isFixed)
    constraints.push_back(std::move(*constraint));
}

static bool meet(const Constraint &a, const Constraint &b) {
  for (Interval x : a.intervals)
    for (Interval y : b.intervals)
      if (std::max(x.first, y.first) <= std::min(x.last, y.last))
        return true;
  return false;
}

/// Whether two of them, of one form, have nothing in common.
bool Surroundings::isEmpty() const {
  for (size_t i = 0; i < constraints.size(); ++i)
    for (size_t j = i; j < constraints.size(); ++j)
      if (constraints[i].form == constraints[j].form &&
          !meet(constraints[i], constraints[j]))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Untried
//===----------------------------------------------------------------------===//

/// Whether a branch has gone each way that it can go.
static bool isTried(Operation *op, unsigned outcomes, bool isOfKernel,
                    Surroundings &around) {
  if (outcomes == 3)
    return true;
  bool untaken = !(outcomes & 1);
  if (op->getNumSuccessors() == 2 && isWaitLoop(op, untaken ? 0 : 1))
    return true;
  if (findWaitForTested(op, untaken ? 0 : 1))
    return true;
  return isOfKernel && around.exclude(op, op->getOperand(0), untaken);
}

/// Whether an operation that no run has executed waits for what a test before
/// it has not seen yet.
static bool waitsForTested(Operation *op, const Coverage &coverage) {
  Operation *branch = findBranchTo(op);
  auto it = coverage.outcomes.find(branch);
  return it != coverage.outcomes.end() && it->second != 3 &&
         findWaitForTested(branch, it->second & 1 ? 1 : 0) == op;
}

Operation *hazards::findUntried(Evaluator &evaluator, Operation *kernel,
                                const Coverage &coverage) {
  Operation *untried = nullptr;
  SymbolTableCollection symbolTables;
  SmallVector<Operation *> worklist{kernel};
  DenseSet<Operation *> seen{kernel};
  SmallVector<Effect, 2> effects;
  Surroundings around(evaluator, kernel);
  while (!worklist.empty() && !untried) {
    Operation *function = worklist.pop_back_val();
    bool isOfKernel = function == kernel;
    function->walk([&](Operation *op) {
      if (untried)
        return;
      effects.clear();
      classify(op, effects);
      bool hasEffect = !effects.empty() || evaluator.otherAccesses.contains(op);
      if (hasEffect && !coverage.executed.contains(op) &&
          !(isOfKernel && around.exclude(op)) && !waitsForTested(op, coverage))
        untried = op;
      auto it = coverage.outcomes.find(op);
      if (it != coverage.outcomes.end() &&
          !isTried(op, it->second, isOfKernel, around))
        untried = op;
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbolTables))
          if (seen.insert(callee).second)
            worklist.push_back(callee);
    });
  }
  return untried;
}
