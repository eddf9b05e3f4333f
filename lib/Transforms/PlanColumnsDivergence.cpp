//===- PlanColumnsDivergence.cpp - Whether the threads keep together ------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier that all threads execute says that all of them are in one part of
// the kernel. What may keep some of them from it is control flow that depends
// on values that differ between threads: those of thread ids and of whatever is
// calculated from them, of atomics, calls and the like. A load from an address
// that all threads share gives all of them the same.
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/IR/Uniformity.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

// By name: the header of the NVVM dialect takes longer to compile than all of
// this.

/// True when the operands name a barrier of all threads of the CTA: a barrier,
/// and no number of threads or that of the block.
static bool isForAllThreads(Operation *barrier) {
  // The number of each kind of operand: id, threads, predicate.
  auto sizes = barrier->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  APInt id, threads;
  unsigned next = 0;
  if (!sizes || sizes.size() < 2)
    return false;
  if (sizes[0] &&
      !matchPattern(barrier->getOperand(next++), m_ConstantInt(&id)))
    return false;
  if (!sizes[1])
    return true;
  if (!matchPattern(barrier->getOperand(next), m_ConstantInt(&threads)))
    return false;
  Operation *root = getThreadRoot(barrier);
  ArrayRef<int32_t> size = root ? getBlockSize(root) : ArrayRef<int32_t>();
  int64_t all = 1;
  for (int64_t extent : size)
    all *= std::min<int64_t>(std::max<int64_t>(extent, 1), 1 << 16);
  return !size.empty() && threads == all;
}

bool mlir::tmem::isFullBarrier(Operation *op) {
  if (isa<gpu::BarrierOp>(op))
    return true;
  StringRef name = op->getName().getStringRef();
  return name == "nvvm.barrier0" ||
         (name == "nvvm.barrier" &&
          (op->getNumOperands() == 0 || isForAllThreads(op)));
}

/// What orders some warps, but is not looked at here.
static bool isIgnoredSync(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("nvvm.mbarrier.") || name == "nvvm.barrier" ||
         name == "nvvm.barrier.arrive";
}

/// True for barrier 0 of other threads than all, or what may be one.
static bool mayBeOtherBarrier(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "nvvm.barrier" || name == "nvvm.barrier.arrive") {
    APInt id;
    return !isFullBarrier(op) &&
           !(op->getNumOperands() > 0 &&
             matchPattern(op->getOperand(0), m_ConstantInt(&id)) && id != 0);
  }
  auto mentions = [&](StringRef attribute, StringRef text) {
    auto string = op->getAttrOfType<StringAttr>(attribute);
    return string && string.getValue().contains(text);
  };
  if (name == "llvm.call_intrinsic")
    return mentions("intrin", "barrier") || mentions("intrin", ".bar.");
  if (name == "llvm.inline_asm")
    return mentions("asm_string", "bar");
  if (name == "nvvm.inline_ptx")
    return mentions("ptxCode", "bar");
  return false;
}

/// Functions are not entered: what is called may have barriers unless its body
/// shows that there are none, and no calls.
static bool mayCallBarrier(Operation *op, SymbolTableCollection &symbols,
                           llvm::DenseMap<Operation *, bool> &known) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  Operation *callee = call.resolveCallableInTable(&symbols);
  if (!callee)
    return true;
  auto [entry, isNew] = known.try_emplace(callee, true);
  if (!isNew)
    return entry->second;
  bool hasBody = callee->getNumRegions() > 0 && !callee->getRegion(0).empty();
  bool found = !hasBody || callee
                               ->walk([&](Operation *inner) {
                                 return isFullBarrier(inner) ||
                                                mayBeOtherBarrier(inner) ||
                                                isa<CallOpInterface>(inner)
                                            ? WalkResult::interrupt()
                                            : WalkResult::advance();
                               })
                               .wasInterrupted();
  known[callee] = found;
  return found;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// An address of memory that each thread has for itself: the same may stand for
/// another content in each.
static bool isLocalAddress(Type type) {
  constexpr unsigned localSpace = 5; // Of NVPTX.
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == localSpace;
  auto memory = dyn_cast<BaseMemRefType>(type);
  if (!memory)
    return false;
  Attribute space = memory.getMemorySpace();
  if (auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return named.getValue() == gpu::AddressSpace::Private;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return number && number.getValue() == localSpace;
}

/// True when the result may differ between threads with the same operands.
static bool isSourceOfDifference(OpResult result) {
  Operation *op = result.getOwner();
  if (isLocalAddress(result.getType()))
    return true;
  if (op->getNumOperands() == 0)
    return !isBlockConstant(op) && !isa<memref::GetGlobalOp>(op);
  if (isa_and_nonnull<TMemDialect>(op->getDialect()))
    return !isa<ViewOp, SubviewOp, RearrangeOp, AddressOp>(op);
  if (!isSameForSameOperands(result))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return true;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [](const auto &effect) {
    return !isa<MemoryEffects::Read>(effect.getEffect());
  });
}

