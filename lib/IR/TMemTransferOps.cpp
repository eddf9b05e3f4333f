//===- TMemTransferOps.cpp - Loads and stores -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InFlightValues.h"
#include "TransferVerifiers.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/IR/ViewUtils.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyVector(TransferOpInterface op) {
  VectorType vector = op.getVectorType();
  Type element =
      cast<ViewType>(op.getViews().front().getType()).getElementType();
  auto emitError = [&] { return op->emitOpError(); };
  if (vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != element)
    return emitViolation(emitError, Rule::R5,
                         "expected a vector of one dimension of " +
                             llvm::to_string(element) + ", but got " +
                             llvm::to_string(vector));
  // Planning has an order of its own for what registers break.
  if (op.getRegistersAttr())
    return success();
  return verifyVectorSize(vector.getDimSize(0), *getElementBitWidth(element),
                          emitError);
}

/// The register layout may be another dialect's: ask it with diagnostics on.
static LogicalResult verifyRegisters(TransferOpInterface op) {
  LayoutAttrInterface registers = op.getRegistersAttr();
  if (!registers)
    return success();
  auto view = cast<ViewType>(op.getViews().front().getType());
  return expandLayout(registers, op.getTileShape(), view.getElementType(),
                      [&] { return op->emitOpError(); });
}

/// What can be said of a transfer that leaves something to tmem-select-atoms.
/// That nothing is legal is for the pass to say.
static LogicalResult verifyUnselected(TransferOpInterface op) {
  if (std::optional<Violation> violation = findViolation(op))
    return emitViolation([&] { return op->emitOpError(); }, *violation);
  return success();
}

static LogicalResult verifyPlan(TransferOpInterface op) {
  if (!op.isSelected())
    return verifyUnselected(op);
  if (auto *violation = std::get_if<Violation>(&op.getPlan()))
    return emitViolation([&] { return op->emitOpError(); }, violation->rule,
                         violation->message,
                         describeAlternative(op, violation->rule));
  return success();
}

/// Rule P1 for what a transfer leaves in flight; a vector may go anywhere.
static LogicalResult verifyResultUses(TransferOpInterface op) {
  if (op->getNumResults() == 0 || !isInFlightType(op->getResult(0).getType()))
    return success();
  return verifyInFlightUses(op->getResult(0));
}

LogicalResult mlir::tmem::verifyTransfer(TransferOpInterface op) {
  return success(succeeded(verifyVector(op)) &&
                 succeeded(verifyRegisters(op)) && succeeded(verifyPlan(op)) &&
                 succeeded(verifyResultUses(op)));
}

/// Rules A4 and S1: what the two views of a split transfer have in common.
static LogicalResult verifySplitViews(TransferOpInterface op) {
  auto emitError = [&] { return op->emitOpError(); };
  SmallVector<Value, 2> views = op.getViews();
  auto low = cast<ViewType>(views[0].getType());
  auto high = cast<ViewType>(views[1].getType());
  if (AtomAttr atom = op.getAtomAttr();
      atom && atom.getShape() != AtomShape::S16x32bx2)
    return emitViolation(emitError, Rule::A4,
                         "expected the shape 16x32bx2, but got " +
                             stringifyAtomShape(atom.getShape()));
  if (low.getShape() != high.getShape() ||
      low.getElementType() != high.getElementType())
    return emitViolation(emitError, Rule::S1,
                         "expected two views of one shape and element type, "
                         "but got " +
                             llvm::to_string(low) + " and " +
                             llvm::to_string(high));
  if (!haveSameBase(views[0], views[1]))
    return emitViolation(emitError, Rule::S1,
                         "expected two windows of one base address, but got "
                         "views that need not share one");
  return success();
}

LogicalResult mlir::tmem::verifySplitTransfer(TransferOpInterface op) {
  auto emitError = [&] { return op->emitOpError(); };
  if (failed(verifySplitViews(op)) || failed(verifyVector(op)) ||
      failed(verifyRegisters(op)) || failed(verifyResultUses(op)))
    return failure();
  if (!op.isSelected())
    return verifyUnselected(op);
  // Whether there is a plan at all comes first, then whether it has the
  // immediate.
  const PlanResult &derived = getTransferPlan(op, std::nullopt);
  if (auto *violation = std::get_if<Violation>(&derived))
    return emitViolation(emitError, *violation);
  if (std::holds_alternative<Violation>(op.getPlan()))
    return emitViolation(
        emitError, Rule::S3,
        "expected the immediate " +
            Twine(std::get<TransferPlan>(derived).getSplitImmediate()) +
            " for these views, but got " + Twine(*op.getSplitImmediate()));
  return success();
}

//===----------------------------------------------------------------------===//
// LoadOp, LoadSplitOp
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() { return verifyTransfer(*this); }
SmallVector<Value, 2> LoadOp::getViews() { return {getView()}; }
VectorType LoadOp::getVectorType() {
  return getResult().getType().getPayload();
}
Direction LoadOp::getDirection() { return Direction::Load; }

void LoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pending");
}

LogicalResult LoadSplitOp::verify() { return verifySplitTransfer(*this); }
SmallVector<Value, 2> LoadSplitOp::getViews() { return {getLow(), getHigh()}; }
VectorType LoadSplitOp::getVectorType() {
  return getResult().getType().getPayload();
}
Direction LoadSplitOp::getDirection() { return Direction::Load; }
std::optional<int64_t> LoadSplitOp::getSplitImmediate() {
  return getImmediate();
}

void LoadSplitOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pending");
}

//===----------------------------------------------------------------------===//
// StoreOp, StoreSplitOp
//===----------------------------------------------------------------------===//

LogicalResult StoreOp::verify() { return verifyTransfer(*this); }
SmallVector<Value, 2> StoreOp::getViews() { return {getView()}; }
VectorType StoreOp::getVectorType() {
  return cast<VectorType>(getSource().getType());
}
Direction StoreOp::getDirection() { return Direction::Store; }

void StoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getToken(), "token");
}

LogicalResult StoreSplitOp::verify() { return verifySplitTransfer(*this); }
SmallVector<Value, 2> StoreSplitOp::getViews() { return {getLow(), getHigh()}; }
VectorType StoreSplitOp::getVectorType() {
  return cast<VectorType>(getSource().getType());
}
Direction StoreSplitOp::getDirection() { return Direction::Store; }
std::optional<int64_t> StoreSplitOp::getSplitImmediate() {
  return getImmediate();
}

void StoreSplitOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getToken(), "token");
}
