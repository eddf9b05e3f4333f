//===- Journal.h - What an error has to undo --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_JOURNAL_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_JOURNAL_H

#include "mlir/IR/Operation.h"
#include <functional>
#include <vector>

namespace mlir::tmem::emulate {

/// Changes to operations in place, of which all can be undone until the end.
/// Either undo or commit has to be called.
class Journal {
public:
  /// Puts `values` in the place of an operation's results and takes it out of
  /// its block. Without uses, the values may be left out.
  void replace(Operation *op, ValueRange values);

  /// The same for a new operation.
  void replaceCreated(Operation *op, ValueRange values);

  /// Notes a new operation.
  void addCreated(Operation *op) { created.push_back(op); }
  /// All new operations, in the order in which they were created.
  ArrayRef<Operation *> getCreated() const { return created; }

  BlockArgument insertArgument(Block *block, unsigned index, Type type,
                               Location loc);

  /// Leaves a change that nothing before the end depends on to commit.
  void defer(std::function<void()> change) {
    deferred.push_back(std::move(change));
  }

  /// Brings all back to what it was.
  void undo();
  /// Makes the deferred changes; what was replaced is gone for good.
  void commit();

private:
  /// An operand had this value.
  struct OperandChange {
    OpOperand *operand;
    Value value;
  };
  /// An operation stood before another one.
  struct Removal {
    Operation *op;
    Operation *next;
  };

  void remove(Operation *op);

  std::vector<OperandChange> operandChanges;
  std::vector<Removal> removals;
  std::vector<Operation *> created;
  std::vector<BlockArgument> arguments;
  std::vector<std::function<void()>> deferred;
};

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_JOURNAL_H
