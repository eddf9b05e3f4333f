//===- TileTransfersSlices.cpp - Parts of vectors from outside ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bias that is read whole would stay in registers while all chunks pass. So
// what a chain takes from outside is made anew for each chunk where that gives
// the same.
//
//===----------------------------------------------------------------------===//

#include "TileTransfers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tmem;

bool mlir::tmem::isFree(Value vector) {
  if (auto broadcast = vector.getDefiningOp<vector::BroadcastOp>())
    return !isa<VectorType>(broadcast.getSourceType());
  if (isa_and_nonnull<ub::PoisonOp, vector::StepOp>(vector.getDefiningOp()))
    return true;
  DenseElementsAttr constant;
  return matchPattern(vector, m_Constant(&constant));
}

/// A read of consecutive elements, each of whole bytes.
static bool isPlainRead(Operation *op) {
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return !load.getIndices().empty() &&
           haveElementsOfWholeBytes(load.getResult(), load.getMemRefType());
  auto read = dyn_cast<vector::TransferReadOp>(op);
  return read && isa<MemRefType>(read.getShapedType()) && !read.getMask() &&
         !read.getIndices().empty() &&
         read.getPermutationMap().isMinorIdentity() && read.isDimInBounds(0) &&
         haveElementsOfWholeBytes(read.getVector(), read.getShapedType());
}

namespace {
class RemadeFinder {
public:
  RemadeFinder(TransferChain &chain, function_ref<bool(Operation *)> mayMove)
      : chain(chain), mayMove(mayMove) {}

  bool visit(Value value, unsigned depth = 0);

private:
  bool isRemade(Value value, unsigned depth);

  TransferChain &chain;
  function_ref<bool(Operation *)> mayMove;
  DenseSet<Value> seen;
};
} // namespace

bool RemadeFinder::isRemade(Value value, unsigned depth) {
  constexpr unsigned maxDepth = 16;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || depth == maxDepth)
    return false;
  if (isFree(value))
    return true;
  if (isPlainRead(op))
    return mayMove(op);
  if (!isElementwise(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<VectorType>(operand.getType()) || visit(operand, depth + 1);
  });
}

bool RemadeFinder::visit(Value value, unsigned depth) {
  if (!isThreadVector(value) || chain.values.contains(value))
    return false;
  if (!seen.insert(value).second)
    return chain.remade.contains(value);
  if (!isRemade(value, depth))
    return false;
  chain.remade.insert(value);
  chain.remadeOps.push_back(value.getDefiningOp());
  return true;
}

void mlir::tmem::findRemade(TransferChain &chain,
                            function_ref<bool(Operation *)> mayMove) {
  RemadeFinder finder(chain, mayMove);
  for (Operation *op : chain.body)
    for (Value operand : op->getOperands())
      finder.visit(operand);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value mlir::tmem::moveIndex(OpBuilder &builder, Location loc, Value index,
                            int64_t distance) {
  if (distance == 0)
    return index;
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return arith::ConstantIndexOp::create(builder, loc, *constant + distance);
  Value step = arith::ConstantIndexOp::create(builder, loc, distance);
  return arith::AddIOp::create(builder, loc, index, step);
}

std::optional<uint64_t> mlir::tmem::getMovedAlignment(uint64_t alignment,
                                                      VectorType vector,
                                                      int64_t begin) {
  uint64_t bits = begin * vector.getElementTypeBitWidth();
  if (bits % 8 != 0)
    return std::nullopt;
  return std::gcd(alignment, bits / 8);
}

/// The attributes of `begin` to the end of the type.
static DenseElementsAttr getPart(DenseElementsAttr constant, int64_t begin,
                                 VectorType type) {
  if (constant.isSplat())
    return constant.resizeSplat(type);
  auto all = llvm::to_vector(constant.getValues<Attribute>());
  return DenseElementsAttr::get(
      type, ArrayRef<Attribute>(all).slice(begin, type.getDimSize(0)));
}

static DenseElementsAttr getSteps(Builder &builder, int64_t begin,
                                  VectorType type) {
  SmallVector<Attribute> steps;
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    steps.push_back(builder.getIndexAttr(begin + i));
  return DenseElementsAttr::get(type, steps);
}

/// The same operation with a result of another size.
static Operation *cloneResized(OpBuilder &builder, Operation *op,
                               VectorType type) {
  Operation *clone = builder.clone(*op);
  clone->getResult(0).setType(type);
  return clone;
}

Value mlir::tmem::remake(OpBuilder &builder, Value vector, int64_t begin,
                         VectorType type,
                         function_ref<Value(Value)> getOperand) {
  Location loc = vector.getLoc();
  Operation *op = vector.getDefiningOp();
  DenseElementsAttr constant;
  if (matchPattern(vector, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc,
                                     getPart(constant, begin, type));
  if (isa<vector::StepOp>(op))
    return arith::ConstantOp::create(builder, loc,
                                     getSteps(builder, begin, type));
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    Value index = moveIndex(builder, loc, load.getIndices().back(), begin);
    auto part = cast<vector::LoadOp>(cloneResized(builder, op, type));
    part.getIndicesMutable()[part.getIndices().size() - 1].set(index);
    if (std::optional<uint64_t> alignment = load.getAlignment())
      part.setAlignment(
          getMovedAlignment(*alignment, load.getVectorType(), begin));
    return part.getResult();
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    Value index = moveIndex(builder, loc, read.getIndices().back(), begin);
    auto part = cast<vector::TransferReadOp>(cloneResized(builder, op, type));
    part.getIndicesMutable()[part.getIndices().size() - 1].set(index);
    return part.getVector();
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, getOperand(operand));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}
