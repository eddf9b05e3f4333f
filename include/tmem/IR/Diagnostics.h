//===- Diagnostics.h - Diagnostics that name their rule ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_DIAGNOSTICS_H
#define TMEM_IR_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "tmem/Layout/Rules.h"

namespace mlir::tmem {

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Emits `message` through `emitError`, with the rule's id and text in a note,
/// after one with `advice` if there is any.
LogicalResult emitViolation(EmitError emitError, Rule rule,
                            const llvm::Twine &message,
                            const llvm::Twine &advice = {});
LogicalResult emitViolation(EmitError emitError, const Violation &violation);

} // namespace mlir::tmem

#endif // TMEM_IR_DIAGNOSTICS_H
