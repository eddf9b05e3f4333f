//===- FlowSlots.cpp - Words that hold addresses --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

void Flow::writeSlot(unsigned event, State &state) {
  if (program.mbarrierStores.count(event))
    doubt(event, "whether the mbarrier that it writes over is in use");
  int slot = program.targets[event].slot;
  if (slot < 0)
    return;
  writeSlot(event, slot, state);
  auto more = program.moreSlots.find(event);
  if (more != program.moreSlots.end())
    for (int other : more->second)
      writeSlot(event, other, state);
}

void Flow::writeSlot(unsigned event, int slot, State &state) {
  checkOverwritten(event, slot, state);
  state.written |= 1ull << slot;
  state.mayBeWritten |= 1ull << slot;
  llvm::erase_if(state.facts, [&](const Fact &fact) {
    return isSlot(fact.order.kind) && fact.order.kind != AccessKind::Permit &&
           int(fact.order.root) == slot;
  });
  Order order;
  order.root = slot;
  order.kind = AccessKind::SlotWrite;
  order.level = Level::Waited;
  // A store's own lane sees it, and so do all lanes that store; other lanes,
  // and the warp of an alloc, need bar.warp.sync.
  bool isStore = graph.events[event].kind == EventKind::SlotWrite;
  if (isStore)
    order.lane = program.nodeLanes[node];
  addSlotAccess(order, event, isStore && order.lane == noLane, state);
}

/// Of each unit that runs the event; `isOwnOrdered`: its warp knows at once.
void Flow::addSlotAccess(Order order, unsigned event, bool isOwnOrdered,
                         State &state) {
  Cells cell;
  cell.add(0, 0, 1);
  for (unsigned unit = 0; unit < program.unitWarps.size(); ++unit)
    if (units >> unit & 1) {
      order.unit = unit;
      order.acquired = state.acquired[unit];
      order.behind = state.maybeWaited[unit];
      order.ordered = isOwnOrdered ? 1u << unit : 0;
      state.add(order, cell, event);
    }
}

void Flow::readSlot(unsigned event, State &state) {
  int slot = program.targets[event].slot;
  if (slot < 0)
    return;
  bool must = state.written >> slot & 1, may = state.mayBeWritten >> slot & 1;
  int writer = -1;
  for (unsigned other = 0; isReporting && other < graph.events.size() && !must;
       ++other)
    if (program.targets[other].slot == slot &&
        graph.events[other].kind != EventKind::SlotRead) {
      writer = other;
      break;
    }
  for (unsigned unit = 0; unit < program.unitWarps.size(); ++unit) {
    if (!(units >> unit & 1))
      continue;
    if (!must && (may || state.acquired[unit] == 0))
      find(Rule::H14, event,
           Twine("expected the address to be written on every path to here, "
                 "but got a path on which nothing writes it"),
           writer, "written here", "write it outside of the loop or branch");
    for (const Fact &fact : state.facts) {
      const Order &order = fact.order;
      if (order.kind != AccessKind::SlotWrite || int(order.root) != slot ||
          (order.ordered >> unit & 1) || isDormant(order.acquired, unit, state))
        continue;
      bool isOwn = order.unit == unit && order.lane != noLane;
      if (isOwn && order.lane == program.nodeLanes[node])
        continue;
      int site = fact.set->getFirstEvent();
      if (isOwn && graph.nodes[node].mixed != Mixed::No) {
        doubt(event, "which lanes execute it", site);
        continue;
      }
      // What has written it arrives in an arm behind.
      bool isLate = order.unit != unit && isAwaited(order.unit, unit, state);
      if (isLate && !program.relaxedChannels)
        continue;
      if (isLate)
        doubt(event,
              "whether arrivals that are relaxed order it after the write of "
              "the address",
              site);
      else if (program.hasOtherSync)
        doubt(event,
              "whether the atomics and fences of the kernel order it "
              "after the write of the address",
              site);
      else if (unsigned via = findDoubt(order, unit, order.maybeMet))
        doubtOrder(event, via, site);
      else
        find(Rule::H4, event,
             "expected a barrier between the write of the address and this "
             "read, but got none",
             site, "written here",
             "put a barrier between them, or bar.warp.sync in one warp");
    }
  }
  if (program.isRewritten[slot])
    addSlotRead(event, slot, state);
}

/// An address is written over only when all have read it.
void Flow::addSlotRead(unsigned event, int slot, State &state) {
  Order order;
  order.root = slot;
  order.kind = AccessKind::SlotRead;
  order.level = Level::Fenced;
  order.isMaybe = graph.nodes[node].mixed != Mixed::No;
  addSlotAccess(order, event, /*isOwnOrdered=*/true, state);
}

void Flow::checkOverwritten(unsigned event, int slot, const State &state) {
  for (const Fact &fact : state.facts) {
    const Order &order = fact.order;
    if (order.kind != AccessKind::SlotRead || int(order.root) != slot)
      continue;
    for (unsigned unit = 0; unit < program.unitWarps.size(); ++unit) {
      if (!(units >> unit & 1) || (order.ordered >> unit & 1) ||
          isDormant(order.acquired, unit, state) ||
          isAwaited(order.unit, unit, state))
        continue;
      if (program.hasOtherSync || order.isMaybe ||
          graph.nodes[node].mixed != Mixed::No)
        doubt(event,
              "whether every warp has read the address that was there before",
              fact.set->getFirstEvent());
      else if (unsigned via = findDoubt(order, unit, order.maybeMet))
        doubtOrder(event, via, fact.set->getFirstEvent());
      else
        find(Rule::H4, event,
             "expected a barrier between the read of the address by another "
             "warp and this write over it, but got none",
             fact.set->getFirstEvent(), "read here by another warp",
             "put a barrier between them");
    }
  }
}
