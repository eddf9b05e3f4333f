//===- Findings.h - What is told of a kernel --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_FINDINGS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_FINDINGS_H

#include "State.h"
#include "tmem/Analysis/Hazards.h"

namespace mlir::tmem::hazards {

/// What is missing between an access and what comes after it.
enum class Missing : uint8_t {
  OwnWait,     ///< By the same thread.
  Barrier,     ///< Nothing orders the two.
  Wait,        ///< A barrier does, but the access may still be under way.
  FenceBefore, ///< Or had no fence before,
  FenceAfter,  ///< or the fence after.
  Completion,  ///< Of the tensor core: commit, wait and fence.
  Issuer,      ///< A commit by the thread that issued it.
};

/// For an access behind another one of the same cells, of kind `before`.
Finding describeAccess(Missing missing, AccessKind before, Operation *op,
                       Operation *other);
/// For a dealloc behind an access of its columns.
Finding describeFree(Missing missing, AccessKind before, Operation *op,
                     Operation *other);
/// For an instruction of the tensor core that `count` lanes of a warp issue.
Finding describeIssuers(Operation *op, unsigned warp, unsigned count);
/// For an instruction of all lanes of a warp in the last warp of a block, which
/// has fewer.
Finding describeShortWarp(Operation *op, BlockShape block);
/// Whether an alloc may ask for so many columns (PTX ISA, tcgen05.alloc).
bool isLegalCount(const Effect &alloc, int64_t columns);
/// For one that may not.
Finding describeCount(const Effect &alloc, int64_t columns);
/// For an access of columns that `dealloc` has freed.
Finding describeFreed(Operation *op, Operation *dealloc);

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_FINDINGS_H
