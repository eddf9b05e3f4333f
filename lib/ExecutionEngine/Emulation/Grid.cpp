//===- Grid.cpp - OS threads that run the CTAs of a grid ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cta.h"
#include "SharedWindows.h"
#include "Signals.h"
#include "tmem/ExecutionEngine/SignalStack.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace tmem::emulation;

namespace {

/// CTAs that no OS thread uses. Kept for ever: their stacks and their cells are
/// expensive to make.
class Pool {
public:
  static Pool &get() {
    static Pool &pool = *new Pool;
    return pool;
  }
  /// Null when as many live as there is room for.
  Cta *take() {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      Cta *cta = idle.back();
      idle.pop_back();
      return cta;
    }
    if (numMade == getSharedZone().numWindows)
      return nullptr;
    return new Cta(numMade++);
  }
  void giveBack(Cta *cta) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(cta);
  }

private:
  std::mutex mutex;
  std::vector<Cta *> idle;
  uint32_t numMade = 0;
};

} // namespace

/// The kernel allows a process some 65,000 mappings, and each stack takes two.
static uint64_t getMaxCtas(const Launch &launch) {
  constexpr uint64_t maxStacks = 24000;
  return std::max<uint64_t>(1, maxStacks / launch.getNumThreads());
}

void tmem::emulation::runGrid(const Launch &launch) {
  catchSignals();
  if (Cta *abandoned = Cta::takeAbandoned())
    Pool::get().giveBack(abandoned);
  uint64_t numCtas = launch.getNumCtas();
  std::atomic<uint64_t> next{0};
  auto work = [&](uint32_t sm) {
    Cta *cta = Pool::get().take();
    // Others may hold all of them for a while: one OS thread has to wait.
    while (!cta && sm == 0) {
      std::this_thread::yield();
      cta = Pool::get().take();
    }
    if (!cta)
      return;
    // That of an emulated thread may have overflowed.
    SignalStack signalStack(64 * 1024);
    for (uint64_t index = next++; index < numCtas; index = next++)
      cta->run(launch, index, sm);
    Pool::get().giveBack(cta);
  };
  uint64_t numThreads = std::min<uint64_t>(launch.settings.threads, numCtas);
  numThreads = std::min(numThreads, getMaxCtas(launch));
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < numThreads; ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
}
