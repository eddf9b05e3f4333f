//===- Cta.h - A CTA, its warps and threads ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One fiber for each GPU thread, all on the OS thread that runs the CTA: state
// needs no locks, and what a CTA does depends on nothing but its launch and its
// seed. A Cta is reused for one CTA of a grid after another, and for later
// launches.
//
// A warp's turn lasts until none of its lanes can run, or each has yielded. A
// thread that waits clears its bit of `runnable` and calls `Cta::wait`; whoever
// ends the waiting sets the bit again.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H

#include "Barriers.h"
#include "Clocks.h"
#include "Launch.h"
#include "MBarriers.h"
#include "Pending.h"
#include "Random.h"
#include "Shadow.h"
#include "TensorCore.h"
#include "TensorMemory.h"
#include <boost/context/fiber.hpp>
#include <csetjmp>
#include <vector>

namespace tmem::emulation {

struct Warp;

/// What a thread that cannot run waits for.
enum class Wait : uint8_t {
  Warp,  ///< An aligned operation of its warp, or what that waits for.
  Group, ///< Other lanes of a member mask.
  MBarrier,
  Cluster, ///< barrier.cluster.wait
  Nothing
};

/// A GPU thread. Lies at the top of its fiber's stack.
struct Thread : TMemEmuThread {
  Cta *cta;
  Warp *warp;
  uint32_t lane;
  Wait wait;
  const Site *site; ///< Where it waits.
  /// What this lane brings to an operation of several lanes, and gets back.
  uint64_t value, extra, result;
  boost::context::fiber context; ///< Where to go on, while it does not run.
  int64_t quantum;               ///< What `fuel` was last set to.
  uint64_t steps;                ///< Backward branches before that.
  bool polled;                   ///< Has tested an mbarrier since it yielded.
  const uint64_t *barrier;       ///< The mbarrier that it waits for.
  uint64_t clusterRound; ///< Of the cluster barrier it arrived at, plus 1.
  char *stackGuard, *stackBegin;
  jmp_buf exitPoint;

  uint32_t getBit() const { return 1u << lane; }
};

inline Thread &getThread(TMemEmuThread *thread) {
  return *static_cast<Thread *>(thread);
}

/// Operations that all lanes of a warp execute together.
enum class AlignedOp : uint32_t {
  Load,
  Store,
  WaitLoad,
  WaitStore,
  Alloc,
  Dealloc,
  Relinquish,
  Barrier
};

/// Operands that must be the same in all lanes of an aligned operation.
struct Operands {
  AlignedOp op;
  uint32_t shape, count, flags;
  uint32_t address;
  int64_t offset;

  bool operator==(const Operands &other) const {
    return op == other.op && shape == other.shape && count == other.count &&
           flags == other.flags && address == other.address &&
           offset == other.offset;
  }
};

/// An aligned operation that lanes of a warp have arrived at.
struct Meeting {
  const Site *site;
  uint32_t arrived;
  Operands operands;
};

/// Operations among the lanes of a member mask.
enum class GroupOp : uint8_t {
  Shuffle,
  Vote,
  Elect,
  Match,
  Redux,
  WarpSync,
  Barrier ///< One that is not aligned: all lanes that have not exited.
};

struct Group {
  GroupOp op;
  uint32_t mask;
  uint64_t key; ///< Qualifiers that must be the same, too.
  uint32_t arrived;
  const Site *site;
};

struct Warp {
  Cta *cta;
  uint32_t index;
  Thread *threads[warpSize];
  uint32_t live;     ///< Lanes that have not exited.
  uint32_t runnable; ///< Lanes that can run.
  uint32_t turn;     ///< Lanes that may still run in this turn.
  uint32_t lastLane; ///< That was chosen.

  Meeting meeting;
  /// The whole warp waits here: at a barrier, or for columns.
  const Site *blockedSite;
  std::string (*describeBlocked)(const Warp &);
  uint32_t blockedOn; ///< Which barrier, or how many columns.
  uint32_t barrierResult;
  uint32_t *words[warpSize]; ///< Registers of the transfer they meet for.
  Group groups[warpSize];
  uint32_t numGroups;

  PendingAccesses pending;
  uint64_t loads; ///< How many there were.
  static constexpr uint32_t numLoadSites = 128;
  const Site *loadSites[numLoadSites]; ///< Of the last loads, by number.

  WarpClocks clocks;
  uint32_t clusterArrived; ///< Lanes that arrived at the cluster barrier.

