//===- AllocationPatterns.cpp - Allocation, views and fences --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// Operations of one tcgen05 instruction that the chip may refuse.
template <typename OpTy> class ChipPattern : public OpConversionPattern<OpTy> {
public:
  ChipPattern(const TypeConverter &converter, MLIRContext *context,
              const Chip *chip)
      : OpConversionPattern<OpTy>(converter, context), chip(chip) {}

protected:
  const Chip *chip;
};

std::string getGroupSuffix(uint32_t ctaGroup) {
  return ".cg" + std::to_string(ctaGroup);
}

template <typename OpTy, typename Adaptor>
Value getColumns(OpBuilder &builder, OpTy op, Adaptor adaptor) {
  if (adaptor.getColumns())
    return adaptor.getColumns();
  return createI32(builder, op.getLoc(), *op.getStaticColumns());
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

class AllocPattern : public ChipPattern<AllocOp> {
public:
  using ChipPattern::ChipPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, chip)))
      return failure();
    Location loc = op.getLoc();
    Value slot = getSlotPointer(rewriter, op, adaptor.getSlot());
    Value columns = getColumns(rewriter, op, adaptor);
    if (op.getExclusive())
      createConvergentAsm(rewriter, loc, Type(),
                          "tcgen05.alloc.exclusive.cta_group::" +
                              std::to_string(op.getCtaGroup()) +
                              ".sync.aligned.shared::cta.b32 [$0], $1;",
                          "l,r,~{memory}", {slot, columns});
    else
      createTcgen05(rewriter, loc,
                    "alloc.shared" + getGroupSuffix(op.getCtaGroup()), Type(),
                    {slot, columns});
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The address of a memref in shared memory. The operations that give it are
  /// lowered with the other memrefs, before or after.
  static Value getSlotPointer(OpBuilder &builder, AllocOp op, Value slot) {
    if (isa<LLVM::LLVMPointerType>(slot.getType()))
      return slot;
    Location loc = op.getLoc();
    constexpr unsigned sharedMemorySpace = 3;
    Value address = createI64(builder, loc,
                              memref::ExtractAlignedPointerAsIndexOp::create(
                                  builder, loc, op.getSlot()));
    auto type =
        LLVM::LLVMPointerType::get(builder.getContext(), sharedMemorySpace);
    Value pointer = LLVM::IntToPtrOp::create(builder, loc, type, address);
    return addOffset(builder, loc, pointer, op.getSlot());
  }

  /// The aligned pointer of a memref is its base: the offset is not in it.
  static Value addOffset(OpBuilder &builder, Location loc, Value pointer,
                         Value slot) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (succeeded(cast<MemRefType>(slot.getType())
                      .getStridesAndOffset(strides, offset)) &&
        offset == 0)
      return pointer;
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, slot);
    return LLVM::GEPOp::create(
        builder, loc, pointer.getType(), builder.getI32Type(), pointer,
        ArrayRef<LLVM::GEPArg>{createI64(builder, loc, metadata.getOffset())});
  }

  static Value createI64(OpBuilder &builder, Location loc, Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }
};

class DeallocPattern : public ChipPattern<DeallocOp> {
public:
  using ChipPattern::ChipPattern;

  LogicalResult
  matchAndRewrite(DeallocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, chip)))
      return failure();
    Location loc = op.getLoc();
    Value columns = getColumns(rewriter, op, adaptor);
    if (op.getExclusive())
      createConvergentAsm(rewriter, loc, Type(),
                          "tcgen05.dealloc.exclusive.cta_group::" +
                              std::to_string(op.getCtaGroup()) +
                              ".sync.aligned.b32 $0, $1;",
                          "r,r,~{memory}", {adaptor.getBase(), columns});
    else
      createTcgen05(
          rewriter, loc, "dealloc" + getGroupSuffix(op.getCtaGroup()), Type(),
          {createTMemPointer(rewriter, loc, adaptor.getBase()), columns});
    rewriter.eraseOp(op);
    return success();
  }
};

class RelinquishPattern : public ChipPattern<RelinquishAllocPermitOp> {
public:
  using ChipPattern::ChipPattern;

  LogicalResult
  matchAndRewrite(RelinquishAllocPermitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, chip)))
      return failure();
    createTcgen05(rewriter, op.getLoc(),
                  "relinq.alloc.permit" + getGroupSuffix(op.getCtaGroup()),
                  Type(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

class FencePattern : public ChipPattern<FenceOp> {
public:
  using ChipPattern::ChipPattern;

  LogicalResult
  matchAndRewrite(FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, chip)))
      return failure();
    createTcgen05(rewriter, op.getLoc(),
                  op.getKind() == FenceKind::Before ? "fence.before.thread.sync"
                                                    : "fence.after.thread.sync",
                  Type(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::tmem::populateAllocationPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            const Chip *chip) {
  MLIRContext *context = patterns.getContext();
  patterns.add<AllocPattern, DeallocPattern, RelinquishPattern, FencePattern>(
      converter, context, chip);
}
