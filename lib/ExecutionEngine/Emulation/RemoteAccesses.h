//===- RemoteAccesses.h - Accesses from other CTAs --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_REMOTEACCESSES_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_REMOTEACCESSES_H

#include "Clocks.h"

namespace tmem::emulation {

class Cta;
struct Thread;
struct Warp;

/// What other CTAs of the cluster did to the shared memory of a CTA, which must
/// not have exited by then.
struct RemoteAccesses {
  struct Access {
    uint32_t epoch; ///< Of the warp that accessed.
    const Site *site;
  };
  /// The last one of each warp of the cluster; empty while there was none.
  std::vector<Access> last;
  /// What comes before the end of the CTA: all that its threads have seen.
  VectorClock end;

  void clear() {
    last.clear();
    end = VectorClock();
  }
};

/// An access of `thread` to the shared memory of another CTA: `kind` is a noun,
/// "store". Faults unless that CTA runs.
void checkRemoteAccess(const Thread &thread, const Site *site, Cta &owner,
                       const char *kind);

/// The last thread of a warp has exited.
void recordEnd(Warp &warp);

/// A CTA has exited: faults where nothing orders that after an access.
void checkRemoteEnd(const Cta &cta);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_REMOTEACCESSES_H
