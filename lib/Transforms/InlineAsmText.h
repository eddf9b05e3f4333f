//===- InlineAsmText.h - What LLVM takes as inline assembly -----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_INLINEASMTEXT_H
#define TMEM_LIB_TRANSFORMS_INLINEASMTEXT_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace llvm {
class FunctionType;
} // namespace llvm

namespace mlir::tmem {

/// Why LLVM would not take inline assembly: constraints that do not fit the
/// types, or that NVPTX does not know (LLVM, NVPTXTargetLowering), and operands
/// that the text names but has not (LLVM Language Reference, "Inline Assembler
/// Expressions"). Empty when nothing is wrong.
std::string verifyInlineAsm(StringRef text, StringRef constraints,
                            llvm::FunctionType &type, bool isDevice);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_INLINEASMTEXT_H
