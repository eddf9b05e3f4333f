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

namespace mlir::tmem {

/// "(wh r) (wl c) -> (wl wh) r c" with its sizes: the factors of the source in
/// order, how many each source and result dimension has, and which factor
/// stands where in the result.
struct RearrangePattern {
  SmallVector<StringRef> names;      ///< Of the source's factors.
  SmallVector<int64_t> sizes;        ///< Of the source's factors.
  SmallVector<unsigned> sourceRanks; ///< Factors of each source dimension.
  SmallVector<unsigned> resultRanks; ///< Factors of each result dimension.
  SmallVector<unsigned> permutation; ///< Source factor of each result factor.

  /// Parses a pattern and resolves the sizes against the source's shape. Rules
  /// E1 and E2. The names point into `text`.
  static FailureOr<RearrangePattern> get(StringRef text, DictionaryAttr sizes,
                                         ArrayRef<int64_t> sourceShape,
                                         EmitError emitError);

  /// This pattern followed by `next`, in factors fine enough for both; nothing
  /// where they split a dimension unevenly.
  std::optional<RearrangePattern> compose(const RearrangePattern &next) const;

  SmallVector<int64_t> getResultShape() const;

  /// The pattern as text with fresh names f0, f1, ... and its sizes.
  std::string getText() const;
  DictionaryAttr getSizes(MLIRContext *context) const;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_REARRANGEPATTERN_H
