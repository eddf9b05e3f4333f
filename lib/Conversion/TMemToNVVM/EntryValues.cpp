//===- EntryValues.cpp - What is computed once a function -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "PendingWebs.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tmem;

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

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

// No prefix of the dialect: translation to LLVM IR would ask for it.
static constexpr StringLiteral entryMark = "tmem_entry_value";
static constexpr StringLiteral waitMark = "tmem_num_waits";

IntegerAttr mlir::tmem::getWaitNumber(Operation *op) {
  Builder builder(op->getContext());
  Operation *root = getThreadRoot(op);
  if (!root)
    return builder.getI32IntegerAttr(0);
  auto count = root->getAttrOfType<IntegerAttr>(waitMark);
  if (!count)
    count = builder.getI32IntegerAttr(0);
  root->setAttr(waitMark, builder.getI32IntegerAttr(count.getInt() + 1));
  return count;
}

void mlir::tmem::eraseMarks(Operation *root) {
  root->walk([](Operation *op) {
    op->removeDiscardableAttr(entryMark);
    op->removeDiscardableAttr(waitMark);
    eraseSharingMarks(op);
  });
}

//===----------------------------------------------------------------------===//
// Entry values
//===----------------------------------------------------------------------===//

namespace {
/// The marked operations that an entry block starts with.
class EntryBlock {
public:
  EntryBlock(OpBuilder &builder, Operation *op) : builder(builder), op(op) {
    Operation *root = getThreadRoot(op);
    block = root ? &root->getRegion(0).front() : op->getBlock();
    end = block->begin();
    while (end != block->end() && end->hasAttr(entryMark))
      ++end;
  }

  /// The value of a name, from the function when there is none yet.
  Value getOrCreate(StringRef name, function_ref<Value()> create) {
    StringAttr mark = builder.getStringAttr(name);
    for (Operation &known : getMarked())
      if (known.getAttr(entryMark) == mark)
        return known.getResult(0);
    return this->create(name, create);
  }

  /// A value of a name that others have too, after all that are there.
  Value create(StringRef name, function_ref<Value()> create) {
    OpBuilder::InsertionGuard guard(builder);
    Operation *last = end == block->begin() ? nullptr : &*std::prev(end);
    builder.setInsertionPoint(block, end);
    Value value = create();
    Block::iterator first =
        last ? std::next(Block::iterator(last)) : block->begin();
    for (Operation &part : llvm::make_range(first, end))
      if (!part.hasAttr(entryMark))
        part.setAttr(entryMark, builder.getStringAttr("part"));
    value.getDefiningOp()->setAttr(entryMark, builder.getStringAttr(name));
    return value;
  }

  Value getThread() {
    return getOrCreate("thread", [&] {
      return createThreadId(builder, op->getLoc(), getThreadRoot(op));
    });
  }

  llvm::iterator_range<Block::iterator> getMarked() {
    return llvm::make_range(block->begin(), end);
  }

private:
  OpBuilder &builder;
  Operation *op;
  Block *block;
  Block::iterator end;
};
} // namespace

Value mlir::tmem::getSlab(OpBuilder &builder, Operation *op) {
  EntryBlock entry(builder, op);
  Value thread = entry.getThread();
  return entry.getOrCreate("slab", [&]() -> Value {
    // Bits 5 and 6 of the thread select one of four slabs of 32 lanes, and lane
    // 32 of an address is bit 21.
    Location loc = op->getLoc();
    Value warp = LLVM::AndOp::create(builder, loc, thread,
                                     createI32(builder, loc, 0x60));
    return LLVM::ShlOp::create(builder, loc, warp, createI32(builder, loc, 16));
  });
}

Value mlir::tmem::getWarpgroup(OpBuilder &builder, Operation *op) {
  EntryBlock entry(builder, op);
  Value thread = entry.getThread();
  return entry.getOrCreate("warpgroup", [&]() -> Value {
    return LLVM::LShrOp::create(builder, op->getLoc(), thread,
                                createI32(builder, op->getLoc(), 7));
  });
}

SmallVector<Value> mlir::tmem::getIndices(OpBuilder &builder, Operation *op,
                                          size_t count) {
  EntryBlock entry(builder, op);
  // By value: passes that ran since an earlier conversion may have moved them.
  SmallVector<Value> indices;
  for (Operation &known : entry.getMarked())
    if (auto constant = dyn_cast<LLVM::ConstantOp>(known))
      if (indices.size() < count &&
          constant.getValue() == builder.getI32IntegerAttr(indices.size()))
        indices.push_back(constant);
  while (indices.size() < count)
    indices.push_back(entry.create("index", [&] {
      return createI32(builder, op->getLoc(), indices.size());
    }));
  return indices;
}
