//===- Reads.cpp - Which reads of registers count -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler drops what is computed for nothing, and with it the read of a
// loaded register: only what an effect comes of completes a load.
//
//===----------------------------------------------------------------------===//

#include "Reads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

/// Whether an operation gives the same number whatever it reads.
static bool ignoresOperands(Operation *op) {
  bool isProduct =
      isa<arith::MulIOp, arith::AndIOp, LLVM::MulOp, LLVM::AndOp>(op);
  if (isProduct)
    return matchPattern(op->getOperand(0), m_Zero()) ||
           matchPattern(op->getOperand(1), m_Zero());
  return isa<arith::SubIOp, arith::XOrIOp, arith::CmpIOp, LLVM::SubOp,
             LLVM::XOrOp, LLVM::ICmpOp>(op) &&
         op->getOperand(0) == op->getOperand(1);
}

/// What a terminator hands an operand on to. False if it decides something.
static bool followTerminator(OpOperand &use, SmallVectorImpl<Value> &next) {
  Operation *op = use.getOwner(), *parent = op->getParentOp();
  unsigned index = use.getOperandNumber();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(index);
    if (argument)
      next.push_back(*argument);
    return argument.has_value();
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    if (index == 0)
      return false;
    next.push_back(loop.getResult(index - 1));
    next.push_back(loop.getAfterArguments()[index - 1]);
    return true;
  }
  if (!isa<scf::YieldOp>(op))
    return false;
  if (loop) {
    next.push_back(loop.getBeforeArguments()[index]);
    return true;
  }
  if (!isa<scf::IfOp, scf::ForOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(
          parent))
    return false;
  next.push_back(parent->getResult(index));
  if (auto turns = dyn_cast<scf::ForOp>(parent))
    next.push_back(turns.getRegionIterArg(index));
  return true;
}

/// What is computed from an operand, or what it becomes. False if an effect
/// comes of it.
static bool follow(OpOperand &use, SmallVectorImpl<Value> &next) {
  Operation *op = use.getOwner();
  if (op->hasTrait<OpTrait::IsTerminator>())
    return followTerminator(use, next);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned first = loop.getNumControlOperands();
    if (use.getOperandNumber() < first)
      return false;
    next.push_back(loop.getResult(use.getOperandNumber() - first));
    next.push_back(loop.getRegionIterArg(use.getOperandNumber() - first));
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    next.push_back(loop.getBeforeArguments()[use.getOperandNumber()]);
    return true;
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  if (!ignoresOperands(op))
    next.append(op->result_begin(), op->result_end());
  return true;
}

bool LiveReads::isLive(Value root) {
  if (auto it = known.find(root); it != known.end())
    return it->second;
  // Values on the way from the root to where the search stands are live if
  // that is; all that was seen is dead if nothing is found.
  struct Step {
    Value value;
    SmallVector<Value> next;
  };
  SmallVector<Step> path{{root, {}}};
  SmallVector<Value> seen{root};
  DenseSet<Value> isSeen{root};
  bool isLive = false, isNew = true;
  while (!path.empty() && !isLive) {
    Value value = path.back().value;
    if (isNew)
      for (OpOperand &use : value.getUses())
        isLive |= !follow(use, path.back().next);
    isNew = false;
    if (isLive)
      break;
    if (path.back().next.empty()) {
      path.pop_back();
      continue;
    }
    Value next = path.back().next.pop_back_val();
    auto it = known.find(next);
    if (it != known.end()) {
      isLive = it->second;
    } else if (isSeen.insert(next).second) {
      seen.push_back(next);
      path.push_back({next, {}});
      isNew = true;
    }
  }
  for (const Step &step : path)
    known[step.value] = true;
  if (!isLive)
    for (Value value : seen)
      known[value] = false;
  return isLive;
}

bool LiveReads::isRead(Operation *op) {
  // They hand it on.
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return false;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return true;
  return !ignoresOperands(op) &&
         llvm::any_of(op->getResults(),
                      [&](Value result) { return isLive(result); });
}
