//===- CheckTarget.cpp - Whether a target can be compiled for -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemDialect.h"
#include "tmem/Target/Chips.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMCHECKTARGET
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

std::string mlir::tmem::describeLLVMTarget(const Chip &chip) {
  if (chip.isKnownToLLVM())
    return chip.name.str();
  return (chip.llvmTarget + " (for " + chip.name + ")").str();
}

LogicalResult mlir::tmem::verifyTargetOptions(Operation *op, StringRef chip,
                                              StringRef format,
                                              unsigned optLevel) {
  // Without the operation itself, which is a whole module.
  auto emitError = [&] { return mlir::emitError(op->getLoc()); };
  if (format != "isa" && format != "bin")
    return emitError() << "expected the format isa or bin, but got " << format;
  if (optLevel < 1 || optLevel > 3)
    return emitError() << "expected an optimization level from 1 to 3, but got "
                       << optLevel;
  if (chip.empty() || findChip(chip))
    return success();
  return emitViolation(emitError, Rule::X1,
                       "expected a chip of " + getChipNames() + ", but got " +
                           chip);
}

/// Without the operation itself: it may be large.
static InFlightDiagnostic emitModuleError(gpu::GPUModuleOp module) {
  return mlir::emitError(module.getLoc())
         << "'" << module->getName() << "' op @" << module.getSymName() << ": ";
}

static LogicalResult verifyTarget(gpu::GPUModuleOp module,
                                  NVVM::NVVMTargetAttr target,
                                  const Chip *wanted) {
  auto emitError = [&] { return emitModuleError(module); };
  const Chip *chip = findChip(target.getChip());
  if (!chip)
    return emitViolation(emitError, Rule::X1,
                         "expected a target of " + getChipNames() +
                             ", but got " + target.getChip());
  if (wanted && target.getChip() != wanted->llvmTarget)
    return emitError() << "expected the target " << describeLLVMTarget(*wanted)
                       << ", but got " << chip->name;
  if (!chip->isKnownToLLVM())
    return emitError() << "expected a target that LLVM knows, but got "
                       << chip->name;
  if (target.getO() < 1 || target.getO() > 3)
    return emitError() << "expected an optimization level from 1 to 3, but got "
                       << target.getO();
  return success();
}

/// The targets that gpu.modules have already: LLVM compiles for them too, and
/// aborts on chips that it does not know or that lack the instructions.
static LogicalResult verifyModule(gpu::GPUModuleOp module, const Chip *wanted) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!wanted && (!targets || targets.empty()))
    return emitModuleError(module)
           << "expected a chip to compile for or a target, but got neither";
  if (!targets)
    return success();
  for (auto target : targets.getAsRange<Attribute>())
    if (auto nvvmTarget = dyn_cast<NVVM::NVVMTargetAttr>(target))
      if (failed(verifyTarget(module, nvvmTarget, wanted)))
        return failure();
  return success();
}

/// Host code is not compiled here: tmem operations in it would stay as they
/// are, and nobody would notice.
static LogicalResult verifyPlace(Operation *op) {
  if (!isa_and_nonnull<TMemDialect>(op->getDialect()) ||
      op->getParentOfType<gpu::GPUModuleOp>() ||
      op->getParentOfType<gpu::LaunchOp>())
    return success();
  return op->emitOpError("expected to be in a gpu.module or a gpu.launch, but "
                         "got an operation of the host");
}

/// The first type of an operation that is a float of less than 16 bits.
static Type findSmallFloat(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getResultTypes()), TypeRange(op->getOperandTypes())})
    for (Type type : types) {
      auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
      if (element && element.getWidth() < 16)
        return element;
    }
  return {};
}

/// What tmem-convert-float8 makes instructions of.
static bool isConvertible(arith::TruncFOp op) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  auto vector = dyn_cast<VectorType>(op.getType());
  auto rounding = op.getRoundingmode();
  return isa<Float8E4M3FNType, Float8E5M2Type>(
             getElementTypeOrSelf(op.getType())) &&
         (from.isF32() || from.isF16() || from.isBF16()) &&
         (!vector || (vector.getRank() == 1 && !vector.isScalable())) &&
         (!rounding || *rounding == arith::RoundingMode::to_nearest_even);
}

/// LLVM has no floats of 8 bits and less: such an operation would be found when
/// it is translated, in words about interfaces.
static LogicalResult verifyArithmetic(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op))
    return success();
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  Type type = findSmallFloat(op);
  if (!type || (truncation && isConvertible(truncation)) ||
      !(op->getParentOfType<gpu::GPUModuleOp>() ||
        op->getParentOfType<gpu::LaunchOp>()))
    return success();
  InFlightDiagnostic diag = mlir::emitError(op->getLoc())
                            << "'" << op->getName()
                            << "' op expected floats of 16 to 64 bits, but got "
                            << type;
  diag.attachNote()
      << "LLVM has no smaller ones; there are truncations of f32, "
         "f16 and bf16 to f8E4M3FN and f8E5M2, to nearest even, "
         "and the bits as integers";
  return diag;
}

namespace {
struct CheckTargetPass
    : public tmem::impl::TMemCheckTargetBase<CheckTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyTargetOptions(getOperation(), chip, format, optLevel)))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
        return WalkResult(verifyModule(module, findChip(chip)));
      if (failed(verifyArithmetic(op)))
        return WalkResult::interrupt();
      return WalkResult(verifyPlace(op));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
