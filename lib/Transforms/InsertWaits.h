//===- InsertWaits.h - The parts of tmem-insert-waits -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is under way is an item: a read, a write, or a value that loops and
// branches make of reads. InsertWaitsSurvey.cpp goes through the program once,
// for all that the others have to know of it. Which items may stay pending on
// their way is found in InsertWaitsWebs.cpp, what operations ask for in
// InsertWaitsEffects.cpp, and from both where to wait, region by region, in
// InsertWaitsFlow.cpp and InsertWaitsBlocks.cpp. What branches take into their
// arms is found in InsertWaitsBranches.cpp, whether all lanes of a warp branch
// alike in InsertWaitsUniform.cpp. What was taken for pending but has to be
// waited for is cut out of its web, and all is done again, a bounded number of
// times. InsertWaitsRewrite.cpp rewrites the program.
//
// Large programs are in no cache, and each look at an operation is one at
// memory. So there is one walk to survey them, one for each look at a region,
// and one to rewrite them, each in the order of the program.
//
// docs/Waits.md has the rules, and what is proven of them.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_INSERTWAITS_H
#define TMEM_LIB_TRANSFORMS_INSERTWAITS_H

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Sequence.h"
#include <bitset>
#include <deque>

namespace mlir::tmem {

//===----------------------------------------------------------------------===//
// InsertWaitsEffects.cpp: cells, and what operations ask for
//===----------------------------------------------------------------------===//

/// Cells of TMEM counted from one base: for each half slab, which columns.
/// Instructions move whole half slabs.
struct CellSet {
  static constexpr unsigned numHalves = 8, numColumns = 1024;
  std::array<std::bitset<numColumns>, numHalves> columns;

  bool overlaps(const CellSet &other) const;
  void add(const CellSet &other);
};

/// The cells of a transfer. Bases are numbered; of two with different numbers
/// it is not known how they lie to each other. 0 stands for any cells.
struct Place {
  unsigned base = 0;
  const CellSet *cells = nullptr;
};

/// The places of the transfers of one pass. Computed once for each view.
class Places {
public:
  Place get(TransferOpInterface op);

  /// True when the base need not be the same wherever the place is looked at:
  /// something in the regions of `op` defines it.
  bool isDefinedIn(unsigned base, Operation *op) const;
  /// True when the base is one address throughout a function.
  bool isFixed(unsigned base) const;
  /// The cells of both, if their bases allow it.
  Place unite(Place a, Place b);

private:
  struct Base {
    Value root;
    SmallVector<std::pair<Value, int64_t>> steps;
  };
  struct Address {
    unsigned base;
    int64_t lane, column; ///< Static offset of the base, in lanes and columns.
  };

  Address getAddress(Value view);
  const CellSet *getCells(ArrayRef<Value> views, const Address &address);

  std::vector<Base> bases{Base()};
  std::map<std::pair<void *, std::vector<std::pair<void *, int64_t>>>, unsigned>
      numbers;
  DenseMap<Value, Address> addresses;
  std::map<std::tuple<void *, void *, int64_t, int64_t>, const CellSet *> sets;
  std::deque<CellSet> storage;
};

/// What an operation asks of transfers under way.
struct Demands {
  bool everything = false; ///< It may tell other threads that they are done.
  SmallVector<Place, 1> loaded, stored;

  bool isEmpty() const {
    return !everything && loaded.empty() && stored.empty();
  }
  /// Adds what something in the regions of `op` asks.
  void add(const Demands &inner, Operation *op, Places &places);
};

/// What the operation itself asks, without what is in its regions.
Demands getOwnDemands(Operation *op, Places &places);

/// A read, a write, or what a loop or branch makes of reads. Kept small: they
/// are gone through several times.
struct Item {
  Value value;             ///< The vector; null for a write.
  Operation *op = nullptr; ///< The read or write; null for an input.
  Region *home = nullptr;  ///< Where it is defined, and waited for.
  Place place;
  /// The use that hands it on, and the inputs that it is handed to: one, or of
  /// a loop two. There may be more such uses: Items::getReceivers.
  OpOperand *handing = nullptr;
  std::pair<unsigned, unsigned> receivers;
  unsigned numIncoming = 0; ///< Operands that come to an input.
  bool staysHome = false;   ///< Waited for at the end of its block at latest.
  bool hasSiblings = false; ///< Of an input: others are defined with it.
  bool hasOneUse = false;

