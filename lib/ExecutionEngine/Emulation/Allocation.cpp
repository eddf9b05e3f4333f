//===- Allocation.cpp - tcgen05.alloc, dealloc, fences --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.alloc, tcgen05.dealloc, tcgen05.relinquish_alloc_permit"
// and "tcgen05.fence".
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "Faults.h"
#include "Meetings.h"
#include "Pairs.h"
#include "SharedMemory.h"
#include <algorithm>

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void tmem::emulation::checkCtaGroup(const Thread &thread, const Site *site,
                                    uint32_t flags) {
  Cluster &cluster = *thread.cta->cluster;
  uint32_t group = flags & TMemEmuCtaGroup2 ? 2 : 1;
  if (cluster.ctaGroup != 0 && cluster.ctaGroup != group)
    fault(thread, site,
          format("expected .cta_group::%u, as everywhere else in the kernel, "
                 "but got .cta_group::%u",
                 cluster.ctaGroup, group),
          {{cluster.ctaGroupSite,
            format(".cta_group::%u here", cluster.ctaGroup)}});
  cluster.ctaGroup = group;
  cluster.ctaGroupSite = site;
}

/// PTX ISA, "CTA Pair": CTAs whose ranks differ in the last bit alone.
static void checkPair(const Thread &thread, const Site *site, uint32_t flags) {
  checkCtaGroup(thread, site, flags);
  const Cta &cta = *thread.cta;
  if (!(flags & TMemEmuCtaGroup2) || cta.cluster->getPeer(cta))
    return;
  uint32_t size = cta.cluster->ctas.size();
  fault(thread, site,
        format("expected a peer in the cluster for .cta_group::2, but block %u "
               "of a cluster of %u has none: launch clusters of an even number "
               "of blocks",
               cta.rank, size));
}

static void checkColumnCount(const Thread &thread, const Site *site,
                             uint32_t columns, bool exclusive) {
  const TensorMemory &tensor = thread.cta->tensor;
  uint32_t most =
      exclusive ? tensor.getExclusiveColumns() : tensor.getColumns();
  if (exclusive && (columns == 0 || columns % blockColumns || columns > most))
    fault(thread, site,
          format("expected a multiple of 32 from 32 to %u columns, but got %u",
                 most, columns));
  if (!exclusive && !isPowerOfTwo(columns, blockColumns, most))
    fault(thread, site,
          format("expected a power of two from 32 to %u columns, but got %u",
                 most, columns));
}

static void checkAlloc(const Thread &thread, const Site *site,
                       const Operands &operands) {
  const Cta &cta = *thread.cta;
  checkColumnCount(thread, site, operands.count,
                   operands.flags & TMemEmuExclusive);
  if (cta.relinquished)
    fault(thread, site,
          "alloc after the block has given up its permit: expected no "
          "tcgen05.alloc after tcgen05.relinquish_alloc_permit",
          {{cta.relinquished, "given up here"}});
  if (cta.lastAllocSite && operands.count > cta.lastAllocColumns)
    fault(thread, site,
          format("expected at most %u columns, as many as the alloc before, "
                 "but got %u: allocate the largest first",
                 cta.lastAllocColumns, operands.count),
          {{cta.lastAllocSite, "the alloc before"}});
  uint64_t slot = operands.offset;
  if (!isInShared(cta, slot, sizeof(uint32_t)) || slot % sizeof(uint32_t))
    fault(thread, site,
          format("expected 4 aligned bytes in the %llu bytes of shared memory "
                 "of the block as destination, but got offset %lld",
                 static_cast<unsigned long long>(cta.sharedBytes),
                 static_cast<long long>(slot - cta.sharedBegin)));
}

//===----------------------------------------------------------------------===//
// alloc
//===----------------------------------------------------------------------===//

void tmem::emulation::beginAlloc(Warp &warp, const Site *site,
                                 const Operands &operands) {
  const Thread &thread = getReporter(warp);
  checkPair(thread, site, operands.flags);
  checkAlloc(thread, site, operands);
  warp.cta->lastAllocColumns = operands.count;
  warp.cta->lastAllocSite = site;
}

