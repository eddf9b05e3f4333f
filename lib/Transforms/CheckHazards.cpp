//===- CheckHazards.cpp - What goes wrong across operations ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tmem-check-hazards: which functions are kernels, with what block they run,
// and what is told of them. lib/Analysis/Hazards finds it.
//
//===----------------------------------------------------------------------===//

#include "KernelBlocks.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tmem/Analysis/Hazards.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Transforms/Passes.h"
#include <set>

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMCHECKHAZARDS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Kernels and their blocks
//===----------------------------------------------------------------------===//

static bool isTensorMemory(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin().starts_with("llvm.nvvm.tcgen05.");
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getAsmString().contains("tcgen05.");
  return name.starts_with("nvvm.tcgen05.") ||
         isa_and_nonnull<TMemDialect>(op->getDialect());
}

static bool isKernel(Operation *op) {
  return op->hasAttr("gpu.kernel") || op->hasAttr("nvvm.kernel") ||
         op->hasAttr("kernel");
}

namespace {
/// What is to be checked, found in one walk.
struct Survey {
  explicit Survey(Operation *root);

  SmallVector<Operation *> kernels; ///< Or other functions.
  SmallVector<CallOpInterface> calls;
  SmallVector<gpu::LaunchFuncOp> launches;
  bool hasAffine = false;
};
} // namespace

Survey::Survey(Operation *root) {
  root->walk([&](Operation *op) {
    hasAffine |= isa_and_nonnull<affine::AffineDialect>(op->getDialect());
    if (isa<FunctionOpInterface, gpu::LaunchOp>(op))
      kernels.push_back(op);
    else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      launches.push_back(launch);
    else if (auto call = dyn_cast<CallOpInterface>(op))
      calls.push_back(call);
  });
}

//===----------------------------------------------------------------------===//
// The affine dialect
//===----------------------------------------------------------------------===//

/// A copy with the loops, branches and sums of affine as those of scf and
/// arith, or null where that fails.
static OwningOpRef<Operation *> lowerAffine(Operation *root) {
  OwningOpRef<Operation *> copy = root->clone();
  RewritePatternSet patterns(root->getContext());
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  ConversionTarget target(*root->getContext());
  target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect,
                         scf::SCFDialect, vector::VectorDialect>();
  if (failed(applyPartialConversion(*copy, target, std::move(patterns))))
    return {};
  return copy;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class CheckHazards
    : public mlir::tmem::impl::TMemCheckHazardsBase<CheckHazards> {
public:
  using TMemCheckHazardsBase::TMemCheckHazardsBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto emitError = [&] {
      return mlir::emitError(UnknownLoc::get(context))
             << "tmem-check-hazards: ";
    };
    if (mode != "strict" && mode != "register-dependence")
      return emitError() << "expected the mode strict or register-dependence, "
                            "but got "
                         << mode;
    if (undecided != "warn" && undecided != "ignore" && undecided != "error")
      return emitError() << "expected undecided=warn, ignore or error, but got "
                         << undecided;
    if (report != "error" && report != "warning")
      return emitError() << "expected report=error or warning, but got "
                         << report;
    if (threads % warpSize != 0 || threads > maxThreads)
      return emitError() << "expected a multiple of 32 threads up to 1024, but "
                            "got "
                         << unsigned(threads);
    return success();
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    Operation *root = getOperation();
    Survey survey(root);
    OwningOpRef<Operation *> lowered;
    if (survey.hasAffine && (lowered = lowerAffine(root))) {
      root = *lowered;
      survey = Survey(root);
    }
    LaunchedBlocks launched(survey.launches);
    if (isa<FunctionOpInterface>(root)) {
      check(root, launched, /*followCalls=*/false);
      for (Operation *kernel : survey.kernels)
        if (isa<gpu::LaunchOp>(kernel))
          check(kernel, launched, /*followCalls=*/false);
      return;
    }
    DenseSet<Operation *> callees;
    SymbolTableCollection symbolTables;
    for (CallOpInterface call : survey.calls)
      if (Operation *callee = call.resolveCallableInTable(&symbolTables))
        callees.insert(callee);
    for (Operation *kernel : survey.kernels)
      if (isKernel(kernel) || isa<gpu::LaunchOp>(kernel) ||
          !callees.contains(kernel))
        check(kernel, launched, /*followCalls=*/true);
  }

private:
  void check(Operation *kernel, const LaunchedBlocks &launched,
             bool followCalls);
  Operation *check(Operation *kernel, BlockShape block, bool followCalls,
                   StringRef where);
  void doubtGuess(Operation *kernel, const KernelBlocks &blocks);
  void emit(const Finding &finding, StringRef where);
  void emit(const Undecided &doubt, StringRef where);
  bool hasTensorMemory(Operation *kernel, bool followCalls);

  /// What was said of this kernel, for the blocks before.
  std::set<std::pair<Operation *, std::string>> emitted;
};
} // namespace

bool CheckHazards::hasTensorMemory(Operation *kernel, bool followCalls) {
  SymbolTableCollection symbolTables;
  SmallVector<Operation *> worklist{kernel};
  DenseSet<Operation *> seen{kernel};
  auto visit = [&](Operation *op) {
    if (isTensorMemory(op))
      return WalkResult::interrupt();
    if (auto call = dyn_cast<CallOpInterface>(op); call && followCalls) {
      Operation *callee = call.resolveCallableInTable(&symbolTables);
      if (callee && seen.insert(callee).second)
        worklist.push_back(callee);
    }
    return WalkResult::advance();
  };
  while (!worklist.empty())
    if (worklist.pop_back_val()->walk(visit).wasInterrupted())
      return true;
  return false;
}

