//===- DeviceGpu.cpp - A GPU of OS threads for the device library ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGpu.h"
#include "../../../lib/ExecutionEngine/Device/Thread.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace tmem::emulation;
using namespace std::chrono_literals;

namespace {
/// Ends a lane after a trap.
struct Stopped {};

std::atomic<bool> stopped{false};

[[noreturn]] void stopLane() { throw Stopped(); }

/// Where `size` lanes leave a value each and go on once all have.
class Meeting {
public:
  explicit Meeting(uint32_t size) : size(size), values(32), all(32) {}

  /// What every lane left. After `patience`, lanes go on with fewer; `present`
  /// has a bit for each that came.
  std::vector<uint32_t> exchange(uint32_t lane, uint32_t value,
                                 uint32_t &present,
                                 std::chrono::milliseconds patience = 1h) {
    std::unique_lock<std::mutex> lock(mutex);
    values[lane % 32] = value;
    came |= uint32_t(1) << lane % 32;
    uint64_t mine = generation;
    auto deadline = std::chrono::steady_clock::now() + patience;
    if (++count >= size - gone)
      finish();
    while (generation == mine) {
      if (stopped) {
        lock.unlock();
        stopLane();
      }
      if (std::chrono::steady_clock::now() > deadline)
        finish();
      else
        changed.wait_for(lock, 1ms);
    }
    present = cameBefore;
    return all;
  }

  void leave() {
    std::lock_guard<std::mutex> lock(mutex);
    ++gone;
    if (count && count >= size - gone)
      finish();
  }

private:
  void finish() {
    all = values;
    cameBefore = came;
    came = count = 0;
    ++generation;
    changed.notify_all();
  }

  uint32_t size, count = 0, came = 0, cameBefore = 0, gone = 0;
  uint64_t generation = 0;
  std::vector<uint32_t> values, all;
  std::mutex mutex;
  std::condition_variable changed;
};

struct Warp {
  Meeting collective, active;
  explicit Warp(uint32_t size) : collective(size), active(size) {}
};

struct Block {
  gpu::Index index, size;
  uint32_t gridSize;
  DeviceSlot *shared = nullptr;
  Meeting barrier;
  std::vector<std::unique_ptr<Warp>> warps;
  Block(uint32_t index, uint32_t gridSize, uint32_t threads)
      : index{index, 0, 0}, size{threads, 1, 1}, gridSize(gridSize),
        barrier(threads) {
    for (uint32_t first = 0; first < threads; first += 32)
      warps.push_back(
          std::make_unique<Warp>(std::min<uint32_t>(32, threads - first)));
  }
};

struct Lane {
  Block *block;
  uint32_t index;
  Warp &getWarp() { return *block->warps[index / 32]; }
};

thread_local Lane lane;

std::vector<uint32_t> exchange(uint32_t value) {
  uint32_t present;
  return lane.getWarp().collective.exchange(lane.index, value, present);
}
} // namespace

//===----------------------------------------------------------------------===//
// What the device library needs of a GPU
//===----------------------------------------------------------------------===//

uint32_t gpu::getLane() { return lane.index % 32; }
gpu::Index gpu::getThread() { return {lane.index, 0, 0}; }
gpu::Index gpu::getBlockSize() { return lane.block->size; }
gpu::Index gpu::getBlock() { return lane.block->index; }
gpu::Index gpu::getGridSize() { return {lane.block->gridSize, 1, 1}; }
uint64_t gpu::getNanoseconds() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch() / 1ns);
}

/// Lanes that come to one place within a while of each other are a group.
uint32_t gpu::getActiveMask() {
  auto place =
      uint32_t(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
  uint32_t present, mask = 0;
  std::vector<uint32_t> places =
      lane.getWarp().active.exchange(lane.index, place, present, 20ms);
  for (uint32_t i = 0; i < 32; ++i)
    if ((present >> i & 1) && places[i] == place)
      mask |= uint32_t(1) << i;
  return mask;
}
uint32_t gpu::shuffle(uint32_t value, uint32_t from) {
  return exchange(value)[from];
}
uint32_t gpu::ballot(bool predicate) {
  std::vector<uint32_t> all = exchange(predicate);
  uint32_t mask = 0;
  for (uint32_t i = 0; i < 32; ++i)
    mask |= all[i] << i;
  return mask;
}
bool gpu::all(bool predicate) { return ballot(predicate) == allLanes; }
void gpu::syncWarp() { exchange(0); }
void gpu::syncBlock() {
  uint32_t present;
  lane.block->barrier.exchange(lane.index, 0, present);
}

void gpu::fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
void gpu::fenceSystem() { fence(); }
void gpu::pause() {
  if (stopped)
    stopLane();
  std::this_thread::sleep_for(50us);
}
void gpu::trap() {
  stopped = true;
  stopLane();
}
void gpu::exit() { stopLane(); }
DeviceSlot *&gpu::getSharedSlot() { return lane.block->shared; }

uint32_t gpu::load(const uint32_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
void gpu::store(uint32_t *word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
uint32_t gpu::addAtomic(uint32_t *word, uint32_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
uint32_t gpu::orAtomic(uint32_t *word, uint32_t value) {
  return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
}
uint32_t gpu::andAtomic(uint32_t *word, uint32_t value) {
  return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST);
}
void gpu::minAtomic(uint64_t *word, uint64_t value) {
  uint64_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  while (value < before &&
         !__atomic_compare_exchange_n(word, &before, value, false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
}
uint64_t gpu::load(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
bool gpu::claim(uint32_t *word, uint32_t value) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n(word, &expected, value, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

uint32_t test::getBlockIndex() { return lane.block->index.x; }
void test::syncThreads() { gpu::syncBlock(); }

test::Gpu::Gpu(uint32_t numSlots)
    : slots(numSlots), fault(std::make_unique<DeviceFault>()) {}

static void
runLane(Block &block, uint32_t index, const test::Settings &settings,
        const std::function<void(TMemEmuThread *, uint32_t)> &body) {
  static const test::KernelSite site("gpu.func", 1);
  lane = {&block, index};
  TMemEmuThread thread;
  try {
    tmemEmuEnter(&thread, &site, settings.columns, settings.exclusiveColumns);
    body(&thread, index);
    tmemEmuLeave(&thread, &site);
  } catch (Stopped) {
  }
  // Others do not wait for it.
  lane.getWarp().collective.leave();
  lane.getWarp().active.leave();
  block.barrier.leave();
}

DeviceFaultKind
test::Gpu::run(const Settings &settings,
               const std::function<void(TMemEmuThread *, uint32_t)> &body) {
  if (fault->kind != FaultNone) // As it is after a trap: in use.
    std::fill(slots.begin(), slots.end(), DeviceSlot());
  stopped = false;
  *fault = {};
  tmemEmuDevice = {slots.data(), uint32_t(slots.size()),  0, fault.get(),
                   ~uint64_t(0), /*patience=*/200'000'000};
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < settings.blocks; ++i)
    blocks.push_back(
        std::make_unique<Block>(i, settings.blocks, settings.threads));
  for (auto &block : blocks)
    for (uint32_t i = 0; i < settings.threads; ++i)
      threads.emplace_back(runLane, std::ref(*block), i, std::cref(settings),
                           std::cref(body));
  for (std::thread &thread : threads)
    thread.join();
  return DeviceFaultKind(fault->kind);
}
