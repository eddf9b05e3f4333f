//===- Sync.cpp - What barriers order -------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Waits and fences
//===----------------------------------------------------------------------===//

void Flow::wait(unsigned event, AccessKind kind, State &state) {
  for (Fact &fact : state.facts)
    if (fact.order.kind == kind && (units >> fact.order.unit & 1) &&
        fact.order.level == Level::Pending) {
      fact.order.level = Level::Waited;
      fact.order.load = 0;
    }
  state.normalize();
  if (kind != AccessKind::Load)
    return;
  completeRegisters(state);
  if (auto wait = dyn_cast<WaitLoadOp>(graph.events[event].op)) {
    llvm::SmallPtrSet<Operation *, 4> loads;
    for (Value pending : wait.getPending())
      if (Operation *load = pending.getDefiningOp())
        loads.insert(load);
    llvm::erase_if(state.pending, [&](uint32_t load) {
      return loads.contains(graph.events[load].op);
    });
  }
}

/// A fence is one of the thread that executes it (PTX ISA, tcgen05.fence).
void Flow::fence(unsigned event, State &state) {
  bool before = graph.events[event].kind == EventKind::FenceBefore;
  bool isOfSome = program.partialWarps[node] & program.nodeWarps[node];
  if (!before)
    state.partlyFenced &= ~units;
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    if (!before) {
      if (isOfSome)
        state.partlyFenced |= order.handed & units & ~order.taken;
      order.taken |= order.handed & units;
      order.maybeTaken |= order.maybeMet & units;
    } else if ((units >> order.unit & 1) && order.level == Level::Waited) {
      order.level = Level::Fenced;
      if (isOfSome && !isTensor(order.kind) && !isSlot(order.kind))
        doubt(event,
              "whether a fence before that some lanes of a warp execute counts "
              "for what the others have accessed",
              fact.set->getFirstEvent(),
              /*isForRuns=*/false);
    }
  }
  if (!before) {
    for (auto &[waiting, fenced] : state.open)
      fenced |= waiting & units;
    for (unsigned unit = 0; unit < state.acquired.size(); ++unit)
      if (units >> unit & 1)
        state.acquiredFenced[unit] |= state.acquired[unit];
  }
  state.normalize();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Everybody of `met` comes after what each of them has done.
static void meetAll(Units met, State &state) {
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    bool isThere = met >> order.unit & 1;
    if (!isTensor(order.kind) && isThere) {
      if (order.level == Level::Pending)
        order.pended |= met;
      else
        order.ordered |= met, order.firm |= met;
      if (order.level == Level::Fenced)
        order.handed |= met;
    }
    if (order.ordered & met)
      order.ordered |= met;
    if (order.firm & met)
      order.firm |= met;
    if ((order.taken | order.handed) & met)
      order.handed |= met;
    if (order.maybeMet & met)
      order.maybeMet |= met;
  }
  for (Allocation &allocation : state.allocations)
    for (Units Meeting::*known :
         {&Meeting::behind, &Meeting::met, &Meeting::maybeMet})
      if (allocation.meeting.*known & met)
        allocation.meeting.*known |= met;
}

/// Accesses that nobody can come before any more need not be kept.
void Flow::forget(Units all, State &state) {
  llvm::erase_if(state.facts, [&](const Fact &fact) {
    const Order &order = fact.order;
    Units others = isTensor(order.kind) ? all : all & ~(1u << order.unit);
    if (order.acquired != 0 || (order.ordered & others) != others)
      return false;
    if (isSlot(order.kind))
      return order.kind == AccessKind::SlotRead;
    return order.level != Level::Pending && order.blocked == 0 &&
           (order.taken & others) == others;
  });
}

void Flow::meet(unsigned event, State &state) {
  const Target &target = program.targets[event];
  if (target.isUnclear) {
    doubt(event, "which warps meet at the barrier");
    return meetMaybe(event, state);
  }
  if (target.channel >= 0) {
    if (program.isAmbiguous[target.channel])
      doubt(event, "which warps meet at the barrier: other warps have another "
                   "one, and there are several");
    if (target.isMiscounted)
      doubt(event, "which warps meet at the barrier: others come to it than "
                   "its number of threads says");
    // Those who wait arrive as well.
    release(target.channel, units, /*isCommit=*/false, state);
    if (graph.events[event].kind == EventKind::BarrierSync)
      acquire(target.channel, units, state);
    return;
  }
  meetAll(target.met, state);
  if (target.meetsAll) {
    for (Fact &fact : state.facts) {
      Order &order = fact.order;
      order.acquired = order.acquiredFenced = 0;
      order.releasedPended = order.blocked = 0;
      order.released = order.releasedFirm = order.releasedFenced = 0;
      order.isBack = false;
      order.behind = 0;
    }
    state.maybeWaited.assign(state.maybeWaited.size(), 0);
    state.acquired.assign(state.acquired.size(), 0);
    state.acquiredFenced.assign(state.acquired.size(), 0);
    state.released.assign(state.released.size(), 0);
    state.open.assign(state.open.size(), {0, 0});
    // Who has arrived at the cluster's barrier need not have waited.
    for (Allocation &allocation : state.allocations) {
      allocation.freedBehind = allocation.freedMaybeBehind = 0;
      allocation.meeting.released &= program.clusterChannels;
      allocation.meeting.metReleased &= program.clusterChannels;
    }
  }
  forget(program.getAllUnits(), state);
  state.normalize();
}

