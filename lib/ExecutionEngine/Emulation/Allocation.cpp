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

#include "Faults.h"
#include "Meetings.h"
#include "SharedMemory.h"
#include <algorithm>

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void tmem::emulation::checkCtaGroup(const Thread &thread, const Site *site,
                                    uint32_t flags) {
  Cta &cta = *thread.cta;
  uint32_t group = flags & TMemEmuCtaGroup2 ? 2 : 1;
  if (cta.ctaGroup != 0 && cta.ctaGroup != group)
    fault(thread, site,
          format("expected .cta_group::%u, as everywhere else in the kernel, "
                 "but got .cta_group::%u",
                 cta.ctaGroup, group),
          {{cta.ctaGroupSite, format(".cta_group::%u here", cta.ctaGroup)}});
  cta.ctaGroup = group;
  cta.ctaGroupSite = site;
}

void tmem::emulation::checkPairs(const Thread &thread, const Site *site,
                                 uint32_t flags) {
  if (flags & TMemEmuCtaGroup2)
    unsupported(thread, site,
                ".cta_group::2 needs a cluster of two blocks, which is not "
                "emulated yet: use .cta_group::1");
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

/// Allocates for a warp whose lanes all wait, if columns are free.
static bool tryAllocate(Warp &warp, const Site *site,
                        const Operands &operands) {
  Cta &cta = *warp.cta;
  uint64_t choice = cta.launch->settings.seed == 0 ? 0 : cta.random.next();
  Allocation *allocation = cta.tensor.allocate(
      operands.count, operands.flags & TMemEmuExclusive, choice);
  if (!allocation)
    return false;
  allocation->site = site;
  allocation->warp = warp.index;
  allocation->epoch = warp.clocks.order.at[warp.index];
  if (cta.isRacing()) {
    uint32_t stride = cta.tensor.getStride();
    for (uint32_t lane = 0; lane < numLanes; ++lane)
      cta.tensorShadow.clear(lane * stride + allocation->base,
                             lane * stride + allocation->getEnd());
    recordSharedAccess(getReporter(warp), site, operands.offset,
                       sizeof(uint32_t), TMemEmuAccessWrite);
  }
  *reinterpret_cast<uint32_t *>(operands.offset) = allocation->base;
  return true;
}

static std::string describeBlocked(const Warp &warp) {
  uint32_t used = 0;
  warp.cta->tensor.forEachAllocation(
      [&](const Allocation &allocation) { used += allocation.columns; });
  return format("waiting here for %u columns: %u are allocated", warp.blockedOn,
                used);
}

static void allocate(Thread &last, const Site *site) {
  Warp &warp = *last.warp;
  Cta &cta = *warp.cta;
  const Operands &operands = warp.meeting.operands;
  const Thread &thread = getReporter(warp);
  checkCtaGroup(thread, site, operands.flags);
  checkPairs(thread, site, operands.flags);
  checkAlloc(thread, site, operands);
  cta.lastAllocColumns = operands.count;
  cta.lastAllocSite = site;
  if (tryAllocate(warp, site, operands))
    return releaseAligned(last);
  warp.blockedSite = site;
  warp.blockedOn = operands.count;
  warp.describeBlocked = describeBlocked;
  cta.allocQueue.push_back(&warp);
  cta.block(last, Wait::Warp, site);
}

/// Columns were freed: serves the warps that wait for some, first come first.
static void serveQueue(Cta &cta) {
  std::vector<Warp *> &queue = cta.allocQueue;
  auto served = [&](Warp *warp) {
    if (!tryAllocate(*warp, warp->blockedSite, warp->meeting.operands))
      return false;
    warp->blockedSite = nullptr;
    cta.wake(*warp, warp->live);
    return true;
  };
  queue.erase(std::remove_if(queue.begin(), queue.end(), served), queue.end());
}

void tmemEmuAlloc(TMemEmuThread *t, const TMemEmuSite *site, uint32_t *slot,
                  uint32_t columns, uint32_t flags) {
  Thread &thread = getThread(t);
  int64_t destination = reinterpret_cast<uintptr_t>(slot);
  if (arriveAligned(thread, site,
                    {AlignedOp::Alloc, 0, columns, flags, 0, destination}))
    allocate(thread, site);
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
  for (uint32_t w = 0; w < thread.cta->numWarps; ++w) {
    const Allocation::LastAccess &last = allocation.last[w];
    if (w != thread.warp->index && last.site && order.at[w] < last.epoch)
      fault(thread, site,
            format("dealloc is not ordered after the access of warp %u: "
                   "execute a barrier between them",
                   w),
            {{last.site, format("access of warp %u", w)},
             {allocation.site, "allocated here"}});
  }
  if (allocation.warp != thread.warp->index &&
      order.at[allocation.warp] < allocation.epoch)
    fault(thread, site,
          format("dealloc is not ordered after the alloc by warp %u: execute a "
                 "barrier between them",
                 allocation.warp),
          {{allocation.site, "allocated here"}});
}

static void deallocate(Warp &warp, const Site *site) {
  const Thread &thread = getReporter(warp);
  const Operands &operands = warp.meeting.operands;
  bool exclusive = operands.flags & TMemEmuExclusive;
  checkCtaGroup(thread, site, operands.flags);
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
  warp.cta->tensor.deallocate(allocation, site);
  serveQueue(*warp.cta);
}

void tmemEmuDealloc(TMemEmuThread *t, const TMemEmuSite *site, uint32_t address,
                    uint32_t columns, uint32_t flags) {
  Thread &thread = getThread(t);
  if (arriveAligned(thread, site,
                    {AlignedOp::Dealloc, 0, columns, flags, address, 0})) {
    deallocate(*thread.warp, site);
    releaseAligned(thread);
  }
}

void tmemEmuRelinquish(TMemEmuThread *t, const TMemEmuSite *site,
                       uint32_t flags) {
  Thread &thread = getThread(t);
  if (arriveAligned(thread, site, {AlignedOp::Relinquish, 0, 0, flags, 0, 0})) {
    checkCtaGroup(getReporter(*thread.warp), site, flags);
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
    return warp.clocks.fenceBefore(warp.index, thread.lane);
  case TMemEmuFenceAfter:
    return warp.clocks.fenceAfter(thread.lane);
  case TMemEmuFenceProxy:
    return warp.clocks.fenceProxy(warp.index);
  default:
    // Both ways, and with every other fence: an order that the kernel may rely
    // on is never overlooked.
    warp.clocks.acquire(thread.lane, warp.cta->memoryClock);
    warp.clocks.release(warp.index, thread.lane, warp.cta->memoryClock);
    thread.cta->maybePreempt(thread);
  }
}
