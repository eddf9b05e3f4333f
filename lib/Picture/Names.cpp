//===- Names.cpp - Words for sets of numbers ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem::picture;

void NumberSet::close() {
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
}

namespace {
struct Run {
  int64_t first, last;

  std::string describe() const {
    std::string text = std::to_string(first);
    return first == last ? text : text + "–" + std::to_string(last);
  }
};
} // namespace

static std::vector<Run> getRuns(const std::vector<int64_t> &numbers) {
  std::vector<Run> runs;
  for (int64_t number : numbers)
    if (!runs.empty() && runs.back().last + 1 == number)
      runs.back().last = number;
    else
      runs.push_back({number, number});
  return runs;
}

/// Equal runs at equal distances?
static bool isRegular(const std::vector<Run> &runs) {
  for (size_t i = 1; i < runs.size(); ++i)
    if (runs[i].last - runs[i].first != runs[0].last - runs[0].first ||
        runs[i].first - runs[i - 1].first != runs[1].first - runs[0].first)
      return false;
  return true;
}

std::string NumberSet::describe() const {
  std::vector<Run> runs = getRuns(numbers);
  bool isShortened = runs.size() > 4 && isRegular(runs);
  size_t shown = isShortened ? 2 : std::min<size_t>(runs.size(), 8);
  std::string text;
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : ", ") + runs[i].describe();
  if (isShortened)
    return text + ", …, " + runs.back().describe();
  return shown < runs.size() ? text + ", …" : text;
}

std::string NumberSet::describe(llvm::StringRef noun) const {
  return (noun + (isOne() ? " " : "s ") + describe()).str();
}

size_t mlir::tmem::picture::countCharacters(llvm::StringRef text) {
  return llvm::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

llvm::SmallVector<std::string, 4>
mlir::tmem::picture::wrapText(llvm::StringRef text, size_t width) {
  llvm::SmallVector<llvm::StringRef, 32> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<std::string, 4> lines;
  for (llvm::StringRef word : words) {
    if (!lines.empty() &&
        countCharacters(lines.back()) + 1 + countCharacters(word) <= width)
      lines.back() += " " + word.str();
    else
      lines.push_back(word.str());
  }
  return lines;
}
