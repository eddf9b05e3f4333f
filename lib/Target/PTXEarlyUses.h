//===- PTXEarlyUses.h - Registers used before their wait --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXEARLYUSES_H
#define TMEM_LIB_TARGET_PTXEARLYUSES_H

#include "PTXWaits.h"
#include "tmem/Target/PTXLint.h"

namespace mlir::tmem::ptx {

/// Adds the faults and the remarks of one function.
void findEarlyUses(const PTXFunction &function, const Waits &waits,
                   PTXLintResult &result);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXEARLYUSES_H
