//===- Runtime.cpp - What emulated code calls -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "tmem/ExecutionEngine/Emulation.h"
#include <cstddef>

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

// The types below have no padding but what C gives these structs, too.
static_assert(offsetof(TMemEmuThread, completedLoads) == 8 * CompletedLoads);
static_assert(offsetof(TMemEmuThread, fuel) == 8 * Fuel);
static_assert(offsetof(TMemEmuThread, sharedBegin) == 8 * SharedBegin);
static_assert(offsetof(TMemEmuThread, sharedUnchecked) == 8 * SharedUnchecked);
static_assert(offsetof(TMemEmuThread, zoneBegin) == 8 * ZoneBegin);
static_assert(offsetof(TMemEmuThread, zoneSize) == 8 * ZoneSize);
static_assert(offsetof(TMemEmuThread, special) == 8 * Special);
static_assert(sizeof(TMemEmuThread) == 8 * Special + 4 * TMemEmuNumSpecial);

static_assert(offsetof(TMemEmuSite, op) == 0);
static_assert(offsetof(TMemEmuSite, file) == 4);
static_assert(offsetof(TMemEmuSite, line) == 8);
static_assert(offsetof(TMemEmuSite, column) == 12);
static_assert(sizeof(TMemEmuSite) == 16);

static_assert(offsetof(TMemEmuKernel, module) == 0);
static_assert(offsetof(TMemEmuKernel, name) == 8);
static_assert(offsetof(TMemEmuKernel, entry) == 16);
static_assert(offsetof(TMemEmuKernel, site) == 24);
static_assert(offsetof(TMemEmuKernel, numParams) == 32);
static_assert(offsetof(TMemEmuKernel, staticSharedBytes) == 40);
static_assert(offsetof(TMemEmuKernel, sharedAlignment) == 48);
static_assert(offsetof(TMemEmuKernel, requiredThreads) == 56);
static_assert(offsetof(TMemEmuKernel, maxThreads) == 68);
static_assert(offsetof(TMemEmuKernel, maxRegisters) == 72);
static_assert(offsetof(TMemEmuKernel, clusterSize) == 76);
static_assert(offsetof(TMemEmuKernel, chip) == 88);
static_assert(offsetof(TMemEmuKernel, columns) == 96);
static_assert(offsetof(TMemEmuKernel, exclusiveColumns) == 100);
static_assert(offsetof(TMemEmuKernel, maxClusterBlocks) == 104);
static_assert(sizeof(TMemEmuKernel) == 112);

LLVM::LLVMStructType mlir::tmem::emulate::getThreadType(MLIRContext *context) {
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> fields(Special, i64);
  fields.push_back(LLVM::LLVMArrayType::get(IntegerType::get(context, 32),
                                            TMemEmuNumSpecial));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

LLVM::LLVMArrayType mlir::tmem::emulate::getSiteType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 32),
                                  sizeof(TMemEmuSite) / sizeof(int32_t));
}

LLVM::LLVMStructType mlir::tmem::emulate::getKernelType(MLIRContext *context) {
  Type ptr = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);
  Type i32x3 = LLVM::LLVMArrayType::get(i32, 3);
  return LLVM::LLVMStructType::getLiteral(context, {ptr, ptr, ptr, ptr, i64,
                                                    i64, i64, i32x3, i32, i32,
                                                    i32x3, ptr, i32, i32, i64});
}

Value mlir::tmem::emulate::getFieldPointer(OpBuilder &builder, Location loc,
                                           Value thread, ThreadField field,
                                           int32_t element) {
  SmallVector<LLVM::GEPArg> indices{0, int32_t(field)};
  if (field == Special)
    indices.push_back(element);
  return LLVM::GEPOp::create(builder, loc, thread.getType(),
                             getThreadType(builder.getContext()), thread,
                             indices, LLVM::GEPNoWrapFlags::inbounds);
}

//===----------------------------------------------------------------------===//
// Functions of Emulation.h
//===----------------------------------------------------------------------===//

