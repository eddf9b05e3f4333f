//===- AlignSharedMemory.cpp - What LLVM counts on ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMALIGNSHAREDMEMORY
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;

namespace {
struct AlignSharedMemory
    : public tmem::impl::TMemAlignSharedMemoryBase<AlignSharedMemory> {
  void runOnOperation() override {
    constexpr unsigned sharedSpace = 3, alignment = 16;
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == sharedSpace && !global.getAlignment())
        global.setAlignment(alignment);
  }
};
} // namespace