/// Arms that stand before may hold accesses that wait for this arrival. Those
/// of the unit that arrives come before them, and have to be ready.
void Flow::checkHandover(unsigned channel, Units who, const State &state) {
  Channels bit = 1ull << channel;
  if (!isReporting)
    return;
  for (const Fact &mine : state.facts) {
    const Order &order = mine.order;
    if (!(who >> order.unit & 1) || isTensor(order.kind) || isSlot(order.kind))
      continue;
    for (const Fact &later : state.facts) {
      const Order &other = later.order;
      if (other.root != order.root || (who >> other.unit & 1) ||
          !(other.acquired & bit) || isSlot(other.kind) ||
          (isRead(other.kind) && isRead(order.kind)) ||
          (order.taken >> other.unit & 1) ||
          ((other.ordered & who) && (other.taken & who)) ||
          (order.maybeMet >> other.unit & 1) ||
          !mine.set->intersects(*later.set))
        continue;
      unsigned site = later.set->findEvent(*mine.set);
      unsigned mySite = mine.set->findEvent(*later.set);
      if (order.level == Level::Pending)
        find(Rule::H3, site,
             "expected the access of another warp to be waited for before the "
             "arrive that hands its cells over",
             mySite, "its cells are accessed here",
             "wait for the transfer before the arrive");
      else if (order.level == Level::Waited)
        find(Rule::H10, site,
             "expected a tcgen05.fence before the arrive behind the access of "
             "another warp",
             mySite, "accessed here by another warp",
             "execute tmem.fence before in front of the barrier or arrive");
      else if (!(other.acquiredFenced & bit))
        find(Rule::H10, site,
             "expected a tcgen05.fence after the wait behind the access of "
             "another warp",
             mySite, "accessed here by another warp",
             "execute tmem.fence after behind the barrier or wait");
    }
    const Allocation &allocation = state.allocations[order.root];
    if ((allocation.states & Allocation::Freed) &&
        (allocation.freedBehind & bit) && order.level == Level::Pending)
      find(Rule::H3, allocation.dealloc,
           "expected the transfer to be waited for before the arrive that lets "
           "its columns be freed",
           mine.set->getFirstEvent(), "accessed here",
           "wait for it before the arrive");
  }
}

void Flow::release(unsigned channel, Units who, bool isCommit, State &state,
                   unsigned relaxed) {
  Channels bit = 1ull << channel;
  if (!isCommit)
    checkHandover(channel, who, state);
  handOnMaybe(who, state);
  if (!isCommit)
    releaseMeetings(channel, who, relaxed, state);
  auto [waiting, fenced] = state.open[channel];
  uint8_t lane = program.nodeLanes[node];
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    bool isOwn = who >> order.unit & 1;
    if (relaxed && isSlot(order.kind)) {
      if (isOwn || ((order.ordered | order.maybeMet) & who))
        doubtRelaxed(relaxed, waiting, order);
      continue;
    }
    Channels before = order.releasedFenced | order.released;
    Channels firmBefore = order.releasedFirm;
    // A commit has what its own thread has issued (PTX ISA, tcgen05.commit).
    bool isOfLane = !isCommit || order.lane == noLane || lane == noLane ||
                    order.lane == lane;
    if (isOwn && isTensor(order.kind) == isCommit && isOfLane) {
      if (isCommit)
        order.level = Level::Fenced;
      if (order.level == Level::Pending)
        order.releasedPended |= bit;
      else
        order.released |= bit, order.releasedFirm |= relaxed ? 0 : bit;
      if (order.level == Level::Fenced)
        order.releasedFenced |= bit;
    }
    // What somebody else has handed to us we hand on.
    if (!isCommit && (order.ordered & who))
      order.released |= bit;
    if (!isCommit && !relaxed && (order.firm & who))
      order.releasedFirm |= bit;
    if (!isCommit && ((order.taken | order.handed) & who))
      order.releasedFenced |= bit;
    // From now on those who wait for us may do it again.
    if (!isOwn && (order.acquired & bit)) {
      order.ordered &= ~who;
      order.firm &= ~who;
      order.handed &= ~who;
      order.taken &= ~who;
    }
    if (order.blocked & bit)
      continue;
    // Arms that stand before may wait already.
    if ((order.released & ~before) & bit)
      order.ordered |= waiting;
    if ((order.releasedFirm & ~firmBefore) & bit)
      order.firm |= waiting;
    if (((order.releasedFenced & ~before) & bit)) {
      order.handed |= waiting;
      order.taken |= fenced;
    }
  }
  if (!isCommit)
    for (unsigned unit = 0; unit < state.released.size(); ++unit)
      if (who >> unit & 1)
        state.released[unit] |= bit;
  state.normalize();
}

