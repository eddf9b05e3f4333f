//===- MemoryEvents.cpp - Loads and stores as effects ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of shared memory: of words, which may hold addresses, and of data.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

bool mlir::tmem::hazards::isShared(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    Attribute space = memref.getMemorySpace();
    if (auto integer = dyn_cast_or_null<IntegerAttr>(space))
      return integer.getInt() == 3;
    auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
    return gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  }
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == 3;
}

namespace {
/// A load or a store: where, and what is loaded or stored.
struct Access {
  bool isStore;
  Value address;
  ValueRange indices;
  Value value;
};
} // namespace

static std::optional<Access> getAccess(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([](memref::LoadOp load) {
        return Access{false, load.getMemRef(), load.getIndices(), load};
      })
      .Case([](LLVM::LoadOp load) {
        return Access{false, load.getAddr(), {}, load};
      })
      .Case([](memref::StoreOp store) {
        return Access{true, store.getMemRef(), store.getIndices(),
                      store.getValueToStore()};
      })
      .Case([](LLVM::StoreOp store) {
        return Access{true, store.getAddr(), {}, store.getValue()};
      })
      .Case([](vector::StoreOp store) {
        return Access{true, store.getBase(), store.getIndices(),
                      store.getValueToStore()};
      })
      .Case([](vector::MaskedStoreOp store) {
        return Access{true, store.getBase(), store.getIndices(),
                      store.getValueToStore()};
      })
      .Case([](vector::TransferWriteOp store) {
        return Access{true, store.getBase(), store.getIndices(),
                      store.getVector()};
      })
      .Default(std::nullopt);
}

/// Whether it may give, or take, an address as such.
static bool isOfWord(const Access &access) {
  Type type = access.value.getType();
  return access.isStore ? type.isInteger(32) : getBytes(type) == wordBytes;
}

static Effect makeWordAccess(Operation *op, const Access &access) {
  Effect effect = makeEffect(
      access.isStore ? EventKind::SlotWrite : EventKind::SlotRead, op);
  effect.address = access.address;
  effect.indices = access.indices;
  if (access.isStore)
    effect.columns = access.value;
  return effect;
}

bool mlir::tmem::hazards::classifyMemory(Operation *op,
                                         SmallVectorImpl<Effect> &effects) {
  if (isAtomic(op))
    effects.push_back(makeEffect(EventKind::OtherSync, op));
  std::optional<Access> access = getAccess(op);
  if (!access)
    return false;
  if (isShared(access->address.getType()) &&
      access->value.getType().isInteger(32))
    effects.push_back(makeWordAccess(op, *access));
  return true;
}

/// Bytes from the first to the last that a vector covers in a memref.
static int64_t getCoveredBytes(VectorType vector, MemRefType memref) {
  SmallVector<int64_t> strides;
  int64_t offset, last = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)) ||
      strides.size() < size_t(vector.getRank()))
    return getBytes(vector);
  ArrayRef<int64_t> inner = ArrayRef(strides).take_back(vector.getRank());
  for (auto [size, stride] : llvm::zip_equal(vector.getShape(), inner))
    last += (size - 1) * (ShapedType::isDynamic(stride) ? size : stride);
  return std::max(getBytes(vector),
                  (last + 1) * getBytes(vector.getElementType()));
}

static Effect makeDataAccess(Operation *op, const Access &access) {
  Effect effect = makeEffect(EventKind::SlotWrite, op);
  effect.address = access.address;
  effect.indices = access.indices;
  effect.bytes = getBytes(access.value.getType());
  auto vector = dyn_cast<VectorType>(access.value.getType());
  auto memref = dyn_cast<MemRefType>(access.address.getType());
  if (vector && memref)
    effect.bytes = getCoveredBytes(vector, memref);
  return effect;
}

std::optional<Effect> mlir::tmem::hazards::classifyData(Operation *op) {
  std::optional<Access> access = getAccess(op);
  if (!access || !access->isStore || isOfWord(*access) ||
      !isShared(access->address.getType()))
    return std::nullopt;
  return makeDataAccess(op, *access);
}

/// Of no address space: it may be shared memory.
static bool isGeneric(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 0;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return bool(memref);
  auto space = dyn_cast<IntegerAttr>(memref.getMemorySpace());
  return space && space.getInt() == 0;
}

std::optional<Effect> mlir::tmem::hazards::classifyOther(Operation *op) {
  std::optional<Access> access = getAccess(op);
  if (!access)
    return std::nullopt;
  Type type = access->address.getType();
  bool isOther = isGeneric(type) || (isShared(type) && !access->isStore &&
                                     !access->value.getType().isInteger(32));
  if (!isOther || (!access->isStore && !isOfWord(*access)))
    return std::nullopt;
  Effect effect = isOfWord(*access) ? makeWordAccess(op, *access)
                                    : makeDataAccess(op, *access);
  effect.isGeneric = isGeneric(type);
  return effect;
}

bool mlir::tmem::hazards::makesGeneric(Operation *op) {
  return isa<LLVM::AddrSpaceCastOp, memref::MemorySpaceCastOp>(op) &&
         isShared(op->getOperand(0).getType()) &&
         isGeneric(op->getResult(0).getType());
}
