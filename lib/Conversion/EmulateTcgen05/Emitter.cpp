//===- Emitter.cpp - Writes emulated code into a function -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

std::optional<unsigned> mlir::tmem::emulate::getAddressSpace(Value value) {
  if (auto type = dyn_cast<LLVM::LLVMPointerType>(value.getType()))
    return type.getAddressSpace();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

LogicalResult ModuleState::refuse(Operation *op, const Twine &what) {
  std::string text = what.str();
  return error(op, text.empty() ? Twine("is not emulated")
                                : "is not emulated: " + Twine(text));
}

LogicalResult ModuleState::error(Operation *op, const Twine &message) {
  ++numErrors;
  return op->emitOpError(message);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

Emitter::Emitter(ModuleState &state, LLVM::LLVMFuncOp function)
    : state(state), function(function), builder(function.getContext(), this),
      firstCreated(state.journal.getCreated().size()) {
  begin(function, "kernel entry");
}

void Emitter::begin(Operation *op, StringRef name) {
  sources.push_back({builder.getStringAttr(name), op->getLoc()});
  current = sources.size() - 1;
  if (op != function.getOperation())
    builder.setInsertionPoint(op);
}

void Emitter::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  state.journal.addCreated(op);
  createdSources.push_back(current);
  if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op))
    state.casts.push_back(cast);
  if (isAtEntry)
    lastEntryOp = op;
}

void Emitter::replace(Operation *op, ValueRange values) {
  // Where nothing comes to, an operation may be computed from itself.
  SmallVector<Value> others(values);
  for (Value &value : others)
    if (value.getDefiningOp() == op)
      value = create<LLVM::PoisonOp>(value.getType());
  state.journal.replace(op, others);
}

unsigned Emitter::findSource(Operation *op) {
  ArrayRef<Operation *> created = state.journal.getCreated();
  for (auto [entry, source] :
       llvm::zip_equal(created.drop_front(firstCreated), createdSources))
    sourceOf[entry] = source;
  firstCreated = created.size();
  createdSources.clear();
  return sourceOf.lookup_or(op, none);
}

Value Emitter::getSiteTable() {
  if (siteTable)
    return siteTable;
  OpBuilder::InsertionGuard guard(builder);
  setInsertionPointToEntry();
  isAtEntry = true;
  // Globals of a GPU live in a space of their own.
  unsigned space = state.isHost ? GenericSpace : GlobalSpace;
  siteTable = getGeneric(create<LLVM::AddressOfOp>(
      LLVM::LLVMPointerType::get(builder.getContext(), space),
      FlatSymbolRefAttr::get(state.siteTable)));
  isAtEntry = false;
  return siteTable;
}

