//===- RemoteAccesses.cpp - Accesses from other CTAs of the cluster -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Shared State Space": a CTA of a cluster reaches the shared memory
// of the others while these run. They have all started once a barrier of the
// cluster was met, and may exit when nobody accesses them any more.
//
//===----------------------------------------------------------------------===//

#include "RemoteAccesses.h"
#include "Cluster.h"
#include "Faults.h"

using namespace tmem::emulation;

/// Whether a warp's clock knows that a CTA has started.
static bool knowsStart(const Warp &warp, const Cta &cta) {
  for (uint32_t w = 0; w < cta.numWarps; ++w)
    if (warp.clocks.order.at[cta.warps[w].id] >= startEpoch)
      return true;
  return false;
}

void tmem::emulation::checkRemoteAccess(const Thread &thread, const Site *site,
                                        Cta &owner, const char *kind) {
  Warp &warp = *thread.warp;
  if (owner.hasExited())
    fault(thread, site,
          format("%s in the shared memory of %s, which has exited: execute a "
                 "barrier of the cluster before its end",
                 kind, describeCta(owner).c_str()));
  if (owner.isRacing() && !knowsStart(warp, owner))
    fault(thread, site,
          format("race: %s in the shared memory of %s, and nothing orders this "
                 "after the start of that block: execute a barrier of the "
                 "cluster before it",
                 kind, describeCta(owner).c_str()));
  std::vector<RemoteAccesses::Access> &last = owner.remote.last;
  if (last.empty())
    last.resize(owner.cluster->getNumWarps());
  last[warp.id] = {warp.clocks.order.at[warp.id], site};
}

void tmem::emulation::recordEnd(Warp &warp) {
  warp.cta->remote.end.join(warp.clocks.order);
}

void tmem::emulation::checkRemoteEnd(const Cta &cta) {
  const RemoteAccesses &remote = cta.remote;
  for (uint32_t id = 0; id < remote.last.size(); ++id) {
    const RemoteAccesses::Access &last = remote.last[id];
    if (!last.site || remote.end.at[id] >= last.epoch)
      continue;
    std::string who = describeWarp(cta, id);
    fault(
        cta, last.site,
        format("the block exits, and nothing orders that after this access of "
               "its shared memory by %s: execute a barrier of the cluster "
               "between them",
               who.c_str()));
  }
}
