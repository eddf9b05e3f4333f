//===- Cluster.h - The CTAs that one scheduler runs -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads of a cluster run on one OS thread, as fibers in one order. Most
// clusters are of one CTA.
//
// A warp's turn lasts until none of its lanes can run, or each has yielded.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_CLUSTER_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_CLUSTER_H

#include "Cta.h"
#include "Random.h"

namespace tmem::emulation {

class Cluster {
public:
  /// Runs the cluster of this linear index on its CTAs, which are given out to
  /// it, as multiprocessor `sm` of clusters.
  void run(const Launch &launch, uint64_t linearIndex, uint32_t sm);
  /// Before a jump out of the handler of faults: the cluster that this OS
  /// thread runs is no longer active, so that later signals are not those of a
  /// kernel.
  static void abandon();
  /// The cluster that this OS thread left in the middle by a jump out of the
  /// handler of faults, ready for another run; or null.
  static Cluster *takeAbandoned();

  uint32_t getNumWarps() const { return ctas.size() * ctas[0]->numWarps; }
  Warp &getWarp(uint32_t id) const {
    uint32_t perCta = ctas[0]->numWarps;
    return ctas[id / perCta]->warps[id % perCta];
  }
  /// The CTA in whose window of shared memory an address lies, or null.
  Cta *findOwner(uint64_t address) const;
  /// The other CTA of a pair (PTX ISA, "CTA Pair"), or null if there is none.
  Cta *getPeer(const Cta &cta) const {
    uint32_t rank = cta.rank ^ 1;
    return rank < ctas.size() ? ctas[rank] : nullptr;
  }

  //===--- Scheduling -----------------------------------------------------===//

  TMEM_ALWAYS_INLINE void wait(Thread &self) {
    Thread *next = pick();
    if (!next)
      reportStuck();
    if (next != &self)
      switchTo(*next, self.context);
  }
  void preempt(Thread &self);
  /// Ends a thread. Returns when its fiber is to run a thread again.
  void finish(Thread &self);
  /// A fiber runs for the first time, and was reached from `from`.
  void enter(boost::context::fiber &&from) { *leaving = std::move(from); }

  [[noreturn]] void reportStuck() const;

  //===--- State ----------------------------------------------------------===//

  const Launch *launch = nullptr;
  std::vector<Cta *> ctas; ///< By their ranks.
  uint32_t index[3];       ///< %clusterid
  Random random;
  uint32_t idlePolls = 0; ///< Failed tests since anything changed.
  uint32_t firstCta = 0;  ///< Where to begin when it is nobody's turn.
  Warp *turn = nullptr;
  Thread *current = nullptr;

private:
  /// Where the context that was just left belongs.
  boost::context::fiber *leaving = nullptr;
  boost::context::fiber main;

public:
  ClusterBarrier barrier;
  SyncClock memoryClock; ///< Of memory fences.
  Issuers issuers;
  uint32_t ctaGroup; ///< 0 before the first tcgen05 instruction that has one.
  const Site *ctaGroupSite;

private:
  /// The next thread, or null if none can run.
  TMEM_ALWAYS_INLINE Thread *pick() {
    uint32_t ready = turn ? turn->runnable & turn->turn : 0;
    if (__builtin_expect(ready == 0, false)) {
      if (!startTurn())
        return nullptr;
      ready = turn->runnable;
    }
    turn->lastLane = getNextBit(ready, turn->lastLane);
    return turn->threads[turn->lastLane];
  }
  TMEM_ALWAYS_INLINE void switchTo(Thread &next, boost::context::fiber &from) {
    leaving = &from;
    current = &next;
    boost::context::fiber previous = std::move(next.context).resume();
    *leaving = std::move(previous);
  }
  bool startTurn();
  bool advanceToCommit();
  Warp *findNextWarp() const;
  Warp *pickRandomWarp();
  bool isLive() const;
};

/// The thread that the calling OS thread runs, or null.
Thread *getActiveThread();

/// "block 1,0,0"
std::string describeCta(const Cta &cta);
/// "warp 3" for a warp of `from`, "warp 3 of block 1,0,0" for one of another
/// CTA of its cluster.
std::string describeWarp(const Cta &from, uint32_t id);

//===----------------------------------------------------------------------===//
// Scheduling of a CTA
//===----------------------------------------------------------------------===//

TMEM_ALWAYS_INLINE void Cta::wait(Thread &self) { self.cluster->wait(self); }

TMEM_ALWAYS_INLINE void Cta::yield(Thread &self) {
  self.warp->turn &= ~self.getBit();
  wait(self);
}

TMEM_ALWAYS_INLINE void Cta::block(Thread &self, Wait why, const Site *site) {
  self.wait = why;
  self.site = site;
  Warp &warp = *self.warp;
  warp.runnable &= ~self.getBit();
  if (!warp.runnable)
    runnableWarps &= ~warp.getBit();
  wait(self);
}

inline void Cta::wake(Warp &warp, uint32_t lanes) {
  warp.runnable |= lanes;
  runnableWarps |= warp.getBit();
  cluster->idlePolls = 0;
}

inline void Cta::maybePreempt(Thread &self) {
  if (__builtin_expect(launch->settings.seed != 0, false))
    cluster->preempt(self);
}

inline void Cta::startOver(Thread &self) {
  if (launch->settings.seed != 0)
    return maybePreempt(self);
  // Other CTAs of the cluster come first: their turn must come, too.
  cluster->firstCta = rank + 1 == cluster->ctas.size() ? 0 : rank + 1;
  cluster->turn = nullptr;
  wait(self);
}

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_CLUSTER_H
