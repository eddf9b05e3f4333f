//===- RearrangePattern.h - "(wh r) c -> wh r c" ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_REARRANGEPATTERN_H
#define TMEM_LAYOUT_REARRANGEPATTERN_H

#include "tmem/Layout/Rules.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <variant>

namespace mlir::tmem {

/// "(wh r) (wl c) -> (wl wh) r c" with its sizes: the factors of the source in
/// order, how many each source and result dimension has, and which factor
/// stands where in the result.
struct RearrangePattern {
  llvm::SmallVector<llvm::StringRef> names; ///< Of the source's factors.
  llvm::SmallVector<int64_t> sizes;         ///< Of the source's factors.
  llvm::SmallVector<unsigned>
      sourceRanks; ///< Factors of each source dimension.
  llvm::SmallVector<unsigned>
      resultRanks; ///< Factors of each result dimension.
  llvm::SmallVector<unsigned>
      permutation; ///< Source factor of each result one.

  /// Reads a pattern for a source of `numDims` dimensions, all but the sizes.
  /// Rule E1. The names point into `text`.
  static std::variant<RearrangePattern, Violation> parse(llvm::StringRef text,
                                                         size_t numDims);

  /// This pattern followed by `next`, in factors fine enough for both; nothing
  /// where they split a dimension unevenly.
  std::optional<RearrangePattern> compose(const RearrangePattern &next) const;

  llvm::SmallVector<int64_t> getResultShape() const;

  /// The pattern as text with fresh names f0, f1, ...
  std::string getText() const;
};

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_REARRANGEPATTERN_H
