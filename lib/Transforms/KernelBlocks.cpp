//===- KernelBlocks.cpp - With what blocks kernels run --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBlocks.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

static constexpr StringRef noSize = "nothing in sight says its size";
static constexpr StringRef onlyLimit = "maxntid is a limit, and no launch is "
                                       "in sight";
static constexpr StringRef computedSize = "a launch computes its size";

static std::optional<BlockShape> getBlockOf(gpu::KernelDim3 size) {
  BlockShape shape;
  for (auto [dim, value] :
       llvm::enumerate(ArrayRef<Value>{size.x, size.y, size.z})) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return std::nullopt;
    // More than fits is more than a block can have.
    shape.size[dim] =
        std::clamp<int64_t>(constant.getSExtValue(), INT32_MIN, INT32_MAX);
  }
  return shape;
}

static BlockShape makeBlock(ArrayRef<int32_t> sizes) {
  BlockShape shape;
  shape.size = {1, 1, 1};
  for (auto [dim, size] : llvm::enumerate(sizes.take_front(3)))
    shape.size[dim] = size;
  return shape;
}

/// As many warpgroups as the transfers speak of, or a warp where nothing tells
/// threads apart.
static BlockShape guessBlock(Operation *kernel) {
  bool dependsOnThread = false, hasScope = false;
  int64_t warps = 4;
  kernel->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    dependsOnThread |= isa<gpu::ThreadIdOp, gpu::SubgroupIdOp>(op) ||
                       name.starts_with("nvvm.read.ptx.sreg.tid") ||
                       isa<CallOpInterface>(op);
    if (auto transfer = dyn_cast<TransferOpInterface>(op)) {
      Scope scope = transfer.getScope().getScope();
      hasScope |= scope.kind != ScopeKind::Warp;
      if (transfer.isSelected())
        if (auto *plan = std::get_if<TransferPlan>(&transfer.getPlan()))
          warps = std::max<int64_t>(warps, plan->numWarps);
    }
  });
  int32_t count = dependsOnThread || hasScope ? warps * warpSize : warpSize;
  return makeBlock(count);
}

static bool isPossible(ArrayRef<int32_t> sizes) {
  int64_t count = 1;
  for (int32_t size : sizes)
    count *= std::clamp<int64_t>(size, 0, maxThreads + 1);
  return count >= 1 && count <= maxThreads;
}

/// The limit of a kernel, where it states one, else a guess from what it does.
static void addGuess(Operation *kernel, StringRef why, KernelBlocks &blocks) {
  auto limit = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.maxntid");
  bool isLimited = limit && isPossible(limit.asArrayRef());
  BlockShape shape =
      isLimited ? makeBlock(limit.asArrayRef()) : guessBlock(kernel);
  blocks.guess = isLimited && why == noSize ? onlyLimit : why;
  llvm::erase_if(blocks.shapes, [&](const BlockShape &other) {
    return other.size == shape.size;
  });
  blocks.shapes.push_back(shape);
}

LaunchedBlocks::LaunchedBlocks(ArrayRef<gpu::LaunchFuncOp> all) {
  for (gpu::LaunchFuncOp launch : all)
    launches[launch.getKernelName()].push_back(launch);
}

/// Those in sight.
SmallVector<gpu::LaunchFuncOp, 1>
LaunchedBlocks::getLaunches(Operation *kernel) const {
  auto name = dyn_cast<SymbolOpInterface>(kernel);
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  auto it = name ? launches.find(name.getNameAttr()) : launches.end();
  SmallVector<gpu::LaunchFuncOp, 1> found;
  if (it != launches.end())
    llvm::copy_if(it->second, std::back_inserter(found),
                  [&](gpu::LaunchFuncOp launch) {
                    return !module ||
                           launch.getKernelModuleName() == module.getNameAttr();
                  });
  return found;
}

/// Each size with which a launch in sight starts the kernel.
KernelBlocks LaunchedBlocks::getLaunched(Operation *kernel) const {
  KernelBlocks blocks;
  bool isComputed = false;
  for (gpu::LaunchFuncOp launch : getLaunches(kernel)) {
    std::optional<BlockShape> shape =
        getBlockOf(launch.getBlockSizeOperandValues());
    isComputed |= !shape;
    if (shape && llvm::none_of(blocks.shapes, [&](const BlockShape &other) {
          return other.size == shape->size;
        }))
      blocks.shapes.push_back(*shape);
  }
  if (isComputed)
    addGuess(kernel, computedSize, blocks);
  else if (blocks.shapes.empty())
    addGuess(kernel, noSize, blocks);
  return blocks;
}

/// Whether clusters of that size have pairs, or may have: it may be a number
/// that is computed.
static bool mayHavePairs(std::optional<gpu::KernelDim3> size) {
  std::optional<BlockShape> shape = size ? getBlockOf(*size) : makeBlock(1);
  return !shape || llvm::any_of(shape->size,
                                [](int32_t count) { return count % 2 == 0; });
}

bool LaunchedBlocks::isWithoutPairs(Operation *kernel) const {
  // What the kernel says of its clusters holds for every launch.
  for (StringRef name : {"nvvm.cluster_dim", "nvvm.cluster_max_blocks"})
    if (kernel->hasAttr(name))
      return false;
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel))
    return !mayHavePairs(launch.getClusterSizeOperandValues());
  return llvm::any_of(getLaunches(kernel), [](gpu::LaunchFuncOp launch) {
    std::optional<gpu::KernelDim3> size;
    if (launch.hasClusterSize())
      size = launch.getClusterSizeOperandValues();
    return !mayHavePairs(size);
  });
}

KernelBlocks LaunchedBlocks::get(Operation *kernel, unsigned threads) const {
  if (threads != 0)
    return {{makeBlock(int32_t(threads))}, ""};
  if (auto launch = dyn_cast<gpu::LaunchOp>(kernel)) {
    if (auto shape = getBlockOf(launch.getBlockSizeOperandValues()))
      return {{*shape}, ""};
    KernelBlocks blocks;
    addGuess(kernel, computedSize, blocks);
    return blocks;
  }
  ArrayRef<int32_t> stated = getBlockSize(kernel);
  if (!stated.empty())
    return {{makeBlock(stated)}, ""};
  return getLaunched(kernel);
}

std::string mlir::tmem::describeBlock(const BlockShape &shape) {
  std::string text = std::to_string(shape.size[0]);
  for (unsigned dim : {1, 2})
    if (shape.size[1] != 1 || shape.size[2] != 1)
      text += " x " + std::to_string(shape.size[dim]);
  return text + " threads";
}
