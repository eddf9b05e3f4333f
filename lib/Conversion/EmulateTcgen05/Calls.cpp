//===- Calls.cpp - Emulated calls -----------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// Functions that CUDA gives to kernels, and those of Emulation.h for tests.
/// Returns nothing if it is none of them.
static std::optional<Value> emitKnownCall(Emitter &emitter, LLVM::CallOp op,
                                          StringRef callee) {
  ValueRange args = op.getArgOperands();
  bool hasResult = op->getNumResults() == 1;
  // What a func.func without a body is called by.
  callee.consume_front("_mlir_ciface_");
  if (callee == "tmem_emulation_read_cell" && args.size() == 1 && hasResult)
    return emitter.call("tmemEmuReadCell", args);
  if (callee == "tmem_emulation_write_cell" && args.size() == 2 && !hasResult)
    return emitter.call("tmemEmuWriteCell", args);
  if (!emitter.state.isHost)
    return std::nullopt;
  if (callee == "vprintf" && args.size() == 2 && hasResult)
    return emitter.call("tmemEmuPrintf", args);
  // The last argument is the size of a character.
  if (callee == "__assertfail" && args.size() == 5 && !hasResult)
    return emitter.call("tmemEmuAssertFail", args.drop_back());
  return std::nullopt;
}

/// Functions that are called under the same name on the host: those of
/// libdevice, which the library exports.
static bool isHostFunction(StringRef name) {
  return name.starts_with("__nv_") || name == "malloc" || name == "free";
}

/// Passes the thread on.
static void addThread(LLVM::CallOp op, Value thread) {
  op.getCalleeOperandsMutable().assign([&] {
    SmallVector<Value> operands(op.getCalleeOperands());
    // An indirect call has the callee first.
    operands.insert(operands.begin() + !op.getCallee(), thread);
    return operands;
  }());
  if (ArrayAttr attrs = op.getArgAttrsAttr()) {
    Builder builder(op.getContext());
    SmallVector<Attribute> shifted{builder.getDictionaryAttr({})};
    llvm::append_range(shifted, attrs);
    op.setArgAttrsAttr(builder.getArrayAttr(shifted));
  }
  // What it says of the function holds no longer: it reads the thread.
  op.removeMemoryEffectsAttr();
  op.setWillReturn(false);
}

LogicalResult mlir::tmem::emulate::emitCall(Emitter &emitter, LLVM::CallOp op) {
  ModuleState &state = emitter.state;
  std::optional<StringRef> callee = op.getCallee();
  if (!callee) {
    if (op.getVarCalleeType())
      return state.refuse(op, "an indirect call of a variadic function");
    state.journal.defer(
        [op, thread = emitter.thread] { addThread(op, thread); });
    return success();
  }
  if (callee->starts_with("llvm."))
    return emitIntrinsic(
        emitter, {op, *callee, op.getArgOperands(),
                  op->getNumResults() ? op.getResult().getType() : Type()});

  auto function = state.module.lookupSymbol<LLVM::LLVMFuncOp>(*callee);
  if (function && !function.isExternal()) {
    if (isKernel(function))
      return state.error(op, "expected no call of a kernel, but got @" +
                                 Twine(*callee));
    if (function.isVarArg())
      return state.refuse(op, "a variadic function");
    state.journal.defer(
        [op, thread = emitter.thread] { addThread(op, thread); });
    auto renamed = state.names.find(op.getCalleeAttr().getAttr());
    if (renamed != state.names.end())
      state.journal.defer([op, name = renamed->second]() mutable {
        op.setCalleeAttr(FlatSymbolRefAttr::get(name));
      });
    return success();
  }
  emitter.begin(op, *callee);
  if (std::optional<Value> result = emitKnownCall(emitter, op, *callee)) {
    emitter.replace(op, *result ? ValueRange(*result) : ValueRange());
    return success();
  }
  if (!state.isHost || isHostFunction(*callee))
    return success();
  return state.refuse(op, "a call of @" + Twine(*callee) +
                              ", which has no definition");
}
