//===- LayoutCache.cpp - Layouts of other dialects' attributes ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutCache.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

size_t LayoutCache::Hash::operator()(const Key &key) const {
  return llvm::hash_combine(key.attr, key.elementType,
                            llvm::hash_combine_range(key.shape));
}

std::optional<Layout> LayoutCache::lookUp(const Key &key) {
  llvm::sys::SmartScopedReader<true> lock(mutex);
  auto it = layouts.find(key);
  if (it == layouts.end())
    return std::nullopt;
  return it->second;
}

Layout LayoutCache::insert(Key key, Layout layout) {
  llvm::sys::SmartScopedWriter<true> lock(mutex);
  return layouts.try_emplace(std::move(key), std::move(layout)).first->second;
}

static LogicalResult emitNoLayout(LayoutAttrInterface attr, EmitError emitError,
                                  const Twine &got) {
  InFlightDiagnostic diag = emitError();
  // A caller that only asks, not reports, passes an inactive diagnostic.
  if (Diagnostic *active = diag.getUnderlyingDiagnostic())
    *active << "expected a layout or a reason that there is none from "
            << llvm::to_string(Attribute(attr)) << ", but got " << got;
  return failure();
}

/// Asks an attribute that may answer anything.
static FailureOr<Layout> askForLayout(LayoutAttrInterface attr,
                                      ArrayRef<int64_t> shape, Type elementType,
                                      EmitError emitError) {
  // Attributes that stand for others in a circle would end in a stack overflow.
  constexpr unsigned maxDepth = 64;
  static thread_local unsigned depth = 0;
  llvm::SaveAndRestore<unsigned> restore(depth, depth + 1);
  if (depth > maxDepth)
    return emitNoLayout(attr, emitError,
                        Twine(maxDepth) +
                            " attributes each of which stands for another one");
  bool reported = false;
  FailureOr<Layout> layout = attr.expand(shape, elementType, [&] {
    reported = true;
    return emitError();
  });
  if (failed(layout) && !reported)
    return emitNoLayout(attr, emitError, "neither");
  if (failed(layout) || reported)
    return failure();
  if (std::optional<Violation> violation = verifyLayout(*layout))
    return emitViolation(emitError, *violation);
  return layout;
}

FailureOr<Layout> mlir::tmem::expandLayout(LayoutAttrInterface attr,
                                           ArrayRef<int64_t> shape,
                                           Type elementType,
                                           EmitError emitError) {
  // Ours are verified at construction, and need no keeping.
  if (isa<LayoutAttr, DatapathAttr>(attr))
    return attr.expand(shape, elementType, emitError);
  LayoutCache &cache =
      attr.getContext()->getLoadedDialect<TMemDialect>()->getLayoutCache();
  LayoutCache::Key key{attr, elementType, shape.vec()};
  if (std::optional<Layout> known = cache.lookUp(key))
    return *known;
  FailureOr<Layout> layout = askForLayout(attr, shape, elementType, emitError);
  if (failed(layout))
    return failure();
  return cache.insert(std::move(key), std::move(*layout));
}
