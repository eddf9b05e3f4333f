//===- State.cpp - What holds at a point of a kernel ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

void Cells::add(unsigned half, int64_t column, int64_t count) {
  int64_t end = std::min<int64_t>(column + count, numColumns);
  for (column = std::max<int64_t>(column, 0); column < end;) {
    unsigned word = column / 64, bit = column % 64;
    unsigned width = std::min<int64_t>(64 - bit, end - column);
    uint64_t mask = width == 64 ? ~0ull : ((1ull << width) - 1) << bit;
    bits[half % numHalves][word] |= mask;
    column += width;
  }
}

void Cells::addAll() {
  for (unsigned half = 0; half < numHalves; ++half)
    add(half, 0, numColumns);
}

bool Cells::intersects(const Cells &other) const {
  for (unsigned half = 0; half < numHalves; ++half)
    for (unsigned word = 0; word < numColumnWords; ++word)
      if (bits[half][word] & other.bits[half][word])
        return true;
  return false;
}

bool Cells::isEmpty() const {
  for (auto &half : bits)
    for (uint64_t word : half)
      if (word)
        return false;
  return true;
}

void Cells::unite(const Cells &other) {
  for (unsigned half = 0; half < numHalves; ++half)
    for (unsigned word = 0; word < numColumnWords; ++word)
      bits[half][word] |= other.bits[half][word];
}

void Cells::subtract(const Cells &other) {
  for (unsigned half = 0; half < numHalves; ++half)
    for (unsigned word = 0; word < numColumnWords; ++word)
      bits[half][word] &= ~other.bits[half][word];
}

bool Cells::operator==(const Cells &other) const {
  return std::memcmp(bits, other.bits, sizeof(bits)) == 0;
}

int Cells::findColumn(const Cells &other) const {
  for (unsigned word = 0; word < numColumnWords; ++word) {
    uint64_t common = 0;
    for (unsigned half = 0; half < numHalves; ++half)
      common |= bits[half][word] & other.bits[half][word];
    if (common)
      return word * 64 + llvm::countr_zero(common);
  }
  return -1;
}

uint32_t CellSet::getEvent(unsigned column) const {
  const ColumnEvents *word = words[column / 64].get();
  return word ? word->events[column % 64] : 0;
}

ColumnEvents &CellSet::getOwnWord(unsigned word) {
  if (!words[word])
    words[word] = llvm::makeIntrusiveRefCnt<ColumnEvents>();
  return getOwn(words[word]);
}

void CellSet::add(const Cells &other, uint32_t event) {
  cells.unite(other);
  for (unsigned word = 0; word < numColumnWords; ++word) {
    uint64_t columns = 0;
    for (unsigned half = 0; half < numHalves; ++half)
      columns |= other.bits[half][word];
    if (!columns)
      continue;
    ColumnEvents &own = getOwnWord(word);
    for (; columns; columns &= columns - 1)
      own.events[llvm::countr_zero(columns)] = event;
  }
}

