//===- SelectionRemarks.cpp - What tmem-select-atoms says -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectionRemarks.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::tmem;

static std::string describeCost(const TransferCost &cost) {
  return describeCount(cost.issues, "issue") + ", " +
         describeCount(cost.moves, "move") + ", " +
         describeCount(cost.registers, "register");
}

static void attachReasons(Diagnostic &diag, ArrayRef<SelectionReason> reasons) {
  for (const auto &group : groupReasons(reasons)) {
    const SelectionReason &reason = *group.front();
    Diagnostic &note = diag.attachNote();
    note << describeAtoms(group, reasons.size()) << ": " << reason.message;
    if (reason.rule)
      note << " (rule " << getRuleId(*reason.rule) << ")";
  }
}

void mlir::tmem::emitNothingLegal(TransferOpInterface op,
                                  ArrayRef<SelectionReason> reasons) {
  InFlightDiagnostic diag = op->emitOpError();
  diag << "expected a tile that an atom moves";
  if (op.getRegistersAttr())
    diag << " to its registers";
  diag << ", but got one that none does";
  attachReasons(*diag.getUnderlyingDiagnostic(), reasons);
}

void mlir::tmem::emitNoVectorSize(TransferOpInterface op,
                                  ArrayRef<InferredCandidate> candidates) {
  InFlightDiagnostic diag = op->emitOpError();
  std::set<int64_t> sizes;
  for (const InferredCandidate &candidate : candidates)
    sizes.insert(candidate.registers.vectorSize);
  diag << "expected a vector of ";
  llvm::interleave(
      sizes, [&](int64_t size) { diag << size; }, [&] { diag << " or "; });
  diag << " elements, but got " << op.getVectorType().getDimSize(0);
  for (const InferredCandidate &candidate : candidates)
    diag.attachNote() << describeAtom(candidate.choice.atom) << ": "
                      << describeCount(candidate.registers.vectorSize,
                                       "element")
                      << " in each thread";
}

void mlir::tmem::emitNoMeeting(TransferOpInterface op,
                               TransferOpInterface other, LayoutAttr registers,
                               ArrayRef<SelectionReason> reasons) {
  InFlightDiagnostic diag = op->emitOpError();
  diag << "expected one register layout for all tiles whose vectors meet, but "
          "got none that is legal";
  Diagnostic &active = *diag.getUnderlyingDiagnostic();
  active.attachNote(other->getLoc())
      << "with the registers " << Attribute(registers) << " of this transfer:";
  attachReasons(active, reasons);
}

void mlir::tmem::emitOtherRegisters(TransferOpInterface op,
                                    TransferOpInterface other) {
  InFlightDiagnostic diag = emitRemark(op->getLoc());
  diag << "names other registers than a load whose vector meets this one's: "
          "elements of different places of the tiles are combined";
  diag.attachNote(other->getLoc())
      << "the other load, with " << Attribute(other.getRegistersAttr())
      << " instead of " << Attribute(op.getRegistersAttr());
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

// Nobody reads more, and 128 of them would hide the rest.
static constexpr unsigned maxRuns = 8;

static void attachIssues(Diagnostic &diag, const Explanation &explanation) {
  const TransferPlan &plan = explanation.choice.plan;
  for (const Issue &issue : plan.issues) {
    Diagnostic &note = diag.attachNote();
    note << stringifyAtomShape(plan.shape) << ".x" << issue.repeat << ": half "
         << issue.half << ", column " << issue.column + explanation.columns
         << ", " << (issue.words.size() == 1 ? "register " : "registers ")
         << describeRuns(issue.words, maxRuns);
  }
  if (plan.shape == AtomShape::S16x32bx2)
    diag.attachNote() << "second access: "
                      << describeCount(plan.split.lane, "lane") << " and "
                      << describeCount(plan.split.column, "column")
                      << " after the first";
  if (plan.columnsPerWarpgroup != 0)
    diag.attachNote() << "next warpgroup: "
                      << describeCount(plan.columnsPerWarpgroup, "column")
                      << " after the one before";
}

static void attachRegisters(Diagnostic &diag, const Explanation &explanation,
                            TransferOpInterface op) {
  if (!explanation.registers)
    return;
  TransferOpInterface other = explanation.registersOf;
  Diagnostic &note = other && other != op ? diag.attachNote(other->getLoc())
                                          : diag.attachNote();
  note << "registers " << Attribute(explanation.registers);
  if (other && other != op)
    note << ", as for this transfer, whose vectors meet";
}

void mlir::tmem::emitExplanation(TransferOpInterface op,
                                 const Explanation &explanation) {
  const TransferCost &cost = explanation.choice.cost;
  // Without the operation, which would number its whole function each time.
  InFlightDiagnostic diag = emitRemark(op->getLoc());
  diag << (explanation.namedAtom ? "keeps " : "chose ")
       << describeAtom(explanation.choice.atom) << ": " << describeCost(cost);
  Diagnostic &active = *diag.getUnderlyingDiagnostic();
  attachRegisters(active, explanation, op);
  attachIssues(active, explanation);
  if (const SelectionCandidate *cheaper = explanation.cheaper)
    active.attachNote() << "cheaper: " << describeAtom(cheaper->atom) << ", "
                        << describeCost(cheaper->cost);
  attachReasons(active, explanation.reasons);
}
