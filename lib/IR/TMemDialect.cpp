//===- TMemDialect.cpp - The tmem dialect ---------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/TMemDialect.h"
#include "LayoutCache.h"
#include "TransferPlans.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;

#include "tmem/IR/TMemDialect.cpp.inc"

namespace {
/// Layouts and views are long; printed IR names them once.
struct TMemAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<LayoutAttr>(attr))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::OverridableAlias;
  }

  AliasResult getAlias(Type type, raw_ostream &os) const override {
    if (!isa<ViewType>(type))
      return AliasResult::NoAlias;
    os << "view";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void TMemDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tmem/IR/TMemOps.cpp.inc"
      >();
  addInterfaces<TMemAsmInterface>();
  layoutCache = std::make_shared<LayoutCache>();
  planCache = std::make_shared<PlanCache>();
}

LogicalResult TMemDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != getConvergentAttrName())
    return op->emitOpError("expected the attribute ")
           << getConvergentAttrName() << ", but got " << attr.getName();
  if (!isa<UnitAttr>(attr.getValue()) || !isa<LLVM::InlineAsmOp>(op))
    return op->emitOpError("expected ")
           << getConvergentAttrName() << " as a unit attribute of an "
           << "llvm.inline_asm";
  return success();
}

const PlanResult &TMemDialect::getOrCreatePlan(const TransferKey &key) {
  return planCache->getOrCreate(key);
}
