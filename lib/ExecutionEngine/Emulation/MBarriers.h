//===- MBarriers.h - Mbarrier objects ---------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_MBARRIERS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_MBARRIERS_H

#include "Clocks.h"
#include <map>
#include <vector>

namespace tmem::emulation {

class Cta;
struct Thread;

/// A valid mbarrier object (PTX ISA, "mbarrier"). Its 64 bits in shared memory
/// hold the state as `encode` gives it; the rest is kept here.
struct MBarrier {
  uint64_t *object;
  Cta *cta;                   ///< In whose shared memory it is.
  uint32_t expected, pending; ///< Arrivals of a phase, and those to come.
  int32_t bytes;              ///< Of transactions to come: the tx-count.
  uint64_t phase;             ///< The current one, counted from 0.
  bool seen;                  ///< Somebody has waited for the previous phase.
  const Site *site;           ///< Of its init.
  uint32_t warp, epoch;       ///< Who made it, and its count of releases then.
  SyncClock arriving, complete;
  /// In a cluster, what was done before arrivals, relaxed ones too.
  VectorClock executing, executed;
  std::vector<Thread *> waiters;

  uint64_t encode() const {
    return (phase & 1) << 63 | (uint64_t(bytes) & 0x1fffff) << 40 |
           uint64_t(pending) << 20 | expected;
  }
};

/// An arrival by tcgen05.commit of `thread`, which carries `clock`.
void arriveForCommit(Thread &thread, const Site *site, uint64_t *object,
                     const SyncClock &clock);

/// Faults unless there is a valid mbarrier at `object`.
void checkMBarrier(const Thread &thread, const Site *site,
                   const uint64_t *object);

/// By the address of the object.
using MBarrierTable = std::map<uint64_t, MBarrier>;

/// What a thread that waits for an mbarrier waits for, to follow "lane 0 ".
std::string describeMBarrierWait(const Thread &thread);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_MBARRIERS_H
