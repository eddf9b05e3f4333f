//===- Gpu.h - What the device library needs of a GPU -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for anything but NVPTX these are declarations only: the unit tests
// define them with OS threads as lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_DEVICE_GPU_H
#define TMEM_LIB_EXECUTIONENGINE_DEVICE_GPU_H

#include "tmem/ExecutionEngine/DeviceState.h"

namespace tmem::emulation::gpu {

constexpr uint32_t allLanes = ~uint32_t(0);

struct Index {
  uint32_t x, y, z;
};

#ifdef __NVPTX__

#define TMEM_GPU static inline __attribute__((always_inline))
/// For functions that are called and not inlined: they hold what is the same
/// for all shapes, and what faults.
#define TMEM_GPU_OUTLINE __attribute__((noinline))
/// For functions of the contract that kernels get a copy of.
#define TMEM_GPU_INLINE __attribute__((always_inline))

typedef __attribute__((address_space(1))) uint32_t GlobalWord;

TMEM_GPU uint32_t getLane() { return __nvvm_read_ptx_sreg_laneid(); }
TMEM_GPU Index getThread() {
  return {uint32_t(__nvvm_read_ptx_sreg_tid_x()),
          uint32_t(__nvvm_read_ptx_sreg_tid_y()),
          uint32_t(__nvvm_read_ptx_sreg_tid_z())};
}
TMEM_GPU Index getBlockSize() {
  return {uint32_t(__nvvm_read_ptx_sreg_ntid_x()),
          uint32_t(__nvvm_read_ptx_sreg_ntid_y()),
          uint32_t(__nvvm_read_ptx_sreg_ntid_z())};
}
TMEM_GPU Index getBlock() {
  return {uint32_t(__nvvm_read_ptx_sreg_ctaid_x()),
          uint32_t(__nvvm_read_ptx_sreg_ctaid_y()),
          uint32_t(__nvvm_read_ptx_sreg_ctaid_z())};
}
TMEM_GPU Index getGridSize() {
  return {uint32_t(__nvvm_read_ptx_sreg_nctaid_x()),
          uint32_t(__nvvm_read_ptx_sreg_nctaid_y()),
          uint32_t(__nvvm_read_ptx_sreg_nctaid_z())};
}
TMEM_GPU uint64_t getNanoseconds() {
  return __nvvm_read_ptx_sreg_globaltimer();
}

/// The lanes that execute this together.
TMEM_GPU uint32_t getActiveMask() { return __nvvm_activemask(); }
/// `value` of another lane, and which lanes have a predicate: of full warps.
TMEM_GPU uint32_t shuffle(uint32_t value, uint32_t lane) {
  return uint32_t(
      __nvvm_shfl_sync_idx_i32(int(allLanes), int(value), int(lane), 31));
}
TMEM_GPU uint32_t ballot(bool predicate) {
  return uint32_t(__nvvm_vote_ballot_sync(allLanes, predicate));
}
TMEM_GPU bool all(bool predicate) {
  return __nvvm_vote_all_sync(allLanes, predicate);
}
/// These order memory among their threads, too.
TMEM_GPU void syncWarp() { __nvvm_bar_warp_sync(allLanes); }
TMEM_GPU void syncBlock() { __syncthreads(); }

TMEM_GPU void fence() { __nvvm_membar_gl(); }
TMEM_GPU void fenceSystem() { __nvvm_membar_sys(); }
TMEM_GPU void pause() { __nvvm_nanosleep(200); }
/// All threads end in an error. LLVM must not know that this does not return:
/// see reportFault().
TMEM_GPU void trap() { asm volatile("trap;"); }
/// This thread ends, and no other.
[[noreturn]] TMEM_GPU void exit() {
  asm volatile("exit;");
  __builtin_unreachable();
}

/// What a thread writes that the whole block reads.
typedef DeviceSlot *SlotPointer;
TMEM_GPU SlotPointer &getSharedSlot() {
  static
      __attribute__((address_space(3), loader_uninitialized)) SlotPointer slot;
  return *(SlotPointer *)&slot;
}

#define TMEM_GPU_ATOMIC(NAME, ...)                                             \
  __scoped_atomic_##NAME(__VA_ARGS__, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

TMEM_GPU uint32_t load(const uint32_t *word) {
  return TMEM_GPU_ATOMIC(load_n, word);
}
TMEM_GPU uint64_t load(const uint64_t *word) {
  return TMEM_GPU_ATOMIC(load_n, word);
}
TMEM_GPU void minAtomic(uint64_t *word, uint64_t value) {
  TMEM_GPU_ATOMIC(fetch_min, word, value);
}
TMEM_GPU void store(uint32_t *word, uint32_t value) {
  TMEM_GPU_ATOMIC(store_n, word, value);
}
TMEM_GPU uint32_t addAtomic(uint32_t *word, uint32_t value) {
  return TMEM_GPU_ATOMIC(fetch_add, word, value);
}
TMEM_GPU uint32_t orAtomic(uint32_t *word, uint32_t value) {
  return TMEM_GPU_ATOMIC(fetch_or, word, value);
}
TMEM_GPU uint32_t andAtomic(uint32_t *word, uint32_t value) {
  return TMEM_GPU_ATOMIC(fetch_and, word, value);
}
/// Whether the word was zero and became `value`.
TMEM_GPU bool claim(uint32_t *word, uint32_t value) {
  uint32_t expected = 0;
  return __scoped_atomic_compare_exchange_n(
      word, &expected, value, /*weak=*/false, __ATOMIC_RELAXED,
      __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
/// The same for a pointer; returns what was there before.
template <typename T> TMEM_GPU T *claim(T **place, T *value) {
  T *expected = nullptr;
  __scoped_atomic_compare_exchange_n(place, &expected, value, /*weak=*/false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return expected;
}

#undef TMEM_GPU_ATOMIC

#else // __NVPTX__

#define TMEM_GPU static inline
#define TMEM_GPU_OUTLINE
#define TMEM_GPU_INLINE

typedef uint32_t GlobalWord;

uint32_t getLane();
Index getThread();
Index getBlockSize();
Index getBlock();
Index getGridSize();
uint64_t getNanoseconds();
uint32_t getActiveMask();
uint32_t shuffle(uint32_t value, uint32_t lane);
uint32_t ballot(bool predicate);
bool all(bool predicate);
void syncWarp();
void syncBlock();
void fence();
void fenceSystem();
void pause();
void trap();
[[noreturn]] void exit();
DeviceSlot *&getSharedSlot();
uint32_t load(const uint32_t *word);
uint64_t load(const uint64_t *word);
void minAtomic(uint64_t *word, uint64_t value);
void store(uint32_t *word, uint32_t value);
uint32_t addAtomic(uint32_t *word, uint32_t value);
uint32_t orAtomic(uint32_t *word, uint32_t value);
uint32_t andAtomic(uint32_t *word, uint32_t value);
bool claim(uint32_t *word, uint32_t value);
template <typename T> T *claim(T **place, T *value) {
  T *expected = nullptr;
  __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return expected;
}

#endif // __NVPTX__

/// A thread's index in the block; a multiple of 32 begins a warp.
TMEM_GPU uint32_t getLinearThread() {
  Index thread = getThread(), size = getBlockSize();
  return thread.x + size.x * (thread.y + size.y * thread.z);
}
TMEM_GPU uint32_t getNumThreads() {
  Index size = getBlockSize();
  return size.x * size.y * size.z;
}
TMEM_GPU uint32_t getFirst(uint32_t lanes) {
  return uint32_t(__builtin_ctz(lanes));
}

} // namespace tmem::emulation::gpu

#endif // TMEM_LIB_EXECUTIONENGINE_DEVICE_GPU_H
