//===- Diagnostics.cpp - Diagnostics that name their rule -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tmem;

LogicalResult mlir::tmem::emitViolation(EmitError emitError, Rule rule,
                                        const llvm::Twine &message,
                                        const llvm::Twine &advice) {
  InFlightDiagnostic diag = emitError();
  // A caller that only asks, not reports, passes an inactive diagnostic.
  Diagnostic *active = diag.getUnderlyingDiagnostic();
  if (!active)
    return failure();
  *active << message;
  if (std::string note = advice.str(); !note.empty())
    active->attachNote() << note;
  active->attachNote() << "rule " << getRuleId(rule) << ": "
                       << getRuleText(rule);
  return failure();
}

LogicalResult mlir::tmem::emitViolation(EmitError emitError,
                                        const Violation &violation) {
  return emitViolation(emitError, violation.rule, violation.message);
}
