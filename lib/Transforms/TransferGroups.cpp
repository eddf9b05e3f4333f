//===- TransferGroups.cpp - Transfers whose vectors meet ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferGroups.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tmem;

/// The vector of a thread that a value is or will be, or null.
static VectorType getThreadVector(Type type) {
  if (auto pending = dyn_cast<PendingType>(type))
    return pending.getPayload();
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.getRank() == 1 && !vector.isScalable())
    return vector;
  return {};
}

namespace {
/// Values that have one register layout.
class MeetingValues {
public:
  /// Enters what an operation ties together. Operations come before those that
  /// use their results, or ties may be too many.
  void add(Operation *op);

  /// The number of a value's class; each of a uniform value's is its own.
  unsigned getClass(Value value);

private:
  void addElementwise(Operation *op);
  void addBranch(BranchOpInterface op);
  void addRegions(RegionBranchOpInterface op);
  void unite(Value a, Value b);
  unsigned getNumber(Value value);
  unsigned addNumber();

  /// True for vectors that suit every layout.
  bool isUniform(Value value) const { return uniform.contains(value); }
  bool givesUniform(Operation *op) const;

  DenseMap<Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  unsigned numNumbers = 0;
  DenseSet<Value> uniform;
};
} // namespace

unsigned MeetingValues::addNumber() {
  classes.grow(++numNumbers);
  return numNumbers - 1;
}

unsigned MeetingValues::getNumber(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, numNumbers);
  return isNew ? addNumber() : it->second;
}

unsigned MeetingValues::getClass(Value value) {
  return isUniform(value) ? addNumber() : classes.findLeader(getNumber(value));
}

void MeetingValues::unite(Value a, Value b) {
  VectorType vectorA = getThreadVector(a.getType());
  VectorType vectorB = getThreadVector(b.getType());
  if (!vectorA || !vectorB || isUniform(a) || isUniform(b) ||
      vectorA.getDimSize(0) != vectorB.getDimSize(0))
    return;
  classes.join(getNumber(a), getNumber(b));
}

bool MeetingValues::givesUniform(Operation *op) const {
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return constant.isSplat();
  return op->hasTrait<OpTrait::Elementwise>() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !getThreadVector(operand.getType()) || isUniform(operand);
         });
}

void MeetingValues::addElementwise(Operation *op) {
  for (Value result : op->getResults())
    for (ValueRange values :
         {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        unite(result, value);
}

void MeetingValues::addBranch(BranchOpInterface op) {
  for (auto [index, successor] : llvm::enumerate(op->getSuccessors())) {
    SuccessorOperands operands = op.getSuccessorOperands(index);
    for (unsigned i = 0; i < operands.size(); ++i)
      if (Value operand = operands[i])
        unite(operand, successor->getArgument(i));
  }
}

void MeetingValues::addRegions(RegionBranchOpInterface op) {
  RegionBranchSuccessorMapping mapping;
  op.getSuccessorOperandInputMapping(mapping);
  for (auto &[operand, inputs] : mapping)
    for (Value input : inputs)
      unite(operand->get(), input);
}

void MeetingValues::add(Operation *op) {
  if (op->getNumResults() > 0 && givesUniform(op)) {
    for (Value result : op->getResults())
      if (getThreadVector(result.getType()))
        uniform.insert(result);
    return;
  }
  if (auto wait = dyn_cast<WaitLoadOp>(op))
    for (auto [pending, vector] :
         llvm::zip_equal(wait.getPending(), wait.getVectors()))
      unite(pending, vector);
  else if (op->hasTrait<OpTrait::Elementwise>())
    addElementwise(op);
  else if (auto branch = dyn_cast<BranchOpInterface>(op))
    addBranch(branch);
  else if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
    addRegions(regions);
}

/// The value that holds the registers of a transfer.
static Value getRegisters(TransferOpInterface op) {
  return op.getDirection() == Direction::Load ? op->getResult(0)
                                              : op->getOperand(0);
}

SmallVector<TransferGroup, 0> mlir::tmem::findTransferGroups(Operation *root) {
  MeetingValues values;
  SmallVector<TransferOpInterface, 0> transfers;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    values.add(op);
    if (auto transfer = dyn_cast<TransferOpInterface>(op))
      transfers.push_back(transfer);
  });
  // What elements of a tile stand for a value's slots is a matter of all these.
  using Key = std::tuple<unsigned, int64_t, int64_t, unsigned>;
  llvm::MapVector<Key, TransferGroup> groups;
  for (TransferOpInterface op : transfers) {
    Key key{
        values.getClass(getRegisters(op)), llvm::product_of(op.getTileShape()),
        op.getVectorType().getDimSize(0), unsigned(op.getScope().getKind())};
    groups[key].push_back(op);
  }
  SmallVector<TransferGroup, 0> result;
  for (auto &entry : groups)
    result.push_back(std::move(entry.second));
  return result;
}
