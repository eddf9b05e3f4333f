//===- RequireBlockSize.cpp - The block that a kernel is written for ------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/Transforms/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMREQUIREBLOCKSIZE
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using NVVM::NVVMDialect;

namespace {
struct RequireBlockSize
    : public tmem::impl::TMemRequireBlockSizeBase<RequireBlockSize> {
  void runOnOperation() override {
    StringRef maximum = NVVMDialect::getMaxntidAttrName();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      Attribute size = function->getAttr("gpu.known_block_size");
      // A maximum of its own stays: the two directives exclude each other.
      if (!size || function->getAttr(maximum) != size)
        continue;
      function->removeAttr(maximum);
      function->setAttr(NVVMDialect::getReqntidAttrName(), size);
    }
  }
};
} // namespace
