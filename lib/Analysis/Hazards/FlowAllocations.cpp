//===- FlowAllocations.cpp - The order of allocations ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocs, and giving up the permit, are one sequence for all warps of a block:
// what depends on its order is here.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// What is done with the permit: it is used, or given up.
enum PermitUse : uint32_t { Used, GivenUp };

static constexpr char maybeReason[] =
    "whether it comes behind the alloc of another warp: which warps execute "
    "the two is not known";

static bool isUse(const Fact &fact, PermitUse use) {
  return fact.order.kind == AccessKind::Permit && fact.order.root == use;
}

//===----------------------------------------------------------------------===//
// The permit
//===----------------------------------------------------------------------===//

/// Of an alloc or a relinquish.
void Flow::usePermit(unsigned event, State &state) {
  Order order;
  order.root = graph.events[event].kind == EventKind::Alloc ? Used : GivenUp;
  order.kind = AccessKind::Permit;
  order.level = Level::Waited;
  order.isMaybe = graph.nodes[node].mixed != Mixed::No;
  addSlotAccess(order, event, /*isOwnOrdered=*/true, state);
}

/// An alloc behind giving up the permit, or not ordered with that.
void Flow::checkPermit(unsigned event, const State &state) {
  unsigned unit = llvm::countr_zero(units);
  for (const Fact &fact : state.facts) {
    const Order &order = fact.order;
    if (!isUse(fact, GivenUp))
      continue;
    int given = fact.set->getFirstEvent();
    bool isBehind = order.ordered >> unit & 1;
    if (!isBehind && isDormant(order.acquired, unit, state))
      continue;
    if (order.isMaybe || graph.nodes[node].mixed != Mixed::No) {
      doubt(event,
            "whether the permit was given up before: which warps execute the "
            "two is not known",
            given);
      continue;
    }
    if (!isBehind && program.hasOtherSync) {
      doubt(event,
            "whether the atomics and fences of the kernel order it before the "
            "permit is given up",
            given);
      continue;
    }
    if (unsigned via = isBehind ? 0 : findDoubt(order, unit, 0)) {
      doubtOrder(event, via, given);
      continue;
    }
    Finding finding{Rule::H5,
                    graph.events[event].op,
                    "expected no alloc after the permit was given up, but got "
                    "one",
                    graph.events[given].op,
                    "given up here",
                    "relinquish behind the last alloc"};
    finding.isOfOrder = order.unit != unit;
    find(std::move(finding), given);
  }
}

//===----------------------------------------------------------------------===//
// Allocs of other warps
//===----------------------------------------------------------------------===//

/// What is to come behind every alloc of another warp. A way to mend it beside
/// a barrier is `other`.
void Flow::checkBehindAllocs(Rule rule, unsigned event, const Twine &other,
                             const State &state) {
  std::string fix = (other + ", or put a barrier between the two").str();
  llvm::SmallDenseMap<unsigned, Units, 4> allocating;
  for (const Fact &fact : state.facts)
    if (isUse(fact, Used))
      allocating[fact.set->getFirstEvent()] |= 1u << fact.order.unit;
  for (const Fact &fact : state.facts) {
    // That several warps execute one is said there.
    if (!isUse(fact, Used) ||
        (!fact.order.isMaybe &&
         llvm::popcount(allocating[fact.set->getFirstEvent()]) > 1))
      continue;
    // Each warp gives up the permit for all of them.
    Units late = units & ~fact.order.ordered & ~(1u << fact.order.unit);
    for (; late; late &= late - 1)
      checkBehindAlloc({rule, graph.events[event].op,
                        "expected a barrier between the alloc of another warp "
                        "and this, but got none",
                        graph.events[fact.set->getFirstEvent()].op,
                        "allocated here", fix},
                       event, llvm::countr_zero(late), fact, state);
  }
}

/// One unit that nothing orders behind it for certain.
void Flow::checkBehindAlloc(Finding finding, unsigned event, unsigned unit,
                            const Fact &fact, const State &state) {
  const Order &order = fact.order;
  int alloc = fact.set->getFirstEvent();
  bool isLater = isDormant(order.acquired, unit, state);
  // Of two allocs, either may come first.
  if (isAwaited(order.unit, unit, state) ||
      (isLater && finding.rule != Rule::H5))
    return;
  if (isLater)
    return doubt(event,
                 "whether the alloc of another warp, which waits for this one, "
                 "comes behind it",
                 alloc);
  if (order.isMaybe || graph.nodes[node].mixed != Mixed::No)
    return doubt(event, maybeReason, alloc);
  if (program.hasOtherSync)
    return doubt(event,
                 "whether the atomics and fences of the kernel order it after "
                 "the alloc of another warp",
                 alloc);
  if (unsigned via = findDoubt(order, unit, order.maybeMet))
    return doubtOrder(event, via, alloc);
  finding.isOfOrder = true;
  find(std::move(finding), alloc);
}

