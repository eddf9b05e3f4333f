//===- TransferVerifiers.h - What all transfers verify ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_TRANSFERVERIFIERS_H
#define TMEM_LIB_IR_TRANSFERVERIFIERS_H

#include "tmem/IR/TMemOps.h"

namespace mlir::tmem {

/// Rules R, A and T of a transfer of one view, and P1 where its result is in
/// flight.
LogicalResult verifyTransfer(TransferOpInterface op);

/// The same of a split transfer, and rules S.
LogicalResult verifySplitTransfer(TransferOpInterface op);

/// What to name instead of the atom of a transfer, which breaks `rule`; empty
/// if that is not about where elements are.
std::string describeAlternative(TransferOpInterface op, Rule rule);

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_TRANSFERVERIFIERS_H
