//===- KernelUtils.cpp - The kernel around an operation -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/KernelUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;

Operation *mlir::tmem::getThreadRoot(Operation *op) {
  Operation *root = op->getParentOp();
  while (root && !isa<FunctionOpInterface, gpu::LaunchOp>(root))
    root = root->getParentOp();
  return root;
}

ArrayRef<int32_t> mlir::tmem::getBlockSize(Operation *root) {
  for (StringRef name :
       {"known_block_size", "gpu.known_block_size", "nvvm.reqntid"})
    if (root && root->hasAttrOfType<DenseI32ArrayAttr>(name))
      return root->getAttrOfType<DenseI32ArrayAttr>(name).asArrayRef();
  return {};
}
