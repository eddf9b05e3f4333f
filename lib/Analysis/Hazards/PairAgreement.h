//===- PairAgreement.h - What the CTAs of a pair agree on -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_PAIRAGREEMENT_H
#define TMEM_LIB_ANALYSIS_HAZARDS_PAIRAGREEMENT_H

#include "Values.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tmem::hazards {

/// The two CTAs of a pair run one kernel with the same arguments, and differ in
/// their id, their rank, and in what memory holds. Says of values whether the
/// threads of one number have the same in both for certain, and of operations
/// whether both execute them, or neither.
class PairAgreement {
public:
  explicit PairAgreement(Evaluator &evaluator) : evaluator(evaluator) {}

  bool isSame(Value value, Frame *frame);
  bool isExecutedBySame(Operation *op, Frame *frame);

private:
  using Key = std::pair<Value, Frame *>;
  using Worklist = SmallVector<Key>;

  bool collectSources(Value value, Frame *frame, Worklist &sources);
  bool collectArgument(BlockArgument argument, Frame *frame, Worklist &sources);
  bool collectResult(OpResult result, Frame *frame, Worklist &sources);
  bool collectReturned(OpResult result, Frame *frame, Worklist &sources);
  bool isBranchSame(Block *block, Frame *frame);

  Evaluator &evaluator;
  PostDominanceInfo postDominance;
  DenseSet<Key> same, different;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_PAIRAGREEMENT_H
