//===- DeviceState.h - What device library and host share -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that libtmem_cuda_runtime.so provides for the device library, which
// emulates Tensor Memory on GPUs that have none: slots for the Tensor Memory of
// the CTAs that run, and a record of the fault that stopped a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_DEVICESTATE_H
#define TMEM_EXECUTIONENGINE_DEVICESTATE_H

#include "tmem/ExecutionEngine/Emulation.h"

namespace tmem::emulation {

/// Lanes of Tensor Memory, and columns that a slot has room for: the most that
/// a chip has (with `.exclusive`).
constexpr uint32_t numTMemLanes = 128, maxColumns = 576;
/// Allocations begin and end at multiples of this.
constexpr uint32_t columnGranule = 32;
constexpr uint32_t maxSlotWarps = 32;
/// Accesses of a warp between two waits that are remembered; older ones are
/// forgotten and not checked.
constexpr uint32_t maxPending = 128;

/// A live allocation, at each granule that belongs to it; `columns` is zero
/// where there is none.
struct DeviceAllocation {
  uint16_t begin, columns;
  uint32_t exclusive;
  const TMemEmuSite *site;
};

/// How the lanes of a warp meet that did not arrive together.
struct DeviceMeeting {
  const TMemEmuSite *site;
  uint32_t arrived;
  uint32_t exited; ///< Lanes that have returned, or that the CTA lacks.
};

/// Loads or stores of a warp that no wait has completed.
struct DevicePending {
  const TMemEmuSite *sites[maxPending];
};

/// Tensor Memory of one CTA. All zeros but for `cells` when nobody has it.
struct DeviceSlot {
  uint32_t owned; ///< Whether a CTA has it.
  uint32_t lock;  ///< Of the allocations.
  uint32_t exited;
  uint32_t mostColumns; ///< Of the allocations so far, the last one's.
  uint32_t exclusive;   ///< Whether an exclusive allocation lives.
  uint32_t group;       ///< 1 + cta_group of the first instruction that has it.
  const TMemEmuSite *mostSite, *groupSite, *relinquishSite;
  DeviceAllocation allocations[maxColumns / columnGranule];
  const TMemEmuSite *freed[maxColumns / columnGranule];
  DeviceMeeting meetings[maxSlotWarps];
  DevicePending loads[maxSlotWarps], stores[maxSlotWarps];
  /// One bit a lane, for the lower and upper half of cells: whether it is
  /// defined. Cleared by allocation.
  uint32_t defined[numTMemLanes / 32][2][maxColumns];
  uint32_t cells[maxColumns][numTMemLanes];
};

/// The faults that a kernel can end in. Their texts, with the meaning of
/// DeviceFault::values, are in lib/ExecutionEngine/Cuda/Faults.cpp.
enum DeviceFaultKind : uint32_t {
  FaultNone,
  FaultMissingLanes,
  FaultDivergentWarp,
  FaultLanesDisagree,
  FaultColumnsDisagree,
  FaultCount,
  FaultReduceForm,
  FaultSplitOffset,
  FaultSplitZero,
  FaultSplitOdd,
  FaultSplitOverlap,
  FaultOutsideSlab,
  FaultStartLane,
  FaultNotAllocated,
  FaultPastEnd,
  FaultTwoAllocations,
  FaultNeverWritten,
  FaultHalfWritten,
  FaultLoadOfPendingStore,
  FaultStoreOverPendingLoad,
  FaultStoreOverPendingStore,
  FaultReadBeforeWait,
  FaultPlainColumns,
  FaultExclusiveColumns,
  FaultAllocAfterRelinquish,
  FaultLargerAlloc,
  FaultAllocDeadlock,
  FaultMixedGroups,
  FaultGroupOfTwo,
  FaultDeallocAddress,
  FaultDeallocInside,
  FaultDeallocColumns,
  FaultDeallocExclusive,
  FaultDoubleFree,
  FaultDeallocPending,
  FaultLeak,
  FaultChipColumns,
  FaultCellAddress,
  NumDeviceFaults
};

/// A site with its strings, since the host cannot read device memory after a
/// fault. `op` is empty where there is no site.
struct DeviceFaultSite {
  char op[64], file[256];
  uint32_t line, column;
};

/// In memory of the host that the device can write.
struct DeviceFault {
  uint32_t kind; ///< Written last.
  uint32_t block[3], thread[3];
  uint32_t values[4];
  DeviceFaultSite site, note;
};

/// The global `tmemEmuDevice` of each module that has the device library.
struct DeviceGlobals {
  DeviceSlot *slots;
  uint32_t numSlots;
  uint32_t faulted; ///< Whether a thread has begun to write the record.
  DeviceFault *fault;
  /// Of the threads that found a fault, the least block and thread; all ones
  /// when none did.
  uint64_t first;
  uint64_t patience; ///< Nanoseconds until waiting counts as a deadlock.
};

#define TMEM_EMU_DEVICE_GLOBAL "tmemEmuDevice"

} // namespace tmem::emulation

#endif // TMEM_EXECUTIONENGINE_DEVICESTATE_H
