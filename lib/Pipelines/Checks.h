//===- Checks.h - What programs check as they run ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PIPELINES_CHECKS_H
#define TMEM_LIB_PIPELINES_CHECKS_H

#include "mlir/Pass/Pass.h"

namespace mlir::tmem {

/// In the text of an assertion that no source has, between the name of the
/// operation that it is for and the message: the text is all that is left of
/// it in kernels, where tmemEmuAssertFail takes it apart.
inline constexpr StringLiteral checkedSeparator = "\x1f";

/// A pass that asserts that the indices of memref.load and the like, and of
/// vector.load and vector.store, are those of an element; of a vector in a
/// memref that is contiguous, that its last element is in it, and of others
/// that each dimension of the vector is in the memref's. So it does for masked
/// loads and stores, for gathers and scatters of memory that is contiguous, for
/// what transfers say to be in bounds, and for subviews.
std::unique_ptr<Pass> createCheckBounds();

/// A pass for modules: assertions that fail in functions of func call `handler`
/// with three strings of C, the message, the operation and the file, and with
/// the line and the column, 0 where they are not known.
std::unique_ptr<Pass> createReportHostAssertions(StringRef handler);

/// A pass that takes vector operations apart into those that have a counterpart
/// in LLVM, of any memory space.
std::unique_ptr<Pass> createLowerVectors();

} // namespace mlir::tmem

#endif // TMEM_LIB_PIPELINES_CHECKS_H
