//===- Tcgen05.h - Emulated tcgen05 instructions ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations, intrinsics and inline PTX are brought to.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_TCGEN05_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_TCGEN05_H

#include "Emitter.h"
#include "tmem/ExecutionEngine/Emulation.h"

namespace mlir::tmem::emulate {

/// tcgen05.ld or tcgen05.st.
struct Transfer {
  uint32_t shape = 0; ///< TMemEmuShape
  uint32_t count = 0; ///< N of xN
  uint32_t flags = 0; ///< TMemEmuTransferFlags
  /// Packing decided by an i1 operand that is no constant, or null.
  Value pack;
  Value address;
  Value offset; ///< The immediate of 16x32bx2 as an i64, or null.

  unsigned getNumWords() const;
  bool isReducing() const;
};

/// Reads "32x32b", "16x32bx2" and so on.
std::optional<uint32_t> parseShape(StringRef text);
/// Reads "x64".
std::optional<uint32_t> parseCount(StringRef text);

/// The registers, as an i32 or a vector of i32; with ld.red the reduced value
/// behind them.
struct LoadedWords {
  Value words, reduced;
};
LoadedWords emitLoad(Emitter &emitter, const Transfer &transfer);
/// `words` is an i32, a vector of i32, or one i32 each.
void emitStore(Emitter &emitter, const Transfer &transfer, ValueRange words);

void emitWait(Emitter &emitter, bool isLoad);
void emitAlloc(Emitter &emitter, Value slot, Value columns, uint32_t flags);
void emitDealloc(Emitter &emitter, Value address, Value columns,
                 uint32_t flags);
void emitRelinquish(Emitter &emitter, uint32_t flags);
void emitFence(Emitter &emitter, uint32_t kind);

//===----------------------------------------------------------------------===//
// The tensor core (TensorCore.cpp)
//===----------------------------------------------------------------------===//

/// tcgen05.mma of dense matrices.
struct Mma {
  uint32_t kind = 0;       ///< TMemEmuMmaKind
  uint32_t groupFlags = 0; ///< TMemEmuAllocFlags
  bool isTensorA = false;  ///< Else `a` is a descriptor, as `b` is.
  Value d, a, b, instruction;
  Value accumulate; ///< An i1.
  Value scale;      ///< Or null.
};
void emitMma(Emitter &emitter, const Mma &mma);
void emitTensorCopy(Emitter &emitter, uint32_t shape, uint32_t flags,
                    Value address, Value source);
void emitTensorShift(Emitter &emitter, uint32_t flags, Value address);
void emitCommit(Emitter &emitter, Value barrier, uint32_t flags);

/// TMemEmuCopyShape of "64x128b" and "warpx2::02_13", or nothing if the copy is
/// not emulated: which lanes 4x256b fills, PTX does not say.
std::optional<uint32_t> parseCopyShape(StringRef shape, StringRef multicast);

/// Operations of the tensor core; nothing for another one.
std::optional<LogicalResult> emitTensorCore(Emitter &emitter, Operation *op);
/// Intrinsics, by what follows "llvm.nvvm.tcgen05.". Whether it is known.
bool emitTensorCoreIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                             StringRef name);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_TCGEN05_H
