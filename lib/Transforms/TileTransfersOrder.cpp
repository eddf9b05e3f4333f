//===- TileTransfersOrder.cpp - What chunks may move across ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of a chain moves down to its last store: loads from where they are, a
// store from where it is. That changes nothing where what they move across
// neither touches the same places nor tells another thread that they are done.
// And chunks take turns: a load comes before each store of a later chunk, so it
// may not have cells of a store that came before it.
//
//===----------------------------------------------------------------------===//

#include "TileTransfersOrder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/AssemblyEffects.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void TransferList::add(Operation *op, const PlacedCells &tile,
                       const CellGrid &grid) {
  entries.push_back({op, tile.address, 0});
  grid.forEachRegion(tile,
                     [&](CellRegion region) { regions[region].push_back(op); });
}

void TransferList::finish() {
  for (size_t index = entries.size(); index-- > 0;) {
    bool isSame = index + 1 < entries.size() &&
                  entries[index + 1].address == entries[index].address;
    entries[index].nextOther =
        isSame ? entries[index + 1].nextOther : index + 1;
  }
}

/// The first operation of a list behind another one.
template <typename List, typename GetOp>
static auto findBehind(const List &list, Operation *from, GetOp getOp) {
  return llvm::partition_point(list, [&](const auto &entry) {
    return getOp(entry) == from || getOp(entry)->isBeforeInBlock(from);
  });
}

static Operation *getItself(Operation *op) { return op; }

Operation *TransferList::findOther(Operation *from, unsigned address) const {
  auto it =
      findBehind(entries, from, [](const Entry &entry) { return entry.op; });
  if (it != entries.end() && it->address == address)
    it = entries.begin() + it->nextOther;
  return it == entries.end() ? nullptr : it->op;
}

Operation *
TransferList::findSharing(CellRegion region, Operation *from, Operation *to,
                          function_ref<bool(Operation *)> isSkipped) const {
  auto found = regions.find(region);
  if (found == regions.end())
    return nullptr;
  ArrayRef<Operation *> list = found->second;
  for (auto it = findBehind(list, from, getItself);
       it != list.end() && (*it)->isBeforeInBlock(to); ++it)
    if (!isSkipped(*it))
      return *it;
  return nullptr;
}

/// Reads and writes of memory, and nothing else, of one thread.
static bool isMemoryAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
             vector::TransferReadOp, vector::TransferWriteOp>(op);
}

static bool isMemoryWrite(Operation *op) {
  return isa<memref::StoreOp, vector::StoreOp, vector::TransferWriteOp>(op);
}

Value mlir::tmem::getAccessedMemory(Operation *access) {
  return TypeSwitch<Operation *, Value>(access)
      .Case<memref::LoadOp, memref::StoreOp>(
          [](auto op) { return op.getMemRef(); })
      .Case<vector::LoadOp, vector::StoreOp, vector::TransferReadOp,
            vector::TransferWriteOp>([](auto op) { return op.getBase(); })
      .Default(Value());
}

BlockEffects::BlockEffects(Block &block, ViewPlaces &places) {
  std::vector<std::pair<TransferOpInterface, PlacedCells>> tiles;
  for (Operation &op : block) {
    if (auto transfer = dyn_cast<TransferOpInterface>(op)) {
      for (Value view : transfer.getViews()) {
        tiles.emplace_back(transfer, places.get(view));
        grid.add(tiles.back().second);
      }
    } else if (isMemoryAccess(&op)) {
      accesses.push_back(&op);
      if (isMemoryWrite(&op))
        writes.push_back(&op);
    } else if (!isa<WaitLoadOp, WaitStoreOp>(op) && !isFreeOfEffects(&op)) {
      others.push_back(&op);
    }
  }
  grid.finish();
  for (auto &[transfer, tile] : tiles) {
    transfers.add(transfer, tile, grid);
    if (transfer.getDirection() == Direction::Store)
      stores.add(transfer, tile, grid);
  }
  transfers.finish();
  stores.finish();
}

const BlockEffects &OrderChecker::getEffects(Block *block) {
  std::unique_ptr<BlockEffects> &found = effects[block];
  if (!found)
    found = std::make_unique<BlockEffects>(*block, places);
  return *found;
}

//===----------------------------------------------------------------------===//
// OrderCheck
//===----------------------------------------------------------------------===//

namespace {
/// Of one chain. Of all that is in its way, the first operation is told of.
class OrderCheck {
public:
  OrderCheck(TransferChain &chain, const BlockEffects &effects,
             ViewPlaces &places, AliasAnalysis &aliases)
      : chain(chain), effects(effects), places(places), aliases(aliases) {}
  void run();

private:
  void stop(Operation *op, const Twine &message, const Twine &advice) {
    if (!chain.obstacle || op->isBeforeInBlock(chain.obstacle->op))
      chain.obstacle = {op, message.str(), advice.str()};
  }
  void sortTransfers();
  void checkAddresses();
  void checkOwnCells();
  void checkOthers();
  void checkAccesses();
  void checkOtherAddresses();
  void checkOtherCells();
  void checkSinks();
  void stopAtStore(Operation *op, StringRef advice);
  void stopAtTransfer(Operation *op);

