//===- TransferPatterns.cpp - Loads, stores and their waits ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// The base of the conversion of transfers.
template <typename OpTy>
class TransferPattern : public OpConversionPattern<OpTy> {
public:
  TransferPattern(const TypeConverter &converter, MLIRContext *context,
                  const Chip *chip)
      : OpConversionPattern<OpTy>(converter, context), chip(chip) {}

protected:
  /// `llvm.nvvm.tcgen05.<direction>.<shape>.x<N>` up to the prefix.
  static std::string getIntrinsic(StringRef direction, const TransferPlan &plan,
                                  const Issue &issue) {
    return (direction + "." + stringifyAtomShape(plan.shape) + ".x" +
            Twine(issue.repeat))
        .str();
  }

  /// What every intrinsic takes last: whether it packs or unpacks 16 bits.
  static void appendPacking(OpBuilder &builder, Location loc,
                            const TransferPlan &plan,
                            SmallVectorImpl<Value> &args) {
    args.push_back(LLVM::ConstantOp::create(
        builder, loc, builder.getI1Type(),
        builder.getBoolAttr(plan.packing != Packing::None)));
  }

  static Value createSplitImmediate(OpBuilder &builder, Location loc,
                                    const TransferPlan &plan) {
    return LLVM::ConstantOp::create(
        builder, loc, builder.getI64Type(),
        builder.getI64IntegerAttr(plan.getSplitImmediate()));
  }

  const Chip *chip;
};

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

Value getBase(LoadOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor) {
  return adaptor.getView().front();
}
Value getBase(LoadSplitOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor) {
  return adaptor.getLow().front();
}
Value getBase(StoreOp::Adaptor adaptor) { return adaptor.getView(); }
Value getBase(StoreSplitOp::Adaptor adaptor) { return adaptor.getLow(); }

template <typename OpTy> class LoadPattern : public TransferPattern<OpTy> {
public:
  using TransferPattern<OpTy>::TransferPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, this->chip)))
      return failure();
    auto *plan = std::get_if<TransferPlan>(&op.getPlan());
    if (!plan)
      return failure();
    Location loc = op.getLoc();
    Value address = createWarpAddress(rewriter, op, getBase(adaptor), *plan);
    SmallVector<Value> words(plan->vectorWords);
    for (const Issue &issue : plan->issues) {
      Value pointer = createIssuePointer(rewriter, loc, address, issue);
      SmallVector<Value> loaded =
          createIssue(rewriter, op, pointer, *plan, issue);
      for (auto [slot, word] : llvm::zip_equal(issue.words, loaded))
        words[slot] = word;
    }
    fillGaps(rewriter, loc, words);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{words});
    return success();
  }

private:
  /// One tcgen05.ld; its words are pinned so that their readers stay behind.
  SmallVector<Value> createIssue(OpBuilder &builder, OpTy op, Value pointer,
                                 const TransferPlan &plan,
                                 const Issue &issue) const {
    Location loc = op.getLoc();
    SmallVector<Value> args{pointer};
    if (plan.shape == AtomShape::S16x32bx2)
      args.push_back(this->createSplitImmediate(builder, loc, plan));
    this->appendPacking(builder, loc, plan, args);
    Type type = builder.getI32Type();
    if (issue.words.size() > 1)
      type = VectorType::get({int64_t(issue.words.size())}, type);
    Value value = createTcgen05(
        builder, loc, this->getIntrinsic("ld", plan, issue), type, args);
    SmallVector<Value> indices = getIndices(builder, op, issue.words.size());
    return createPin(builder, loc, splitWords(builder, loc, value, indices));
  }
};

class WaitLoadPattern : public OpConversionPattern<WaitLoadOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WaitLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> words;
    for (ValueRange pending : adaptor.getPending())
      llvm::append_range(words, pending);
    SmallVector<Value> copies = createWaitLoad(rewriter, op, words);
    SmallVector<Value> indices = getIndices(rewriter, op, wordsPerChain);
    SmallVector<Value> vectors;
    ArrayRef<Value> rest = copies;
    for (auto [vector, pending] :
         llvm::zip_equal(op.getVectors(), adaptor.getPending())) {
      vectors.push_back(joinWords(rewriter, op.getLoc(),
                                  rest.take_front(pending.size()),
                                  cast<VectorType>(vector.getType()), indices));
      rest = rest.drop_front(pending.size());
    }
    rewriter.replaceOp(op, vectors);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

template <typename OpTy> class StorePattern : public TransferPattern<OpTy> {
public:
  using TransferPattern<OpTy>::TransferPattern;
  using OpAdaptor = typename OpTy::Adaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, this->chip)))
      return failure();
    auto *plan = std::get_if<TransferPlan>(&op.getPlan());
    if (!plan)
      return failure();
    Location loc = op.getLoc();
    Value address = createWarpAddress(rewriter, op, getBase(adaptor), *plan);
    for (const Issue &issue : plan->issues) {
      SmallVector<Value> args{
          createIssuePointer(rewriter, loc, address, issue)};
      if (plan->shape == AtomShape::S16x32bx2)
        args.push_back(this->createSplitImmediate(rewriter, loc, *plan));
      args.push_back(
          extractWords(rewriter, loc, adaptor.getSource(), issue.words));
      this->appendPacking(rewriter, loc, *plan, args);
      createTcgen05(rewriter, loc, this->getIntrinsic("st", *plan, issue),
                    Type(), args);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{ValueRange()});
    return success();
  }
};

class WaitStorePattern : public OpConversionPattern<WaitStoreOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WaitStoreOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    createWaitStore(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

// What tmem-insert-waits has left, or never seen, waits at once.

/// The operands and attributes of `op` for an operation of another name.
OperationState getStateAs(Operation *op, StringRef name, Type result) {
  OperationState state(op->getLoc(), name, op->getOperands(), result,
                       op->getAttrs());
  return state;
}

template <typename OpTy, typename LoadTy>
class ReadPattern : public OpRewritePattern<OpTy> {
public:
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Operation *load = rewriter.create(
        getStateAs(op, LoadTy::getOperationName(),
                   PendingType::get(op.getContext(), op.getVectorType())));
    rewriter.replaceOpWithNewOp<WaitLoadOp>(op, load->getResults());
    return success();
  }
};

template <typename OpTy, typename StoreTy>
class WritePattern : public OpRewritePattern<OpTy> {
public:
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Operation *store = rewriter.create(getStateAs(
        op, StoreTy::getOperationName(), TokenType::get(op.getContext())));
    rewriter.replaceOpWithNewOp<WaitStoreOp>(op, store->getResults());
    return success();
  }
};

} // namespace

void mlir::tmem::populateTransferPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          const Chip *chip) {
  MLIRContext *context = patterns.getContext();
  patterns.add<LoadPattern<LoadOp>, LoadPattern<LoadSplitOp>,
               StorePattern<StoreOp>, StorePattern<StoreSplitOp>>(
      converter, context, chip);
  populateLoadReducePatterns(converter, patterns, chip);
  patterns.add<WaitLoadPattern, WaitStorePattern>(converter, context);
  patterns
      .add<ReadPattern<ReadOp, LoadOp>, ReadPattern<ReadSplitOp, LoadSplitOp>,
           WritePattern<WriteOp, StoreOp>,
           WritePattern<WriteSplitOp, StoreSplitOp>>(context);
}
