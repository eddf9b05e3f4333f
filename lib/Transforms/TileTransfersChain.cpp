//===- TileTransfersChain.cpp - From loads to stores ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTransfers.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

int64_t mlir::tmem::countColumns(ViewType view) {
  ArrayRef<int64_t> shape = view.getShape();
  while (shape.size() > 1 && shape.back() == 1)
    shape = shape.drop_back();
  return shape.back();
}

int64_t TransferChain::getColumns() { return countColumns(getLeadView()); }

Operation *TransferChain::getFirst() const {
  if (loads.empty())
    return sinks.front();
  Operation *first = loads.front();
  for (LoadOp load : loads)
    if (load->isBeforeInBlock(first))
      first = load;
  return first;
}

//===----------------------------------------------------------------------===//
// Kinds of operations
//===----------------------------------------------------------------------===//

bool mlir::tmem::isThreadVector(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type && type.getRank() == 1 && !type.isScalable();
}

bool mlir::tmem::isElementwise(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  if (!llvm::all_of(op->getResults(), isThreadVector))
    return false;
  // A bit cast keeps the order of bits, and so that of chunks.
  return op->hasTrait<OpTrait::Elementwise>() || isa<vector::BitCastOp>(op);
}

bool mlir::tmem::haveElementsOfWholeBytes(Value vector, ShapedType memory) {
  Type element = cast<VectorType>(vector.getType()).getElementType();
  return element == memory.getElementType() && element.isIntOrFloat() &&
         element.getIntOrFloatBitWidth() >= 8 &&
         llvm::isPowerOf2_32(element.getIntOrFloatBitWidth());
}

bool mlir::tmem::isMemorySink(Operation *op) {
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return isThreadVector(store.getValueToStore()) &&
           !store.getIndices().empty() &&
           haveElementsOfWholeBytes(store.getValueToStore(),
                                    store.getMemRefType());
  auto write = dyn_cast<vector::TransferWriteOp>(op);
  return write && isa<MemRefType>(write.getShapedType()) && !write.getMask() &&
         !write.getIndices().empty() && isThreadVector(write.getVector()) &&
         write.getPermutationMap().isMinorIdentity() &&
         haveElementsOfWholeBytes(write.getVector(), write.getShapedType());
}

//===----------------------------------------------------------------------===//
// ChainFinder
//===----------------------------------------------------------------------===//

namespace {
class ChainFinder {
public:
  explicit ChainFinder(LoadOp lead) : block(lead->getBlock()) {
    chain.lead = lead;
    addLoad(lead);
    while (!worklist.empty())
      visitUsers(worklist.pop_back_val());
    collectSinks();
    if (!chain.obstacle && !chain.sinks.empty())
      collectWaits();
  }
  explicit ChainFinder(StoreOp lead) : block(lead->getBlock()) {
    chain.lead = lead;
    chain.body.insert(lead);
    collectSinks();
    collectWaits();
  }

  TransferChain chain;

private:
  void stop(Operation *op, const Twine &message, const Twine &advice);
  void addLoad(LoadOp load);
  void addWait(WaitLoadOp wait);
  void addValue(Value value);
  void visitUsers(Value value);
  void findLoads(Value value);
  void collectSinks();
  void collectWaits();
  void addToken(StoreOp store);

  Block *block;
  SmallVector<Value> worklist;
  DenseSet<Value> searched;
};
} // namespace

/// The first obstacle is the one to tell of.
void ChainFinder::stop(Operation *op, const Twine &message,
                       const Twine &advice) {
  if (!chain.obstacle)
    chain.obstacle = {op, message.str(), advice.str()};
}

void ChainFinder::addLoad(LoadOp load) {
  if (!chain.loads.insert(load))
    return;
  for (Operation *user : load.getResult().getUsers()) {
    auto wait = dyn_cast<WaitLoadOp>(user);
    if (wait && wait->getBlock() == block)
      addWait(wait);
    else
      stop(user,
           "expected a wait in the block of the load, but got '" +
               user->getName().getStringRef() + "'" +
               (wait ? " in another one" : ""),
           "wait in the same block, or load windows by hand");
  }
}

