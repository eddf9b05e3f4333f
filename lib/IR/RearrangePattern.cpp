//===- RearrangePattern.cpp - The pattern of tmem.rearrange ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RearrangePattern.h"
#include "mlir/IR/Builders.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

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
  SmallVector<int64_t, 4> given;
  std::optional<size_t> inferred;
  for (auto [index, name] : llvm::enumerate(names)) {
    int64_t size = inferredSize;
    if (failed(lookUpSize(sizes, name, size, emitError)))
      return failure();
    if (size == inferredSize && inferred)
      return emitViolation(emitError, Rule::E2,
                           "expected sizes for all factors but one of each "
                           "dimension, but got none for " +
                               names[*inferred] + " and " + name);
    if (size == inferredSize)
      inferred = index;
    given.push_back(size);
  }
  if (auto all = resolveSizes(given, dim)) {
    llvm::append_range(resolved, *all);
    return success();
  }
  return emitViolation(emitError, Rule::E2,
                       "expected factors that multiply to the " + Twine(dim) +
                           " of the dimension (" + llvm::join(names, " ") +
                           "), but got other sizes");
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

FailureOr<RearrangePattern>
mlir::tmem::getRearrangePattern(StringRef text, DictionaryAttr sizes,
                                ArrayRef<int64_t> sourceShape,
                                EmitError emitError) {
  auto parsed = RearrangePattern::parse(text, sourceShape.size());
  if (auto *violation = std::get_if<Violation>(&parsed))
    return emitViolation(emitError, violation->rule, violation->message);
  auto &pattern = std::get<RearrangePattern>(parsed);
  if (failed(verifySizeNames(pattern, sizes, emitError)))
    return failure();
  ArrayRef<StringRef> names = pattern.names;
  for (auto [rank, dim] : llvm::zip_equal(pattern.sourceRanks, sourceShape)) {
    if (failed(resolveDimension(names.take_front(rank), dim, sizes,
                                pattern.sizes, emitError)))
      return failure();
    names = names.drop_front(rank);
  }
  return pattern;
}

DictionaryAttr mlir::tmem::getSizesAttr(const RearrangePattern &pattern,
                                        MLIRContext *context) {
  Builder builder(context);
  NamedAttrList list;
  for (auto [index, size] : llvm::enumerate(pattern.sizes))
    list.set("f" + std::to_string(index), builder.getI64IntegerAttr(size));
  return list.getDictionary(context);
}
