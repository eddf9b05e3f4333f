//===- KernelUtils.h - The kernel around an operation -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_KERNELUTILS_H
#define TMEM_IR_KERNELUTILS_H

#include "mlir/IR/Operation.h"

namespace mlir::tmem {

class TransferOpInterface;

/// What the threads that execute `op` enter together: the function, or the
/// `gpu.launch` inside of one, around which the host's code stands.
Operation *getThreadRoot(Operation *op);

/// The block size that a function states, or nothing.
ArrayRef<int32_t> getBlockSize(Operation *root);

/// How many warps take part in a transfer in CTA scope: those of the block that
/// the kernel states, else as many as reach the tile and hold it in vectors of
/// this size.
unsigned getNumWarpsOfCTA(TransferOpInterface op);

} // namespace mlir::tmem

#endif // TMEM_IR_KERNELUTILS_H
