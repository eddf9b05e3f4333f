//===- LayoutAlgebraShapes.cpp - Dimensions of tiles ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "tmem/Layout/RearrangePattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::StringRef;
using llvm::Twine;

using Sizes = llvm::SmallVector<int64_t, 4>;

std::optional<Sizes> mlir::tmem::resolveSizes(llvm::ArrayRef<int64_t> sizes,
                                              int64_t total,
                                              std::string *reason) {
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

using NamedSizes = llvm::ArrayRef<std::pair<StringRef, int64_t>>;

/// Fills in the sizes of all factors. Rule E2.
static std::optional<Violation> findFactors(RearrangePattern &pattern,
                                            llvm::ArrayRef<int64_t> shape,
                                            NamedSizes sizes) {
  pattern.sizes.assign(pattern.names.size(), inferredSize);
  for (auto [name, size] : sizes) {
    auto *known = llvm::find(pattern.names, name);
    if (known == pattern.names.end())
      return Violation{
          Rule::E2,
          ("expected sizes of names in the pattern, but got " + name).str()};
    if (size < 1)
      return Violation{Rule::E2, ("expected a size of at least 1 for " + name +
                                  ", but got " + Twine(size))
                                     .str()};
    pattern.sizes[known - pattern.names.begin()] = size;
  }
  int64_t *next = pattern.sizes.begin();
  llvm::ArrayRef<StringRef> names = pattern.names;
  for (auto [rank, dim] : llvm::zip(pattern.sourceRanks, shape)) {
    std::string reason;
    auto resolved = resolveSizes({next, rank}, dim, &reason);
    if (!resolved)
      return Violation{Rule::E2, reason + " in (" +
                                     llvm::join(names.take_front(rank), " ") +
                                     ")"};
    next = llvm::copy(*resolved, next);
    names = names.drop_front(rank);
  }
  return std::nullopt;
}

std::optional<Violation> mlir::tmem::rearrange(const ShapedLayout &tile,
                                               StringRef text, NamedSizes sizes,
                                               ShapedLayout &result) {
  if (auto violation = verifyLayout(tile.layout))
    return violation;
  std::string reason;
  if (!isTile(tile, &reason))
    return Violation{Rule::V3, reason};
  auto parsed = RearrangePattern::parse(text, tile.shape.size());
  if (auto *violation = std::get_if<Violation>(&parsed))
    return *violation;
  auto &pattern = std::get<RearrangePattern>(parsed);
  if (auto violation = findFactors(pattern, tile.shape, sizes))
    return violation;
  std::optional<Layout> layout = tile.layout;
  if (!pattern.sizes.empty())
    layout = permute(tile.layout, pattern.sizes, pattern.permutation);
  if (!layout)
    return Violation{Rule::E3, "expected factors that split dimensions between "
                               "modes or evenly within one, but got others"};
  // A long mode may be split into steps that are too large.
  if (auto violation = verifyLayout(*layout))
    return violation;
  result.layout = *layout;
  result.shape = pattern.getResultShape();
  return std::nullopt;
}