  TransferChain &chain;
  const BlockEffects &effects;
  ViewPlaces &places;
  AliasAnalysis &aliases;
  /// Loads and stores to TMEM of the chain, in the order of the block.
  SmallVector<TransferOpInterface> transfers;
  bool hasStores = false;
};
} // namespace

static Value getView(TransferOpInterface op) { return op.getViews().front(); }

static bool isStore(TransferOpInterface op) {
  return op.getDirection() == Direction::Store;
}

void OrderCheck::sortTransfers() {
  transfers.append(chain.loads.begin(), chain.loads.end());
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink))
      transfers.push_back(store);
  hasStores = transfers.size() > chain.loads.size();
  llvm::sort(transfers, [](TransferOpInterface a, TransferOpInterface b) {
    return a->isBeforeInBlock(b);
  });
}

/// Chunks of transfers, one of which stores, take turns.
void OrderCheck::checkAddresses() {
  if (!hasStores)
    return;
  TransferOpInterface first = transfers.front();
  for (TransferOpInterface op : transfers)
    if (places.getAddress(getView(op)) != places.getAddress(getView(first)))
      return stop(op,
                  "expected tiles of which is known whether they overlap, but "
                  "got one that may overlap with another one",
                  getOverlapAdvice(getView(op), getView(first)));
}

/// Chunk 1 of a load may come before chunk 1 of a store, whichever is first.
/// Stores of one cell want a wait between, of which chunks have none.
void OrderCheck::checkOwnCells() {
  DenseSet<CellRegion> stored;
  for (TransferOpInterface op : transfers) {
    PlacedCells tile = places.get(getView(op));
    bool meetsStore = false;
    effects.grid.forEachRegion(tile, [&](CellRegion region) {
      meetsStore |= stored.contains(region);
    });
    if (meetsStore && isStore(op))
      return stop(op,
                  "expected stores to different cells, but got a second one to "
                  "some",
                  "leave the first store out, or load the tile once for each");
    if (meetsStore)
      return stop(op,
                  "expected loads before the stores to their cells, but got "
                  "one that loads what was stored before",
                  "go on with the vector that was stored");
    if (isStore(op))
      effects.grid.forEachRegion(
          tile, [&](CellRegion region) { stored.insert(region); });
  }
}

void OrderCheck::checkOthers() {
  auto it = findBehind(effects.others, chain.getFirst(), getItself);
  if (it != effects.others.end() && (*it)->isBeforeInBlock(chain.getLast()))
    stop(*it,
         "expected nothing that may order or change memory between the load "
         "and the last store, but got '" +
             (*it)->getName().getStringRef() + "'",
         "move it before the load or behind the last store");
}

/// Loads of TMEM move across accesses to memory freely.
void OrderCheck::checkAccesses() {
  const auto *first = llvm::find_if(chain.sinks, isMemorySink);
  if (first == chain.sinks.end())
    return;
  for (auto it = findBehind(effects.accesses, *first, getItself);
       it != effects.accesses.end() && (*it)->isBeforeInBlock(chain.getLast());
       ++it)
    if (!chain.body.contains(*it))
      return stop(*it,
                  "expected no other access to memory between the stores, but "
                  "got '" +
                      (*it)->getName().getStringRef() + "'",
                  "move it before the first store or behind the last one");
}

void OrderCheck::stopAtStore(Operation *op, StringRef advice) {
  stop(op,
       "expected no store that may change the cells between the load and the "
       "last store, but got one",
       Twine("move it out of the way") + (advice.empty() ? "" : ", or ") +
           advice);
}

void OrderCheck::stopAtTransfer(Operation *op) {
  stop(op,
       "expected no transfer of the stored cells before the last store, but "
       "got '" +
           op->getName().getStringRef() + "'",
       "move it behind the last store");
}

/// Transfers of other addresses may have any cells. A chain that stores has one
/// address, so what has another one is not of the chain.
void OrderCheck::checkOtherAddresses() {
  Operation *last = chain.getLast();
  std::optional<unsigned> loaded;
  for (TransferOpInterface op : transfers) {
    unsigned address = places.getAddress(getView(op));
    // Behind loads of two addresses each store has another one than one has.
    unsigned allowed = loaded && *loaded != address ? ~0u : address;
    Operation *other = isStore(op) ? effects.transfers.findOther(op, allowed)
                                   : effects.stores.findOther(op, allowed);
    if (other && other->isBeforeInBlock(last)) {
      if (isStore(op))
        return stopAtTransfer(other);
      Value view = cast<TransferOpInterface>(other).getViews().front();
      return stopAtStore(other, getOverlapAdvice(view, getView(op)));
    }
    if (!isStore(op) && !loaded)
      loaded = address;
  }
}

