//===- InFlightValues.cpp - Where pending values and tokens go ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A pending value is a set of registers that the hardware still writes. Every
// operation that could copy them must be one whose lowering knows that, so
// verification follows the value to all of its uses. This looks beyond one
// operation, which MLIR's verifiers rarely do: the alternative is a conversion
// that fails late, or, under stock passes, a program that reads too early.

#include "InFlightValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;

/// Where a use passes the value on to; nothing when it may not.
using Successors = std::optional<SmallVector<Value, 2>>;

// The operations that carry the value may not have been verified yet, and their
// counts need not agree. What is not there is left out: their own verifiers
// report it.

/// The values at `index` of each list that is long enough.
static Successors pick(ArrayRef<ValueRange> lists, unsigned index) {
  SmallVector<Value, 2> values;
  for (ValueRange list : lists)
    if (index < list.size())
      values.push_back(list[index]);
  return values;
}

/// The arguments of a region's first block, without the leading `skip`.
static ValueRange getArguments(Operation *op, unsigned region,
                               unsigned skip = 0) {
  if (region >= op->getNumRegions() || op->getRegion(region).empty())
    return {};
  Block::BlockArgListType arguments = op->getRegion(region).getArguments();
  return arguments.drop_front(std::min<size_t>(skip, arguments.size()));
}

static ValueRange getSuccessorArguments(Operation *branch, unsigned index) {
  if (index >= branch->getNumSuccessors())
    return {};
  return branch->getSuccessor(index)->getArguments();
}

static Successors followYield(scf::YieldOp op, unsigned index) {
  return TypeSwitch<Operation *, Successors>(op->getParentOp())
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        return pick({loop->getResults(), getArguments(loop, 0, /*skip=*/1)},
                    index);
      })
      .Case<scf::IfOp, scf::IndexSwitchOp>(
          [&](auto branch) { return pick({branch->getResults()}, index); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) {
        return pick({getArguments(loop, 0)}, index);
      })
      .Default([](Operation *) { return std::nullopt; });
}

static Successors followCondition(scf::ConditionOp op, unsigned index) {
  auto loop = dyn_cast_or_null<scf::WhileOp>(op->getParentOp());
  if (!loop || index == 0)
    return std::nullopt;
  return pick({loop->getResults(), getArguments(loop, 1)}, index - 1);
}

static Successors followInit(scf::ForOp op, unsigned index) {
  constexpr unsigned numBounds = 3;
  if (index < numBounds)
    return std::nullopt;
  return pick({op->getResults(), getArguments(op, 0, /*skip=*/1)},
              index - numBounds);
}

static Successors followBranch(cf::CondBranchOp op, unsigned index) {
  unsigned trueCount = op.getTrueDestOperands().size();
  if (index == 0)
    return std::nullopt;
  if (index <= trueCount)
    return pick({getSuccessorArguments(op, 0)}, index - 1);
  return pick({getSuccessorArguments(op, 1)}, index - 1 - trueCount);
}

static Successors followSwitch(cf::SwitchOp op, unsigned index) {
  if (index == 0)
    return std::nullopt;
  SmallVector<int32_t> counts{int32_t(op.getDefaultOperands().size())};
  if (DenseI32ArrayAttr cases = op.getCaseOperandSegmentsAttr())
    llvm::append_range(counts, cases.asArrayRef());
  int64_t begin = 1;
  for (auto [successor, count] : llvm::enumerate(counts)) {
    if (index < begin + count)
      return pick({getSuccessorArguments(op, successor)}, index - begin);
    begin += count;
  }
  return pick({}, index);
}

static Successors follow(OpOperand &use) {
  unsigned index = use.getOperandNumber();
  return TypeSwitch<Operation *, Successors>(use.getOwner())
      .Case<WaitLoadOp, WaitStoreOp>(
          [&](Operation *) { return pick({}, index); })
      .Case<scf::YieldOp>(
          [&](scf::YieldOp op) { return followYield(op, index); })
      .Case<scf::ConditionOp>(
          [&](scf::ConditionOp op) { return followCondition(op, index); })
      .Case<scf::ForOp>([&](scf::ForOp op) { return followInit(op, index); })
      .Case<scf::WhileOp>(
          [&](scf::WhileOp op) { return pick({getArguments(op, 0)}, index); })
      .Case<cf::BranchOp>([&](cf::BranchOp op) {
        return pick({getSuccessorArguments(op, 0)}, index);
      })
      .Case<cf::CondBranchOp>(
          [&](cf::CondBranchOp op) { return followBranch(op, index); })
      .Case<cf::SwitchOp>(
          [&](cf::SwitchOp op) { return followSwitch(op, index); })
      .Case<arith::SelectOp>([&](arith::SelectOp op) -> Successors {
        if (index == 0)
          return std::nullopt;
        return pick({op->getResults()}, 0);
      })
      .Default([](Operation *) { return std::nullopt; });
}

static LogicalResult emitUseError(Operation *origin, OpOperand &use) {
  InFlightDiagnostic diag = origin->emitOpError();
  diag << "expected its result to reach waits through scf and cf operations, "
          "but got a use by '"
       << use.getOwner()->getName() << "'";
  diag.attachNote(use.getOwner()->getLoc()) << "used here";
  diag.attachNote() << "rule " << getRuleId(Rule::P1) << ": "
                    << getRuleText(Rule::P1);
  return failure();
}

/// Whether those who follow `source` follow `value`, which it is handed to. Of
/// all that comes to a value one is enough, and where there are many loops one
/// behind the other, all would take the square of their number.
static bool isFollowedFrom(Value value, Value source) {
  Value nearest = getNearestSource(value);
  return !nearest || nearest == source;
}

LogicalResult mlir::tmem::verifyInFlightUses(Value value) {
  Operation *origin = value.getDefiningOp();
  SmallPtrSet<Value, 8> seen{value};
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    for (OpOperand &use : current.getUses()) {
      Successors successors = follow(use);
      if (!successors)
        return emitUseError(origin, use);
      for (Value successor : *successors)
        if (isFollowedFrom(successor, current) && seen.insert(successor).second)
          worklist.push_back(successor);
    }
  }
  return success();
}

/// Block arguments that carriers bind: those of loops, and those that branches
/// fill.
static bool isCarriedArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  // Diagnostics print operations in the middle of a conversion, when blocks
  // need not be in a region.
  return !block->getParent() || !block->isEntryBlock() ||
         isa_and_nonnull<scf::ForOp, scf::WhileOp>(block->getParentOp());
}

LogicalResult mlir::tmem::verifyInFlightOperand(OpOperand &operand) {
  Value value = operand.get();
  if (Operation *def = value.getDefiningOp()) {
    if (isa<TransferOpInterface, scf::ForOp, scf::IfOp, scf::WhileOp,
            scf::IndexSwitchOp, arith::SelectOp>(def))
      return success();
  } else if (isCarriedArgument(cast<BlockArgument>(value))) {
    return success();
  }
  Operation *op = operand.getOwner();
  return emitViolation(
      [&] { return op->emitOpError(); }, Rule::P1,
      "expected operand " + Twine(operand.getOperandNumber()) +
          " to come from a transfer through scf and cf operations, but got " +
          (value.getDefiningOp()
               ? "a result of '" +
                     value.getDefiningOp()->getName().getStringRef() + "'"
               : Twine("an argument of a function or another region")));
}
