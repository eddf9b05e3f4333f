//===- Pairs.cpp - Pairs of CTAs ------------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pair allocates and frees together, and meets in between. One CTA is looked
// at: the peer runs the same code, as long as both agree on what decides. So
// who waits for the cluster behind an arrival that comes after the alloc comes
// after the peer's alloc. mbarriers of the peer are not followed.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Who comes after the alloc, and has met the peer
//===----------------------------------------------------------------------===//

void Flow::releaseMeetings(unsigned channel, Units who, unsigned relaxed,
                           State &state) const {
  Channels bit = 1ull << channel;
  Units waiting = state.open[channel].first;
  bool isCluster = program.clusterChannels & bit;
  for (Allocation &allocation : state.allocations) {
    Meeting &meeting = allocation.meeting;
    if (relaxed) {
      Units before = isCluster ? meeting.behind : meeting.met;
      if ((before & who) && !(meeting.released & bit)) {
        meeting.relaxed |= bit;
        meeting.maybeMet |= waiting;
        meeting.via = meeting.via ? meeting.via : relaxed;
      }
      continue;
    }
    // Arms that stand before may wait already.
    if ((meeting.behind & who) && !(meeting.released & bit)) {
      meeting.released |= bit;
      meeting.behind |= waiting;
      meeting.met |= isCluster ? waiting : 0;
    }
    if ((meeting.met & who) && !(meeting.metReleased & bit)) {
      meeting.metReleased |= bit;
      meeting.met |= waiting;
    }
  }
}

void Flow::acquireMeetings(unsigned channel, Units who, State &state) const {
  Channels bit = 1ull << channel;
  for (Allocation &allocation : state.allocations) {
    Meeting &meeting = allocation.meeting;
    if (meeting.released & bit) {
      meeting.behind |= who;
      meeting.met |= program.clusterChannels & bit ? who : 0;
    }
    if (meeting.metReleased & bit)
      meeting.met |= who;
    if (meeting.relaxed & bit)
      meeting.maybeMet |= who;
  }
}

/// A wait that may be for the peer, or for somebody who has met it.
void Flow::acquireMeetingsMaybe(unsigned event, Units who, State &state) const {
  bool isLocal = graph.events[event].kind == EventKind::BarrierSync;
  for (Allocation &allocation : state.allocations) {
    Meeting &meeting = allocation.meeting;
    if (!(allocation.states & Allocation::Live) ||
        (isLocal && !meeting.met && !meeting.maybeMet))
      continue;
    meeting.maybeMet |= who;
    meeting.via = meeting.via ? meeting.via : event;
  }
}

/// Whether the unit waits for somebody who stands in an arm behind.
bool Flow::isAwaitedByOthers(unsigned unit, const State &state) const {
  for (unsigned other = 0; other < program.unitWarps.size(); ++other)
    if (other != unit && isAwaited(other, unit, state))
      return true;
  return false;
}

/// Whether the unit has waited for the cluster, in a phase that somebody who
/// comes after the alloc has still to arrive in, in an arm behind.
bool Flow::isMetInArmBehind(unsigned unit, const Meeting &meeting,
                            const State &state) const {
  Channels waited =
      state.acquired[unit] & program.clusterChannels & ~program.relaxedChannels;
  for (; waited; waited &= waited - 1) {
    unsigned channel = llvm::countr_zero(waited);
    Units late = meeting.behind & program.arrivers[channel];
    for (; late; late &= late - 1)
      if (!(state.released[llvm::countr_zero(late)] >> channel & 1))
        return true;
  }
  return false;
}

/// A pair frees behind a barrier of the cluster that comes behind the alloc
/// (PTX ISA, tcgen05.dealloc).
void Flow::checkMetCluster(unsigned event, const Allocation &allocation,
                           const State &state) {
  const Meeting &meeting = allocation.meeting;
  if (graph.events[event].ctaGroup != 2 || !units || (meeting.met & units))
    return;
  int alloc = allocation.alloc ? int(allocation.alloc) : -1;
  unsigned unit = llvm::countr_zero(units);
  if (isMetInArmBehind(unit, meeting, state))
    return;
  bool isHandedOn = state.acquired[unit] || state.maybeWaited[unit];
  bool isMaybe = (meeting.maybeMet & units) || (meeting.maybeMet && isHandedOn);
  if (isMaybe && graph.events[meeting.via].isRelaxed)
    return doubt(event,
                 "whether an arrival that is relaxed orders it after the alloc "
                 "of the peer",
                 alloc, /*isForRuns=*/false);
  if (isMaybe || state.maybeWaited[unit] || program.hasOtherSync ||
      isAwaitedByOthers(unit, state))
    return doubt(event,
                 "whether the pair of CTAs has met since the alloc: what may "
                 "order it is not followed",
                 alloc, /*isForRuns=*/false);
  find(Rule::H20, event,
       "expected a barrier of the cluster between the alloc and the dealloc "
       "of a pair of CTAs, but got none",
       alloc, "allocated here",
       "put cluster.arrive and cluster.wait between them");
}

