//===- AssemblyEffects.h - What inline assembly does ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR takes `llvm.inline_asm` without `has_side_effects` for pure. LLVM leaves
// it in its place among accesses to memory if it clobbers "~{memory}", and what
// it tells other threads it tells in any case.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_ASSEMBLYEFFECTS_H
#define TMEM_IR_ASSEMBLYEFFECTS_H

#include "mlir/IR/Operation.h"

namespace mlir::tmem {

/// Whether the operation is inline assembly that has effects, stated or not: by
/// `has_side_effects`, by its clobber "~{memory}" (LLVM Language Reference,
/// "Clobber constraints"), or by an instruction that synchronizes threads,
/// changes what other threads see at once, or is one of Tensor Memory.
bool hasAssemblyEffects(Operation *op);

/// Whether neither the operation nor anything in its regions has effects on
/// memory: as MLIR says, but for the assembly above.
bool isFreeOfEffects(Operation *op);

} // namespace mlir::tmem

#endif // TMEM_IR_ASSEMBLYEFFECTS_H
