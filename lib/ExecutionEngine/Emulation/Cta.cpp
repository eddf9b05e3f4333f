//===- Cta.cpp - Fibers and their order -----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cta.h"
#include "Faults.h"
#include "Meetings.h"
#include "SharedWindows.h"
#include "Stacks.h"
#include <new>

using namespace tmem::emulation;
using boost::context::fiber;

static thread_local Cta *activeCta = nullptr;

Cta *tmem::emulation::getActiveCta() { return activeCta; }

Cta::Cta(uint32_t number) : number(number) {
  sharedBegin = getSharedWindow(number);
  for (uint32_t i = 0; i < maxWarps; ++i) {
    warps[i].cta = this;
    warps[i].index = i;
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Warp &Cta::pickWarp() {
  if (launch->settings.seed == 0)
    return warps[turn ? getNextBit(runnableWarps, turn->index)
                      : getLowest(runnableWarps)];
  uint32_t rest = runnableWarps;
  for (uint32_t skip = random.next() % count(rest); skip; --skip)
    rest &= rest - 1;
  Warp &warp = warps[getLowest(rest)];
  warp.lastLane = random.next() % warpSize;
  return warp;
}

/// Gives the turn to a warp that has a lane to run, if there is one.
bool Cta::startTurn() {
  if (tensorCore.isBusy())
    tensorCore.advance(*this);
  if (!runnableWarps)
    return false;
  turn = &pickWarp();
  turn->turn = fullMask;
  return true;
}

void Cta::preempt(Thread &self) {
  if (random.next() % 4 != 0)
    return;
  self.warp->turn = 0;
  wait(self);
}

/// Backward branches until a thread yields.
static constexpr int64_t roundRobinQuantum = 256;

void Cta::refill(Thread &thread) {
  const Settings &settings = launch->settings;
  thread.quantum =
      settings.seed == 0 ? roundRobinQuantum : 1 + int64_t(random.next() % 64);
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

Cta *Cta::takeAbandoned() {
  Cta *cta = activeCta;
  activeCta = nullptr;
  if (!cta)
    return nullptr;
  for (Thread *thread : cta->threads)
    cta->makeFiber(*thread);
  new (&cta->main) fiber();
  return cta;
}

/// A fiber runs one thread after another and never ends: that costs no more
/// than a switch, and nothing needs to be unwound.
void Cta::runThread(Thread &thread, fiber &&from) {
  *leaving = std::move(from);
  for (;;) {
    runEntry(thread);
    finish(thread);
  }
}

void Cta::runEntry(Thread &thread) {
  // tmemEmuExit jumps here: what compiled code leaves on the stack needs no
  // destructors.
  if (setjmp(thread.exitPoint) == 0)
    launch->kernel->entry(&thread, launch->params);
}

void Cta::finish(Thread &self) {
  exitThread(self);
  Thread *next = pick();
  if (next)
    return switchTo(*next, self.context);
  if (liveWarps)
    reportStuck(*this);
  leaving = &self.context;
  current = nullptr;
  fiber previous = std::move(main).resume();
  *leaving = std::move(previous);
}

//===----------------------------------------------------------------------===//
// One CTA of a grid
//===----------------------------------------------------------------------===//

void Cta::run(const Launch &newLaunch, uint64_t linearIndex, uint32_t newSM) {
  launch = &newLaunch;
  sm = newSM;
  prepare(linearIndex);
  activeCta = this;
  switchTo(*pick(), main);
  checkEnd();
  activeCta = nullptr;
}

void Cta::prepare(uint64_t linearIndex) {
  const TMemEmuKernel &kernel = getKernel();
  index[0] = linearIndex % launch->grid[0];
  index[1] = linearIndex / launch->grid[0] % launch->grid[1];
  index[2] = linearIndex / launch->grid[0] / launch->grid[1];
  random.seed(launch->settings.seed, linearIndex);

  uint32_t numThreads = launch->getNumThreads();
  addThreads(numThreads);
  numWarps = alignTo(numThreads, warpSize) / warpSize;
  liveWarps = runnableWarps = fullMask >> (maxWarps - numWarps);
  turn = nullptr;
  current = nullptr;
  idlePolls = 0;

  sharedBytes = launch->getSharedBytes();
  openSharedWindow(number, sharedBytes);
  tensor.reset(kernel.columns, kernel.exclusiveColumns);
  tensorCore.reset();
  allocQueue.clear();
  relinquished = lastAllocSite = ctaGroupSite = nullptr;
  lastAllocColumns = ctaGroup = 0;
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  cluster = ClusterBarrier();
  mbarriers.clear();
  memoryClock = SyncClock();
  if (isRacing()) {
    tensorShadow.reset(numLanes * tensor.getStride(), [this](const Mark &mark) {
      bool known = true;
      forEachBit(liveWarps, [&](uint32_t w) {
        known &= warps[w].clocks.tensor.at[mark.warp] >= mark.epoch;
      });
      return known;
    });
    sharedShadow.reset((sharedBytes + 3) / 4, [this](const Mark &mark) {
      bool known = true;
      forEachBit(liveWarps, [&](uint32_t w) {
        known &= warps[w].clocks.order.at[mark.warp] >= mark.epoch;
      });
      return known;
    });
  }
  for (uint32_t i = 0; i < numThreads; ++i)
    prepareThread(i);
}

/// Special registers that differ between threads or CTAs, and those that don't.
static void setSpecialRegisters(Thread &thread, uint32_t index,
                                const Launch &launch, const Cta &cta) {
  uint32_t *special = thread.special;
  const uint32_t *block = launch.block, *grid = launch.grid;
  special[TMemEmuTidX] = index % block[0];
  special[TMemEmuTidY] = index / block[0] % block[1];
  special[TMemEmuTidZ] = index / block[0] / block[1];
  for (uint32_t i = 0; i < 3; ++i) {
    special[TMemEmuNtidX + i] = block[i];
    special[TMemEmuCtaidX + i] = special[TMemEmuClusteridX + i] = cta.index[i];
    special[TMemEmuNctaidX + i] = special[TMemEmuNclusteridX + i] = grid[i];
    special[TMemEmuClusterCtaidX + i] = 0;
    special[TMemEmuClusterNctaidX + i] = 1;
  }
  special[TMemEmuLaneid] = index % warpSize;
  special[TMemEmuWarpid] = index / warpSize;
  special[TMemEmuNwarpid] = cta.numWarps;
  special[TMemEmuSmid] = cta.sm;
  special[TMemEmuNsmid] = launch.settings.threads;
  special[TMemEmuGridid] = launch.id;
  special[TMemEmuClusterCtarank] = 0;
  special[TMemEmuClusterNctarank] = 1;
  special[TMemEmuTotalSmemSize] = launch.getSharedBytes();
  special[TMemEmuDynamicSmemSize] = launch.dynamicShared;
}

static void prepareWarp(Warp &warp, uint32_t numLanes) {
  warp.existing = warp.live = warp.runnable = fullMask >> (warpSize - numLanes);
  warp.turn = 0;
  warp.lastLane = warpSize - 1;
  warp.meeting = Meeting();
  warp.blockedSite = nullptr;
  warp.numGroups = 0;
  warp.pending.clear();
  warp.loads = 0;
  warp.clocks.reset(warp.index, warp.cta->isRacing());
  warp.clusterArrived = 0;
}

void Cta::prepareThread(uint32_t i) {
  Thread &thread = *threads[i];
  if (thread.lane == 0) {
    uint32_t rest = launch->getNumThreads() - i;
    prepareWarp(*thread.warp, rest < warpSize ? rest : warpSize);
  }
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
  setSpecialRegisters(thread, i, *launch, *this);
  refill(thread);
}

/// All threads have exited. Nothing can be pending in columns that were freed,
/// so that a leak is all that can be left.
void Cta::checkEnd() {
  tensor.forEachAllocation([&](const Allocation &allocation) {
    fault(*this, allocation.site,
          format("%u columns at column %u were never deallocated: execute "
                 "tcgen05.dealloc before the kernel ends",
                 allocation.columns, allocation.base));
  });
}
