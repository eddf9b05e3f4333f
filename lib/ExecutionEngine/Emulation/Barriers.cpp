//===- Barriers.cpp - bar and barrier.cluster -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "bar, barrier" and "barrier.cluster". A warp arrives when all of its
// lanes that have not exited have.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "Cluster.h"
#include "Faults.h"
#include "Meetings.h"

using namespace tmem::emulation;

static constexpr uint32_t reductions =
    TMemEmuBarrierPopc | TMemEmuBarrierAnd | TMemEmuBarrierOr;

static const char *getVariant(uint32_t flags) {
  return flags & reductions             ? "red"
         : flags & TMemEmuBarrierArrive ? "arrive"
                                        : "sync";
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static void checkOperands(Thread &thread, const Site *site, uint32_t id,
                          uint32_t threads) {
  if (id >= numBarriers)
    fault(thread, site, format("expected barrier 0 to 15, but got %u", id));
  if (threads % warpSize)
    fault(thread, site,
          format("expected a multiple of 32 threads at barrier %u, but got %u",
                 id, threads));
  uint32_t all = thread.cta->numWarps * warpSize;
  if (threads > all)
    fault(thread, site,
          format("expected at most the %u threads of the block at barrier %u, "
                 "but got %u",
                 all, id, threads));
}

/// Rules between the warps of one round.
static void checkRound(Thread &thread, const Warp &warp, const Site *site,
                       uint32_t id, uint32_t threads, uint32_t flags) {
  const Barrier &barrier = thread.cta->barriers[id];
  if (!barrier.arrived)
    return;
  std::vector<Note> notes = {
      {barrier.site, describeWarps(barrier.arrived) + " arrived, first here"}};
  if (barrier.arrived & warp.getBit())
    fault(thread, site,
          format("warp %u arrives at barrier %u again before the barrier has "
                 "completed: expected other warps to arrive first",
                 warp.index, id),
          notes);
  if (((barrier.flags | flags) & reductions) &&
      (barrier.flags & reductions) != (flags & reductions))
    fault(thread, site,
          format("expected .%s at barrier %u, as the warps that have arrived, "
                 "but got .%s%s",
                 getVariant(barrier.flags), id, getVariant(flags),
                 barrier.flags & flags & reductions ? " of another kind" : ""),
          notes);
  uint32_t all = thread.cta->numWarps * warpSize;
  uint32_t before = barrier.threads ? barrier.threads : all;
  if (before != (threads ? threads : all))
    fault(thread, site,
          format("expected %u threads at barrier %u, as the warps that have "
                 "arrived, but got %u",
                 before, id, threads ? threads : all),
          notes);
}

//===----------------------------------------------------------------------===//
// Arrival and completion
//===----------------------------------------------------------------------===//

static bool isComplete(const Cta &cta, const Barrier &barrier) {
  if (!barrier.arrived)
    return false;
  if (barrier.threads == 0)
    return (cta.liveWarps & ~barrier.arrived) == 0;
  return count(barrier.arrived) * warpSize == barrier.threads;
}

static uint32_t getReduction(const Barrier &barrier) {
  if (barrier.flags & TMemEmuBarrierAnd)
    return barrier.numTrue == barrier.numLanes;
  if (barrier.flags & TMemEmuBarrierOr)
    return barrier.numTrue != 0;
  return barrier.numTrue;
}

/// Ends a round. `arriving` wakes its own lanes, if it is one of them.
static void complete(Cta &cta, Barrier &barrier, const Warp *arriving) {
  uint32_t result = getReduction(barrier);
  forEachBit(barrier.waiting, [&](uint32_t w) {
    Warp &warp = cta.warps[w];
    warp.clocks.acquireAll(barrier.clock);
    warp.barrierResult = result;
    warp.blockedSite = nullptr;
    if (&warp != arriving && warp.live)
      cta.wake(warp, warp.live);
  });
  barrier = Barrier();
}

static std::string describeBlocked(const Warp &warp) {
  const Barrier &barrier = warp.cta->barriers[warp.blockedOn];
  uint32_t expected = barrier.threads / warpSize;
  if (barrier.threads == 0)
    expected = count(warp.cta->liveWarps | barrier.arrived);
  return format("waiting here for barrier %u: %u of %u warps have arrived",
                warp.blockedOn, count(barrier.arrived), expected);
}

bool tmem::emulation::arriveAtBarrier(Thread &thread, Warp &warp,
                                      const Site *site, uint32_t id,
                                      uint32_t threads, uint32_t flags) {
  checkRound(thread, warp, site, id, threads, flags);
  Cta &cta = *thread.cta;
  Barrier &barrier = cta.barriers[id];
  if (!barrier.arrived) {
    barrier.site = site;
    barrier.threads = threads;
    barrier.flags = flags;
  }
  warp.clocks.releaseAll(warp.id, barrier.clock);
  barrier.arrived |= warp.getBit();
  forEachBit(warp.live, [&](uint32_t lane) {
    barrier.numTrue += warp.threads[lane]->value;
    ++barrier.numLanes;
  });
  bool waits = !(flags & TMemEmuBarrierArrive);
  if (waits)
    barrier.waiting |= warp.getBit();
  if (isComplete(cta, barrier)) {
    complete(cta, barrier, &warp);
    return true;
  }
  if (waits) {
    warp.blockedSite = site;
    warp.blockedOn = id;
    warp.describeBlocked = describeBlocked;
  }
  return !waits;
}

uint32_t tmemEmuBarrier(TMemEmuThread *t, const TMemEmuSite *site, uint32_t id,
                        uint32_t threads, uint32_t flags, uint32_t predicate) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  checkOperands(thread, site, id, threads);
  thread.value = predicate != 0;
  if (!(flags & TMemEmuBarrierAligned)) {
    meet(thread, site, GroupOp::Barrier,
         id | threads << 8 | uint64_t(flags) << 24, fullMask, predicate != 0);
    return warp.barrierResult;
  }
  Operands operands = {AlignedOp::Barrier, 0, threads, flags, id, 0};
  if (!arriveAligned(thread, site, operands))
    return warp.barrierResult;
  Cta &cta = *thread.cta;
  if (arriveAtBarrier(thread, warp, site, id, threads, flags)) {
    cta.wake(warp, warp.live);
    cta.startOver(thread);
  } else {
    cta.block(thread, Wait::Warp, site);
  }
  return warp.barrierResult;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// A new round: nobody has arrived. Those who wait for the last one go on.
static void beginRound(Warp &warp) {
  warp.clusterArrived = 0;
  uint32_t waiting = 0;
  forEachBit(warp.live & ~warp.runnable, [&](uint32_t lane) {
    if (warp.threads[lane]->wait == Wait::Cluster)
      waiting |= 1u << lane;
  });
  if (waiting)
    warp.cta->wake(warp, waiting);
}

/// Ends the round if all threads that have not exited have arrived.
static void updateClusterBarrier(Cluster &cluster) {
  ClusterBarrier &barrier = cluster.barrier;
  if (!barrier.numArrived || barrier.numArrived != barrier.numLive)
    return;
  barrier.complete = barrier.arriving;
  barrier.executed = barrier.executing;
  barrier.arriving = SyncClock();
  barrier.executing = VectorClock();
  barrier.numArrived = 0;
  ++barrier.round;
  for (Cta *cta : cluster.ctas)
    for (uint32_t w = 0; w < cta->numWarps; ++w)
      beginRound(cta->warps[w]);
}

static void arriveAtCluster(Thread &thread, const Site *site, bool isRelaxed) {
  Warp &warp = *thread.warp;
  Cluster &cluster = *thread.cta->cluster;
  ClusterBarrier &barrier = cluster.barrier;
  if (thread.clusterRound != 0)
    fault(thread, site,
          "this thread has arrived at the cluster barrier before: expected "
          "barrier.cluster.wait between");
  thread.clusterRound = barrier.round + 1;
  if (cluster.ctas.size() > 1)
    barrier.executing.join(warp.clocks.order);
  if (isRelaxed)
    warp.clocks.releaseRelaxed(warp.id, thread.lane, barrier.arriving);
  else
    warp.clocks.release(warp.id, thread.lane, barrier.arriving);
  warp.clusterArrived |= thread.getBit();
  ++barrier.numArrived;
  updateClusterBarrier(cluster);
}

static void waitForCluster(Thread &thread, const Site *site) {
  Cta &cta = *thread.cta;
  ClusterBarrier &barrier = cta.cluster->barrier;
  if (thread.clusterRound == 0)
    fault(thread, site,
          "this thread has not arrived at the cluster barrier: expected "
          "barrier.cluster.arrive first");
  if (barrier.round < thread.clusterRound)
    cta.block(thread, Wait::Cluster, site);
  thread.clusterRound = 0;
  thread.warp->clocks.acquire(thread.lane, barrier.complete);
  if (cta.cluster->ctas.size() > 1)
    cta.remote.end.join(barrier.executed);
}

void tmemEmuClusterBarrier(TMemEmuThread *t, const TMemEmuSite *site,
                           uint32_t flags) {
  Thread &thread = getThread(t);
  // What is .aligned has to be executed by the whole warp; the barrier counts
  // threads all the same.
  if ((flags & TMemEmuClusterAligned) &&
      arriveAligned(thread, site,
                    {AlignedOp::ClusterBarrier, 0, 0, flags, 0, 0}))
    releaseAligned(thread);
  if (flags & TMemEmuClusterWait)
    waitForCluster(thread, site);
  else
    arriveAtCluster(thread, site, flags & TMemEmuClusterRelaxed);
}

std::string tmem::emulation::describeClusterWait(const Thread &thread) {
  const ClusterBarrier &barrier = thread.cta->cluster->barrier;
  return format("waiting here for the cluster barrier: %u of %u threads have "
                "arrived",
                barrier.numArrived, barrier.numLive);
}

//===----------------------------------------------------------------------===//
// Exit
//===----------------------------------------------------------------------===//

void tmem::emulation::updateBarriers(Thread &exited, bool warpEnded) {
  Cta &cta = *exited.cta;
  if (warpEnded)
    for (Barrier &barrier : cta.barriers)
      if (barrier.threads == 0 && isComplete(cta, barrier))
        complete(cta, barrier, nullptr);
  ClusterBarrier &barrier = cta.cluster->barrier;
  --barrier.numLive;
  if (exited.warp->clusterArrived & exited.getBit())
    --barrier.numArrived;
  updateClusterBarrier(*cta.cluster);
}
