//===- PTXGuards.cpp - What is known of predicates on a path --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXGuards.h"
#include "PTXFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>
#include <optional>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

static unsigned getPredicate(const PTXFunction &function,
                             const PTXInstruction &inst) {
  return function.getUses(inst).front();
}

//===----------------------------------------------------------------------===//
// Names of one value
//===----------------------------------------------------------------------===//

static bool hasPart(llvm::StringRef opcode,
                    llvm::ArrayRef<llvm::StringRef> parts) {
  return llvm::any_of(llvm::split(opcode, "."), [&](llvm::StringRef part) {
    return llvm::is_contained(parts, part);
  });
}

/// Whether the instruction writes a predicate and its negation, as `setp` does
/// where no third operand comes in, and where the two are not those of the
/// halves of a pair (PTX ISA, setp).
static bool writesNegation(const PTXInstruction &inst) {
  return inst.numDefs == 2 && inst.opcode.starts_with("setp.") &&
         !hasPart(inst.opcode, {"and", "or", "xor", "f16x2", "bf16x2"});
}

/// `not.pred %q, %p` in the block of the one definition of %p, and below it:
/// until %p is written again, and then %q is too, each tells the other. The
/// same goes for `setp %p|%q`. No path reads a register that it has not
/// written.
void Guards::findAliases(const PTXFunction &function) {
  unsigned count = function.getNumRegisters();
  aliases.resize(count);
  for (unsigned reg = 0; reg != count; ++reg)
    aliases[reg] = {reg, false};
  ranges.resize(count);
  std::vector<uint8_t> numDefs(count);
  std::vector<bool> isTestedAbove(count);
  for (auto [index, inst] : llvm::enumerate(function.instructions)) {
    for (unsigned reg : function.getDefs(inst)) {
      ranges[reg].def = index + 1;
      numDefs[reg] = std::min(numDefs[reg] + 1, 2);
    }
    if (inst.hasPredicateRegister && numDefs[getPredicate(function, inst)] == 0)
      isTestedAbove[getPredicate(function, inst)] = true;
  }
  for (unsigned reg = 0; reg != count; ++reg)
    if (numDefs[reg] != 1)
      ranges[reg].def = 0;
  std::vector<bool> hasAlias(count);
  for (const PTXBlock &block : function.blocks)
    for (unsigned i = block.begin; i != block.end; ++i) {
      const PTXInstruction &inst = function.instructions[i];
      bool isPair = writesNegation(inst);
      bool isNot = inst.opcode == "not.pred";
      bool isCopy = (isNot || inst.opcode == "mov.pred") && inst.numDefs == 1 &&
                    inst.numUses == 1;
      if ((!isPair && !isCopy) || inst.isPredicated)
        continue;
      unsigned to = function.getDefs(inst).back();
      unsigned from = isPair ? function.getDefs(inst).front()
                             : function.getUses(inst).front();
      unsigned def = ranges[from].def;
      if (ranges[to].def != i + 1 || to == from || hasAlias[from] ||
          isTestedAbove[to] || def <= block.begin || def > i + isPair)
        continue;
      aliases[to] = {from, isPair || isNot};
      hasAlias[to] = true;
    }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static bool isBranch(const PTXInstruction &inst) {
  return getFlow(inst.opcode) != Flow::Next;
}

void Guards::countTests(const PTXFunction &function,
                        const std::vector<bool> &isEvent) {
  for (auto [index, inst] : llvm::enumerate(function.instructions)) {
    if (!inst.hasPredicateRegister)
      continue;
    Range &range = ranges[aliases[getPredicate(function, inst)].reg];
    range.lastTest = index;
    ++range.numTests;
    range.isOfEvent |= isEvent[index];
    range.isOfBranch |= isBranch(inst);
  }
}

/// Tests of predicates of branches. Paths part at each, and nothing says that
/// it is of use, so that there is a limit.
constexpr unsigned maxBranchTests = 256;

/// What only one instruction asks for tells nothing of another.
void Guards::choose(const PTXFunction &function,
                    const std::vector<bool> &isEvent, bool withBranches) {
  unsigned numTests = 0;
  for (const Range &range : ranges)
    if (!range.isOfEvent && range.isOfBranch && range.numTests > 1)
      numTests += range.numTests;
  withBranches &= numTests <= maxBranchTests;
  std::vector<Range> chosen;
  tracks.resize(function.getNumRegisters());
  for (unsigned reg = 0; reg != function.getNumRegisters(); ++reg) {
    const Range &range = ranges[reg];
    if (range.numTests < 2 ||
        !(range.isOfEvent || (withBranches && range.isOfBranch)))
      continue;
    chosen.push_back(range);
    tracks[reg] = chosen.size();
  }
  ranges = std::move(chosen);
  if (ranges.empty())
    return;
  guards.resize(function.instructions.size());
  forks.resize(function.instructions.size());
  for (auto [index, inst] : llvm::enumerate(function.instructions)) {
    if (!inst.hasPredicateRegister)
      continue;
    Alias alias = aliases[getPredicate(function, inst)];
    if (tracks[alias.reg] == 0)
      continue;
    guards[index] = 2 * tracks[alias.reg] + (inst.isNegated == alias.isNegated);
    forks[index] = isEvent[index] || isBranch(inst);
  }
}

/// A branch back makes a loop of all that stands between.
void Guards::findLoops(const PTXFunction &function) {
  std::vector<unsigned> ends(function.instructions.size());
  for (const PTXBlock &block : function.blocks)
    for (unsigned successor : block.successors) {
      unsigned start = function.blocks[successor].begin;
      if (block.begin != block.end && start < block.end)
        ends[start] = std::max(ends[start], block.end);
    }
  loops.resize(ends.size());
  std::vector<unsigned> open;
  for (unsigned i = 0; i != ends.size(); ++i) {
    if (ends[i] != 0)
      open.push_back(i);
    while (!open.empty() && ends[open.back()] <= i)
      open.pop_back();
    loops[i] =
        open.empty() ? std::numeric_limits<unsigned>::max() : open.back();
  }
}

Guards::Guards(const PTXFunction &function, const std::vector<bool> &isEvent,
               bool withBranches) {
  findAliases(function);
  countTests(function, isEvent);
  choose(function, isEvent, withBranches);
  if (!isEmpty())
    findLoops(function);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

Executes Guards::getExecution(const PTXInstruction &inst, unsigned instruction,
                              State state) const {
  if (!inst.isPredicated)
    return Executes::Yes;
  unsigned guard = isEmpty() ? 0 : guards[instruction];
  if (guard == 0)
    return Executes::Maybe;
  if (state.last == guard || state.older == guard)
    return Executes::Yes;
  bool isKnown = state.last == (guard ^ 1) || state.older == (guard ^ 1);
  return isKnown ? Executes::No : Executes::Maybe;
}

Guards::State Guards::assume(State state, unsigned instruction,
                             bool isExecuted) const {
  return {guards[instruction] ^ !isExecuted, state.last};
}

/// Whether nothing behind the instruction asks for a predicate, as far as the
/// order of the text tells.
bool Guards::isWorthless(unsigned literal, unsigned instruction) const {
  const Range &range = ranges[literal / 2 - 1];
  if (instruction < range.lastTest)
    return false;
  // Around the loop it may be asked for again, before it is written again.
  return loops[instruction] > range.lastTest || loops[instruction] < range.def;
}

/// Whether the instruction leaves a predicate that is false, or true, as it is:
/// `and` with others does not make it true, `or` does not make it false.
static bool keeps(const PTXFunction &function, const PTXInstruction &inst,
                  unsigned reg, bool value) {
  bool isAnd = inst.opcode == "and.pred", isOr = inst.opcode == "or.pred";
  if (inst.opcode.starts_with("setp.")) {
    isAnd = hasPart(inst.opcode, {"and"});
    isOr = hasPart(inst.opcode, {"or"});
  }
  return (value ? isOr : isAnd) && !inst.text.contains('!') &&
         llvm::is_contained(
             function.getUses(inst).drop_front(inst.hasPredicateRegister), reg);
}

/// What `mov.pred %p, 0` and the like say: any number but 0 is true.
static std::optional<bool> getConstant(const PTXInstruction &inst) {
  if (inst.opcode != "mov.pred" || inst.numDefs != 1 ||
      inst.numUses != inst.hasPredicateRegister)
    return std::nullopt;
  llvm::StringRef text = inst.text.rsplit(',').second.trim();
  int64_t number;
  if (text.getAsInteger(0, number))
    return std::nullopt;
  return number != 0;
}

Guards::State Guards::step(const PTXFunction &function, State state,
                           unsigned instruction) const {
  const PTXInstruction &inst = function.instructions[instruction];
  std::optional<bool> constant;
  if (!isEmpty())
    constant = getConstant(inst);
  if (state == State() && !constant)
    return state;
  auto forget = [&](unsigned predicate) {
    if (state.older / 2 == predicate)
      state.older = 0;
    if (state.last / 2 == predicate)
      state = {state.older, 0};
  };
  Executes executes = getExecution(inst, instruction, state);
  if (executes != Executes::No)
    for (unsigned reg : function.getDefs(inst)) {
      unsigned track = tracks[reg];
      bool value = (state.last / 2 == track ? state.last : state.older) & 1;
      if (track == 0 || keeps(function, inst, reg, value))
        continue;
      forget(track);
      // Without taking the place of what paths have parted for.
      if (constant && executes == Executes::Yes && state.older == 0)
        (state.last == 0 ? state.last : state.older) = 2 * track + *constant;
    }
  if (state.older != 0 && isWorthless(state.older, instruction))
    forget(state.older / 2);
  if (state.last != 0 && isWorthless(state.last, instruction))
    forget(state.last / 2);
  return state;
}
