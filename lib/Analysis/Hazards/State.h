//===- State.h - What holds at a point of a kernel --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that may have happened are kept as sets of cells, one for each way
// in which they are ordered before other warps' accesses. So a state is small,
// however many accesses a kernel has.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_STATE_H
#define TMEM_LIB_ANALYSIS_HAZARDS_STATE_H

#include "Graph.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <array>

namespace mlir::tmem::hazards {

/// More than any chip's columns.
inline constexpr unsigned numColumnWords = 10;
inline constexpr unsigned numColumns = 64 * numColumnWords;
/// Half slabs: lanes 16i to 16i + 15.
inline constexpr unsigned numHalves = 8;

/// Of 64 columns: those of each half.
struct CellWord {
  uint64_t halves[numHalves] = {};

  bool intersects(const CellWord &other) const;
  bool covers(const CellWord &other) const;
  bool isEmpty() const { return getColumns() == 0; }
  void unite(const CellWord &other);
  void subtract(const CellWord &other);
  uint64_t getColumns() const;
};

/// Cells of Tensor Memory: transfers move whole halves of slabs.
struct Cells {
  CellWord words[numColumnWords];

  void add(unsigned half, int64_t column, int64_t count);
  void addAll();
  bool has(unsigned half, unsigned column) const {
    return words[column / 64].halves[half] >> column % 64 & 1;
  }
  bool intersects(const Cells &other) const;
  bool isEmpty() const;
  void unite(const Cells &other);
  void subtract(const Cells &other);
  /// The first column of both, or -1.
  int findColumn(const Cells &other) const;
};

/// What `shared` names, to change it: a copy, unless nobody else has it.
template <typename T> T &getOwn(llvm::IntrusiveRefCntPtr<T> &shared) {
  if (shared->UseCount() > 1)
    shared = llvm::makeIntrusiveRefCnt<T>(*shared);
  return *shared;
}

/// Cells, and for each column the event that accessed it last. Every block has
/// sets of its own, which differ in few columns: the rest is shared.
class CellSet : public llvm::RefCountedBase<CellSet> {
public:
  bool intersects(const Cells &other) const;
  bool intersects(const CellSet &other) const;
  bool covers(const CellSet &other) const;
  bool isEmpty() const;
  void add(const Cells &other, uint32_t event);
  void unite(const CellSet &other);
  void subtract(const Cells &other);
  /// The event that accessed the first column of both last, or 0.
  uint32_t findEvent(const Cells &other) const;
  uint32_t findEvent(const CellSet &other) const;
  uint32_t getFirstEvent() const { return findEvent(*this); }

private:
  struct Word : llvm::RefCountedBase<Word> {
    CellWord cells;
    uint32_t events[64] = {}; ///< By column; 0 for none.
  };
  uint32_t findEvent(unsigned word, const CellWord &other) const;

  /// Null where there are no cells.
  std::array<llvm::IntrusiveRefCntPtr<Word>, numColumnWords> words;
};

/// Warps that run the same nodes, at most one of each slab. A set of them is 32
/// bits.
using Units = uint32_t;
/// Barriers that are not met by all at once: mbarriers, and named ones of which
/// the two sides stand in different places.
using Channels = uint64_t;

enum class AccessKind : uint8_t {
  Load,
  Store,
  TensorWrite,
  TensorRead,
  SlotWrite,
  SlotRead,
  Permit ///< To allocate: by an alloc, or where it is given up.
};
/// By the tensor core.
inline bool isTensor(AccessKind kind) {
  return kind == AccessKind::TensorWrite || kind == AccessKind::TensorRead;
}
/// Of cells: two of them need no order.
inline bool isRead(AccessKind kind) {
  return kind == AccessKind::Load || kind == AccessKind::TensorRead;
}
inline AccessKind getAccessKind(EventKind kind) {
  switch (kind) {
  case EventKind::Load:
    return AccessKind::Load;
  case EventKind::Store:
    return AccessKind::Store;
  case EventKind::TensorRead:
    return AccessKind::TensorRead;
  default:
    return AccessKind::TensorWrite;
  }
}
/// Of the words that hold addresses, by their number, or of the permit; not of
/// cells.
inline bool isSlot(AccessKind kind) { return kind >= AccessKind::SlotWrite; }
/// A lane that is not known, or several.
inline constexpr uint8_t noLane = 0xff;
enum class Level : uint8_t { Pending, Waited, Fenced };

/// How accesses of one unit are ordered before what others do.
struct Order {
  uint32_t root = 0;
  uint32_t load = 0;     ///< The one load, where registers are followed.
  Units pended = 0;      ///< Who met the unit behind it, without the wait.
  Units ordered = 0;     ///< Who comes after it,
  Units firm = 0;        ///< by what is not relaxed.
  Units handed = 0;      ///< Who comes after it and its fence before.
  Units taken = 0;       ///< Who has executed the fence after, too.
  Channels acquired = 0; ///< What the unit had waited for,
  Channels acquiredFenced = 0; ///< with a fence after behind the wait.
  Channels releasedPended = 0; ///< Where it arrived without the wait,
  Channels released = 0;       ///< with it,
  Channels releasedFirm = 0;   ///< by what is not relaxed,
  Channels releasedFenced = 0; ///< and with the fence before.
  Channels blocked = 0;        ///< Arrivals of before, which do not count.
  uint32_t doubt = 0;          ///< The event that may hand it over, or 0.
  uint32_t behind = 0;  ///< The one that its unit may have waited at, or 0.
  Units maybeMet = 0;   ///< Who comes after it, if that event says so.
  Units maybeTaken = 0; ///< Who has executed the fence after, too.
  uint8_t unit = 0;
  AccessKind kind = AccessKind::Load;
  Level level = Level::Pending;
  bool isBack = false; ///< The unit has waited for somebody since.
  bool isMaybe = false;
  uint8_t lane = noLane; ///< Which gave it to the tensor core.
  uint8_t padding[2] = {};

