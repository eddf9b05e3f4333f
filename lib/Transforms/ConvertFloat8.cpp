//===- ConvertFloat8.cpp - Truncations to 8-bit floats --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no 8-bit floats, and stock conversions leave truncations to them.
// The hardware makes two at once of two f32.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMCONVERTFLOAT8
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;

/// The intrinsic for an element type, or nothing. (PTX ISA, "cvt".)
static StringRef getIntrinsic(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return "llvm.nvvm.ff.to.e4m3x2.rn";
  if (isa<Float8E5M2Type>(element))
    return "llvm.nvvm.ff.to.e5m2x2.rn";
  return {};
}

/// The elements of a scalar or a vector, as f32.
static SmallVector<Value> getElements(OpBuilder &builder, Location loc,
                                      Value value) {
  Type single = builder.getF32Type(), type = value.getType();
  if (auto vector = dyn_cast<VectorType>(type))
    single = vector.clone(single);
  if (type != single)
    value = arith::ExtFOp::create(builder, loc, single, value);
  if (!isa<VectorType>(type))
    return {value};
  ResultRange elements =
      vector::ToElementsOp::create(builder, loc, value).getElements();
  return SmallVector<Value>(elements.begin(), elements.end());
}

namespace {
struct TruncateToFloat8 : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult
TruncateToFloat8::matchAndRewrite(arith::TruncFOp op,
                                  PatternRewriter &rewriter) const {
  StringRef intrinsic = getIntrinsic(getElementTypeOrSelf(op.getType()));
  Type source = getElementTypeOrSelf(op.getIn().getType());
  auto vector = dyn_cast<VectorType>(op.getType());
  auto rounding = op.getRoundingmode();
  if (intrinsic.empty() ||
      !(source.isF32() || source.isF16() || source.isBF16()))
    return failure();
  if ((vector && (vector.getRank() != 1 || vector.isScalable())) ||
      (rounding && *rounding != arith::RoundingMode::to_nearest_even))
    return failure();

  Location loc = op.getLoc();
  SmallVector<Value> elements = getElements(rewriter, loc, op.getIn());
  unsigned count = elements.size();
  if (count % 2 != 0)
    elements.push_back(elements.back());
  Type pair = rewriter.getI16Type();
  SmallVector<Value> pairs;
  for (unsigned i = 0; i < elements.size();
       i += 2) // The first operand is high.
    pairs.push_back(LLVM::CallIntrinsicOp::create(
                        rewriter, loc, pair, rewriter.getStringAttr(intrinsic),
                        ValueRange{elements[i + 1], elements[i]})
                        ->getResult(0));
  auto bytes = VectorType::get(elements.size(), rewriter.getI8Type());
  Value result = vector::FromElementsOp::create(
      rewriter, loc, VectorType::get(pairs.size(), pair), pairs);
  result = vector::BitCastOp::create(rewriter, loc, bytes, result);
  if (!vector)
    result = vector::ExtractOp::create(rewriter, loc, result, 0);
  else if (count != elements.size())
    result = vector::ExtractStridedSliceOp::create(
        rewriter, loc, result, ArrayRef<int64_t>(0), ArrayRef<int64_t>(count),
        ArrayRef<int64_t>(1));
  rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), result);
  return success();
}

namespace {
struct ConvertFloat8 : public tmem::impl::TMemConvertFloat8Base<ConvertFloat8> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<TruncateToFloat8>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
