//===- PendingWebs.h - Which pending values share registers -----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops, branches and block arguments join pending values into webs: a loop's
// initial value, its argument, what its body yields and its result are one web.
// In LLVM a web is a web of phis, and phis cost no copies exactly when no two
// of its values are alive at once: then all share one set of registers.
// Otherwise LLVM copies some of them, on edges of its choice, and a copy of
// registers that are still being loaded reads them too early. This finds the
// webs that need no copies; all others have to be waited for wherever a value
// is handed on.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_TMEMTONVVM_PENDINGWEBS_H
#define TMEM_LIB_CONVERSION_TMEMTONVVM_PENDINGWEBS_H

#include "mlir/IR/Operation.h"

namespace mlir::tmem {

/// Looks at the function that `op` is, or is in, unless that has been done, and
/// marks which operands are handed on within webs that need no copies. To be
/// called before anything in the function is converted: webs are seen in the
/// types that conversion replaces. The result stands in the IR, not in a table,
/// since a set of patterns may be used for many functions, at once and one
/// after the other.
void markSharing(Operation *op);

/// True when what takes the value over may do so by a copy. An operand that was
/// never looked at may be copied.
bool mayCopy(OpOperand &operand);

void eraseSharingMarks(Operation *op);

} // namespace mlir::tmem

#endif // TMEM_LIB_CONVERSION_TMEMTONVVM_PENDINGWEBS_H