  bool operator==(const Order &other) const;
  bool operator<(const Order &other) const;
};

struct Fact {
  Order order;
  /// Shared; copied before it is changed.
  llvm::IntrusiveRefCntPtr<CellSet> set;

  CellSet &getOwnSet() { return getOwn(set); }
};

/// Of what a pair of CTAs has allocated: whether they have met since. Who waits
/// for the cluster behind such an arrival comes after the peer's alloc, since
/// the peer runs the same code.
struct Meeting {
  Units behind = 0;         ///< Who comes after the alloc.
  Channels released = 0;    ///< Where one of those has arrived since,
  Channels relaxed = 0;     ///< or has in a way that is relaxed.
  Units met = 0;            ///< Who comes after a wait for the cluster, then.
  Channels metReleased = 0; ///< Where one of those has arrived.
  Units maybeMet = 0;       ///< Who may come after the peer's alloc,
  uint32_t via = 0;         ///< if this event says so.
  bool operator==(const Meeting &other) const {
    return behind == other.behind && released == other.released &&
           relaxed == other.relaxed && met == other.met &&
           metReleased == other.metReleased && maybeMet == other.maybeMet &&
           via == other.via;
  }
};

/// What may be the case with the columns of a root.
struct Allocation {
  enum : uint8_t { Never = 1, Live = 2, Freed = 4 };
  uint8_t states = Never;
  Meeting meeting;
  int32_t columns = -1; ///< -1: not known.
  uint32_t alloc = 0, dealloc = 0;
  Channels freedBehind = 0; ///< What the unit that freed had waited for.
  Units freedBy = 0;
  uint32_t freedMaybeBehind = 0; ///< What it may have waited for: an event.
  /// The dealloc stands in an arm in front of the alloc, and waits for it.
  bool isFreedBefore = false;
  bool operator==(const Allocation &other) const {
    return states == other.states && meeting == other.meeting &&
           columns == other.columns && alloc == other.alloc &&
           dealloc == other.dealloc && freedBehind == other.freedBehind &&
           freedBy == other.freedBy && isFreedBefore == other.isFreedBefore &&
           freedMaybeBehind == other.freedMaybeBehind;
  }
};

/// Registers that a raw load still fills, or may fill: by set, the load, and
/// whose they are.
struct PendingRegisters {
  uint32_t set, load;
  Units units;
  bool operator==(const PendingRegisters &other) const {
    return set == other.set && load == other.load && units == other.units;
  }
};

struct State : llvm::RefCountedBase<State> {
  SmallVector<Fact, 0> facts;
  SmallVector<Allocation, 2> allocations; ///< By root.
  SmallVector<Channels, 4> acquiredFenced;
  SmallVector<Channels, 4> acquired; ///< By unit, on every path.
  SmallVector<Channels, 4> released; ///< By unit, on some path.
  /// By unit: an event at which it may have waited for others, or 0.
  SmallVector<uint32_t, 4> maybeWaited;
  /// Of which units some lanes alone have executed the last fence after, and
  /// with it have come after something.
  Units partlyFenced = 0;
  /// By channel: who waits for it already, in an arm that stands before.
  SmallVector<std::pair<Units, Units>, 4> open;
  uint64_t written = ~0ull;  ///< Slots that every path writes.
  uint64_t mayBeWritten = 0; ///< Slots that some path writes.
  int32_t lastColumns = INT32_MAX;
  uint32_t lastAlloc = 0;
  SmallVector<PendingRegisters, 0> registers; ///< Ascending, by set.
  /// tmem loads without their own wait, ascending.
  SmallVector<uint32_t, 0> pending;

  /// True when this changed.
  bool join(const State &other);
  /// Adds cells to the fact of that order.
  void add(const Order &order, const Cells &cells, uint32_t event);
  /// Whose registers of a set are pending, and by which load; null for
  /// nobody's.
  const PendingRegisters *findPending(uint32_t set) const;
  /// Brings facts of equal orders together, after their orders were changed.
  void normalize();
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_STATE_H
