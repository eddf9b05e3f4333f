//===- GrowthBench.h - How passes grow with the operations ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_BENCHMARKS_GROWTHBENCH_H
#define TMEM_BENCHMARKS_GROWTHBENCH_H

namespace mlir::tmem {

/// Whether modules are in the caches when a pass begins, as far as they fit.
extern bool areCachesWarm;

} // namespace mlir::tmem

#endif // TMEM_BENCHMARKS_GROWTHBENCH_H
