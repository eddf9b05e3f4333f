//===- Barriers.h - bar and barrier.cluster ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_BARRIERS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_BARRIERS_H

#include "Clocks.h"

namespace tmem::emulation {

class Cta;
struct Thread;
struct Warp;

constexpr uint32_t numBarriers = 16; ///< PTX ISA, "bar, barrier".

/// A barrier of the CTA. It counts warps.
struct Barrier {
  uint32_t arrived;           ///< Warps, in this round.
  uint32_t waiting;           ///< Those of them that wait.
  uint32_t threads;           ///< Expected, or 0 for all of the CTA.
  uint32_t flags;             ///< Of the first to arrive.
  uint32_t numTrue, numLanes; ///< Of a reduction.
  const Site *site;           ///< Of the first to arrive.
  SyncClock clock;
};

/// barrier.cluster. It counts threads.
struct ClusterBarrier {
  uint64_t round;
  uint32_t numLive;    ///< Threads of the cluster that have not exited.
  uint32_t numArrived; ///< Those of them that have arrived in this round.
  SyncClock arriving, complete;
  /// What was done before arrivals, whether or not they order memory.
  VectorClock executing, executed;
};

/// All lanes of `warp` that have not exited are at the barrier of its meeting:
/// counts the warp in. Returns whether the warp goes on.
bool arriveAtBarrier(Thread &thread, Warp &warp, const Site *site, uint32_t id,
                     uint32_t threads, uint32_t flags);

/// A thread, perhaps the last one of its warp, has exited: barriers of the
/// whole CTA and of the cluster no longer wait for it.
void updateBarriers(Thread &exited, bool warpEnded);

/// What a thread waits for at the barrier of its cluster, to follow "lane 0 ".
std::string describeClusterWait(const Thread &thread);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_BARRIERS_H
