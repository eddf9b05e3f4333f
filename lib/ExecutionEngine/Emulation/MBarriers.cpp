//===- MBarriers.cpp - Mbarrier objects -----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
// An object is valid from its init to its inval. The bits in shared memory are
// compared with what they should be, so that a kernel which overwrites them is
// found out.
//
//===----------------------------------------------------------------------===//

#include "MBarriers.h"
#include "Cluster.h"
#include "Faults.h"
#include "SharedMemory.h"

using namespace tmem::emulation;

/// Counts of arrivals and bytes (PTX ISA, "Contents of the mbarrier object").
static constexpr uint32_t maxCount = (1 << 20) - 1;

/// Tests that fail, with nobody else running, before that counts as deadlock.
static constexpr uint32_t maxIdlePolls = 1000000;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static std::string describeObject(const Thread &thread,
                                  const uint64_t *object) {
  return describeSharedAddress(thread, reinterpret_cast<uintptr_t>(object));
}

namespace {

/// Whether an operation reaches objects in other CTAs of the cluster, and why
/// not (PTX ISA, "mbarrier": the state spaces of each operation).
enum class Reach { Cluster, OwnSpace, OwnState, Own };

} // namespace

[[noreturn]] static void reportRemote(const Thread &thread, const Site *site,
                                      const uint64_t *object, Reach reach) {
  const char *why =
      reach == Reach::OwnState
          ? ": an arrival in another block returns no state"
      : reach == Reach::OwnSpace
          ? " through a pointer to .shared::cta: expected one to "
            ".shared::cluster for another block"
          : ": only arrivals and counts of bytes reach that of another block";
  fault(
      thread, site,
      format("expected an mbarrier in the shared memory of the block, but got "
             "%s%s",
             describeObject(thread, object).c_str(), why));
}

/// The object must lie in shared memory. Returns whose.
static Cta &checkPlace(const Thread &thread, const Site *site,
                       const uint64_t *object, Reach reach) {
  Cta &cta = *thread.cta;
  uint64_t address = reinterpret_cast<uintptr_t>(object);
  Cta *owner = &cta;
  if (!isInShared(cta, address, sizeof(uint64_t))) {
    owner = cta.cluster->findOwner(address);
    if (!owner || owner == &cta ||
        !isInShared(*owner, address, sizeof(uint64_t)))
      fault(thread, site,
            format("expected an mbarrier in the %llu bytes of shared memory of "
                   "the block, but got %s",
                   static_cast<unsigned long long>(cta.sharedBytes),
                   describeObject(thread, object).c_str()));
    if (reach != Reach::Cluster)
      reportRemote(thread, site, object, reach);
    checkRemoteAccess(thread, site, *owner, "mbarrier operation");
  }
  if (address % sizeof(uint64_t))
    fault(thread, site,
          format("expected an mbarrier aligned to 8 bytes, but got %s",
                 describeObject(thread, object).c_str()));
  return *owner;
}

/// In race mode, the init must be ordered before every use.
static void checkInitOrder(const Thread &thread, const Site *site,
                           const MBarrier &barrier) {
  const Warp &warp = *thread.warp;
  const VectorClock &order = warp.clocks.order;
  if (!thread.cta->isRacing() || barrier.warp == warp.id ||
      order.at[barrier.warp] >= barrier.epoch)
    return;
  fault(thread, site,
        format("race: warp %u uses an mbarrier, and nothing orders this after "
               "its initialisation by %s: execute a barrier%s between them",
               warp.index, describeWarp(*thread.cta, barrier.warp).c_str(),
               barrier.cta == thread.cta ? "" : " of the cluster"),
        {{barrier.site, "initialised here"}});
}

/// The valid object at an address.
static MBarrier &getMBarrier(const Thread &thread, const Site *site,
                             const uint64_t *object, Reach reach = Reach::Own) {
  Cta &cta = checkPlace(thread, site, object, reach);
  auto found = cta.mbarriers.find(reinterpret_cast<uintptr_t>(object));
  if (found == cta.mbarriers.end())
    fault(thread, site,
          format("expected a valid mbarrier, but the one at %s is not: execute "
                 "mbarrier.init first",
                 describeObject(thread, object).c_str()));
  MBarrier &barrier = found->second;
  checkInitOrder(thread, site, barrier);
  if (*object != barrier.encode())
    fault(thread, site,
          format("the mbarrier at %s was overwritten: expected no other access "
                 "to its 8 bytes until mbarrier.inval",
                 describeObject(thread, object).c_str()),
          {{barrier.site, "initialised here"}});
  return barrier;
}