static constexpr RuntimeFunction functions[] = {
    {"tmemEmuRegister", 'v', "p"},
    {"tmemEmuEnter", 'v', "ppii"},
    {"tmemEmuLeave", 'v', "pp"},
    {"tmemEmuYield", 'v', "pp"},
    {"tmemEmuExit", 'v', "pp"},
    {"tmemEmuTrap", 'v', "pp"},
    {"tmemEmuAssertFail", 'v', "ppppip"},
    {"tmemEmuPrintf", 'i', "ppp"},
    {"tmemEmuReadTimer", 'l', "pi"},
    {"tmemEmuPendingRead", 'v', "ppl"},
    {"tmemEmuLoad", 'l', "ppiiiilp"},
    {"tmemEmuStore", 'v', "ppiiiilp"},
    {"tmemEmuWaitLoad", 'v', "pp"},
    {"tmemEmuWaitStore", 'v', "pp"},
    {"tmemEmuAlloc", 'v', "pppii"},
    {"tmemEmuDealloc", 'v', "ppiii"},
    {"tmemEmuRelinquish", 'v', "ppi"},
    {"tmemEmuReadCell", 'i', "ppi"},
    {"tmemEmuWriteCell", 'v', "ppii"},
    {"tmemEmuMma", 'v', "ppiiilliii"},
    {"tmemEmuTensorCopy", 'v', "ppiiil"},
    {"tmemEmuTensorShift", 'v', "ppii"},
    {"tmemEmuCommit", 'v', "pppi"},
    {"tmemEmuFence", 'v', "ppi"},
    {"tmemEmuBarrier", 'i', "ppiiii"},
    {"tmemEmuWarpSync", 'v', "ppi"},
    {"tmemEmuClusterBarrier", 'v', "ppi"},
    {"tmemEmuShuffle", 'l', "ppiiiii"},
    {"tmemEmuVote", 'i', "ppiii"},
    {"tmemEmuElect", 'l', "ppi"},
    {"tmemEmuMatch", 'l', "ppiil"},
    {"tmemEmuRedux", 'i', "ppiiiii"},
    {"tmemEmuMBarrierInit", 'v', "pppi"},
    {"tmemEmuMBarrierInval", 'v', "ppp"},
    {"tmemEmuMBarrierArrive", 'l', "pppiii"},
    {"tmemEmuMBarrierExpect", 'v', "pppi"},
    {"tmemEmuMBarrierComplete", 'v', "pppi"},
    {"tmemEmuMBarrierWait", 'i', "pppli"},
    {"tmemEmuSharedAccess", 'v', "pplli"},
    {"tmemEmuMapShared", 'l', "ppli"},
    {"tmemEmuGetCtaRank", 'i', "ppl"},
};

bool RuntimeFunction::takesSite() const {
  return name != "tmemEmuRegister" && name != "tmemEmuPrintf" &&
         name != "tmemEmuReadTimer";
}

static Type getType(MLIRContext *context, char letter) {
  switch (letter) {
  case 'i':
    return IntegerType::get(context, 32);
  case 'l':
    return IntegerType::get(context, 64);
  case 'p':
    return LLVM::LLVMPointerType::get(context);
  default:
    return LLVM::LLVMVoidType::get(context);
  }
}

LLVM::LLVMFunctionType RuntimeFunction::getType(MLIRContext *context) const {
  SmallVector<Type> types;
  for (char letter : parameters)
    types.push_back(::getType(context, letter));
  return LLVM::LLVMFunctionType::get(::getType(context, result), types);
}

const RuntimeFunction &mlir::tmem::emulate::getRuntimeFunction(StringRef name) {
  const RuntimeFunction *function =
      llvm::find_if(functions, [&](const auto &f) { return f.name == name; });
  assert(function != std::end(functions) && "not a function of Emulation.h");
  return *function;
}

//===----------------------------------------------------------------------===//
// Functions of the compiled program
//===----------------------------------------------------------------------===//

namespace {

/// Writes the body of a helper.
struct Body {
  OpBuilder &builder;
  LLVM::LLVMFuncOp function;
  Location loc;

