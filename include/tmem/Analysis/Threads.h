//===- Threads.h - What concerns all threads of a kernel --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For passes that add allocations and barriers to a kernel: what is in it
// already, whether written as operations, as intrinsics or as inline PTX, and
// which threads come there.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_ANALYSIS_THREADS_H
#define TMEM_ANALYSIS_THREADS_H

#include "mlir/IR/Operation.h"
#include "tmem/Analysis/Hazards.h"
#include "llvm/ADT/BitVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace mlir::tmem::hazards {

/// An instruction that concerns other threads than the one that executes it.
struct Instruction {
  enum Kind {
    Alloc,
    Relinquish,
    Barrier,       ///< Waits at a barrier of the CTA.
    BarrierArrive, ///< Arrives there, and goes on.
    ClusterArrive,
    Exit, ///< Ends threads in the middle of the code, or may do so.
  };
  Instruction(Kind kind) : kind(kind) {}

  Kind kind;
  /// Of an alloc, where it is constant.
  std::optional<int64_t> columns;
  unsigned ctaGroup = 1;
  bool isExclusive = false;
  /// Inline PTX that names such an instruction, and is not read any further.
  bool isUnread = false;
  /// The number of a barrier: a constant, or else a value, or unknown.
  std::optional<int64_t> number;
  Value numberValue;
  /// Of a barrier: it names a number of threads. Else it is for all of the CTA
  /// that have not exited (PTX ISA, bar).
  bool hasCount = false;
};

/// The instructions of the kinds above that an operation stands for.
SmallVector<Instruction, 1> readInstructions(Operation *op);

/// Which threads of a block come to a place, as far as their ids say.
class KnownThreads {
public:
  /// Of `kernel`, a function with a body, with a block of 1 to 1024 threads.
  KnownThreads(Operation *kernel, BlockShape block);
  ~KnownThreads();

  /// An integer by thread, if that is known of all of them.
  std::optional<std::vector<int64_t>> get(Value value);
  /// The threads that may execute an operation of the kernel.
  llvm::BitVector getReaching(Operation *op);

private:
  struct State;
  void restrict(Operation *branch, unsigned arm, llvm::BitVector &threads);

  std::unique_ptr<State> state;
};

/// Which region of `op`, or which successor of a branch, a thread takes that
/// has `value` as the condition. Nothing for what chooses by no integer.
std::optional<unsigned> getArm(Operation *op, int64_t value);
/// What it chooses by, or null.
Value getSelector(Operation *op);

} // namespace mlir::tmem::hazards

#endif // TMEM_ANALYSIS_THREADS_H
