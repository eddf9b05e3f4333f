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
#include "tmem/IR/KernelUtils.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Transforms/Passes.h"

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

static std::optional<BlockShape> getBlockOf(gpu::KernelDim3 size) {
  BlockShape shape;
  for (auto [dim, value] :
       llvm::enumerate(ArrayRef<Value>{size.x, size.y, size.z})) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return std::nullopt;
    shape.size[dim] = constant.getSExtValue();
  }
  return shape;
}

/// The block with which a kernel is launched, if every launch that `scope`
/// holds says the same.
static std::optional<BlockShape> getLaunchedBlock(Operation *kernel,
                                                  Operation *scope) {
  std::optional<BlockShape> block;
  bool isClear = true;
  auto name = dyn_cast<SymbolOpInterface>(kernel);
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  scope->walk([&](gpu::LaunchFuncOp launch) {
    if (!name || launch.getKernelName() != name.getNameAttr() ||
        (module && launch.getKernelModuleName() != module.getNameAttr()))
      return;
    std::optional<BlockShape> shape =
        getBlockOf(launch.getBlockSizeOperandValues());
    isClear &= shape && (!block || block->size == shape->size);
    if (shape)
      block = shape;
  });
  return isClear ? block : std::nullopt;
}

/// Without a block size: as many warpgroups as the constants that the thread id
/// is compared with speak of.
static BlockShape guessBlock(Operation *kernel) {
  bool dependsOnThread = false, hasScope = false;
  int64_t warps = 4;
  kernel->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    dependsOnThread |= isa<gpu::ThreadIdOp, gpu::SubgroupIdOp>(op) ||
                       name.starts_with("nvvm.read.ptx.sreg.tid") ||
                       isa<CallOpInterface>(op);
    if (auto transfer = dyn_cast<TransferOpInterface>(op)) {
      Scope scope = transfer.getScope().getScope();
      hasScope |= scope.kind != ScopeKind::Warp;
      if (transfer.isSelected())
        if (auto *plan = std::get_if<TransferPlan>(&transfer.getPlan()))
          warps = std::max<int64_t>(warps, plan->numWarps);
    }
  });
  BlockShape block;
  block.size[0] = dependsOnThread || hasScope ? warps * warpSize : warpSize;
  return block;
}

//===----------------------------------------------------------------------===//
// The affine dialect
//===----------------------------------------------------------------------===//

/// A copy with the loops, branches and sums of affine as those of scf and
/// arith, or null where there are none.
static OwningOpRef<Operation *> lowerAffine(Operation *root) {
  auto result = root->walk([](Operation *op) {
    return isa_and_nonnull<affine::AffineDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!result.wasInterrupted())
    return {};
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
    OwningOpRef<Operation *> lowered = lowerAffine(root);
    if (lowered)
      root = *lowered;
    if (isa<FunctionOpInterface>(root)) {
      check(root, /*followCalls=*/false);
      root->walk([&](gpu::LaunchOp launch) { check(launch, false); });
      return;
    }
    SmallVector<Operation *> kernels;
    DenseSet<Operation *> callees;
    SymbolTableCollection symbolTables;
    root->walk([&](Operation *op) {
      if (isa<FunctionOpInterface, gpu::LaunchOp>(op))
        kernels.push_back(op);
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbolTables))
          callees.insert(callee);
    });
    for (Operation *kernel : kernels)
      if (isKernel(kernel) || isa<gpu::LaunchOp>(kernel) ||
          !callees.contains(kernel))
        check(kernel, /*followCalls=*/true);
  }

private:
  void check(Operation *kernel, bool followCalls);
  BlockShape getBlock(Operation *kernel);
  void emit(const Finding &finding);
  void emit(const Undecided &doubt);
  bool hasTensorMemory(Operation *kernel, bool followCalls);
};
} // namespace

