//===- Journal.cpp - What an error has to undo ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Journal.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

void Journal::replace(Operation *op, ValueRange values) {
  assert(op->getNextNode() && "a terminator cannot be replaced");
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      operandChanges.push_back(
          {use.getOwner(), use.getOperandNumber(), result});
      use.set(value);
    }
  assert(op->use_empty() && "results with uses need values");
  for (OpOperand &operand : op->getOpOperands()) {
    operandChanges.push_back({op, operand.getOperandNumber(), operand.get()});
    operand.drop();
  }
  removals.push_back({op, op->getNextNode()});
  op->remove();
}

BlockArgument Journal::insertArgument(Block *block, unsigned index, Type type,
                                      Location loc) {
  arguments.push_back(block->insertArgument(index, type, loc));
  return arguments.back();
}

void Journal::undo() {
  for (auto [op, next] : llvm::reverse(removals))
    next->getBlock()->getOperations().insert(Block::iterator(next), op);
  for (auto [op, index, value] : llvm::reverse(operandChanges))
    op->setOperand(index, value);
  // New operations may use each other.
  for (Operation *op : created)
    op->dropAllReferences();
  for (Operation *op : created)
    op->erase();
  for (BlockArgument argument : llvm::reverse(arguments))
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  *this = Journal();
}

void Journal::commit() {
  for (const std::function<void()> &change : deferred)
    change();
  for (auto [op, next] : removals)
    op->destroy();
  *this = Journal();
}
