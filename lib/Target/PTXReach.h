//===- PTXReach.h - Which facts reach which components ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXREACH_H
#define TMEM_LIB_TARGET_PTXREACH_H

#include "PTXSegments.h"

namespace mlir::tmem::ptx {

/// A fact that starts in some components and is asked for in others. Both lists
/// are sorted, without repetition.
struct Fact {
  std::vector<unsigned> sources;
  std::vector<unsigned> targets;
};

/// For each fact the targets that a path leads to from one of its sources; a
/// component that is no cycle does not lead to itself.
///
/// What a fact reaches is what its sources and their iterated dominance
/// frontier dominate, which is near-linear in ordinary code. What would take
/// much longer, as in very deep nests, goes through the graph, 512 facts at a
/// time; if that is not wanted, there is no result. Facts with the same sources
/// and targets should be one, and those without a target left out.
std::optional<std::vector<std::vector<unsigned>>>
findReached(const Segments &segments, llvm::ArrayRef<Fact> facts,
            bool mayTakeLong);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXREACH_H
