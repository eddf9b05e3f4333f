//===- OtherDialect.h - A dialect with layouts of its own -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_LIB_OTHERDIALECT_H
#define TMEM_TEST_LIB_OTHERDIALECT_H

#include "tmem/IR/TMemAttributes.h"

namespace mlir::other {

class LayoutAttrStorage;

/// `#other.layout<kind>`: what `kind` says, at any tile. The kinds are in
/// OtherDialect.cpp; some are right, most are not.
class LayoutAttr
    : public Attribute::AttrBase<LayoutAttr, Attribute, LayoutAttrStorage,
                                 tmem::LayoutAttrInterface::Trait> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "other.layout";

  static LayoutAttr get(MLIRContext *context, StringRef kind);
  StringRef getKind() const;

  FailureOr<tmem::Layout> expand(ArrayRef<int64_t> shape, Type elementType,
                                 tmem::EmitError emitError) const;
};

class OtherDialect : public Dialect {
public:
  explicit OtherDialect(MLIRContext *context);
  static constexpr StringLiteral getDialectNamespace() { return "other"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;
  void printAttribute(Attribute attr, DialectAsmPrinter &os) const override;
};

} // namespace mlir::other

#endif // TMEM_TEST_LIB_OTHERDIALECT_H