void tmem::emulation::finishAlloc(Warp &warp, const Site *site,
                                  const Operands &operands,
                                  Allocation &allocation) {
  Cta &cta = *warp.cta;
  allocation.site = site;
  allocation.warp = warp.index;
  allocation.epoch = warp.clocks.order.at[warp.id];
  if (cta.isRacing()) {
    uint32_t stride = cta.tensor.getStride();
    for (uint32_t lane = 0; lane < numLanes; ++lane)
      cta.tensorShadow.clear(lane * stride + allocation.base,
                             lane * stride + allocation.getEnd());
    recordSharedAccess(getReporter(warp), site, cta, operands.offset,
                       sizeof(uint32_t), TMemEmuAccessWrite);
  }
  *reinterpret_cast<uint32_t *>(operands.offset) = allocation.base;
}

uint64_t tmem::emulation::chooseColumns(Cta &cta) {
  return cta.launch->settings.seed == 0 ? 0 : cta.cluster->random.next();
}

/// Allocates for a warp whose lanes all wait, if columns are free.
static bool tryAllocate(Warp &warp, const Site *site,
                        const Operands &operands) {
  Cta &cta = *warp.cta;
  Allocation *allocation = cta.tensor.allocate(
      operands.count, operands.flags & TMemEmuExclusive, chooseColumns(cta));
  if (!allocation)
    return false;
  finishAlloc(warp, site, operands, *allocation);
  return true;
}

std::string tmem::emulation::describeWaitForColumns(const Warp &warp) {
  uint32_t used = 0;
  warp.cta->tensor.forEachAllocation(
      [&](const Allocation &allocation) { used += allocation.columns; });
  return format("waiting here for %u columns: %u are allocated", warp.blockedOn,
                used);
}

/// Whether the warp goes on. Otherwise it waits for columns.
static bool allocate(Warp &warp, const Site *site) {
  const Operands &operands = warp.meeting.operands;
  if (tryAllocate(warp, site, operands))
    return true;
  warp.blockedSite = site;
  warp.blockedOn = operands.count;
  warp.describeBlocked = describeWaitForColumns;
  warp.cta->allocQueue.push_back(&warp);
  return false;
}

/// Columns were freed: serves the warps that wait for some, first come first.
static void serveQueue(Cta &cta) {
  std::vector<Warp *> &queue = cta.allocQueue;
  auto served = [&](Warp *warp) {
    if (!tryAllocate(*warp, warp->blockedSite, warp->meeting.operands))
      return false;
    unblock(*warp);
    return true;
  };
  queue.erase(std::remove_if(queue.begin(), queue.end(), served), queue.end());
}

/// The last lane of a warp goes on with the others, or waits like them.
static void goOn(Thread &last, const Site *site, bool isDone) {
  if (isDone)
    releaseAligned(last);
  else
    last.cta->block(last, Wait::Warp, site);
}

void tmemEmuAlloc(TMemEmuThread *t, const TMemEmuSite *site, uint32_t *slot,
                  uint32_t columns, uint32_t flags) {
  Thread &thread = getThread(t);
  int64_t destination = reinterpret_cast<uintptr_t>(slot);
  if (arriveAligned(thread, site,
                    {AlignedOp::Alloc, 0, columns, flags, 0, destination})) {
    Warp &warp = *thread.warp;
    beginAlloc(warp, site, warp.meeting.operands);
    goOn(thread, site,
         flags & TMemEmuCtaGroup2 ? allocatePair(warp, site)
                                  : allocate(warp, site));
  }
}

//===----------------------------------------------------------------------===//
// dealloc
//===----------------------------------------------------------------------===//

/// The live allocation that a dealloc names.
static Allocation &getAllocation(const Thread &thread, const Site *site,
                                 const Operands &operands) {
  TensorMemory &tensor = thread.cta->tensor;
  uint32_t address = operands.address;
  Allocation *allocation = tensor.find(address & 0xffff);
  if (allocation && allocation->freeing)
    fault(thread, site,
          "columns at " + describeAddress(address) +
              " are being deallocated already",
          {{allocation->freeing, "deallocated here"}});
  if (allocation && allocation->base == address)
    return *allocation;
  std::string text = describeAddress(address);
  if (allocation)
    fault(thread, site,
          format("expected the address that tcgen05.alloc returned, %s, but "
                 "got %s inside that allocation",
                 describeAddress(allocation->base).c_str(), text.c_str()),
          {{allocation->site, "allocated here"}});
  if (const Site *freed = tensor.getFreeSite(address & 0xffff))
    fault(thread, site, "columns at " + text + " are deallocated already",
          {{freed, "deallocated here"}});
  fault(thread, site,
        "expected an address that tcgen05.alloc returned, but got " + text);
}

