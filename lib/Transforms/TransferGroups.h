//===- TransferGroups.h - Transfers whose vectors meet ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise operation does not move elements between threads or slots. So
// tiles that meet in one have to have one register layout, and so does a tile
// that is loaded and stored again with nothing but such operations between.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TRANSFERGROUPS_H
#define TMEM_LIB_TRANSFORMS_TRANSFERGROUPS_H

#include "tmem/IR/TMemOps.h"

namespace mlir::tmem {

/// Transfers that want one register layout, in the order of the program.
using TransferGroup = SmallVector<TransferOpInterface, 2>;

/// All transfers in `root`, grouped. Values are followed through waits,
/// elementwise operations, bitcasts, branches and regions, and not through
/// vectors that have the same element in every slot. Only tiles of one size,
/// scope and vector can have one layout, so a group has no others. Takes linear
/// time.
SmallVector<TransferGroup, 0> findTransferGroups(Operation *root);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TRANSFERGROUPS_H
