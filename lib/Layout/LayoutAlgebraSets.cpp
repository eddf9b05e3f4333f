//===- LayoutAlgebraSets.cpp - Sets of coordinates on one axis ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of sums in general is as hard as a knapsack. What layouts have is easy:
// strides that divide each other, or few that do not. The rest is enumerated
// within bounds that hold every tile in TMEM and in registers.
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraSets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <vector>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Steps detail::getSteps(llvm::ArrayRef<Mode> modes, Axis axis) {
  Steps steps;
  for (const Mode &mode : modes)
    if (mode.axis == axis && mode.extent > 1 && mode.stride != 0)
      steps.push_back({mode.extent, std::abs(mode.stride)});
  return steps;
}

int64_t detail::getReach(llvm::ArrayRef<IndexMode> steps) {
  int64_t reach = 0;
  for (const IndexMode &step : steps)
    reach += (step.extent - 1) * step.stride;
  return reach;
}

static void sortByStride(Steps &steps) {
  llvm::sort(steps, [](const IndexMode &a, const IndexMode &b) {
    return std::make_pair(a.stride, a.extent) <
           std::make_pair(b.stride, b.extent);
  });
}

/// Merges a larger step into one that it is a multiple of, if that leaves no
/// gap: steps of 1, 4 of them, and steps of 3, 2 of them, are steps of 1, 7.
static bool mergeInto(IndexMode &small, const IndexMode &large) {
  if (large.stride % small.stride != 0 ||
      large.stride / small.stride > small.extent)
    return false;
  small.extent += large.stride / small.stride * (large.extent - 1);
  return true;
}

