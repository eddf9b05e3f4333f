//===- FoldLoadReduce.cpp - Reductions into their loads -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Target/Chips.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMFOLDLOADREDUCE
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

static std::optional<ReduceKind> getKind(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::MINSI:
    return ReduceKind::MinSI;
  case vector::CombiningKind::MINUI:
    return ReduceKind::MinUI;
  case vector::CombiningKind::MAXSI:
    return ReduceKind::MaxSI;
  case vector::CombiningKind::MAXUI:
    return ReduceKind::MaxUI;
  case vector::CombiningKind::MINNUMF:
    return ReduceKind::MinNumF;
  case vector::CombiningKind::MAXNUMF:
    return ReduceKind::MaxNumF;
  case vector::CombiningKind::MINIMUMF:
    return ReduceKind::MinimumF;
  case vector::CombiningKind::MAXIMUMF:
    return ReduceKind::MaximumF;
  default:
    return std::nullopt;
  }
}

namespace {
/// A reduction of what one load gives.
struct Candidate {
  LoadOp load;
  WaitLoadOp wait;
  ReduceKind kind;
  bool abs;
};
} // namespace

/// Whether the instructions of the load have forms that reduce.
static bool canReduce(LoadOp load) {
  AtomAttr atom = load.getAtomAttr();
  if (!load.isSelected() || atom.getPacking() != Packing::None ||
      !llvm::is_contained(LoadReduceOp::getShapes(), atom.getShape()))
    return false;
  auto *plan = std::get_if<TransferPlan>(&load.getPlan());
  return plan && llvm::all_of(plan->issues, [](const Issue &issue) {
           return issue.repeat >= 2;
         });
}

static std::optional<Candidate> findCandidate(vector::ReductionOp op) {
  // The mask is for the elements of the whole vector.
  if (op.isMasked())
    return std::nullopt;
  std::optional<ReduceKind> kind = getKind(op.getKind());
  Value vector = op.getVector();
  auto abs = vector.getDefiningOp<math::AbsFOp>();
  if (abs)
    vector = abs.getOperand();
  auto wait = vector.getDefiningOp<WaitLoadOp>();
  if (!kind || !wait)
    return std::nullopt;
  unsigned number = cast<OpResult>(vector).getResultNumber();
  auto load = wait.getPending()[number].getDefiningOp<LoadOp>();
  if (!load || !load.getResult().hasOneUse() || !canReduce(load) ||
      !LoadReduceOp::isLegalKind(
          *kind, abs != nullptr,
          cast<VectorType>(vector.getType()).getElementType()))
    return std::nullopt;
  return Candidate{load, wait, *kind, abs != nullptr};
}

static LoadReduceOp createLoadReduce(OpBuilder &builder,
                                     const Candidate &candidate) {
  LoadOp load = candidate.load;
  builder.setInsertionPoint(load);
  auto &plan = std::get<TransferPlan>(load.getPlan());
  auto reduced = VectorType::get({int64_t(plan.issues.size())},
                                 load.getVectorType().getElementType());
  auto result = LoadReduceOp::create(
      builder, load.getLoc(), load.getResult().getType(),
      PendingType::get(builder.getContext(), reduced), candidate.kind,
      candidate.abs, load.getView(), load.getRegistersAttr(),
      load.getAtomAttr(), load.getScope());
  result->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  load.getResult().replaceAllUsesWith(result.getResult());
  load.erase();
  return result;
}

/// The wait with one operand more, and what it gives for it.
static Value addToWait(OpBuilder &builder, WaitLoadOp wait, Value pending) {
  builder.setInsertionPoint(wait);
  SmallVector<Value> operands(wait.getPending());
  operands.push_back(pending);
  auto result = WaitLoadOp::create(builder, wait.getLoc(), operands);
  result->setDiscardableAttrs(wait->getDiscardableAttrDictionary());
  wait->replaceAllUsesWith(result.getVectors().drop_back());
  wait.erase();
  return result.getVectors().back();
}

/// What is left to do is to put the partial results together.
static void fold(vector::ReductionOp op, const Candidate &candidate) {
  OpBuilder builder(op.getContext());
  LoadReduceOp load = createLoadReduce(builder, candidate);
  Value reduced = addToWait(builder, candidate.wait, load.getReduced());
  op.getVectorMutable().assign(reduced);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether every chip that the operation is compiled for has ld.red. A chip
/// that is not known, or has no TMEM, is for other passes to report.
static bool hasLoadReduce(Operation *op, StringRef chip) {
  auto has = [](StringRef name) {
    const Chip *row = findChip(name);
    return row && row->hasLoadReduce;
  };
  if (!chip.empty())
    return has(chip);
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (!module || !module.getTargetsAttr())
    return false;
  return llvm::all_of(module.getTargetsAttr(), [&](Attribute attr) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
    return target && has(target.getChip());
  });
}

namespace {
struct FoldLoadReducePass
    : public mlir::tmem::impl::TMemFoldLoadReduceBase<FoldLoadReducePass> {
  using TMemFoldLoadReduceBase::TMemFoldLoadReduceBase;

  void runOnOperation() override {
    getOperation()->walk([&](vector::ReductionOp op) {
      std::optional<Candidate> candidate = findCandidate(op);
      if (candidate && hasLoadReduce(op, chip))
        fold(op, *candidate);
    });
  }
};
} // namespace
