//===- PTXWaits.cpp - Which instructions wait for loads or stores ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function waits if no path from its start to a return is without a wait. All
// functions are walked together: a walk halts at a call of a function that is
// not yet known to return without a wait, and goes on when it is. So each
// instruction is visited once, and recursion needs no special care.
//
//===----------------------------------------------------------------------===//

#include "PTXWaits.h"
#include "PTXFlow.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::StringRef;

bool ptx::isOpcode(StringRef opcode, StringRef base) {
  return opcode.consume_front(base) && (opcode.empty() || opcode[0] == '.');
}

namespace {
class Walk {
public:
  Walk(const PTXModule &module, StringRef opcode)
      : module(module), opcode(opcode) {}

  llvm::DenseSet<StringRef> run();

private:
  /// Where a walk goes on.
  struct Place {
    unsigned function, block, instruction;
  };

  void enter(unsigned function, unsigned block);
  void visit(Place place);
  void leave(unsigned function, const PTXBlock &block);
  void setReturns(StringRef name);
  bool halts(const PTXFunction &function, Place place,
             llvm::ArrayRef<PTXCall> &calls);

  const PTXModule &module;
  StringRef opcode;
  std::vector<llvm::BitVector> reached; ///< Blocks, of each function.
  llvm::DenseSet<StringRef> bodies;     ///< Functions that the module defines.
  llvm::DenseSet<StringRef> returning;  ///< Without a wait, on some path.
  llvm::DenseMap<StringRef, std::vector<Place>> halted; ///< At calls of it.
  std::vector<Place> worklist;
};
} // namespace

void Walk::enter(unsigned function, unsigned block) {
  if (reached[function].test(block))
    return;
  reached[function].set(block);
  worklist.push_back(
      {function, block, module.functions[function].blocks[block].begin});
}

void Walk::setReturns(StringRef name) {
  if (!returning.insert(name).second)
    return;
  if (auto it = halted.find(name); it != halted.end())
    llvm::append_range(worklist, std::move(it->second));
}

/// Whether nothing goes past the instruction, as far as is known by now.
bool Walk::halts(const PTXFunction &function, Place place,
                 llvm::ArrayRef<PTXCall> &calls) {
  const PTXInstruction &inst = function.instructions[place.instruction];
  bool isCall =
      !calls.empty() && calls.front().instruction == place.instruction;
  StringRef callee = isCall ? calls.front().callee : "";
  if (isCall)
    calls = calls.drop_front();
  if (inst.isPredicated)
    return false;
  if (isOpcode(inst.opcode, opcode))
    return true;
  if (!isCall || !bodies.contains(callee) || returning.contains(callee))
    return false;
  halted[callee].push_back(
      {place.function, place.block, place.instruction + 1});
  return true;
}

void Walk::leave(unsigned number, const PTXBlock &block) {
  const PTXFunction &function = module.functions[number];
  llvm::ArrayRef<unsigned> successors = block.successors;
  // Nothing returns from `exit`, which leads to the function's end last of all.
  if (block.begin != block.end &&
      isOpcode(function.instructions[block.end - 1].opcode, "exit"))
    successors = successors.drop_back();
  for (unsigned successor : successors) {
    if (successor == function.exitBlock)
      setReturns(function.name);
    else
      enter(number, successor);
  }
}

void Walk::visit(Place place) {
  const PTXFunction &function = module.functions[place.function];
  const PTXBlock &block = function.blocks[place.block];
  llvm::ArrayRef<PTXCall> calls = function.calls;
  calls = calls.drop_front(llvm::partition_point(calls,
                                                 [&](const PTXCall &call) {
                                                   return call.instruction <
                                                          place.instruction;
                                                 }) -
                           calls.begin());
  for (; place.instruction != block.end; ++place.instruction)
    if (halts(function, place, calls))
      return;
  leave(place.function, block);
}

llvm::DenseSet<StringRef> Walk::run() {
  reached.resize(module.functions.size());
  for (auto [number, function] : llvm::enumerate(module.functions)) {
    if (function.isKernel)
      continue;
    bodies.insert(function.name);
    reached[number].resize(function.blocks.size());
    if (function.exitBlock == 0)
      setReturns(function.name); // It is empty.
    else
      enter(number, 0);
  }
  while (!worklist.empty()) {
    Place place = worklist.back();
    worklist.pop_back();
    visit(place);
  }
  llvm::DenseSet<StringRef> waiting;
  for (StringRef name : bodies)
    if (!returning.contains(name))
      waiting.insert(name);
  return waiting;
}

Waits::Waits(const PTXModule &module, StringRef opcode)
    : opcode(opcode), waiting(Walk(module, opcode).run()) {}

std::vector<bool> Waits::find(const PTXFunction &function) const {
  std::vector<bool> waits(function.instructions.size());
  for (auto [index, inst] : llvm::enumerate(function.instructions))
    waits[index] = isOpcode(inst.opcode, opcode);
  for (const PTXCall &call : function.calls)
    if (waiting.contains(call.callee))
      waits[call.instruction] = true;
  return waits;
}