  uint32_t getBit() const { return 1u << index; }
  /// Lanes that may access it begin here (PTX ISA, "Access restrictions").
  uint32_t getSlab() const { return index % 4 * warpSize; }
  /// Lanes that there ever were.
  uint32_t existing;
};

class Cta {
public:
  explicit Cta(uint32_t number);

  /// Runs the CTA of this linear index, as %smid `sm`.
  void run(const Launch &launch, uint64_t linearIndex, uint32_t sm);
  /// The CTA that this OS thread left in the middle by a jump out of the
  /// handler of faults, ready for another run; or null.
  static Cta *takeAbandoned();

  const TMemEmuKernel &getKernel() const { return *launch->kernel; }
  bool isRacing() const { return launch->settings.race; }

  //===--- Scheduling -----------------------------------------------------===//

  /// Runs others until `self` may go on: at once if it is runnable and nobody
  /// else is.
  TMEM_ALWAYS_INLINE void wait(Thread &self) {
    Thread *next = pick();
    if (!next)
      reportStuck(*this);
    if (next != &self)
      switchTo(*next, self.context);
  }
  /// Gives the turn away and stays runnable.
  TMEM_ALWAYS_INLINE void yield(Thread &self) {
    self.warp->turn &= ~self.getBit();
    wait(self);
  }
  /// Waits until somebody makes `self` runnable.
  TMEM_ALWAYS_INLINE void block(Thread &self, Wait why, const Site *site) {
    self.wait = why;
    self.site = site;
    Warp &warp = *self.warp;
    warp.runnable &= ~self.getBit();
    if (!warp.runnable)
      runnableWarps &= ~warp.getBit();
    wait(self);
  }
  void wake(Warp &warp, uint32_t lanes) {
    warp.runnable |= lanes;
    runnableWarps |= warp.getBit();
    idlePolls = 0;
  }
  /// With a seed, lets another warp go first now and then.
  void maybePreempt(Thread &self) {
    if (__builtin_expect(launch->settings.seed != 0, false))
      preempt(self);
  }
  /// After a barrier, lets the warps go on in their order.
  void startOver(Thread &self) {
    if (launch->settings.seed != 0)
      return maybePreempt(self);
    turn = nullptr;
    wait(self);
  }
  /// Ends a thread. Returns when its fiber is to run a thread again.
  void finish(Thread &self);
  void refill(Thread &thread);

  [[noreturn]] static void reportStuck(Cta &cta);

  //===--- State ----------------------------------------------------------===//

  const Launch *launch = nullptr;
  uint32_t index[3];
  uint32_t number; ///< Among all that were made: its window of shared memory.
  uint32_t sm;
  uint64_t sharedBegin, sharedBytes;
  Random random;

  std::vector<Thread *> threads;
  Warp warps[maxWarps];
  uint32_t numWarps = 0;
  uint32_t liveWarps = 0, runnableWarps = 0;
  uint32_t idlePolls = 0; ///< Failed tests since anything changed.
  Thread *current = nullptr;

  TensorMemory tensor;
  TensorCore tensorCore;
  Shadow tensorShadow, sharedShadow;
  /// Warps that wait for columns, first come first.
  std::vector<Warp *> allocQueue;
  const Site *relinquished;
  uint32_t lastAllocColumns;
  const Site *lastAllocSite;
  uint32_t ctaGroup; ///< 0 before the first tcgen05 instruction that has one.
  const Site *ctaGroupSite;

  Barrier barriers[numBarriers];
  ClusterBarrier cluster;
  MBarrierTable mbarriers;
  SyncClock memoryClock; ///< Of memory fences.

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
  bool startTurn();
  Warp &pickWarp();
  void preempt(Thread &self);
  TMEM_ALWAYS_INLINE void switchTo(Thread &next, boost::context::fiber &from) {
    leaving = &from;
    current = &next;
    boost::context::fiber previous = std::move(next.context).resume();
    *leaving = std::move(previous);
  }
  void prepare(uint64_t linearIndex);
  void prepareThread(uint32_t i);
  void checkEnd();
  void addThreads(uint32_t count);
  void makeFiber(Thread &thread);
  void runThread(Thread &thread, boost::context::fiber &&from);
  void runEntry(Thread &thread);

  Warp *turn = nullptr;
  boost::context::fiber main;
  /// Where the context that was just left belongs.
  boost::context::fiber *leaving = nullptr;
};

/// The CTA that the calling OS thread runs, or null.
Cta *getActiveCta();

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H
