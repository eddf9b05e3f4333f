//===- Registers.cpp - Where the registers of raw loads go ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw load gives a value before its registers are written. Casts and
// extractions name the same registers. Loops, branches and what is put together
// of several loads hold different ones at different times: those are sets of
// registers of their own, and the graph has events that say what they get.
// To call a function, to return from one, or to select is to read: PTX passes
// parameters through instructions, unless the call is inlined before.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "Reads.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// What is handed on
//===----------------------------------------------------------------------===//

namespace {
/// Operands that an operation hands to block arguments or results, unread.
struct Handover {
  ValueRange to;
  OperandRange from;
};
using Handovers = SmallVector<Handover, 2>;
} // namespace

/// What a structured operation gives to its regions and results when it is
/// entered, and what the end of a region gives to those.
static void addToRegions(Operation *op, Handovers &handovers) {
  SmallVector<RegionSuccessor> successors;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor successor : successors)
      handovers.push_back({successor.getSuccessorInputs(),
                           branch.getEntrySuccessorOperands(successor)});
    return;
  }
  auto end = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  auto parent = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp());
  if (!end || !parent)
    return;
  parent.getSuccessorRegions(RegionBranchPoint(end), successors);
  for (RegionSuccessor successor : successors)
    handovers.push_back(
        {successor.getSuccessorInputs(),
         end.getMutableSuccessorOperands(successor).getAsOperandRange()});
}

/// What a branch between blocks gives to one of them.
static void addToBlock(Operation *op, unsigned successor,
                       Handovers &handovers) {
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return;
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  handovers.push_back({op->getSuccessor(successor)->getArguments().drop_front(
                           operands.getProducedOperandCount()),
                       operands.getForwardedOperands()});
}

/// All that have operands.
static Handovers getHandovers(Operation *op) {
  Handovers handovers;
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    addToRegions(op, handovers);
  for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
    addToBlock(op, i, handovers);
  llvm::erase_if(handovers, [](const Handover &handover) {
    return handover.from.empty();
  });
  return handovers;
}

bool mlir::tmem::hazards::handsOn(OpOperand &use,
                                  SmallVectorImpl<Value> &targets) {
  bool isHandedOn = false;
  for (const Handover &handover : getHandovers(use.getOwner())) {
    unsigned index =
        use.getOperandNumber() - handover.from.getBeginOperandIndex();
    isHandedOn |= index < handover.from.size();
    if (index < std::min(handover.from.size(), handover.to.size()))
      targets.push_back(handover.to[index]);
  }
  return isHandedOn;
}

//===----------------------------------------------------------------------===//
// Carriers
//===----------------------------------------------------------------------===//

static bool mayLoad(Operation *op) {
  return isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op) ||
         op->getName().getStringRef().starts_with("nvvm.tcgen05.ld");
}

/// Finds the values of a function that may hold registers of raw loads.
void GraphBuilder::findCarriers(Operation *function) {
  if (!followed.insert(function).second)
    return;
  SmallVector<OpOperand *> worklist;
  SmallVector<Value> targets;
  SmallVector<Effect, 2> effects;
  auto add = [&](Value value) {
    if (carriers.insert(value).second)
      for (OpOperand &use : value.getUses())
        worklist.push_back(&use);
  };
  function->walk([&](Operation *op) {
    if (!mayLoad(op))
      return;
    effects.clear();
    classify(op, effects);
    if (llvm::any_of(effects, [](const Effect &effect) {
          return effect.kind == EventKind::Load && effect.repeat != 0;
        }))
      llvm::for_each(op->getResults(), add);
  });
  while (!worklist.empty()) {
    OpOperand *use = worklist.pop_back_val();
    if (isRegisterMove(use->getOwner()))
      llvm::for_each(use->getOwner()->getResults(), add);
    targets.clear();
    handsOn(*use, targets);
    llvm::for_each(targets, add);
  }
}

//===----------------------------------------------------------------------===//
// Sets of registers
//===----------------------------------------------------------------------===//