void CellSet::unite(const CellSet &other) {
  cells.unite(other.cells);
  for (unsigned word = 0; word < numColumnWords; ++word) {
    const auto &theirs = other.words[word];
    if (!theirs || theirs == words[word])
      continue;
    if (!words[word]) {
      words[word] = theirs;
      continue;
    }
    for (auto [mine, event] :
         llvm::zip(getOwnWord(word).events, theirs->events))
      mine = std::max(mine, event);
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static auto tie(const Order &o) {
  return std::tie(o.root, o.unit, o.lane, o.kind, o.level, o.load, o.pended,
                  o.ordered, o.firm, o.handed, o.taken, o.acquired,
                  o.acquiredFenced, o.releasedPended, o.released,
                  o.releasedFirm, o.releasedFenced, o.blocked, o.isBack,
                  o.isMaybe, o.doubt, o.behind, o.maybeMet, o.maybeTaken);
}

bool Order::operator==(const Order &other) const {
  return tie(*this) == tie(other);
}
bool Order::operator<(const Order &other) const {
  return tie(*this) < tie(other);
}

void State::add(const Order &order, const Cells &cells, uint32_t event) {
  auto *it = llvm::lower_bound(
      facts, order, [](const Fact &a, const Order &b) { return a.order < b; });
  if (it == facts.end() || !(it->order == order))
    it = facts.insert(it, Fact{order, llvm::makeIntrusiveRefCnt<CellSet>()});
  it->getOwnSet().add(cells, event);
}

void State::normalize() {
  llvm::sort(facts,
             [](const Fact &a, const Fact &b) { return a.order < b.order; });
  size_t kept = 0;
  for (size_t i = 0; i < facts.size(); ++i) {
    if (kept != 0 && facts[kept - 1].order == facts[i].order) {
      facts[kept - 1].getOwnSet().unite(*facts[i].set);
      continue;
    }
    if (kept != i)
      facts[kept] = std::move(facts[i]);
    ++kept;
  }
  facts.truncate(kept);
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

template <typename T> static bool assign(T &to, const T &value) {
  bool changed = !(to == value);
  to = value;
  return changed;
}

static bool joinFacts(State &state, const State &other) {
  bool changed = false, added = false;
  size_t numOld = state.facts.size();
  for (const Fact &fact : other.facts) {
    auto end = state.facts.begin() + numOld;
    auto *it = std::lower_bound(
        state.facts.begin(), end, fact.order,
        [](const Fact &a, const Order &b) { return a.order < b; });
    if (it == end || !(it->order == fact.order)) {
      state.facts.push_back(fact);
      changed = added = true;
      continue;
    }
    if (it->set == fact.set)
      continue;
    Cells both = it->set->cells;
    both.unite(fact.set->cells);
    if (both == it->set->cells)
      continue;
    it->getOwnSet().unite(*fact.set);
    changed = true;
  }
  if (added)
    state.normalize();
  return changed;
}

static void joinMeeting(Meeting &a, const Meeting &b) {
  a.behind &= b.behind;
  a.released &= b.released;
  a.relaxed |= b.relaxed;
  a.met &= b.met;
  a.metReleased &= b.metReleased;
  a.maybeMet |= b.maybeMet;
  a.via = std::max(a.via, b.via);
}

static bool joinAllocation(Allocation &a, const Allocation &b) {
  Allocation old = a;
  // Where nothing is allocated, nobody has to meet.
  if (!(a.states & Allocation::Live))
    a.meeting = b.states & Allocation::Live ? b.meeting : a.meeting;
  else if (b.states & Allocation::Live)
    joinMeeting(a.meeting, b.meeting);
  a.states |= b.states;
  if (a.columns != b.columns) {
    if (old.alloc == 0)
      a.columns = b.columns;
    else if (b.alloc != 0)
      a.columns = -1;
  }
  a.alloc = std::max(a.alloc, b.alloc);
  if (a.dealloc && b.dealloc)
    a.freedBehind &= b.freedBehind;
  else
    a.freedBehind |= b.freedBehind;
  a.dealloc = std::max(a.dealloc, b.dealloc);
  a.freedBy |= b.freedBy;
  a.isFreedBefore |= b.isFreedBefore;
  a.freedMaybeBehind = std::max(a.freedMaybeBehind, b.freedMaybeBehind);
  return !(a == old);
}

static bool joinSets(SmallVectorImpl<uint32_t> &a, ArrayRef<uint32_t> b) {
  if (std::includes(a.begin(), a.end(), b.begin(), b.end()))
    return false;
  SmallVector<uint32_t, 0> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(both));
  a.assign(both.begin(), both.end());
  return true;
}

static bool joinRegisters(SmallVectorImpl<PendingRegisters> &a,
                          ArrayRef<PendingRegisters> b) {
  if (b.empty() || ArrayRef(a) == b)
    return false;
  SmallVector<PendingRegisters, 0> both;
  auto *it = a.begin();
  for (const PendingRegisters &other : b) {
    while (it != a.end() && it->set < other.set)
      both.push_back(*it++);
    both.push_back(other);
    if (it == a.end() || it->set != other.set)
      continue;
    both.back().load = std::max(it->load, other.load);
    both.back().units |= it->units;
    ++it;
  }
  both.append(it, a.end());
  bool changed = ArrayRef(both) != ArrayRef(a);
  if (changed)
    a.assign(both.begin(), both.end());
  return changed;
}

const PendingRegisters *State::findPending(uint32_t set) const {
  const auto *it = llvm::lower_bound(
      registers, set, [](const PendingRegisters &pending, uint32_t other) {
        return pending.set < other;
      });
  return it != registers.end() && it->set == set ? it : nullptr;
}

bool State::join(const State &other) {
  bool changed = joinFacts(*this, other);
  for (auto [a, b] : llvm::zip_equal(allocations, other.allocations))
    changed |= joinAllocation(a, b);
  for (auto [a, b] : llvm::zip_equal(acquired, other.acquired))
    changed |= assign(a, a & b);
  for (auto [a, b] : llvm::zip_equal(acquiredFenced, other.acquiredFenced))
    changed |= assign(a, a & b);
  for (auto [a, b] : llvm::zip_equal(released, other.released))
    changed |= assign(a, a | b);
  for (auto [a, b] : llvm::zip_equal(maybeWaited, other.maybeWaited))
    changed |= assign(a, std::max(a, b));
  for (auto [a, b] : llvm::zip_equal(open, other.open)) {
    changed |= assign(a.first, a.first & b.first);
    changed |= assign(a.second, a.second & b.second);
  }
  changed |= assign(partlyFenced, Units(partlyFenced | other.partlyFenced));
  changed |= assign(written, written & other.written);
  changed |= assign(mayBeWritten, mayBeWritten | other.mayBeWritten);
  if (other.lastColumns < lastColumns) {
    lastColumns = other.lastColumns;
    lastAlloc = other.lastAlloc;
    changed = true;
  }
  Channels behind = relinquished && other.relinquished
                        ? relinquishedBehind & other.relinquishedBehind
                        : relinquishedBehind | other.relinquishedBehind;
  changed |= assign(relinquishedBehind, behind);
  changed |= assign(relinquished, std::max(relinquished, other.relinquished));
  changed |= joinRegisters(registers, other.registers);
  changed |= joinSets(pending, other.pending);
  return changed;
}
