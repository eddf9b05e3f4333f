//===- FlowDoubts.cpp - Synchronization that is not known -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier of unknown number, an unknown mbarrier, code that is not read: what
// they order is not known. What they may order is kept beside what is ordered,
// so that nothing is called wrong which they may make right.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Those who may hand something over there.
static bool mayArrive(EventKind kind) {
  return kind != EventKind::MBarrierWait && kind != EventKind::ClusterWait;
}
/// Those who may come after others there.
static bool mayWait(EventKind kind) {
  return kind == EventKind::BarrierSync || kind == EventKind::MBarrierWait ||
         kind == EventKind::ClusterWait || kind == EventKind::Unknown;
}

/// An event of which it is not known with whom it meets.
void Flow::meetMaybe(unsigned event, State &state) {
  EventKind kind = graph.events[event].kind;
  if (mayArrive(kind))
    releaseMaybe(event, units, state);
  if (mayWait(kind))
    acquireMaybe(event, units, state);
  state.normalize();
}

/// Who has waited before, in an arm that stands before, may have waited for
/// this.
static void handToWaiting(Order &order, const State &state) {
  for (auto [unit, waited] : llvm::enumerate(state.maybeWaited)) {
    if (!waited || unit == order.unit)
      continue;
    order.maybeMet |= 1u << unit;
    if (!order.doubt)
      order.doubt = waited;
  }
}

void Flow::releaseMaybe(unsigned event, Units who, State &state) {
  EventKind kind = graph.events[event].kind;
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    bool byTensorCore = isTensor(order.kind);
    bool isReady = byTensorCore ? kind == EventKind::Commit
                                : kind != EventKind::Commit &&
                                      order.level != Level::Pending;
    bool isOwn =
        (who >> order.unit & 1) && (kind == EventKind::Unknown || isReady);
    bool isOthers =
        kind != EventKind::Commit && ((order.ordered | order.maybeMet) & who);
    if (!isOwn && !isOthers)
      continue;
    if (!order.doubt)
      order.doubt = event;
    handToWaiting(order, state);
  }
}

/// An arrival that is known: behind something doubtful, or for a wait that is.
void Flow::handOnMaybe(Units who, State &state) {
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    if ((order.maybeMet | 1u << order.unit) & who)
      handToWaiting(order, state);
  }
}

void Flow::acquireMaybe(unsigned event, Units who, State &state) {
  bool isUnknown = graph.events[event].kind == EventKind::Unknown;
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    if (!order.doubt && !order.released)
      continue;
    if (!order.doubt)
      order.doubt = event;
    order.maybeMet |= who;
    if (isUnknown)
      order.maybeTaken |= who;
  }
  for (unsigned unit = 0; unit < state.maybeWaited.size(); ++unit)
    if (who >> unit & 1)
      state.maybeWaited[unit] = event;
  acquireMeetingsMaybe(event, who, state);
}

/// Who arrives at anything that a doubtful wait may be for.
void Flow::findMaybeArrivers() {
  for (auto [node, event] : graph.getSites(EventKind::BarrierSync))
    if (!program.targets[event].meetsAll)
      maybeArrivers |= program.nodeUnits[node];
  for (auto [node, event] : graph.getSites(EventKind::ClusterArrive))
    if (program.targets[event].isUnclear)
      maybeArrivers |= program.nodeUnits[node];
  for (EventKind kind : {EventKind::BarrierArrive, EventKind::MBarrierArrive,
                         EventKind::Commit, EventKind::Unknown})
    for (auto [node, event] : graph.getSites(kind))
      maybeArrivers |= program.nodeUnits[node];
}

/// The event that may order `unit` behind an access, or the access behind what
/// `unit` does now; 0 if there is none. `who`: those whom it may order.
unsigned Flow::findDoubt(const Order &order, unsigned unit, Units who) const {
  if (who >> unit & 1)
    return order.doubt;
  bool isOther = order.unit != unit && !(order.ordered >> unit & 1);
  return isOther && (maybeArrivers >> unit & 1) ? order.behind : 0;
}

void Flow::doubtOrder(unsigned event, unsigned via, int other) {
  Operation *op = graph.events[event].op;
  if (!isReporting || doubted.count({op, false}) ||
      !doubted.insert({op, /*isForRuns=*/true}).second)
    return;
  Undecided undecided{op,
                      "whether something orders it and an access before: what "
                      "stands between them is not decided",
                      other < 0 ? nullptr : graph.events[other].op,
                      /*isForRuns=*/true};
  undecided.via = graph.events[via].op;
  report.undecided.push_back(undecided);
}
