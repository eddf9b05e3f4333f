//===- LowerSubgroups.cpp - What gpu says of warps ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMLOWERSUBGROUPS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

static constexpr unsigned warpSize = 32;

static LogicalResult lowerSize(gpu::SubgroupSizeOp op,
                               PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, warpSize);
  return success();
}

/// The last warp of a block may have fewer threads.
static LogicalResult lowerCount(gpu::NumSubgroupsOp op,
                                PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value threads =
      gpu::BlockDimOp::create(rewriter, loc, gpu::Dimension::x).getResult();
  for (gpu::Dimension dimension : {gpu::Dimension::y, gpu::Dimension::z})
    threads = arith::MulIOp::create(
        rewriter, loc, threads,
        gpu::BlockDimOp::create(rewriter, loc, dimension));
  Value rest = arith::ConstantIndexOp::create(rewriter, loc, warpSize - 1);
  Value size = arith::ConstantIndexOp::create(rewriter, loc, warpSize);
  rewriter.replaceOpWithNewOp<arith::DivUIOp>(
      op, arith::AddIOp::create(rewriter, loc, threads, rest), size);
  return success();
}

/// The patterns report larger ones, too, but go on.
static LogicalResult checkClusters(Operation *root) {
  WalkResult result = root->walk([](gpu::SubgroupReduceOp op) {
    if (op.getClusterSize().value_or(1) <= warpSize)
      return WalkResult::advance();
    op.emitOpError("expected clusters of at most ")
        << warpSize << " lanes, but got " << *op.getClusterSize();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct LowerSubgroups
    : public tmem::impl::TMemLowerSubgroupsBase<LowerSubgroups> {
  void runOnOperation() override {
    if (failed(checkClusters(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add(lowerSize);
    patterns.add(lowerCount);
    populateGpuSubgroupIdPatterns(patterns);
    populateGpuBreakDownSubgroupReducePatterns(patterns);
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, warpSize);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns,
                                                             warpSize);
    // Only these: the kernel's other operations stay as they are.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