void OrderCheck::checkOtherCells() {
  Operation *last = chain.getLast();
  auto isOfChain = [&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    return load ? chain.loads.contains(load) : chain.body.contains(op);
  };
  // The first load and the first store of a region see all that comes behind.
  DenseSet<CellRegion> loaded, stored;
  for (TransferOpInterface op : transfers) {
    DenseSet<CellRegion> &seen = isStore(op) ? stored : loaded;
    const TransferList &list = isStore(op) ? effects.transfers : effects.stores;
    Operation *found = nullptr;
    effects.grid.forEachRegion(places.get(getView(op)), [&](CellRegion region) {
      if (!seen.insert(region).second)
        return;
      Operation *other = list.findSharing(region, op, last, isOfChain);
      if (other && (!found || other->isBeforeInBlock(found)))
        found = other;
    });
    if (found && isStore(op))
      stopAtTransfer(found);
    else if (found)
      stopAtStore(found, "");
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The allocation that memory is a part of, or null.
static Operation *getAllocation(Value memory) {
  Operation *op = memory.getDefiningOp();
  for (unsigned depth = 0; depth < 8; ++depth) {
    auto view = dyn_cast_if_present<ViewLikeOpInterface>(op);
    if (!view)
      break;
    memory = view.getViewSource();
    op = memory.getDefiningOp();
  }
  auto effects = dyn_cast_if_present<MemoryEffectOpInterface>(op);
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(memory)
             ? op
             : nullptr;
}

/// Chunks of two stores take turns, which matters where they meet in memory.
/// (For stores to TMEM the chunks are compared.) Allocations are different from
/// each other; the rest is asked about pair by pair, up to a limit.
void OrderCheck::checkSinks() {
  constexpr unsigned maxQueries = 2048;
  unsigned queries = 0;
  SmallVector<Operation *> sinks, unknown;
  DenseMap<Operation *, Operation *> allocations;
  auto mayOverlap = [&](Operation *sink, Operation *other) {
    return queries++ >= maxQueries ||
           !aliases.alias(getAccessedMemory(sink), getAccessedMemory(other))
                .isNo();
  };
  for (Operation *sink : llvm::make_filter_range(chain.sinks, isMemorySink)) {
    Operation *allocation = getAllocation(getAccessedMemory(sink));
    bool meets = llvm::any_of(
        unknown, [&](Operation *other) { return mayOverlap(other, sink); });
    if (allocation) {
      // Parts of one allocation may be apart.
      auto [it, isNew] = allocations.try_emplace(allocation, sink);
      meets = meets || (!isNew && mayOverlap(it->second, sink));
      if (!isNew)
        unknown.push_back(sink);
    } else {
      meets = meets || llvm::any_of(sinks, [&](Operation *other) {
                return mayOverlap(other, sink);
              });
      unknown.push_back(sink);
    }
    if (meets)
      return stop(sink,
                  "expected stores to memory that does not overlap, but got "
                  "two that may",
                  "load the tile once for each, or allocate both in the "
                  "kernel");
    if (allocation)
      sinks.push_back(sink);
  }
}

/// True for an argument that nothing else is an alias of.
static bool isUnaliased(Value memory) {
  auto argument = dyn_cast<BlockArgument>(memory);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return false;
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && argument.getArgNumber() < function.getNumArguments() &&
         function.getArgAttr(argument.getArgNumber(), "llvm.noalias");
}

bool OrderChecker::mayOverlap(Operation *access, Operation *other) {
  Value a = getAccessedMemory(access), b = getAccessedMemory(other);
  if (a != b && isa<BlockArgument>(a) && isa<BlockArgument>(b) &&
      (isUnaliased(a) || isUnaliased(b)))
    return false;
  return !aliases.alias(a, b).isNo();
}

bool OrderChecker::isSameForAll(Operation *read) {
  return llvm::all_of(read->getOperands(), [&](Value operand) {
    return uniform.isUniform(operand);
  });
}

bool OrderChecker::mayMoveDown(Operation *read, TransferChain &chain) {
  constexpr unsigned maxQueries = 64;
  Operation *last = chain.getLast();
  if (read->getBlock() != last->getBlock())
    return false;
  const BlockEffects &found = getEffects(read->getBlock());
  auto other = findBehind(found.others, read, getItself);
  if (other != found.others.end() && (*other)->isBeforeInBlock(last))
    return false;
  // Each thread of a warp reads the same, and nothing orders one thread's read
  // before another one's write: a write that changes it would be a data race.
  if (isSameForAll(read))
    return true;
  unsigned queries = 0;
  for (auto it = findBehind(found.writes, read, getItself);
       it != found.writes.end() &&
       (*it == last || (*it)->isBeforeInBlock(last));
       ++it)
    if (queries++ == maxQueries || mayOverlap(read, *it))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

void OrderCheck::run() {
  sortTransfers();
  checkAddresses();
  if (chain.obstacle)
    return;
  checkOthers();
  checkAccesses();
  checkOtherAddresses();
  checkOtherCells();
  checkOwnCells();
  if (!chain.obstacle)
    checkSinks();
}

void OrderChecker::check(TransferChain &chain) {
  if (!chain.obstacle)
    OrderCheck(chain, getEffects(chain.lead->getBlock()), places, aliases)
        .run();
}
