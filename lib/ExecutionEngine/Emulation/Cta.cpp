//===- Cta.cpp - A CTA, its warps and threads -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Faults.h"
#include "Pairs.h"
#include "SharedWindows.h"
#include "Stacks.h"
#include <algorithm>
#include <new>

using namespace tmem::emulation;
using boost::context::fiber;

Cta::Cta(uint32_t number) : number(number) {
  sharedBegin = getSharedWindow(number);
  for (uint32_t i = 0; i < maxWarps; ++i) {
    warps[i].cta = this;
    warps[i].index = i;
  }
}

/// Backward branches until a thread yields.
static constexpr int64_t roundRobinQuantum = 256;

void Cta::refill(Thread &thread) {
  const Settings &settings = launch->settings;
  thread.quantum = settings.seed == 0
                       ? roundRobinQuantum
                       : 1 + int64_t(cluster->random.next() % 64);
  int64_t rest = settings.maxSteps - thread.steps;
  if (thread.quantum > rest)
    thread.quantum = rest;
  thread.fuel = thread.quantum;
}

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

void Cta::addThreads(uint32_t count) {
  while (threads.size() < count) {
    uint32_t index = threads.size();
    Stack stack = allocateStack(index);
    char *place = stack.end - alignTo(sizeof(Thread), 64);
    Thread *thread = new (place) Thread();
    thread->cta = this;
    thread->warp = &warps[index / warpSize];
    thread->lane = index % warpSize;
    thread->warp->threads[thread->lane] = thread;
    thread->stackGuard = stack.guard;
    thread->stackBegin = stack.begin;
    threads.push_back(thread);
    makeFiber(*thread);
  }
}

/// Without the end of what ran on the stack before, if anything: that would
/// unwind it.
void Cta::makeFiber(Thread &thread) {
  StackAllocator stack = {thread.stackBegin, reinterpret_cast<char *>(&thread)};
  new (&thread.context)
      fiber(std::allocator_arg, stack, [this, &thread](fiber &&from) {
        runThread(thread, std::move(from));
        return fiber();
      });
}

void Cta::remakeFibers() {
  for (Thread *thread : threads)
    makeFiber(*thread);
}

/// A fiber runs one thread after another and never ends: that costs no more
/// than a switch, and nothing needs to be unwound.
void Cta::runThread(Thread &thread, fiber &&from) {
  cluster->enter(std::move(from));
  for (;;) {
    runEntry(thread);
    cluster->finish(thread);
  }
}

void Cta::runEntry(Thread &thread) {
  // tmemEmuExit jumps here: what compiled code leaves on the stack needs no
  // destructors.
  if (setjmp(thread.exitPoint) == 0)
    launch->kernel->entry(&thread, launch->params);
}

//===----------------------------------------------------------------------===//
// One CTA of a grid
//===----------------------------------------------------------------------===//

void Cta::prepare(Cluster &newCluster, uint32_t newRank) {
  cluster = &newCluster;
  launch = cluster->launch;
  rank = newRank;
  uint32_t rest = rank;
  for (int i = 0; i < 3; ++i) {
    uint32_t size = launch->cluster[i];
    index[i] = cluster->index[i] * size + rest % size;
    rest /= size;
  }
  uint32_t numThreads = launch->getNumThreads();
  addThreads(numThreads);
  numWarps = alignTo(numThreads, warpSize) / warpSize;
  liveWarps = runnableWarps = fullMask >> (maxWarps - numWarps);

  sharedBytes = launch->getSharedBytes();
  openSharedWindow(number, sharedBytes);
  tensor.reset(getKernel().columns, getKernel().exclusiveColumns);
  tensorCore.reset();
  allocQueue.clear();
  pairAllocs.clear();
  pairDeallocs.clear();
  relinquished = lastAllocSite = nullptr;
  lastAllocColumns = 0;
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  mbarriers.clear();
  remote.clear();
  if (isRacing())
    prepareShadows();
  for (uint32_t i = 0; i < numThreads; ++i)
    prepareThread(i);
}

