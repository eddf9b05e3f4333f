//===- Intrinsics.cpp - What LLVM sees ------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tmem;

Value mlir::tmem::createI32(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value mlir::tmem::createAdd(OpBuilder &builder, Location loc, Value a,
                            Value b) {
  return LLVM::AddOp::create(builder, loc, a, b);
}

Value mlir::tmem::createTcgen05(OpBuilder &builder, Location loc,
                                const Twine &name, Type result,
                                ValueRange args) {
  StringAttr intrinsic = builder.getStringAttr("llvm.nvvm.tcgen05." + name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, loc, intrinsic, args);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, result, intrinsic, args)
      .getResult(0);
}

Value mlir::tmem::createTMemPointer(OpBuilder &builder, Location loc,
                                    Value address) {
  constexpr unsigned tensorMemorySpace = 6;
  auto type =
      LLVM::LLVMPointerType::get(builder.getContext(), tensorMemorySpace);
  return LLVM::IntToPtrOp::create(builder, loc, type, address);
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

LLVM::InlineAsmOp mlir::tmem::createAsm(OpBuilder &builder, Location loc,
                                        Type result, StringRef text,
                                        StringRef constraints,
                                        ValueRange args) {
  return LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), args, text,
      constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, /*asm_dialect=*/nullptr,
      /*operand_attrs=*/nullptr);
}

LLVM::InlineAsmOp mlir::tmem::createConvergentAsm(OpBuilder &builder,
                                                  Location loc, Type result,
                                                  StringRef text,
                                                  StringRef constraints,
                                                  ValueRange args) {
  LLVM::InlineAsmOp inlineAsm =
      createAsm(builder, loc, result, text, constraints, args);
  inlineAsm->setDiscardableAttr(TMemDialect::getConvergentAttrName(),
                                builder.getUnitAttr());
  return inlineAsm;
}

Type mlir::tmem::getWordsType(MLIRContext *context, size_t count) {
  Type i32 = IntegerType::get(context, 32);
  if (count == 1)
    return i32;
  return LLVM::LLVMStructType::getLiteral(context,
                                          SmallVector<Type>(count, i32));
}

SmallVector<Value> mlir::tmem::getAsmWords(OpBuilder &builder,
                                           LLVM::InlineAsmOp op, size_t count) {
  if (count == 1)
    return {op.getRes()};
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, op.getLoc(), op.getRes(), i));
  return results;
}

/// `asm volatile` with one i32 result for each word.
static SmallVector<Value> createWordAsm(OpBuilder &builder, Location loc,
                                        StringRef text, StringRef constraints,
                                        ArrayRef<Value> words) {
  LLVM::InlineAsmOp op =
      createAsm(builder, loc, getWordsType(builder.getContext(), words.size()),
                text, constraints, words);
  return getAsmWords(builder, op, words.size());
}

static void createMemoryBarrier(OpBuilder &builder, Location loc) {
  createAsm(builder, loc, Type(), "", "~{memory}", {});
}

SmallVector<Value> mlir::tmem::createPin(OpBuilder &builder, Location loc,
                                         ArrayRef<Value> words) {
  std::string outputs, ties;
  for (size_t i = 0; i < words.size(); ++i) {
    outputs += i ? ",=r" : "=r";
    ties += "," + std::to_string(i);
  }
  return createWordAsm(builder, loc, "", outputs + ties, words);
}

/// Copies of up to 16 words. The outputs are early-clobber: without `&` LLVM
/// may give an output the register of an input that a later mov still reads.
static SmallVector<Value> createCopies(OpBuilder &builder, Location loc,
                                       ArrayRef<Value> words) {
  std::string text, constraints;
  for (size_t i = 0; i < words.size(); ++i) {
    text += "mov.b32 $" + std::to_string(i) + ", $" +
            std::to_string(words.size() + i) + ";";
    constraints += "=&r,";
  }
  for (size_t i = 0; i < words.size(); ++i)
    constraints += "r,";
  return createWordAsm(builder, loc, text, constraints + "~{memory}", words);
}

SmallVector<Value> mlir::tmem::createWaitLoad(OpBuilder &builder, Operation *op,
                                              ArrayRef<Value> words) {
  Location loc = op->getLoc();
  auto wait = LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.nvvm.tcgen05.wait.ld"),
      ValueRange());
  // No prefix: that would ask for this dialect where LLVM IR is written.
  wait->setDiscardableAttr("wait_number", getWaitNumber(op));
  constexpr size_t wordsPerCopy = 16;
  SmallVector<Value> copies;
  for (size_t i = 0; i < words.size(); i += wordsPerCopy)
    llvm::append_range(
        copies,
        createCopies(builder, loc,
                     words.slice(i, std::min(wordsPerCopy, words.size() - i))));
  return copies;
}

void mlir::tmem::createWaitStore(OpBuilder &builder, Location loc) {
  createMemoryBarrier(builder, loc);
  createTcgen05(builder, loc, "wait.st", Type(), {});
  createMemoryBarrier(builder, loc);
}
