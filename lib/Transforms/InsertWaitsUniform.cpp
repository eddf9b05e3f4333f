//===- InsertWaitsUniform.cpp - Where a warp stays together ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.wait is .sync.aligned: all lanes of a warp execute it together.
// Behind a branch that may part them no wait may stand, unless the program
// itself has instructions of that kind there.
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/Uniformity.h"

using namespace mlir;
using namespace mlir::tmem;

static bool isKernelArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!argument.getOwner()->isEntryBlock())
    return false;
  auto function = dyn_cast_or_null<gpu::GPUFuncOp>(parent);
  return function && function.isKernel() &&
         argument.getArgNumber() < function.getNumArguments();
}

bool UniformBranches::isUniform(Value value, unsigned depth) {
  // Conditions are short; what is longer counts as unknown.
  constexpr unsigned maxDepth = 16;
  if (depth > maxDepth)
    return false;
  auto [it, isNew] = values.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool result = false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && value == loop.getInductionVar())
      result = isUniform(loop.getLowerBound(), depth + 1) &&
               isUniform(loop.getUpperBound(), depth + 1) &&
               isUniform(loop.getStep(), depth + 1);
    else
      result = isKernelArgument(argument);
  } else {
    Operation *op = value.getDefiningOp();
    result = isBlockConstant(op) ||
             (isPure(op) && isSameForSameOperands(cast<OpResult>(value)) &&
              llvm::all_of(op->getOperands(), [&](Value operand) {
                return isUniform(operand, depth + 1);
              }));
  }
  return values[value] = result;
}

/// Whether the block has an instruction that takes the whole warp.
bool UniformBranches::hasCollective(Block *block) {
  auto [it, isNew] = collectives.try_emplace(block, false);
  if (isNew)
    it->second = llvm::any_of(*block, [](Operation &op) {
      return isa<TransferOpInterface, WaitLoadOp, WaitStoreOp, AllocOp,
                 DeallocOp, RelinquishAllocPermitOp>(op);
    });
  return it->second;
}

bool UniformBranches::isUniform(Operation *terminator) {
  if (llvm::all_equal(terminator->getSuccessors()))
    return true;
  Value condition;
  if (isa<cf::CondBranchOp, cf::SwitchOp>(terminator))
    condition = terminator->getOperand(0);
  if (condition && isUniform(condition))
    return true;
  // Lanes that go to such a block directly, and not to where they meet the
  // others, must be all.
  Block *from = terminator->getBlock();
  return llvm::any_of(terminator->getSuccessors(), [&](Block *block) {
    return hasCollective(block) &&
           (block->getSinglePredecessor() || dominance.dominates(block, from));
  });
}
