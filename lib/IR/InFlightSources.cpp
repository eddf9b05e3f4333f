//===- InFlightSources.cpp - Where pending values and tokens come from ----===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The transfers whose results come together in a value of a loop or a branch
// need not all follow it on: one does it for all of them. It is the nearest
// one, so that each step back along its way comes nearer, and no two values can
// leave each other to each other.

#include "InFlightValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// Collects what a value is handed by the operation that it belongs to, which
/// may not have been verified: what is not there is left out.
class Sources {
public:
  explicit Sources(SmallVectorImpl<Value> &values) : values(values) {}

  /// False where there may be more than has been looked at.
  bool collect(Value value) {
    if (Operation *op = value.getDefiningOp())
      return collectOfResult(op, cast<OpResult>(value).getResultNumber());
    auto argument = cast<BlockArgument>(value);
    Block *block = argument.getOwner();
    if (!block->getParent())
      return true;
    if (!block->isEntryBlock())
      return collectOfBranches(block, argument.getArgNumber());
    return collectOfEntry(argument);
  }

private:
  void add(Operation *op, unsigned index) {
    if (op && index < op->getNumOperands())
      values.push_back(op->getOperand(index));
  }

  static Operation *getEnd(Region &region) {
    if (region.empty() || region.back().empty())
      return nullptr;
    return &region.back().back();
  }

  /// The operand of what ends a region, if it is of that kind.
  template <typename OpTy>
  void addEnd(Operation *op, unsigned region, unsigned index) {
    if (region < op->getNumRegions())
      if (auto end = dyn_cast_or_null<OpTy>(getEnd(op->getRegion(region))))
        add(end, index);
  }

  static constexpr unsigned numBounds = 3; ///< Of scf.for.

  bool collectOfResult(Operation *op, unsigned index) {
    if (isa<scf::ForOp>(op)) {
      add(op, numBounds + index);
      addEnd<scf::YieldOp>(op, 0, index);
    } else if (isa<scf::WhileOp>(op)) {
      addEnd<scf::ConditionOp>(op, 0, index + 1);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (unsigned region = 0; region < op->getNumRegions(); ++region) {
        if (region == maxCollected)
          return false;
        addEnd<scf::YieldOp>(op, region, index);
      }
    } else if (isa<arith::SelectOp>(op)) {
      add(op, 1);
      add(op, 2);
    }
    return true;
  }

  bool collectOfEntry(BlockArgument argument) {
    Operation *op = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (isa_and_nonnull<scf::ForOp>(op) && index > 0) {
      add(op, numBounds + index - 1);
      addEnd<scf::YieldOp>(op, 0, index - 1);
    } else if (isa_and_nonnull<scf::WhileOp>(op)) {
      if (argument.getOwner()->getParent() != &op->getRegion(0)) {
        addEnd<scf::ConditionOp>(op, 0, index + 1);
      } else {
        add(op, index);
        addEnd<scf::YieldOp>(op, 1, index);
      }
    }
    return true;
  }

  bool collectOfBranches(Block *block, unsigned index) {
    unsigned count = 0;
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
      if (count++ == maxCollected)
        return false;
      Operation *branch = &(*it)->back();
      unsigned successor = it.getSuccessorIndex();
      if (isa<cf::BranchOp>(branch))
        add(branch, index);
      else if (auto op = dyn_cast<cf::CondBranchOp>(branch))
        add(op, 1 + index + (successor ? op.getTrueDestOperands().size() : 0));
      else if (auto op = dyn_cast<cf::SwitchOp>(branch))
        addOfSwitch(op, successor, index);
    }
    return true;
  }

  void addOfSwitch(cf::SwitchOp op, unsigned successor, unsigned index) {
    unsigned begin = 1;
    if (successor > 0)
      begin += op.getDefaultOperands().size();
    if (DenseI32ArrayAttr counts = op.getCaseOperandSegmentsAttr())
      for (unsigned i = 0; i + 1 < successor && i < unsigned(counts.size());
           ++i)
        begin += counts[i];
    add(op, begin + index);
  }

  static constexpr unsigned maxCollected = 64;

  SmallVectorImpl<Value> &values;
};

} // namespace

static bool isTransferResult(Value value) {
  return value.getDefiningOp<TransferOpInterface>() != nullptr;
}

Value mlir::tmem::getNearestSource(Value value) {
  // Further back it is not worth the search, for values that few hand on.
  constexpr unsigned maxValues = 64;
  struct Step {
    Value value, first; ///< The value, and the one that it came to last.
  };
  SmallVector<Step> steps;
  SmallPtrSet<Value, 8> seen{value};
  auto collect = [&](Value of, Value first) {
    SmallVector<Value> values;
    bool isComplete = Sources(values).collect(of);
    for (Value source : values)
      if (seen.insert(source).second)
        steps.push_back({source, first ? first : source});
    return isComplete;
  };
  bool isComplete = collect(value, Value());
  for (unsigned i = 0; i < steps.size() && i < maxValues; ++i) {
    Step step = steps[i];
    if (isTransferResult(step.value))
      return step.first;
    // What has been collected before may still be at the same distance.
    if (isComplete)
      isComplete = collect(step.value, step.first);
  }
  return {};
}
