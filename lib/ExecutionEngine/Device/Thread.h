//===- Thread.h - What the device library keeps of a thread -----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_DEVICE_THREAD_H
#define TMEM_LIB_EXECUTIONENGINE_DEVICE_THREAD_H

#include "Gpu.h"

namespace tmem::emulation {

/// Cells that an access of a warp touches: `columns` columns from begin[i] on,
/// of the lower (1), the upper (2) or both halves (3) of its slab. Only
/// 16x32bx2 has a second region; halves[1] is zero else.
struct Footprint {
  uint16_t begin[2], columns;
  uint8_t halves[2];
};

/// The loads or stores of a warp that no wait has completed. The lanes share
/// them out: lane l has numbers l, l + 32, ...
struct PendingAccesses {
  Footprint accesses[maxPending / 32];
};

/// In TMemEmuThread::special, which kernels on a GPU have no use for. All
/// lanes of a warp have the same but for the pending accesses.
struct DeviceThread {
  DeviceSlot *slot;
  uint32_t warp, columns, exclusiveColumns;
  uint32_t numLoads, numStores; ///< Since the last wait.
  PendingAccesses loads, stores;
};
static_assert(sizeof(DeviceThread) <= sizeof(TMemEmuThread::special),
              "expected a kernel's own words to have room");

TMEM_GPU DeviceThread &getState(TMemEmuThread *thread) {
  return *(DeviceThread *)thread->special;
}

/// The lanes of a warp's slab begin here.
constexpr uint32_t getSlab(uint32_t warp) { return 32 * (warp % 4); }

/// Writes the record of a fault and ends the kernel. It does not return, but
/// must not say so: ptxas lets a function of that kind use the convergence
/// barriers of its callers, at which other lanes still wait.
void reportFault(DeviceFaultKind kind, const TMemEmuSite *site,
                 const TMemEmuSite *note, uint32_t value0, uint32_t value1,
                 uint32_t value2, uint32_t value3);

/// Of the threads that find a fault one writes the record.
[[noreturn]] TMEM_GPU void fault(DeviceFaultKind kind, const TMemEmuSite *site,
                                 const TMemEmuSite *note = nullptr,
                                 uint32_t value0 = 0, uint32_t value1 = 0,
                                 uint32_t value2 = 0, uint32_t value3 = 0) {
  reportFault(kind, site, note, value0, value1, value2, value3);
  gpu::exit(); // So that nothing lives across the call.
}

/// Waits for all lanes of the warp to come to one `.aligned` instruction, and
/// faults when some do not.
void meetSlowly(TMemEmuThread *thread, const TMemEmuSite *site);
TMEM_GPU void meet(TMemEmuThread *thread, const TMemEmuSite *site) {
  if (gpu::getActiveMask() != gpu::allLanes)
    meetSlowly(thread, site);
}

/// The same in functions that kernels call: a GPU may run lanes together that
/// called one function in different places.
void meetInFunction(TMemEmuThread *thread, const TMemEmuSite *site);

/// Whether all lanes have one value. For full warps.
TMEM_GPU bool isUniform(uint32_t value) {
  return gpu::all(value == gpu::shuffle(value, 0));
}
/// The value of the first lane that differs from lane 0, and which lane it is.
struct Difference {
  uint32_t value, lane;
};
Difference findDifference(uint32_t value);

/// Faults when `access` overlaps one of the `number` accesses since the last
/// wait, state.loads or state.stores, whose sites are `sites`.
void checkPending(DeviceFaultKind kind, const TMemEmuSite *site,
                  const Footprint &access, const DeviceThread &state,
                  const PendingAccesses &pending, uint32_t number,
                  const DevicePending &sites);

/// Faults when another instruction of the CTA had another cta_group.
void checkGroup(DeviceSlot &slot, const TMemEmuSite *site, uint32_t flags);

/// Whether waiting since `begin` counts as a deadlock.
bool isDeadlock(uint64_t begin);

} // namespace tmem::emulation

extern "C" tmem::emulation::DeviceGlobals tmemEmuDevice;

#endif // TMEM_LIB_EXECUTIONENGINE_DEVICE_THREAD_H