  Body(OpBuilder &builder, SymbolTable &symbols, StringRef name,
       LLVM::LLVMFunctionType type)
      : builder(builder), loc(builder.getUnknownLoc()) {
    builder.setInsertionPointToEnd(&symbols.getOp()->getRegion(0).front());
    function = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                        LLVM::Linkage::Internal);
    symbols.insert(function);
    function.setAlwaysInline(true);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
  }

  Value arg(unsigned i) { return function.getArgument(i); }
  Value thread() { return arg(0); }

  Value load(ThreadField field, bool invariant) {
    Value pointer = getFieldPointer(builder, loc, thread(), field);
    auto load =
        LLVM::LoadOp::create(builder, loc, builder.getI64Type(), pointer);
    load.setInvariant(invariant);
    return load;
  }
  Value sub(Value a, Value b) {
    return LLVM::SubOp::create(builder, loc, a, b);
  }
  Value compare(LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
  Block *addBlock(ArrayRef<Type> types = {}) {
    SmallVector<Location> locs(types.size(), loc);
    OpBuilder::InsertionGuard guard(builder);
    return builder.createBlock(&function.getBody(), {}, types, locs);
  }
  /// Goes to `otherwise` unless the condition is false, and goes on there.
  void continueIf(Value condition, Block *then, Block *otherwise) {
    LLVM::CondBrOp::create(builder, loc, condition, then, otherwise);
    builder.setInsertionPointToStart(then);
  }
  void ret() { LLVM::ReturnOp::create(builder, loc, ValueRange()); }
};

} // namespace

static LLVM::LLVMFunctionType getHelperType(MLIRContext *context,
                                            StringRef letters) {
  SmallVector<Type> types;
  for (char letter : letters)
    types.push_back(getType(context, letter));
  return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
}

/// (thread, site, address, bytes, flags): see TMemEmuThread.
static void addAccessCheck(OpBuilder &builder, SymbolTable &symbols,
                           StringRef name) {
  bool isGeneric = name == helper::checkGeneric;
  Body body(builder, symbols, name,
            getHelperType(builder.getContext(), "pplli"));
  Block *done = body.addBlock();
  Value address = body.arg(2), bytes = body.arg(3);
  if (isGeneric) {
    Value offset = body.sub(address, body.load(ZoneBegin, true));
    body.continueIf(body.compare(LLVM::ICmpPredicate::ult, offset,
                                 body.load(ZoneSize, true)),
                    body.addBlock(), done);
  }
  Value unchecked = body.load(SharedUnchecked, true);
  Value offset = body.sub(address, body.load(SharedBegin, true));
  Value fits = body.compare(LLVM::ICmpPredicate::ule, bytes, unchecked);
  Value isInside = body.compare(LLVM::ICmpPredicate::ule, offset,
                                body.sub(unchecked, bytes));
  Value passes = LLVM::AndOp::create(builder, body.loc, fits, isInside);
  Block *call = body.addBlock();
  LLVM::CondBrOp::create(builder, body.loc, passes, done, call);
  builder.setInsertionPointToStart(call);
  LLVM::CallOp::create(
      builder, body.loc,
      getRuntimeFunction("tmemEmuSharedAccess").getType(builder.getContext()),
      "tmemEmuSharedAccess", body.function.getArguments());
  LLVM::BrOp::create(builder, body.loc, ValueRange(), done);
  builder.setInsertionPointToStart(done);
  body.ret();
  done->moveBefore(&body.function.getBody(), body.function.getBody().end());
}

/// (thread, site, load).
static void addPendingCheck(OpBuilder &builder, SymbolTable &symbols) {
  Body body(builder, symbols, helper::checkPending,
            getHelperType(builder.getContext(), "ppl"));
  Block *call = body.addBlock(), *done = body.addBlock();
  // Not invariant: waits raise it.
  Value completed = body.load(CompletedLoads, false);
  body.continueIf(
      body.compare(LLVM::ICmpPredicate::ugt, body.arg(2), completed), call,
      done);
  LLVM::CallOp::create(
      builder, body.loc,
      getRuntimeFunction("tmemEmuPendingRead").getType(builder.getContext()),
      "tmemEmuPendingRead", body.function.getArguments());
  LLVM::BrOp::create(builder, body.loc, ValueRange(), done);
  builder.setInsertionPointToStart(done);
  body.ret();
}

