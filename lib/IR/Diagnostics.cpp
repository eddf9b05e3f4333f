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
                                        const llvm::Twine &message) {
  InFlightDiagnostic diag = emitError();
  diag << message;
  // A caller that only asks, not reports, passes an inactive diagnostic.
  if (Diagnostic *active = diag.getUnderlyingDiagnostic())
    active->attachNote() << "rule " << getRuleId(rule) << ": "
                         << getRuleText(rule);
  return failure();
}

LogicalResult mlir::tmem::emitViolation(EmitError emitError,
                                        const Violation &violation) {
  return emitViolation(emitError, violation.rule, violation.message);
}
