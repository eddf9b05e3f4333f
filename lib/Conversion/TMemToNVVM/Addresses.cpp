//===- Addresses.cpp - Where transfers go ---------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tmem;

static Value createOffset(OpBuilder &builder, Location loc, Value address,
                          int64_t lanes, int64_t columns) {
  int64_t offset = (lanes << 16) + columns;
  if (offset == 0)
    return address;
  return createAdd(builder, loc, address, createI32(builder, loc, offset));
}

Value mlir::tmem::createWarpAddress(OpBuilder &builder, TransferOpInterface op,
                                    Value base, const TransferPlan &plan) {
  Location loc = op.getLoc();
  Scope scope = op.getScope().getScope();
  if (scope.kind == ScopeKind::Warp)
    return createOffset(builder, loc, base, 32 * scope.warp, 0);
  Value address = createAdd(builder, loc, base, getSlab(builder, op));
  if (plan.columnsPerWarpgroup == 0)
    return address;
  Value columns =
      LLVM::MulOp::create(builder, loc, getWarpgroup(builder, op),
                          createI32(builder, loc, plan.columnsPerWarpgroup));
  return createAdd(builder, loc, address, columns);
}

Value mlir::tmem::createIssueAddress(OpBuilder &builder, Location loc,
                                     Value warpAddress, const Issue &issue) {
  return createOffset(builder, loc, warpAddress, 16 * issue.half, issue.column);
}

Value mlir::tmem::createIssuePointer(OpBuilder &builder, Location loc,
                                     Value warpAddress, const Issue &issue) {
  return createTMemPointer(
      builder, loc, createIssueAddress(builder, loc, warpAddress, issue));
}
