//===- TMemBufferOps.cpp - Tiles without an address -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Target/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getView(), "buffer");
}

LogicalResult BufferOp::verify() {
  int64_t alignment = getAlignment();
  if (alignment >= 1 && alignment <= getMaxPlainColumns() &&
      llvm::isPowerOf2_64(alignment))
    return success();
  return emitViolation([&] { return emitOpError(); }, Rule::B1,
                       "expected a power of two from 1 to " +
                           Twine(getMaxPlainColumns()) +
                           " as alignment, but got " + Twine(alignment));
}
