//===- Warps.cpp - Entering, meeting and leaving --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

/// The lanes that have come to the same place as the one that came first, once
/// they had some time to say so.
static uint32_t findArrived(const DeviceMeeting &meeting) {
  for (uint32_t i = 0; i < 50; ++i)
    gpu::pause();
  return gpu::load(&meeting.arrived);
}

/// A lane tells the others of its warp where it is, and finds out whether they
/// are somewhere else. Lanes that run together need not have the same site.
static void announce(DeviceMeeting &meeting, const TMemEmuSite *site,
                     uint32_t warp) {
  uint32_t bit = uint32_t(1) << gpu::getLane();
  const TMemEmuSite *other = gpu::claim(&meeting.site, site);
  if (other && other != site)
    fault(FaultDivergentWarp, site, other, bit, findArrived(meeting), warp);
  gpu::orAtomic(&meeting.arrived, bit);
}

TMEM_GPU_OUTLINE void tmem::emulation::meetSlowly(TMemEmuThread *thread,
                                                  const TMemEmuSite *site) {
  DeviceThread &state = getState(thread);
  DeviceMeeting &meeting = state.slot->meetings[state.warp];
  announce(meeting, site, state.warp);
  uint64_t begin = gpu::getNanoseconds();
  for (;;) {
    uint32_t arrived = gpu::load(&meeting.arrived);
    if (arrived == gpu::allLanes)
      break;
    uint32_t exited = gpu::load(&meeting.exited);
    if ((arrived | exited) == gpu::allLanes || isDeadlock(begin))
      fault(FaultMissingLanes, site, nullptr, state.warp, arrived, exited,
            gpu::getNumThreads());
    gpu::pause();
  }
  gpu::syncWarp();
  if (gpu::getLane() == 0) {
    meeting.site = nullptr;
    gpu::store(&meeting.arrived, 0);
    gpu::fence();
  }
  gpu::syncWarp();
}

/// The same pointer of another lane.
static const TMemEmuSite *shuffleSite(const TMemEmuSite *site, uint32_t lane) {
  auto bits = (uint64_t)site;
  uint64_t high = gpu::shuffle(uint32_t(bits >> 32), lane);
  return (const TMemEmuSite *)(high << 32 | gpu::shuffle(uint32_t(bits), lane));
}

/// The lanes that are not with lane 0 are at fault.
static void faultDivergent(TMemEmuThread *thread, const TMemEmuSite *site) {
  const TMemEmuSite *first = shuffleSite(site, 0);
  uint32_t others = gpu::ballot(site != first);
  fault(FaultDivergentWarp, shuffleSite(site, gpu::getFirst(others)), first,
        others, ~others, getState(thread).warp);
}

TMEM_GPU_OUTLINE void tmem::emulation::meetInFunction(TMemEmuThread *thread,
                                                      const TMemEmuSite *site) {
  meet(thread, site);
  // Sites lie in one module, so that they differ in their lower halves.
  if (!isUniform(uint32_t((uint64_t)site)))
    faultDivergent(thread, site);
}

TMEM_GPU_OUTLINE Difference tmem::emulation::findDifference(uint32_t value) {
  uint32_t lane = gpu::getFirst(gpu::ballot(value != gpu::shuffle(value, 0)));
  return {gpu::shuffle(value, lane), lane};
}

//===----------------------------------------------------------------------===//
// Entering and leaving
//===----------------------------------------------------------------------===//

/// A slot that no CTA has. There are as many as CTAs fit on the device, so one
/// is free or will be once the CTA that has it, which is running, ends.
static DeviceSlot *claimSlot() {
  gpu::Index block = gpu::getBlock();
  uint32_t numSlots = tmemEmuDevice.numSlots;
  // Neighbours start at different slots.
  uint32_t index = (block.x + 31 * block.y + 997 * block.z) % numSlots;
  DeviceSlot *slot = tmemEmuDevice.slots + index;
  while (!gpu::claim(&slot->owned, 1)) {
    index = index + 1 == numSlots ? 0 : index + 1;
    if (index == 0)
      gpu::pause();
    slot = tmemEmuDevice.slots + index;
  }
  gpu::fence(); // What the CTA before left is seen, and not what was cached.
  return slot;
}

/// Back to what a slot is that nobody has. Allocations are all freed.
static void resetSlot(DeviceSlot &slot) {
  slot.exited = slot.mostColumns = slot.exclusive = slot.group = 0;
  slot.mostSite = slot.groupSite = slot.relinquishSite = nullptr;
  for (const TMemEmuSite *&site : slot.freed)
    site = nullptr;
  for (DeviceMeeting &meeting : slot.meetings)
    meeting = {};
}

/// The last thread of a CTA gives the slot back.
static void releaseSlot(DeviceSlot &slot) {
  gpu::fence();
  for (uint32_t i = 0; i < maxColumns / columnGranule; ++i) {
    const DeviceAllocation &allocation = slot.allocations[i];
    if (allocation.columns)
      fault(FaultLeak, allocation.site, nullptr, allocation.begin,
            allocation.columns);
  }
  resetSlot(slot);
  gpu::fence();
  gpu::store(&slot.owned, 0);
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuEnter(TMemEmuThread *thread,
                                              const TMemEmuSite *site,
                                              uint32_t columns,
                                              uint32_t exclusiveColumns) {
  uint32_t index = gpu::getLinearThread();
  DeviceSlot *&shared = gpu::getSharedSlot();
  if (index == 0)
    shared = claimSlot();
  gpu::syncBlock();
  thread->completedLoads = 0;
  DeviceThread &state = getState(thread);
  state.slot = shared;
  state.warp = index / 32;
  state.columns = columns;
  state.exclusiveColumns = exclusiveColumns;
  state.numLoads = state.numStores = 0;
  if (columns > maxColumns || exclusiveColumns > maxColumns)
    fault(FaultChipColumns, site, nullptr, columns, exclusiveColumns);

  // The last warp of a CTA may lack lanes: they count as exited.
  uint32_t rest = gpu::getNumThreads() - 32 * state.warp;
  if (rest < 32 && index % 32 == 0)
    gpu::orAtomic(&shared->meetings[state.warp].exited, gpu::allLanes << rest);
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuLeave(TMemEmuThread *thread,
                                              const TMemEmuSite *) {
  DeviceThread &state = getState(thread);
  uint32_t lanes = gpu::getActiveMask();
  if (gpu::getLane() != gpu::getFirst(lanes))
    return;
  DeviceSlot &slot = *state.slot;
  gpu::orAtomic(&slot.meetings[state.warp].exited, lanes);
  gpu::fence();
  uint32_t leaving = uint32_t(__builtin_popcount(lanes));
  uint32_t exited = gpu::addAtomic(&slot.exited, leaving) + leaving;
  if (exited == gpu::getNumThreads())
    releaseSlot(slot);
}
