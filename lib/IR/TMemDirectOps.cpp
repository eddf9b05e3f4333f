//===- TMemDirectOps.cpp - Transfers on plain vectors ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferVerifiers.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// ReadOp, ReadSplitOp
//===----------------------------------------------------------------------===//

LogicalResult ReadOp::verify() { return verifyTransfer(*this); }
SmallVector<Value, 2> ReadOp::getViews() { return {getView()}; }
VectorType ReadOp::getVectorType() {
  return cast<VectorType>(getResult().getType());
}
Direction ReadOp::getDirection() { return Direction::Load; }

LogicalResult ReadSplitOp::verify() { return verifySplitTransfer(*this); }
SmallVector<Value, 2> ReadSplitOp::getViews() { return {getLow(), getHigh()}; }
VectorType ReadSplitOp::getVectorType() {
  return cast<VectorType>(getResult().getType());
}
Direction ReadSplitOp::getDirection() { return Direction::Load; }
std::optional<int64_t> ReadSplitOp::getSplitImmediate() {
  return getImmediate();
}

//===----------------------------------------------------------------------===//
// WriteOp, WriteSplitOp
//===----------------------------------------------------------------------===//

LogicalResult WriteOp::verify() { return verifyTransfer(*this); }
SmallVector<Value, 2> WriteOp::getViews() { return {getView()}; }
VectorType WriteOp::getVectorType() {
  return cast<VectorType>(getSource().getType());
}
Direction WriteOp::getDirection() { return Direction::Store; }

LogicalResult WriteSplitOp::verify() { return verifySplitTransfer(*this); }
SmallVector<Value, 2> WriteSplitOp::getViews() { return {getLow(), getHigh()}; }
VectorType WriteSplitOp::getVectorType() {
  return cast<VectorType>(getSource().getType());
}
Direction WriteSplitOp::getDirection() { return Direction::Store; }
std::optional<int64_t> WriteSplitOp::getSplitImmediate() {
  return getImmediate();
}
