//===- PlanColumnsWays.cpp - Barriers on ways through a kernel ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumnsWays.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using mlir::tmem::hazards::Instruction;
using mlir::tmem::hazards::readInstructions;

/// Parts beside the numbers of barriers, which are 0 to 15.
enum : uint64_t { ClusterBarrier = 16, Begin, Next, End, Constant, Other };

Answer mlir::tmem::compare(const Way &a, const Way &b) {
  if (!a.isKnown || !b.isKnown)
    return Answer::Unknown;
  if (a.hasPartsOf(b))
    return Answer::Same;
  if (a.mayExit || b.mayExit)
    return Answer::Unknown;
  if ((a.isExact && b.isExact) || (a.isEmpty() && b.hasCertain) ||
      (b.isEmpty() && a.hasCertain))
    return Answer::Different;
  return Answer::Unknown;
}

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

static void add(Operation *op, const Instruction &instruction, Way &way) {
  way.mayExit |= instruction.kind == Instruction::Exit;
  bool isCluster = instruction.kind == Instruction::ClusterArrive;
  if (!isCluster &&
      (instruction.kind != Instruction::Barrier || instruction.hasCount))
    return;
  if (!isCluster && !instruction.number)
    way.isKnown = false;
  else
    way.append(isCluster ? uint64_t(ClusterBarrier) : *instruction.number);
  way.first = way.first ? way.first : op;
  way.hasCertain = true;
}

/// A constant by its value, any other by what it is.
static void addValue(Value value, Way &way) {
  APInt constant;
  bool isConstant = matchPattern(value, m_ConstantInt(&constant));
  way.append(uint64_t(isConstant ? Constant : Other));
  way.append(isConstant ? constant.getZExtValue()
                        : uint64_t(uintptr_t(value.getAsOpaquePointer())));
}

/// True for a loop that has a first turn.
static bool runsBody(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  APInt lower, upper;
  return loop && matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         (loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper));
}

SmallVector<Way> WayFinder::getArms(Operation *divider) {
  SmallVector<Way> arms;
  if (divider->getNumSuccessors() > 1) {
    Block *meeting = getMeeting(divider->getBlock());
    for (Block *successor : divider->getSuccessors())
      arms.push_back(walk(successor, meeting));
    return arms;
  }
  for (Region &region : divider->getRegions())
    arms.push_back(getWay(region));
  return arms;
}

Block *WayFinder::getMeeting(Block *block) {
  Region *region = block->getParent();
  if (postDominance.hasSSADominance(region))
    if (auto *node = postDominance.getNode(block); node && node->getIDom())
      return node->getIDom()->getBlock();
  return nullptr;
}

/// From a block to where threads meet, or to the end.
Way WayFinder::walk(Block *begin, Block *meeting) {
  std::optional<Way> result;
  bool isConsistent = true;
  llvm::DenseMap<Block *, Way> ways;
  SmallVector<Block *> stack;
  // Ways that come to a block with other barriers are not told apart.
  auto enter = [&](Block *block, const Way &way) {
    if (block == meeting) {
      if (result && compare(*result, way) != Answer::Same)
        result->isKnown = false;
      result = result ? result : std::optional(way);
      return;
    }
    auto [entry, isNew] = ways.try_emplace(block, way);
    if (isNew)
      stack.push_back(block);
    else if (compare(entry->second, way) != Answer::Same)
      isConsistent = false;
  };
  enter(begin, Way());
  Way all;
  while (!stack.empty()) {
    Block *block = stack.pop_back_val();
    Way way = ways[block];
    Way inside = getWay(*block);
    all.append(inside);
    way.append(inside);
    for (Block *successor : block->getSuccessors())
      enter(successor, way);
    // The ends of the kernel are led together.
    if (block->hasNoSuccessors() && !meeting &&
        block->getTerminator()->hasTrait<OpTrait::ReturnLike>())
      enter(nullptr, way);
  }
  Way way = result.value_or(Way());
  way.isKnown &= isConsistent;
  way.first = all.first;
  way.mayExit |= all.mayExit;
  return way;
}

Way WayFinder::getWay(Block &block) {
  auto [it, isNew] = blockWays.try_emplace(&block);
  if (!isNew)
    return it->second;
  Way way;
  for (Operation &op : block)
    way.append(getWay(&op));
  return blockWays[&block] = way;
}

Way WayFinder::getWay(Region &region) {
  if (region.empty())
    return {};
  if (region.hasOneBlock())
    return getWay(region.front());
  return walk(&region.front(), nullptr);
}

Way WayFinder::getWay(Operation *op) {
  if (op->getNumRegions() > 0)
    return getWayOfRegions(op);
  Way way;
  for (const Instruction &instruction : readInstructions(op))
    add(op, instruction, way);
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (Operation *callee = call.resolveCallableInTable(&symbols);
        callee && callee->getNumRegions() > 0)
      way.append(getCallee(callee, op));
  return way;
}

Way WayFinder::getCallee(Operation *callee, Operation *call) {
  auto [it, isNew] = calleeWays.try_emplace(callee);
  if (isNew) {
    // What it finds of itself on the way.
    it->second.isKnown = false;
    Way way = getWay(callee->getRegion(0));
    calleeWays[callee] = way;
  }
  Way way = calleeWays[callee];
  if (way.first)
    way.first = call;
  return way;
}

Way WayFinder::getWayOfRegions(Operation *op) {
  SmallVector<Way> arms;
  Way way;
  for (Region &region : op->getRegions()) {
    arms.push_back(getWay(region));
    way.mayExit |= arms.back().mayExit;
  }
  if (llvm::all_of(arms, [](const Way &arm) { return arm.isEmpty(); }))
    return way;
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op) &&
      llvm::all_of(arms, [&](const Way &arm) {
        return compare(arm, arms.front()) == Answer::Same;
      }))
    return arms.front();
  if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp>(op))
    way.isKnown = false;
  way.append(uint64_t(Begin));
  for (Value operand : op->getOperands().take_front(
           isa<scf::ForOp>(op) ? 3 : op->getNumOperands()))
    addValue(operand, way);
  for (const Way &arm : arms) {
    way.append(arm);
    way.append(uint64_t(Next));
  }
  way.append(uint64_t(End));
  way.isExact = false;
  way.hasCertain = runsBody(op) && arms.front().hasCertain;
  return way;
}