void tmemEmuMBarrierInit(TMemEmuThread *t, const TMemEmuSite *site,
                         uint64_t *object, uint32_t count) {
  Thread &thread = getThread(t);
  Cta &cta = *thread.cta;
  checkPlace(thread, site, object, Reach::Own);
  if (count < 1 || count > maxCount)
    fault(thread, site,
          format("expected an arrival count from 1 to %u, but got %u", maxCount,
                 count));
  auto [place, isNew] =
      cta.mbarriers.try_emplace(reinterpret_cast<uintptr_t>(object));
  MBarrier &barrier = place->second;
  if (!isNew)
    fault(thread, site,
          format("the mbarrier at %s is valid already: execute mbarrier.inval "
                 "before it is initialised again",
                 describeObject(thread, object).c_str()),
          {{barrier.site, "initialised here"}});
  barrier = MBarrier();
  barrier.object = object;
  barrier.cta = &cta;
  barrier.expected = barrier.pending = count;
  barrier.seen = true;
  barrier.site = site;
  barrier.warp = thread.warp->id;
  barrier.epoch = thread.warp->clocks.order.at[barrier.warp];
  *object = barrier.encode();
}

void tmemEmuMBarrierInval(TMemEmuThread *t, const TMemEmuSite *site,
                          uint64_t *object) {
  Thread &thread = getThread(t);
  MBarrier &barrier = getMBarrier(thread, site, object);
  if (!barrier.waiters.empty())
    fault(thread, site, "expected an mbarrier that no thread waits for",
          {{barrier.waiters[0]->site,
            format("thread %u waits here", barrier.waiters[0]->special[0])}});
  thread.cta->mbarriers.erase(reinterpret_cast<uintptr_t>(object));
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// The phase is complete: what was done before the arrivals is known now.
static void leave(Thread &thread, MBarrier &barrier, uint32_t flags) {
  barrier.seen = true;
  if (!(flags & TMemEmuWaitRelaxed))
    thread.warp->clocks.acquire(thread.lane, barrier.complete);
  if (thread.cluster->ctas.size() > 1)
    barrier.cta->remote.end.join(barrier.executed);
}

/// Completes the phase once nothing is outstanding.
static void update(MBarrier &barrier) {
  Cta &cta = *barrier.cta;
  if (barrier.pending == 0 && barrier.bytes == 0) {
    ++barrier.phase;
    barrier.pending = barrier.expected;
    barrier.complete = barrier.arriving;
    barrier.arriving = SyncClock();
    if (cta.cluster->ctas.size() > 1) {
      barrier.executed = barrier.executing;
      barrier.executing = VectorClock();
    }
    barrier.seen = false;
    for (Thread *waiter : barrier.waiters) {
      leave(*waiter, barrier, waiter->value);
      cta.wake(*waiter->warp, waiter->getBit());
    }
    barrier.waiters.clear();
  }
  *barrier.object = barrier.encode();
  cta.cluster->idlePolls = 0;
}

/// Changes the bytes to come.
static void addBytes(const Thread &thread, const Site *site, MBarrier &barrier,
                     int64_t bytes) {
  int64_t sum = barrier.bytes + bytes;
  if (sum > int64_t(maxCount) || sum < -int64_t(maxCount))
    fault(thread, site,
          format("expected a tx-count from -%u to %u, but it becomes %lld",
                 maxCount, maxCount, static_cast<long long>(sum)),
          {{barrier.site, "initialised here"}});
  barrier.bytes = sum;
}

static void checkArrival(const Thread &thread, const Site *site,
                         const MBarrier &barrier, uint32_t arrivals,
                         uint32_t flags) {
  std::vector<Note> notes = {{barrier.site, "initialised here"}};
  if (arrivals < 1 || arrivals > maxCount)
    fault(thread, site,
          format("expected from 1 to %u arrivals, but got %u", maxCount,
                 arrivals),
          notes);
  unsigned long long phase = barrier.phase;
  if (!barrier.seen)
    fault(thread, site,
          format("phase %llu of the mbarrier is complete, but no thread has "
                 "waited for it: expected a successful wait before an arrival "
                 "in phase %llu",
                 phase - 1, phase),
          notes);
  if (arrivals > barrier.pending)
    fault(thread, site,
          format("expected at most the %u arrivals that phase %llu of the "
                 "mbarrier waits for, but got %u",
                 barrier.pending, phase, arrivals),
          notes);
  if ((flags & TMemEmuArriveNoComplete) && arrivals == barrier.pending &&
      barrier.bytes == 0)
    fault(thread, site,
          format("expected that phase %llu of the mbarrier does not complete "
                 "by an arrival with .noComplete",
                 phase),
          notes);
}

/// What arrive returns: the phase, and the arrivals that it still waited for.
static uint64_t makeState(const MBarrier &barrier) {
  return barrier.phase << 20 | barrier.pending;
}

uint64_t tmemEmuMBarrierArrive(TMemEmuThread *t, const TMemEmuSite *site,
                               uint64_t *object, uint32_t count, uint32_t bytes,
                               uint32_t flags) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  Reach reach = flags & TMemEmuArriveState     ? Reach::OwnState
                : flags & TMemEmuArriveCluster ? Reach::Cluster
                                               : Reach::OwnSpace;
  MBarrier &barrier = getMBarrier(thread, site, object, reach);
  if (bytes)
    addBytes(thread, site, barrier, bytes);
  checkArrival(thread, site, barrier, count, flags);
  uint64_t state = makeState(barrier);
  if (barrier.cta != thread.cta)
    barrier.executing.join(warp.clocks.order);
  if (flags & TMemEmuArriveRelaxed)
    warp.clocks.releaseRelaxed(warp.id, thread.lane, barrier.arriving);
  else
    warp.clocks.release(warp.id, thread.lane, barrier.arriving);
  barrier.pending -= count;
  if (flags & TMemEmuArriveDrop)
    barrier.expected -= count;
  update(barrier);
  thread.cta->maybePreempt(thread);
  return state;
}

