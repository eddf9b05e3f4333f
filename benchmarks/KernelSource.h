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

/// A kernel that loads a whole 128x512 tile, with nothing named.
std::string getLargestTileKernel();

/// A program that launches CTAs of 128 threads which store and load a 128x64
/// tile `iterations` times.
std::string makeEmulatorProgram(unsigned numCTAs, unsigned iterations);

} // namespace tmem
} // namespace mlir

#endif // TMEM_BENCHMARKS_KERNELSOURCE_H
