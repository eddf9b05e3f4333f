//===- Flow.cpp - The order of events in a kernel -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "tmem/IR/TMemOps.h"
#include <queue>

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// tmem loads without a wait that are kept apart.
static constexpr size_t maxPendingLoads = 2048;

static constexpr char coarseReason[] =
    "whether there is a way to here on which it is wrong: more conditions are "
    "tested twice than are followed";

static constexpr char unwrittenReason[] =
    "what its address is: it is read from a word of shared memory that nothing "
    "is seen to write";

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Rules that runs of a kernel check as well.
static bool isForRuns(Rule rule) {
  switch (rule) {
  case Rule::H9:
  case Rule::H14:
  case Rule::H15:
  case Rule::H16:
  case Rule::H20:
    return false;
  default:
    return true;
  }
}

void Flow::find(Rule rule, unsigned event, const Twine &message, int other,
                const Twine &otherText, const Twine &fix) {
  if (!isReporting)
    return;
  Operation *otherOp = other < 0 ? nullptr : graph.events[other].op;
  Finding finding{rule,    graph.events[event].op, message.str(),
                  otherOp, otherText.str(),        fix.str()};
  finding.calls = getCalls(graph.events[event].frame);
  find(std::move(finding), other);
}

void Flow::find(Finding finding, int other) {
  if (!isReporting)
    return;
  if (finding.op == graph.events[current].op)
    finding.calls = getCalls(graph.events[current].frame);
  if (other >= 0)
    finding.otherCalls = getCalls(graph.events[other].frame);
  if (paths.isCoarse(node)) {
    if (doubted.insert({finding.op, isForRuns(finding.rule)}).second)
      report.undecided.push_back(
          {finding.op, coarseReason, finding.other, isForRuns(finding.rule)});
    return;
  }
  finding.isLoose = paths.isLoose(node) && isForRuns(finding.rule);
  // One of its kind: an operation late by one barrier is late for many.
  if (found.insert({finding.rule, finding.op}).second)
    report.findings.push_back(std::move(finding));
}

void Flow::doubt(unsigned event, const Twine &message, int other,
                 bool isForRuns) {
  Operation *op = graph.events[event].op;
  // What runs decide does not stand for what they do not.
  if (!isReporting || doubted.count({op, false}) ||
      !doubted.insert({op, isForRuns}).second)
    return;
  report.undecided.push_back({op, message.str(),
                              other < 0 ? nullptr : graph.events[other].op,
                              isForRuns});
  report.undecided.back().calls = getCalls(graph.events[event].frame);
}

//===----------------------------------------------------------------------===//
// Cells: one thread, and several
//===----------------------------------------------------------------------===//

/// Accesses of one thread to its own cells.
void Flow::checkOwn(unsigned event, AccessKind kind, const Fact &fact,
                    const Cells &cells, bool isMaybe) {
  if (fact.order.level != Level::Pending ||
      (isRead(fact.order.kind) && isRead(kind)))
    return;
  if (isMaybe || fact.order.isMaybe)
    return doubt(event,
                 "whether it accesses cells of a transfer that is not waited "
                 "for",
                 fact.set->findEvent(cells));
  find(describeAccess(Missing::OwnWait, fact.order.kind, graph.events[event].op,
                      graph.events[fact.set->findEvent(cells)].op),
       fact.set->findEvent(cells));
}

/// True when what is guarded by `guards` cannot have happened yet: the unit
/// itself has still to arrive at one of the barriers that it waited for.
bool Flow::isDormant(Channels guards, unsigned unit, const State &state) const {
  for (; guards; guards &= guards - 1) {
    unsigned channel = llvm::countr_zero(guards);
    if ((program.arrivers[channel] >> unit & 1) &&
        !(state.released[unit] >> channel & 1))
      return true;
  }
  return false;
}

/// True when the unit waits for an arrival of `other` that stands behind: what
/// `other` has done before is looked at there (checkHandover).
bool Flow::isAwaited(unsigned other, unsigned unit, const State &state) const {
  for (Channels guards = state.acquired[unit] & ~state.released[other]; guards;
       guards &= guards - 1)
    if (program.arrivers[llvm::countr_zero(guards)] >> other & 1)
      return true;
  return false;
}

