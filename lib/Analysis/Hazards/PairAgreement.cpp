//===- PairAgreement.cpp - What the CTAs of a pair agree on ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is the same in both CTAs if all that it is computed from is, and so
// are the conditions that choose. What is the same is a list.
//
//===----------------------------------------------------------------------===//

#include "PairAgreement.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Blocks and branches of a function that are held against each other.
static constexpr size_t maxReached = 1 << 16;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static bool isSameRegister(StringRef name) {
  return llvm::any_of(ArrayRef<StringRef>{"tid.", "ntid.", "nctaid.", "laneid",
                                          "warpsize", "clusterid.",
                                          "nclusterid.", "cluster.nctaid.",
                                          "cluster.nctarank"},
                      [&](StringRef known) { return name.starts_with(known); });
}

/// Of operations and intrinsics behind "nvvm.": registers, and what hands
/// values from lane to lane.
static bool isSameInstruction(StringRef name) {
  if (name.consume_front("read.ptx.sreg."))
    return isSameRegister(name);
  return name.starts_with("shfl.sync") || name.starts_with("vote.") ||
         name.starts_with("redux.");
}

/// Whether a result says no more than the operands do.
static bool followsFromOperands(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    StringRef intrinsic = call.getIntrin();
    return intrinsic.consume_front("llvm.nvvm.") &&
           isSameInstruction(intrinsic);
  }
  if (name.consume_front("nvvm."))
    return isSameInstruction(name);
  if (name.starts_with("gpu."))
    return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::LaneIdOp,
               gpu::SubgroupIdOp, gpu::NumSubgroupsOp, gpu::SubgroupSizeOp,
               gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::ClusterDimBlocksOp,
               gpu::ShuffleOp, gpu::SubgroupReduceOp>(op);
  if (isa<LLVM::UndefOp, LLVM::PoisonOp>(op) || name == "ub.poison")
    return false;
  return isPure(op) && op->getNumRegions() == 0 && !isa<CallOpInterface>(op);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// What a terminator chooses by, or null.
static Value getSelector(Block &block) {
  Operation *last = block.empty() ? nullptr : &block.back();
  return last && last->getNumSuccessors() > 1 ? last->getOperand(0) : Value();
}

static void addSelectors(Region &region, Frame *frame,
                         SmallVectorImpl<std::pair<Value, Frame *>> &sources) {
  for (Block &block : region)
    if (Value selector = getSelector(block))
      sources.push_back({selector, frame});
}

bool PairAgreement::collectArgument(BlockArgument argument, Frame *frame,
                                    Worklist &sources) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  unsigned index = argument.getArgNumber();
  auto add = [&](Value value) { sources.push_back({value, frame}); };
  if (!block->isEntryBlock()) {
    addSelectors(*block->getParent(), frame, sources);
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch)
        return false;
      Value from = branch.getSuccessorOperands(it.getSuccessorIndex())[index];
      if (!from)
        return false;
      add(from);
    }
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      add(bound);
    if (index != 0) {
      add(loop.getInitArgs()[index - 1]);
      add(loop.getYieldedValues()[index - 1]);
    }
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    scf::ConditionOp condition = loop.getConditionOp();
    add(condition.getCondition());
    if (block == loop.getAfterBody()) {
      add(condition.getArgs()[index]);
      return true;
    }
    add(loop.getInits()[index]);
    add(loop.getYieldOp()->getOperand(index));
    return true;
  }
  if (isa<gpu::LaunchOp>(parent)) // Ids of threads, and sizes.
    return index >= 3 && index < 12;
  if (!isa<FunctionOpInterface>(parent))
    return false;
  if (parent != frame->function || !frame->call)
    return parent == frame->function;
  if (index >= frame->call->getNumOperands())
    return false;
  sources.push_back({frame->call->getOperand(index), frame->parent});
  return true;
}

/// What a function that is followed returns.
bool PairAgreement::collectReturned(OpResult result, Frame *frame,
                                    Worklist &sources) {
  Frame *callee =
      evaluator.getCallee(cast<CallOpInterface>(result.getOwner()), frame);
  if (!callee)
    return false;
  Region &body = callee->function->getRegion(0);
  addSelectors(body, callee, sources);
  for (Block &block : body)
    if (Operation *last = block.getTerminator();
        last->getNumSuccessors() == 0 &&
        last->getNumOperands() > result.getResultNumber())
      sources.push_back({last->getOperand(result.getResultNumber()), callee});
  return true;
}