/// True when the regions may have something else for each thread though the
/// operands are the same: one of an atomic, iterations that are mapped to
/// threads, or those of operations that are not known. Others give what their
/// regions give, and to all threads that come there; what ends a region gives
/// it to the operation around.
static bool hasRegionsByThread(Operation *op) {
  if (isa<gpu::WarpExecuteOnLane0Op>(op) || op->hasAttr("mapping"))
    return true;
  return !isa<RegionBranchOpInterface, gpu::AllReduceOp>(op) &&
         !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

namespace {

/// Finds what differs between threads, and what only some of them execute.
class Divergence {
public:
  explicit Divergence(gpu::GPUFuncOp kernel) : kernel(kernel) {
    kernel.walk([&](Operation *op) {
      if (op != kernel)
        addSources(op);
    });
    for (Value memory : kernel.getPrivateAttributions())
      add(memory);
    for (Value argument : kernel.getArguments())
      if (isLocalAddress(argument.getType()))
        add(argument);
    while (!pending.empty())
      for (OpOperand &use : pending.pop_back_val().getUses())
        visit(use);
  }

  /// True when only some of the threads may execute the operation.
  bool isDivergent(Operation *op) const {
    while (op != kernel) {
      if (blocks.contains(op->getBlock()))
        return true;
      op = op->getParentOp();
      if (regionOps.contains(op))
        return true;
    }
    return false;
  }

  /// True when threads part there.
  bool isDivider(Operation *op) const {
    return regionOps.contains(op) ||
           (op->getNumSuccessors() > 1 && branches.contains(op->getBlock()));
  }

private:
  void add(Value value) {
    if (values.insert(value).second)
      pending.push_back(value);
  }
  void addResults(Operation *op) {
    for (Value result : op->getResults())
      add(result);
  }

  void addSources(Operation *op) {
    if (op->getNumRegions() == 0) {
      for (OpResult result : op->getResults())
        if (isSourceOfDifference(result))
          add(result);
    } else if (hasRegionsByThread(op)) {
      addRegions(op);
    }
  }

  void visit(OpOperand &use) {
    Operation *op = use.getOwner();
    if (forEachForwarded(use, [&](Value input) { add(input); }))
      return;
    if (isRegionEnd(op))
      return addRegions(op->getParentOp());
    if (op->getNumRegions() > 0)
      return addRegions(op);
    if (op->getNumSuccessors() > 1)
      return addBranch(op->getBlock());
    addResults(op);
  }

  bool isRegionEnd(Operation *op) const {
    return op->hasTrait<OpTrait::IsTerminator>() &&
           op->getNumSuccessors() == 0 && op->getParentOp() != kernel;
  }

  /// The regions of an operation are executed by some of the threads, or more
  /// often by some than by others.
  void addRegions(Operation *op) {
    if (!regionOps.insert(op).second)
      return;
    addResults(op);
    // One that ends a region, as that of a reduction.
    if (isRegionEnd(op))
      addRegions(op->getParentOp());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        addBlock(&block);
  }

  /// Values of what not all threads execute may differ behind it.
  void addBlock(Block *block) {
    for (Value argument : block->getArguments())
      add(argument);
    for (Operation &op : *block)
      addResults(&op);
  }

  /// Threads that part at the end of a block meet again at the first one that
  /// all of them come through.
  void addBranch(Block *block) {
    if (!branches.insert(block).second)
      return;
    Region *region = block->getParent();
    Block *meeting = nullptr;
    if (postDominance.hasSSADominance(region))
      if (auto *node = postDominance.getNode(block); node && node->getIDom())
        meeting = node->getIDom()->getBlock();
    if (meeting)
      for (Value argument : meeting->getArguments())
        add(argument);
    SmallVector<Block *> stack(block->getSuccessors());
    llvm::SmallDenseSet<Block *> seen;
    while (!stack.empty()) {
      Block *next = stack.pop_back_val();
      if (next == meeting || !seen.insert(next).second)
        continue;
      if (blocks.insert(next).second)
        addBlock(next);
      // Those who end the region here, and others elsewhere, give each what
      // they have there.
      if (isRegionEnd(next->getTerminator()))
        addResults(region->getParentOp());
      llvm::append_range(stack, next->getSuccessors());
    }
  }

  gpu::GPUFuncOp kernel;
  PostDominanceInfo postDominance;
  llvm::DenseSet<Value> values;
  SmallVector<Value> pending;
  llvm::DenseSet<Operation *> regionOps;
  llvm::DenseSet<Block *> blocks, branches;
};

} // namespace

//===----------------------------------------------------------------------===//
// Convergence
//===----------------------------------------------------------------------===//

Convergence mlir::tmem::analyzeConvergence(gpu::GPUFuncOp kernel) {
  Convergence result;
  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, bool> callees;
  SmallVector<Operation *> barriers, arrivals, returns;
  kernel.walk([&](Operation *op) {
    if (isa<gpu::ReturnOp>(op)) {
      returns.push_back(op);
    } else if (isFullBarrier(op)) {
      barriers.push_back(op);
    } else if (op->getName().getStringRef().starts_with(
                   "nvvm.cluster.arrive")) {
      arrivals.push_back(op);
    } else {
      if (!result.ignoredSync && isIgnoredSync(op))
        result.ignoredSync = op;
      if (!result.doubtfulBarrier &&
          (mayBeOtherBarrier(op) || mayCallBarrier(op, symbols, callees)))
        result.doubtfulBarrier = op;
    }
  });
  // Which threads come where matters to barriers alone.
  if (!barriers.empty() || !arrivals.empty() || result.doubtfulBarrier) {
    Divergence divergence(kernel);
    auto isDivergent = [&](Operation *op) {
      return divergence.isDivergent(op);
    };
    if (auto *it = llvm::find_if(returns, isDivergent); it != returns.end())
      result.divergentReturn = *it;
    if (auto *it = llvm::find_if(barriers, isDivergent);
        it != barriers.end() && !result.doubtfulBarrier)
      result.doubtfulBarrier = *it;
    if (result.doubtfulBarrier || llvm::any_of(arrivals, isDivergent))
      kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (divergence.isDivider(op))
          result.dividers.push_back(op);
      });
  }
  result.hasCommonBarriers = !result.doubtfulBarrier;
  return result;
}
