//===- TMemToLLVMIR.h - tmem attributes to LLVM IR --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_LLVMIR_TMEMTOLLVMIR_H
#define TMEM_TARGET_LLVMIR_TMEMTOLLVMIR_H

namespace mlir {
class DialectRegistry;

namespace tmem {

/// Makes the translation to LLVM IR mark inline assembly convergent that
/// carries `tmem.convergent`.
void registerTMemDialectTranslation(DialectRegistry &registry);

} // namespace tmem
} // namespace mlir

#endif // TMEM_TARGET_LLVMIR_TMEMTOLLVMIR_H
