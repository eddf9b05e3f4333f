//===- FlowSolve.cpp - States at the nodes of a kernel --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is gone through in stretches to which nothing behind them leads
// back: single nodes, and loops. Once the states of a stretch are stable, its
// events are checked, and the states given up: there are never more than those
// of a stretch and the nodes right behind it.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Visits of a node, for each way to it that is told apart.
static constexpr unsigned maxVisits = 40;

//===----------------------------------------------------------------------===//
// The order of nodes
//===----------------------------------------------------------------------===//

/// Nodes that can be reached in reverse postorder, so that most are visited
/// once; of successors the first one first.
static std::vector<unsigned> getOrder(const Graph &graph) {
  std::vector<unsigned> order;
  std::vector<char> seen(graph.nodes.size(), 0);
  std::vector<std::pair<unsigned, unsigned>> stack; // And how many are left.
  auto push = [&](unsigned node) {
    seen[node] = 1;
    stack.push_back({node, graph.getEdges(node).size()});
  };
  push(0);
  while (!stack.empty()) {
    auto &[node, left] = stack.back();
    if (left == 0) {
      order.push_back(node);
      stack.pop_back();
    } else if (unsigned to = graph.getEdges(node)[--left].to; !seen[to]) {
      push(to);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Flow::Schedule::Schedule(const Graph &graph)
    : nodes(getOrder(graph)), positions(graph.nodes.size(), ~0u),
      ends(nodes.size()) {
  for (auto [position, node] : llvm::enumerate(nodes))
    positions[node] = position;
  for (auto [position, node] : llvm::enumerate(nodes))
    for (const Edge &edge : graph.getEdges(node))
      ends[std::min<unsigned>(positions[edge.to], position)] = position + 1;
  // What leads back into a stretch is of it.
  for (unsigned first = 0, end; first < nodes.size(); first = end) {
    end = std::max(ends[first], first + 1);
    for (unsigned next = first; next < end; ++next)
      end = std::max(end, ends[next]);
    ends[first] = end;
  }
}

//===----------------------------------------------------------------------===//
// The fixpoint
//===----------------------------------------------------------------------===//

void Flow::enter(State &state) const {
  state.allocations.resize(program.roots.size());
  state.acquired.resize(program.unitWarps.size(), 0);
  state.acquiredFenced.resize(program.unitWarps.size(), 0);
  state.released.resize(program.unitWarps.size(), 0);
  state.maybeWaited.resize(program.unitWarps.size(), 0);
  state.open.resize(program.arrivers.size(), {0, 0});
  state.written = 0;
}

void Flow::execute(unsigned index, State &state) {
  node = index;
  units = program.nodeUnits[index];
  if (units == 0)
    return;
  for (unsigned event : graph.nodes[index].events)
    executeEvent(event, state);
}

/// Takes a state to the successors of a node.
void Flow::spread(unsigned from, const Knowledge &known,
                  const SharedState &state) {
  Knowledge there;
  for (unsigned edge = graph.edgeBegins[from];
       edge != graph.edgeBegins[from + 1]; ++edge) {
    if (!paths.follow(edge, known, there))
      continue;
    unsigned successor = graph.edges[edge].to;
    auto &ways = states[successor];
    auto *it =
        llvm::find_if(ways, [&](Way &way) { return way.known == there; });
    if (it == ways.end()) {
      ways.push_back({there, state, true});
    } else if (it->state != state) {
      SharedState both = it->state;
      if (!getOwn(both).join(*state))
        continue;
      it->state = std::move(both);
      it->isNew = true;
    } else {
      continue;
    }
    worklist.insert(schedule.positions[successor]);
  }
}

/// Follows states until those in front of a position are stable. False if there
/// are too many ways.
bool Flow::settle(unsigned end) {
  while (!worklist.empty() && *worklist.begin() < end) {
    unsigned index = schedule.nodes[*worklist.begin()];
    worklist.erase(worklist.begin());
    for (unsigned way = 0; way < states[index].size(); ++way) {
      if (!std::exchange(states[index][way].isNew, false))
        continue;
      if (budget-- == 0)
        return false;
      Knowledge known = states[index][way].known;
      SharedState state = states[index][way].state;
      if (!graph.nodes[index].events.empty())
        execute(index, getOwn(state));
      spread(index, known, state);
    }
  }
  return true;
}

/// Checks the events of a stretch, in the order of the kernel.
void Flow::check(unsigned first, unsigned end) {
  SmallVector<unsigned> stretch(schedule.nodes.begin() + first,
                                schedule.nodes.begin() + end);
  llvm::sort(stretch);
  isReporting = true;
  for (unsigned index : stretch)
    for (Way &way : std::exchange(states[index], {}))
      if (!graph.nodes[index].events.empty())
        execute(index, getOwn(way.state));
  isReporting = false;
}

void Flow::run() {
  if (graph.incompleteAt) {
    report.undecided.push_back({graph.incompleteAt, graph.incomplete, nullptr});
    return;
  }
  for (unsigned index = 0; index < graph.nodes.size(); ++index)
    budget += maxVisits * size_t(paths.getNumWays(index));
  findMaybeArrivers();
  states.resize(graph.nodes.size());
  states[0].push_back({{}, llvm::makeIntrusiveRefCnt<State>(), true});
  enter(*states[0].front().state);
  worklist.insert(0);
  for (unsigned first = 0, end; first < schedule.nodes.size(); first = end) {
    end = schedule.ends[first];
    if (settle(end)) {
      check(first, end);
      continue;
    }
    report.findings.clear();
    report.undecided = {{graph.events.back().op,
                         "the order of its accesses: there are too many paths",
                         nullptr}};
    return;
  }
  isReporting = true;
  checkGroups();
  for (auto [event, message] : openColumns)
    if (!doubted.count({graph.events[event].op, true}))
      doubt(event, message);
}
