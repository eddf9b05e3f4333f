//===- Wording.h - Numbers in messages --------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_WORDING_H
#define TMEM_LAYOUT_WORDING_H

#include "tmem/Layout/Layout.h"

namespace mlir::tmem {

/// "1 issue", "2 issues": a number of what `noun` names.
std::string describeCount(int64_t number, llvm::StringRef noun);

/// "64x128".
std::string describeShape(llvm::ArrayRef<int64_t> shape);

/// "0 to 31, 64, 66": numbers in runs that go up by one. What is behind
/// `maxRuns` of them is "...".
std::string describeRuns(llvm::ArrayRef<unsigned> numbers,
                         unsigned maxRuns = ~0u);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_WORDING_H
