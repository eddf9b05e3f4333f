//===- Words.cpp - Vectors of elements as 32-bit words --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

unsigned mlir::tmem::getNumWords(VectorType type) {
  return llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(),
                          32);
}

/// The vector of `length` elements of an integer type of the same width: LLVM
/// knows no float of 4 or 8 bits.
static VectorType getIntegerVector(VectorType type, int64_t length) {
  Builder builder(type.getContext());
  return VectorType::get({length},
                         builder.getIntegerType(type.getElementTypeBitWidth()));
}

/// Whether LLVM has vectors of the element type.
static bool isLLVMElement(VectorType type) {
  return LLVM::isCompatibleType(type);
}

/// Between a vector type and the integer vector of the same bits.
static Value castBits(OpBuilder &builder, Location loc, Value value,
                      VectorType type) {
  auto from = cast<VectorType>(value.getType());
  if (from == type)
    return value;
  if (isLLVMElement(from) && isLLVMElement(type))
    return LLVM::BitcastOp::create(builder, loc, type, value);
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

/// The vector as i32 words, padded with poison.
static Value castToWords(OpBuilder &builder, Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  int64_t length = type.getNumElements(), words = getNumWords(type);
  VectorType llvmType =
      isLLVMElement(type) ? type : getIntegerVector(type, length);
  vector = castBits(builder, loc, vector, llvmType);
  int64_t padded = words * 32 / type.getElementTypeBitWidth();
  if (padded != length) {
    SmallVector<int32_t> mask(padded, -1);
    for (int64_t i = 0; i < length; ++i)
      mask[i] = i;
    Value poison = LLVM::PoisonOp::create(builder, loc, llvmType);
    vector = LLVM::ShuffleVectorOp::create(builder, loc, vector, poison, mask);
  }
  auto wordsType = VectorType::get({words}, builder.getI32Type());
  return castBits(builder, loc, vector, wordsType);
}

Value mlir::tmem::extractWords(OpBuilder &builder, Location loc, Value vector,
                               ArrayRef<unsigned> words) {
  Value all = castToWords(builder, loc, vector);
  if (words.size() == 1)
    return LLVM::ExtractElementOp::create(builder, loc, all,
                                          createI32(builder, loc, words[0]));
  auto type = cast<VectorType>(all.getType());
  if (type.getNumElements() == int64_t(words.size()) &&
      llvm::all_of(llvm::enumerate(words),
                   [](auto pair) { return pair.index() == pair.value(); }))
    return all;
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  SmallVector<int32_t> mask(words);
  return LLVM::ShuffleVectorOp::create(builder, loc, all, poison, mask);
}

SmallVector<Value> mlir::tmem::splitWords(OpBuilder &builder, Location loc,
                                          Value value,
                                          ArrayRef<Value> indices) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> words;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    words.push_back(
        LLVM::ExtractElementOp::create(builder, loc, value, indices[i]));
  return words;
}

void mlir::tmem::fillGaps(OpBuilder &builder, Location loc,
                          MutableArrayRef<Value> words) {
  Value poison;
  for (Value &word : words) {
    if (word)
      continue;
    if (!poison)
      poison = LLVM::PoisonOp::create(builder, loc, builder.getI32Type());
    word = poison;
  }
}

//===----------------------------------------------------------------------===//
// From words to a vector
//===----------------------------------------------------------------------===//

static Value insertWords(OpBuilder &builder, Location loc,
                         ArrayRef<Value> words, ArrayRef<Value> indices) {
  auto type = VectorType::get({int64_t(words.size())}, builder.getI32Type());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, word] : llvm::zip(indices, words))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, word, index);
  return vector;
}

/// `length` elements of a vector, or of two one after the other.
static Value concatenate(OpBuilder &builder, Location loc, Value a, Value b,
                         int64_t length) {
  SmallVector<int32_t> mask(length);
  std::iota(mask.begin(), mask.end(), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, a, b, mask);
}

/// Pairs of equally long vectors are put together until one is left. LLVM's
/// vectorizer is slow on one long chain of insertions.
static Value concatenateAll(OpBuilder &builder, Location loc,
                            SmallVector<Value> parts) {
  while (parts.size() > 1) {
    SmallVector<Value> joined;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      int64_t length =
          cast<VectorType>(parts[i].getType()).getNumElements() * 2;
      joined.push_back(
          concatenate(builder, loc, parts[i], parts[i + 1], length));
    }
    if (parts.size() % 2) {
      auto type = cast<VectorType>(parts.back().getType());
      int64_t length = type.getNumElements() * 2;
      Value poison = LLVM::PoisonOp::create(builder, loc, type);
      joined.push_back(concatenate(builder, loc, parts.back(), poison, length));
    }
    parts = std::move(joined);
  }
  return parts.front();
}

Value mlir::tmem::joinWords(OpBuilder &builder, Location loc,
                            ArrayRef<Value> words, VectorType type,
                            ArrayRef<Value> indices) {
  SmallVector<Value> padded(words), parts;
  if (words.size() > wordsPerChain && words.size() % wordsPerChain) {
    Value poison = LLVM::PoisonOp::create(builder, loc, builder.getI32Type());
    padded.resize(llvm::alignTo(words.size(), wordsPerChain), poison);
  }
  for (size_t i = 0; i < padded.size(); i += wordsPerChain)
    parts.push_back(insertWords(
        builder, loc,
        ArrayRef(padded).slice(i, std::min(wordsPerChain, padded.size() - i)),
        indices));
  Value vector = concatenateAll(builder, loc, std::move(parts));
  int64_t length = cast<VectorType>(vector.getType()).getNumElements() * 32 /
                   type.getElementTypeBitWidth();
  VectorType wide = VectorType::get({length}, type.getElementType());
  VectorType llvmWide =
      isLLVMElement(type) ? wide : getIntegerVector(type, length);
  vector = castBits(builder, loc, vector, llvmWide);
  if (length != type.getNumElements())
    vector = concatenate(builder, loc, vector,
                         LLVM::PoisonOp::create(builder, loc, llvmWide),
                         type.getNumElements());
  return castBits(builder, loc, vector, type);
}
