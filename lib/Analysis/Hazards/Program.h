//===- Program.h - Events with what they name -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph of a kernel, with its allocations, slots, barriers and groups of
// warps numbered.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_PROGRAM_H
#define TMEM_LIB_ANALYSIS_HAZARDS_PROGRAM_H

#include "Bounds.h"
#include "Findings.h"
#include "State.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace mlir::tmem::hazards {

inline constexpr unsigned maxChannels = 64;
inline constexpr unsigned maxSlots = 64;
/// Addresses that are based on nothing which is known: each has its own order,
/// which every state holds.
inline constexpr unsigned maxOtherRoots = 128;

/// What an event of the graph names.
struct Target {
  int root = -1;    ///< The allocation, or what else the address is based on.
  int slot = -1;    ///< The word of shared memory.
  int channel = -1; ///< The barrier, where it is not met by all at once.
  bool isDynamic = false;       ///< The columns are not known.
  ThreadValue offset;           ///< Of an address, from the root on.
  SmallVector<Term, 1> unknown; ///< Where it is dynamic: what comes to that.
  unsigned thread = 0;          ///< The first one that executes it.
  int64_t columns = -1;         ///< Of alloc and dealloc.
  ThreadValue size;             ///< The same, where it is no constant.
  Units met = 0;          ///< Who meets at the barrier, if nobody is missing.
  bool meetsAll = false;  ///< Whether that is the CTA.
  bool isUnclear = false; ///< The barrier, or the slot, is not known.
  bool isMiscounted = false; ///< Other threads come to the barrier than count.
};

/// Where addresses start.
struct Root {
  bool isAllocated = false;   ///< By an alloc of this kernel.
  int64_t columns = -1;       ///< What every alloc of it has, or -1.
  bool isSized = false;       ///< Whether an alloc has said them.
  int64_t least = INT64_MAX;  ///< What every alloc of it has at least.
  bool isBounded = true;      ///< There are bounds for all of those.
  bool isShared = false;      ///< By several allocs that one load may mean.
  bool isGuessed = false;     ///< And order would tell which one it means.
  bool isOverwritten = false; ///< By data, maybe.
  bool isUnwritten = false;   ///< A word that nothing is seen to write.
  /// Of an address that may be one of several: the allocations among them.
  SmallVector<int, 0> candidates;
};

/// By type of view: its cells, from column 0 on.
using ViewCells = DenseMap<Type, std::shared_ptr<Cells>>;

/// Where an address points, relative to its root.
Cell getCell(int64_t offset);

/// Cells that an instruction of the tensor core accesses for certain; `offset`
/// is its address within the root.
Cells getTensorCells(Evaluator &evaluator, const Event &event, int64_t offset);

/// What is wrong with the lane at which matrix D or A of an mma begins, or ""
/// (PTX ISA, tcgen05: Data Path Layout Organization).
std::string findTensorMisplaced(Evaluator &evaluator, const Event &event,
                                int64_t offset);

/// Cells that a warp's transfer moves; `offset` is its address within the root.
Cells getTransferCells(Evaluator &evaluator, const Event &event,
                       const ThreadValue &offset, unsigned warp,
                       ViewCells &viewCells);

/// What is wrong with the immediate of a raw 16x32bx2, by which the second half
/// of a warp accesses other cells than the first, or "" (PTX ISA, tcgen05.ld).
std::string findBadSplit(Evaluator &evaluator, const Event &event);

/// What is wrong with the lane that the address of a warp's transfer names, or
/// "".
std::string findMisplaced(Evaluator &evaluator, const Event &event,
                          const ThreadValue &offset, unsigned warp,
                          ViewCells &viewCells);

class Program {
public:
  /// `followsCalls`: what the functions do that it calls is known.
  Program(Evaluator &evaluator, Operation *kernel, bool followsCalls);

  Evaluator &evaluator;
  Graph graph;
  std::vector<Target> targets; ///< By event.
  std::vector<Root> roots;
  bool hasAllocations() const {
    return llvm::any_of(roots,
                        [](const Root &root) { return root.isAllocated; });
  }
  int restRoot = -1; ///< Of all addresses that are too many to be kept apart.
  std::vector<uint32_t> unitWarps;    ///< By unit: the warps.
  std::vector<Units> nodeUnits;       ///< By node.
  std::vector<uint32_t> nodeWarps;    ///< By node.
  std::vector<uint32_t> partialWarps; ///< By node: with some lanes missing.
  uint32_t shortWarp = 0; ///< The last one, if the block ends within it.
  std::vector<uint8_t> nodeLanes; ///< By node: the one lane of each warp.
  std::vector<uint32_t> committingLanes; ///< By unit.
  std::vector<Units> arrivers;           ///< By channel.
  Channels clusterChannels = 0;          ///< Phases of the cluster's barrier,
  Channels relaxedChannels = 0;          ///< with arrivals that are relaxed.
  /// By channel: whether a unit meets at it from more than one place, so that
  /// one meeting cannot be told from the other.
  std::vector<bool> isAmbiguous;
  /// Words that allocs write, of which each load has to be followed for itself:
  /// by an evaluator that is told so.
  std::vector<Slot> changingSlots;
  unsigned numSlots = 0;
  /// Where there are mbarriers: by variable, the bytes.
  std::map<unsigned, std::set<int64_t>> mbarrierPlaces;
  /// Stores over those.
  std::set<unsigned> mbarrierStores;
  /// By event: words that it writes besides that of its target.
  std::map<unsigned, SmallVector<int, 1>> moreSlots;
  std::vector<bool> isRewritten; ///< By slot: in more than one place.
  bool hasOtherSync = false;
  bool hasPair = false;   ///< Instructions for a pair of CTAs.
  bool hasSingle = false; ///< Such for one CTA.
  /// Arrivals that may be at mbarriers of other CTAs.
  bool hasRemoteArrivals = false;
  bool hasUnknown = false;
  bool hasMBarriers = false;
  /// Barriers of which the sides stand in different places, and whether a warp
  /// comes to one of them more than once.
  bool hasHandoffs = false, hasReusedHandoffs = false;
  bool hasComputedColumns = false; ///< Within an allocation of the kernel.
  Units getAllUnits() const {
    return unitWarps.size() >= 32 ? ~0u : (1u << unitWarps.size()) - 1;
  }

