//===- RearrangePattern.cpp - The pattern of tmem.rearrange ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RearrangePattern.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
using Side = SmallVector<SmallVector<StringRef>>;
} // namespace

static LogicalResult emitPatternError(EmitError emitError,
                                      const Twine &message) {
  return emitViolation(emitError, Rule::E1, message);
}

/// Splits off the next parenthesis or name; empty at the end.
static FailureOr<StringRef> lexToken(StringRef &text, EmitError emitError) {
  text = text.ltrim();
  if (text.empty())
    return StringRef();
  size_t length = 1;
  if (text.front() != '(' && text.front() != ')') {
    length = std::min(
        text.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; }),
        text.size());
    if (length == 0 || llvm::isDigit(text.front()))
      return emitPatternError(emitError,
                              "expected a name or a parenthesis, but got \"" +
                                  text.take_front() + "\"");
  }
  StringRef token = text.take_front(length);
  text = text.drop_front(length);
  return token;
}

/// `a (b c) d`: one group of names for each dimension.
static FailureOr<Side> parseSide(StringRef text, EmitError emitError) {
  Side side;
  bool inGroup = false;
  while (true) {
    FailureOr<StringRef> token = lexToken(text, emitError);
    if (failed(token))
      return failure();
    if (token->empty())
      break;
    bool opens = *token == "(", closes = *token == ")";
    if (opens ? inGroup : closes && !inGroup)
      return emitPatternError(emitError, "expected balanced parentheses, not "
                                         "nested, but got a stray \"" +
                                             *token + "\"");
    if (!closes && !inGroup)
      side.emplace_back();
    if (!opens && !closes)
      side.back().push_back(*token);
    inGroup = opens || (inGroup && !closes);
  }
  if (inGroup)
    return emitPatternError(emitError, "expected a closing parenthesis");
  return side;
}

/// The size of a factor where it is given. Rule E2.
static LogicalResult lookUpSize(DictionaryAttr sizes, StringRef name,
                                int64_t &size, EmitError emitError) {
  Attribute attr = sizes.get(name);
  if (!attr)
    return success();
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger(64) ||
      integer.getInt() < 1)
    return emitViolation(emitError, Rule::E2,
                         "expected an i64 of at least 1 as the size of " +
                             name + ", but got " + llvm::to_string(attr));
  size = integer.getInt();
  return success();
}

/// Resolves the sizes of one source dimension, inferring the one not given.
static LogicalResult resolveDimension(ArrayRef<StringRef> names, int64_t dim,
                                      DictionaryAttr sizes,
                                      SmallVectorImpl<int64_t> &resolved,
                                      EmitError emitError) {
  constexpr int64_t unknown = 0;
  int64_t product = 1;
  std::optional<size_t> inferred;
  for (auto [index, name] : llvm::enumerate(names)) {
    int64_t size = unknown;
    if (failed(lookUpSize(sizes, name, size, emitError)))
      return failure();
    if (size == unknown && inferred)
      return emitViolation(emitError, Rule::E2,
                           "expected sizes for all factors but one of each "
                           "dimension, but got none for " +
                               names[*inferred] + " and " + name);
    if (size == unknown)
      inferred = index;
    else if (size > dim || llvm::MulOverflow(product, size, product))
      product = dim + 1;
    resolved.push_back(size);
  }
  if (inferred && product <= dim && dim % product == 0) {
    resolved[resolved.size() - names.size() + *inferred] = dim / product;
    product = dim;
  }
  if (product == dim)
    return success();
  return emitViolation(emitError, Rule::E2,
                       "expected factors that multiply to the " + Twine(dim) +
                           " of the dimension (" + llvm::join(names, " ") +
                           "), but got other sizes");
}