//===----------------------------------------------------------------------===//
// Arms that stand in front of the alloc's
//===----------------------------------------------------------------------===//

/// Whether what has freed the columns waits for an arrival that is behind this
/// alloc, or may: it is the one that it frees.
bool Flow::isFreedInArmBefore(unsigned event, const State &state) const {
  const Allocation &allocation = state.allocations[program.targets[event].root];
  return units && allocation.states == Allocation::Freed &&
         (isDormant(allocation.freedBehind, llvm::countr_zero(units), state) ||
          (allocation.freedMaybeBehind && !(allocation.freedBy & units)));
}

void Flow::allocateForArmBefore(unsigned event, State &state) {
  const Target &target = program.targets[event];
  Allocation &allocation = state.allocations[target.root];
  unsigned dealloc = allocation.dealloc;
  bool isCertain =
      isDormant(allocation.freedBehind, llvm::countr_zero(units), state);
  if (!isCertain)
    doubt(event, "whether the dealloc in an arm in front frees it", dealloc,
          /*isForRuns=*/false);
  int64_t freed = program.targets[dealloc].columns;
  if (isCertain && target.columns >= 0 && freed >= 0 && freed != target.columns)
    find(Rule::H7, dealloc,
         "expected the " + Twine(target.columns) +
             " columns that were allocated, but got " + Twine(freed),
         event, "allocated here", "free as many columns");
  // The phase that it has waited for is one that this warp has still to come
  // to.
  Channels met = allocation.freedBehind & program.clusterChannels &
                 ~program.relaxedChannels &
                 ~state.released[llvm::countr_zero(units)];
  if (isCertain && graph.events[dealloc].ctaGroup == 2 && !met)
    doubt(dealloc,
          "whether the pair of CTAs has met since the alloc, which stands in "
          "an arm behind",
          event, /*isForRuns=*/false);
  allocation.columns = target.columns;
  allocation.alloc = event;
  allocation.isFreedBefore = true;
  writeSlot(event, state);
}

//===----------------------------------------------------------------------===//
// Both CTAs
//===----------------------------------------------------------------------===//

/// Whether there is an alloc that may be still to come.
static bool hasAllocsBehind(const Program &program, const State &state,
                            bool isInLoop) {
  for (auto [root, allocation] :
       llvm::zip_equal(program.roots, state.allocations))
    if (root.isAllocated &&
        ((allocation.states & Allocation::Never) ||
         (isInLoop && (allocation.states & Allocation::Freed))))
      return true;
  return false;
}

/// The first instruction for a pair of CTAs: a launch has to have those.
Operation *Program::findPair() const {
  if (!hasPair)
    return nullptr;
  return llvm::find_if(graph.events,
                       [](const Event &event) { return event.ctaGroup == 2; })
      ->op;
}

/// What both CTAs of a pair have to do, and as often as each other: to allocate
/// and to free in one order, and to come to the barrier of the cluster before
/// that.
void Flow::checkPair(unsigned event, const State &state) {
  const Event &what = graph.events[event];
  if (!isReporting || !program.hasPair)
    return;
  bool isAllocation = what.ctaGroup == 2;
  if (!isAllocation &&
      !hasAllocsBehind(program, state, graph.nodes[node].isInLoop))
    return;
  bool isFreeOfOne = what.kind == EventKind::Dealloc &&
                     llvm::count_if(program.roots, [](const Root &root) {
                       return root.isAllocated;
                     }) == 1;
  if (!isFreeOfOne && !pair.isExecutedBySame(what.op, what.frame))
    return doubt(event,
                 "whether the peer CTA executes it as well: what decides on it "
                 "may differ between the two",
                 -1, /*isForRuns=*/false);
  if (what.columns && !pair.isSame(what.columns, what.frame))
    doubt(event,
          "whether both CTAs of the pair have as many columns: the number may "
          "differ between the two",
          -1, /*isForRuns=*/false);
}