void ChainFinder::addWait(WaitLoadOp wait) {
  if (!chain.waits.insert(wait))
    return;
  for (auto [pending, vector] :
       llvm::zip_equal(wait.getPending(), wait.getVectors())) {
    auto load = pending.getDefiningOp<LoadOp>();
    if (!load || load->getBlock() != block) {
      stop(wait, "expected a wait for loads of its block alone, but got others",
           "give each load a wait of its own");
      continue;
    }
    addValue(vector);
    addLoad(load);
  }
}

void ChainFinder::addValue(Value value) {
  if (chain.values.insert(value).second)
    worklist.push_back(value);
}

void ChainFinder::visitUsers(Value value) {
  for (Operation *user : value.getUsers()) {
    if (user->getBlock() != block) {
      stop(user,
           "expected consumers in the block of the load, but got one in "
           "another",
           "load where the vector is consumed");
      continue;
    }
    if (isa<StoreOp>(user) || isMemorySink(user)) {
      chain.body.insert(user);
      continue;
    }
    if (isa<vector::StoreOp, vector::TransferWriteOp>(user)) {
      stop(user,
           "expected a store of elements of 8 to 64 bits along the last "
           "dimension of a memref, without mask, but got another one",
           "convert the elements, or store in such a way");
      continue;
    }
    if (!isElementwise(user)) {
      stop(user,
           "expected consumers that work element by element or store the "
           "vector, but got '" +
               user->getName().getStringRef() + "'",
           isa<WriteOp>(user)
               ? "run tmem-insert-waits before"
               : "load windows of the view (tmem.subview) and combine what "
                 "comes of them");
      continue;
    }
    if (!chain.body.insert(user))
      continue;
    for (Value result : user->getResults())
      addValue(result);
    for (Value operand : user->getOperands())
      findLoads(operand);
  }
}

/// Other loads that a value comes from are of the chain, too: their vectors
/// meet those of the first.
void ChainFinder::findLoads(Value value) {
  SmallVector<Value> stack{value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || op->getBlock() != block || chain.values.contains(next) ||
        !isThreadVector(next) || !searched.insert(next).second)
      continue;
    if (auto wait = dyn_cast<WaitLoadOp>(op)) {
      unsigned number = cast<OpResult>(next).getResultNumber();
      if (auto load = wait.getPending()[number].getDefiningOp<LoadOp>())
        if (load->getBlock() == block)
          addLoad(load);
    } else if (isElementwise(op)) {
      llvm::append_range(stack, op->getOperands());
    }
  }
}

void ChainFinder::collectSinks() {
  SmallVector<Operation *> sorted = chain.body.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::copy_if(sorted, std::back_inserter(chain.sinks),
                [](Operation *op) { return !isElementwise(op); });
  DenseSet<Operation *> live(chain.sinks.begin(), chain.sinks.end());
  for (Operation *op : llvm::reverse(sorted))
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return live.contains(user); }))
      live.insert(op);
  for (Operation *op : sorted)
    if (live.contains(op) || chain.sinks.empty())
      chain.body.insert(op);
    else
      chain.dead.push_back(op);
}

/// Chunks have a token each, so tokens must go to waits, which take any number.
void ChainFinder::collectWaits() {
  for (Operation *sink : chain.sinks)
    if (auto store = dyn_cast<StoreOp>(sink))
      addToken(store);
}

void ChainFinder::addToken(StoreOp store) {
  for (Operation *user : store.getToken().getUsers()) {
    auto wait = dyn_cast<WaitStoreOp>(user);
    if (!wait) {
      stop(user,
           "expected a wait for the store, but got '" +
               user->getName().getStringRef() + "'",
           "wait for the store before its token goes elsewhere");
      continue;
    }
    if (wait->getBlock() != block || !wait->isBeforeInBlock(chain.getLast()))
      continue;
    if (!chain.earlyWaits.insert(wait))
      continue;
    for (Value token : wait.getTokens()) {
      Operation *other = token.getDefiningOp();
      if (!other || !isa<StoreOp>(other) || !chain.body.contains(other))
        stop(wait,
             "expected a wait for the stores of the chain alone, but got "
             "others",
             "wait for the other stores on their own, or after the last store");
    }
  }
}

TransferChain mlir::tmem::findChain(LoadOp load) {
  return std::move(ChainFinder(load).chain);
}

TransferChain mlir::tmem::makeChain(StoreOp store) {
  return std::move(ChainFinder(store).chain);
}
