//===- Reads.h - Which reads of registers count -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_READS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_READS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tmem::hazards {

/// Whether a loop, a branch or the end of a region hands an operand on to block
/// arguments or results, unread; adds those.
bool handsOn(OpOperand &use, SmallVectorImpl<Value> &targets);

/// Which operations read registers for something: a store, a branch, a call.
class LiveReads {
public:
  /// False for one that may be dropped, or whose result is the same anyway.
  bool isRead(Operation *op);

private:
  bool isLive(Value value);
  DenseMap<Value, bool> known;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_READS_H
