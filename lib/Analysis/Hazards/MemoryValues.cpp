//===- MemoryValues.cpp - What threads know of memory ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Of numbers, and arrays of them; -1 where nothing is known.
static int64_t getSize(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    int64_t size = getSize(array.getElementType());
    return size < 0 ? size : size * int64_t(array.getNumElements());
  }
  return type.isIntOrFloat() ? getBytes(type) : -1;
}

static int64_t getNaturalAlignment(Type type) {
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    type = array.getElementType();
  return type.isIntOrIndexOrFloat()
             ? int64_t(llvm::PowerOf2Ceil(getBytes(type)))
             : 1;
}

/// Of a variable in shared memory. An array of no elements stands for one of
/// which the launch says the size.
static Extent findExtent(Value variable, SymbolTableCollection *symbolTables) {
  Extent extent;
  if (auto memref = dyn_cast<MemRefType>(variable.getType())) {
    extent.alignment = getNaturalAlignment(memref.getElementType());
    if (memref.hasStaticShape() && memref.getLayout().isIdentity() &&
        memref.getElementType().isIntOrIndexOrFloat())
      extent.bytes =
          memref.getNumElements() * getBytes(memref.getElementType());
  }
  auto address = variable.getDefiningOp<LLVM::AddressOfOp>();
  auto global = address && symbolTables
                    ? symbolTables->lookupNearestSymbolFrom<LLVM::GlobalOp>(
                          address, address.getGlobalNameAttr())
                    : LLVM::GlobalOp();
  if (global) {
    extent.bytes = getSize(global.getType());
    extent.alignment =
        std::max<int64_t>(getNaturalAlignment(global.getType()),
                          int64_t(global.getAlignment().value_or(1)));
  }
  if (extent.bytes == 0)
    extent.bytes = -1;
  return extent;
}

