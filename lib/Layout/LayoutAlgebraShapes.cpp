//===- LayoutAlgebraShapes.cpp - Dimensions of tiles ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::StringRef;
using llvm::Twine;

using Sizes = llvm::SmallVector<int64_t, 4>;

/// The sizes with the inferred one filled in, if they multiply to `total`.
static std::optional<Sizes> resolveSizes(llvm::ArrayRef<int64_t> sizes,
                                         int64_t total, std::string *reason) {
  Sizes result(sizes);
  int64_t *inferred = nullptr, product = 1;
  for (int64_t &size : result) {
    if (size == inferredSize && inferred)
      return refuse(reason, "expected at most one size to infer, but got more");
    if (size == inferredSize) {
      inferred = &size;
      continue;
    }
    if (size < 1)
      return refuse(reason,
                    "expected a size of at least 1, but got " + Twine(size));
    if (llvm::MulOverflow(product, size, product))
      return refuse(reason, "expected sizes that multiply to " + Twine(total) +
                                ", but got more");
  }
  if (inferred && total % product == 0)
    product *= *inferred = total / product;
  if (product != total)
    return refuse(reason, "expected sizes that multiply to " + Twine(total) +
                              ", but got " + Twine(product));
  return result;
}

/// True for a layout that verifies and has the elements of the shape.
static bool isTile(const ShapedLayout &tile, std::string *reason) {
  return verifies(tile.layout, reason) &&
         resolveSizes(tile.shape, tile.layout.getNumElements(), reason)
             .has_value() &&
         !llvm::is_contained(tile.shape, inferredSize);
}

//===----------------------------------------------------------------------===//
// Regrouping
//===----------------------------------------------------------------------===//

std::optional<ShapedLayout> mlir::tmem::reshape(const ShapedLayout &tile,
                                                llvm::ArrayRef<int64_t> shape,
                                                std::string *reason) {
  if (!isTile(tile, reason))
    return std::nullopt;
  auto sizes = resolveSizes(shape, tile.layout.getNumElements(), reason);
  if (!sizes)
    return std::nullopt;
  return ShapedLayout{*sizes, tile.layout};
}

std::optional<ShapedLayout> mlir::tmem::groupDims(const ShapedLayout &tile,
                                                  unsigned first,
                                                  unsigned count,
                                                  std::string *reason) {
  if (!isTile(tile, reason))
    return std::nullopt;
  if (first > tile.shape.size() || count > tile.shape.size() - first)
    return refuse(reason, "expected dimensions 0 to " +
                              Twine(tile.shape.size()) + ", but got " +
                              Twine(count) + " from " + Twine(first));
  ShapedLayout result = tile;
  int64_t size = 1;
  for (unsigned i = first; i < first + count; ++i)
    size *= tile.shape[i];
  auto *begin = result.shape.begin() + first;
  result.shape.insert(result.shape.erase(begin, begin + count), size);
  return result;
}

std::optional<ShapedLayout>
mlir::tmem::ungroupDim(const ShapedLayout &tile, unsigned dim,
                       llvm::ArrayRef<int64_t> sizes, std::string *reason) {
  if (!isTile(tile, reason))
    return std::nullopt;
  if (dim >= tile.shape.size())
    return refuse(reason, "expected a dimension below " +
                              Twine(tile.shape.size()) + ", but got " +
                              Twine(dim));
  auto resolved = resolveSizes(sizes, tile.shape[dim], reason);
  if (!resolved)
    return std::nullopt;
  ShapedLayout result = tile;
  auto *place = result.shape.erase(result.shape.begin() + dim);
  result.shape.insert(place, resolved->begin(), resolved->end());
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

// Violations are returned through `error`; the functions are true on success.

namespace {
using Side = llvm::SmallVector<llvm::SmallVector<StringRef, 2>, 4>;
using Error = std::optional<Violation>;
} // namespace

static bool fail(Error &error, Rule rule, const Twine &message) {
  error = Violation{rule, message.str()};
  return false;
}

/// The name or the single character that the text starts with.
static StringRef takeToken(StringRef &text) {
  StringRef token =
      text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (token.empty() || llvm::isDigit(token.front()))
    token = text.take_front();
  text = text.drop_front(token.size());
  return token;
}

/// "a (b c) d": the names of each dimension.
static bool parseSide(StringRef text, Side &side, Error &error) {
  bool inGroup = false;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    StringRef token = takeToken(text);
    if (token == "(" ? inGroup : token == ")" && !inGroup)
      return fail(error, Rule::E1,
                  "expected balanced parentheses, not nested, but got a stray "
                  "\"" +
                      token + "\"");
    if (token == ")") {
      inGroup = false;
      continue;
    }
    if (!inGroup)
      side.emplace_back();
    if (token == "(") {
      inGroup = true;
      continue;
    }
    if (!llvm::isAlpha(token.front()) && token.front() != '_')
      return fail(error, Rule::E1,
                  "expected a name or a parenthesis, but got \"" + token +
                      "\"");
    side.back().push_back(token);
  }
  return !inGroup || fail(error, Rule::E1, "expected a closing parenthesis");
}