void Flow::checkOther(unsigned event, unsigned unit, AccessKind kind,
                      const Fact &fact, const Cells &cells, const State &state,
                      bool isMaybe) {
  const Order &order = fact.order;
  Units me = 1u << unit;
  bool areReads = isRead(order.kind) && isRead(kind);
  if (!areReads && (order.taken & state.partlyFenced & me) &&
      order.unit != unit && !isTensor(kind))
    return doubt(event,
                 "whether a fence after that some lanes of a warp execute "
                 "counts for the others",
                 fact.set->findEvent(cells), /*isForRuns=*/false);
  if (areReads || (order.taken & me) || isDormant(order.acquired, unit, state))
    return;
  if (!isTensor(order.kind) && order.unit != unit &&
      isAwaited(order.unit, unit, state))
    return;
  int site = fact.set->findEvent(cells);
  if (isMaybe || order.isMaybe)
    return doubt(event,
                 "whether it accesses cells of another warp, of which nothing "
                 "orders the access before",
                 site);
  if (program.hasOtherSync && !(order.ordered & me))
    return doubt(event,
                 "whether the atomics and fences of the kernel order it after "
                 "an access of another warp",
                 site);
  if (unsigned via = findDoubt(order, unit, order.maybeTaken))
    return doubtOrder(event, via, site);
  Missing missing = Missing::FenceAfter;
  if (isTensor(order.kind))
    missing = program.getCompletion(order);
  else if (!(order.ordered & me))
    missing = order.pended & me ? Missing::Wait : Missing::Barrier;
  else if (!(order.handed & me))
    missing = Missing::FenceBefore;
  find(describeAccess(missing, order.kind, graph.events[event].op,
                      graph.events[site].op),
       site);
}

