//===- Shadow.cpp - Who accessed a word last ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include <algorithm>
#include <cstring>

using namespace tmem::emulation;

/// Marks are dropped at the first bound, which then grows up to the second:
/// past it the shadow starts afresh, which can only miss races.
static constexpr size_t firstThreshold = 1024;
static constexpr size_t lastThreshold = 16384;
static constexpr uint32_t cacheSize = 2048;

void Shadow::reset(uint32_t newNumWords, uint32_t numWarps,
                   IsKnown newIsKnown) {
  isKnown = std::move(newIsKnown);
  pending.resize(numWarps);
  if (newNumWords > capacity) {
    heads.reset(new uint16_t[newNumWords]);
    capacity = newNumWords;
  }
  numWords = newNumWords;
  cache.resize(cacheSize);
  threshold = firstThreshold;
  forget();
}

void Shadow::forget() {
  std::fill_n(heads.get(), numWords, 0);
  marks.assign(1, Mark());
  std::fill(cache.begin(), cache.end(), 0);
  for (auto &lists : pending)
    for (std::vector<uint16_t> &list : lists)
      list.clear();
}

void Shadow::clear(uint32_t begin, uint32_t end) {
  std::fill(&heads[begin], &heads[end], 0);
}

/// Whether `mark` happened before what the warp of `clock` does now.
static bool isOrdered(const Mark &mark, const VectorClock &clock) {
  return !mark.pending && clock.at[mark.warp] >= mark.epoch;
}

static bool isRace(const Mark &old, const Mark &mark,
                   const VectorClock &clock) {
  return old.warp != mark.warp && (old.bytes & mark.bytes) &&
         (old.write || mark.write) && !(old.atomic && mark.atomic) &&
         !isOrdered(old, clock);
}

/// Whether whatever races with `old` from now on also races with `mark`.
static bool isSuperseded(const Mark &old, const Mark &mark,
                         const VectorClock &clock) {
  return (old.warp == mark.warp || isOrdered(old, clock)) &&
         !(old.bytes & ~mark.bytes) && (mark.write || !old.write) &&
         (!mark.atomic || old.atomic);
}

/// The first word that differs from the one at `head`, or the end.
static uint16_t *findOther(uint16_t *head, uint16_t *end) {
  if (memcmp(head, head + 1, (end - head - 1) * sizeof(*head)) == 0)
    return end;
  uint16_t first = *head;
  while (*++head == first)
    continue;
  return head;
}

void Shadow::add(Words words, const Mark &mark, const VectorClock &clock,
                 const Conflict &conflict) {
  if (marks.size() > threshold)
    collect();
  // Neighbouring words mostly have one history.
  uint32_t known = UINT32_MAX;
  uint16_t replacement = 0;
  for (uint32_t row = 0; row < words.rows; ++row) {
    uint16_t *head = &heads[words.begin + size_t(row) * words.stride];
    uint16_t *end = head + words.width;
    while (head != end) {
      if (*head != known) {
        // Indices have 16 bits: this leaves room for the longest chain.
        if (marks.size() > 60000)
          forget();
        known = *head;
        replacement = push(*head, mark, clock, conflict);
      }
      uint16_t *next = findOther(head, end);
      std::fill(head, next, replacement);
      head = next;
    }
  }
}

void Shadow::check(Words words, const Mark &mark, const VectorClock &clock,
                   const Conflict &conflict) const {
  uint16_t known = 0;
  for (uint32_t row = 0; row < words.rows; ++row) {
    const uint16_t *begin = &heads[words.begin + size_t(row) * words.stride];
    for (const uint16_t *head = begin; head != begin + words.width; ++head) {
      if (*head == known)
        continue;
      known = *head;
      for (uint16_t at = known; at; at = marks[at].next)
        if (isRace(marks[at], mark, clock))
          conflict(marks[at]);
    }
  }
}

uint16_t Shadow::push(uint16_t head, const Mark &mark, const VectorClock &clock,
                      const Conflict &conflict) {
  // What stays, newest first. Few words have more than a handful.
  uint16_t kept[256];
  size_t numKept = 0;
  bool all = true;
  for (uint16_t at = head; at; at = marks[at].next) {
    if (isRace(marks[at], mark, clock))
      conflict(marks[at]);
    if (isSuperseded(marks[at], mark, clock) || numKept == std::size(kept))
      all = false;
    else
      kept[numKept++] = at;
  }
  uint16_t tail = all ? head : 0;
  if (!all)
    while (numKept)
      tail = intern(marks[kept[--numKept]], tail);
  return intern(mark, tail);
}

uint16_t Shadow::intern(Mark mark, uint16_t next) {
  mark.next = next;
  uint64_t key = reinterpret_cast<uintptr_t>(mark.site) ^
                 (uint64_t(mark.epoch) << 32) ^ (uint64_t(next) << 16) ^
                 (mark.warp * 16 + mark.bytes);
  uint32_t hash = (key * 0x9e3779b97f4a7c15) >> 53;
  uint16_t found = cache[hash % cacheSize];
  if (found && marks[found].next == next && marks[found].isSameAccess(mark))
    return found;
  uint16_t index = marks.size();
  marks.push_back(mark);
  cache[hash % cacheSize] = index;
  if (mark.pending)
    pending[mark.warp][mark.write].push_back(index);
  return index;
}

void Shadow::complete(uint32_t warp, bool write, uint32_t epoch,
                      uint32_t order) {
  for (uint16_t index : pending[warp][write]) {
    Mark &mark = marks[index];
    mark.pending = false;
    mark.epoch = epoch;
    mark.order = order;
  }
  pending[warp][write].clear();
}

/// Drops marks that no word has, or that all warps are ordered after.
void Shadow::collect() {
  std::vector<bool> used(marks.size());
  for (uint32_t word = 0; word < numWords; ++word)
    used[heads[word]] = true;
  // A mark's next was made before it, so one pass each way will do.
  for (size_t index = marks.size() - 1; index > 0; --index)
    if (used[index])
      used[marks[index].next] = true;
  std::vector<uint16_t> moved(marks.size());
  size_t size = 1;
  for (size_t index = 1; index < marks.size(); ++index) {
    Mark mark = marks[index];
    mark.next = moved[mark.next];
    moved[index] = mark.next;
    if (!used[index] || (!mark.pending && isKnown(mark)))
      continue;
    moved[index] = size;
    marks[size++] = mark;
  }
  marks.resize(size);
  for (uint32_t word = 0; word < numWords; ++word)
    heads[word] = moved[heads[word]];
  for (auto &lists : pending)
    for (std::vector<uint16_t> &list : lists) {
      std::vector<uint16_t> rest;
      for (uint16_t index : list)
        if (used[index])
          rest.push_back(moved[index]);
      list = std::move(rest);
    }
  std::fill(cache.begin(), cache.end(), 0);
  if (marks.size() > threshold / 2) {
    if (threshold < lastThreshold)
      threshold *= 2;
    else
      forget();
  }
}
