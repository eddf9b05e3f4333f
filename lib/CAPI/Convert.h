//===- Convert.h - Between C and C++ ----------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CAPI_CONVERT_H
#define TMEM_LIB_CAPI_CONVERT_H

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "tmem-c/Attributes.h"
#include "tmem/IR/TMemAttributes.h"
#include "tmem/IR/TMemDialect.h"
#include "tmem/IR/TMemTypes.h"
#include <optional>

namespace mlir::tmem::capi {

/// A list of C as an ArrayRef; nothing when its size is negative, or it is null
/// and not empty.
template <typename T>
std::optional<ArrayRef<T>> getList(intptr_t size, const T *first) {
  if (size < 0 || (size > 0 && !first))
    return std::nullopt;
  return ArrayRef<T>(first, size);
}

/// An attribute of a kind, or null.
template <typename T> T getAttr(MlirAttribute attr) {
  return dyn_cast_if_present<T>(unwrap(attr));
}

/// A type of a kind, or null.
template <typename T> T getType(MlirType type) {
  return dyn_cast_if_present<T>(unwrap(type));
}

inline void loadDialect(MLIRContext *context) {
  context->getOrLoadDialect<TMemDialect>();
}

/// Whether what a new type or attribute is made of lives in its context, or is
/// null.
inline bool isOf(MLIRContext *context, MlirType type) {
  return mlirTypeIsNull(type) || unwrap(type).getContext() == context;
}
inline bool isOf(MLIRContext *context, MlirAttribute attr) {
  return mlirAttributeIsNull(attr) || unwrap(attr).getContext() == context;
}

/// Where getChecked reports: at a location, or nowhere.
class Reporter {
public:
  explicit Reporter(MlirContext context)
      : context(mlirContextIsNull(context) ? nullptr : unwrap(context)) {
    load();
  }
  explicit Reporter(MLIRContext *context) : context(context) { load(); }
  explicit Reporter(MlirLocation location) {
    if (mlirLocationIsNull(location))
      return;
    loc = unwrap(location);
    context = loc->getContext();
    load();
  }

  /// Null when the handle was.
  MLIRContext *getContext() const { return context; }
  InFlightDiagnostic operator()() const {
    return loc ? emitError(*loc) : InFlightDiagnostic();
  }

private:
  void load() {
    if (context)
      loadDialect(context);
  }

  MLIRContext *context = nullptr;
  std::optional<Location> loc;
};

} // namespace mlir::tmem::capi

#endif // TMEM_LIB_CAPI_CONVERT_H
