//===- CarrierPatterns.cpp - Operations that pass tmem values on ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Pending values become scalar words wherever they go. Where handing one on may
// copy its registers (two that meet in one, an iteration argument that the next
// load overtakes), a copy before the wait would read registers too early. There
// the lowering waits first, with a remark.

#include "Lowering.h"
#include "PendingWebs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;

static bool isTMemType(Type type) {
  return isa<ViewType, PendingType, TokenType>(type);
}

bool mlir::tmem::carriesTMemTypes(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isTMemType) ||
      llvm::any_of(op->getResultTypes(), isTMemType))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isTMemType))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Waiting where pending values meet
//===----------------------------------------------------------------------===//

/// The words to hand on for every operand of `op`; where pending ones might be
/// copied, after one wait for all of them.
static SmallVector<SmallVector<Value>>
settleOperands(Operation *op, ArrayRef<ValueRange> ranges,
               ConversionPatternRewriter &rewriter) {
  SmallVector<SmallVector<Value>> settled;
  SmallVector<Value> words;
  SmallVector<size_t> merging;
  for (auto [index, range] : llvm::enumerate(ranges)) {
    settled.emplace_back(range);
    OpOperand &operand = op->getOpOperand(index);
    if (!isa<PendingType>(operand.get().getType()) || !mayCopy(operand))
      continue;
    merging.push_back(index);
    llvm::append_range(words, range);
  }
  if (merging.empty())
    return settled;
  // Without the operation, whose surroundings are half converted.
  emitRemark(op->getLoc(), "waits for pending loads here, since passing them "
                           "on copies their registers");
  SmallVector<Value> copies = createWaitLoad(rewriter, op, words);
  ArrayRef<Value> rest = copies;
  for (size_t index : merging) {
    size_t count = settled[index].size();
    settled[index].assign(rest.take_front(count).begin(),
                          rest.take_front(count).end());
    rest = rest.drop_front(count);
  }
  return settled;
}

static SmallVector<Value> flatten(ArrayRef<SmallVector<Value>> lists) {
  SmallVector<Value> values;
  for (const SmallVector<Value> &list : lists)
    llvm::append_range(values, list);
  return values;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Replaces the results of `op` by those of `converted`, several for one.
static void replaceWithWords(Operation *op, Operation *converted,
                             const TypeConverter &converter,
                             ConversionPatternRewriter &rewriter) {
  SmallVector<ValueRange> words;
  ValueRange rest = converted->getResults();
  for (Type type : op->getResultTypes()) {
    SmallVector<Type> types;
    (void)converter.convertType(type, types);
    words.push_back(rest.take_front(types.size()));
    rest = rest.drop_front(types.size());
  }
  rewriter.replaceOpWithMultiple(op, ArrayRef(words));
}

namespace {

/// Sees to it that webs are found before anything is converted: conversion goes
/// from the outside in, and this is tried first.
class WebsPattern : public ConversionPattern {
public:
  WebsPattern(MLIRContext *context)
      : ConversionPattern(MatchAnyOpTypeTag(), /*benefit=*/100, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>,
                                ConversionPatternRewriter &) const override {
    if (isa<FunctionOpInterface>(op) || carriesTMemTypes(op))
      markSharing(op);
    return failure();
  }
};

template <typename OpTy>
class CarrierPattern : public OpConversionPattern<OpTy> {
public:
  // Before the general patterns, which hand pending words on as they are.
  CarrierPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpTy>(converter, context, /*benefit=*/10) {}

protected:
  /// The words to hand on for all operands.
  SmallVector<SmallVector<Value>>
  settle(OpTy op, ArrayRef<ValueRange> operands,
         ConversionPatternRewriter &rewriter) const {
    return settleOperands(op, operands, rewriter);
  }
};

class YieldPattern : public CarrierPattern<scf::YieldOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(scf::YieldOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    SmallVector<Value> values =
        flatten(settle(op, adaptor.getOperands(), rewriter));
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, values);
    return success();
  }
};

class ConditionPattern : public CarrierPattern<scf::ConditionOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(scf::ConditionOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    SmallVector<ValueRange> operands{adaptor.getCondition()};
    llvm::append_range(operands, adaptor.getArgs());
    SmallVector<Value> values = flatten(settle(op, operands, rewriter));
    rewriter.replaceOpWithNewOp<scf::ConditionOp>(
        op, values.front(), ValueRange(values).drop_front());
    return success();
  }
};

class ForPattern : public CarrierPattern<scf::ForOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(scf::ForOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    SmallVector<Value> values =
        flatten(settle(op, adaptor.getOperands(), rewriter));
    if (failed(
            rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter())))
      return failure();
    auto loop = scf::ForOp::create(
        rewriter, op.getLoc(), values[0], values[1], values[2],
        ArrayRef(values).drop_front(op.getNumControlOperands()),
        /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(),
                                loop.getRegion().end());
    replaceWithWords(op, loop, *getTypeConverter(), rewriter);
    return success();
  }
};

/// Carries views alone: rule P1 keeps pending values and tokens out.
class ExecuteRegionPattern : public CarrierPattern<scf::ExecuteRegionOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(scf::ExecuteRegionOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!carriesTMemTypes(op) ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    auto region = scf::ExecuteRegionOp::create(rewriter, op.getLoc(), types,
                                               op.getNoInline());
    region->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), region.getRegion(),
                                region.getRegion().end());
    replaceWithWords(op, region, *getTypeConverter(), rewriter);
    return success();
  }
};

