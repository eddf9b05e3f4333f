//===- TMemTypes.h - Types of the tmem dialect ------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMTYPES_H
#define TMEM_IR_TMEMTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"
#include "tmem/IR/TMemAttributes.h"

#define GET_TYPEDEF_CLASSES
#include "tmem/IR/TMemTypes.h.inc"

namespace mlir::tmem {

/// The width of an element that TMEM views and fragments may have (4, 8, 16, 32
/// or 64 bits), or nothing.
std::optional<unsigned> getElementBitWidth(Type type);

/// Rule R6 for a thread's vector of `size` elements of `bits` bits.
LogicalResult verifyVectorSize(int64_t size, unsigned bits,
                               EmitError emitError);

/// True for pending values and tokens, which stand for transfers under way.
bool isInFlightType(Type type);

} // namespace mlir::tmem

#endif // TMEM_IR_TMEMTYPES_H