void Cta::prepareShadows() {
  // Whether all warps are ordered after a mark.
  auto isKnown = [this](auto WarpClocks::*clock, const Mark &mark) {
    for (const Cta *cta : cluster->ctas) {
      bool known = true;
      forEachBit(cta->liveWarps, [&](uint32_t w) {
        const VectorClock &mine = cta->warps[w].clocks.*clock;
        known &= mine.at[mark.warp] >= mark.epoch;
      });
      if (!known)
        return false;
    }
    return true;
  };
  uint32_t numMarkers = cluster->ctas.size() * numWarps;
  tensorShadow.reset(numLanes * tensor.getStride(), numMarkers,
                     [isKnown](const Mark &mark) {
                       return isKnown(&WarpClocks::tensor, mark);
                     });
  sharedShadow.reset((sharedBytes + 3) / 4, numMarkers,
                     [isKnown](const Mark &mark) {
                       return isKnown(&WarpClocks::order, mark);
                     });
}

/// Special registers that are the same in all threads of a CTA.
static void setSpecialRegisters(uint32_t *special, const Cta &cta) {
  const Launch &launch = *cta.launch;
  uint32_t clusterSize = cta.cluster->ctas.size();
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t size = launch.cluster[i];
    special[TMemEmuNtidX + i] = launch.block[i];
    special[TMemEmuCtaidX + i] = cta.index[i];
    special[TMemEmuNctaidX + i] = launch.grid[i];
    special[TMemEmuClusteridX + i] = cta.cluster->index[i];
    special[TMemEmuNclusteridX + i] = launch.grid[i] / size;
    special[TMemEmuClusterCtaidX + i] = cta.index[i] % size;
    special[TMemEmuClusterNctaidX + i] = size;
  }
  special[TMemEmuNwarpid] = cta.numWarps;
  special[TMemEmuSmid] = cta.sm;
  special[TMemEmuNsmid] = launch.settings.threads * clusterSize;
  special[TMemEmuGridid] = launch.id;
  special[TMemEmuClusterCtarank] = cta.rank;
  special[TMemEmuClusterNctarank] = clusterSize;
  special[TMemEmuIsExplicitCluster] = launch.isExplicitCluster;
  special[TMemEmuTotalSmemSize] = launch.getSharedBytes();
  special[TMemEmuDynamicSmemSize] = launch.dynamicShared;
}

static void setSpecialRegisters(Thread &thread, uint32_t index) {
  const Cta &cta = *thread.cta;
  uint32_t *special = thread.special;
  if (index == 0)
    setSpecialRegisters(special, cta);
  else
    std::copy_n(cta.threads[0]->special, TMemEmuNumSpecial, special);
  const uint32_t *block = cta.launch->block;
  special[TMemEmuTidX] = index % block[0];
  special[TMemEmuTidY] = index / block[0] % block[1];
  special[TMemEmuTidZ] = index / block[0] / block[1];
  special[TMemEmuLaneid] = thread.lane;
  special[TMemEmuWarpid] = thread.warp->index;
}

static void prepareWarp(Warp &warp, uint32_t numLanes) {
  warp.id = warp.cta->rank * warp.cta->numWarps + warp.index;
  warp.existing = warp.live = warp.runnable = fullMask >> (warpSize - numLanes);
  warp.turn = 0;
  warp.lastLane = warpSize - 1;
  warp.meeting = Meeting();
  warp.blockedSite = nullptr;
  warp.numGroups = 0;
  warp.pending.clear();
  warp.loads = 0;
  warp.clocks.reset(warp.id, warp.cta->isRacing());
  warp.clusterArrived = 0;
}

void Cta::prepareThread(uint32_t i) {
  Thread &thread = *threads[i];
  if (thread.lane == 0) {
    uint32_t rest = launch->getNumThreads() - i;
    prepareWarp(*thread.warp, rest < warpSize ? rest : warpSize);
  }
  thread.cluster = cluster;
  thread.completedLoads = 0;
  thread.sharedBegin = sharedBegin;
  thread.sharedUnchecked = isRacing() ? 0 : sharedBytes;
  thread.zoneBegin = getSharedZone().begin;
  thread.zoneSize = getSharedZone().size;
  thread.wait = Wait::Nothing;
  thread.site = nullptr;
  thread.steps = 0;
  thread.polled = false;
  thread.clusterRound = 0;
  setSpecialRegisters(thread, i);
  refill(thread);
}

/// Nothing can be pending in columns that were freed, so that a leak is all
/// that can be left of Tensor Memory.
void Cta::finish() {
  checkRemoteEnd(*this);
  reportWaitingPeer(*this);
  tensor.forEachAllocation([&](const Allocation &allocation) {
    fault(*this, allocation.site,
          format("%u columns at column %u were never deallocated: execute "
                 "tcgen05.dealloc before the kernel ends",
                 allocation.columns, allocation.base));
  });
}
