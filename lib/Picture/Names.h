//===- Names.h - Words for sets of numbers ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_NAMES_H
#define TMEM_LIB_PICTURE_NAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::tmem::picture {

/// A set of numbers, as it grows.
class NumberSet {
public:
  void insert(int64_t number) {
    if (numbers.empty() || numbers.back() != number)
      numbers.push_back(number);
  }
  /// Sorts, and drops what is there twice. Wanted before the rest.
  void close();

  const std::vector<int64_t> &get() const { return numbers; }
  bool isEmpty() const { return numbers.empty(); }
  bool isOne() const { return numbers.size() == 1; }

  /// "7", "0–31", "0–1, 8–9", and with many equal runs at equal distances
  /// "0–1, 8–9, …, 56–57". Irregular sets end in "…" after eight runs.
  std::string describe() const;
  /// "lane 7", "lanes 0–31".
  std::string describe(llvm::StringRef noun) const;

private:
  std::vector<int64_t> numbers;
};

/// How many characters a text in UTF-8 has.
size_t countCharacters(llvm::StringRef text);

/// Breaks a text at blanks into lines of at most `width` characters, where
/// words allow it.
llvm::SmallVector<std::string, 4> wrapText(llvm::StringRef text, size_t width);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_NAMES_H
