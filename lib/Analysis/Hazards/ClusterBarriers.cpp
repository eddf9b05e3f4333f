//===- ClusterBarriers.cpp - Barriers of the cluster ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// barrier.cluster.wait comes behind the barrier.cluster.arrive of every thread,
// and of what each has done before that; not of what stands between the two.
// All threads take part in each phase, so a thread's n-th arrival is for its
// n-th wait: arrivals are counted along the graph, and each phase is a barrier
// of its own. Where all threads wait in one place the count starts anew.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Phases that warps may be apart before they meet in one place.
static constexpr uint8_t maxPhases = 8;
/// How often differs from path to path.
static constexpr uint8_t unknownCount = 0xff;

static bool isClusterEvent(EventKind kind) {
  return kind == EventKind::ClusterArrive || kind == EventKind::ClusterWait;
}

namespace {
/// How often a unit has arrived and waited since all threads waited together.
struct Count {
  uint8_t arrivals = 0, waits = 0;
  bool isKnown() const { return arrivals != unknownCount; }
  bool operator==(const Count &other) const {
    return arrivals == other.arrivals && waits == other.waits;
  }
};

/// By unit; empty where no path has come yet.
using Counts = SmallVector<Count, 4>;

class PhaseCounter {
public:
  explicit PhaseCounter(const Program &program) : program(program) {}
  /// Counts up to the end of a node, and tells `visit` of each event: its
  /// phase, or -1, and whether all threads wait there.
  void execute(unsigned node, Counts &counts,
               llvm::function_ref<void(unsigned, int, bool)> visit) const;
  /// By node: what is known where it begins.
  std::vector<Counts> solve() const;

private:
  int step(EventKind kind, Units units, Counts &counts) const;
  bool hasWholeWarps(unsigned node) const;
  bool hasAllThreads(unsigned node) const;

  const Program &program;
};
} // namespace

/// Lanes that have ended are not waited for.
bool PhaseCounter::hasWholeWarps(unsigned node) const {
  const Node &where = program.graph.nodes[node];
  if (where.mixed != Mixed::No)
    return false;
  ThreadSet accountedFor = where.getAccountedFor();
  unsigned numThreads = program.evaluator.getBlock().getNumThreads();
  for (unsigned thread = 0; thread < numThreads; ++thread)
    if ((program.partialWarps[node] >> (thread / warpSize) & 1) &&
        !accountedFor[thread])
      return false;
  return true;
}

bool PhaseCounter::hasAllThreads(unsigned node) const {
  const Node &where = program.graph.nodes[node];
  return where.mixed == Mixed::No &&
         where.getAccountedFor().count() ==
             program.evaluator.getBlock().getNumThreads();
}

/// The phase that units arrive at or wait for, or -1 if it is not known.
int PhaseCounter::step(EventKind kind, Units units, Counts &counts) const {
  bool isWait = kind == EventKind::ClusterWait;
  int phase = -1;
  bool isKnown = true;
  for (auto [unit, count] : llvm::enumerate(counts)) {
    if (!(units >> unit & 1))
      continue;
    // A thread arrives once for each phase, and then waits for it.
    isKnown &= count.isKnown() && count.arrivals - count.waits == int(isWait) &&
               (phase < 0 || phase == count.waits) && count.waits < maxPhases;
    phase = count.waits;
  }
  for (auto [unit, count] : llvm::enumerate(counts)) {
    if (!(units >> unit & 1))
      continue;
    if (!isKnown)
      count = {unknownCount, unknownCount};
    else
      ++(isWait ? count.waits : count.arrivals);
  }
  return isKnown ? phase : -1;
}

void PhaseCounter::execute(
    unsigned node, Counts &counts,
    llvm::function_ref<void(unsigned, int, bool)> visit) const {
  Units units = program.nodeUnits[node];
  for (unsigned event : program.graph.nodes[node].events) {
    EventKind kind = program.graph.events[event].kind;
    if (!isClusterEvent(kind))
      continue;
    if (!hasWholeWarps(node))
      for (auto [unit, count] : llvm::enumerate(counts))
        if (units >> unit & 1)
          count = {unknownCount, unknownCount};
    int phase = step(kind, units, counts);
    bool isTogether =
        kind == EventKind::ClusterWait && phase >= 0 && hasAllThreads(node);
    if (isTogether)
      counts.assign(counts.size(), Count());
    visit(event, phase, isTogether);
  }
}

