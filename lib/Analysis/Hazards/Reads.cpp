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

/// What is computed from an operand, or what it becomes. False if an effect
/// comes of it.
static bool follow(OpOperand &use, SmallVectorImpl<Value> &next) {
  Operation *op = use.getOwner();
  if (handsOn(use, next))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op))
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