  Operation *findPair() const;
  /// What there is not between an access of the tensor core and what follows.
  Missing getCompletion(const Order &order) const;
  /// The cells that the warps of a unit access.
  Cells getCells(unsigned event, unsigned unit) const;
  /// The same at an offset that is known.
  Cells getCells(unsigned event, unsigned unit,
                 const ThreadValue &offset) const;
  /// Bounds of the unknown part of an address.
  std::optional<Bounds> findColumns(const ThreadValue &unknown, Frame *frame);
  /// What is wrong with the lane that the address of an access names, or "".
  std::string findMisplaced(unsigned event, unsigned node) const;

private:
  bool followsKernel; ///< All that a block executes.
  void findUnits();
  void findLanes();
  void resolve();
  void resolveAccess(unsigned event);
  void resolveAllocation(unsigned event);
  void resolveSlot(unsigned event);
  void resolveSlot(unsigned event, const Slot &slot);
  void findOverwrites();
  void findMBarrierStores();
  bool holdsWords(unsigned object) const;
  void findOverlaps(const ThreadValue &address, int64_t bytes,
                    const ThreadSet &threads, std::set<Slot> &found) const;
  bool isData(unsigned event, const Slot &slot) const;
  void resolveBarrier(unsigned event, unsigned node);
  void completeBarriers();
  void findSharedBarriers();
  void findMiscounted();
  void resolveClusterBarriers();
  void findHandoffs();
  void resolveMBarrier(unsigned event, unsigned node);
  bool mayArriveElsewhere(unsigned event) const;
  void useChannel(unsigned event, unsigned node, std::vector<int64_t> key,
                  bool arrives);
  int getRoot(ThreadValue &address, bool &isDynamic,
              SmallVectorImpl<Term> *rest = nullptr, unsigned depth = 0);
  bool isUnwritten(ArrayRef<int64_t> key) const;
  ThreadValue substitute(ThreadValue value);
  std::optional<ThreadValue> getContent(const Slot &slot);
  bool isAllocSlot(const Slot &slot) const;
  std::optional<Slot> getSlotOf(unsigned event);
  int getSlotRoot(const Slot &slot);

  /// Of a word that is written more than once: which writes reach which loads,
  /// as sets of bits.
  struct Versions {
    DenseMap<unsigned, unsigned> writers; ///< By event: the number.
    SmallVector<unsigned, 4> events;      ///< By number.
    uint64_t allocs = 0;
    bool isGuessed = false; ///< More orders warps than is looked at here.
    llvm::MapVector<std::pair<Value, Frame *>, uint64_t> reads;
    llvm::EquivalenceClasses<unsigned> sameAs;
    std::map<unsigned, int> roots; ///< By the leader of those that are one.
  };
  void findVersions();
  bool isInOrder() const;
  bool meetsBlock(unsigned event, unsigned node) const;
  void followSlot(const Slot &slot, bool inOrder);
  bool reads(unsigned event, const Slot &slot);
  void keepRead(unsigned event, uint64_t writes, Versions &versions);
  void followInOrder(const Slot &slot, Versions &versions);
  void followBetweenBarriers(const Slot &slot, Versions &versions);
  std::vector<uint64_t> findLaterWrites(const Versions &versions) const;
  uint64_t applyBackward(const Versions &versions, unsigned node,
                         unsigned event, uint64_t writes) const;
  uint64_t applyWrites(const Versions &versions, unsigned node, unsigned event,
                       uint64_t writes) const;
  int getAllocRoot(const Slot &slot, unsigned event);
  std::optional<int> getVersion(ThreadValue &address, unsigned term,
                                const Slot &slot);

  /// By event: words that it may write a part of, or more than.
  std::map<unsigned, std::set<Slot>> overwrites;
  std::set<Slot> overwritten;
  std::map<Slot, Versions> versionsOf;
  std::map<Slot, int> slotRoots, slots;
  std::map<std::vector<int64_t>, int> otherRoots, channels;
  std::map<std::pair<int, unsigned>, unsigned> meetings;
  /// By the number of a barrier: the groups of warps that meet there, 0 for one
  /// of several places.
  std::map<int64_t, std::set<uint32_t>> groups;
  mutable ViewCells viewCells;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_PROGRAM_H
