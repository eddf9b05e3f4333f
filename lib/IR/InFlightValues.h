//===- InFlightValues.h - Where pending values and tokens go ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_INFLIGHTVALUES_H
#define TMEM_LIB_IR_INFLIGHTVALUES_H

#include "mlir/IR/Operation.h"

namespace mlir::tmem {

/// Follows a pending value or token through the operations that may carry it.
/// Rule P1: reports, at the operation that defines the value, a use
/// that the lowering has no way to carry.
LogicalResult verifyInFlightUses(Value value);

/// Of the values that are handed to `value`, the first one of those that are
/// the fewest steps behind a transfer. Null when there is none near enough. The
/// operations that hand it on may not have been verified.
Value getNearestSource(Value value);

/// Rule P1 from the other end: a wait takes what a transfer or a carrier gives.
LogicalResult verifyInFlightOperand(OpOperand &operand);

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_INFLIGHTVALUES_H