  /// An argument or result of a loop or branch.
  bool isInput() const { return !op; }
  bool isWrite() const { return !value; }
};

//===----------------------------------------------------------------------===//
// InsertWaitsSurvey.cpp: what is in a program
//===----------------------------------------------------------------------===//

/// What there is in a program, found in one walk. Reads that nothing uses are
/// erased.
struct Survey {
  Survey(Operation *root, Places &places);

  /// What the operation, with all in its regions, asks.
  Demands getDemands(Operation *op) const;

  Places &places;
  std::vector<Item> transfers; ///< In their order.
  /// The first transfer of a block or of one behind it.
  DenseMap<Block *, unsigned> firstTransfers;
  /// Operations with regions, each before those in it.
  SmallVector<Operation *, 0> owners;
  /// Uses of what reads give that are not near (see isFarUse), and the number
  /// of the read.
  std::vector<std::pair<OpOperand *, unsigned>> farUses;

private:
  void visitBlock(Block &block, Operation *owner, Demands &sum);
  void visitRegions(Operation *owner);
  void addTransfer(Operation *op);

  /// What owners ask for that ask for anything.
  std::vector<std::pair<Operation *, Demands>> demands;
  DenseMap<Operation *, unsigned> demandNumbers;
  mutable unsigned lastDemands = 0; ///< Asked for.
};

//===----------------------------------------------------------------------===//
// InsertWaitsUniform.cpp
//===----------------------------------------------------------------------===//

/// Tells where all lanes of a warp go the same way.
class UniformBranches {
public:
  explicit UniformBranches(DominanceInfo &dominance) : dominance(dominance) {}
  bool isUniform(Operation *terminator);
  /// Is a value the same for all threads of a block?
  bool isUniform(Value value, unsigned depth = 0);

private:
  bool hasCollective(Block *block);

  DominanceInfo &dominance;
  DenseMap<Value, bool> values;
  DenseMap<Block *, bool> collectives;
};

//===----------------------------------------------------------------------===//
// InsertWaitsWebs.cpp: items, and how they are handed on
//===----------------------------------------------------------------------===//

/// Whether the operation may hand vectors on pending (rule P1): a loop, a
/// branch, or the end of one of their regions.
bool mayHandOn(Operation *op);

/// Whether a use of a vector may hand it on, or stands in another region than
/// its definition.
bool isFarUse(OpOperand &use);

/// The items of a program and their webs.
class Items {
public:
  Items(Survey &survey, DominanceInfo &dominance);

  static constexpr unsigned none = ~0u;

  unsigned size() const { return items.size(); }
  /// Reads and writes come first, numbered as in the survey.
  unsigned getNumTransfers() const { return firstInput; }
  Item &operator[](unsigned id) { return items[id]; }
  /// Whether an input is pending, and not waited for before. All else is.
  bool isPending(unsigned id) const { return !waitedFor[id]; }
  /// Items of one web share registers.
  unsigned getWeb(unsigned id) const { return webs[id]; }
  /// The item of a vector, or none. For reads this takes a map that is made
  /// when it is first asked for: it is large, and rarely needed.
  unsigned find(Value value);
  /// Whether a use of the item hands it to pending inputs.
  bool isHandedOn(unsigned id, OpOperand &use) const;
  /// Whether an operand hands any item to pending inputs.
  bool isHandedOn(OpOperand &operand);
  /// The items that a nested operation of `op` uses, but `op` itself does not
  /// own.
  ArrayRef<unsigned> getCaptured(Operation *op) const;

  /// Makes an input one that is waited for before it is handed over, and all
  /// that it goes to or shares an operand with.
  void cut(unsigned input);
  void cutReceivers(OpOperand &operand);
  /// All inputs, and nothing leaves its block.
  void cutEverything();
  /// The branch is to take nothing into its arms.
  void refuse(Operation *branch) { refused.insert(branch); }
  bool isRefused(Operation *branch) const { return refused.contains(branch); }
  /// Finds webs, and cuts inputs that would be two values of one web at once.
  void updateWebs(Places &places);

private:
  unsigned findInput(Value value);
  unsigned findRead(Value value);
  void addInputs(const Survey &survey, DominanceInfo &dominance);
  unsigned addInput(Value value);
  void addFarUse(unsigned id, OpOperand &use, DominanceInfo &dominance);
  void addReceivers(unsigned id, OpOperand &use, DominanceInfo &dominance);
  void sortSources();
  void addCapture(unsigned id, Operation *user);
  void cutUnfit();
  bool cutCrowded();
  void uniteWebs();
  unsigned findWeb(unsigned id);
  unsigned getTie(unsigned id) const;
  auto getInputs() const { return llvm::seq<unsigned>(firstInput, size()); }
  /// The inputs that a use of an item hands it to, or none and none.
  using Receivers = std::pair<unsigned, unsigned>;
  Receivers getReceivers(unsigned id, OpOperand &use) const;

