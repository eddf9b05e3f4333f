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

/// Calls `run` with the seeds from `first` on, each in a process of its own,
/// and prints what the first of them prints, each fault once, and a summary.
/// Returns the exit status: 0 when all ran clean, 1 after a fault or when two
/// seeds print different things, 2 when the program could not be run.
int runSeeds(uint64_t first, uint64_t count,
             const std::function<int(uint64_t seed)> &run);

} // namespace mlir::tmem

#endif // TMEM_TOOLS_TMEMRUN_SEEDS_H
