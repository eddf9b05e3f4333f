//===- Paths.cpp - Which ways through a kernel exist ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

/// Ways that are kept apart at one place.
static constexpr unsigned maxWays = 16;
/// Values that a condition is compared with.
static constexpr unsigned maxValues = 15;
/// Nodes that are looked at for all conditions, for each node there is.
static constexpr unsigned workPerNode = 32;

Paths::Paths(const Evaluator &evaluator, const Graph &graph)
    : graph(graph), live(graph.nodes.size()), ways(graph.nodes.size(), 1),
      coarse(graph.nodes.size(), 0), seen(graph.nodes.size(), 0),
      budget(workPerNode * graph.nodes.size() + 1000) {
  if (graph.guards.empty())
    return;
  findConditions();
  findSources(evaluator);
  findPredecessors();
  for (unsigned index = 0; index < conditions.size(); ++index)
    select(index);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void Paths::findConditions() {
  std::map<std::pair<unsigned, bool>, unsigned> known;
  for (const Guard &guard : graph.guards) {
    auto [it, isNew] =
        known.try_emplace({guard.symbol, guard.isCondition}, conditions.size());
    if (isNew)
      conditions.push_back({guard.symbol, guard.isCondition, {}, {}, {}});
    conditionOf.push_back(it->second);
    Condition &condition = conditions[it->second];
    for (int64_t value : guard.values)
      if (!llvm::is_contained(condition.values, value) &&
          condition.values.size() <= maxValues)
        condition.values.push_back(value);
  }
  for (const auto &[guard, index] : llvm::zip_equal(graph.guards, conditionOf))
    masks.push_back(getMask(conditions[index], guard));
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (int guard : where.guards)
      if (guard >= 0) {
        auto &tests = conditions[conditionOf[guard]].tests;
        if (tests.empty() || tests.back() != node)
          tests.push_back(node);
      }
}

uint32_t Paths::getMask(const Condition &condition, const Guard &guard) const {
  uint32_t mask = 0, all = (2u << condition.values.size()) - 1;
  for (int64_t value : guard.values) {
    auto *it = llvm::find(condition.values, value);
    mask |= 1u << (it - condition.values.begin());
  }
  return guard.isExcluded ? all & ~mask : mask;
}

/// Where the values that a condition is computed from are defined. Those of
/// which that is not known have no test that is related to another.
void Paths::findSources(const Evaluator &evaluator) {
  DenseMap<const void *, SmallVector<unsigned, 1>> users;
  for (auto [index, condition] : llvm::enumerate(conditions)) {
    SmallVector<Value> values;
    if (condition.values.size() > maxValues ||
        !evaluator.getSources(condition.symbol, values)) {
      condition.tests.clear();
      continue;
    }
    for (Value value : values) {
      const void *where = value.getDefiningOp();
      if (!where)
        where = cast<BlockArgument>(value).getOwner();
      users[where].push_back(index);
    }
  }
  for (auto [where, node] : graph.definitions) {
    auto it = users.find(where);
    if (it != users.end())
      for (unsigned index : it->second)
        conditions[index].sources.push_back(node);
  }
}

void Paths::findPredecessors() {
  predecessors.resize(graph.nodes.size());
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (unsigned successor : where.successors)
      predecessors[successor].push_back(node);
}

//===----------------------------------------------------------------------===//
// Which conditions are followed
//===----------------------------------------------------------------------===//

SmallVector<unsigned> Paths::findLive(const Condition &condition) {
  SmallVector<unsigned> nodes;
  DenseSet<unsigned> sources(condition.sources.begin(),
                             condition.sources.end());
  auto add = [&](unsigned node) {
    if (seen[node] || sources.contains(node))
      return;
    seen[node] = 1;
    nodes.push_back(node);
  };
  for (unsigned node : condition.tests)
    add(node);
  for (size_t next = 0; next < nodes.size() && nodes.size() <= budget; ++next)
    for (unsigned predecessor : predecessors[nodes[next]])
      add(predecessor);
  for (unsigned node : nodes)
    seen[node] = 0;
  budget -= std::min(budget, nodes.size());
  return nodes;
}

void Paths::markCoarse(ArrayRef<unsigned> from) {
  SmallVector<unsigned> worklist(from);
  while (!worklist.empty()) {
    unsigned node = worklist.pop_back_val();
    for (unsigned successor : graph.nodes[node].successors)
      if (!coarse[successor]) {
        coarse[successor] = 1;
        worklist.push_back(successor);
      }
  }
}

void Paths::select(unsigned index) {
  const Condition &condition = conditions[index];
  if (condition.tests.empty())
    return;
  SmallVector<unsigned> nodes = findLive(condition);
  DenseSet<unsigned> where(nodes.begin(), nodes.end());
  // Behind a test, does it matter once more?
  SmallVector<unsigned> again;
  for (unsigned node : condition.tests)
    if (llvm::any_of(graph.nodes[node].successors,
                     [&](unsigned next) { return where.contains(next); }))
      again.push_back(node);
  if (again.empty())
    return;
  unsigned count = condition.values.size() + 1;
  bool isFollowed = budget != 0 && llvm::all_of(nodes, [&](unsigned node) {
                      return ways[node] * count <= maxWays;
                    });
  if (!isFollowed)
    return markCoarse(again);
  for (unsigned node : nodes) {
    ways[node] *= count;
    live[node].push_back(index);
  }
}

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

bool Paths::follow(unsigned node, unsigned successor, const Knowledge &known,
                   Knowledge &result) const {
  const Node &from = graph.nodes[node];
  unsigned to = from.successors[successor];
  int guard = from.guards[successor];
  result.clear();
  unsigned tested = ~0u;
  uint32_t mask = 0;
  if (guard >= 0) {
    tested = conditionOf[guard];
    mask = masks[guard];
    for (auto [condition, values] : known)
      if (condition == tested)
        mask &= values;
    if (mask == 0)
      return false;
  }
  const auto &kept = live[to];
  for (unsigned condition : kept) {
    if (condition == tested) {
      result.push_back({tested, mask});
      continue;
    }
    const auto *it = llvm::find_if(
        known, [&](auto &entry) { return entry.first == condition; });
    if (it != known.end())
      result.push_back(*it);
  }
  return true;
}
