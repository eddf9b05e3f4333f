//===- Pending.cpp - Transfers that no wait has completed -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pending.h"
#include "Cta.h"
#include "Faults.h"

using namespace tmem::emulation;

bool Access::overlaps(const Box &box) const {
  for (uint32_t i = 0; i < numBoxes; ++i)
    if (boxes[i].overlaps(box))
      return true;
  return false;
}

bool Access::overlaps(const Access &other) const {
  for (uint32_t i = 0; i < numBoxes; ++i)
    if (other.overlaps(boxes[i]))
      return true;
  return false;
}

void PendingAccesses::add(const Access &access) {
  std::vector<Access> &list = access.store ? stores : loads;
  for (const Access &other : list)
    if (other.site == access.site && other.boxes[0] == access.boxes[0] &&
        (access.numBoxes == 1 || other.boxes[1] == access.boxes[1]))
      return;
  list.push_back(access);
}

static const char *getWait(bool store) {
  return store ? "tcgen05.wait::st" : "tcgen05.wait::ld";
}

static const char *getKind(bool store) { return store ? "store" : "load"; }

[[noreturn]] static void reportPending(const Thread &thread, const Warp &warp,
                                       const Access &access, const Warp &other,
                                       const Access &earlier) {
  std::string message = format("%s of cells that a %s of ",
                               getKind(access.store), getKind(earlier.store));
  if (&warp == &other)
    message += format("this warp still accesses: execute %s between them",
                      getWait(earlier.store));
  else
    message += format("warp %u still accesses: execute %s there, then fences "
                      "and a barrier between the warps",
                      other.index, getWait(earlier.store));
  fault(thread, access.site, message,
        {{earlier.site, format("%s of warp %u that no wait has completed",
                               getKind(earlier.store), other.index)}});
}

void tmem::emulation::checkPending(const Thread &thread, const Warp &warp,
                                   const Access &access) {
  Cta &cta = *thread.cta;
  // Only warps of the same slab can meet.
  for (uint32_t w = warp.index % 4; w < cta.numWarps; w += 4) {
    const Warp &other = cta.warps[w];
    for (const Access &earlier : other.pending.stores)
      if (earlier.overlaps(access))
        reportPending(thread, warp, access, other, earlier);
    if (!access.store)
      continue;
    for (const Access &earlier : other.pending.loads)
      if (earlier.overlaps(access))
        reportPending(thread, warp, access, other, earlier);
  }
}

void tmem::emulation::completePending(Warp &warp, bool stores) {
  Cta &cta = *warp.cta;
  uint32_t order = warp.clocks.order.at[warp.id];
  std::vector<Access> &list = stores ? warp.pending.stores : warp.pending.loads;
  for (const Access &access : list)
    cta.tensor.find(access.boxes[0].columnBegin)->last[warp.index] = {
        order, access.site};
  list.clear();
  if (cta.isRacing())
    cta.tensorShadow.complete(warp.id, stores, warp.clocks.tensor.at[warp.id],
                              order);
}

void tmem::emulation::checkNothingPending(const Thread &thread,
                                          const Site *site,
                                          const Allocation &allocation) {
  Cta &cta = *thread.cta;
  Box box = {0, numLanes, allocation.base, allocation.getEnd()};
  for (uint32_t w = 0; w < cta.numWarps; ++w) {
    const Warp &warp = cta.warps[w];
    for (const std::vector<Access> *list :
         {&warp.pending.loads, &warp.pending.stores})
      for (const Access &access : *list)
        if (access.overlaps(box))
          fault(thread, site,
                format("dealloc of columns that a %s of warp %u still "
                       "accesses: execute %s%s",
                       getKind(access.store), w, getWait(access.store),
                       &warp == thread.warp
                           ? " before it"
                           : " in that warp, then a barrier before this"),
                {{access.site, format("%s of warp %u that no wait has "
                                      "completed",
                                      getKind(access.store), w)}});
  }
}
