//===- Seeds.h - One program under many orders ------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TOOLS_TMEMRUN_SEEDS_H
#define TMEM_TOOLS_TMEMRUN_SEEDS_H

#include <cstdint>
#include <functional>

namespace mlir::tmem {

/// How tmem-run, and each run of a seed, ends.
enum ExitStatus {
  Clean = 0,
  FoundFault = 1,   ///< Or a program that returned something else than 0.
  Unusable = 2,     ///< The input or the set-up.
  ReturnedOther = 3 ///< Of the run of a seed alone: that program.
};

/// Calls `run` with the seeds from `first` on, each in a process of its own,
/// and prints what the first of them prints, each fault once, and a summary.
/// Returns FoundFault also when two seeds print different things.
int runSeeds(uint64_t first, uint64_t count,
             const std::function<int(uint64_t seed)> &run);

} // namespace mlir::tmem

#endif // TMEM_TOOLS_TMEMRUN_SEEDS_H
