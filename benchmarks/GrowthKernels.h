//===- GrowthKernels.h - Kernels of any size --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_BENCHMARKS_GROWTHKERNELS_H
#define TMEM_BENCHMARKS_GROWTHKERNELS_H

#include <string>

namespace mlir::tmem {

/// What the steps of a kernel do; each takes a 128x4 or 128x16 tile of i32.
enum class Steps {
  Placed,     ///< A load and a store, with their atoms and waits.
  Unselected, ///< The same without registers and atoms.
  Direct,     ///< tmem.read and tmem.write.
  Reduced,    ///< A load whose maximum is stored.
  Truncated,  ///< A load that is stored as floats of 8 bits.
  Wide,       ///< A load of 16 columns, arithmetic, and a store.
  Buffered,   ///< As Placed, on 100 buffers in turn.
  Shared      ///< The same by 256 threads, with a barrier behind each step.
};

/// How control flow lies around them.
enum class Flow {
  Line,      ///< One block.
  Loops,     ///< A loop around each.
  Pipelined, ///< A loop each, which hands what has been loaded to the next one.
  Blocks,    ///< Blocks between the load and its use.
  Nested,    ///< Loops and branches in each other, 32 deep.
  Kernels    ///< As Loops, in kernels of 256 steps.
};

/// A gpu.module with one kernel of `count` steps, or so many in several ones.
std::string makeGrowthKernels(Steps steps, Flow flow, unsigned count);

} // namespace mlir::tmem

#endif // TMEM_BENCHMARKS_GROWTHKERNELS_H
