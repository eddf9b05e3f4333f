//===- TileTransfers.h - Chains of transfers, and their chunks --*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parts of tmem-tile-transfers tell each other: a chain (found in
// TileTransfersChain.cpp, checked in TileTransfersOrder.cpp), what is made anew
// for each of its chunks (TileTransfersSlices.cpp), the chunks
// (TileTransfersChunks.cpp), their windows (TileTransfersWindows.cpp) and the
// code for them (TileTransfersRewrite.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TILETRANSFERS_H
#define TMEM_LIB_TRANSFORMS_TILETRANSFERS_H

#include "TileTransfersCells.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <map>

namespace mlir::tmem {

/// What keeps a chain from being tiled.
struct Obstacle {
  Operation *op; ///< Where it is, or null.
  std::string message;
  std::string advice; ///< What to do about it.
};

/// Loads whose vectors meet, what is calculated from them element by element,
/// and the stores that take the results; all in one block. Or one store of a
/// vector that comes of no load.
struct TransferChain {
  /// The first load found, or the store; columns are counted in its tile.
  TransferOpInterface lead;
  llvm::SetVector<LoadOp> loads;
  llvm::SetVector<WaitLoadOp> waits;
  /// Elementwise operations and stores, in the order of the block once the
  /// chain is complete.
  llvm::SetVector<Operation *> body;
  /// Elementwise operations of which nothing is stored, in that order. Some may
  /// stand behind the last store. (A chain without stores has none.)
  SmallVector<Operation *> dead;
  /// Stores to TMEM and to memory, in the order of the block.
  SmallVector<Operation *> sinks;
  /// Waits for the chain's stores that stand before the last store.
  llvm::SetVector<WaitStoreOp> earlyWaits;
  /// The vectors that the loads give and what is calculated from them.
  DenseSet<Value> values;
  /// Vectors from outside of which each chunk makes its part anew.
  DenseSet<Value> remade;
  SmallVector<Operation *> remadeOps; ///< The same, operands first.
  std::optional<Obstacle> obstacle;

