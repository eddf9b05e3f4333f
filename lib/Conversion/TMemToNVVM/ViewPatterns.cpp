//===- ViewPatterns.cpp - Views and their windows -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// What gives a view of the address that it takes.
template <typename OpTy>
class SameAddressPattern : public OpConversionPattern<OpTy> {
public:
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands().front());
    return success();
  }
};

/// Static offsets are in the layouts; dynamic ones move the address.
class SubviewPattern : public OpConversionPattern<SubviewOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SubviewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value address = adaptor.getSource();
    unsigned next = 0;
    for (auto [dim, offset] : llvm::enumerate(op.getStaticOffsets())) {
      if (!ShapedType::isDynamic(offset))
        continue;
      std::optional<int64_t> cells =
          SubviewOp::getCellsPerStep(op.getSource().getType(), dim);
      if (!cells)
        return failure();
      Value steps = arith::IndexCastOp::create(
          rewriter, loc, rewriter.getI32Type(), op.getOffsets()[next++]);
      if (*cells != 1)
        steps = LLVM::MulOp::create(rewriter, loc, steps,
                                    createI32(rewriter, loc, *cells));
      address = createAdd(rewriter, loc, address, steps);
    }
    rewriter.replaceOp(op, address);
    return success();
  }
};

/// The first cell of the view, for no warp in particular.
class AddressPattern : public OpConversionPattern<AddressOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value address = adaptor.getView();
    if (int64_t offset = op.getView().getType().getFirstCell())
      address = createAdd(rewriter, op.getLoc(), address,
                          createI32(rewriter, op.getLoc(), offset));
    rewriter.replaceOp(op, address);
    return success();
  }
};

} // namespace

void mlir::tmem::populateViewPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<SameAddressPattern<ViewOp>, SameAddressPattern<RearrangeOp>,
               SubviewPattern, AddressPattern>(converter,
                                               patterns.getContext());
}