static bool join(Counts &to, const Counts &from) {
  if (to.empty()) {
    to = from;
    return true;
  }
  bool changed = false;
  for (auto [a, b] : llvm::zip_equal(to, from))
    if (!(a == b) && a.isKnown()) {
      a = {unknownCount, unknownCount};
      changed = true;
    }
  return changed;
}

std::vector<Counts> PhaseCounter::solve() const {
  const Graph &graph = program.graph;
  std::vector<Counts> known(graph.nodes.size());
  known[0].resize(program.unitWarps.size());
  std::set<unsigned> worklist{0};
  while (!worklist.empty()) {
    unsigned node = *worklist.begin();
    worklist.erase(worklist.begin());
    Counts counts = known[node];
    execute(node, counts, [](unsigned, int, bool) {});
    for (const Edge &edge : graph.getEdges(node))
      if (join(known[edge.to], counts))
        worklist.insert(edge.to);
  }
  return known;
}

void Program::resolveClusterBarriers() {
  if (graph.getSites(EventKind::ClusterArrive).empty() &&
      graph.getSites(EventKind::ClusterWait).empty())
    return;
  PhaseCounter counter(*this);
  std::vector<Counts> known = counter.solve();
  for (auto [node, counts] : llvm::enumerate(known)) {
    if (counts.empty() || nodeUnits[node] == 0)
      continue;
    unsigned where = node;
    counter.execute(node, counts, [&](unsigned event, int phase, bool isAll) {
      Target &target = targets[event];
      target.isUnclear = phase < 0;
      target.meetsAll = isAll;
      if (phase < 0)
        return;
      useChannel(event, where, {-2, phase},
                 graph.events[event].kind == EventKind::ClusterArrive);
      if (target.channel < 0)
        return;
      clusterChannels |= 1ull << target.channel;
      if (graph.events[event].isRelaxed)
        relaxedChannels |= 1ull << target.channel;
    });
  }
}

//===----------------------------------------------------------------------===//
// Their order
//===----------------------------------------------------------------------===//

void Flow::arriveAtCluster(unsigned event, State &state) {
  const Target &target = program.targets[event];
  checkPair(event, state);
  if (target.isUnclear || target.channel < 0) {
    doubt(event, "for which wait of the cluster's barrier it is");
    return meetMaybe(event, state);
  }
  release(target.channel, units, /*isCommit=*/false, state,
          graph.events[event].isRelaxed ? event : 0);
}

void Flow::waitForCluster(unsigned event, State &state) {
  const Target &target = program.targets[event];
  if (target.isUnclear || target.channel < 0) {
    doubt(event, "for which arrivals at the cluster's barrier it waits");
    return meetMaybe(event, state);
  }
  acquire(target.channel, units, state);
  if (!target.meetsAll)
    return;
  forgetChannels(program.clusterChannels, state);
  forget(program.getAllUnits(), state);
  state.normalize();
}

/// Whoever will use these barriers again uses them for something else.
void Flow::forgetChannels(Channels channels, State &state) {
  auto clear = [&](Channels &known) { known &= ~channels; };
  for (Fact &fact : state.facts) {
    Order &order = fact.order;
    for (Channels *known :
         {&order.acquired, &order.acquiredFenced, &order.releasedPended,
          &order.released, &order.releasedFirm, &order.releasedFenced,
          &order.blocked})
      clear(*known);
  }
  for (auto *known : {&state.acquired, &state.acquiredFenced, &state.released})
    llvm::for_each(*known, clear);
  for (unsigned channel = 0; channel < state.open.size(); ++channel)
    if (channels >> channel & 1)
      state.open[channel] = {0, 0};
  for (Allocation &allocation : state.allocations) {
    clear(allocation.freedBehind);
    clear(allocation.meeting.released);
    clear(allocation.meeting.relaxed);
    clear(allocation.meeting.metReleased);
  }
}
