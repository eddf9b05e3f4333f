//===- Grid.cpp - OS threads that run a grid ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "SharedWindows.h"
#include "Signals.h"
#include "tmem/ExecutionEngine/SignalStack.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <pthread.h>
#include <thread>

using namespace tmem::emulation;

namespace {

/// Clusters and CTAs that no OS thread uses. Kept for ever: the stacks and the
/// cells of CTAs are expensive to make.
class Pool {
public:
  static Pool &get() {
    static Pool &pool = *new Pool;
    return pool;
  }
  /// In a fork, no OS thread that is gone is left in the middle of a change.
  Pool() {
    pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                   [] { get().mutex.unlock(); });
  }
  /// A cluster of so many CTAs. Null when as many live as there is room for.
  Cluster *take(uint32_t numCtas) {
    std::lock_guard<std::mutex> lock(mutex);
    if (idleCtas.size() + getSharedZone().numWindows - numMade < numCtas)
      return nullptr;
    if (idleClusters.empty())
      idleClusters.push_back(new Cluster);
    Cluster *cluster = idleClusters.back();
    idleClusters.pop_back();
    while (cluster->ctas.size() < numCtas)
      cluster->ctas.push_back(takeCta());
    return cluster;
  }
  void giveBack(Cluster *cluster) {
    std::lock_guard<std::mutex> lock(mutex);
    idleCtas.insert(idleCtas.end(), cluster->ctas.rbegin(),
                    cluster->ctas.rend());
    cluster->ctas.clear();
    idleClusters.push_back(cluster);
  }

private:
  Cta *takeCta() {
    if (idleCtas.empty())
      return new Cta(numMade++);
    Cta *cta = idleCtas.back();
    idleCtas.pop_back();
    return cta;
  }

  std::mutex mutex;
  std::vector<Cluster *> idleClusters;
  std::vector<Cta *> idleCtas;
  uint32_t numMade = 0;
};

} // namespace

/// The kernel allows a process some 65,000 mappings, and each stack takes two.
static uint64_t getMaxClusters(const Launch &launch) {
  constexpr uint64_t maxStacks = 24000;
  uint64_t numThreads = launch.getNumThreads() * launch.getClusterSize();
  return std::max<uint64_t>(1, maxStacks / numThreads);
}

void tmem::emulation::runGrid(const Launch &launch) {
  catchSignals();
  if (Cluster *abandoned = Cluster::takeAbandoned())
    Pool::get().giveBack(abandoned);
  uint32_t clusterSize = launch.getClusterSize();
  uint64_t numClusters = launch.getNumClusters();
  std::atomic<uint64_t> next{0};
  auto work = [&](uint32_t sm) {
    Cluster *cluster = Pool::get().take(clusterSize);
    // Others may hold all CTAs for a while: one OS thread has to wait.
    while (!cluster && sm == 0) {
      std::this_thread::yield();
      cluster = Pool::get().take(clusterSize);
    }
    if (!cluster)
      return;
    // That of an emulated thread may have overflowed.
    SignalStack signalStack(64 * 1024);
    for (uint64_t index = next++; index < numClusters; index = next++)
      cluster->run(launch, index, sm);
    Pool::get().giveBack(cluster);
  };
  uint64_t numThreads =
      std::min<uint64_t>(launch.settings.threads, numClusters);
  numThreads = std::min(numThreads, getMaxClusters(launch));
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < numThreads; ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
}