/// Said once for a kernel: a finding or its absence holds for that size alone.
void CheckHazards::doubtGuess(Operation *kernel, const KernelBlocks &blocks) {
  std::string guessed = describeBlock(blocks.shapes.back());
  emit(Undecided{kernel,
                 "whether it is right in a block of other than " + guessed +
                     ", a guess, as " + blocks.guess.str() +
                     ": give the kernel known_block_size, or the pass "
                     "threads=N",
                 nullptr},
       "");
}

void CheckHazards::check(Operation *kernel, const LaunchedBlocks &launched,
                         bool followCalls) {
  if (kernel->getNumRegions() == 0 || kernel->getRegion(0).empty() ||
      !hasTensorMemory(kernel, followCalls))
    return;
  // Host code around a gpu.launch.
  if (isa<FunctionOpInterface>(kernel) && !isKernel(kernel)) {
    auto result =
        kernel->walk([](gpu::LaunchOp) { return WalkResult::interrupt(); });
    if (result.wasInterrupted())
      return;
  }
  emitted.clear();
  KernelBlocks blocks = launched.get(kernel, threads);
  // A piece of code that speaks of no threads is not said to be for several.
  bool matters = isKernel(kernel) || isa<gpu::LaunchOp>(kernel) ||
                 blocks.shapes.back().getNumWarps() > 1;
  bool isGuess = !blocks.guess.empty() && matters;
  bool isNamed = blocks.shapes.size() > 1 || isGuess;
  Operation *pair = nullptr;
  for (const BlockShape &block : blocks.shapes)
    pair =
        check(kernel, block, followCalls, isNamed ? describeBlock(block) : "");
  if (pair && launched.isWithoutPairs(kernel))
    emit(Undecided{pair,
                   "whether each CTA has a peer: a launch has clusters of an "
                   "odd number of blocks",
                   nullptr},
         "");
  if (isGuess)
    doubtGuess(kernel, blocks);
}

/// `where`: the block, if there are several, or it is a guess. What is said of
/// all is said once. Returns the first instruction for a pair of CTAs.
Operation *CheckHazards::check(Operation *kernel, BlockShape block,
                               bool followCalls, StringRef where) {
  int64_t count = 1;
  for (int32_t size : block.size)
    count *= std::clamp<int64_t>(size, 0, maxThreads + 1);
  if (count < 1 || count > maxThreads) {
    emit(Undecided{kernel,
                   "anything: a block has 1 to 1024 threads, but got " +
                       std::to_string(count),
                   nullptr},
         where);
    return nullptr;
  }
  Options options;
  options.followsCalls = followCalls;
  options.followsRegisters = mode == "register-dependence";
  Report found = findHazards(kernel, block, options);
  for (const Finding &finding : found.findings)
    emit(finding, where);
  for (const Undecided &doubt : found.undecided)
    emit(doubt, where);
  return found.pair;
}

/// Without the operation itself, which may be a whole kernel.
static InFlightDiagnostic diagnose(Operation *op, bool isError) {
  InFlightDiagnostic diag =
      isError ? mlir::emitError(op->getLoc()) : mlir::emitWarning(op->getLoc());
  diag << "'" << op->getName() << "' op ";
  return diag;
}

static void noteCalls(ArrayRef<Operation *> calls, InFlightDiagnostic &diag) {
  for (Operation *call : calls)
    diag.attachNote(call->getLoc()) << "called here";
}

void CheckHazards::emit(const Finding &finding, StringRef where) {
  if (!where.empty() && !emitted.insert({finding.op, finding.message}).second)
    return;
  bool isError = report == "error";
  InFlightDiagnostic diag = diagnose(finding.op, isError);
  diag << finding.message;
  noteCalls(finding.calls, diag);
  if (finding.other) {
    diag.attachNote(finding.other->getLoc()) << finding.otherText;
    noteCalls(finding.otherCalls, diag);
  }
  for (const Place &place : finding.more) {
    diag.attachNote(place.op->getLoc()) << place.text;
    noteCalls(place.calls, diag);
  }
  diag.attachNote() << "rule " << getRuleId(finding.rule) << ": "
                    << getRuleText(finding.rule);
  if (!finding.fix.empty())
    diag.attachNote() << "to fix it, " << finding.fix;
  if (!where.empty())
    diag.attachNote() << "found for a block of " << where;
  if (isError)
    signalPassFailure();
}

void CheckHazards::emit(const Undecided &doubt, StringRef where) {
  if (undecided == "ignore" ||
      (!where.empty() && !emitted.insert({doubt.op, doubt.message}).second))
    return;
  bool isError = undecided == "error";
  InFlightDiagnostic diag = diagnose(doubt.op, isError);
  diag << "undecided: " << doubt.message;
  noteCalls(doubt.calls, diag);
  if (doubt.other)
    diag.attachNote(doubt.other->getLoc()) << "the other access";
  if (doubt.via)
    diag.attachNote(doubt.via->getLoc())
        << "of this it is not known what it orders";
  if (isError)
    signalPassFailure();
}