bool PairAgreement::collectResult(OpResult result, Frame *frame,
                                  Worklist &sources) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  auto add = [&](Value value) { sources.push_back({value, frame}); };
  auto addYields = [&]() {
    for (Region &region : op->getRegions())
      if (!region.empty())
        add(region.front().getTerminator()->getOperand(index));
    return true;
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::IfOp branch) {
        add(branch.getCondition());
        return addYields();
      })
      .Case([&](scf::IndexSwitchOp branch) {
        add(branch.getArg());
        return addYields();
      })
      .Case([&](scf::ForOp loop) {
        add(loop.getInitArgs()[index]);
        for (Value bound :
             {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
          add(bound);
        return addYields();
      })
      .Case([&](scf::WhileOp loop) {
        add(loop.getConditionOp().getCondition());
        add(loop.getConditionOp().getArgs()[index]);
        return true;
      })
      .Case<CallOpInterface>([&](auto) {
        if (!isa<LLVM::CallIntrinsicOp>(op))
          return collectReturned(result, frame, sources);
        for (Value operand : op->getOperands())
          add(operand);
        return followsFromOperands(op);
      })
      .Default([&](Operation *) {
        for (Value operand : op->getOperands())
          add(operand);
        return followsFromOperands(op);
      });
}

bool PairAgreement::collectSources(Value value, Frame *frame,
                                   Worklist &sources) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return collectArgument(argument, frame, sources);
  return collectResult(cast<OpResult>(value), frame, sources);
}

/// Once for all that it is computed from: in a circle each is as the others.
bool PairAgreement::isSame(Value value, Frame *frame) {
  Worklist worklist{{value, frame}};
  DenseSet<Key> seen;
  while (!worklist.empty()) {
    Key key = worklist.pop_back_val();
    if (same.contains(key) || !seen.insert(key).second)
      continue;
    if (different.contains(key) ||
        !collectSources(key.first, key.second, worklist)) {
      different.insert(key);
      different.insert({value, frame});
      return false;
    }
  }
  same.insert(seen.begin(), seen.end());
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether no branch between blocks that may go another way in the other CTA
/// decides on `block`.
bool PairAgreement::isBranchSame(Block *block, Frame *frame) {
  size_t numReached = 0;
  for (Block &branch : *block->getParent()) {
    Value selector = getSelector(branch);
    if (!selector || postDominance.postDominates(block, &branch) ||
        isSame(selector, frame))
      continue;
    SmallVector<Block *> worklist(branch.getSuccessors());
    llvm::SmallPtrSet<Block *, 16> seen;
    while (!worklist.empty()) {
      Block *next = worklist.pop_back_val();
      if (next == block || ++numReached > maxReached)
        return false;
      if (seen.insert(next).second)
        llvm::append_range(worklist, next->getSuccessors());
    }
  }
  return true;
}

bool PairAgreement::isExecutedBySame(Operation *op, Frame *frame) {
  while (true) {
    if (!op->getBlock()->getParent()->hasOneBlock() &&
        !isBranchSame(op->getBlock(), frame))
      return false;
    op = op->getParentOp();
    if (op == frame->function) {
      if (!frame->call)
        return true;
      op = frame->call;
      frame = frame->parent;
      continue;
    }
    auto is = [&](Value value) { return isSame(value, frame); };
    bool isDecided =
        TypeSwitch<Operation *, bool>(op)
            .Case([&](scf::IfOp branch) { return is(branch.getCondition()); })
            .Case(
                [&](scf::IndexSwitchOp branch) { return is(branch.getArg()); })
            .Case([&](scf::ForOp loop) {
              return is(loop.getLowerBound()) && is(loop.getUpperBound()) &&
                     is(loop.getStep());
            })
            .Case([&](scf::WhileOp loop) {
              return is(loop.getConditionOp().getCondition());
            })
            .Case<scf::ExecuteRegionOp, gpu::WarpExecuteOnLane0Op>(
                [](auto) { return true; })
            .Default([](Operation *) { return false; });
    if (!isDecided)
      return false;
  }
}