void Flow::access(unsigned event, unsigned unit, AccessKind kind,
                  const Cells &cells, bool isMaybe, State &state) {
  const Target &target = program.targets[event];
  Order order;
  order.root = target.root;
  order.unit = unit;
  order.kind = kind;
  order.acquired = state.acquired[unit];
  order.acquiredFenced = state.acquiredFenced[unit];
  order.behind = state.maybeWaited[unit];
  order.isMaybe = isMaybe;
  if (isTensor(kind))
    order.lane = program.nodeLanes[node];
  if (followsRegisters && kind == AccessKind::Load &&
      graph.events[event].repeat != 0 && state.registers.size() < 64)
    order.load = event;
  bool covers = !isMaybe && !isTensor(kind);
  for (Fact &fact : state.facts) {
    if (fact.order.root != order.root || isSlot(fact.order.kind) ||
        !fact.set->intersects(cells))
      continue;
    bool isOwn = fact.order.unit == unit;
    // One thread's instructions are in order.
    if (isOwn && isTensor(fact.order.kind) && isTensor(kind) &&
        (fact.order.lane == order.lane || fact.order.lane == noLane ||
         order.lane == noLane))
      continue;
    if (!isOwn || isTensor(fact.order.kind)) {
      checkOther(event, unit, kind, fact, cells, state, isMaybe);
      continue;
    }
    checkOwn(event, kind, fact, cells, isMaybe);
    if (isTensor(kind))
      continue;
    // What was handed over before is not handed over again by old arrivals.
    if (!fact.order.isBack)
      order.blocked |= fact.order.released | fact.order.blocked;
    // The newest access stands for those before, which come before whatever it
    // comes before.
    if (covers && fact.order.acquired == order.acquired &&
        fact.order.acquiredFenced == order.acquiredFenced &&
        (kind == AccessKind::Store || fact.order.kind == AccessKind::Load) &&
        fact.order.level != Level::Pending)
      fact.getOwnSet().subtract(cells);
  }
  llvm::erase_if(state.facts, [](const Fact &fact) {
    return !isSlot(fact.order.kind) && fact.set->isEmpty();
  });
  state.add(order, cells, event);
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Of addresses in one word, where not barriers of the whole block alone say
/// which of them a load gives.
static constexpr StringRef guessReason =
    "which of the allocs of one word in shared memory its address comes from";

void Flow::checkAllocated(unsigned event, unsigned unit, State &state) {
  const Allocation &allocation = state.allocations[program.targets[event].root];
  if (!(allocation.states & Allocation::Freed))
    return;
  if (isDormant(allocation.freedBehind, unit, state))
    return;
  unsigned via = allocation.freedMaybeBehind;
  if (via && (maybeArrivers >> unit & 1) && !(allocation.freedBy >> unit & 1))
    return doubtOrder(event, via, allocation.dealloc);
  if (program.roots[program.targets[event].root].isGuessed)
    return doubt(event, guessReason, allocation.dealloc);
  bool isOnly = allocation.states == Allocation::Freed;
  find(Rule::H1, event,
       Twine("expected columns that are allocated, but they ") +
           (isOnly ? "have been freed" : "may have been freed"),
       allocation.dealloc, "freed here", "free them behind the last access");
}

/// Said once: too many addresses are not known.
bool Flow::isRest(unsigned event) {
  if (program.targets[event].root != program.restRoot)
    return false;
  if (!hasRest)
    doubt(event, "there are too many addresses that are not known: which cells "
                 "this and later ones name");
  hasRest = isReporting;
  return true;
}

void Flow::accessCells(unsigned event, State &state) {
  const Event &what = graph.events[event];
  const Target &target = program.targets[event];
  AccessKind kind = getAccessKind(what.kind);
  checkBounds(event, state);
  const Root &root = program.roots[target.root];
  if (!root.isAllocated && root.isUnwritten)
    doubt(event, unwrittenReason, -1, /*isForRuns=*/false);
  else if (!root.isAllocated && program.hasAllocations())
    doubt(event,
          root.isOverwritten ? "which allocation it accesses: its address may "
                               "have been written over"
          : root.candidates.empty()
              ? "which allocation it accesses: its address is not known to "
                "come from one of this kernel"
              : "which allocation it accesses: its address may be one of "
                "several",
          -1, /*isForRuns=*/!root.isOverwritten);
  for (unsigned unit = 0; unit < program.unitWarps.size(); ++unit) {
    if (!(units >> unit & 1))
      continue;
    checkAllocated(event, unit, state);
    bool isMaybe = target.isDynamic || graph.nodes[node].mixed != Mixed::No;
    Cells cells = program.getCells(event, unit);
    if (!cells.isEmpty())
      access(event, unit, kind, cells, isMaybe, state);
  }
}

void Flow::transfer(unsigned event, State &state) {
  const Event &what = graph.events[event];
  if (!isRest(event))
    accessCells(event, state);
  // The vector of a read is there: its wait comes with it.
  if (what.kind != EventKind::Load || isa<ReadOp, ReadSplitOp>(what.op))
    return;
  if (what.repeat != 0)
    return loadRegisters(event, state);
  if (!llvm::all_of(what.op->getUses(), [](OpOperand &use) {
        return isa<WaitLoadOp>(use.getOwner());
      }))
    return; // Carried: rotation has its own waits.
  auto &list = state.pending;
  auto *it = llvm::lower_bound(list, event);
  if (it != list.end() && *it == event)
    find(Rule::H16, event,
         "expected a wait for the pending value on every path to the next "
         "load, but got a path without",
         -1, "", "wait for it where it is loaded, outside of the branch");
  else if (list.size() < maxPendingLoads)
    list.insert(it, event);
  else
    doubtLoads(event);
}

/// Said once.
void Flow::doubtLoads(unsigned event) {
  if (!hasTooManyLoads)
    doubt(event,
          "whether its registers, and those of later loads, are read early: "
          "too many loads are under way",
          -1, /*isForRuns=*/false);
  hasTooManyLoads |= isReporting;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void Flow::allocate(unsigned event, State &state) {
  const Target &target = program.targets[event];
  bool isMixed = graph.nodes[node].mixed != Mixed::No;
  if (llvm::popcount(program.nodeWarps[node]) > 1 && target.root >= 0 &&
      !isMixed)
    find(Rule::H19, event,
         "expected one warp to allocate, but got " +
             Twine(llvm::popcount(program.nodeWarps[node])),
         -1, "", "put it under a condition on the warp");
  doubtGrowth(event, state);
  checkPair(event, state);
  if (target.columns >= 0) {
    checkGrowth(event, state);
    state.lastColumns = std::min<int64_t>(state.lastColumns, target.columns);
    state.lastAlloc = event;
  }
  usePermit(event, state);
  if (target.root < 0)
    return doubt(event, "where it writes the address");
  Allocation &allocation = state.allocations[target.root];
  if (isFreedInArmBefore(event, state))
    return allocateForArmBefore(event, state);
  // Somebody may have read the address before, and free it later.
  if ((allocation.states & Allocation::Live) &&
      program.roots[target.root].isShared)
    doubt(event, "whether the columns of the alloc before are freed",
          allocation.alloc);
  else if (allocation.states & Allocation::Live)
    find(
        Rule::H6, event,
        "expected the columns of the alloc before to be freed, but the address "
        "is overwritten",
        allocation.alloc, "allocated here", "free them before");
  allocation.states = Allocation::Live;
  allocation.columns = target.columns;
  allocation.alloc = event;
  allocation.dealloc = 0;
  allocation.freedBehind = 0;
  allocation.isFreedBefore = false;
  allocation.meeting = Meeting();
  allocation.meeting.behind = units;
  writeSlot(event, state);
}

void Flow::checkFreed(unsigned event, unsigned unit, const State &state) {
  const Target &target = program.targets[event];
  Units me = 1u << unit;
  for (const Fact &fact : state.facts) {
    const Order &order = fact.order;
    if (int(order.root) != target.root || isSlot(order.kind))
      continue;
    int site = fact.set->getFirstEvent();
    bool isOwn = order.unit == unit && !isTensor(order.kind);
    if (isOwn ? order.level != Level::Pending
              : ((order.firm | order.taken) & me) ||
                    isDormant(order.acquired, unit, state))
      continue;
    // In the way of the PTX ISA's patterns, it takes fences.
    if (!isOwn && (order.ordered & me)) {
      doubt(event,
            "whether arrivals that are relaxed order it after an access of "
            "another warp, without tcgen05 fences",
            site);
      continue;
    }
    if (!isOwn && !isTensor(order.kind) && order.level != Level::Pending &&
        isAwaited(order.unit, unit, state))
      continue;
    if (!isOwn && program.hasOtherSync) {
      doubt(event,
            "whether the atomics and fences of the kernel order it after the "
            "accesses of other warps",
            site);
      continue;
    }
    if (unsigned via = isOwn ? 0 : findDoubt(order, unit, order.maybeMet)) {
      doubtOrder(event, via, site);
      continue;
    }
    Missing missing = order.pended & me ? Missing::Wait : Missing::Barrier;
    if (isTensor(order.kind))
      missing = program.getCompletion(order);
    else if (isOwn)
      missing = Missing::OwnWait;
    return find(describeFree(missing, order.kind, graph.events[event].op,
                             graph.events[site].op),
                site);
  }
}

/// What a dealloc says of the columns that it frees.
void Flow::checkColumnsOf(unsigned event, const Allocation &allocation) {
  const Target &target = program.targets[event];
  bool isOther = target.columns >= 0 && allocation.columns >= 0 &&
                 target.columns != allocation.columns;
  bool isFreed = allocation.states & Allocation::Freed;
  if (program.roots[target.root].isGuessed && (isOther || isFreed))
    return doubt(event, guessReason,
                 isFreed ? allocation.dealloc : allocation.alloc);
  checkFreedColumns(event, allocation);
  if (isFreed && allocation.isFreedBefore)
    doubt(event,
          "whether the columns are allocated again: the alloc stands in an arm "
          "behind",
          allocation.dealloc, /*isForRuns=*/false);
  else if (isFreed)
    find(Rule::H7, event,
         "expected columns that are allocated, but they have been freed",
         allocation.dealloc, "freed here", "free them once");
}

void Flow::deallocate(unsigned event, State &state) {
  const Target &target = program.targets[event];
  checkPair(event, state);
  if (llvm::popcount(program.nodeWarps[node]) > 1 &&
      graph.nodes[node].mixed == Mixed::No)
    find(Rule::H19, event,
         "expected one warp to free, but got " +
             Twine(llvm::popcount(program.nodeWarps[node])),
         -1, "", "put it under a condition on the warp");
  if (target.root < 0)
    return;
  if (isRest(event)) {
    for (Allocation &any : state.allocations)
      any.states = Allocation::Never;
    return;
  }
  Allocation &allocation = state.allocations[target.root];
  const Root &root = program.roots[target.root];
  if (root.isAllocated) {
    // Where it is not known which warp frees, that is said (checkLanes).
    bool isOpen = target.offset.table && graph.nodes[node].mixed != Mixed::No;
    int64_t more = target.offset.get(target.thread);
    if (target.isDynamic)
      doubt(event, "whether it frees the address that alloc returned");
    else if (more != 0 && !isOpen)
      find(Rule::H7, event,
           "expected the address that alloc returned, but got " + Twine(more) +
               " more",
           allocation.alloc ? int(allocation.alloc) : -1, "allocated here",
           "free the address as it stands in the slot");
    checkColumnsOf(event, allocation);
    if (allocation.alloc)
      checkMetCluster(event, allocation, state);
  } else if (root.isUnwritten) {
    doubt(event, unwrittenReason, -1, /*isForRuns=*/false);
  } else if (program.hasAllocations()) {
    doubt(event,
          root.isOverwritten
              ? "which allocation it frees: its address may have been written "
                "over"
          : root.candidates.empty()
              ? "which allocation it frees: its address comes from none of "
                "this kernel"
              : "which allocation it frees: its address may be one of several",
          -1, /*isForRuns=*/!root.isOverwritten);
    // Which ones are left is not known.
    for (auto [index, other] : llvm::enumerate(state.allocations))
      if (root.candidates.empty() ? program.roots[index].isAllocated
                                  : llvm::is_contained(root.candidates, index))
        other.states = Allocation::Never;
  }
  unsigned unit = llvm::countr_zero(units);
  if (units)
    checkFreed(event, unit, state);
  allocation.states = Allocation::Freed;
  allocation.dealloc = event;
  allocation.isFreedBefore = false;
  allocation.freedBehind = units ? state.acquired[unit] : 0;
  allocation.freedBy = units;
  allocation.freedMaybeBehind = units ? state.maybeWaited[unit] : 0;
  llvm::erase_if(state.facts, [&](const Fact &fact) {
    return int(fact.order.root) == target.root && !isSlot(fact.order.kind);
  });
}

void Flow::leave(unsigned event, State &state) {
  for (auto [index, allocation] : llvm::enumerate(state.allocations)) {
    if (!program.roots[index].isAllocated ||
        !(allocation.states & Allocation::Live))
      continue;
    if (program.hasUnknown) {
      doubt(allocation.alloc,
            "whether a function that is not followed frees it");
      continue;
    }
    bool everywhere = !(allocation.states & Allocation::Freed);
    find(Rule::H6, allocation.alloc,
         Twine("expected the columns to be freed before the kernel ends, but "
               "got ") +
             (everywhere && allocation.states == Allocation::Live
                  ? "no dealloc"
                  : "a path without a dealloc"),
         allocation.dealloc ? int(allocation.dealloc) : -1,
         "freed here, on another path",
         "free them on every path to the end of the kernel");
  }
  for (uint32_t load : state.pending)
    if (!graph.events[load].op->use_empty())
      find(Rule::H16, load,
           "expected a wait for the pending value on every path, but got a "
           "path without",
           -1, "", "wait for it where it is loaded, outside of the branch");
}

void Flow::checkGroups() {
  if (!program.hasPair || !program.hasSingle)
    return;
  int first = -1;
  for (unsigned event = 0; event < graph.events.size(); ++event) {
    unsigned group = graph.events[event].ctaGroup;
    if (group == 0)
      continue;
    if (first < 0)
      first = event;
    unsigned expected = graph.events[first].ctaGroup;
    if (group != expected)
      find(Rule::H9, event,
           "expected cta_group::" + Twine(expected) +
               " as everywhere in the kernel, but got cta_group::" +
               Twine(group),
           first, "used here", "use one cta_group");
  }
}

void Flow::checkLanes(unsigned event) {
  const Event &what = graph.events[event];
  uint32_t partial = program.partialWarps[node];
  bool isBarrier = what.kind == EventKind::BarrierSync ||
                   what.kind == EventKind::BarrierArrive;
  if (what.isAligned && (program.nodeWarps[node] & program.shortWarp) &&
      !isBarrier)
    find(describeShortWarp(what.op, program.evaluator.getBlock()));
  else if (what.isAligned && partial && !isBarrier)
    find(Rule::H13, event,
         "expected all lanes of a warp to execute it, but some lanes of warp " +
             Twine(llvm::countr_zero(partial)) + " do not",
         -1, "", "branch on the warp, not on the lane");
  Mixed mixed = graph.nodes[node].mixed;
  bool isSync = isBarrier || what.kind == EventKind::Alloc ||
                what.kind == EventKind::Dealloc;
  if (mixed == Mixed::Lanes && (what.isAligned || isSync))
    doubt(event, "which lanes execute it");
  else if (mixed == Mixed::Warps && (what.isAligned || isSync))
    doubt(event, "which warps execute it");
}
