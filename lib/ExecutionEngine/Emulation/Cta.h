//===- Cta.h - A CTA, its warps and threads ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One fiber for each GPU thread, all on the OS thread that runs the cluster of
// the CTA (Cluster.h): state needs no locks, and what a CTA does depends on
// nothing but its launch and its seed. A Cta is reused for one CTA of a grid
// after another, and for later launches.
//
// A thread that waits clears its bit of `runnable` and calls `Cta::wait`;
// whoever ends the waiting sets the bit again.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H

#include "Barriers.h"
#include "Clocks.h"
#include "Launch.h"
#include "MBarriers.h"
#include "Pending.h"
#include "RemoteAccesses.h"
#include "Shadow.h"
#include "TensorCore.h"
#include "TensorMemory.h"
#include <boost/context/fiber.hpp>
#include <csetjmp>
#include <vector>

namespace tmem::emulation {

class Cluster;
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
  Cluster *cluster; ///< That of the CTA: a step less on the way to it.
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
  Barrier,
  ClusterBarrier
};

/// Whether lanes that have exited count as there.
inline bool canMissLanes(AlignedOp op) {
  return op == AlignedOp::Barrier || op == AlignedOp::ClusterBarrier;
}

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
  uint32_t id; ///< Among the warps of the cluster: its component of clocks.
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

  /// Makes it the CTA of this rank in a cluster, ready to run.
  void prepare(Cluster &cluster, uint32_t rank);

  const TMemEmuKernel &getKernel() const { return *launch->kernel; }
  bool isRacing() const { return launch->settings.race; }
  bool hasExited() const { return liveWarps == 0; }

  //===--- Scheduling (defined in Cluster.h) ------------------------------===//

  /// Runs others until `self` may go on: at once if it is runnable and nobody
  /// else is.
  void wait(Thread &self);
  /// Gives the turn away and stays runnable.
  void yield(Thread &self);
  /// Waits until somebody makes `self` runnable.
  void block(Thread &self, Wait why, const Site *site);
  void wake(Warp &warp, uint32_t lanes);
  /// With a seed, lets another warp go first now and then.
  void maybePreempt(Thread &self);
  /// After a barrier, lets the warps go on in their order.
  void startOver(Thread &self);
  void refill(Thread &thread);

  /// All of its threads have exited: what it must not leave behind.
  void finish();
  /// Makes its fibers anew, after they were left in the middle.
  void remakeFibers();

  //===--- State ----------------------------------------------------------===//

  const Launch *launch = nullptr;
  Cluster *cluster = nullptr;
  uint32_t index[3];
  uint32_t number; ///< Among all that were made: its window of shared memory.
  uint32_t rank;   ///< %cluster_ctarank
  uint32_t sm;
  uint64_t sharedBegin, sharedBytes;

  std::vector<Thread *> threads;
  Warp warps[maxWarps];
  uint32_t numWarps = 0;
  uint32_t liveWarps = 0, runnableWarps = 0;

  TensorMemory tensor;
  TensorCore tensorCore;
  Shadow tensorShadow, sharedShadow;
  /// Warps that wait for columns, first come first.
  std::vector<Warp *> allocQueue;
  /// Warps at an alloc or dealloc of both CTAs of the pair, first come first.
  std::vector<Warp *> pairAllocs, pairDeallocs;
  const Site *relinquished;
  uint32_t lastAllocColumns;
  const Site *lastAllocSite;

  Barrier barriers[numBarriers];
  MBarrierTable mbarriers;
  RemoteAccesses remote; ///< Of its shared memory.

private:
  void prepareShadows();
  void prepareThread(uint32_t i);
  void addThreads(uint32_t count);
  void makeFiber(Thread &thread);
  void runThread(Thread &thread, boost::context::fiber &&from);
  void runEntry(Thread &thread);
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_CTA_H