/// Merges one step of the sorted list into one before it. False at the end.
static bool mergeOne(Steps &steps) {
  for (unsigned i = 1; i < steps.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      if (mergeInto(steps[j], steps[i])) {
        steps.erase(steps.begin() + i);
        return true;
      }
  return false;
}

Steps detail::simplify(Steps steps) {
  sortByStride(steps);
  while (mergeOne(steps))
    ;
  return steps;
}

static bool isChain(llvm::ArrayRef<IndexMode> steps) {
  for (unsigned i = 1; i < steps.size(); ++i)
    if (steps[i].stride % steps[i - 1].stride != 0)
      return false;
  return true;
}

static int64_t getDivisor(llvm::ArrayRef<IndexMode> steps) {
  int64_t divisor = 0;
  for (const IndexMode &step : steps)
    divisor = std::gcd(divisor, step.stride);
  return divisor;
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

static constexpr int64_t maxReach = int64_t(1) << 24;
static constexpr int64_t maxSums = int64_t(1) << 20;

void detail::addSteps(llvm::BitVector &set, llvm::ArrayRef<IndexMode> steps) {
  for (const IndexMode &step : steps)
    // Doubles what is there, so it takes the logarithm of the extent.
    for (int64_t have = 1; have < step.extent;) {
      int64_t more = std::min(have, step.extent - have);
      llvm::BitVector moved = set;
      moved <<= unsigned(more * step.stride);
      set |= moved;
      have += more;
    }
}

/// The product of the extents, or something above the limit.
static int64_t countSums(llvm::ArrayRef<IndexMode> steps, int64_t limit) {
  int64_t count = 1;
  for (const IndexMode &step : steps) {
    if (step.extent > limit / count)
      return limit + 1;
    count *= step.extent;
  }
  return count;
}

/// The members, divided by their greatest common divisor. Nothing when they
/// reach too far.
static std::optional<llvm::BitVector>
drawMembers(llvm::ArrayRef<IndexMode> steps) {
  int64_t divisor = std::max<int64_t>(getDivisor(steps), 1);
  int64_t reach = getReach(steps) / divisor;
  if (reach >= maxReach)
    return std::nullopt;
  Steps scaled(steps);
  for (IndexMode &step : scaled)
    step.stride /= divisor;
  llvm::BitVector members(reach + 1);
  members.set(0);
  addSteps(members, scaled);
  return members;
}

/// The members in rising order. Nothing when there are too many.
static std::optional<std::vector<int64_t>>
listMembers(llvm::ArrayRef<IndexMode> steps) {
  if (countSums(steps, maxSums) > maxSums)
    return std::nullopt;
  std::vector<int64_t> members = {0};
  for (const IndexMode &step : steps)
    for (size_t i = 0, n = members.size() * (step.extent - 1); i < n; ++i)
      members.push_back(members[i] + step.stride);
  llvm::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

static std::optional<int64_t> countMembers(llvm::ArrayRef<IndexMode> steps) {
  if (auto members = drawMembers(steps))
    return members->count();
  if (auto members = listMembers(steps))
    return members->size();
  return std::nullopt;
}

Decision detail::areEqual(Steps a, Steps b) {
  a = simplify(std::move(a));
  b = simplify(std::move(b));
  if (a == b)
    return Decision::Yes;
  // The smallest stride is the second member, the reach the last; and where
  // strides divide each other the steps are unique.
  if (a.empty() || b.empty() || a.front().stride != b.front().stride ||
      getReach(a) != getReach(b) || getDivisor(a) != getDivisor(b) ||
      (isChain(a) && isChain(b)))
    return Decision::No;
  auto decide = [](bool same) { return same ? Decision::Yes : Decision::No; };
  auto drawnA = drawMembers(a), drawnB = drawMembers(b);
  if (drawnA && drawnB)
    return decide(*drawnA == *drawnB);
  auto listA = listMembers(a), listB = listMembers(b);
  if (listA && listB)
    return decide(*listA == *listB);
  return Decision::Unknown;
}

//===----------------------------------------------------------------------===//
// Distinct sums
//===----------------------------------------------------------------------===//

namespace {
struct Entry {
  IndexMode step;
  bool isMode;
};
} // namespace

static bool meet(const IndexMode &a, const IndexMode &b) {
  int64_t divisor = std::gcd(a.stride, b.stride);
  return a.extent > b.stride / divisor && b.extent > a.stride / divisor;
}

/// Two steps alone: the first common multiple of the strides tells.
static bool anyTwoMeet(llvm::ArrayRef<Entry> entries) {
  for (unsigned i = 0; i < entries.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      if ((entries[i].isMode || entries[j].isMode) &&
          meet(entries[i].step, entries[j].step))
        return true;
  return false;
}

/// True when each step is beyond the reach of the smaller ones.
static bool isNested(llvm::ArrayRef<Entry> entries) {
  int64_t reach = 0;
  for (const Entry &entry : entries) {
    if (entry.step.stride <= reach)
      return false;
    reach += (entry.step.extent - 1) * entry.step.stride;
  }
  return true;
}

/// Entries sorted by stride, of which no two meet, and which depend on each
/// other.
static Decision isBlockDistinct(llvm::ArrayRef<Entry> block) {
  Steps all, modes, replicas;
  for (const Entry &entry : block) {
    all.push_back(entry.step);
    (entry.isMode ? modes : replicas).push_back(entry.step);
  }
  if (modes.empty() || block.size() <= 2 || isNested(block))
    return Decision::Yes;
  int64_t numModes = countSums(modes, maxReach);
  auto sums = countMembers(all), copies = countMembers(replicas);
  if (!sums || !copies)
    return Decision::Unknown;
  // Sums that can be counted are at most 2^24, so the product is below 2^49.
  return numModes * *copies == *sums ? Decision::Yes : Decision::No;
}

Decision detail::areDistinct(const Steps &modes, const Steps &replicas) {
  llvm::SmallVector<Entry, 8> entries;
  for (const IndexMode &mode : modes)
    entries.push_back({mode, true});
  for (const IndexMode &replica : simplify(replicas))
    entries.push_back({replica, false});
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return a.step.stride < b.step.stride;
  });
  if (anyTwoMeet(entries))
    return Decision::No;
  // The greatest common divisor of each entry and all after it.
  llvm::SmallVector<int64_t, 8> divisors(entries.size());
  for (unsigned i = entries.size(); i-- > 0;)
    divisors[i] =
        std::gcd(entries[i].step.stride,
                 i + 1 < entries.size() ? divisors[i + 1] : int64_t(0));
  // Where all larger strides are multiples of something beyond the reach of the
  // smaller ones, a sum of zero is zero on both sides.
  Decision result = Decision::Yes;
  int64_t reach = 0;
  for (unsigned begin = 0, i = 0; i < entries.size(); ++i) {
    reach += (entries[i].step.extent - 1) * entries[i].step.stride;
    if (i + 1 < entries.size() && divisors[i + 1] <= reach)
      continue;
    Decision block = isBlockDistinct(
        llvm::ArrayRef<Entry>(entries).slice(begin, i + 1 - begin));
    if (block == Decision::No)
      return block;
    if (block == Decision::Unknown)
      result = block;
    begin = i + 1;
  }
  return result;
}
