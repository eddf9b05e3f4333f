//===- Allocation.cpp - Allocating Tensor Memory on a GPU -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane 0 works for its warp; warps exclude each other by the slot's lock.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

using namespace tmem::emulation;

static constexpr uint32_t numGranules = maxColumns / columnGranule;
static constexpr uint32_t noColumn = ~uint32_t(0);

namespace {
struct Lock {
  explicit Lock(DeviceSlot &slot) : slot(slot) {
    while (!gpu::claim(&slot.lock, 1))
      gpu::pause();
    gpu::fence();
  }
  ~Lock() {
    gpu::fence();
    gpu::store(&slot.lock, 0);
  }
  DeviceSlot &slot;
};

/// Operands of alloc.
struct Request {
  const TMemEmuSite *site;
  uint32_t columns;
  bool exclusive;
};
} // namespace

TMEM_GPU_OUTLINE void tmem::emulation::checkGroup(DeviceSlot &slot,
                                                  const TMemEmuSite *site,
                                                  uint32_t flags) {
  uint32_t group = flags & TMemEmuCtaGroup2 ? 2 : 1;
  const TMemEmuSite *first = gpu::claim(&slot.groupSite, site);
  if (!first)
    gpu::store(&slot.group, group);
  uint32_t other = gpu::load(&slot.group);
  if (other && other != group)
    fault(FaultMixedGroups, site, first, group, other);
  if (group == 2)
    fault(FaultGroupOfTwo, site);
}

//===----------------------------------------------------------------------===//
// alloc
//===----------------------------------------------------------------------===//

static void checkColumns(const DeviceThread &state, const Request &request) {
  uint32_t columns = request.columns;
  if (request.exclusive) {
    if (columns == 0 || columns % columnGranule ||
        columns > state.exclusiveColumns)
      fault(FaultExclusiveColumns, request.site, nullptr, columns,
            state.exclusiveColumns);
    return;
  }
  if (columns < columnGranule || columns > state.columns ||
      (columns & (columns - 1)))
    fault(FaultPlainColumns, request.site, nullptr, columns, state.columns);
}

/// The rules about what the CTA did before.
static void checkPermit(DeviceSlot &slot, const Request &request) {
  if (slot.relinquishSite)
    fault(FaultAllocAfterRelinquish, request.site, slot.relinquishSite);
  if (slot.mostColumns && request.columns > slot.mostColumns)
    fault(FaultLargerAlloc, request.site, slot.mostSite, request.columns,
          slot.mostColumns);
}

/// The first gap, or noColumn. An exclusive allocation lives alone.
static uint32_t findColumns(const DeviceSlot &slot, const Request &request,
                            uint32_t most) {
  if (slot.exclusive)
    return noColumn;
  uint32_t free = 0;
  for (uint32_t i = 0; i < most / columnGranule; ++i) {
    free = slot.allocations[i].columns ? 0 : free + columnGranule;
    if (request.exclusive && slot.allocations[i].columns)
      return noColumn;
    if (!request.exclusive && free == request.columns)
      return (i + 1) * columnGranule - free;
  }
  return request.exclusive ? 0 : noColumn;
}

static void mark(DeviceSlot &slot, const Request &request, uint32_t begin) {
  uint32_t first = begin / columnGranule;
  for (uint32_t i = 0; i < request.columns / columnGranule; ++i) {
    slot.allocations[first + i] = {uint16_t(begin), uint16_t(request.columns),
                                   request.exclusive, request.site};
    slot.freed[first + i] = nullptr;
  }
  slot.exclusive = request.exclusive;
}

/// Blocks until there is room.
static uint32_t allocate(DeviceThread &state, const Request &request) {
  DeviceSlot &slot = *state.slot;
  uint32_t most = request.exclusive ? state.exclusiveColumns : state.columns;
  uint64_t begin = gpu::getNanoseconds();
  for (bool first = true;; first = false) {
    {
      Lock lock(slot);
      if (first) {
        checkPermit(slot, request);
        slot.mostColumns = request.columns;
        slot.mostSite = request.site;
      }
      uint32_t column = findColumns(slot, request, most);
      if (column != noColumn) {
        mark(slot, request, column);
        return column;
      }
    }
    if (isDeadlock(begin))
      fault(FaultAllocDeadlock, request.site, nullptr, request.columns);
    gpu::pause();
  }
}

