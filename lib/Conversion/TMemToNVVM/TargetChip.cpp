//===- TargetChip.cpp - Checks against the chip ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem;

static LogicalResult verifyColumnsOnChip(Operation *op, int64_t columns,
                                         int64_t available, const Chip &chip) {
  if (columns <= available)
    return success();
  return emitViolation([&] { return op->emitOpError(); }, Rule::X2,
                       "expected at most " + Twine(available) + " columns on " +
                           chip.name + ", but got " + Twine(columns));
}

/// Rule X4.
static LogicalResult verifyLoadReduceOnChip(LoadReduceOp op, const Chip &chip) {
  if (chip.hasLoadReduce)
    return success();
  SmallVector<StringRef> names;
  for (const Chip &other : getChips())
    if (other.hasLoadReduce)
      names.push_back(other.name);
  return emitViolation([&] { return op.emitOpError(); }, Rule::X4,
                       "expected a chip of " + llvm::join(names, ", ") +
                           ", but got " + chip.name);
}

/// The columns of an allocation or of what frees one.
template <typename OpTy>
static LogicalResult verifyAllocationOnChip(OpTy op, const Chip &chip) {
  return verifyColumnsOnChip(
      op, op.getConstantColumns().value_or(0),
      op.getExclusive() ? chip.exclusiveColumns : chip.columns, chip);
}

static LogicalResult verifyOnChip(Operation *op, const Chip &chip) {
  if (auto load = dyn_cast<LoadReduceOp>(op))
    if (failed(verifyLoadReduceOnChip(load, chip)))
      return failure();
  if (auto alloc = dyn_cast<AllocOp>(op))
    return verifyAllocationOnChip(alloc, chip);
  if (auto dealloc = dyn_cast<DeallocOp>(op))
    return verifyAllocationOnChip(dealloc, chip);
  if (auto transfer = dyn_cast<TransferOpInterface>(op))
    for (Value view : transfer.getViews())
      if (failed(verifyColumnsOnChip(
              op, cast<ViewType>(view.getType()).getNumColumns(),
              chip.exclusiveColumns, chip)))
        return failure();
  return success();
}

/// Only what is selected has a plan.
static LogicalResult verifySelected(TransferOpInterface op) {
  if (op.isSelected())
    return success();
  return op->emitOpError("expected ")
         << (op.getRegistersAttr() ? "an atom"
             : op.getAtomAttr()    ? "registers"
                                   : "registers and an atom")
         << ", but got none: run tmem-select-atoms first";
}

/// Rule X3: the block that a kernel states has the warps of the scope.
static LogicalResult verifyBlockSize(TransferOpInterface op) {
  ArrayRef<int32_t> size = getBlockSize(getThreadRoot(op));
  auto *plan = std::get_if<TransferPlan>(&op.getPlan());
  if (size.empty() || !plan)
    return success();
  int64_t threads = 1;
  for (int32_t extent : size)
    threads *= extent;
  Scope scope = op.getScope().getScope();
  int64_t needed = 32 * int64_t(scope.warp + plan->numWarps);
  bool isCTA = scope.kind == ScopeKind::CTA;
  if (isCTA ? threads == needed : threads >= needed)
    return success();
  return emitViolation([&] { return op->emitOpError(); }, Rule::X3,
                       (isCTA ? "expected a block of " : "expected at least ") +
                           Twine(needed) + " threads for its scope, but got " +
                           Twine(threads));
}

/// What verifiers leave to the lowering and the chip plays no part in.
static LogicalResult verifyOnAnyChip(Operation *op) {
  if (auto alloc = dyn_cast<AllocOp>(op))
    return alloc.verifyConstantColumns();
  if (auto dealloc = dyn_cast<DeallocOp>(op))
    return dealloc.verifyConstantColumns();
  if (auto transfer = dyn_cast<TransferOpInterface>(op))
    return success(succeeded(verifySelected(transfer)) &&
                   succeeded(verifyBlockSize(transfer)));
  return success();
}

LogicalResult mlir::tmem::verifyOnChip(Operation *op, const Chip *chip) {
  if (failed(verifyOnAnyChip(op)))
    return failure();
  if (chip)
    return ::verifyOnChip(op, *chip);
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (!module || !module.getTargetsAttr())
    return success();
  for (Attribute attr : module.getTargetsAttr()) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
    if (!target)
      continue;
    const Chip *found = findChip(target.getChip());
    if (!found)
      return emitViolation([&] { return op->emitOpError(); }, Rule::X1,
                           "expected a target of " + getChipNames() +
                               ", but got " + target.getChip());
    if (failed(::verifyOnChip(op, *found)))
      return failure();
  }
  return success();
}
