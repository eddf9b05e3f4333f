//===- PendingWebs.cpp - Which pending values share registers -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingWebs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/TMemTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

using LiveSet = llvm::DenseSet<Value>;

/// The webs of one function. Two values of a web are alive at once exactly when
/// one of them is alive where the other one is defined, so one walk against the
/// flow of control finds every web in which that happens.
class Analysis {
public:
  explicit Analysis(Operation *root) : root(root) {}

  void run() {
    root->walk([&](Operation *op) {
      joinValues(op);
      for (OpOperand &operand : op->getOpOperands())
        noteCapture(operand);
    });
    crowdSelects();
    for (Region &region : root->getRegions()) {
      LiveSet live;
      visitRegion(region, LiveSet(), live);
    }
  }

  /// Marks each operation that hands values on with the operands that do so
  /// within webs that need no copies.
  void mark(StringRef name) {
    llvm::MapVector<Operation *, SmallVector<int32_t>> sharing;
    for (OpOperand *operand : handOvers) {
      SmallVector<int32_t> &operands = sharing[operand->getOwner()];
      if (!crowded.contains(getWeb(operand->get())))
        operands.push_back(operand->getOperandNumber());
    }
    for (auto &[op, operands] : sharing)
      op->setAttr(name, DenseI32ArrayAttr::get(op->getContext(), operands));
  }

private:
  //===--------------------------------------------------------------------===//
  // Webs: sets of values, each named by one of its members
  //===--------------------------------------------------------------------===//

  Value getWeb(Value value) {
    auto [it, isNew] = links.try_emplace(value, value);
    if (it->second == value)
      return value;
    Value web = getWeb(it->second);
    return links[value] = web;
  }

  void join(OpOperand &operand, Value successor) {
    if (!isa<PendingType>(operand.get().getType()))
      return;
    handOvers.insert(&operand);
    links[getWeb(operand.get())] = getWeb(successor);
  }

  void joinValues(Operation *op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      RegionBranchSuccessorMapping mapping;
      branch.getSuccessorOperandInputMapping(mapping);
      for (auto &[operand, successors] : mapping)
        for (Value successor : successors)
          join(*operand, successor);
    }
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      for (OpOperand &operand : op->getOpOperands())
        if (auto argument =
                branch.getSuccessorBlockArgument(operand.getOperandNumber()))
          join(operand, *argument);
  }

  /// A select waits, and the copies that it selects from are written while the
  /// values that it takes are still read: where one of them and the result are
  /// one web, that web has two values alive at once.
  void crowdSelects() {
    root->walk([&](arith::SelectOp op) {
      if (isa<PendingType>(op.getType()))
        crowded.insert(getWeb(op.getResult()));
    });
  }

  //===--------------------------------------------------------------------===//
  // Liveness
  //===--------------------------------------------------------------------===//

  /// A value from outside that a region uses lives through all of its rounds.
  void noteCapture(OpOperand &operand) {
    if (!isa<PendingType>(operand.get().getType()))
      return;
    Operation *scope = operand.get().getParentRegion()->getParentOp();
    for (Operation *op = operand.getOwner()->getParentOp(); op != scope;
         op = op->getParentOp())
      captures[op].insert(operand.get());
  }

  void define(ValueRange values, LiveSet &live) {
    for (Value value : values)
      if (isa<PendingType>(value.getType()))
        for (Value other : live)
          if (other != value && getWeb(other) == getWeb(value))
            crowded.insert(getWeb(value));
    for (Value value : values)
      live.erase(value);
  }

  /// From what is alive after the operation to what is alive before it.
  void visitOp(Operation *op, LiveSet &live) {
    define(op->getResults(), live);
    LiveSet around = live;
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (!branch || branch.hasLoop())
      around.insert_range(captures[op]);
    for (Region &region : op->getRegions())
      visitRegion(region, around, live);
    for (Value operand : op->getOperands())
      if (isa<PendingType>(operand.getType()))
        live.insert(operand);
  }

  /// Adds what is alive at the start of a region at whose end `after` is.
  void visitRegion(Region &region, const LiveSet &after, LiveSet &live) {
    if (region.empty())
      return;
    llvm::DenseMap<Block *, LiveSet> liveAtStart;
    // Once more as long as a block finds more alive than its predecessors saw.
    for (bool changed = true; changed;) {
      changed = false;
      for (Block &block : llvm::reverse(region)) {
        LiveSet atBlock = visitBlock(block, after, liveAtStart);
        changed |= atBlock.size() != liveAtStart[&block].size() &&
                   !region.hasOneBlock();
        liveAtStart[&block] = std::move(atBlock);
      }
    }
    live.insert_range(liveAtStart[&region.front()]);
  }

  LiveSet visitBlock(Block &block, const LiveSet &after,
                     llvm::DenseMap<Block *, LiveSet> &liveAtStart) {
    LiveSet live;
    for (Block *successor : block.getSuccessors())
      live.insert_range(liveAtStart[successor]);
    if (block.hasNoSuccessors())
      live = after;
    for (Operation &op : llvm::reverse(block))
      visitOp(&op, live);
    define(block.getArguments(), live);
    return live;
  }

  Operation *root;
  llvm::DenseMap<Value, Value> links;
  llvm::DenseSet<Value> crowded; ///< Webs with two values alive at once.
  llvm::SetVector<OpOperand *> handOvers;
  llvm::DenseMap<Operation *, LiveSet> captures;
};

} // namespace

static Operation *getFunction(Operation *op) {
  if (isa<FunctionOpInterface>(op))
    return op;
  return op->getParentOfType<FunctionOpInterface>();
}

// No prefix of the dialect: translation to LLVM IR would ask for it.
static constexpr StringLiteral sharingMark = "tmem_sharing_operands";
static constexpr StringLiteral doneMark = "tmem_sharing_marked";

void mlir::tmem::markSharing(Operation *op) {
  Operation *root = getFunction(op);
  if (!root || root->hasAttr(doneMark))
    return;
  root->setAttr(doneMark, UnitAttr::get(root->getContext()));
  // What converts a function moves its operations, marked ones, into a new one.
  WalkResult unmarked = root->walk([](Operation *nested) {
    return WalkResult(failure(nested->hasAttr(sharingMark)));
  });
  if (unmarked.wasInterrupted())
    return;
  Analysis analysis(root);
  analysis.run();
  analysis.mark(sharingMark);
}

bool mlir::tmem::mayCopy(OpOperand &operand) {
  auto sharing =
      operand.getOwner()->getAttrOfType<DenseI32ArrayAttr>(sharingMark);
  return !sharing || !llvm::is_contained(sharing.asArrayRef(),
                                         int32_t(operand.getOperandNumber()));
}

void mlir::tmem::eraseSharingMarks(Operation *op) {
  op->removeDiscardableAttr(sharingMark);
  op->removeDiscardableAttr(doneMark);
}
