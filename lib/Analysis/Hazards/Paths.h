//===- Paths.h - Which ways through a kernel exist --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition that is tested twice has one answer: the way that takes one arm
// here and the other there does not exist. States are kept apart by what such
// conditions are, from the first test to the last.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H

#include "Graph.h"

namespace mlir::tmem::hazards {

/// What is known of conditions on a way: by condition, ascending, the values
/// that it may have.
using Knowledge = SmallVector<std::pair<unsigned, uint32_t>, 2>;

class Paths {
public:
  Paths(const Evaluator &evaluator, const Graph &graph);

  /// From `node` to its successor of that number: what is known there. False
  /// if nobody who knows `known` goes there.
  bool follow(unsigned node, unsigned successor, const Knowledge &known,
              Knowledge &result) const;
  /// Whether ways that do not exist are taken into account here, because more
  /// conditions are tested than are followed.
  bool isCoarse(unsigned node) const { return coarse[node]; }
  /// How many ways can be told apart here.
  unsigned getNumWays(unsigned node) const { return ways[node]; }

private:
  struct Condition {
    unsigned symbol;
    bool isBinary;
    /// Every value that is tested; the bit after theirs is for all others.
    SmallVector<int64_t, 1> values;
    SmallVector<unsigned, 4> tests;   ///< Nodes that end in a test of it.
    SmallVector<unsigned, 2> sources; ///< Nodes where it gets a new value.
  };

  void findConditions();
  void findSources(const Evaluator &evaluator);
  void findPredecessors();
  /// The nodes where a condition matters that was tested before.
  SmallVector<unsigned> findLive(const Condition &condition);
  void select(unsigned index);
  void markCoarse(ArrayRef<unsigned> from);
  uint32_t getMask(const Condition &condition, const Guard &guard) const;

  const Graph &graph;
  std::vector<Condition> conditions;
  std::vector<SmallVector<unsigned, 2>> predecessors;
  std::vector<int> conditionOf;               ///< By guard.
  std::vector<uint32_t> masks;                ///< By guard.
  std::vector<SmallVector<unsigned, 2>> live; ///< By node, ascending.
  std::vector<unsigned> ways;
  std::vector<char> coarse, seen;
  size_t budget;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_PATHS_H
