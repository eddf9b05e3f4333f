//===- Wording.cpp - Numbers in messages ----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Wording.h"
#include "llvm/ADT/Twine.h"

std::string mlir::tmem::describeCount(int64_t number, llvm::StringRef noun) {
  return (llvm::Twine(number) + " " + noun + (number == 1 ? "" : "s")).str();
}

std::string mlir::tmem::describeShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::string mlir::tmem::describeRuns(llvm::ArrayRef<unsigned> numbers,
                                     unsigned maxRuns) {
  std::string text;
  unsigned runs = 0;
  for (size_t begin = 0, end; begin < numbers.size(); begin = end, ++runs) {
    for (end = begin + 1;
         end < numbers.size() && numbers[end] == numbers[end - 1] + 1;)
      ++end;
    if (runs == maxRuns)
      return text + ", ...";
    text += (begin == 0 ? "" : ", ") + std::to_string(numbers[begin]);
    if (end - begin > 1)
      text += " to " + std::to_string(numbers[end - 1]);
  }
  return text;
}
