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

/// Whether an operation may have no effect once types have changed.
static bool mayBecomeSimple(Operation *op) {
  return isa<LLVM::ZeroOp, LLVM::AddrSpaceCastOp, LLVM::IntToPtrOp,
             LLVM::PtrToIntOp>(op);
}

/// What such an operation is now that types have changed, or null.
static Value simplify(OpBuilder &builder, Operation *op) {
  Type type = op->getResult(0).getType();
  auto isInteger = [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  };
  if (isa<LLVM::ZeroOp>(op) && isa<IntegerType>(type))
    return LLVM::ConstantOp::create(builder, op->getLoc(), type,
                                    builder.getIntegerAttr(type, 0));
  if (isa<LLVM::ZeroOp>(op))
    return {};
  Value operand = op->getOperand(0);
  if (operand.getType() == type)
    return operand;
  if (isInteger(operand.getType()) && isInteger(type))
    return castInteger(builder, op->getLoc(), operand, type);
  return {};
}

static bool isTensorPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
  return pointer && pointer.getAddressSpace() == TensorSpace;
}

LogicalResult mlir::tmem::emulate::verifyCasts(ModuleState &state) {
  // Between an integer, and a pointer to other memory.
  for (LLVM::AddrSpaceCastOp cast : state.casts)
    if (isTensorPointer(cast.getArg().getType()) !=
        isTensorPointer(cast.getType()))
      (void)state.refuse(cast, "a TMEM address as another pointer");
  return success(state.numErrors == 0);
}

/// Whether the attributes of an operation may name types that change. To look
/// at them makes a dictionary for each operation, so those of which there are
/// many are told apart here.
static bool mayNameTypes(AttrTypeReplacer &replacer, Operation *op) {
  if (!op->getDiscardableAttrs().empty())
    return true;
  if (auto pointer = dyn_cast<LLVM::GEPOp>(op))
    return replacer.replace(pointer.getElemType()) != pointer.getElemType();
  return !isa<LLVM::AddressOfOp, LLVM::LoadOp, LLVM::StoreOp, LLVM::BrOp,
              LLVM::CondBrOp, LLVM::AddOp, LLVM::ICmpOp, LLVM::BitcastOp>(op);
}

void mlir::tmem::emulate::convertTypes(ModuleState &state) {
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
  // The one walk over what is finished.
  SmallVector<Operation *> casts;
  auto convert = [&](Operation *op) {
    if (Operation *next = op->getNextNode())
      prefetch(next);
    replacer.replaceElementsIn(op, mayNameTypes(replacer, op),
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
    if (mayBecomeSimple(op))
      casts.push_back(op);
  };
  for (Operation &op : *state.module.getBody())
    if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
      op.walk(convert);

  OpBuilder builder(context);
  for (Operation *op : casts) {
    builder.setInsertionPoint(op);
    if (Value value = simplify(builder, op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}
