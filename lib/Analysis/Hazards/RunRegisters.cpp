//===- RunRegisters.cpp - Loads whose registers a run follows -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the use of registers counts as a wait: a load is complete once each
// lane that has executed it has read its registers.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Loads of a warp, under way, of which the registers are followed; later ones
/// need a wait.
static constexpr unsigned maxLoads = 64;

bool Run::followsLoad(const Effect &effect, unsigned warp) const {
  return followsRegisters && effect.kind == EventKind::Load &&
         effect.repeat != 0 && warps[warp].loading.size() < maxLoads;
}

/// Whether an operation reads what a raw load has given.
bool Run::readsLoad(Operation *op) const {
  if (!followsRegisters || isRegisterMove(op))
    return false;
  SmallVector<Effect, 2> found;
  return llvm::any_of(op->getOperands(), [&](Value value) {
    Operation *source = value.getDefiningOp();
    while (source && isRegisterMove(source) && source->getNumOperands() != 0)
      source = source->getOperand(0).getDefiningOp();
    found.clear();
    if (source)
      classify(source, found);
    return llvm::any_of(found, [](const Effect &effect) {
      return effect.kind == EventKind::Load && effect.repeat != 0;
    });
  });
}

void Run::followLoad(Operation *op, unsigned warp, unsigned root,
                     uint32_t number) {
  const Activation &here = warps[warp].stack.back();
  unsigned index = loads.size();
  loads.push_back({root, number, here.lanes});
  warps[warp].loading.push_back(index);
  for (Value result : op->getResults())
    registers[{result, here.frame}] = {index};
}

SmallVector<unsigned, 1> Run::getRegisters(Value value, Frame *frame) const {
  auto it = registers.find({value, frame});
  return it == registers.end() ? SmallVector<unsigned, 1>() : it->second;
}

static void addNew(SmallVectorImpl<unsigned> &to, ArrayRef<unsigned> from) {
  for (unsigned load : from)
    if (!llvm::is_contained(to, load))
      to.push_back(load);
}

/// An operation reads registers, or moves them.
void Run::readRegisters(Operation *op, unsigned warp) {
  if (registers.empty() || isa<TransferOpInterface>(op))
    return;
  const Activation &here = warps[warp].stack.back();
  SmallVector<unsigned, 1> read;
  for (Value operand : op->getOperands())
    addNew(read, getRegisters(operand, here.frame));
  bool isMove = isRegisterMove(op);
  for (Value result : op->getResults())
    if (isMove && !read.empty())
      registers[{result, here.frame}] = read;
    else
      registers.erase({result, here.frame});
  if (isMove || read.empty() || !liveReads.isRead(op))
    return;
  for (unsigned index : read) {
    Loading &load = loads[index];
    if (load.unread == 0)
      continue;
    load.unread &= ~here.lanes & warps[warp].alive;
    if (load.unread == 0) {
      order.finish(warp, load.root, load.number);
      llvm::erase(warps[warp].loading, index);
    }
  }
}

/// A wait is for all loads of the warp.
void Run::finishLoads(unsigned warp) {
  for (unsigned index : warps[warp].loading)
    loads[index].unread = 0;
  warps[warp].loading.clear();
}

/// Registers that block arguments and results stand for.
void Run::carryRegisters(ValueRange to, ValueRange from,
                         const Activation &there, const Activation &here) {
  if (registers.empty())
    return;
  SmallVector<SmallVector<unsigned, 1>> carried;
  for (Value value : from)
    carried.push_back(getRegisters(value, here.frame));
  bool isPart = there.lanes != here.lanes;
  for (auto [target, from] : llvm::zip(to, carried)) {
    // The other arm gives, or has given, what other lanes have.
    if (isPart)
      addNew(from, getRegisters(target, there.frame));
    if (from.empty())
      registers.erase({target, there.frame});
    else
      registers[{target, there.frame}] = from;
  }
}
