//===- Accesses.cpp - Loads, stores and waits on a GPU --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks are made once for a warp, not for each cell: for the columns of an
// access the lanes share the work.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include "Transfer.h"

using namespace tmem::emulation;

/// An instruction, as the functions of the contract have it.
namespace {
struct Instruction {
  const TMemEmuSite *site;
  uint32_t shape, count, flags, address;
  int64_t offset;
  bool isPacked() const { return flags & TMemEmuPack; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pending accesses
//===----------------------------------------------------------------------===//

static bool overlap(const Footprint &a, const Footprint &b) {
  bool found = false;
  for (uint32_t i = 0; i < 2; ++i)
    for (uint32_t j = 0; j < 2; ++j)
      found |= (a.halves[i] & b.halves[j]) &&
               a.begin[i] < b.begin[j] + b.columns &&
               b.begin[j] < a.begin[i] + a.columns;
  return found;
}

TMEM_GPU_OUTLINE void tmem::emulation::checkPending(
    DeviceFaultKind kind, const TMemEmuSite *site, const Footprint &access,
    const DeviceThread &state, const PendingAccesses &pending, uint32_t number,
    const DevicePending &sites) {
  uint32_t lane = gpu::getLane(),
           last = number < maxPending ? number : maxPending;
  for (uint32_t first = 0; first < last; first += 32) {
    bool found =
        first + lane < last && overlap(access, pending.accesses[first / 32]);
    if (uint32_t lanes = gpu::ballot(found))
      fault(kind, site, sites.sites[first + gpu::getFirst(lanes)], state.warp,
            &pending == &state.stores);
  }
}

static void addPending(const TMemEmuSite *site, const Footprint &access,
                       PendingAccesses &pending, uint32_t number,
                       DevicePending &sites) {
  uint32_t place = number % maxPending;
  if (gpu::getLane() == place % 32) {
    pending.accesses[place / 32] = access;
    sites.sites[place] = site;
  }
}

//===----------------------------------------------------------------------===//
// What PTX demands of an access
//===----------------------------------------------------------------------===//

static void checkCount(const Instruction &instruction) {
  uint32_t shape = instruction.shape, count = instruction.count;
  if (count < 1 || count > getMaxCount(shape) || (count & (count - 1)))
    fault(FaultCount, instruction.site, nullptr, count, getMaxCount(shape),
          shape);
  bool hasReduction = shape == TMemEmu32x32b || shape == TMemEmu16x32bx2;
  if ((instruction.flags & (TMemEmuReduceMin | TMemEmuReduceMax)) &&
      (!hasReduction || count < 2 || instruction.isPacked()))
    fault(FaultReduceForm, instruction.site, nullptr, shape, count);
}

static void checkUniform(const Instruction &instruction) {
  if (!isUniform(instruction.address)) {
    Difference other = findDifference(instruction.address);
    fault(FaultLanesDisagree, instruction.site, nullptr, other.lane,
          other.value, gpu::shuffle(instruction.address, 0));
  }
}

/// The halves of the slab that begin at `lane` of Tensor Memory.
static uint8_t findHalves(const Instruction &instruction, uint32_t warp,
                          uint32_t lane) {
  uint32_t slab = getSlab(warp);
  bool whole = instruction.shape == TMemEmu32x32b;
  if (lane < slab || lane >= slab + 32)
    fault(FaultOutsideSlab, instruction.site, nullptr, lane, warp, slab);
  if (lane == slab)
    return whole ? 3 : 1;
  if (lane == slab + 16 && !whole)
    return 2;
  fault(FaultStartLane, instruction.site, nullptr, lane, slab,
        instruction.shape, warp);
}

/// The immediate of 16x32bx2: the second access starts 0 or 16 lanes and up to
/// 511 columns after the first.
static void checkOffset(const Instruction &instruction) {
  int64_t lanes = instruction.offset >> 16;
  uint32_t columns = instruction.offset & 0xffff;
  if ((lanes != 0 && lanes != 16) || columns > 511)
    fault(FaultSplitOffset, instruction.site, nullptr,
          uint32_t(instruction.offset), uint32_t(instruction.offset >> 32));
  if (instruction.offset == 0)
    fault(FaultSplitZero, instruction.site);
  if (instruction.isPacked() && columns % 2)
    fault(FaultSplitOdd, instruction.site, nullptr, columns);
}

static Footprint getFootprint(const Instruction &instruction, uint32_t warp) {
  uint32_t lane = instruction.address >> 16,
           column = instruction.address & 0xffff;
  Footprint access = {};
  access.columns = uint16_t(getNumColumns(instruction.shape, instruction.count,
                                          instruction.isPacked()));
  access.begin[0] = uint16_t(column);
  access.halves[0] = findHalves(instruction, warp, lane);
  if (instruction.shape != TMemEmu16x32bx2)
    return access;
  checkOffset(instruction);
  uint32_t offset = uint32_t(instruction.offset);
  access.begin[1] = uint16_t(column + (offset & 0xffff));
  access.halves[1] = findHalves(instruction, warp, lane + (offset >> 16));
  return access;
}

/// Which of two values arrives last is not known.
static void checkStoredOnce(const Instruction &instruction,
                            const Footprint &access) {
  if ((access.halves[0] & access.halves[1]) &&
      access.begin[1] < access.begin[0] + access.columns)
    fault(FaultSplitOverlap, instruction.site, nullptr,
          uint32_t(instruction.offset));
}

/// The allocation that has all of a region.
static const DeviceAllocation &findAllocation(const Instruction &instruction,
                                              const DeviceSlot &slot,
                                              uint32_t begin,
                                              uint32_t columns) {
  uint32_t granule = begin / columnGranule;
  bool exists = begin < maxColumns;
  if (!exists || !slot.allocations[granule].columns)
    fault(FaultNotAllocated, instruction.site,
          exists ? slot.freed[granule] : nullptr, begin);
  const DeviceAllocation &allocation = slot.allocations[granule];
  if (begin + columns > uint32_t(allocation.begin) + allocation.columns)
    fault(FaultPastEnd, instruction.site, allocation.site, begin, columns,
          allocation.begin, allocation.columns);
  return allocation;
}

static void checkAllocated(const Instruction &instruction,
                           const DeviceSlot &slot, const Footprint &access) {
  const DeviceAllocation &first =
      findAllocation(instruction, slot, access.begin[0], access.columns);
  if (!access.halves[1])
    return;
  const DeviceAllocation &second =
      findAllocation(instruction, slot, access.begin[1], access.columns);
  if (first.begin != second.begin)
    fault(FaultTwoAllocations, instruction.site, second.site, access.begin[0],
          access.begin[1]);
}

//===----------------------------------------------------------------------===//
// Cells that are defined
//===----------------------------------------------------------------------===//

static uint32_t getLaneMask(uint32_t halves) {
  return (halves & 1 ? 0xffff : 0) | (halves & 2 ? 0xffff0000 : 0);
}

/// The lanes that a load needs and that are not defined in a column.
static uint32_t findUndefined(const uint32_t (&defined)[2][maxColumns],
                              uint32_t column, uint32_t lanes, bool packed) {
  uint32_t missing = lanes & ~defined[0][column];
  return packed ? missing : missing | (lanes & ~defined[1][column]);
}

static void checkDefined(const Instruction &instruction, const DeviceSlot &slot,
                         uint32_t warp, uint32_t begin, uint32_t columns,
                         uint32_t lanes) {
  const auto &defined = slot.defined[warp % 4];
  uint32_t bad = maxColumns;
  for (uint32_t i = gpu::getLane(); i < columns && bad == maxColumns; i += 32)
    if (findUndefined(defined, begin + i, lanes, instruction.isPacked()))
      bad = begin + i;
  if (gpu::all(bad == maxColumns))
    return;

  // Some column of the least ones that a lane found.
  uint32_t finder = gpu::getFirst(gpu::ballot(bad != maxColumns));
  uint32_t column = gpu::shuffle(bad, finder);
  uint32_t low = lanes & ~defined[0][column];
  uint32_t lane =
      getSlab(warp) + gpu::getFirst(low ? low : lanes & ~defined[1][column]);
  fault(low ? FaultNeverWritten : FaultHalfWritten, instruction.site,
        slot.allocations[column / columnGranule].site, lane, column);
}

/// Warps w and w + 4 share a slab: each may write half of a column at a time.
static void define(uint32_t *word, uint32_t lanes) {
  if (lanes == gpu::allLanes)
    *word = lanes;
  else
    gpu::orAtomic(word, lanes);
}
static void undefine(uint32_t *word, uint32_t lanes) {
  if (lanes == gpu::allLanes)
    *word = 0;
  else
    gpu::andAtomic(word, ~lanes);
}

static void defineColumns(const Instruction &instruction,
                          uint32_t (&defined)[2][maxColumns], uint32_t begin,
                          uint32_t columns, uint32_t lanes) {
  for (uint32_t i = gpu::getLane(); i < columns; i += 32) {
    define(&defined[0][begin + i], lanes);
    if (instruction.isPacked())
      undefine(&defined[1][begin + i], lanes);
    else
      define(&defined[1][begin + i], lanes);
  }
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// This lane's region of an access.
static gpu::GlobalWord *getCells(DeviceSlot &slot, const Footprint &access,
                                 uint32_t warp) {
  uint32_t region = access.halves[1] && gpu::getLane() >= 16;
  uint32_t lane = getSlab(warp) + (access.halves[region] == 2 ? 16 : 0);
  return (gpu::GlobalWord *)&slot.cells[access.begin[region]][lane];
}

static Footprint checkAccess(TMemEmuThread *thread,
                             const Instruction &instruction) {
  meetInFunction(thread, instruction.site);
  DeviceThread &state = getState(thread);
  checkCount(instruction);
  checkUniform(instruction);
  Footprint access = getFootprint(instruction, state.warp);
  checkAllocated(instruction, *state.slot, access);
  return access;
}

static TMEM_GPU_OUTLINE gpu::GlobalWord *
beginLoad(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t shape,
          uint32_t count, uint32_t flags, uint32_t address, int64_t offset) {
  Instruction instruction = {site, shape, count, flags, address, offset};
  Footprint access = checkAccess(thread, instruction);
  DeviceThread &state = getState(thread);
  DeviceSlot &slot = *state.slot;
  uint32_t warp = state.warp;
  if (state.numStores)
    checkPending(FaultLoadOfPendingStore, site, access, state, state.stores,
                 state.numStores, slot.stores[warp]);
  for (uint32_t i = 0; i < 2; ++i)
    if (access.halves[i])
      checkDefined(instruction, slot, warp, access.begin[i], access.columns,
                   getLaneMask(access.halves[i]));
  addPending(site, access, state.loads, state.numLoads++, slot.loads[warp]);
  return getCells(slot, access, warp);
}

static TMEM_GPU_OUTLINE gpu::GlobalWord *
beginStore(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t shape,
           uint32_t count, uint32_t flags, uint32_t address, int64_t offset) {
  Instruction instruction = {site, shape, count, flags, address, offset};
  Footprint access = checkAccess(thread, instruction);
  checkStoredOnce(instruction, access);
  DeviceThread &state = getState(thread);
  DeviceSlot &slot = *state.slot;
  uint32_t warp = state.warp;
  if (state.numLoads)
    checkPending(FaultStoreOverPendingLoad, site, access, state, state.loads,
                 state.numLoads, slot.loads[warp]);
  if (state.numStores)
    checkPending(FaultStoreOverPendingStore, site, access, state, state.stores,
                 state.numStores, slot.stores[warp]);
  for (uint32_t i = 0; i < 2; ++i)
    if (access.halves[i])
      defineColumns(instruction, slot.defined[warp % 4], access.begin[i],
                    access.columns, getLaneMask(access.halves[i]));
  addPending(site, access, state.stores, state.numStores++, slot.stores[warp]);
  return getCells(slot, access, warp);
}

extern "C" TMEM_GPU_INLINE uint64_t
tmemEmuLoad(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t shape,
            uint32_t count, uint32_t flags, uint32_t address, int64_t offset,
            uint32_t *words) {
  const gpu::GlobalWord *cells =
      beginLoad(thread, site, shape, count, flags, address, offset);
  loadWords(shape, count, flags & TMemEmuPack, gpu::getLane(), cells, words);
  if (flags & (TMemEmuReduceMin | TMemEmuReduceMax))
    words[getNumWords(shape, count)] =
        reduceWords(flags, getNumWords(shape, count), words);
  gpu::syncWarp();
  return thread->completedLoads + getState(thread).numLoads;
}

extern "C" TMEM_GPU_INLINE void
tmemEmuStore(TMemEmuThread *thread, const TMemEmuSite *site, uint32_t shape,
             uint32_t count, uint32_t flags, uint32_t address, int64_t offset,
             const uint32_t *words) {
  gpu::GlobalWord *cells =
      beginStore(thread, site, shape, count, flags, address, offset);
  storeWords(shape, count, flags & TMemEmuPack, gpu::getLane(), cells, words);
  gpu::syncWarp();
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

extern "C" TMEM_GPU_INLINE void tmemEmuWaitLoad(TMemEmuThread *thread,
                                                const TMemEmuSite *site) {
  meet(thread, site);
  thread->completedLoads += getState(thread).numLoads;
  getState(thread).numLoads = 0;
  gpu::syncWarp();
}

extern "C" TMEM_GPU_INLINE void tmemEmuWaitStore(TMemEmuThread *thread,
                                                 const TMemEmuSite *site) {
  meet(thread, site);
  getState(thread).numStores = 0;
  gpu::syncWarp();
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuPendingRead(TMemEmuThread *thread,
                                                    const TMemEmuSite *site,
                                                    uint64_t load) {
  DeviceThread &state = getState(thread);
  uint64_t number = load - thread->completedLoads - 1;
  bool known = number < state.numLoads && number + maxPending >= state.numLoads;
  fault(FaultReadBeforeWait, site,
        known ? state.slot->loads[state.warp].sites[number % maxPending]
              : nullptr);
}

// Barriers order memory of the emulation as they do any.
extern "C" TMEM_GPU_INLINE void tmemEmuFence(TMemEmuThread *,
                                             const TMemEmuSite *, uint32_t) {}

//===----------------------------------------------------------------------===//
// Cells past all rules
//===----------------------------------------------------------------------===//

static uint32_t *findCell(TMemEmuThread *thread, const TMemEmuSite *site,
                          uint32_t address) {
  uint32_t lane = address >> 16, column = address & 0xffff;
  DeviceThread &state = getState(thread);
  uint32_t most = state.columns > state.exclusiveColumns
                      ? state.columns
                      : state.exclusiveColumns;
  if (lane >= numTMemLanes || column >= most)
    fault(FaultCellAddress, site, nullptr, address, most);
  return &state.slot->cells[column][lane];
}

extern "C" TMEM_GPU_OUTLINE uint32_t tmemEmuReadCell(TMemEmuThread *thread,
                                                     const TMemEmuSite *site,
                                                     uint32_t address) {
  return gpu::load(findCell(thread, site, address));
}

extern "C" TMEM_GPU_OUTLINE void tmemEmuWriteCell(TMemEmuThread *thread,
                                                  const TMemEmuSite *site,
                                                  uint32_t address,
                                                  uint32_t value) {
  gpu::store(findCell(thread, site, address), value);
  uint32_t lane = address >> 16, column = address & 0xffff;
  auto &defined = getState(thread).slot->defined[lane / 32];
  gpu::orAtomic(&defined[0][column], uint32_t(1) << lane % 32);
  gpu::orAtomic(&defined[1][column], uint32_t(1) << lane % 32);
}
