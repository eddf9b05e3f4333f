//===- LoadReducePatterns.cpp - Loads that reduce -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tmem;

/// The suffix of PTX ISA, "tcgen05.ld.red": the operation and the type.
static StringRef getOperation(ReduceKind kind, bool abs) {
  switch (kind) {
  case ReduceKind::MinSI:
    return ".min.s32";
  case ReduceKind::MinUI:
    return ".min.u32";
  case ReduceKind::MaxSI:
    return ".max.s32";
  case ReduceKind::MaxUI:
    return ".max.u32";
  case ReduceKind::MinNumF:
    return abs ? ".min.abs.f32" : ".min.f32";
  case ReduceKind::MaxNumF:
    return abs ? ".max.abs.f32" : ".max.f32";
  case ReduceKind::MinimumF:
    return abs ? ".min.abs.NaN.f32" : ".min.NaN.f32";
  case ReduceKind::MaximumF:
    return abs ? ".max.abs.NaN.f32" : ".max.NaN.f32";
  }
  llvm_unreachable("not a reduction");
}

/// `tcgen05.ld.red...x2.max.f32 {$0, $1}, $2, [$3];`
static std::string getText(LoadReduceOp op, const TransferPlan &plan,
                           const Issue &issue) {
  size_t count = issue.words.size();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tcgen05.ld.red.sync.aligned." << stringifyAtomShape(plan.shape) << ".x"
     << issue.repeat << getOperation(op.getKind(), op.getAbs()) << " {";
  for (size_t i = 0; i < count; ++i)
    os << (i ? ", $" : "$") << i;
  os << "}, $" << count << ", [$" << count + 1 << "]";
  if (plan.shape == AtomShape::S16x32bx2)
    os << ", " << plan.getSplitImmediate();
  os << ";";
  return text;
}

/// One issue: the words that it loads, and what they reduce to. All of them are
/// pinned, as those of other loads are.
static SmallVector<Value> createIssue(OpBuilder &builder, LoadReduceOp op,
                                      Value address, const TransferPlan &plan,
                                      const Issue &issue) {
  size_t count = issue.words.size() + 1;
  std::string constraints;
  for (size_t i = 0; i < count; ++i)
    constraints += "=r,";
  constraints += "r,~{memory}";
  LLVM::InlineAsmOp load = createConvergentAsm(
      builder, op.getLoc(), getWordsType(op.getContext(), count),
      getText(op, plan, issue), constraints, address);
  return createPin(builder, op.getLoc(), getAsmWords(builder, load, count));
}

namespace {
class LoadReducePattern : public OpConversionPattern<LoadReduceOp> {
public:
  LoadReducePattern(const TypeConverter &converter, MLIRContext *context,
                    const Chip *chip)
      : OpConversionPattern(converter, context), chip(chip) {}

  LogicalResult
  matchAndRewrite(LoadReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyOnChip(op, chip)))
      return failure();
    auto *plan = std::get_if<TransferPlan>(&op.getPlan());
    if (!plan)
      return failure();
    Location loc = op.getLoc();
    Value address =
        createWarpAddress(rewriter, op, adaptor.getView().front(), *plan);
    SmallVector<Value> words(plan->vectorWords), reduced;
    for (const Issue &issue : plan->issues) {
      SmallVector<Value> loaded = createIssue(
          rewriter, op, createIssueAddress(rewriter, loc, address, issue),
          *plan, issue);
      reduced.push_back(loaded.pop_back_val());
      for (auto [slot, word] : llvm::zip_equal(issue.words, loaded))
        words[slot] = word;
    }
    fillGaps(rewriter, loc, words);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{words, reduced});
    return success();
  }

private:
  const Chip *chip;
};
} // namespace

void mlir::tmem::populateLoadReducePatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            const Chip *chip) {
  patterns.add<LoadReducePattern>(converter, patterns.getContext(), chip);
}
