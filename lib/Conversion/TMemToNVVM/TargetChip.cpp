//===- TargetChip.cpp - Checks against the chip ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "tmem/IR/Diagnostics.h"

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

/// The columns of an allocation or of what frees one.
template <typename OpTy>
static LogicalResult verifyAllocationOnChip(OpTy op, const Chip &chip) {
  APInt value;
  int64_t columns = 0;
  if (op.getStaticColumns())
    columns = *op.getStaticColumns();
  else if (matchPattern(op.getColumns(), m_ConstantInt(&value)))
    columns = value.getSExtValue();
  return verifyColumnsOnChip(
      op, columns, op.getExclusive() ? chip.exclusiveColumns : chip.columns,
      chip);
}

static LogicalResult verifyColumnsOnChip(Operation *op, const Chip &chip) {
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

LogicalResult mlir::tmem::verifyOnChip(Operation *op, const Chip *chip) {
  if (chip)
    return verifyColumnsOnChip(op, *chip);
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
    if (failed(verifyColumnsOnChip(op, *found)))
      return failure();
  }
  return success();
}