/// Numbers the names of the left side.
static bool numberNames(const Side &side, llvm::StringMap<unsigned> &numbers,
                        Error &error) {
  for (const auto &group : side)
    for (StringRef name : group)
      if (!numbers.try_emplace(name, numbers.size()).second)
        return fail(error, Rule::E1,
                    "expected each name once a side, but got " + name +
                        " again");
  return true;
}

/// The numbers of the right side's names in order.
static bool orderNames(const Side &side,
                       const llvm::StringMap<unsigned> &numbers,
                       llvm::SmallVectorImpl<unsigned> &order, Error &error) {
  llvm::BitVector placed(numbers.size());
  for (const auto &group : side)
    for (StringRef name : group) {
      auto known = numbers.find(name);
      if (known == numbers.end() || placed.test(known->second))
        return fail(error, Rule::E1,
                    "expected the names of the left side, each once, but got " +
                        name);
      placed.set(known->second);
      order.push_back(known->second);
    }
  if (!placed.all())
    return fail(error, Rule::E1,
                "expected every name of the left side on the right side too");
  return true;
}

using NamedSizes = llvm::ArrayRef<std::pair<StringRef, int64_t>>;

/// The sizes of all factors, by number.
static bool findFactors(const Side &side,
                        const llvm::StringMap<unsigned> &numbers,
                        llvm::ArrayRef<int64_t> shape, NamedSizes sizes,
                        Sizes &factors, Error &error) {
  factors.assign(numbers.size(), inferredSize);
  for (auto [name, size] : sizes) {
    auto known = numbers.find(name);
    if (known == numbers.end())
      return fail(error, Rule::E2,
                  "expected sizes of names in the pattern, but got " + name);
    if (size < 1)
      return fail(error, Rule::E2,
                  "expected a size of at least 1 for " + name + ", but got " +
                      Twine(size));
    factors[known->second] = size;
  }
  int64_t *next = factors.begin();
  for (auto [group, dim] : llvm::zip(side, shape)) {
    std::string reason;
    auto resolved = resolveSizes({next, group.size()}, dim, &reason);
    if (!resolved)
      return fail(error, Rule::E2,
                  reason + " in (" + llvm::join(group, " ") + ")");
    next = llvm::copy(*resolved, next);
  }
  return true;
}

Error mlir::tmem::rearrange(const ShapedLayout &tile, StringRef pattern,
                            NamedSizes sizes, ShapedLayout &result) {
  if (auto violation = verifyLayout(tile.layout))
    return violation;
  std::string reason;
  if (!isTile(tile, &reason))
    return Violation{Rule::V3, reason};
  auto [left, right] = pattern.split("->");
  if (left.size() == pattern.size())
    return Violation{Rule::E1, "expected \"->\" in the pattern"};
  Error error;
  Side source, target;
  llvm::StringMap<unsigned> numbers;
  llvm::SmallVector<unsigned, 4> order;
  if (!parseSide(left, source, error) || !parseSide(right, target, error) ||
      !numberNames(source, numbers, error) ||
      !orderNames(target, numbers, order, error))
    return error;
  if (source.size() != tile.shape.size() || target.empty())
    return Violation{Rule::E1,
                     ("expected " + Twine(tile.shape.size()) +
                      " dimensions on the left side and at least one "
                      "on the right, but got " +
                      Twine(source.size()) + " and " + Twine(target.size()))
                         .str()};
  Sizes factors;
  if (!findFactors(source, numbers, tile.shape, sizes, factors, error))
    return error;
  std::optional<Layout> layout = tile.layout;
  if (!factors.empty())
    layout = permute(tile.layout, factors, order);
  if (!layout)
    return Violation{Rule::E3, "expected factors that split dimensions between "
                               "modes or evenly within one, but got others"};
  // A long mode may be split into steps that are too large.
  if (auto violation = verifyLayout(*layout))
    return violation;
  result.layout = *layout;
  result.shape.clear();
  const unsigned *factor = order.begin();
  for (const auto &group : target) {
    int64_t &size = result.shape.emplace_back(1);
    for (unsigned i = 0; i < group.size(); ++i)
      size *= factors[*factor++];
  }
  return std::nullopt;
}
