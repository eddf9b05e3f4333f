//===- Launch.h - A launch of a kernel --------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_LAUNCH_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_LAUNCH_H

#include "Device.h"
#include "Module.h"

namespace tmem::cuda {

/// MLIR's host code does not say how many arguments a launch with clusters has.
constexpr size_t unknownNumParams = SIZE_MAX;

struct Launch {
  const Kernel &kernel;
  int64_t cluster[3]; ///< Zeros for a launch without clusters.
  int64_t grid[3], block[3];
  int64_t sharedBytes;
  CUstream stream;
  void **params, **extra;
  size_t numParams;

  int64_t getNumThreads() const { return block[0] * block[1] * block[2]; }
};

/// Gives an emulated kernel its memory. The caller holds the device's
/// EmulationMemory::mutex until finishEmulation has returned.
void prepareEmulation(const Launch &launch, Device &device);

/// Waits for an emulated kernel and reports its fault, if it had one.
void finishEmulation(const Launch &launch, Device &device);

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_LAUNCH_H
