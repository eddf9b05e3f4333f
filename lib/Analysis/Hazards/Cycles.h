//===- Cycles.h - Blocks that threads come to again -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of blocks, and what their values are used for: threads that leave a
// loop in different turns take different values along, and those that stay run
// it without the others.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_CYCLES_H
#define TMEM_LIB_ANALYSIS_HAZARDS_CYCLES_H

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace mlir::tmem::hazards {

/// A loop of blocks.
struct Cycle {
  Block *header = nullptr; ///< Null if it is entered at several blocks.
  Cycle *parent = nullptr;
  /// Whether what it computes is used behind it.
  bool escapes = false;
  /// Those of its blocks that have several successors.
  SmallVector<Block *, 2> branches;
};

/// The loops of a region.
class BlockCycles {
public:
  BlockCycles(Region &region, DominanceInfo &dominance);
  /// The innermost one that a block is in, or null.
  Cycle *find(Block *block) const { return innermost.lookup(block); }
  bool contains(const Cycle &cycle, Block *block) const;
  /// Outer ones come first.
  const std::deque<Cycle> &getCycles() const { return cycles; }

private:
  void addLoops(Region &region, DominanceInfo &dominance);
  void findOtherEntries(Region &region, DominanceInfo &dominance);
  void findUses(Block &block);

  std::deque<Cycle> cycles;
  DenseMap<Block *, Cycle *> innermost;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_CYCLES_H