/// (thread, site).
static void addStep(OpBuilder &builder, SymbolTable &symbols) {
  Body body(builder, symbols, helper::step,
            getHelperType(builder.getContext(), "pp"));
  Block *call = body.addBlock(), *done = body.addBlock();
  Value one = LLVM::ConstantOp::create(builder, body.loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  Value zero = LLVM::ConstantOp::create(builder, body.loc, builder.getI64Type(),
                                        builder.getI64IntegerAttr(0));
  Value fuel = body.sub(body.load(Fuel, false), one);
  LLVM::StoreOp::create(
      builder, body.loc, fuel,
      getFieldPointer(builder, body.loc, body.thread(), Fuel));
  body.continueIf(body.compare(LLVM::ICmpPredicate::sle, fuel, zero), call,
                  done);
  LLVM::CallOp::create(
      builder, body.loc,
      getRuntimeFunction("tmemEmuYield").getType(builder.getContext()),
      "tmemEmuYield", body.function.getArguments());
  LLVM::BrOp::create(builder, body.loc, ValueRange(), done);
  builder.setInsertionPointToStart(done);
  body.ret();
}

/// (condition, what the function takes).
static void addConditionalCall(OpBuilder &builder, SymbolTable &symbols,
                               StringRef name) {
  const RuntimeFunction &callee =
      getRuntimeFunction(name.drop_front(helper::ifPrefix.size()));
  LLVM::LLVMFunctionType type = callee.getType(builder.getContext());
  SmallVector<Type> types{builder.getI1Type()};
  llvm::append_range(types, type.getParams());
  bool hasResult = callee.result != 'v';
  Body body(builder, symbols, name,
            LLVM::LLVMFunctionType::get(type.getReturnType(), types));
  Block *call = body.addBlock();
  Block *done =
      body.addBlock(hasResult ? type.getReturnTypes() : ArrayRef<Type>());
  SmallVector<Value> zero;
  if (hasResult)
    zero.push_back(
        LLVM::ZeroOp::create(builder, body.loc, type.getReturnType()));
  LLVM::CondBrOp::create(builder, body.loc, body.arg(0), call, ValueRange(),
                         done, zero);
  builder.setInsertionPointToStart(call);
  auto result = LLVM::CallOp::create(
      builder, body.loc, type, callee.name,
      ValueRange(body.function.getArguments()).drop_front());
  LLVM::BrOp::create(builder, body.loc, result->getResults(), done);
  builder.setInsertionPointToStart(done);
  LLVM::ReturnOp::create(builder, body.loc, done->getArguments());
}

void mlir::tmem::emulate::addFunction(OpBuilder &builder, SymbolTable &symbols,
                                      StringRef name) {
  if (symbols.lookup(name))
    return;
  OpBuilder::InsertionGuard guard(builder);
  if (name == helper::checkShared || name == helper::checkGeneric) {
    addFunction(builder, symbols, "tmemEmuSharedAccess");
    addAccessCheck(builder, symbols, name);
  } else if (name == helper::checkPending) {
    addFunction(builder, symbols, "tmemEmuPendingRead");
    addPendingCheck(builder, symbols);
  } else if (name == helper::step) {
    addFunction(builder, symbols, "tmemEmuYield");
    addStep(builder, symbols);
  } else if (name.starts_with(helper::ifPrefix)) {
    addFunction(builder, symbols, name.drop_front(helper::ifPrefix.size()));
    addConditionalCall(builder, symbols, name);
  } else {
    builder.setInsertionPointToEnd(&symbols.getOp()->getRegion(0).front());
    symbols.insert(LLVM::LLVMFuncOp::create(
        builder, builder.getUnknownLoc(), name,
        getRuntimeFunction(name).getType(builder.getContext())));
  }
}
