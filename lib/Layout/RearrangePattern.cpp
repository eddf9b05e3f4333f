//===- RearrangePattern.cpp - "(wh r) c -> wh r c" ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/RearrangePattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::tmem;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
using Side = llvm::SmallVector<llvm::SmallVector<StringRef>>;
} // namespace

/// Violations are returned through `error`; the functions are true on success.
static bool fail(std::optional<Violation> &error, const Twine &message) {
  error = Violation{Rule::E1, message.str()};
  return false;
}

/// Splits off the next parenthesis or name; empty at the end.
static bool lexToken(StringRef &text, StringRef &token,
                     std::optional<Violation> &error) {
  text = text.ltrim();
  token = "";
  if (text.empty())
    return true;
  size_t length = 1;
  if (text.front() != '(' && text.front() != ')') {
    length = std::min(
        text.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; }),
        text.size());
    if (length == 0 || llvm::isDigit(text.front()))
      return fail(error, "expected a name or a parenthesis, but got \"" +
                             text.take_front() + "\"");
  }
  token = text.take_front(length);
  text = text.drop_front(length);
  return true;
}

/// `a (b c) d`: one group of names for each dimension.
static bool parseSide(StringRef text, Side &side,
                      std::optional<Violation> &error) {
  bool inGroup = false;
  while (true) {
    StringRef token;
    if (!lexToken(text, token, error))
      return false;
    if (token.empty())
      break;
    bool opens = token == "(", closes = token == ")";
    if (opens ? inGroup : closes && !inGroup)
      return fail(error, "expected balanced parentheses, not "
                         "nested, but got a stray \"" +
                             token + "\"");
    if (!closes && !inGroup)
      side.emplace_back();
    if (!opens && !closes)
      side.back().push_back(token);
    inGroup = opens || (inGroup && !closes);
  }
  return !inGroup || fail(error, "expected a closing parenthesis");
}

/// Fills names and ranks of both sides; the permutation goes by name. Rule E1.
static bool matchSides(const Side &source, const Side &result,
                       RearrangePattern &pattern,
                       std::optional<Violation> &error) {
  // The factors that the result has not placed yet.
  llvm::StringMap<unsigned> unplaced;
  for (const auto &group : source) {
    pattern.sourceRanks.push_back(group.size());
    for (StringRef name : group) {
      if (!unplaced.try_emplace(name, pattern.names.size()).second)
        return fail(error, "expected each name once a side, but got " + name +
                               " again");
      pattern.names.push_back(name);
    }
  }
  for (const auto &group : result) {
    pattern.resultRanks.push_back(group.size());
    for (StringRef name : group) {
      auto it = unplaced.find(name);
      if (it == unplaced.end())
        return fail(error, "expected the names of the left side, each "
                           "once, but got " +
                               name);
      pattern.permutation.push_back(it->second);
      unplaced.erase(it);
    }
  }
  for (StringRef name : pattern.names)
    if (unplaced.contains(name))
      return fail(error, "expected " + name + " on the right side too");
  return true;
}

std::variant<RearrangePattern, Violation>
RearrangePattern::parse(StringRef text, size_t numDims) {
  std::optional<Violation> error;
  auto [left, right] = text.split("->");
  if (left.size() == text.size())
    return Violation{Rule::E1, "expected \"->\" in the pattern"};
  Side source, result;
  RearrangePattern pattern;
  if (!parseSide(left, source, error) || !parseSide(right, result, error) ||
      !matchSides(source, result, pattern, error))
    return *error;
  if (source.size() == numDims && !result.empty())
    return pattern;
  fail(error, "expected " + Twine(numDims) +
                  " dimensions on the left side and at least one "
                  "on the right, but got " +
                  Twine(source.size()) + " and " + Twine(result.size()));
  return *error;
}

