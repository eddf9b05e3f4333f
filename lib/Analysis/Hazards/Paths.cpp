//===- Paths.cpp - Which ways through a kernel exist ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Paths.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tmem::hazards;

/// Ways that are kept apart at one place.
static constexpr unsigned maxWays = 16;
/// Cuts between the values of a condition.
static constexpr unsigned maxCuts = 15;
/// Nodes that are looked at for all conditions, for each node there is.
static constexpr unsigned workPerNode = 64;

Paths::Paths(Evaluator &evaluator, const Graph &graph)
    : evaluator(evaluator), graph(graph), ways(graph.nodes.size(), 1),
      coarse(graph.nodes.size(), 0), loose(graph.nodes.size(), 0),
      budget(workPerNode * graph.nodes.size() + 1000) {
  if (graph.guards.empty())
    return;
  // The others matter where they decide what edges make of these.
  findConditions(/*writtenOnly=*/true);
  findSources();
  if (givesNewValues()) {
    findConditions(/*writtenOnly=*/false);
    findSources();
    findUpdates();
  }
  addCuts();
  findImages();
  if (conditions.empty())
    return;
  Predecessors predecessors(graph);
  Extent extent;
  extent.places.resize(graph.nodes.size(), 0);
  Followed followed;
  for (unsigned index = 0; index < conditions.size(); ++index)
    select(index, predecessors, extent, followed);
  setLive(followed);
  findLoose();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Equality is the same with a sign and without; and numbers that are compared
/// both ways are taken to be none of which the sign matters. `ordered`: forms
/// that are compared by order.
Form Paths::getForm(const Guard &guard, const FormSet &ordered) {
  Form form = guard.form, other = form;
  other.kind = Form::Signed;
  if (form.kind == Form::Unsigned && ordered.count(other))
    form = other;
  other.kind = Form::Unsigned;
  if (guard.isEquality && form.terms.size() > 1 && !ordered.count(form) &&
      ordered.count(other))
    form = other;
  return form;
}

/// `writtenOnly`: those that some test writes out.
void Paths::findConditions(bool writtenOnly) {
  conditions.clear();
  numbers.clear();
  conditionOf.clear();
  FormSet ordered;
  for (const Guard &guard : graph.guards)
    if (!guard.isEquality)
      ordered.insert(guard.form);
  for (const Guard &guard : graph.guards) {
    if (writtenOnly && guard.isImplicit)
      continue;
    Form form = getForm(guard, ordered);
    if (numbers.try_emplace(form, conditions.size()).second)
      conditions.emplace_back().form = std::move(form);
  }
  for (const Guard &guard : graph.guards) {
    auto it = numbers.find(getForm(guard, ordered));
    conditionOf.push_back(it == numbers.end() ? -1 : int(it->second));
    if (it == numbers.end())
      continue;
    Condition &condition = conditions[it->second];
    condition.isWritten |= !guard.isImplicit;
    for (Interval interval : guard.intervals) {
      if (interval.first != INT64_MIN)
        condition.cuts.push_back(interval.first);
      if (interval.last != INT64_MAX)
        condition.cuts.push_back(interval.last + 1);
    }
  }
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    for (const Edge &edge : graph.getEdges(node))
      if (edge.guard >= 0 && conditionOf[edge.guard] >= 0) {
        auto &tests = conditions[conditionOf[edge.guard]].tests;
        if (tests.empty() || tests.back() != node)
          tests.push_back(node);
      }
}

/// Where the values that a condition is computed from are defined. Those of
/// which that is not known have no test that is related to another.
void Paths::findSources() {
  DenseMap<const void *, SmallVector<unsigned, 1>> users;
  for (auto [index, condition] : llvm::enumerate(conditions)) {
    SmallVector<Value> values;
    if (!condition.isWritten ||
        !llvm::all_of(condition.form.terms, [&](Term term) {
          return evaluator.getSources(term.symbol, values);
        })) {
      condition.tests.clear();
      condition.isWritten = false;
      continue;
    }
    for (Value value : values) {
      const void *where = value.getDefiningOp();
      if (!where)
        where = cast<BlockArgument>(value).getOwner();
      users[where].push_back(index);
      used.insert(value);
    }
  }
  for (auto [where, node] : graph.definitions) {
    auto it = users.find(where);
    if (it != users.end())
      for (unsigned index : it->second)
        conditions[index].sources.push_back(node);
  }
}

//===----------------------------------------------------------------------===//
// Values of a condition
//===----------------------------------------------------------------------===//

Interval Paths::getInterval(const Condition &condition, unsigned value) const {
  Interval interval;
  if (value != 0)
    interval.first = condition.cuts[value - 1];
  if (value < condition.cuts.size())
    interval.last = condition.cuts[value] - 1;
  return interval;
}

uint32_t Paths::getMask(const Condition &condition,
                        ArrayRef<Interval> range) const {
  uint32_t mask = 0;
  for (unsigned value = 0; value < condition.getNumValues(); ++value) {
    Interval interval = getInterval(condition, value);
    for (Interval part : range)
      if (part.first <= interval.last && interval.first <= part.last)
        mask |= 1u << value;
  }
  return mask;
}

uint32_t Paths::apply(const Update &update, uint32_t values) const {
  uint32_t result = 0;
  for (auto [value, image] : llvm::enumerate(update.images))
    if (update.from < 0 || (values >> value & 1))
      result |= image;
  return result;
}

const Paths::Update *Paths::findUpdate(unsigned edge,
                                       unsigned condition) const {
  if (graph.edges[edge].move < 0)
    return nullptr;
  auto it = updates.find(edge);
  if (it == updates.end())
    return nullptr;
  for (const Update &update : it->second)
    if (update.condition == condition)
      return &update;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Which conditions are followed
//===----------------------------------------------------------------------===//

void Paths::Extent::clear() {
  for (unsigned node : nodes)
    places[node] = 0;
  nodes.clear();
  arriving.clear();
  excluding.clear();
  isUsed = false;
}

void Paths::findLive(unsigned index, const Predecessors &predecessors,
                     Extent &extent) {
  const Condition &condition = conditions[index];
  DenseSet<unsigned> sources(condition.sources.begin(),
                             condition.sources.end());
  auto &nodes = extent.nodes;
  auto add = [&](unsigned node) {
    if (extent.places[node] || sources.contains(node))
      return;
    nodes.push_back(node);
    extent.places[node] = nodes.size();
  };
  for (unsigned node : condition.tests)
    add(node);
  for (unsigned node : condition.uses)
    add(node);
  for (size_t next = 0; next < nodes.size() && nodes.size() <= budget; ++next)
    for (auto [from, edge] : predecessors[nodes[next]]) {
      const Update *update = findUpdate(edge, index);
      if (!update || update->from == int(index))
        add(from);
    }
  extent.arriving.resize(nodes.size());
  budget -= std::min(budget, nodes.size());
}

/// What may be known at each of the nodes, and which tests that decides.
void Paths::findWays(unsigned index, const Predecessors &predecessors,
                     Extent &extent) {
  const Condition &condition = conditions[index];
  uint32_t all = condition.getAll();
  std::vector<std::pair<unsigned, uint32_t>> worklist;
  auto arrive = [&](unsigned node, uint32_t mask) {
    auto *arriving = extent.findArriving(node);
    if (!arriving || llvm::is_contained(*arriving, mask))
      return;
    arriving->push_back(mask);
    worklist.push_back({node, mask});
  };
  auto leave = [&](unsigned node, uint32_t known) {
    for (unsigned edge = graph.edgeBegins[node];
         edge != graph.edgeBegins[node + 1]; ++edge) {
      auto [to, guard, move] = graph.edges[edge];
      uint32_t mask = known;
      if (guard >= 0 && conditionOf[guard] == int(index))
        mask &= masks[guard];
      if (mask == 0) {
        extent.excluding.push_back(node);
        continue;
      }
      const Update *update = findUpdate(edge, index);
      if (!update)
        arrive(to, mask);
      else if (update->from == int(index))
        arrive(to, apply(*update, mask));
      else
        for (uint32_t image : update->images)
          arrive(to, image);
    }
  };
  if (extent.places[0])
    arrive(0, all);
  for (unsigned node : extent.nodes)
    for (auto [from, edge] : predecessors[node])
      if (!extent.places[from])
        leave(from, all);
  for (; !worklist.empty() && budget != 0; --budget) {
    auto [node, mask] = worklist.back();
    worklist.pop_back();
    leave(node, mask);
  }
  for (unsigned node : condition.uses)
    if (auto *arriving = extent.findArriving(node))
      extent.isUsed |=
          llvm::any_of(*arriving, [&](uint32_t mask) { return mask != all; });
}

/// Everything behind.
void Paths::mark(std::vector<char> &marks, ArrayRef<unsigned> from) const {
  SmallVector<unsigned> worklist(from);
  while (!worklist.empty()) {
    unsigned node = worklist.pop_back_val();
    for (const Edge &edge : graph.getEdges(node))
      if (!marks[edge.to]) {
        marks[edge.to] = 1;
        worklist.push_back(edge.to);
      }
  }
}

void Paths::findLoose() {
  SmallVector<unsigned> from;
  for (const Condition &condition : conditions)
    if (condition.isLoose || (condition.isWritten && isChanging(condition)))
      from.append(condition.tests);
  mark(loose, from);
}

/// `followed` gets the nodes where the condition is followed.
void Paths::select(unsigned index, const Predecessors &predecessors,
                   Extent &extent, Followed &followed) {
  const Condition &condition = conditions[index];
  if (condition.tests.empty())
    return;
  findLive(index, predecessors, extent);
  bool isSmall = condition.cuts.size() <= maxCuts;
  if (isSmall)
    findWays(index, predecessors, extent);
  auto getFactor = [&](unsigned place) {
    return std::clamp<unsigned>(extent.arriving[place].size(), 1,
                                condition.getNumValues());
  };
  bool fits = isSmall && budget != 0;
  for (auto [place, node] : llvm::enumerate(extent.nodes))
    fits = fits && ways[node] * getFactor(place) <= maxWays;
  bool matters = extent.isUsed || !extent.excluding.empty();
  if (fits && matters)
    for (auto [place, node] : llvm::enumerate(extent.nodes)) {
      ways[node] *= getFactor(place);
      followed.push_back({node, index});
    }
  if (!isSmall || budget == 0)
    mark(coarse, condition.tests);
  else if (!fits)
    mark(coarse, extent.excluding);
  extent.clear();
}

/// Sorted by node; conditions stay in their order.
void Paths::setLive(const Followed &followed) {
  if (followed.empty())
    return;
  liveEnds.resize(graph.nodes.size(), 0);
  for (auto [node, condition] : followed)
    ++liveEnds[node];
  std::partial_sum(liveEnds.begin(), liveEnds.end(), liveEnds.begin());
  std::vector<unsigned> next(1, 0);
  next.insert(next.end(), liveEnds.begin(), liveEnds.end() - 1);
  live.resize(followed.size());
  for (auto [node, condition] : followed)
    live[next[node]++] = condition;
}

ArrayRef<unsigned> Paths::getLive(unsigned node) const {
  if (liveEnds.empty())
    return {};
  unsigned begin = node == 0 ? 0 : liveEnds[node - 1];
  return ArrayRef(live).slice(begin, liveEnds[node] - begin);
}

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

static uint32_t find(const Knowledge &known, unsigned condition, uint32_t all) {
  for (auto [other, values] : known)
    if (other == condition)
      return values;
  return all;
}

bool Paths::follow(unsigned edge, const Knowledge &known,
                   Knowledge &result) const {
  auto [to, guard, move] = graph.edges[edge];
  result.clear();
  unsigned tested = ~0u;
  uint32_t mask = 0;
  if (guard >= 0) {
    tested = conditionOf[guard];
    mask = masks[guard] & find(known, tested, ~0u);
    if (mask == 0)
      return false;
  }
  auto get = [&](unsigned condition) {
    return condition == tested
               ? mask
               : find(known, condition, conditions[condition].getAll());
  };
  for (unsigned condition : getLive(to)) {
    const Update *update = findUpdate(edge, condition);
    uint32_t values = update && update->from < 0
                          ? apply(*update, 0)
                          : get(update ? update->from : condition);
    if (update && update->from >= 0)
      values = apply(*update, values);
    if (values != conditions[condition].getAll())
      result.push_back({condition, values});
  }
  return true;
}
