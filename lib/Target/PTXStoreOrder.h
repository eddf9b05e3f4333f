//===- PTXStoreOrder.h - Loads of cells that stores write -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXSTOREORDER_H
#define TMEM_LIB_TARGET_PTXSTOREORDER_H

#include "PTXWaits.h"
#include "tmem/Target/PTXLint.h"

namespace mlir::tmem::ptx {

/// Adds a fault for each load of cells that, on some path, a store of the same
/// thread writes with no `tcgen05.wait::st` between. Both addresses have to be
/// known to differ by a constant: there is no false alarm, but there are loads
/// that are not found.
void findUnorderedLoads(const PTXFunction &function, const Waits &waits,
                        PTXLintResult &result);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXSTOREORDER_H
