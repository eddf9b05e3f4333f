//===- Uniformity.cpp - What threads know alike ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/Uniformity.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem;

/// Of "mov.u32 $0, %laneid;".
static std::optional<std::string> getMovedRegister(StringRef text) {
  text = text.trim();
  text.consume_back(";");
  bool isMove =
      llvm::any_of(ArrayRef<StringRef>{"mov.u32", "mov.b32", "mov.s32",
                                       "mov.u64", "mov.b64", "mov.s64"},
                   [&](StringRef move) { return text.consume_front(move); });
  text = text.ltrim();
  if (!isMove || !text.consume_front("$0"))
    return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front(","))
    return std::nullopt;
  text = text.trim();
  if (!text.consume_front("%") || text.empty())
    return std::nullopt;
  std::string name;
  for (char c : text) {
    if (!llvm::isAlnum(c) && c != '.' && c != '_')
      return std::nullopt;
    name += c == '_' ? '.' : c;
  }
  return name;
}

std::optional<std::string> mlir::tmem::getSpecialRegister(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() != 0)
    return std::nullopt;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return getMovedRegister(assembly.getAsmString());
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    name = call.getIntrin();
    name.consume_front("llvm.");
  }
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return std::nullopt;
  return name.str();
}

/// Ids of what a block is in, and sizes. Those of what it runs on may change.
static bool isOfBlock(StringRef name) {
  StringRef plain = name;
  plain.consume_front("cluster.");
  plain = plain.split('.').first;
  return name.ends_with(".smem.size") || name.starts_with("envreg") ||
         llvm::is_contained({"ctaid", "nctaid", "ntid", "clusterid",
                             "nclusterid", "ctarank", "nctarank", "gridid",
                             "warpsize"},
                            plain);
}

/// Each use of it may see another value.
static bool isAnything(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isa<LLVM::UndefOp, LLVM::PoisonOp>(op) || name == "ub.poison";
}

bool mlir::tmem::isBlockConstant(Operation *op) {
  if (op->getNumOperands() != 0 || isAnything(op))
    return false;
  if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::ClusterIdOp,
          gpu::ClusterDimOp, gpu::ClusterDimBlocksOp, gpu::ClusterBlockIdOp,
          gpu::NumSubgroupsOp, gpu::SubgroupSizeOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  std::optional<std::string> name = getSpecialRegister(op);
  return name && isOfBlock(*name);
}

/// Instructions that ask for nothing but their operands. A name with % may be a
/// special register; other words stand for what lanes have of their own, for
/// barriers and their tests, and for loads of what others change meanwhile.
static bool isFunctionOfOperands(StringRef text) {
  static constexpr StringLiteral words[] = {
      "%",         "activemask", "elect",   "match",   "redux",  "shfl",
      "vote",      "mma",        "matrix",  "tcgen05", ".local", "alloca",
      "stacksave", "call",       "atom",    "bar",     "_wait",  "ld_reduce",
      ".volatile", ".relaxed",   ".acquire"};
  return llvm::none_of(words,
                       [&](StringRef word) { return text.contains(word); });
}

bool mlir::tmem::isFunctionOfOperands(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumRegions() != 0 ||
      !op->isRegistered())
    return false;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return ::isFunctionOfOperands(assembly.getAsmString());
  StringRef name = op->getName().getStringRef();
  if (name == "nvvm.inline_ptx") {
    auto text = op->getAttrOfType<StringAttr>("ptxCode");
    return text && ::isFunctionOfOperands(text.getValue());
  }
  if (isa<LLVM::CallIntrinsicOp>(op))
    return false;
  if (name.consume_front("nvvm."))
    return name.starts_with("mapa") || name.starts_with("prmt") ||
           name.starts_with("tcgen05.mma_smem_desc");
  return llvm::is_contained({"affine", "arith", "builtin", "complex", "index",
                             "llvm", "math", "memref", "tensor", "tmem",
                             "vector"},
                            op->getName().getDialectNamespace());
}

bool mlir::tmem::isSameForSameOperands(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupBroadcastOp>(op))
    return result.getResultNumber() == 0;
  return isFunctionOfOperands(op);
}
