//===- Launch.h - A launch of a kernel --------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_LAUNCH_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_LAUNCH_H

#include "Settings.h"
#include "Support.h"
#include <optional>

namespace tmem::emulation {

/// What is the same for all CTAs of a grid.
struct Launch {
  const TMemEmuKernel *kernel;
  uint32_t cluster[3]; ///< In CTAs.
  bool isExplicitCluster;
  uint32_t grid[3], block[3];
  uint32_t dynamicShared; ///< In bytes.
  void **params;
  Settings settings;
  uint64_t id; ///< %gridid

  uint32_t getNumThreads() const { return block[0] * block[1] * block[2]; }
  uint32_t getClusterSize() const {
    return cluster[0] * cluster[1] * cluster[2];
  }
  uint64_t getNumClusters() const {
    return uint64_t(grid[0]) * grid[1] * grid[2] / getClusterSize();
  }
  uint64_t getSharedBytes() const;
};

/// Dimensions as mgpuLaunchKernel has them.
struct Dimensions {
  int64_t x, y, z;
};

/// Checks a launch and runs it; returns when the grid is done. A launch need
/// not name clusters.
void launchKernel(const TMemEmuKernel &kernel,
                  std::optional<Dimensions> cluster, Dimensions grid,
                  Dimensions block, int64_t dynamicShared, void **params,
                  uint64_t numParams);

/// Runs the clusters of a grid on a pool of OS threads.
void runGrid(const Launch &launch);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_LAUNCH_H
