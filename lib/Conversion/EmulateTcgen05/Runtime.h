//===- Runtime.h - What emulated code calls ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows how tmem/ExecutionEngine/Emulation.h looks in the
// LLVM dialect: its structs, its functions, and the small functions that are
// put into the compiled program so that a check which passes costs no call.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_RUNTIME_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_RUNTIME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::tmem::emulate {

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

/// Fields of TMemEmuThread, by their index.
enum ThreadField : int32_t {
  CompletedLoads,
  Fuel,
  SharedBegin,
  SharedUnchecked,
  ZoneBegin,
  ZoneSize,
  Special,
};

LLVM::LLVMStructType getThreadType(MLIRContext *context);
/// Four numbers.
LLVM::LLVMArrayType getSiteType(MLIRContext *context);
LLVM::LLVMStructType getKernelType(MLIRContext *context);

/// A pointer to a field of the thread; with Special, to one of its elements.
Value getFieldPointer(OpBuilder &builder, Location loc, Value thread,
                      ThreadField field, int32_t element = 0);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function of Emulation.h, with a letter for each type: v nothing, i
/// uint32_t, l uint64_t, p a pointer. The first parameter is the thread.
struct RuntimeFunction {
  StringLiteral name;
  char result;
  StringLiteral parameters;

  /// Whether the site is the second parameter.
  bool takesSite() const;
  LLVM::LLVMFunctionType getType(MLIRContext *context) const;
};

/// The function must exist.
const RuntimeFunction &getRuntimeFunction(StringRef name);

/// Functions of the compiled program itself, all internal and always inlined:
///
///   __tmem_emu_check_shared   an access through a shared pointer
///   __tmem_emu_check_generic  an access through a generic pointer
///   __tmem_emu_check_pending  a read of a register that a load wrote
///   __tmem_emu_step           a backward branch
///   __tmem_emu_if_X           calls X of Emulation.h if its first argument,
///                             an i1, is true; else the result is zero
namespace helper {
inline constexpr StringLiteral checkShared = "__tmem_emu_check_shared";
inline constexpr StringLiteral checkGeneric = "__tmem_emu_check_generic";
inline constexpr StringLiteral checkPending = "__tmem_emu_check_pending";
inline constexpr StringLiteral step = "__tmem_emu_step";
inline constexpr StringLiteral ifPrefix = "__tmem_emu_if_";
} // namespace helper

/// Declares or defines a function of Emulation.h or a helper, and what it
/// calls, at the end of the module unless it is there.
void addFunction(OpBuilder &builder, SymbolTable &symbols, StringRef name);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_RUNTIME_H
