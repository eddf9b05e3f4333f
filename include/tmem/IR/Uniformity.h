//===- Uniformity.h - What threads know alike -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations give all threads of a block the same. What is not listed may
// give each lane something else: another answer makes a branch of some lanes
// one of the whole warp.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_UNIFORMITY_H
#define TMEM_IR_UNIFORMITY_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include <optional>
#include <string>

namespace mlir::tmem {

/// The special register that an operation of NVVM, an intrinsic or a move in
/// inline PTX reads, as NVVM spells it: "tid.x", "lanemask.lt" (PTX ISA,
/// Special Registers).
std::optional<std::string> getSpecialRegister(Operation *op);

/// Whether an operation that takes nothing gives all threads of a block the
/// same: constants, sizes, and ids of what holds the block.
bool isBlockConstant(Operation *op);

/// Whether what an operation gives is up to its operands alone, and not to the
/// lane that asks, or when it does. Of its effects on memory this says nothing.
bool isFunctionOfOperands(Operation *op);

/// Whether a result is the same in all threads of a block if each operand is,
/// as far as memory is. So is what a shuffle fetches, but not whether there was
/// a lane to fetch it from.
bool isSameForSameOperands(OpResult result);

} // namespace mlir::tmem

#endif // TMEM_IR_UNIFORMITY_H
