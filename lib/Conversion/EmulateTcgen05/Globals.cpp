//===- Globals.cpp - Where shared variables lie ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

namespace {

/// Lays variables out so that those of one kernel alone may share addresses
/// with those of another.
class LayoutBuilder {
public:
  explicit LayoutBuilder(ModuleState &state) : state(state) {}

  LogicalResult run();

private:
  LogicalResult collect();
  void findUses();
  void place(LLVM::GlobalOp global, uint64_t &end, uint64_t &alignment);
  static uint64_t getAlignment(LLVM::GlobalOp global);

  ModuleState &state;
  SmallVector<LLVM::GlobalOp> variables; ///< With a size known here.
  SmallVector<LLVM::GlobalOp> dynamic;
  SmallVector<LLVM::LLVMFuncOp> kernels;
  /// The kernels that reach each variable.
  llvm::DenseMap<StringAttr, llvm::SetVector<Operation *>> users;
};

} // namespace

bool mlir::tmem::emulate::isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr("nvvm.kernel");
}

/// Whether the launch decides on the size of the variable.
static bool isDynamic(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0;
}

/// Shared memory has no initial contents.
static bool isUninitialized(LLVM::GlobalOp global) {
  if (Attribute value = global.getValueOrNull())
    return isa<LLVM::UndefAttr, LLVM::PoisonAttr>(value);
  Block *block = global.getInitializerBlock();
  return !block || isa<LLVM::UndefOp, LLVM::PoisonOp>(block->front());
}

LogicalResult LayoutBuilder::collect() {
  bool isValid = true;
  for (auto global : state.module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != SharedSpace)
      continue;
    if (!isUninitialized(global)) {
      isValid = false;
      (void)state.refuse(global, "an initial value in shared memory");
    }
    (isDynamic(global) ? dynamic : variables).push_back(global);
  }
  for (auto function : state.module.getOps<LLVM::LLVMFuncOp>())
    if (isKernel(function) && !function.isExternal())
      kernels.push_back(function);
  return success(isValid);
}

/// Follows calls, and any other mention of a symbol, from the kernels.
void LayoutBuilder::findUses() {
  llvm::DenseMap<StringAttr, SmallVector<StringAttr>> mentioned;
  for (Operation &op : *state.module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    SmallVector<StringAttr> &names = mentioned[symbol.getNameAttr()];
    op.walk([&](Operation *inner) {
      if (auto address = dyn_cast<LLVM::AddressOfOp>(inner))
        names.push_back(address.getGlobalNameAttr().getAttr());
      else if (auto call = dyn_cast<LLVM::CallOp>(inner))
        if (call.getCallee())
          names.push_back(call.getCalleeAttr().getAttr());
    });
  }
  for (LLVM::LLVMFuncOp kernel : kernels) {
    llvm::SetVector<StringAttr> reached;
    reached.insert(kernel.getSymNameAttr());
    for (size_t i = 0; i < reached.size(); ++i) {
      users[reached[i]].insert(kernel);
      auto found = mentioned.find(reached[i]);
      if (found != mentioned.end())
        reached.insert(found->second.begin(), found->second.end());
    }
  }
}

uint64_t LayoutBuilder::getAlignment(LLVM::GlobalOp global) {
  uint64_t natural = getTypeExtent(global.getGlobalType()).alignment;
  return std::max<uint64_t>(natural, global.getAlignment().value_or(1));
}

void LayoutBuilder::place(LLVM::GlobalOp global, uint64_t &end,
                          uint64_t &alignment) {
  uint64_t own = getAlignment(global);
  uint64_t offset = llvm::alignTo(end, own);
  state.shared.offsets[global.getSymNameAttr()] = offset;
  end = offset + getTypeExtent(global.getGlobalType()).bytes;
  alignment = std::max(alignment, own);
}

LogicalResult LayoutBuilder::run() {
  if (failed(collect()))
    return failure();
  if (!variables.empty() || !dynamic.empty())
    findUses();
  // What several kernels use, or none, comes first.
  uint64_t commonEnd = 0;
  uint64_t alignment = SharedLayout::Kernel().alignment;
  auto getOnlyUser = [&](LLVM::GlobalOp global) -> Operation * {
    auto &known = users[global.getSymNameAttr()];
    return known.size() == 1 ? known.front() : nullptr;
  };
  for (LLVM::GlobalOp global : variables)
    if (!getOnlyUser(global))
      place(global, commonEnd, alignment);
  llvm::DenseMap<Operation *, uint64_t> ends;
  for (LLVM::GlobalOp global : variables)
    if (Operation *kernel = getOnlyUser(global))
      place(global, ends.try_emplace(kernel, commonEnd).first->second,
            alignment);
  for (LLVM::GlobalOp global : dynamic)
    alignment = std::max(alignment, getAlignment(global));

  // A function with dynamic shared memory may serve several kernels: it starts
  // at the same place in all of them.
  auto usesDynamic = [&](Operation *kernel) {
    return llvm::any_of(dynamic, [&](LLVM::GlobalOp global) {
      return users[global.getSymNameAttr()].contains(kernel);
    });
  };
  uint64_t dynamicBegin = 0;
  auto getEnd = [&](Operation *kernel) {
    auto found = ends.find(kernel);
    return llvm::alignTo(found == ends.end() ? commonEnd : found->second,
                         alignment);
  };
  for (LLVM::LLVMFuncOp kernel : kernels)
    if (usesDynamic(kernel))
      dynamicBegin = std::max(dynamicBegin, getEnd(kernel));
  for (LLVM::GlobalOp global : dynamic)
    state.shared.offsets[global.getSymNameAttr()] = dynamicBegin;
  for (LLVM::LLVMFuncOp kernel : kernels)
    state.shared.kernels[kernel.getSymNameAttr()] = {
        usesDynamic(kernel) ? dynamicBegin : getEnd(kernel), alignment};
  return success();
}

LogicalResult mlir::tmem::emulate::layOutSharedMemory(ModuleState &state) {
  return LayoutBuilder(state).run();
}
