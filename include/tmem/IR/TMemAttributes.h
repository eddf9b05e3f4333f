//===- TMemAttributes.h - Attributes of the tmem dialect --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMATTRIBUTES_H
#define TMEM_IR_TMEMATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemDialect.h"

#include "tmem/IR/TMemEnums.h.inc"

#include "tmem/IR/TMemAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tmem/IR/TMemAttributes.h.inc"

namespace mlir::tmem {

/// The layout that an attribute stands for at a tile. Whatever an attribute of
/// another dialect answers, the result follows rules L1 to L6, or the failure
/// has been reported; an answer is kept, so that each tile has one for ever.
FailureOr<Layout> expandLayout(LayoutAttrInterface attr,
                               ArrayRef<int64_t> shape, Type elementType,
                               EmitError emitError);

/// A scope without its brackets, as it stands in operations.
ParseResult parseScope(AsmParser &parser, ScopeAttr &scope);
void printScope(AsmPrinter &printer, ScopeAttr scope);
inline void printScope(AsmPrinter &printer, Operation *, ScopeAttr scope) {
  printScope(printer, scope);
}

} // namespace mlir::tmem

#endif // TMEM_IR_TMEMATTRIBUTES_H
