//===- SlotVersions.cpp - Words that are written more than once -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of the writes of a word each load of it may give.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Whether all threads of the block meet at a barrier.
bool Program::meetsBlock(unsigned index, unsigned node) const {
  const Event &event = graph.events[index];
  const Node &where = graph.nodes[node];
  if (event.kind != EventKind::BarrierSync || where.mixed != Mixed::No)
    return false;
  unsigned numThreads = evaluator.getBlock().getNumThreads();
  if (event.barrier && !evaluator.get(event.barrier, event.frame).isConstant())
    return false;
  if (!event.count)
    return where.getAccountedFor().count() == numThreads;
  ThreadValue count = evaluator.get(event.count, event.frame);
  return count.isConstant() && count.constant == numThreads &&
         where.threads->count() == numThreads;
}

/// Whether arms that stand one after the other run in that order: barriers of
/// the whole block are all there is.
bool Program::isInOrder() const {
  for (EventKind kind : {EventKind::BarrierArrive, EventKind::MBarrierWait,
                         EventKind::OtherSync})
    if (!graph.getSites(kind).empty())
      return false;
  return llvm::all_of(graph.getSites(EventKind::BarrierSync),
                      [&](EventSite site) {
                        return (!graph.events[site.event].count &&
                                nodeWarps[site.node] == nodeWarps[0]) ||
                               meetsBlock(site.event, site.node);
                      });
}

void Program::findVersions() {
  for (auto &[slot, writers] : graph.writers)
    if (writers.size() > 1 && isAllocSlot(slot))
      changingSlots.push_back(slot);
  if (changingSlots.size() > maxSlots)
    changingSlots.clear();
  bool inOrder = !changingSlots.empty() && isInOrder();
  for (const Slot &slot : changingSlots)
    if (evaluator.isVersioned(slot))
      followSlot(slot, inOrder);
}

/// What an event leaves of the writes that reach it.
uint64_t Program::applyWrites(const Versions &versions, unsigned node,
                              unsigned event, uint64_t writes) const {
  auto it = versions.writers.find(event);
  if (it == versions.writers.end())
    return writes;
  bool isCertain = graph.nodes[node].mixed == Mixed::No;
  return 1ull << it->second | (isCertain ? 0 : writes);
}

/// Which writes of a word reach which of its loads.
void Program::followSlot(const Slot &slot, bool inOrder) {
  const auto &writers = graph.writers[slot];
  Versions &versions = versionsOf[slot];
  if (writers.size() > 64)
    return;
  for (unsigned writer : writers) {
    unsigned number = versions.writers.size();
    versions.writers[writer] = number;
    versions.events.push_back(writer);
    if (graph.events[writer].kind == EventKind::Alloc)
      versions.allocs |= 1ull << number;
  }
  versions.isGuessed = !inOrder;
  if (inOrder)
    followInOrder(slot, versions);
  else
    followBetweenBarriers(slot, versions);
  // Allocs that one load may mean are one allocation.
  for (auto &[read, writes] : versions.reads)
    if (uint64_t allocs = writes & versions.allocs)
      for (uint64_t rest = allocs; rest; rest &= rest - 1)
        versions.sameAs.unionSets(llvm::countr_zero(allocs),
                                  llvm::countr_zero(rest));
}

bool Program::reads(unsigned index, const Slot &slot) {
  if (graph.events[index].kind != EventKind::SlotRead)
    return false;
  std::optional<Slot> own = getSlotOf(index);
  return own && *own == slot;
}

void Program::keepRead(unsigned index, uint64_t writes, Versions &versions) {
  const Event &event = graph.events[index];
  versions.reads[{event.op->getResult(0), event.frame}] =
      writes ? writes : versions.allocs;
}

/// Carries what holds at the start of each node to those behind it, until none
/// changes. `apply` does an event to it; `join` says whether the first changed.
template <typename T, typename Apply, typename Join>
static void settle(const Graph &graph, std::vector<T> &starts, Apply apply,
                   Join join) {
  std::vector<unsigned> worklist;
  for (unsigned node = graph.nodes.size(); node-- > 0;)
    worklist.push_back(node);
  while (!worklist.empty()) {
    unsigned node = worklist.back();
    worklist.pop_back();
    T state = starts[node];
    for (unsigned event : graph.nodes[node].events)
      apply(node, event, state);
    for (const Edge &edge : graph.getEdges(node))
      if (join(starts[edge.to], state))
        worklist.push_back(edge.to);
  }
}

void Program::followInOrder(const Slot &slot, Versions &versions) {
  std::vector<uint64_t> reaching(graph.nodes.size(), 0);
  settle(
      graph, reaching,
      [&](unsigned node, unsigned event, uint64_t &writes) {
        writes = applyWrites(versions, node, event, writes);
      },
      [](uint64_t &into, uint64_t writes) {
        bool isNew = writes & ~into;
        into |= writes;
        return isNew;
      });
  for (auto [node, where] : llvm::enumerate(graph.nodes)) {
    uint64_t writes = reaching[node];
    for (unsigned index : where.events) {
      writes = applyWrites(versions, node, index, writes);
      if (reads(index, slot))
        keepRead(index, writes, versions);
    }
  }
}

namespace {
/// Writes of a word, since a barrier of the whole block and from before it.
struct Epoch {
  uint64_t before = 0, since = 0;
  bool mayBeNone = false; ///< Since then.