/// Every access of other warps, and the alloc, must be ordered before.
static void checkDeallocOrder(const Thread &thread, const Site *site,
                              const Allocation &allocation) {
  const VectorClock &order = thread.warp->clocks.order;
  const Warp *warps = thread.cta->warps;
  for (uint32_t w = 0; w < thread.cta->numWarps; ++w) {
    const Allocation::LastAccess &last = allocation.last[w];
    if (w != thread.warp->index && last.site &&
        order.at[warps[w].id] < last.epoch)
      fault(thread, site,
            format("dealloc is not ordered after the access of warp %u: "
                   "execute a barrier between them",
                   w),
            {{last.site, format("access of warp %u", w)},
             {allocation.site, "allocated here"}});
  }
  if (allocation.warp != thread.warp->index &&
      order.at[warps[allocation.warp].id] < allocation.epoch)
    fault(thread, site,
          format("dealloc is not ordered after the alloc by warp %u: execute a "
                 "barrier between them",
                 allocation.warp),
          {{allocation.site, "allocated here"}});
}

Allocation &tmem::emulation::beginDealloc(Warp &warp, const Site *site,
                                          const Operands &operands) {
  const Thread &thread = getReporter(warp);
  bool exclusive = operands.flags & TMemEmuExclusive;
  checkPair(thread, site, operands.flags);
  checkColumnCount(thread, site, operands.count, exclusive);
  Allocation &allocation = getAllocation(thread, site, operands);
  Note note = {allocation.site, "allocated here"};
  if (allocation.columns != operands.count)
    fault(thread, site,
          format("expected %u columns, as allocated, but got %u",
                 allocation.columns, operands.count),
          {note});
  if (allocation.exclusive != exclusive)
    fault(thread, site,
          format("expected dealloc with%s .exclusive, as allocated",
                 allocation.exclusive ? "" : "out"),
          {note});
  checkNothingPending(thread, site, allocation);
  warp.cta->tensorCore.checkDealloc(thread, site, allocation);
  checkDeallocOrder(thread, site, allocation);
  return allocation;
}

static void deallocate(Warp &warp, const Site *site) {
  Cta &cta = *warp.cta;
  cta.tensor.deallocate(beginDealloc(warp, site, warp.meeting.operands), site);
  serveQueue(cta);
}

void tmemEmuDealloc(TMemEmuThread *t, const TMemEmuSite *site, uint32_t address,
                    uint32_t columns, uint32_t flags) {
  Thread &thread = getThread(t);
  if (arriveAligned(thread, site,
                    {AlignedOp::Dealloc, 0, columns, flags, address, 0})) {
    Warp &warp = *thread.warp;
    if (flags & TMemEmuCtaGroup2)
      return goOn(thread, site, deallocatePair(warp, site));
    deallocate(warp, site);
    releaseAligned(thread);
  }
}

void tmemEmuRelinquish(TMemEmuThread *t, const TMemEmuSite *site,
                       uint32_t flags) {
  Thread &thread = getThread(t);
  if (arriveAligned(thread, site, {AlignedOp::Relinquish, 0, 0, flags, 0, 0})) {
    checkPair(getReporter(*thread.warp), site, flags);
    thread.cta->relinquished = site;
    releaseAligned(thread);
  }
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void tmemEmuFence(TMemEmuThread *t, const TMemEmuSite *, uint32_t kind) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  // Only race mode asks what these fences order.
  if (kind != TMemEmuFenceMemory && !thread.cta->isRacing())
    return;
  switch (kind) {
  case TMemEmuFenceBefore:
    return warp.clocks.fenceBefore(warp.id, thread.lane);
  case TMemEmuFenceAfter:
    return warp.clocks.fenceAfter(thread.lane);
  case TMemEmuFenceProxy:
    return warp.clocks.fenceProxy(warp.id);
  default: {
    // Both ways, and with every other fence: an order that the kernel may rely
    // on is never overlooked.
    SyncClock &memory = warp.cta->cluster->memoryClock;
    warp.clocks.acquire(thread.lane, memory);
    warp.clocks.fenced = warp.clocks.order;
    warp.clocks.release(warp.id, thread.lane, memory);
    thread.cta->maybePreempt(thread);
  }
  }
}
