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

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_TCGEN05_H
