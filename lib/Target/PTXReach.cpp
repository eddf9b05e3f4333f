//===- PTXReach.cpp - Which facts reach which components ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXReach.h"
#include "PTXDominators.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <limits>
#include <numeric>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

//===----------------------------------------------------------------------===//
// Along the graph, many facts at a time
//===----------------------------------------------------------------------===//

namespace {
constexpr unsigned batchSize = 512;

/// A set of facts of one batch, small enough for a few vector registers.
struct Bits {
  std::array<uint64_t, batchSize / 64> words{};

  void set(unsigned bit) { words[bit / 64] |= uint64_t(1) << bit % 64; }
  bool test(unsigned bit) const { return words[bit / 64] >> bit % 64 & 1; }
  bool any() const {
    return std::accumulate(words.begin(), words.end(), uint64_t(0),
                           std::bit_or<uint64_t>()) != 0;
  }
  void operator|=(const Bits &other) {
    for (unsigned i = 0; i != words.size(); ++i)
      words[i] |= other.words[i];
  }
};

/// A fact of the batch that starts, or is asked for, in a component.
struct Mark {
  unsigned component;
  unsigned bit;

  bool operator<(const Mark &other) const {
    return std::tie(component, bit) < std::tie(other.component, other.bit);
  }
};

class Sweep {
public:
  Sweep(const Segments &segments, llvm::ArrayRef<Fact> facts,
        std::vector<std::vector<unsigned>> &reached)
      : segments(segments), facts(facts), reached(reached),
        atEntry(segments.components.size()) {}

  void run(llvm::ArrayRef<unsigned> batch);

private:
  void addMarks(llvm::ArrayRef<unsigned> batch);
  void visit(unsigned component, llvm::ArrayRef<Mark> &left);
  void leave(unsigned component, const Bits &bits);

  const Segments &segments;
  llvm::ArrayRef<Fact> facts;
  std::vector<std::vector<unsigned>> &reached;
  std::vector<Bits> atEntry; ///< Empty between two batches.
  std::vector<Mark> sources;
  std::vector<Mark> targets;
  unsigned last = 0; ///< The last component that is asked for.
  llvm::ArrayRef<unsigned> batch;
};
} // namespace

void Sweep::addMarks(llvm::ArrayRef<unsigned> numbers) {
  batch = numbers;
  sources.clear();
  targets.clear();
  for (auto [bit, number] : llvm::enumerate(batch)) {
    for (unsigned component : facts[number].sources)
      sources.push_back({component, unsigned(bit)});
    for (unsigned component : facts[number].targets)
      targets.push_back({component, unsigned(bit)});
  }
  llvm::sort(sources);
  llvm::sort(targets);
  last = targets.back().component;
}

void Sweep::leave(unsigned component, const Bits &bits) {
  if (!bits.any())
    return;
  for (const Segment *segment : segments.components[component])
    for (const Segment *next : segment->next)
      if (next->component != component && next->component <= last)
        atEntry[next->component] |= bits;
}

void Sweep::visit(unsigned component, llvm::ArrayRef<Mark> &left) {
  Bits bits = atEntry[component];
  atEntry[component] = Bits();
  Bits started;
  while (!left.empty() && left.front().component == component) {
    started.set(left.front().bit);
    left = left.drop_front();
  }
  if (segments.isCycle(component))
    bits |= started;
  auto asked = llvm::lower_bound(targets, Mark{component, 0});
  for (; asked != targets.end() && asked->component == component; ++asked)
    if (bits.test(asked->bit))
      reached[batch[asked->bit]].push_back(component);
  bits |= started;
  leave(component, bits);
}

void Sweep::run(llvm::ArrayRef<unsigned> numbers) {
  addMarks(numbers);
  llvm::ArrayRef<Mark> left = sources;
  for (unsigned component = sources.front().component; component <= last;
       ++component)
    visit(component, left);
}