  bool join(const Epoch &other) {
    Epoch old = *this;
    before |= other.before;
    since |= other.since;
    mayBeNone |= other.mayBeNone;
    return before != old.before || since != old.since ||
           mayBeNone != old.mayBeNone;
  }
  void write(unsigned number, bool isCertain) {
    since |= 1ull << number;
    mayBeNone &= !isCertain;
  }
  void meet() {
    if (since)
      before = since | (mayBeNone ? before : 0);
    since = 0;
    mayBeNone = true;
  }
};
} // namespace

/// By node: the writes that may come behind it with no barrier of the whole
/// block between, in the order of the text.
std::vector<uint64_t> Program::findLaterWrites(const Versions &versions) const {
  std::vector<uint64_t> later(graph.nodes.size(), 0);
  Predecessors predecessors(graph);
  auto nodes = llvm::seq<unsigned>(0, graph.nodes.size());
  std::vector<unsigned> worklist(nodes.begin(), nodes.end());
  while (!worklist.empty()) {
    unsigned node = worklist.back();
    worklist.pop_back();
    uint64_t writes = 0;
    for (const Edge &edge : graph.getEdges(node))
      writes |= later[edge.to];
    for (unsigned event : llvm::reverse(graph.nodes[node].events))
      writes = applyBackward(versions, node, event, writes);
    if (!(writes & ~later[node]))
      continue;
    later[node] |= writes;
    for (auto [before, edge] : predecessors[node])
      worklist.push_back(before);
  }
  return later;
}

uint64_t Program::applyBackward(const Versions &versions, unsigned node,
                                unsigned event, uint64_t writes) const {
  if (meetsBlock(event, node))
    return 0;
  auto it = versions.writers.find(event);
  return it == versions.writers.end() ? writes : writes | 1ull << it->second;
}

/// Where other things order warps as well, what stands between two barriers of
/// the whole block may run in any order.
void Program::followBetweenBarriers(const Slot &slot, Versions &versions) {
  std::vector<Epoch> epochs(graph.nodes.size());
  epochs.front().mayBeNone = true;
  auto apply = [&](unsigned node, unsigned event, Epoch &epoch) {
    auto it = versions.writers.find(event);
    if (it != versions.writers.end())
      epoch.write(it->second, graph.nodes[node].mixed == Mixed::No);
    else if (meetsBlock(event, node))
      epoch.meet();
  };
  settle(graph, epochs, apply,
         [](Epoch &into, const Epoch &epoch) { return into.join(epoch); });
  std::vector<uint64_t> later = findLaterWrites(versions);
  for (auto [node, where] : llvm::enumerate(graph.nodes)) {
    uint64_t behind = 0;
    for (const Edge &edge : graph.getEdges(node))
      behind |= later[edge.to];
    std::vector<uint64_t> behindEach;
    for (unsigned event : llvm::reverse(where.events)) {
      behindEach.push_back(behind);
      behind = applyBackward(versions, node, event, behind);
    }
    Epoch epoch = epochs[node];
    for (auto [event, after] :
         llvm::zip_equal(where.events, llvm::reverse(behindEach))) {
      apply(node, event, epoch);
      if (reads(event, slot))
        keepRead(event, epoch.before | epoch.since | after, versions);
    }
  }
}

/// The root of what an alloc returns.
int Program::getAllocRoot(const Slot &slot, unsigned event) {
  auto it = versionsOf.find(slot);
  if (it == versionsOf.end() || !it->second.writers.count(event))
    return getSlotRoot(slot);
  Versions &versions = it->second;
  unsigned number = versions.writers[event];
  unsigned leader = versions.sameAs.getOrInsertLeaderValue(number);
  auto [root, isNew] = versions.roots.try_emplace(leader, roots.size());
  if (isNew) {
    roots.emplace_back();
    roots.back().isAllocated = true;
    for (unsigned other = 0; other < versions.events.size(); ++other)
      roots.back().isShared |=
          other != number &&
          versions.sameAs.getOrInsertLeaderValue(other) == leader;
    roots.back().isGuessed = versions.isGuessed && roots.back().isShared;
  }
  return root->second;
}

/// The root of what a load of a word that changes gives. A stored value takes
/// the place of the term in `address`; then there is none.
std::optional<int> Program::getVersion(ThreadValue &address, unsigned term,
                                       const Slot &slot) {
  Versions &versions = versionsOf[slot];
  unsigned symbol = address.terms[term].symbol;
  auto it = versions.reads.find(
      {evaluator.getOpaque(symbol), evaluator.getFrame(symbol)});
  uint64_t writes = it == versions.reads.end() ? 0 : it->second;
  if (writes && !(writes & ~versions.allocs))
    return getAllocRoot(slot, versions.events[llvm::countr_zero(writes)]);
  unsigned only = writes ? versions.events[llvm::countr_zero(writes)] : 0;
  if (llvm::popcount(writes) == 1 && !isData(only, slot)) {
    const Event &event = graph.events[only];
    ThreadValue stored = evaluator.get(event.columns, event.frame);
    if (!stored.table) {
      address.terms.erase(address.terms.begin() + term);
      address.terms.append(stored.terms.begin(), stored.terms.end());
      address.constant += stored.constant;
      return std::nullopt;
    }
  }
  // One of several, or something else.
  Root root;
  root.isOverwritten = overwritten.count(slot);
  for (unsigned writer : graph.writers[slot])
    if (graph.events[writer].kind == EventKind::Alloc)
      root.candidates.push_back(getAllocRoot(slot, writer));
  roots.push_back(root);
  return roots.size() - 1;
}