  ViewType getLeadView() {
    return cast<ViewType>(lead.getViews().front().getType());
  }
  int64_t getLength() { return lead.getVectorType().getDimSize(0); }
  int64_t getColumns(); ///< Of the lead's tile.
  Operation *getFirst() const;
  /// Where the code of the chunks goes: all of a chain moves down to here.
  Operation *getLast() const { return sinks.back(); }
};

/// True where the elements of a vector lie in memory as those of a memref.
/// Elements of no whole bytes are packed, unlike those of a memref.
bool haveElementsOfWholeBytes(Value vector, ShapedType memory);

/// True for a store of a vector to memory, of which a chunk can be stored.
bool isMemorySink(Operation *op);

/// True for a vector of a thread.
bool isThreadVector(Value value);

/// True for what calculates each element of its results from the elements in
/// the same place.
bool isElementwise(Operation *op);

/// Collects the chain of a load. Never fails: what is in the way is its
/// obstacle.
TransferChain findChain(LoadOp load);

/// The chain of a store of a vector that comes of no load.
TransferChain makeChain(StoreOp store);

/// True for a vector that costs nothing to make anew: a constant, or one value
/// in all places.
bool isFree(Value vector);

/// Finds the chain's remade vectors: free ones, reads of memory, and what is
/// calculated from these element by element. `mayMove` says whether a read may
/// move down to the end of the chain.
void findRemade(TransferChain &chain, function_ref<bool(Operation *)> mayMove);

/// The part of a remade vector from element `begin` on. `getOperand` gives the
/// part of an operand.
Value remake(OpBuilder &builder, Value vector, int64_t begin, VectorType type,
             function_ref<Value(Value)> getOperand);

/// The index that is `distance` behind another one.
Value moveIndex(OpBuilder &builder, Location loc, Value index,
                int64_t distance);

/// What is known of the alignment of elements from `begin` on.
std::optional<uint64_t> getMovedAlignment(uint64_t alignment, VectorType vector,
                                          int64_t begin);

/// A part of a thread's vectors, in elements of the lead's vector.
struct Chunk {
  int64_t begin;
  int64_t size;
};

/// The part of a transfer that moves a chunk.
struct TransferWindow {
  /// The view, or the same cells with each dimension cut into so many factors.
  ViewType source;
  SmallVector<unsigned> factors;          ///< Empty for the view itself.
  SmallVector<int64_t, 4> offsets, sizes; ///< Of the source.
  ViewType type;
  LayoutAttr registers;
  AtomAttr atom;  ///< Null where the whole transfer names none.
  CellRuns cells; ///< Behind the base of the view.
};

struct Tiling {
  SmallVector<Chunk> chunks;
  /// A chunk is loaded before the one in front of it is calculated with, rather
  /// than after that one is stored.
  bool isAhead = true;
  /// For each load and each store to TMEM, a window for each chunk.
  using Windows = std::vector<TransferWindow>;
  llvm::MapVector<Operation *, std::shared_ptr<const Windows>> windows;
};

/// Windows of transfers that are alike, which most of a program are: each costs
/// a choice among all atoms.
struct WindowCache {
  struct Entry {
    std::shared_ptr<const Tiling::Windows> windows; ///< Null if there are none,
    std::string reason;                             ///< and then why.
    bool isTooNarrow = false; ///< Wider chunks may have windows.
  };
  /// All that windows depend on: view, vector, registers, atom and scope of the
  /// transfer; its direction, the length of vectors that chunks count in,
  /// dimensions to look along, and chunks.
  using Key = std::pair<std::array<const void *, 5>, std::vector<int64_t>>;
  std::map<Key, Entry> entries;
};

/// 32-bit registers that a chain needs for chunks of `size` elements.
struct ChainRegisters {
  int64_t loaded;    ///< What the loads of a chunk give.
  int64_t collected; ///< What is stored to TMEM, which takes it all at once.
  int64_t remade;    ///< What is made anew for a chunk, and not for nothing.
  int64_t external;  ///< Vectors from outside the chain, whole.

  /// At most live where a chunk is stored before the next one is loaded.
  int64_t inTurn() const {
    return std::max(loaded, collected) + remade + external;
  }
  /// The same where the next chunk is on its way meanwhile.
  int64_t ahead() const { return 2 * loaded + collected + remade + external; }
};
ChainRegisters countRegisters(TransferChain &chain, int64_t size);

/// May chunks of `size` elements be loaded ahead, with ptxas as it is?
bool mayLoadAhead(TransferChain &chain, int64_t size);

/// The vector from outside that takes most registers, or null.
Value findLargestOutside(TransferChain &chain);

/// Chunks of `columns` columns of the lead's tile, or nothing and what is in
/// the way.
std::optional<Tiling> tileChain(TransferChain &chain, int64_t columns,
                                ViewPlaces &places, WindowCache &cache,
                                std::optional<Obstacle> &obstacle);

/// Where a chunk lies in vectors of `length` elements; nothing where that is
/// not between elements.
std::optional<Chunk> scaleChunk(TransferChain &chain, const Chunk &chunk,
                                int64_t length);

/// Moves all elements of a layout along an axis.
void moveLayout(Layout &layout, Axis axis, int64_t distance);

/// 32-bit registers that a vector takes in a thread.
int64_t countRegisters(VectorType vector);

/// The columns of a tile: its last dimension that has some.
int64_t countColumns(ViewType view);

/// Puts the chunks in the place of the chain.
void rewriteChain(TransferChain &chain, const Tiling &tiling);

/// What makes a tile wide; 0 for no limit.
struct TilingLimits {
  unsigned columns;          ///< The widest chunk that is tried.
  unsigned maxLiveRegisters; ///< 32-bit registers of a thread.
};

/// All of the above for each chain below `root`. Chains that are too wide and
/// cannot be cut get a remark.
void tileTransfers(Operation *root, const TilingLimits &limits,
                   AliasAnalysis &aliases);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TILETRANSFERS_H
