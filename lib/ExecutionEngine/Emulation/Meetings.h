//===- Meetings.h - Operations of several lanes -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes leave their operands and wait; the last to arrive does the work for
// all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_MEETINGS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_MEETINGS_H

#include "Cluster.h"

namespace tmem::emulation {

/// A lane that cannot join its warp at an aligned operation.
[[noreturn]] void reportDivergence(Thread &thread, const Site *site);
[[noreturn]] void reportDisagreement(Thread &thread, const Site *site,
                                     const Operands &operands);
[[noreturn]] void reportExited(Thread &thread, const Site *site);

/// A `.sync.aligned` operation. Returns true in the last lane, which does the
/// work and calls releaseAligned, and false in the others, afterwards.
TMEM_ALWAYS_INLINE bool arriveAligned(Thread &thread, const Site *site,
                                      const Operands &operands) {
  Warp &warp = *thread.warp;
  Meeting &meeting = warp.meeting;
  if (!meeting.arrived) {
    meeting.site = site;
    meeting.operands = operands;
  } else if (meeting.site != site) {
    reportDivergence(thread, site);
  } else if (!(meeting.operands == operands)) {
    reportDisagreement(thread, site, operands);
  }
  meeting.arrived |= thread.getBit();
  if (meeting.arrived != warp.live) {
    thread.cta->block(thread, Wait::Warp, site);
    return false;
  }
  // Barriers do not wait for threads that have exited.
  if (warp.live != fullMask && !canMissLanes(operands.op))
    reportExited(thread, site);
  meeting.arrived = 0;
  return true;
}

/// The thread that faults of a whole warp name, whichever lane was the last.
inline const Thread &getReporter(const Warp &warp) {
  return *warp.threads[warpSize - 1];
}

/// The other lanes may go on.
TMEM_ALWAYS_INLINE void releaseAligned(Thread &last) {
  Warp &warp = *last.warp;
  last.cta->wake(warp, warp.live);
  last.cta->maybePreempt(last);
}

/// An operation among the lanes of `mask`. Returns the result of this lane.
uint64_t meet(Thread &thread, const Site *site, GroupOp op, uint64_t key,
              uint32_t mask, uint64_t value, uint64_t extra = 0);

/// Gives each lane of a complete group its result.
void completeGroup(Warp &warp, const Group &group);

/// A thread ends: what waited for it may go on.
void exitThread(Thread &thread);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_MEETINGS_H
