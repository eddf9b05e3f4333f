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
#include "llvm/ADT/DenseSet.h"

namespace mlir::tmem {

class PendingWebs {
public:
  /// Looks at the function that `op` is, or is in, unless that has been done.
  /// To be called before anything in the function is converted: webs are seen
  /// in the types that conversion replaces.
  void analyze(Operation *op);

  /// True when what takes the value over may do so by a copy. An operand that
  /// was never seen may be copied.
  bool mayCopy(OpOperand &operand) const { return !sharing.contains(&operand); }

private:
  DenseSet<OpOperand *> sharing;
  DenseSet<Operation *> seen;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_CONVERSION_TMEMTONVVM_PENDINGWEBS_H