/// One in memory of the block, or of all.
ThreadValue Evaluator::makeVariable(Value variable, const void *key) {
  size_t numKnown = symbols.size();
  ThreadValue object = makeObject(key, isShared(variable.getType()));
  if (symbols.size() != numKnown && isShared(variable.getType()))
    symbols.back().extent =
        findExtent(variable, followCalls ? &symbolTables : nullptr);
  return object;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

std::optional<unsigned> Evaluator::getObject(const ThreadValue &address) const {
  for (Term term : address.terms)
    if (symbols[term.symbol].isObject && term.factor == 1)
      return term.symbol;
  return std::nullopt;
}

std::optional<Slot> Evaluator::getSlot(const ThreadValue &address) const {
  std::optional<unsigned> object = getObject(address);
  if (!object || address.terms.size() != 1 || address.table)
    return std::nullopt;
  return Slot{*object, address.constant, wordBytes};
}

bool mlir::tmem::hazards::isAddressCast(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp,
             memref::CastOp, memref::MemorySpaceCastOp, memref::ViewOp>(op);
}

bool Evaluator::namesShared(Value address, Frame *frame) {
  while (!isShared(address.getType())) {
    Operation *op = address.getDefiningOp();
    if (!op || !isAddressCast(op))
      break;
    address = op->getOperand(0);
  }
  if (isShared(address.getType()))
    return true;
  std::optional<unsigned> object = getObject(get(address, frame));
  return object && symbols[*object].isShared;
}

std::optional<Slot> Evaluator::getContent(unsigned symbol) const {
  return symbols[symbol].content;
}

void Evaluator::followLoads(const Evaluator &other, ArrayRef<Slot> slots) {
  for (const Slot &slot : slots)
    versioned.insert({other.objectKeys.at(slot.object), slot.offset});
}

int64_t mlir::tmem::hazards::getBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (type.isIntOrFloat())
    return (type.getIntOrFloatBitWidth() + 7) / 8;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getBytes(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * getBytes(array.getElementType());
  return 8;
}

ThreadValue Evaluator::loadSlot(const ThreadValue &address, Value result,
                                Frame *frame) {
  std::optional<Slot> slot = getSlot(address);
  if (!slot)
    return makeOpaque(result, getAgreement(address));
  slot->bytes = getBytes(result.getType());
  unsigned next = symbols.size();
  unsigned symbol =
      isVersioned(*slot)
          ? loads.try_emplace({*slot, result.getAsOpaquePointer(), frame}, next)
                .first->second
          : contents.try_emplace(*slot, next).first->second;
  if (symbol == next)
    return makeSymbol(
        {getAgreement(address), /*isObject=*/false, slot, result, {}, frame});
  ThreadValue value;
  value.terms.push_back({symbol, 1});
  return value;
}

ThreadValue Evaluator::getElementAddress(Value memref, ValueRange indices,
                                         Frame *frame) {
  ThreadValue address = get(memref, frame);
  auto type = dyn_cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.size() != indices.size())
    return makeOpaque({}, Agreement::None);
  int64_t bytes = getBytes(type.getElementType());
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    ThreadValue part = get(index, frame);
    if (ShapedType::isDynamic(stride)) {
      if (part == makeConstant(0))
        continue;
      return makeOpaque({}, getAgreement(part));
    }
    address = add(address, *multiply(part, makeConstant(stride * bytes)), 1);
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Memory and views
//===----------------------------------------------------------------------===//

std::optional<ThreadValue> Evaluator::evaluateMemory(Operation *op,
                                                     Frame *frame) {
  // One of a group of mbarriers: they stand next to each other.
  if (op->getName().getStringRef() == "nvgpu.mbarrier.get")
    return add(get(op->getOperand(0), frame), get(op->getOperand(1), frame), 8);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return makeVariable(global,
                        global.getNameAttr().getAttr().getAsOpaquePointer());
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op))
    return makeVariable(
        global, global.getGlobalNameAttr().getAttr().getAsOpaquePointer());
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return makeObject(op->getName().getAsOpaquePointer(), /*isShared=*/true);
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    Value variable = op->getResult(0);
    return isShared(variable.getType())
               ? makeVariable(variable, variable.getAsOpaquePointer())
               : makeObject(variable.getAsOpaquePointer(), /*isShared=*/false,
                            Agreement::None);
  }
  if (op->getName().getStringRef() == "nvgpu.mbarrier.create")
    return makeObject(op->getResult(0).getAsOpaquePointer(), /*isShared=*/true);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return loadSlot(
        getElementAddress(load.getMemRef(), load.getIndices(), frame),
        load.getResult(), frame);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return loadSlot(get(load.getAddr(), frame), load.getResult(), frame);
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    ThreadValue address = get(gep.getBase(), frame);
    auto dynamic = gep.getDynamicIndices();
    Type type = gep.getElemType();
    for (auto [i, index] : llvm::enumerate(gep.getRawConstantIndices())) {
      if (i > 0) {
        auto array = dyn_cast<LLVM::LLVMArrayType>(type);
        if (!array)
          return std::nullopt;
        type = array.getElementType();
      }
      ThreadValue part = makeConstant(index);
      if (index == LLVM::GEPOp::kDynamicIndex) {
        part = get(dynamic.front(), frame);
        dynamic = dynamic.drop_front();
      }
      address = add(address, part, getBytes(type));
    }
    return address;
  }
  // Descriptors of memrefs, after the lowering.
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    auto insert = extract.getContainer().getDefiningOp<LLVM::InsertValueOp>();
    while (insert && insert.getPosition() != extract.getPosition())
      insert = insert.getContainer().getDefiningOp<LLVM::InsertValueOp>();
    if (insert)
      return get(insert.getValue(), frame);
    return std::nullopt;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return add(get(view.getSource(), frame), get(view.getByteShift(), frame),
               1);
  return std::nullopt;
}

std::optional<ThreadValue> Evaluator::evaluateView(Operation *op,
                                                   Frame *frame) {
  if (isa<ViewOp, RearrangeOp>(op))
    return get(op->getOperand(0), frame);
  if (auto address = dyn_cast<AddressOp>(op))
    return add(get(address.getView(), frame),
               makeConstant(address.getView().getType().getFirstCell()), 1);
  auto window = dyn_cast<SubviewOp>(op);
  if (!window)
    return std::nullopt;
  ThreadValue address = get(window.getSource(), frame);
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(window.getStaticOffsets())) {
    if (!ShapedType::isDynamic(offset))
      continue;
    int64_t step = SubviewOp::getCellsPerStep(window.getSource().getType(), dim)
                       .value_or(0);
    address = add(address, get(window.getOffsets()[next++], frame), step);
  }
  return address;
}
