//===- Types.cpp - Types of emulated code ---------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// A cast between integers, or none.
static Value castInteger(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  unsigned have = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned want = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (have == want)
    return value;
  if (have < want)
    return LLVM::ZExtOp::create(builder, loc, type, value);
  return LLVM::TruncOp::create(builder, loc, type, value);
}

/// What an operation is now that types have changed, or null.
static Value simplify(OpBuilder &builder, Operation *op) {
  if (op->getNumResults() != 1)
    return {};
  Type type = op->getResult(0).getType();
  auto isInteger = [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  };
  if (isa<LLVM::ZeroOp>(op) && isa<IntegerType>(type))
    return LLVM::ConstantOp::create(builder, op->getLoc(), type,
                                    builder.getIntegerAttr(type, 0));
  if (!isa<LLVM::AddrSpaceCastOp, LLVM::IntToPtrOp, LLVM::PtrToIntOp>(op))
    return {};
  Value operand = op->getOperand(0);
  if (operand.getType() == type)
    return operand;
  if (isInteger(operand.getType()) && isInteger(type))
    return castInteger(builder, op->getLoc(), operand, type);
  return {};
}

/// A cast that is left between a pointer to Tensor Memory, an integer now, and
/// a pointer to other memory.
static bool isMeaningless(Operation *op) {
  return isa<LLVM::AddrSpaceCastOp>(op) &&
         (!isa<LLVM::LLVMPointerType>(
              getElementTypeOrSelf(op->getOperand(0))) ||
          !isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(op->getResult(0))));
}

LogicalResult mlir::tmem::emulate::convertTypes(ModuleState &state) {
  MLIRContext *context = state.module.getContext();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](LLVM::LLVMPointerType type) -> std::optional<Type> {
        if (type.getAddressSpace() == TensorSpace)
          return IntegerType::get(context, 32);
        if (state.isHost && type.getAddressSpace() != GenericSpace)
          return LLVM::LLVMPointerType::get(context);
        return std::nullopt;
      });
  for (auto function : state.module.getOps<LLVM::LLVMFuncOp>())
    replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  for (auto global : state.module.getOps<LLVM::GlobalOp>())
    replacer.recursivelyReplaceElementsIn(global, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);

  bool isValid = true;
  OpBuilder builder(context);
  state.module.walk([&](Operation *op) {
    builder.setInsertionPoint(op);
    if (Value value = simplify(builder, op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    } else if (isMeaningless(op)) {
      isValid = false;
      (void)state.refuse(op, "a TMEM address as another pointer");
    }
  });
  return success(isValid);
}