/// Fills names and ranks of both sides; the permutation goes by name. Rule E1.
static LogicalResult matchSides(const Side &source, const Side &result,
                                RearrangePattern &pattern,
                                EmitError emitError) {
  // The factors that the result has not placed yet.
  llvm::StringMap<unsigned> unplaced;
  for (const auto &group : source) {
    pattern.sourceRanks.push_back(group.size());
    for (StringRef name : group) {
      if (!unplaced.try_emplace(name, pattern.names.size()).second)
        return emitPatternError(emitError,
                                "expected each name once a side, but got " +
                                    name + " again");
      pattern.names.push_back(name);
    }
  }
  for (const auto &group : result) {
    pattern.resultRanks.push_back(group.size());
    for (StringRef name : group) {
      auto it = unplaced.find(name);
      if (it == unplaced.end())
        return emitPatternError(emitError,
                                "expected the names of the left side, each "
                                "once, but got " +
                                    name);
      pattern.permutation.push_back(it->second);
      unplaced.erase(it);
    }
  }
  for (StringRef name : pattern.names)
    if (unplaced.contains(name))
      return emitPatternError(emitError,
                              "expected " + name + " on the right side too");
  return success();
}

/// Sizes are those of factors. Rule E2.
static LogicalResult verifySizeNames(const RearrangePattern &pattern,
                                     DictionaryAttr sizes,
                                     EmitError emitError) {
  llvm::StringSet<> names;
  names.insert(pattern.names.begin(), pattern.names.end());
  for (NamedAttribute size : sizes)
    if (!names.contains(size.getName()))
      return emitViolation(emitError, Rule::E2,
                           "expected sizes of names in the pattern, but got " +
                               size.getName().getValue());
  return success();
}

FailureOr<RearrangePattern> RearrangePattern::get(StringRef text,
                                                  DictionaryAttr sizes,
                                                  ArrayRef<int64_t> sourceShape,
                                                  EmitError emitError) {
  auto [left, right] = text.split("->");
  if (left.size() == text.size())
    return emitPatternError(emitError, "expected \"->\" in the pattern");
  FailureOr<Side> source = parseSide(left, emitError);
  if (failed(source))
    return failure();
  FailureOr<Side> result = parseSide(right, emitError);
  RearrangePattern pattern;
  if (failed(result) ||
      failed(matchSides(*source, *result, pattern, emitError)))
    return failure();
  if (source->size() != sourceShape.size() || result->empty())
    return emitPatternError(
        emitError, "expected " + Twine(sourceShape.size()) +
                       " dimensions on the left side and at least one "
                       "on the right, but got " +
                       Twine(source->size()) + " and " + Twine(result->size()));
  if (failed(verifySizeNames(pattern, sizes, emitError)))
    return failure();
  for (auto [group, dim] : llvm::zip_equal(*source, sourceShape))
    if (failed(resolveDimension(group, dim, sizes, pattern.sizes, emitError)))
      return failure();
  return pattern;
}

SmallVector<int64_t> RearrangePattern::getResultShape() const {
  SmallVector<int64_t> shape;
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
static bool refine(ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                   SmallVectorImpl<int64_t> &fine,
                   SmallVectorImpl<unsigned> &ranksA,
                   SmallVectorImpl<unsigned> &ranksB) {
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
  SmallVector<int64_t> resultSizes, fine;
  for (unsigned factor : permutation)
    resultSizes.push_back(sizes[factor]);
  SmallVector<unsigned> ranksHere, ranksNext;
  if (!refine(resultSizes, next.sizes, fine, ranksHere, ranksNext))
    return std::nullopt;

  // Where each factor's fine factors start, seen from the middle.
  SmallVector<unsigned> startHere(sizes.size()), countHere(sizes.size());
  unsigned start = 0;
  for (auto [position, factor] : llvm::enumerate(permutation)) {
    startHere[factor] = start;
    countHere[factor] = ranksHere[position];
    start += ranksHere[position];
  }
  SmallVector<unsigned> startNext;
  start = 0;
  for (unsigned rank : ranksNext) {
    startNext.push_back(start);
    start += rank;
  }

  RearrangePattern composed;
  SmallVector<unsigned> sourceOfMiddle(fine.size());
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
static std::string printSide(ArrayRef<unsigned> ranks,
                             llvm::function_ref<unsigned(unsigned)> getFactor) {
  SmallVector<std::string> dims;
  unsigned position = 0;
  for (unsigned rank : ranks) {
    SmallVector<std::string> names;
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

DictionaryAttr RearrangePattern::getSizes(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList list;
  for (auto [index, size] : llvm::enumerate(sizes))
    list.set("f" + std::to_string(index), builder.getI64IntegerAttr(size));
  return list.getDictionary(context);
}