BlockShape CheckHazards::getBlock(Operation *kernel) {
  BlockShape block;
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel))
    return getBlockOf(launch.getBlockSizeOperandValues())
        .value_or(guessBlock(kernel));
  ArrayRef<int32_t> stated = getBlockSize(kernel);
  if (stated.empty())
    if (auto attr = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.maxntid"))
      stated = attr.asArrayRef();
  if (threads != 0) {
    block.size = {int32_t(threads), 1, 1};
    return block;
  }
  if (!stated.empty()) {
    for (auto [dim, size] : llvm::enumerate(stated.take_front(3)))
      block.size[dim] = size;
    return block;
  }
  if (std::optional<BlockShape> launched =
          getLaunchedBlock(kernel, getOperation()))
    return *launched;
  return guessBlock(kernel);
}

bool CheckHazards::hasTensorMemory(Operation *kernel, bool followCalls) {
  SymbolTableCollection symbolTables;
  SmallVector<Operation *> worklist{kernel};
  DenseSet<Operation *> seen{kernel};
  bool found = false;
  while (!worklist.empty() && !found)
    worklist.pop_back_val()->walk([&](Operation *op) {
      found |= isTensorMemory(op);
      auto call = dyn_cast<CallOpInterface>(op);
      if (!call || !followCalls)
        return;
      Operation *callee = call.resolveCallableInTable(&symbolTables);
      if (callee && seen.insert(callee).second)
        worklist.push_back(callee);
    });
  return found;
}

void CheckHazards::check(Operation *kernel, bool followCalls) {
  if (kernel->getNumRegions() == 0 || kernel->getRegion(0).empty() ||
      !hasTensorMemory(kernel, followCalls))
    return;
  // Host code around a gpu.launch.
  if (isa<FunctionOpInterface>(kernel) && !isKernel(kernel)) {
    bool isHost = false;
    kernel->walk([&](gpu::LaunchOp) { isHost = true; });
    if (isHost)
      return;
  }
  BlockShape block = getBlock(kernel);
  int64_t count = 1;
  for (int32_t size : block.size)
    count *= std::clamp<int64_t>(size, 0, maxThreads + 1);
  if (count < 1 || count > maxThreads)
    return emit(Undecided{kernel,
                          "anything: a block has 1 to 1024 threads, but got " +
                              std::to_string(count),
                          nullptr});
  Options options;
  options.followsCalls = followCalls;
  options.followsRegisters = mode == "register-dependence";
  Report found = findHazards(kernel, block, options);
  for (const Finding &finding : found.findings)
    emit(finding);
  for (const Undecided &doubt : found.undecided)
    emit(doubt);
}

/// Without the operation itself, which may be a whole kernel.
static InFlightDiagnostic diagnose(Operation *op, bool isError) {
  InFlightDiagnostic diag =
      isError ? mlir::emitError(op->getLoc()) : mlir::emitWarning(op->getLoc());
  diag << "'" << op->getName() << "' op ";
  return diag;
}

void CheckHazards::emit(const Finding &finding) {
  bool isError = report == "error";
  InFlightDiagnostic diag = diagnose(finding.op, isError);
  diag << finding.message;
  if (finding.other)
    diag.attachNote(finding.other->getLoc()) << finding.otherText;
  diag.attachNote() << "rule " << getRuleId(finding.rule) << ": "
                    << getRuleText(finding.rule);
  if (!finding.fix.empty())
    diag.attachNote() << "to fix it, " << finding.fix;
  if (isError)
    signalPassFailure();
}

void CheckHazards::emit(const Undecided &doubt) {
  if (undecided == "ignore")
    return;
  bool isError = undecided == "error";
  InFlightDiagnostic diag = diagnose(doubt.op, isError);
  diag << "undecided: " << doubt.message;
  if (doubt.other)
    diag.attachNote(doubt.other->getLoc()) << "the other access";
  if (doubt.via)
    diag.attachNote(doubt.via->getLoc())
        << "of this it is not known what it orders";
  if (isError)
    signalPassFailure();
}
