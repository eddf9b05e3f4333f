//===- TransferGroups.cpp - Transfers whose vectors meet ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferGroups.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
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
  explicit MeetingValues(Operation *root);

  /// The number of a value's class; for a uniform value, a new one each time.
  unsigned getClass(Value value);

private:
  void add(Operation *op);
  void addElementwise(Operation *op);
  void addBranch(BranchOpInterface op);
  void addRegions(RegionBranchOpInterface op);
  void addEdge(Value from, Value to);
  unsigned getNumber(Value value);

  void findVarying();
  void unite(unsigned a, unsigned b);

  /// A vector, and those that take their elements from it, slot by slot.
  struct Node {
    int64_t size;
    bool isUniform = false, hasSource = false;
    SmallVector<unsigned, 2> users = {};
  };
  DenseMap<Value, unsigned> numbers;
  std::vector<Node> nodes;
  llvm::IntEqClasses classes;
  unsigned numAlone = 0; ///< Classes of values that are no node, or uniform.
};
} // namespace

unsigned MeetingValues::getNumber(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, nodes.size());
  if (isNew)
    nodes.push_back({getThreadVector(value.getType()).getDimSize(0)});
  return it->second;
}

void MeetingValues::addEdge(Value from, Value to) {
  if (!getThreadVector(from.getType()) || !getThreadVector(to.getType()))
    return;
  unsigned source = getNumber(from), user = getNumber(to);
  nodes[source].users.push_back(user);
  nodes[user].hasSource = true;
}

/// True for vectors that have the same element in every slot of a thread, and
/// so suit every layout.
static bool givesUniform(Operation *op) {
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  if (auto elements = dyn_cast<vector::FromElementsOp>(op))
    return llvm::all_equal(elements.getElements());
  Attribute constant;
  if (!matchPattern(op, m_Constant(&constant)))
    return false;
  return isa<ub::PoisonAttrInterface, SplatElementsAttr>(constant);
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || isa<vector::BitCastOp>(op);
}

void MeetingValues::addElementwise(Operation *op) {
  for (Value result : op->getResults())
    for (Value operand : op->getOperands())
      addEdge(operand, result);
}

void MeetingValues::addBranch(BranchOpInterface op) {
  for (auto [index, successor] : llvm::enumerate(op->getSuccessors())) {
    SuccessorOperands operands = op.getSuccessorOperands(index);
    for (unsigned i = 0; i < operands.size(); ++i)
      if (Value operand = operands[i])
        addEdge(operand, successor->getArgument(i));
  }
}

void MeetingValues::addRegions(RegionBranchOpInterface op) {
  RegionBranchSuccessorMapping mapping;
  op.getSuccessorOperandInputMapping(mapping);
  for (auto &[operand, inputs] : mapping)
    for (Value input : inputs)
      addEdge(operand->get(), input);
}

void MeetingValues::add(Operation *op) {
  if (givesUniform(op)) {
    for (Value result : op->getResults())
      if (getThreadVector(result.getType()))
        nodes[getNumber(result)].isUniform = true;
  } else if (auto wait = dyn_cast<WaitLoadOp>(op)) {
    for (auto [pending, vector] :
         llvm::zip_equal(wait.getPending(), wait.getVectors()))
      addEdge(pending, vector);
  } else if (isElementwise(op)) {
    addElementwise(op);
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    addBranch(branch);
  } else if (auto regions = dyn_cast<RegionBranchOpInterface>(op)) {
    addRegions(regions);
  }
}

/// Leaves as uniform what no other vector reaches: what a loop carries is so if
/// it starts so and stays so.
void MeetingValues::findVarying() {
  SmallVector<unsigned, 0> varying;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (!node.hasSource && !node.isUniform)
      varying.push_back(number);
    node.isUniform |= node.hasSource;
  }
  while (!varying.empty())
    for (unsigned user : nodes[varying.pop_back_val()].users)
      if (nodes[user].isUniform) {
        nodes[user].isUniform = false;
        varying.push_back(user);
      }
}

void MeetingValues::unite(unsigned a, unsigned b) {
  if (!nodes[a].isUniform && !nodes[b].isUniform &&
      nodes[a].size == nodes[b].size)
    classes.join(a, b);
}

MeetingValues::MeetingValues(Operation *root) {
  root->walk([&](Operation *op) { add(op); });
  findVarying();
  classes.grow(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes))
    for (unsigned user : node.users)
      unite(number, user);
}

unsigned MeetingValues::getClass(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, nodes.size() + numAlone);
  numAlone += isNew;
  if (it->second >= nodes.size())
    return it->second;
  return nodes[it->second].isUniform ? nodes.size() + numAlone++
                                     : classes.findLeader(it->second);
}

/// The value that holds the registers of a transfer.
static Value getRegisters(TransferOpInterface op) {
  return op.getDirection() == Direction::Load ? op->getResult(0)
                                              : op->getOperand(0);
}

SmallVector<TransferGroup, 0> mlir::tmem::findTransferGroups(Operation *root) {
  MeetingValues values(root);
  SmallVector<TransferOpInterface, 0> transfers;
  root->walk<WalkOrder::PreOrder>(
      [&](TransferOpInterface op) { transfers.push_back(op); });
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
