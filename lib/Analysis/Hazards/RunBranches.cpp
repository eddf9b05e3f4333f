//===- RunBranches.cpp - Where a run goes on ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

static constexpr size_t maxDepth = 100;

void Run::executeTerminator(Operation *op, unsigned warp) {
  if (op->getNumSuccessors() != 0)
    return branch(op, warp);
  if (isa<LLVM::UnreachableOp>(op)) {
    warps[warp].alive = 0;
    warps[warp].status = WarpRun::Done;
    return;
  }
  Operation *parent = op->getParentOp();
  if (isa<FunctionOpInterface, gpu::LaunchOp>(parent))
    return leave(op, warp);
  yield(op, warp);
}

/// The end of a function. Lanes that have branched apart have met before: there
/// is no way to a return but through the block where they meet (see diverge).
void Run::leave(Operation *op, unsigned warp) {
  auto &stack = warps[warp].stack;
  Activation last = stack.back();
  assert(!last.stop && "lanes return before they meet");
  stack.pop_back();
  if (Operation *call = last.parent)
    assign(call->getResults(), op->getOperands(), stack.back(), last);
  else
    warps[warp].alive = 0;
}

/// Lanes that leave the kernel.
void Run::end(uint32_t lanes, unsigned warp) {
  auto &stack = warps[warp].stack;
  warps[warp].alive &= ~lanes;
  for (Activation &other : stack)
    other.lanes &= ~lanes;
  while (!stack.empty() && stack.back().lanes == 0)
    stack.pop_back();
}

/// The end of a region of a structured operation.
void Run::yield(Operation *from, unsigned warp) {
  auto &stack = warps[warp].stack;
  Activation here = stack.back();
  ValueRange operands;
  if (from)
    operands = from->getOperands();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(here.parent)) {
    Activation &inner = stack.back();
    inner.turn += inner.step;
    bool goesOn = inner.turn < inner.end;
    if (goesOn) {
      assign(loop.getRegionIterArgs(), operands, inner, inner);
      assignTurn(inner);
      inner.next = inner.block->begin();
      return;
    }
    stack.pop_back();
    assign(loop.getResults(), operands, stack.back(), here);
    return;
  }
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(here.parent)) {
    Activation &inner = stack.back();
    Block *other = loop.getBeforeBody();
    if (auto condition = dyn_cast_or_null<scf::ConditionOp>(from)) {
      std::optional<ThreadValue> holds =
          resolve(condition.getCondition(), warp);
      uint32_t taken = holds ? getTaken(*holds, warp) : 0;
      if (!holds) {
        giveUp(from, "how often the loop runs is not known");
        return;
      }
      operands = condition.getArgs();
      // Lanes that leave it take along what they have now.
      here.lanes &= ~taken;
      if (here.lanes != 0)
        assign(loop.getResults(), operands, stack[stack.size() - 2], here);
      if (taken == 0) {
        stack.pop_back();
        return;
      }
      inner.lanes = taken;
      other = loop.getAfterBody();
    }
    assign(other->getArguments(), operands, inner, inner);
    inner.block = other;
    inner.next = other->begin();
    return;
  }
  stack.pop_back();
  if (here.parent && !stack.empty())
    assign(here.parent->getResults(), operands, stack.back(), here);
}

void Run::go(Operation *op, unsigned successor, unsigned warp) {
  auto &stack = warps[warp].stack;
  Activation &here = stack.back();
  Block *target = op->getSuccessor(successor);
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch) {
    giveUp(op, "the branch is not known here");
    return;
  }
  ValueRange operands =
      branch.getSuccessorOperands(successor).getForwardedOperands();
  if (target == here.stop) {
    Activation arm = here;
    stack.pop_back();
    assign(target->getArguments(), operands, stack.back(), arm);
    return;
  }
  SmallVector<std::optional<ThreadValue>> old;
  for (Value argument : target->getArguments())
    old.push_back(getOfOthers(argument, warp));
  assign(target->getArguments(), operands, here, here);
  for (auto [argument, others] : llvm::zip(target->getArguments(), old))
    keepOfOthers(argument, others, warp);
  here.block = target;
  here.next = target->begin();
}

/// Lanes take both ways, one after the other, and meet again.
void Run::diverge(Operation *op, const ThreadValue &condition, unsigned warp) {
  auto &stack = warps[warp].stack;
  Region *region = op->getParentRegion();
  auto &info = dominance[region->getParentOp()];
  if (!info)
    info = std::make_unique<PostDominanceInfo>(region->getParentOp());
  auto *node = info->getDomTree(region).getNode(op->getBlock());
  Block *meeting =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!meeting || stack.size() > maxDepth) {
    giveUp(op, "where lanes that branch apart meet again is not known");
    return;
  }
  Activation outer = stack.back();
  uint32_t taken = getTaken(condition, warp);
  stack.back().block = meeting;
  stack.back().next = meeting->begin();
  for (unsigned arm : {1u, 0u}) {
    Activation inner = outer;
    inner.lanes = arm == 0 ? taken : outer.lanes & ~taken;
    inner.stop = meeting;
    inner.parent = nullptr;
    stack.push_back(inner);
    go(op, arm, warp);
    if (hasStopped)
      return;
  }
}

void Run::branchByCase(Operation *op, ArrayRef<int64_t> cases, unsigned warp) {
  keepCases(op->getOperand(0), cases, warps[warp].stack.back().known);
  std::optional<int64_t> selector;
  if (std::optional<ThreadValue> value = resolve(op->getOperand(0), warp))
    selector = getUniform(*value, warp);
  if (!selector) {
    giveUp(op, "which case is taken is not known, or up to the lane");
    return;
  }
  const auto *it = llvm::find(cases, *selector);
  go(op, it == cases.end() ? 0 : it - cases.begin() + 1, warp);
}

void Run::branch(Operation *op, unsigned warp) {
  if (op->getNumSuccessors() == 1)
    return go(op, 0, warp);
  std::optional<ThreadValue> condition;
  if (auto cases = getCases(op))
    return branchByCase(op, *cases, warp);
  bool isTwoWay = op->getNumSuccessors() == 2 && op->getNumOperands() != 0 &&
                  op->getOperand(0).getType().isInteger(1);
  if (isTwoWay)
    condition = resolve(op->getOperand(0), warp);
  if (!condition) {
    giveUp(op, "the condition is not known");
    return;
  }
  uint32_t taken = getTaken(*condition, warp);
  uint32_t lanes = warps[warp].stack.back().lanes;
  if (taken)
    note(op, 1, op->getOperand(0), warp);
  if (taken != lanes)
    note(op, 2, op->getOperand(0), warp);
  if (taken == 0 || taken == lanes)
    return go(op, taken == 0 ? 1 : 0, warp);
  diverge(op, *condition, warp);
}
