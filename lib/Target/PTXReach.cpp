//===- PTXReach.cpp - Which facts reach which components ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXReach.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <limits>
#include <numeric>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

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

std::vector<std::vector<unsigned>>
ptx::findReached(const Segments &segments, llvm::ArrayRef<Fact> facts) {
  std::vector<std::vector<unsigned>> reached(facts.size());
  std::vector<unsigned> order;
  for (auto [number, fact] : llvm::enumerate(facts))
    // Edges lead to later components only.
    if (!fact.sources.empty() && !fact.targets.empty() &&
        fact.sources.front() <= fact.targets.back())
      order.push_back(number);
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