//===----------------------------------------------------------------------===//
// By dominators, one fact at a time
//===----------------------------------------------------------------------===//

namespace {
class Frontiers {
public:
  explicit Frontiers(const Segments &segments)
      : segments(segments),
        dominators(segments, 1024 + 16 * segments.all.size()),
        seen(segments.components.size()),
        steps(dominators.isComplete() ? 65536 + 64 * segments.all.size() : 0) {}

  /// Returns false if it takes too long.
  bool find(const Fact &fact, std::vector<unsigned> &reached);

private:
  bool addFrontier(const Fact &fact);
  void keepOutermost();
  bool isReached(const Fact &fact, unsigned target) const;

  const Segments &segments;
  Dominators dominators;
  std::vector<unsigned> roots; ///< All that they dominate is reached.
  std::vector<unsigned> seen;  ///< The fact whose frontier last had it.
  unsigned number = 0;
  size_t steps; ///< Still to go.
};
} // namespace

/// Adds the iterated frontier to the roots, up to the last target.
bool Frontiers::addFrontier(const Fact &fact) {
  for (size_t i = 0; i != roots.size(); ++i) {
    llvm::ArrayRef<unsigned> frontier = dominators.getFrontier(roots[i]);
    if (steps <= frontier.size())
      return false;
    steps -= frontier.size() + 1;
    for (unsigned component : frontier)
      if (component <= fact.targets.back() &&
          std::exchange(seen[component], number) != number)
        roots.push_back(component);
  }
  return true;
}

void Frontiers::keepOutermost() {
  llvm::sort(roots, [&](unsigned a, unsigned b) {
    return dominators.getPlace(a) < dominators.getPlace(b);
  });
  size_t kept = 0;
  for (unsigned component : roots)
    if (kept == 0 ||
        dominators.getPlace(component) >= dominators.getEnd(roots[kept - 1]))
      roots[kept++] = component;
  roots.resize(kept);
}

bool Frontiers::isReached(const Fact &fact, unsigned target) const {
  unsigned place = dominators.getPlace(target);
  auto it = llvm::partition_point(roots, [&](unsigned component) {
    return dominators.getPlace(component) <= place;
  });
  if (it == roots.begin() || place >= dominators.getEnd(*std::prev(it)))
    return false;
  // A source leads to itself in a cycle, or if another source does.
  return *std::prev(it) != target || seen[target] == number ||
         segments.isCycle(target);
}

bool Frontiers::find(const Fact &fact, std::vector<unsigned> &reached) {
  ++number;
  roots = fact.sources;
  if (!addFrontier(fact))
    return false;
  keepOutermost();
  for (unsigned target : fact.targets)
    if (isReached(fact, target))
      reached.push_back(target);
  return true;
}

std::optional<std::vector<std::vector<unsigned>>>
ptx::findReached(const Segments &segments, llvm::ArrayRef<Fact> facts,
                 bool mayTakeLong) {
  std::vector<std::vector<unsigned>> reached(facts.size());
  std::vector<unsigned> order;
  Frontiers frontiers(segments);
  for (auto [number, fact] : llvm::enumerate(facts))
    // Edges lead to later components only.
    if (!fact.sources.empty() && !fact.targets.empty() &&
        fact.sources.front() <= fact.targets.back() &&
        !frontiers.find(fact, reached[number])) {
      if (!mayTakeLong)
        return std::nullopt;
      order.push_back(number);
    }
  // Neighbours share a batch, so that each takes a short way.
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(facts[a].sources.front(), a) <
           std::pair(facts[b].sources.front(), b);
  });
  Sweep sweep(segments, facts, reached);
  for (llvm::ArrayRef<unsigned> left = order; !left.empty();) {
    llvm::ArrayRef<unsigned> batch =
        left.take_front(std::min<size_t>(left.size(), batchSize));
    sweep.run(batch);
    left = left.drop_front(batch.size());
  }
  return reached;
}
