//===- KernelBlocks.h - With what blocks kernels run ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of a block, from whoever says it: the kernel, the launches that are
// in sight, or a guess.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_KERNELBLOCKS_H
#define TMEM_LIB_TRANSFORMS_KERNELBLOCKS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tmem/Analysis/Hazards.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tmem {

/// The blocks with which a kernel is to be checked.
struct KernelBlocks {
  SmallVector<hazards::BlockShape, 1> shapes; ///< Each once, at least one.
  /// Why the last one is a guess, or "" if it is none.
  StringRef guess;
};

/// What the launches of a module say.
class LaunchedBlocks {
public:
  explicit LaunchedBlocks(ArrayRef<gpu::LaunchFuncOp> all);

  /// `threads`: how many the user says that there are, whatever else says, or
  /// 0. Then comes the size that the kernel requires, then that of each launch.
  /// `maxntid` is a limit (PTX ISA, .maxntid): without a launch it is a guess.
  KernelBlocks get(Operation *kernel, unsigned threads) const;
  /// Whether a launch of the kernel has clusters of an odd number of blocks, so
  /// that some have no peer (PTX ISA, tcgen05: CTA Pair).
  bool isWithoutPairs(Operation *kernel) const;

private:
  KernelBlocks getLaunched(Operation *kernel) const;
  SmallVector<gpu::LaunchFuncOp, 1> getLaunches(Operation *kernel) const;

  DenseMap<StringAttr, SmallVector<gpu::LaunchFuncOp, 1>> launches;
};

/// In words: "256 threads", "32 x 8 threads".
std::string describeBlock(const hazards::BlockShape &shape);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_KERNELBLOCKS_H
