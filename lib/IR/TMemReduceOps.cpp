//===- TMemReduceOps.cpp - Loads that reduce ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InFlightValues.h"
#include "TransferVerifiers.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/Selection.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

ArrayRef<AtomShape> LoadReduceOp::getShapes() {
  static constexpr AtomShape shapes[] = {AtomShape::S32x32b,
                                         AtomShape::S16x32bx2};
  return shapes;
}

static bool isFloatKind(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::MinSI:
  case ReduceKind::MinUI:
  case ReduceKind::MaxSI:
  case ReduceKind::MaxUI:
    return false;
  case ReduceKind::MinNumF:
  case ReduceKind::MaxNumF:
  case ReduceKind::MinimumF:
  case ReduceKind::MaximumF:
    return true;
  }
  llvm_unreachable("not a reduction");
}

bool LoadReduceOp::isLegalKind(ReduceKind kind, bool abs, Type element) {
  if (isFloatKind(kind))
    return element.isF32();
  return element.isInteger(32) && !abs;
}

/// Rule Q1.
static LogicalResult verifyKind(LoadReduceOp op) {
  Type element = op.getView().getType().getElementType();
  if (LoadReduceOp::isLegalKind(op.getKind(), op.getAbs(), element))
    return success();
  return emitViolation([&] { return op.emitOpError(); }, Rule::Q1,
                       "expected a reduction of " + llvm::to_string(element) +
                           ", but got " + stringifyReduceKind(op.getKind()) +
                           (op.getAbs() ? " abs" : ""));
}

/// Rule Q2, as far as the atom that is named goes.
static LogicalResult verifyAtom(LoadReduceOp op) {
  AtomAttr atom = op.getAtomAttr();
  if (!atom)
    return success();
  auto emitError = [&] { return op.emitOpError(); };
  if (!llvm::is_contained(LoadReduceOp::getShapes(), atom.getShape()))
    return emitViolation(emitError, Rule::Q2,
                         "expected the shape 32x32b or 16x32bx2, but got " +
                             stringifyAtomShape(atom.getShape()));
  if (atom.getPacking() != Packing::None)
    return emitViolation(emitError, Rule::Q2,
                         "expected no packing, but got " +
                             stringifyPacking(atom.getPacking()));
  return success();
}

/// What the plan says of the instructions: the rest of Q2, and Q3.
static LogicalResult verifyIssues(LoadReduceOp op) {
  auto *plan = std::get_if<TransferPlan>(&op.getPlan());
  if (!plan)
    return success();
  auto emitError = [&] { return op.emitOpError(); };
  for (const Issue &issue : plan->issues)
    if (issue.repeat < 2)
      return emitViolation(emitError, Rule::Q2,
                           "expected instructions from x2 on, but got x1 at "
                           "column " +
                               Twine(issue.column));
  VectorType reduced = op.getReduced().getType().getPayload();
  if (reduced.getDimSize(0) != int64_t(plan->issues.size()))
    return emitViolation(emitError, Rule::Q3,
                         "expected " + Twine(plan->issues.size()) +
                             " reduced values, but got " +
                             Twine(reduced.getDimSize(0)));
  return success();
}

/// Rule Q3, as far as it does not take a plan.
static LogicalResult verifyReduced(LoadReduceOp op) {
  Type element = op.getView().getType().getElementType();
  VectorType reduced = op.getReduced().getType().getPayload();
  if (reduced.getElementType() == element)
    return success();
  return emitViolation([&] { return op.emitOpError(); }, Rule::Q3,
                       "expected reduced values of " +
                           llvm::to_string(element) + ", but got " +
                           llvm::to_string(reduced));
}

LogicalResult LoadReduceOp::verify() {
  if (failed(verifyKind(*this)) || failed(verifyAtom(*this)) ||
      failed(verifyReduced(*this)) || failed(verifyTransfer(*this)))
    return failure();
  if (isSelected() && failed(verifyIssues(*this)))
    return failure();
  return verifyInFlightUses(getReduced());
}

SmallVector<Value, 2> LoadReduceOp::getViews() { return {getView()}; }
VectorType LoadReduceOp::getVectorType() {
  return getResult().getType().getPayload();
}
Direction LoadReduceOp::getDirection() { return Direction::Load; }

void LoadReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pending");
  setName(getReduced(), "reduced");
}