/// Words of shared memory behind an arrival or a wait that is relaxed: a fence
/// of memory would order them.
void Flow::doubtRelaxed(unsigned relaxed, Units who, Order &order) {
  if (!order.doubt)
    order.doubt = relaxed;
  order.maybeMet |= who;
}

void Flow::acquire(unsigned channel, Units who, State &state,
                   unsigned relaxed) {
  Channels bit = 1ull << channel;
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    if (who >> order.unit & 1)
      order.isBack = true;
    if (relaxed && isSlot(order.kind) && (order.released & bit)) {
      doubtRelaxed(relaxed, who, order);
      continue;
    }
    if (order.releasedPended & bit)
      order.pended |= who;
    if (order.doubt)
      order.maybeMet |= who;
    if (order.blocked & bit)
      continue;
    if (order.released & bit)
      order.ordered |= who;
    if (!relaxed && (order.releasedFirm & bit))
      order.firm |= who;
    if (order.releasedFenced & bit)
      order.handed |= who;
  }
  for (unsigned unit = 0; unit < state.acquired.size(); ++unit)
    if (who >> unit & 1)
      state.acquired[unit] |= bit;
  state.open[channel].first |= who;
  acquireMeetings(channel, who, state);
  state.normalize();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void Flow::executeEvent(unsigned event, State &state) {
  const Event &what = graph.events[event];
  const Target &target = program.targets[event];
  current = event;
  checkLanes(event);
  checkOperands(event, state);
  switch (what.kind) {
  case EventKind::Alloc:
    return allocate(event, state);
  case EventKind::Dealloc:
    return deallocate(event, state);
  case EventKind::Relinquish:
    checkPair(event, state);
    return usePermit(event, state);
  case EventKind::Load:
  case EventKind::Store:
  case EventKind::TensorWrite:
  case EventKind::TensorRead:
    return transfer(event, state);
  case EventKind::WaitLoad:
    return wait(event, AccessKind::Load, state);
  case EventKind::WaitStore:
    return wait(event, AccessKind::Store, state);
  case EventKind::FenceBefore:
  case EventKind::FenceAfter:
    return fence(event, state);
  case EventKind::BarrierSync:
  case EventKind::BarrierArrive:
    return meet(event, state);
  case EventKind::MBarrierArrive:
  case EventKind::Commit:
  case EventKind::MBarrierWait: {
    if (target.isUnclear || target.channel < 0) {
      doubt(event, what.isUnclear ? "what it hands over: " + what.reason
                                  : Twine("which mbarrier it names"));
      return meetMaybe(event, state);
    }
    if (what.kind != EventKind::MBarrierWait)
      return release(target.channel, units, what.kind == EventKind::Commit,
                     state, what.isRelaxed ? event : 0);
    // The first phase has parity 0; a first wait for 1 passes at once.
    unsigned unit = llvm::countr_zero(units);
    if (what.parity && !state.released[unit] && !state.acquired[unit]) {
      ThreadValue parity = program.evaluator.get(what.parity, what.frame);
      if (parity.isConstant() && (parity.constant & 1))
        return;
    }
    if (program.hasRemoteArrivals)
      acquireMeetingsMaybe(event, units, state);
    return acquire(target.channel, units, state, what.isRelaxed ? event : 0);
  }
  case EventKind::SlotWrite:
    return writeSlot(event, state);
  case EventKind::SlotRead:
    return readSlot(event, state);
  case EventKind::WarpSync:
    for (Fact &fact : state.facts)
      if (fact.order.kind == AccessKind::SlotWrite &&
          (units >> fact.order.unit & 1))
        fact.order.ordered |= 1u << fact.order.unit;
    return state.normalize();
  case EventKind::ClusterArrive:
    return arriveAtCluster(event, state);
  case EventKind::ClusterWait:
    return waitForCluster(event, state);
  case EventKind::RegisterUse:
    return useRegisters(event, state);
  case EventKind::RegisterMove:
    return moveRegisters(event, state);
  case EventKind::Unknown:
    doubt(event, "what it does: " + what.reason);
    return meetMaybe(event, state);
  case EventKind::Exit:
    return leave(event, state);
  case EventKind::MBarrierInit:
  case EventKind::MBarrierInval:
  case EventKind::Transaction:
  case EventKind::OtherSync:
    return;
  case EventKind::End:
    return checkPair(event, state);
  }
}
