//===- TransferVerification.h - What transfers have in common ---*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_TRANSFERVERIFICATION_H
#define TMEM_LIB_IR_TRANSFERVERIFICATION_H

#include "tmem/IR/TMemOps.h"

namespace mlir::tmem {

/// The rules of a transfer of one view: of its vector, its registers, its plan
/// where it is selected, and of the uses of its first result.
LogicalResult verifyTransfer(TransferOpInterface op);

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_TRANSFERVERIFICATION_H