/// The set that a value names, or 0 if it holds nothing that a load fills.
unsigned GraphBuilder::getRegisters(Value value) {
  if (!carriers.contains(value))
    return 0;
  auto [it, isNew] = registers.try_emplace({value, frame}, 0);
  Operation *op = value.getDefiningOp();
  if (isNew && (!op || op->getNumRegions() != 0))
    it->second = ++graph.numRegisters;
  return it->second;
}

Event &GraphBuilder::addEvent(EventKind kind, Operation *op) {
  unsigned index = graph.events.size();
  graph.nodes[current].events.push_back(index);
  graph.sites[unsigned(kind)].push_back({current, index});
  Event &event = graph.events.emplace_back();
  event.kind = kind;
  event.op = op;
  event.frame = frame;
  return event;
}

/// Collects which sets get which ones.
void GraphBuilder::handOver(ValueRange to, ValueRange from,
                            SmallVectorImpl<unsigned> &moved) {
  for (auto [target, source] : llvm::zip(to, from))
    if (unsigned set = getRegisters(target))
      moved.append({set, getRegisters(source)});
}

void GraphBuilder::handOverToRegions(Operation *op) {
  if (carriers.empty())
    return;
  Handovers handovers;
  addToRegions(op, handovers);
  SmallVector<unsigned, 1> moved;
  for (const Handover &handover : handovers)
    handOver(handover.to, handover.from, moved);
  if (!moved.empty())
    addEvent(EventKind::RegisterMove, op).registers = std::move(moved);
}

/// The node to enter instead of a block's: there, the block gets its arguments.
/// Without `successor` they are those of each way that leads to the block.
unsigned GraphBuilder::handOverToBlock(Operation *branch, Block *target,
                                       unsigned node, int successor) {
  if (llvm::none_of(target->getArguments(), [&](Value argument) {
        return carriers.contains(argument);
      }))
    return node;
  Handovers handovers;
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    if (branch->getSuccessor(i) == target &&
        (successor < 0 || unsigned(successor) == i))
      addToBlock(branch, i, handovers);
  unsigned outer = current, between = addNode();
  current = between;
  SmallVector<unsigned, 1> moved;
  for (const Handover &handover : handovers)
    handOver(handover.to, handover.from, moved);
  addEvent(EventKind::RegisterMove, branch).registers = std::move(moved);
  current = outer;
  link(between, node);
  return between;
}

/// A value that is put together, or names a part of another one.
void GraphBuilder::moveRegisters(Operation *op) {
  SmallVector<unsigned, 2> sources;
  for (Value operand : op->getOperands())
    if (unsigned source = getRegisters(operand))
      sources.push_back(source);
  llvm::sort(sources);
  sources.erase(llvm::unique(sources), sources.end());
  if (sources.empty())
    return;
  unsigned result = sources.front();
  if (sources.size() > 1) {
    result = ++graph.numRegisters;
    SmallVector<unsigned, 1> moved;
    for (unsigned source : sources)
      moved.append({result, source});
    addEvent(EventKind::RegisterMove, op).registers = std::move(moved);
    graph.parts[result].assign(sources.begin(), sources.end());
  }
  for (Value value : op->getResults())
    registers[{value, frame}] = result;
}

/// Operands that an operation may read while a load is under way.
static llvm::BitVector getRead(Operation *op) {
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return getEarlyOperands(assembly);
  llvm::BitVector read(op->getNumOperands(), true);
  for (const Handover &handover : getHandovers(op)) {
    unsigned begin = handover.from.getBeginOperandIndex();
    read.reset(begin, begin + handover.from.size());
  }
  return read;
}

void GraphBuilder::visitUses(Operation *op) {
  if (carriers.empty() || llvm::none_of(op->getOperands(), [&](Value operand) {
        return carriers.contains(operand);
      }))
    return;
  if (isRegisterMove(op))
    return moveRegisters(op);
  SmallVector<unsigned, 1> read;
  for (unsigned index : getRead(op).set_bits())
    if (unsigned source = getRegisters(op->getOperand(index)))
      read.push_back(source);
  llvm::sort(read);
  read.erase(llvm::unique(read), read.end());
  if (!read.empty())
    addEvent(EventKind::RegisterUse, op).registers = std::move(read);
}