  /// What comes to an input: an operand, and the item that it hands over.
  struct Source {
    OpOperand *operand;
    unsigned id, input;
    bool isFit = false; ///< The item is there, and not used afterwards.
  };
  /// All that comes to an item; nothing to a read.
  ArrayRef<Source> getSources(unsigned id) const {
    if (id < firstInput)
      return {};
    unsigned begin = firstSources[id - firstInput];
    return ArrayRef(sources).slice(begin,
                                   firstSources[id - firstInput + 1] - begin);
  }

  std::vector<Item> items;
  std::vector<unsigned> webs; ///< By item.
  unsigned firstInput = 0;
  std::vector<Source> sources;        ///< In the order of the inputs.
  std::vector<unsigned> firstSources; ///< By input, and where all end.
  DenseMap<Value, unsigned> inputIds, readIds;
  unsigned lastFound = 0;    ///< Of the inputs.
  llvm::BitVector waitedFor; ///< By item.
  /// Of uses that hand on an item which another one hands on, too.
  DenseMap<OpOperand *, Receivers> moreReceivers;
  DenseMap<Operation *, SmallVector<unsigned, 2>> captures;
  DenseSet<Operation *> refused;
};

//===----------------------------------------------------------------------===//
// InsertWaitsBranches.cpp: what branches take into their arms
//===----------------------------------------------------------------------===//

using ItemList = SmallVector<unsigned, 2>;

/// What is under way at the start of each arm of a branch, to be waited for in
/// each of them.
struct BranchEntry {
  ItemList loads, stores;
  unsigned level = 0; ///< How many branches around have taken it in.
};
using BranchEntries = DenseMap<Operation *, BranchEntry>;

/// Items that operations with regions use inside.
using CaptureMap = DenseMap<Operation *, ItemList>;

/// Whether every way through the operation takes exactly one of its arms, the
/// same for all lanes of a warp, and nothing behind it uses what is under way:
/// so no result is needed for what the arms have waited for. Not so for
/// branches that have been refused.
bool canTakeIn(Operation *branch, ArrayRef<unsigned> flight, Items &items,
               UniformBranches &branches);

/// Which operations of a region use, inside, what was taken into it.
CaptureMap findCaptures(Region &region, ArrayRef<unsigned> taken, Items &items);

//===----------------------------------------------------------------------===//
// InsertWaitsFlow.cpp: where to wait
//===----------------------------------------------------------------------===//

/// A wait that has to be.
struct PlannedWait {
  Operation *before;              ///< It stands right before this operation,
  bool isPlaced = false;          ///< or is this one, placed by hand.
  bool isStore = false;           ///< For stores, or for loads.
  SmallVector<unsigned, 4> items; ///< In the order in which they were issued.
};

/// What the regions of a program need, with the inputs that are pending now.
struct WaitPlan {
  /// Those for a transfer come behind those right before it.
  SmallVector<PlannedWait, 0> waits;
  /// Operands that hand over what has to be waited for before.
  SmallVector<OpOperand *, 0> broken;
  /// Branches that have taken something into their arms.
  DenseSet<Operation *> takers;
};

/// Goes through every region that has items.
WaitPlan planWaits(const Survey &survey, Items &items,
                   UniformBranches &branches);

//===----------------------------------------------------------------------===//
// InsertWaitsRewrite.cpp
//===----------------------------------------------------------------------===//

/// Tells which wait serves a use.
class WaitFinder {
public:
  WaitFinder(Items &items, const WaitPlan &plan, DominanceInfo &dominance);

  /// The number of a wait for the item that comes before the use on every way,
  /// or nothing.
  std::optional<unsigned> find(unsigned item, OpOperand &use);
  /// Whether each use of the item that is not handed on has one.
  bool servesAllUses(unsigned item);
  /// The waits for the item.
  ArrayRef<unsigned> getWaits(unsigned item) const { return waits[item]; }

private:
  /// A value that is waited for in more places is not worth the search.
  static constexpr unsigned maxWaits = 8;

  Items &items;
  DominanceInfo &dominance;
  std::vector<SmallVector<unsigned, 2>> waits; ///< By item.
  DenseMap<unsigned, Block *> blocks; ///< Of waits for what has several.
};

/// Makes loads and stores of reads and writes, and the waits.
void rewriteTransfers(Items &items, const WaitPlan &plan, WaitFinder &finder,
                      MLIRContext *context);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_INSERTWAITS_H
