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
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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

/// Warps that the lanes of a layout take, replicas left out, and how many of
/// the replicas are in slabs of other warps.
static std::pair<int64_t, int64_t> countSlabs(Layout layout) {
  int64_t replicas = 1;
  for (const Mode &replica : layout.replicas)
    if (replica.axis == Axis::TLane && replica.stride % 32 == 0 &&
        replica.stride != 0)
      replicas *= replica.extent;
  layout.replicas.clear();
  return {layout.getRange(Axis::TLane).second / 32 + 1, replicas};
}

unsigned mlir::tmem::getNumWarpsOfCTA(TransferOpInterface op) {
  constexpr int64_t maxWarps = 32, perWarpgroup = 4;
  ArrayRef<int32_t> block = getBlockSize(getThreadRoot(op));
  if (!block.empty())
    return std::min<int64_t>(llvm::divideCeil(llvm::product_of(block), 32),
                             2 * maxWarps);
  auto view = cast<ViewType>(op.getViews().front().getType());
  auto [slabs, replicas] = countSlabs(view.getExpandedLayout());
  int64_t places = llvm::product_of(op.getTileShape()) * replicas;
  int64_t warps =
      llvm::divideCeil(places, 32 * op.getVectorType().getDimSize(0));
  warps = std::max(warps, slabs);
  // Where the vectors are of another size than any that there is, that is to be
  // said, not how many warps there would have to be.
  if (warps > perWarpgroup)
    warps = llvm::alignDown(std::min(warps, maxWarps), perWarpgroup);
  return warps;
}