class WhilePattern : public CarrierPattern<scf::WhileOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(scf::WhileOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!carriesTMemTypes(op) ||
        failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    SmallVector<Value> values =
        flatten(settle(op, adaptor.getOperands(), rewriter));
    for (Region &region : op->getRegions())
      if (failed(rewriter.convertRegionTypes(&region, *getTypeConverter())))
        return failure();
    auto loop = scf::WhileOp::create(rewriter, op.getLoc(), types, values);
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), loop->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    replaceWithWords(op, loop, *getTypeConverter(), rewriter);
    return success();
  }
};

/// The words of both sides, selected one by one.
class SelectPattern : public CarrierPattern<arith::SelectOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    SmallVector<ValueRange> operands{adaptor.getCondition(),
                                     adaptor.getTrueValue(),
                                     adaptor.getFalseValue()};
    auto settled = settle(op, operands, rewriter);
    SmallVector<Value> selected;
    for (auto [a, b] : llvm::zip_equal(settled[1], settled[2]))
      selected.push_back(LLVM::SelectOp::create(rewriter, op.getLoc(),
                                                settled[0].front(), a, b));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{selected});
    return success();
  }
};

/// The successor with its arguments converted.
FailureOr<Block *> convertSuccessor(ConversionPatternRewriter &rewriter,
                                    const TypeConverter &converter,
                                    Block *block, ValueRange operands) {
  if (block->getArgumentTypes() == operands.getTypes())
    return block;
  std::optional<TypeConverter::SignatureConversion> conversion =
      converter.convertBlockSignature(block);
  if (!conversion ||
      TypeRange(conversion->getConvertedTypes()) != operands.getTypes())
    return failure();
  return rewriter.applySignatureConversion(block, *conversion, &converter);
}

/// A successor and what it takes over.
struct Edge {
  Block *dest;
  SmallVector<Value> values;
};

/// The edges of a branch, whose successors' operands are `settled`, in order.
template <typename OpTy>
FailureOr<SmallVector<Edge>> convertEdges(OpTy op,
                                          ArrayRef<SmallVector<Value>> settled,
                                          const TypeConverter &converter,
                                          ConversionPatternRewriter &rewriter) {
  SmallVector<Edge> edges;
  for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
    size_t count = op.getSuccessorOperands(index).size();
    SmallVector<Value> values = flatten(settled.take_front(count));
    settled = settled.drop_front(count);
    FailureOr<Block *> dest =
        convertSuccessor(rewriter, converter, block, values);
    if (failed(dest))
      return failure();
    edges.push_back({*dest, std::move(values)});
  }
  return edges;
}

class BranchPattern : public CarrierPattern<cf::BranchOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(cf::BranchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    auto settled = settle(op, adaptor.getOperands(), rewriter);
    auto edges = convertEdges(op, settled, *getTypeConverter(), rewriter);
    if (failed(edges))
      return failure();
    const Edge &edge = edges->front();
    rewriter.replaceOpWithNewOp<cf::BranchOp>(op, edge.values, edge.dest);
    return success();
  }
};

class CondBranchPattern : public CarrierPattern<cf::CondBranchOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(cf::CondBranchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    auto settled = settle(op, adaptor.getOperands(), rewriter);
    auto edges = convertEdges(op, ArrayRef(settled).drop_front(),
                              *getTypeConverter(), rewriter);
    if (failed(edges))
      return failure();
    const Edge &onTrue = edges->front(), &onFalse = edges->back();
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, settled.front().front(),
                                                  onTrue.dest, onTrue.values,
                                                  onFalse.dest, onFalse.values);
    return success();
  }
};

class SwitchPattern : public CarrierPattern<cf::SwitchOp> {
public:
  using CarrierPattern::CarrierPattern;

  LogicalResult
  matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!carriesTMemTypes(op))
      return failure();
    auto settled = settle(op, adaptor.getOperands(), rewriter);
    auto edges = convertEdges(op, ArrayRef(settled).drop_front(),
                              *getTypeConverter(), rewriter);
    if (failed(edges))
      return failure();
    SmallVector<Block *> dests;
    SmallVector<ValueRange> values;
    for (const Edge &edge : llvm::drop_begin(*edges)) {
      dests.push_back(edge.dest);
      values.push_back(edge.values);
    }
    const Edge &byDefault = edges->front();
    rewriter.replaceOpWithNewOp<cf::SwitchOp>(
        op, settled.front().front(), byDefault.dest, byDefault.values,
        op.getCaseValuesAttr(), dests, values);
    return success();
  }
};

} // namespace

void mlir::tmem::populateCarrierPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  scf::populateSCFStructuralTypeConversions(converter, patterns);
  MLIRContext *context = patterns.getContext();
  patterns.add<WebsPattern>(context);
  patterns.add<ForPattern, WhilePattern, ExecuteRegionPattern, YieldPattern,
               ConditionPattern, SelectPattern, BranchPattern,
               CondBranchPattern, SwitchPattern>(converter, context);
}