Value Emitter::getSite() {
  Source &source = sources[current];
  if (source.site == none) {
    source.site = state.sites.size();
    state.sites.push_back({source.name, source.loc});
  }
  Value table = getSiteTable();
  return create<LLVM::GEPOp>(table.getType(), getSiteType(builder.getContext()),
                             table,
                             ArrayRef<LLVM::GEPArg>{int32_t(source.site)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Emitter::call(StringRef name, ValueRange args) {
  const RuntimeFunction &callee = getRuntimeFunction(name);
  LLVM::LLVMFunctionType type = callee.getType(builder.getContext());
  SmallVector<Value> operands;
  SmallVector<Type> types;
  std::string symbol = name.str();
  if (predicate) {
    symbol = (helper::ifPrefix + name).str();
    operands.push_back(predicate);
    types.push_back(builder.getI1Type());
  }
  operands.push_back(thread);
  if (callee.takesSite())
    operands.push_back(getSite());
  llvm::append_range(operands, args);
  llvm::append_range(types, type.getParams());
  state.calledFunctions.insert(builder.getStringAttr(symbol));
  auto call = LLVM::CallOp::create(
      builder, getLoc(),
      LLVM::LLVMFunctionType::get(type.getReturnType(), types), symbol,
      operands);
  // On a GPU the lanes of a warp meet there.
  call.setConvergent(!state.isHost);
  return call->getNumResults() ? call->getResult(0) : Value();
}

void Emitter::callHelper(StringRef name, ValueRange args) {
  SmallVector<Value> operands{thread, getSite()};
  llvm::append_range(operands, args);
  state.calledFunctions.insert(builder.getStringAttr(name));
  LLVM::CallOp::create(builder, getLoc(), TypeRange(), name, operands);
}

void Emitter::callHelperBefore(Operation *op, StringRef name, ValueRange args) {
  unsigned found = findSource(op);
  if (found == none) {
    begin(op);
    sourceOf[op] = current;
  } else {
    current = found;
  }
  builder.setInsertionPoint(op);
  callHelper(name, args);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Emitter::setInsertionPointToEntry() {
  if (lastEntryOp)
    builder.setInsertionPointAfter(lastEntryOp);
  else
    builder.setInsertionPointToStart(&function.getBody().front());
}

Value Emitter::constant(Type type, int64_t value) {
  Value &known = constants[{type, value}];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  setInsertionPointToEntry();
  isAtEntry = true;
  known = create<LLVM::ConstantOp>(type, builder.getIntegerAttr(type, value));
  isAtEntry = false;
  return known;
}

Value Emitter::getWords(unsigned count) {
  Value &known = words[count];
  if (known)
    return known;
  Value one = i32(1);
  OpBuilder::InsertionGuard guard(builder);
  setInsertionPointToEntry();
  isAtEntry = true;
  constexpr unsigned alignment = 16;
  known = create<LLVM::AllocaOp>(
      LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getI32Type(), count), one, alignment);
  isAtEntry = false;
  return known;
}

Value Emitter::toInteger(Value value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  unsigned have = value.getType().getIntOrFloatBitWidth();
  if (have == bits)
    return value;
  return have < bits ? create<LLVM::ZExtOp>(type, value)
                     : create<LLVM::TruncOp>(type, value);
}

static unsigned getNumBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.getIntOrFloatBitWidth();
}

Value Emitter::getBits(Value value) {
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return getAddressSpace(value) == TensorSpace ? getTensorAddress(value)
                                                 : getAddress(value);
  if (isa<IntegerType>(value.getType()))
    return value;
  return create<LLVM::BitcastOp>(
      builder.getIntegerType(getNumBits(value.getType())), value);
}

Value Emitter::fromBits(Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  if (isa<LLVM::LLVMPointerType>(type))
    return create<LLVM::IntToPtrOp>(type, bits);
  Value integer = toInteger(bits, getNumBits(type));
  if (integer.getType() == type)
    return integer;
  return create<LLVM::BitcastOp>(type, integer);
}

Value Emitter::getTensorAddress(Value pointer) {
  if (pointer.getType() == builder.getI32Type())
    return pointer;
  return create<LLVM::PtrToIntOp>(builder.getI32Type(), pointer);
}

Value Emitter::getAddress(Value pointer) {
  if (isa<IntegerType>(pointer.getType()))
    return toInteger(pointer, 64);
  return create<LLVM::PtrToIntOp>(builder.getI64Type(), pointer);
}

Value Emitter::getGeneric(Value pointer) {
  Type generic = LLVM::LLVMPointerType::get(builder.getContext());
  if (pointer.getType() == generic)
    return pointer;
  // A register of inline assembly holds an address.
  if (isa<IntegerType>(pointer.getType()))
    return create<LLVM::IntToPtrOp>(generic, pointer);
  return create<LLVM::AddrSpaceCastOp>(generic, pointer);
}

Value Emitter::getHighBit(Value value) {
  Value shifted = create<LLVM::LShrOp>(value, i64(32));
  return create<LLVM::TruncOp>(builder.getI1Type(), shifted);
}

Value Emitter::isNonZero(Value value) {
  if (value.getType() == builder.getI1Type())
    return value;
  return create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, value,
                              constant(value.getType(), 0));
}

Value Emitter::makeStruct(ValueRange values) {
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), llvm::to_vector(values.getTypes()));
  Value result = create<LLVM::PoisonOp>(type);
  for (auto [i, value] : llvm::enumerate(values))
    result = create<LLVM::InsertValueOp>(result, value, int64_t(i));
  return result;
}

Value Emitter::getSpecial(unsigned index) {
  auto load = LLVM::LoadOp::create(
      builder, getLoc(), builder.getI32Type(),
      getFieldPointer(builder, getLoc(), thread, Special, index));
  load.setInvariant(true);
  return load;
}

Value Emitter::getInvariant(ThreadField field) {
  auto load =
      LLVM::LoadOp::create(builder, getLoc(), builder.getI64Type(),
                           getFieldPointer(builder, getLoc(), thread, field));
  load.setInvariant(true);
  return load;
}

Value Emitter::read(Value value) {
  auto freeze = LLVM::FreezeOp::create(builder, getLoc(), value);
  reads.push_back(freeze);
  return freeze;
}
