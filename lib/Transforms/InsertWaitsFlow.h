//===- InsertWaitsFlow.h - What is under way in a block ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_INSERTWAITSFLOW_H
#define TMEM_LIB_TRANSFORMS_INSERTWAITSFLOW_H

#include "InsertWaits.h"

namespace mlir::tmem {

/// The loads, or the stores, that have not been waited for.
class InFlight {
public:
  InFlight(Items &items, bool areStores)
      : items(items), members(items.size()),
        webs(areStores ? 0 : items.size()) {}

  ArrayRef<unsigned> getItems() const { return list; }
  bool contains(unsigned id) const { return members[id] == stamp; }
  /// The item of a vector, if it is one of them, or none.
  unsigned find(Value value);
  /// Of loads.
  bool hasWeb(unsigned web) const { return webs[web] == stamp; }

  void add(unsigned id);
  void clear();
  void assign(ArrayRef<unsigned> ids);
  /// Whether one of them may touch a cell of the place.
  bool mayTouch(Place place) const;

private:
  Items &items;
  SmallVector<unsigned> list;
  DenseMap<Value, unsigned> numbers; ///< Of the first ones, if they are many.
  /// By item and by web: the stamp, where there is one under way. To forget all
  /// takes a new stamp.
  std::vector<unsigned> members, webs;
  unsigned stamp = 1;
  unsigned base = 0;    ///< Of all of them,
  bool isMixed = false; ///< unless these differ.
  CellSet cells;
};

/// What a block has under way, and what it needs.
struct BlockState {
  ItemList loads, stores; ///< Under way at the start.
  /// Under way at the end, for each successor.
  SmallVector<ItemList, 2> loadsOut, storesOut;
  SmallVector<PlannedWait, 0> waits;
  SmallVector<OpOperand *, 0> broken;
  bool isKnown = false;
  bool waitsLoads = false, waitsStores = false; ///< At the end, in any case.
  bool isStale = true; ///< Something has changed since it was looked at.
  unsigned numVisits = 0;
};

/// Goes through blocks.
class BlockFlow {
public:
  BlockFlow(const Survey &survey, Items &items, UniformBranches &branches)
      : survey(survey), items(items), branches(branches),
        loads(items, /*areStores=*/false), stores(items, /*areStores=*/true) {}

  void run(Block &block, BlockState &state);
  /// Whether a branch takes anything into its arms, of which this is one; if so
  /// what is under way at its start.
  bool enter(Region &region, BlockState &state);

private:
  void visit(Operation *op);
  bool takeIn(Operation *branch, InFlight &flight, ItemList &taken);
  void leave(Operation *terminator);
  void joinPlacedWait(Operation *op);
  void wait(Operation *before, InFlight &flight, ArrayRef<unsigned> except = {},
            bool isPlaced = false);
  bool usesLoads(Operation *op, SmallVectorImpl<unsigned> &handed);
  unsigned takeTransfer(Operation *op);
  void checkDemands(Operation *op, bool &needsLoads, bool &needsStores);
  bool definesSharedRegisters(Operation *op);
  void takeOut(ArrayRef<unsigned> handed, Operation *op);
  void visitTransfer(Operation *op, unsigned id);
  void visitOther(Operation *op);
  void leaveTo(Operation *terminator, unsigned successor);

  const Survey &survey;
  Items &items;
  UniformBranches &branches;
  InFlight loads, stores;
  BlockState *state = nullptr;
  unsigned next = 0; ///< The next transfer of the block, or behind it.
  BranchEntries entries;
  CaptureMap captured; ///< Of what was taken into the region at hand.
  unsigned level = 0;  ///< How many branches have taken it in.
};

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_INSERTWAITSFLOW_H
