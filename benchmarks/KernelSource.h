//===- KernelSource.h - Kernels to measure ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_BENCHMARKS_KERNELSOURCE_H
#define TMEM_BENCHMARKS_KERNELSOURCE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class MLIRContext;

namespace tmem {

/// One for all benchmarks.
MLIRContext &getBenchmarkContext();

/// The kernel of examples/roundtrip.mlir.
std::string getRoundTripKernel();

/// A kernel of `count` transfers of one warpgroup, loads and stores in turn,
/// each waited for, over 16 windows of a 128x512 tile.
std::string makeTransferKernel(unsigned count);

/// The same with no registers and no atom named.
std::string makeUnselectedKernel(unsigned count);

/// A kernel that loads a whole 128x512 tile, with nothing named.
std::string getLargestTileKernel();

/// A kernel of `count` branches, each of which stores to a buffer and loads
/// from it; up to 1,000 buffers in turn. Six operations a branch.
std::string makeBufferKernel(unsigned count);

/// A kernel of `count` reads with a use each: in a "row", in "blocks" of their
/// own, or before "loops" of their own that hand a vector on.
std::string makeReadKernel(unsigned count, llvm::StringRef shape);

/// A program that launches CTAs of 128 threads which store and load a 128x64
/// tile `iterations` times.
std::string makeEmulatorProgram(unsigned numCTAs, unsigned iterations);

} // namespace tmem
} // namespace mlir

#endif // TMEM_BENCHMARKS_KERNELSOURCE_H
