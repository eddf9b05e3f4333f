//===- TileTransfersOrder.h - What chunks may move across -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TILETRANSFERSORDER_H
#define TMEM_LIB_TRANSFORMS_TILETRANSFERSORDER_H

#include "InsertWaits.h"
#include "TileTransfers.h"

namespace mlir::tmem {

/// Transfers of a block, in its order.
class TransferList {
public:
  void add(Operation *op, const PlacedCells &tile, const CellGrid &grid);
  void finish();

  /// The first one behind `from` of another address, or null.
  Operation *findOther(Operation *from, unsigned address) const;
  /// The first one behind `from` and before `to` that has the region and is not
  /// to be skipped, or null.
  Operation *findSharing(CellRegion region, Operation *from, Operation *to,
                         function_ref<bool(Operation *)> isSkipped) const;

private:
  struct Entry {
    Operation *op;
    unsigned address;
    size_t nextOther; ///< The next entry of another address.
  };
  std::vector<Entry> entries;
  DenseMap<CellRegion, SmallVector<Operation *, 2>> regions;
};

/// What the operations of a block do to memory. It is looked up for each chain,
/// so that chains in each other's midst take linear time.
struct BlockEffects {
  BlockEffects(Block &block, ViewPlaces &places);

  CellGrid grid;
  TransferList transfers, stores; ///< Stores are among the transfers, too.
  /// Reads and writes of memory by one thread, and of these the writes.
  std::vector<Operation *> accesses, writes;
  /// Anything else that may order or change memory.
  std::vector<Operation *> others;
};

/// Looks at what chains move across.
class OrderChecker {
public:
  OrderChecker(AliasAnalysis &aliases, DominanceInfo &dominance)
      : aliases(aliases), uniform(dominance) {}

  /// Sets the chain's obstacle where an operation is in its way, between its
  /// first load and its last store, across which loads and stores move.
  void check(TransferChain &chain);

  /// True where a read of memory may move down to the end of a chain of its
  /// block.
  bool mayMoveDown(Operation *read, TransferChain &chain);

  ViewPlaces places;

private:
  const BlockEffects &getEffects(Block *block);
  bool isSameForAll(Operation *read);
  bool mayOverlap(Operation *access, Operation *other);

  AliasAnalysis &aliases;
  UniformBranches uniform;
  DenseMap<Block *, std::unique_ptr<BlockEffects>> effects;
};

/// The memory that an operation of BlockEffects::accesses reads or writes.
Value getAccessedMemory(Operation *access);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TILETRANSFERSORDER_H