llvm::SmallVector<int64_t> RearrangePattern::getResultShape() const {
  llvm::SmallVector<int64_t> shape;
  const unsigned *factor = permutation.begin();
  for (unsigned rank : resultRanks) {
    int64_t &dim = shape.emplace_back(1);
    for (unsigned i = 0; i < rank; ++i)
      dim *= sizes[*factor++];
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// Splits two factorizations of the same number so that both refine to one.
/// Each entry of the result says how many fine factors a coarse one has.
static bool refine(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
                   llvm::SmallVectorImpl<int64_t> &fine,
                   llvm::SmallVectorImpl<unsigned> &ranksA,
                   llvm::SmallVectorImpl<unsigned> &ranksB) {
  int64_t restA = 1, restB = 1;
  while (restA > 1 || restB > 1 || !a.empty() || !b.empty()) {
    if (restA == 1 && !a.empty()) {
      restA = a.front();
      a = a.drop_front();
      ranksA.push_back(0);
    }
    if (restB == 1 && !b.empty()) {
      restB = b.front();
      b = b.drop_front();
      ranksB.push_back(0);
    }
    // A factor of one has no fine factor.
    if (restA == 1 || restB == 1) {
      if ((restA > 1 && b.empty()) || (restB > 1 && a.empty()))
        return false;
      continue;
    }
    // Outermost first: the coarser of the two must be a multiple of the finer.
    int64_t size = std::min(restA, restB);
    if (restA % size != 0 || restB % size != 0)
      return false;
    fine.push_back(size);
    ++ranksA.back();
    ++ranksB.back();
    restA /= size;
    restB /= size;
  }
  return true;
}

std::optional<RearrangePattern>
RearrangePattern::compose(const RearrangePattern &next) const {
  llvm::SmallVector<int64_t> resultSizes, fine;
  for (unsigned factor : permutation)
    resultSizes.push_back(sizes[factor]);
  llvm::SmallVector<unsigned> ranksHere, ranksNext;
  if (!refine(resultSizes, next.sizes, fine, ranksHere, ranksNext))
    return std::nullopt;

  // Where each factor's fine factors start, seen from the middle.
  llvm::SmallVector<unsigned> startHere(sizes.size()), countHere(sizes.size());
  unsigned start = 0;
  for (auto [position, factor] : llvm::enumerate(permutation)) {
    startHere[factor] = start;
    countHere[factor] = ranksHere[position];
    start += ranksHere[position];
  }
  llvm::SmallVector<unsigned> startNext;
  start = 0;
  for (unsigned rank : ranksNext) {
    startNext.push_back(start);
    start += rank;
  }

  RearrangePattern composed;
  llvm::SmallVector<unsigned> sourceOfMiddle(fine.size());
  unsigned factor = 0;
  for (unsigned rank : sourceRanks) {
    unsigned &fineRank = composed.sourceRanks.emplace_back(0);
    for (unsigned i = 0; i < rank; ++i, ++factor)
      for (unsigned j = 0; j < countHere[factor]; ++j, ++fineRank) {
        sourceOfMiddle[startHere[factor] + j] = composed.sizes.size();
        composed.sizes.push_back(fine[startHere[factor] + j]);
      }
  }
  const unsigned *middle = next.permutation.begin();
  for (unsigned rank : next.resultRanks) {
    unsigned &fineRank = composed.resultRanks.emplace_back(0);
    for (unsigned i = 0; i < rank; ++i, ++middle)
      for (unsigned j = 0; j < ranksNext[*middle]; ++j, ++fineRank)
        composed.permutation.push_back(sourceOfMiddle[startNext[*middle] + j]);
  }
  return composed;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Groups `f0 f1 ...` by `ranks`; a dimension of no factor has size one, "()".
static std::string printSide(llvm::ArrayRef<unsigned> ranks,
                             llvm::function_ref<unsigned(unsigned)> getFactor) {
  llvm::SmallVector<std::string> dims;
  unsigned position = 0;
  for (unsigned rank : ranks) {
    llvm::SmallVector<std::string> names;
    for (unsigned i = 0; i < rank; ++i)
      names.push_back("f" + std::to_string(getFactor(position++)));
    std::string joined = llvm::join(names, " ");
    dims.push_back(rank == 1 ? joined : "(" + joined + ")");
  }
  return llvm::join(dims, " ");
}

std::string RearrangePattern::getText() const {
  return printSide(sourceRanks, [](unsigned i) { return i; }) + " -> " +
         printSide(resultRanks, [&](unsigned i) { return permutation[i]; });
}
