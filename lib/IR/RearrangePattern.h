//===- RearrangePattern.h - The pattern of tmem.rearrange -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_REARRANGEPATTERN_H
#define TMEM_LIB_IR_REARRANGEPATTERN_H

#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemTypes.h"
#include "tmem/Layout/RearrangePattern.h"

namespace mlir::tmem {

/// Parses the pattern of an operation and resolves its sizes against the
/// source's shape. Rules E1 and E2. The names point into `text`.
FailureOr<RearrangePattern> getRearrangePattern(StringRef text,
                                                DictionaryAttr sizes,
                                                ArrayRef<int64_t> sourceShape,
                                                EmitError emitError);

/// The sizes of a pattern by the names that its getText() has.
DictionaryAttr getSizesAttr(const RearrangePattern &pattern,
                            MLIRContext *context);

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_REARRANGEPATTERN_H
