//===- Journal.cpp - What an error has to undo ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

void Journal::replace(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      operandChanges.push_back({&use, result});
      use.set(value);
    }
  for (OpOperand &operand : op->getOpOperands())
    operandChanges.push_back({&operand, operand.get()});
  remove(op);
}

void Journal::replaceCreated(Operation *op, ValueRange values) {
  // Where nothing comes to, it may be computed from itself.
  if (llvm::any_of(values,
                   [&](Value value) { return value.getDefiningOp() == op; }))
    return;
  // What used it is new as well, or had another operand before.
  op->replaceAllUsesWith(values);
  remove(op);
}

void Journal::remove(Operation *op) {
  assert(op->use_empty() && "results with uses need values");
  assert(op->getNextNode() && "a terminator cannot be replaced");
  removals.push_back({op, op->getNextNode()});
  op->dropAllReferences();
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
  for (auto [operand, value] : llvm::reverse(operandChanges))
    operand->set(value);
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
  constexpr size_t ahead = 8;
  for (size_t i = 0; i < removals.size(); ++i) {
    if (i + ahead < removals.size())
      prefetch(removals[i + ahead].op);
    removals[i].op->destroy();
  }
  *this = Journal();
}
