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

bool CellWord::intersects(const CellWord &other) const {
  uint64_t common = 0;
  for (unsigned half = 0; half < numHalves; ++half)
    common |= halves[half] & other.halves[half];
  return common != 0;
}

bool CellWord::covers(const CellWord &other) const {
  uint64_t missing = 0;
  for (unsigned half = 0; half < numHalves; ++half)
    missing |= other.halves[half] & ~halves[half];
  return missing == 0;
}

void CellWord::unite(const CellWord &other) {
  for (unsigned half = 0; half < numHalves; ++half)
    halves[half] |= other.halves[half];
}

void CellWord::subtract(const CellWord &other) {
  for (unsigned half = 0; half < numHalves; ++half)
    halves[half] &= ~other.halves[half];
}

uint64_t CellWord::getColumns() const {
  uint64_t columns = 0;
  for (uint64_t half : halves)
    columns |= half;
  return columns;
}

/// The columns of which cells are in both.
static uint64_t getCommonColumns(const CellWord &a, const CellWord &b) {
  uint64_t common = 0;
  for (unsigned half = 0; half < numHalves; ++half)
    common |= a.halves[half] & b.halves[half];
  return common;
}

void Cells::add(unsigned half, int64_t column, int64_t count) {
  int64_t end = std::min<int64_t>(column + count, numColumns);
  for (column = std::max<int64_t>(column, 0); column < end;) {
    unsigned word = column / 64, bit = column % 64;
    unsigned width = std::min<int64_t>(64 - bit, end - column);
    uint64_t mask = width == 64 ? ~0ull : ((1ull << width) - 1) << bit;
    words[word].halves[half % numHalves] |= mask;
    column += width;
  }
}

void Cells::addAll() {
  for (unsigned half = 0; half < numHalves; ++half)
    add(half, 0, numColumns);
}

bool Cells::intersects(const Cells &other) const {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    if (mine.intersects(theirs))
      return true;
  return false;
}

bool Cells::isEmpty() const {
  return llvm::all_of(words,
                      [](const CellWord &word) { return word.isEmpty(); });
}

void Cells::unite(const Cells &other) {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    mine.unite(theirs);
}

void Cells::subtract(const Cells &other) {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    mine.subtract(theirs);
}

int Cells::findColumn(const Cells &other) const {
  for (unsigned word = 0; word < numColumnWords; ++word)
    if (uint64_t common = getCommonColumns(words[word], other.words[word]))
      return word * 64 + llvm::countr_zero(common);
  return -1;
}

//===----------------------------------------------------------------------===//
// Cells with their events
//===----------------------------------------------------------------------===//

bool CellSet::intersects(const Cells &other) const {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    if (mine && mine->cells.intersects(theirs))
      return true;
  return false;
}

bool CellSet::intersects(const CellSet &other) const {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    if (mine && theirs && mine->cells.intersects(theirs->cells))
      return true;
  return false;
}

bool CellSet::covers(const CellSet &other) const {
  for (auto [mine, theirs] : llvm::zip(words, other.words))
    if (theirs && theirs != mine &&
        (!mine || !mine->cells.covers(theirs->cells)))
      return false;
  return true;
}

bool CellSet::isEmpty() const {
  return llvm::none_of(words, [](const auto &word) { return bool(word); });
}

void CellSet::add(const Cells &other, uint32_t event) {
  for (auto [word, theirs] : llvm::zip(words, other.words)) {
    uint64_t columns = theirs.getColumns();
    if (!columns)
      continue;
    if (!word)
      word = llvm::makeIntrusiveRefCnt<Word>();
    Word &own = getOwn(word);
    own.cells.unite(theirs);
    for (; columns; columns &= columns - 1)
      own.events[llvm::countr_zero(columns)] = event;
  }
}

void CellSet::unite(const CellSet &other) {
  for (auto [word, theirs] : llvm::zip(words, other.words)) {
    if (!theirs || theirs == word)
      continue;
    if (!word) {
      word = theirs;
      continue;
    }
    Word &own = getOwn(word);
    own.cells.unite(theirs->cells);
    for (auto [mine, event] : llvm::zip(own.events, theirs->events))
      mine = std::max(mine, event);
  }
}

void CellSet::subtract(const Cells &other) {
  for (auto [word, theirs] : llvm::zip(words, other.words)) {
    if (!word || !word->cells.intersects(theirs))
      continue;
    if (theirs.covers(word->cells))
      word = nullptr;
    else
      getOwn(word).cells.subtract(theirs);
  }
}

uint32_t CellSet::findEvent(unsigned word, const CellWord &other) const {
  uint64_t common = getCommonColumns(words[word]->cells, other);
  return common ? words[word]->events[llvm::countr_zero(common)] : 0;
}

uint32_t CellSet::findEvent(const Cells &other) const {
  for (unsigned word = 0; word < numColumnWords; ++word)
    if (words[word])
      if (uint32_t event = findEvent(word, other.words[word]))
        return event;
  return 0;
}

uint32_t CellSet::findEvent(const CellSet &other) const {
  for (unsigned word = 0; word < numColumnWords; ++word)
    if (words[word] && other.words[word])
      if (uint32_t event = findEvent(word, other.words[word]->cells))
        return event;
  return 0;
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
    if (it->set->covers(*fact.set))
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
  changed |= joinRegisters(registers, other.registers);
  changed |= joinSets(pending, other.pending);
  return changed;
}
