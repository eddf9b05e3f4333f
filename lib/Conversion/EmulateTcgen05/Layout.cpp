//===- Layout.cpp - Sizes of types in memory ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// As large and as aligned as the bits need, to a power of two of bytes.
static TypeExtent getScalarExtent(uint64_t bits) {
  uint64_t bytes = llvm::divideCeil(bits, 8);
  uint64_t alignment = llvm::PowerOf2Ceil(std::max<uint64_t>(bytes, 1));
  constexpr uint64_t most = 16; // i128, and what is made of several.
  alignment = std::min(alignment, most);
  return {llvm::alignTo(bytes, alignment), bytes, alignment};
}

static TypeExtent getStructExtent(LLVM::LLVMStructType type) {
  TypeExtent extent;
  for (Type element : type.getBody()) {
    TypeExtent inner = getTypeExtent(element);
    if (type.isPacked())
      inner.alignment = 1;
    extent.bytes = llvm::alignTo(extent.bytes, inner.alignment) + inner.bytes;
    extent.alignment = std::max(extent.alignment, inner.alignment);
  }
  extent.bytes = llvm::alignTo(extent.bytes, extent.alignment);
  extent.stored = extent.bytes;
  return extent;
}

TypeExtent mlir::tmem::emulate::getTypeExtent(Type type) {
  // Addresses of Tensor Memory become i32.
  constexpr unsigned tensorSpace = 6;
  auto getBits = [](Type type) -> uint64_t {
    if (type.isIntOrFloat())
      return type.getIntOrFloatBitWidth();
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() == tensorSpace ? 32 : 64;
  };
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    TypeExtent element = getTypeExtent(array.getElementType());
    uint64_t bytes = array.getNumElements() * element.bytes;
    return {bytes, bytes, element.alignment};
  }
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return getStructExtent(structType);
  if (auto vector = dyn_cast<VectorType>(type)) {
    uint64_t bits =
        getBits(vector.getElementType()) * uint64_t(vector.getNumElements());
    uint64_t bytes = llvm::divideCeil(bits, 8);
    uint64_t alignment = llvm::PowerOf2Ceil(std::max<uint64_t>(bytes, 1));
    return {llvm::alignTo(bytes, alignment), bytes, alignment};
  }
  return getScalarExtent(getBits(type));
}
