//===- CheckHazardsSlots.cpp - Where addresses come from ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of shared memory that hold addresses, and the allocations that
// addresses name. A word may be written more than once: by several allocs, or
// by a store over what an alloc has written. Then each load of it gives what
// reaches that load.
//
//===----------------------------------------------------------------------===//

#include "CheckHazardsProgram.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Words that are written more than once
//===----------------------------------------------------------------------===//

/// Whether arms that stand one after the other run in that order: barriers of
/// the whole block are all there is.
bool Program::isInOrder() const {
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (unsigned index : where.events)
      switch (graph.events[index].kind) {
      case EventKind::BarrierSync:
        if (graph.events[index].count || nodeWarps[node] != nodeWarps[0])
          return false;
        break;
      case EventKind::BarrierArrive:
      case EventKind::MBarrierWait:
      case EventKind::OtherSync:
        return false;
      default:
        break;
      }
  return true;
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
  uint64_t all = 0;
  for (unsigned writer : writers) {
    unsigned number = versions.writers.size();
    versions.writers[writer] = number;
    versions.events.push_back(writer);
    all |= 1ull << number;
    if (graph.events[writer].kind == EventKind::Alloc)
      versions.allocs |= 1ull << number;
  }
  std::vector<uint64_t> reaching(graph.nodes.size(), inOrder ? 0 : all);
  std::vector<unsigned> worklist;
  for (unsigned node = graph.nodes.size(); inOrder && node-- > 0;)
    worklist.push_back(node);
  while (!worklist.empty()) {
    unsigned node = worklist.back();
    worklist.pop_back();
    uint64_t writes = reaching[node];
    for (unsigned event : graph.nodes[node].events)
      writes = applyWrites(versions, node, event, writes);
    for (unsigned successor : graph.nodes[node].successors)
      if (writes & ~reaching[successor]) {
        reaching[successor] |= writes;
        worklist.push_back(successor);
      }
  }
  for (auto [node, where] : llvm::enumerate(graph.nodes)) {
    uint64_t writes = reaching[node];
    for (unsigned index : where.events) {
      if (inOrder)
        writes = applyWrites(versions, node, index, writes);
      const Event &event = graph.events[index];
      if (event.kind == EventKind::SlotRead && getSlotOf(index) == slot)
        versions.reads[{event.op->getResult(0), event.frame}] =
            writes ? writes : versions.allocs;
    }
  }
  // Allocs that one load may mean are one allocation.
  for (auto &[read, writes] : versions.reads)
    if (uint64_t allocs = writes & versions.allocs)
      for (uint64_t rest = allocs; rest; rest &= rest - 1)
        versions.sameAs.unionSets(llvm::countr_zero(allocs),
                                  llvm::countr_zero(rest));
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
  if (llvm::popcount(writes) == 1) {
    const Event &event =
        graph.events[versions.events[llvm::countr_zero(writes)]];
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
  for (unsigned writer : graph.writers[slot])
    if (graph.events[writer].kind == EventKind::Alloc)
      root.candidates.push_back(getAllocRoot(slot, writer));
  roots.push_back(root);
  return roots.size() - 1;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool Program::isAllocSlot(const Slot &slot) const {
  auto it = graph.writers.find(slot);
  return it != graph.writers.end() &&
         llvm::any_of(it->second, [&](unsigned writer) {
           return graph.events[writer].kind == EventKind::Alloc;
         });
}

/// What every store to a slot writes, if that is one value.
std::optional<ThreadValue> Program::getContent(const Slot &slot) {
  auto it = graph.writers.find(slot);
  if (it == graph.writers.end() || isAllocSlot(slot))
    return std::nullopt;
  std::optional<ThreadValue> content;
  for (unsigned writer : it->second) {
    const Event &event = graph.events[writer];
    ThreadValue value = evaluator.get(event.columns, event.frame);
    if (content && !(*content == value))
      return std::nullopt;
    content = value;
  }
  return content;
}

/// Looks through words of shared memory that hold one value.
ThreadValue Program::substitute(ThreadValue value) {
  constexpr unsigned maxSteps = 8;
  for (unsigned step = 0; step < maxSteps; ++step) {
    auto *it = llvm::find_if(value.terms, [&](Term term) {
      std::optional<Slot> slot = evaluator.getContent(term.symbol);
      return slot && term.factor == 1 && getContent(*slot);
    });
    if (it == value.terms.end())
      return value;
    ThreadValue content = *getContent(*evaluator.getContent(it->symbol));
    value.terms.erase(it);
    value.terms.append(content.terms.begin(), content.terms.end());
    value.constant += content.constant;
    if (content.table)
      value.table = content.table;
  }
  return value;
}

int Program::getSlotRoot(const Slot &slot) {
  auto [it, isNew] = slotRoots.try_emplace(slot, roots.size());
  if (isNew)
    roots.emplace_back().isAllocated = isAllocSlot(slot);
  return it->second;
}

/// The root of an address, whose terms are taken out of it.
int Program::getRoot(ThreadValue &address, bool &isDynamic, unsigned depth) {
  constexpr unsigned maxDepth = 8;
  address = substitute(address);
  for (auto [index, term] : llvm::enumerate(address.terms)) {
    std::optional<Slot> slot = evaluator.getContent(term.symbol);
    if (!slot || term.factor != 1 || !isAllocSlot(*slot))
      continue;
    int root;
    if (versionsOf.count(*slot)) {
      std::optional<int> version = getVersion(address, index, *slot);
      if (!version && depth < maxDepth)
        return getRoot(address, isDynamic, depth + 1);
      if (!version)
        break;
      root = *version;
    } else {
      root = getSlotRoot(*slot);
    }
    isDynamic = address.terms.size() != 1;
    address.terms.clear();
    return root;
  }
  std::vector<int64_t> key;
  for (Term term : address.terms) {
    key.push_back(term.symbol);
    key.push_back(term.factor);
  }
  address.terms.clear();
  auto [it, isNew] = otherRoots.try_emplace(key, roots.size());
  if (isNew)
    roots.push_back({});
  return it->second;
}

void Program::resolveAccess(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.offset = evaluator.get(event.address, event.frame);
  target.root = getRoot(target.offset, target.isDynamic);
}

void Program::resolveAllocation(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.columns = event.staticColumns;
  if (event.columns) {
    ThreadValue columns = evaluator.get(event.columns, event.frame);
    if (columns.isConstant())
      target.columns = columns.constant;
  }
  if (event.kind == EventKind::Dealloc)
    return resolveAccess(index);
  std::optional<Slot> slot =
      evaluator.getSlot(evaluator.get(event.address, event.frame));
  if (!slot) {
    target.isUnclear = true;
    return;
  }
  target.root = getAllocRoot(*slot, index);
  Root &root = roots[target.root];
  root.columns =
      !root.isSized || root.columns == target.columns ? target.columns : -1;
  root.isSized = true;
  resolveSlot(index);
}

/// The word that an alloc, a load or a store accesses.
std::optional<Slot> Program::getSlotOf(unsigned index) {
  const Event &event = graph.events[index];
  return evaluator.getSlot(
      event.kind == EventKind::Alloc || event.indices.empty()
          ? evaluator.get(event.address, event.frame)
          : evaluator.getElementAddress(event.address, event.indices,
                                        event.frame));
}

/// Words that hold the address of an allocation.
void Program::resolveSlot(unsigned index) {
  std::optional<Slot> slot = getSlotOf(index);
  if (!slot)
    return;
  bool matters = isAllocSlot(*slot);
  if (std::optional<ThreadValue> content = getContent(*slot)) {
    ThreadValue value = substitute(*content);
    for (Term term : value.terms)
      if (std::optional<Slot> source = evaluator.getContent(term.symbol))
        matters |= isAllocSlot(*source);
  }
  if (!matters)
    return;
  auto [it, isNew] = slots.try_emplace(*slot, numSlots);
  if (isNew && ++numSlots > maxSlots) {
    graph.incomplete = "there are too many addresses in shared memory";
    graph.incompleteAt = graph.events[index].op;
    numSlots = maxSlots;
    it->second = -1;
  }
  targets[index].slot = it->second;
}
