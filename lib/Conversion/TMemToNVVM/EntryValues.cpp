//===- EntryValues.cpp - What is computed once a function -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;

ArrayRef<int32_t> mlir::tmem::getBlockSize(Operation *root) {
  for (StringRef name :
       {"known_block_size", "gpu.known_block_size", "nvvm.reqntid"})
    if (root && root->hasAttrOfType<DenseI32ArrayAttr>(name))
      return root->getAttrOfType<DenseI32ArrayAttr>(name).asArrayRef();
  return {};
}

/// True when the function states that its blocks have one dimension.
static bool isOneDimensional(Operation *root) {
  ArrayRef<int32_t> size = getBlockSize(root);
  return !size.empty() && llvm::all_of(size.drop_front(), [](int32_t extent) {
    return extent == 1;
  });
}

/// The thread's number in the CTA, x fastest (PTX ISA, "%tid").
static Value createThreadId(OpBuilder &builder, Location loc, Operation *root) {
  Type i32 = builder.getI32Type();
  Value x = NVVM::ThreadIdXOp::create(builder, loc, i32);
  if (isOneDimensional(root))
    return x;
  Value y = NVVM::ThreadIdYOp::create(builder, loc, i32);
  Value z = NVVM::ThreadIdZOp::create(builder, loc, i32);
  Value sizeX = NVVM::BlockDimXOp::create(builder, loc, i32);
  Value sizeY = NVVM::BlockDimYOp::create(builder, loc, i32);
  Value rows =
      createAdd(builder, loc, y, LLVM::MulOp::create(builder, loc, sizeY, z));
  return createAdd(builder, loc, x,
                   LLVM::MulOp::create(builder, loc, sizeX, rows));
}

Operation *mlir::tmem::getThreadRoot(Operation *op) {
  Operation *root = op->getParentOp();
  while (root && !isa<FunctionOpInterface, gpu::LaunchOp>(root))
    root = root->getParentOp();
  return root;
}

EntryValues::Values &EntryValues::getValues(OpBuilder &builder, Operation *op) {
  Operation *root = getThreadRoot(op);
  Block *entry = root ? &root->getRegion(0).front() : op->getBlock();
  builder.setInsertionPointToStart(entry);
  return valuesOfEntry[entry];
}

Value EntryValues::getThread(OpBuilder &builder, Operation *op,
                             Values &values) {
  if (!values.thread)
    values.thread = createThreadId(builder, op->getLoc(), getThreadRoot(op));
  builder.setInsertionPointAfterValue(values.thread);
  return values.thread;
}

Value EntryValues::getSlab(OpBuilder &builder, Operation *op) {
  OpBuilder::InsertionGuard guard(builder);
  Values &values = getValues(builder, op);
  if (values.slab)
    return values.slab;
  // Bits 5 and 6 of the thread select one of four slabs of 32 lanes, and lane
  // 32 of an address is bit 21.
  Location loc = op->getLoc();
  Value warp = LLVM::AndOp::create(builder, loc, getThread(builder, op, values),
                                   createI32(builder, loc, 0x60));
  values.slab =
      LLVM::ShlOp::create(builder, loc, warp, createI32(builder, loc, 16));
  return values.slab;
}

Value EntryValues::getWarpgroup(OpBuilder &builder, Operation *op) {
  OpBuilder::InsertionGuard guard(builder);
  Values &values = getValues(builder, op);
  if (!values.warpgroup)
    values.warpgroup = LLVM::LShrOp::create(
        builder, op->getLoc(), getThread(builder, op, values),
        createI32(builder, op->getLoc(), 7));
  return values.warpgroup;
}

ArrayRef<Value> EntryValues::getIndices(OpBuilder &builder, Operation *op,
                                        size_t count) {
  OpBuilder::InsertionGuard guard(builder);
  Values &values = getValues(builder, op);
  while (values.indices.size() < count)
    values.indices.push_back(
        createI32(builder, op->getLoc(), values.indices.size()));
  return ArrayRef(values.indices).take_front(count);
}
