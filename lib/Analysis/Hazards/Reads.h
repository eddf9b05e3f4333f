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

/// Which reads of registers count as a wait: none, those that a compiler cannot
/// drop, or those that it may drop as well.
enum class CountedReads : uint8_t { None, Sure, Any };

/// Which operations read registers for something: a store, a branch, a call.
class LiveReads {
public:
  explicit LiveReads(CountedReads counted) : counted(counted) {}
  /// False for one that may be dropped, or whose result is the same anyway.
  bool isRead(Operation *op);
  /// Whether it was asked for one that may be dropped, or not.
  bool hasDoubtful = false;

private:
  /// How much may have been lost on the way to an effect.
  enum Way : uint8_t { Whole, Part, Anyhow };
  bool isLive(Value value, Way way);
  bool isRead(Operation *op, Way way);

  CountedReads counted;
  DenseMap<std::pair<Value, unsigned>, bool> known;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_READS_H
