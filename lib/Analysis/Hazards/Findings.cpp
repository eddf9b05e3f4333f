//===- Findings.cpp - What is told of a kernel ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "tmem/Target/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// What a warp does itself. What the tensor core does lacks its completion, or
/// its issuer, which are described without.
static std::string describe(AccessKind kind) {
  return kind == AccessKind::Load ? "load" : "store";
}

/// A load or store of the same thread that is not waited for.
static Finding describeOwn(AccessKind before, Operation *op, Operation *other) {
  bool stored = before == AccessKind::Store;
  std::string wait = stored ? "wait::st" : "wait::ld";
  return {Rule::H12,
          op,
          "expected a " + wait + " between this and the " +
              (stored ? "store to" : "load of") +
              " the same cells, but got none",
          other,
          stored ? "stored here" : "loaded here",
          "put a " + wait + " behind the " + (stored ? "store" : "load")};
}

static Finding describeIssuer(Operation *op, Operation *other) {
  return {
      Rule::H18,
      op,
      "expected a commit by the thread that issued the tensor core's access "
      "before this, but got one by another lane of its warp",
      other,
      "issued here",
      "let one elected thread issue both"};
}

Finding mlir::tmem::hazards::describeIssuers(Operation *op, unsigned warp,
                                             unsigned count) {
  return {Rule::H18,
          op,
          "expected one lane of a warp to issue it, but got " +
              std::to_string(count) + " of warp " + std::to_string(warp),
          nullptr,
          "",
          "let one elected thread issue it, and its commit"};
}

Finding mlir::tmem::hazards::describeAccess(Missing missing, AccessKind before,
                                            Operation *op, Operation *other) {
  std::string kind = describe(before);
  switch (missing) {
  case Missing::OwnWait:
    return describeOwn(before, op, other);
  case Missing::Completion:
    return {Rule::H18,
            op,
            "expected a commit, a wait for its mbarrier and a fence after "
            "between this and the tensor core's access to the cells",
            other,
            "issued here",
            "commit to an mbarrier, wait for it, and execute tmem.fence after"};
  case Missing::Issuer:
    return describeIssuer(op, other);
  case Missing::Wait:
    return {Rule::H3,
            op,
            "expected the " + kind +
                " of another warp to be waited for before the barrier or "
                "arrive that hands its cells over",
            other,
            "its cells are accessed here",
            "wait for the " + kind + " before the barrier"};
  case Missing::Barrier:
    return {Rule::H11,
            op,
            "expected a barrier between this and the " + kind +
                " of another warp of the same cells, but got none",
            other,
            "accessed here by another warp",
            "put tmem.fence before, a barrier and tmem.fence after between the "
            "two"};
  case Missing::FenceBefore:
    return {Rule::H10,
            op,
            "expected a tcgen05.fence before the barrier behind the " + kind +
                " of another warp",
            other,
            "accessed here by another warp",
            "execute tmem.fence before in front of the barrier or arrive"};
  case Missing::FenceAfter:
    return {Rule::H10,
            op,
            "expected a tcgen05.fence after the barrier behind the " + kind +
                " of another warp",
            other,
            "accessed here by another warp",
            "execute tmem.fence after behind the barrier or wait"};
  }
  llvm_unreachable("something that is missing");
}

Finding mlir::tmem::hazards::describeFree(Missing missing, AccessKind before,
                                          Operation *op, Operation *other) {
  std::string kind = describe(before);
  if (missing == Missing::Issuer)
    return describeIssuer(op, other);
  if (missing == Missing::Completion)
    return {Rule::H18,
            op,
            "expected a commit and a wait for its mbarrier between this and "
            "the tensor core's access to the columns",
            other,
            "issued here",
            "commit to an mbarrier and wait for it"};
  if (missing == Missing::Barrier)
    return {Rule::H2,
            op,
            "expected a barrier between this and the " + kind +
                " of another warp",
            other,
            "accessed here by another warp",
            "put a barrier of all warps in front of the dealloc"};
  bool isOwn = missing == Missing::OwnWait;
  return {isOwn ? Rule::H2 : Rule::H3,
          op,
          "expected the " + kind +
              " to be waited for before its columns are freed",
          other,
          "accessed here",
          isOwn ? "wait for it before the dealloc"
                : "wait for it before the barrier or arrive"};
}

Finding mlir::tmem::hazards::describeShortWarp(Operation *op,
                                               BlockShape block) {
  return {Rule::H13,
          op,
          "expected all 32 lanes of warp " +
              std::to_string(block.getNumWarps() - 1) +
              " to execute it, but the warp has only " +
              std::to_string(block.getNumThreads() % warpSize),
          nullptr,
          "",
          "launch a multiple of 32 threads"};
}

bool mlir::tmem::hazards::isLegalCount(const Effect &alloc, int64_t columns) {
  int64_t most = alloc.isExclusive ? getMaxColumns() : getMaxPlainColumns();
  return columns >= 32 && columns <= most && columns % 32 == 0 &&
         (alloc.isExclusive || llvm::isPowerOf2_64(columns));
}

Finding mlir::tmem::hazards::describeCount(const Effect &alloc,
                                           int64_t columns) {
  int64_t most = alloc.isExclusive ? getMaxColumns() : getMaxPlainColumns();
  return {
      Rule::C1,
      alloc.op,
      "expected a " +
          std::string(alloc.isExclusive ? "multiple of 32" : "power of two") +
          " from 32 to " + std::to_string(most) + " columns, but got " +
          std::to_string(columns),
      nullptr,
      "",
      "round it up, and free as many"};
}

Finding mlir::tmem::hazards::describeFreed(Operation *op, Operation *dealloc) {
  return {Rule::H1,
          op,
          "expected columns that are allocated, but they have been freed",
          dealloc,
          "freed here",
          "free them behind the last access"};
}