/// What an earlier allocation left in the columns is not defined.
static void undefineColumns(DeviceSlot &slot, uint32_t begin,
                            uint32_t columns) {
  for (auto &slab : slot.defined)
    for (auto &half : slab)
      for (uint32_t i = gpu::getLane(); i < columns; i += 32)
        half[begin + i] = 0;
}

static void checkUniformColumns(const TMemEmuSite *site, uint32_t columns) {
  if (isUniform(columns))
    return;
  Difference other = findDifference(columns);
  fault(FaultColumnsDisagree, site, nullptr, other.lane, other.value,
        gpu::shuffle(columns, 0));
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuAlloc(TMemEmuThread *thread,
                                              const TMemEmuSite *site,
                                              uint32_t *slot, uint32_t columns,
                                              uint32_t flags) {
  meetInFunction(thread, site);
  DeviceThread &state = getState(thread);
  checkUniformColumns(site, columns);
  checkGroup(*state.slot, site, flags);
  Request request = {site, columns, bool(flags & TMemEmuExclusive)};
  checkColumns(state, request);
  uint32_t begin = 0;
  if (gpu::getLane() == 0)
    begin = allocate(state, request);
  gpu::syncWarp();
  begin = gpu::shuffle(begin, 0);
  undefineColumns(*state.slot, begin, columns);
  if (gpu::getLane() == 0)
    *slot = begin;
  gpu::fence();
  gpu::syncWarp();
}

//===----------------------------------------------------------------------===//
// dealloc, relinquish_alloc_permit
//===----------------------------------------------------------------------===//

static const DeviceAllocation &
findFreed(DeviceSlot &slot, const TMemEmuSite *site, uint32_t address) {
  uint32_t granule = address / columnGranule;
  if (address % columnGranule || granule >= numGranules)
    fault(FaultDeallocAddress, site, nullptr, address);
  const DeviceAllocation &allocation = slot.allocations[granule];
  if (!allocation.columns && slot.freed[granule])
    fault(FaultDoubleFree, site, slot.freed[granule], address);
  if (!allocation.columns)
    fault(FaultDeallocAddress, site, nullptr, address);
  if (allocation.begin != address)
    fault(FaultDeallocInside, site, allocation.site, address, allocation.begin);
  return allocation;
}

static void deallocate(DeviceSlot &slot, const Request &request,
                       uint32_t address) {
  Lock lock(slot);
  const DeviceAllocation &allocation = findFreed(slot, request.site, address);
  if (allocation.columns != request.columns)
    fault(FaultDeallocColumns, request.site, allocation.site, request.columns,
          allocation.columns);
  if (bool(allocation.exclusive) != request.exclusive)
    fault(FaultDeallocExclusive, request.site, allocation.site,
          allocation.exclusive);
  uint32_t first = address / columnGranule;
  for (uint32_t i = 0; i < request.columns / columnGranule; ++i) {
    slot.allocations[first + i] = {};
    slot.freed[first + i] = request.site;
  }
  slot.exclusive = 0;
}

extern "C" TMEM_GPU_OUTLINE void
tmemEmuDealloc(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t address,
               uint32_t columns, uint32_t flags) {
  meetInFunction(thread, site);
  DeviceThread &state = getState(thread);
  DeviceSlot &slot = *state.slot;
  if (!isUniform(address)) {
    Difference other = findDifference(address);
    fault(FaultLanesDisagree, site, nullptr, other.lane, other.value,
          gpu::shuffle(address, 0));
  }
  checkUniformColumns(site, columns);
  checkGroup(slot, site, flags);
  checkColumns(state, {site, columns, bool(flags & TMemEmuExclusive)});
  Footprint all = {{uint16_t(address), 0}, uint16_t(columns), {3, 0}};
  checkPending(FaultDeallocPending, site, all, state, state.loads,
               state.numLoads, slot.loads[state.warp]);
  checkPending(FaultDeallocPending, site, all, state, state.stores,
               state.numStores, slot.stores[state.warp]);
  if (gpu::getLane() == 0)
    deallocate(slot, {site, columns, bool(flags & TMemEmuExclusive)}, address);
  gpu::syncWarp();
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuRelinquish(TMemEmuThread *thread,
                                                   const TMemEmuSite *site,
                                                   uint32_t flags) {
  meetInFunction(thread, site);
  DeviceSlot &slot = *getState(thread).slot;
  checkGroup(slot, site, flags);
  if (gpu::getLane() == 0) {
    Lock lock(slot);
    slot.relinquishSite = site;
  }
  gpu::syncWarp();
}