void tmem::emulation::checkMBarrier(const Thread &thread, const Site *site,
                                    const uint64_t *object) {
  getMBarrier(thread, site, object);
}

void tmem::emulation::arriveForCommit(Thread &thread, const Site *site,
                                      uint64_t *object,
                                      const SyncClock &clock) {
  MBarrier &barrier = getMBarrier(thread, site, object);
  checkArrival(thread, site, barrier, 1, 0);
  barrier.arriving.order.join(clock.order);
  barrier.arriving.tensor.join(clock.tensor);
  --barrier.pending;
  update(barrier);
}

void tmemEmuMBarrierExpect(TMemEmuThread *t, const TMemEmuSite *site,
                           uint64_t *object, uint32_t bytes) {
  Thread &thread = getThread(t);
  MBarrier &barrier = getMBarrier(thread, site, object, Reach::Cluster);
  addBytes(thread, site, barrier, bytes);
  *object = barrier.encode();
}

void tmemEmuMBarrierComplete(TMemEmuThread *t, const TMemEmuSite *site,
                             uint64_t *object, uint32_t bytes) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  MBarrier &barrier = getMBarrier(thread, site, object, Reach::Cluster);
  addBytes(thread, site, barrier, -int64_t(bytes));
  // Whoever simulates a transaction wrote its data.
  if (barrier.cta != thread.cta)
    barrier.executing.join(warp.clocks.order);
  warp.clocks.release(warp.id, thread.lane, barrier.arriving);
  update(barrier);
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// Whether the phase that a wait names is complete. Only the current and the
/// previous one can be named.
static bool isComplete(const Thread &thread, const Site *site,
                       const MBarrier &barrier, uint64_t state,
                       uint32_t flags) {
  if (flags & TMemEmuWaitParity)
    return (barrier.phase & 1) != (state & 1);
  uint64_t phase = state >> 20;
  if (phase > barrier.phase || phase + 1 < barrier.phase)
    fault(thread, site,
          format("expected a state of the current phase %llu or the previous "
                 "one, but got one of phase %llu",
                 static_cast<unsigned long long>(barrier.phase),
                 static_cast<unsigned long long>(phase)),
          {{barrier.site, "initialised here"}});
  return phase < barrier.phase;
}

std::string tmem::emulation::describeMBarrierWait(const Thread &thread) {
  const Cta &cta = *thread.cta;
  std::string what = "waiting here for the mbarrier at " +
                     describeObject(thread, thread.barrier);
  auto found = cta.mbarriers.find(reinterpret_cast<uintptr_t>(thread.barrier));
  if (found == cta.mbarriers.end())
    return what;
  const MBarrier &barrier = found->second;
  return what + format(": %u of %u arrivals and %d bytes are outstanding in "
                       "phase %llu",
                       barrier.pending, barrier.expected, barrier.bytes,
                       static_cast<unsigned long long>(barrier.phase));
}

/// A test that failed: lets the others run, so that a loop of tests does not
/// keep them from what it waits for.
static void poll(Thread &thread, const Site *site, const MBarrier &barrier) {
  Cta &cta = *thread.cta;
  thread.barrier = barrier.object;
  thread.wait = Wait::MBarrier;
  thread.site = site;
  thread.polled = true;
  if (++cta.cluster->idlePolls > maxIdlePolls)
    cta.cluster->reportStuck();
  cta.yield(thread);
}

uint32_t tmemEmuMBarrierWait(TMemEmuThread *t, const TMemEmuSite *site,
                             uint64_t *object, uint64_t state, uint32_t flags) {
  Thread &thread = getThread(t);
  MBarrier &barrier = getMBarrier(thread, site, object);
  if (isComplete(thread, site, barrier, state, flags)) {
    leave(thread, barrier, flags);
    return true;
  }
  if (!(flags & TMemEmuWaitBlock)) {
    poll(thread, site, barrier);
    return false;
  }
  thread.barrier = object;
  thread.value = flags;
  barrier.waiters.push_back(&thread);
  thread.cta->block(thread, Wait::MBarrier, site);
  return true;
}