/// No alloc asks for more columns than the one before (PTX ISA, tcgen05.alloc).
/// In an arm that stands before, one may wait for this.
void Flow::checkGrowth(unsigned event, const State &state) {
  if (!isReporting)
    return;
  int64_t columns = program.targets[event].columns;
  unsigned unit = llvm::countr_zero(units);
  bool grows = columns > state.lastColumns, isOther = false;
  for (const Fact &fact : state.facts) {
    const Order &order = fact.order;
    if (!isUse(fact, Used) || order.unit == unit || (order.ordered >> unit & 1))
      continue;
    unsigned alloc = fact.set->getFirstEvent();
    bool isLater = isDormant(order.acquired, unit, state);
    if (isLater && program.targets[alloc].columns > columns)
      doubt(event,
            "whether the alloc of another warp, which waits for this one and "
            "asks for more columns, comes behind it",
            alloc);
    if (!grows || alloc != state.lastAlloc)
      continue;
    if (isLater)
      return;
    isOther = true;
    if (program.hasOtherSync || findDoubt(order, unit, 0))
      return doubt(event,
                   "whether the alloc of another warp, which asks for fewer "
                   "columns, comes before it",
                   alloc);
  }
  if (!grows)
    return;
  Finding finding{Rule::H8,
                  graph.events[event].op,
                  ("expected at most " + Twine(state.lastColumns) +
                   " columns, as the alloc before asks for, but got " +
                   Twine(columns))
                      .str(),
                  graph.events[state.lastAlloc].op,
                  "allocated here",
                  "allocate the most columns first"};
  finding.isOfOrder = isOther;
  find(std::move(finding), state.lastAlloc);
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Whether another warp may free the columns while this one waits for them.
bool Flow::isFreedByOthers(unsigned root) const {
  return llvm::any_of(graph.getSites(EventKind::Dealloc), [&](EventSite site) {
    return program.targets[site.event].root == int(root) &&
           (program.nodeUnits[site.node] & ~units);
  });
}

/// Whether the columns stay allocated while this warp waits for others.
bool Flow::isKept(unsigned root, const State &state) const {
  return state.allocations[root].states == Allocation::Live &&
         !isFreedByOthers(root);
}

/// Whether they may be so: a dealloc in an arm that stands before may wait for
/// this warp.
bool Flow::mayBeKept(unsigned root, const State &state) const {
  const Allocation &allocation = state.allocations[root];
  return (allocation.states & Allocation::Live) ||
         ((allocation.states & Allocation::Freed) &&
          isDormant(allocation.freedBehind, llvm::countr_zero(units), state));
}

/// An alloc waits until there are columns: for ever, if it is its own warp that
/// keeps them (PTX ISA, tcgen05.alloc). What other warps free, and when, is for
/// runs.
void Flow::checkCapacity(unsigned event, const State &state) {
  bool isExclusive = graph.events[event].isExclusive;
  const Target &target = program.targets[event];
  int64_t most = isExclusive ? getMaxColumns() : getMaxPlainColumns();
  int other = -1;
  // Of those that `isThere` holds for, and of this.
  auto fits = [&](bool (Flow::*isThere)(unsigned, const State &) const,
                  int64_t &used, bool &isAlone) {
    used = target.columns;
    isAlone = !isExclusive;
    other = -1;
    for (auto [index, allocation] : llvm::enumerate(state.allocations)) {
      if (allocation.columns < 1 || !program.roots[index].isAllocated ||
          int(index) == target.root || !(this->*isThere)(index, state))
        continue;
      used += allocation.columns;
      other = allocation.alloc;
      isAlone &= !graph.events[allocation.alloc].isExclusive;
    }
    return other < 0 || (isAlone && used <= most);
  };
  int64_t used;
  bool isAlone;
  if (target.columns < 1 || fits(&Flow::mayBeKept, used, isAlone))
    return;
  int kept = other;
  if (fits(&Flow::isKept, used, isAlone))
    return doubt(event,
                 "whether the columns that it waits for are freed before: who "
                 "frees them may wait for this warp",
                 kept);
  if (!isAlone)
    return find(Rule::H23, event,
                "expected no other allocation beside an exclusive one, but got "
                "one",
                other, "allocated here", "free the one before the other");
  find(Rule::H23, event,
       "expected at most " + Twine(most) + " columns at one time, but got " +
           Twine(used),
       other, "allocated here", "free columns before, or allocate fewer");
}

void Flow::checkAllocation(unsigned event, const State &state) {
  checkAgreement(event, graph.events[event].address, "slot");
  checkCapacity(event, state);
  checkPermit(event, state);
  checkBehindAllocs(Rule::H19, event, "let one warp allocate", state);
}
