//===- Lowering.h - Pieces of the lowering ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_TMEMTONVVM_LOWERING_H
#define TMEM_LIB_CONVERSION_TMEMTONVVM_LOWERING_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Target/Chips.h"

namespace mlir::tmem {

//===----------------------------------------------------------------------===//
// Intrinsics.cpp: what LLVM sees
//===----------------------------------------------------------------------===//

Value createI32(OpBuilder &builder, Location loc, int64_t value);
Value createAdd(OpBuilder &builder, Location loc, Value a, Value b);

/// Calls `llvm.nvvm.tcgen05.<name>`; `result` may be null.
Value createTcgen05(OpBuilder &builder, Location loc, const Twine &name,
                    Type result, ValueRange args);

/// An i32 TMEM address as LLVM's pointer in address space 6.
Value createTMemPointer(OpBuilder &builder, Location loc, Value address);

/// `asm volatile`; `result` may be null.
LLVM::InlineAsmOp createAsm(OpBuilder &builder, Location loc, Type result,
                            StringRef text, StringRef constraints,
                            ValueRange args);

/// `asm volatile` of PTX that LLVM has no intrinsic for. All lanes execute it
/// together, which an attribute makes the translation tell LLVM.
LLVM::InlineAsmOp createConvergentAsm(OpBuilder &builder, Location loc,
                                      Type result, StringRef text,
                                      StringRef constraints, ValueRange args);

/// The type of an asm with `count` i32 results, and these.
Type getWordsType(MLIRContext *context, size_t count);
SmallVector<Value> getAsmWords(OpBuilder &builder, LLVM::InlineAsmOp op,
                               size_t count);

/// An empty `asm volatile` that redefines the words: their users cannot move
/// before it, nor the words past it.
SmallVector<Value> createPin(OpBuilder &builder, Location loc,
                             ArrayRef<Value> words);

/// `tcgen05.wait::ld` for `op`, then copies of the words that no user can
/// overtake.
SmallVector<Value> createWaitLoad(OpBuilder &builder, Operation *op,
                                  ArrayRef<Value> words);

/// `tcgen05.wait::st`, which LLVM's memory model alone would not order with the
/// accesses around it.
void createWaitStore(OpBuilder &builder, Location loc);

//===----------------------------------------------------------------------===//
// Addresses.cpp: where transfers go
//===----------------------------------------------------------------------===//

/// The address of the executing warp: base, slab and its warpgroup's columns.
Value createWarpAddress(OpBuilder &builder, TransferOpInterface op, Value base,
                        const TransferPlan &plan);

/// The address of one issue, as an i32 and as a pointer.
Value createIssueAddress(OpBuilder &builder, Location loc, Value warpAddress,
                         const Issue &issue);
Value createIssuePointer(OpBuilder &builder, Location loc, Value warpAddress,
                         const Issue &issue);

//===----------------------------------------------------------------------===//
// EntryValues.cpp: what is computed once a function
//===----------------------------------------------------------------------===//

// Values at the entry of each function, which all operations in it share. They
// are found again by an attribute, not in a table: a set of patterns may be
// used for many functions, at once and one after the other.

/// 32 * (warp % 4) in the lane field of an address.
Value getSlab(OpBuilder &builder, Operation *op);
/// warp / 4.
Value getWarpgroup(OpBuilder &builder, Operation *op);
/// The i32 constants from 0 to count - 1.
SmallVector<Value> getIndices(OpBuilder &builder, Operation *op, size_t count);

/// Another number for every wait of a function. MLIR merges blocks that are
/// alike but for the values in them, and these become block arguments: of a
/// wait's block that would copy the words before the wait.
IntegerAttr getWaitNumber(Operation *op);

/// Removes what marks entry values and counts waits, once all is converted.
void eraseMarks(Operation *root);

//===----------------------------------------------------------------------===//
// Words.cpp: vectors of elements as 32-bit words
//===----------------------------------------------------------------------===//

/// The number of 32-bit words of a thread's vector, the last one padded.
unsigned getNumWords(VectorType type);

/// `count` words of a vector as one value: i32, or a vector of i32.
Value extractWords(OpBuilder &builder, Location loc, Value vector,
                   ArrayRef<unsigned> words);

/// The words of an i32 or a vector of i32. `indices` are the constants from 0.
SmallVector<Value> splitWords(OpBuilder &builder, Location loc, Value value,
                              ArrayRef<Value> indices);

/// Makes words of the vector that no element is in, and that are null, poison.
void fillGaps(OpBuilder &builder, Location loc, MutableArrayRef<Value> words);

/// How many index constants joinWords takes.
inline constexpr size_t wordsPerChain = 16;

/// A vector of `type` from its words.
Value joinWords(OpBuilder &builder, Location loc, ArrayRef<Value> words,
                VectorType type, ArrayRef<Value> indices);

//===----------------------------------------------------------------------===//
// TargetChip.cpp
//===----------------------------------------------------------------------===//

/// Rules X1 to X4 for one operation, on `chip` or, when that is null, on every
/// target of the enclosing gpu.module.
LogicalResult verifyOnChip(Operation *op, const Chip *chip);

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void populateTransferPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns, const Chip *chip);
void populateLoadReducePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns, const Chip *chip);
void populateAllocationPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns, const Chip *chip);
void populateViewPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns);
/// scf, cf and arith operations that carry pending values, tokens or views.
void populateCarrierPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);

/// True when an operand, result or block argument of `op` has a tmem type.
bool carriesTMemTypes(Operation *op);

} // namespace mlir::tmem

#endif // TMEM_LIB_CONVERSION_TMEMTONVVM_LOWERING_H
