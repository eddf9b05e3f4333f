//===- TargetOptions.h - Options that passes share --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TARGETOPTIONS_H
#define TMEM_LIB_TRANSFORMS_TARGETOPTIONS_H

#include "mlir/IR/Operation.h"
#include <string>

namespace mlir::tmem {
struct Chip;

/// What LLVM compiles for to get code for the chip, for messages: "sm_100a", or
/// "sm_103f (for sm_107a)".
std::string describeLLVMTarget(const Chip &chip);

/// Checks the options that name what to compile to; `op` is where errors go. An
/// empty chip stands for whatever the targets say. Rule X1.
LogicalResult verifyTargetOptions(Operation *op, StringRef chip,
                                  StringRef format, unsigned optLevel);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TARGETOPTIONS_H
