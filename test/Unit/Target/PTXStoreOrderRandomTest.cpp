//===- PTXStoreOrderRandomTest.cpp - Loads after stores, by all paths -----===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs, one instruction a line. The reference executes every path
// with symbolic registers, cell by cell, until no state is new; it shares no
// code with the reader or the lint.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mlir::tmem;

namespace {
constexpr unsigned numRegisters = 4;
/// A name for registers that have not been written.
constexpr int undefined = -1;

struct Line {
  enum Kind { Load, Store, Wait, Jump, Move, Add, Unknown } kind;
  bool isPredicated;
  unsigned reg, other;
  int number; ///< An offset to the address, or what is added.
  unsigned count, target;
};
using Program = std::vector<Line>;

/// `writes`: whether registers get new values.
Program makeProgram(unsigned seed, bool writes) {
  std::mt19937 random(seed);
  Program program(3 + random() % 10);
  for (Line &line : program) {
    static constexpr Line::Kind kinds[] = {
        Line::Load, Line::Load, Line::Store, Line::Store, Line::Wait,
        Line::Jump, Line::Jump, Line::Move,  Line::Add,   Line::Unknown};
    line.kind = kinds[random() % (writes ? 10 : 7)];
    line.isPredicated = random() % 2 == 0;
    line.reg = random() % numRegisters;
    line.other = random() % numRegisters;
    line.number = int(random() % 9) - 4;
    line.count = 1 << random() % 3;
    line.target = random() % program.size();
    // The first two registers are the function's inputs.
    if (line.kind >= Line::Move)
      line.reg = 2 + line.reg % 2;
    else if (!writes)
      line.reg %= 2;
  }
  return program;
}

/// Registers with a value from the start on, that get others on paths that part
/// and meet; and now and then a loop.
Program makeJoins(unsigned seed) {
  std::mt19937 random(seed);
  Program program(6 + random() % 9);
  for (auto [i, line] : llvm::enumerate(program)) {
    static constexpr Line::Kind kinds[] = {
        Line::Load, Line::Load, Line::Store,  Line::Store, Line::Wait,
        Line::Jump, Line::Jump, Line::Move,   Line::Add,   Line::Add,
        Line::Add,  Line::Add,  Line::Unknown};
    line.kind = i < 2 ? Line::Add : kinds[random() % std::size(kinds)];
    bool writes = line.kind >= Line::Move;
    line.isPredicated = random() % (writes ? 8 : 2) == 0 && i >= 2;
    line.reg = writes ? 2 + (i < 2 ? i : random() % 2) : random() % 4;
    line.other = random() % (i < 2 || random() % 4 ? 2 : numRegisters);
    line.number = int(random() % 5) - 2;
    line.count = 1 << random() % 3;
    unsigned first = random() % 8 == 0 ? 0 : i + 1;
    line.target = first + random() % (program.size() + 1 - first);
    line.target = std::min<unsigned>(line.target, program.size() - 1);
  }
  return program;
}

std::string printInstruction(const Line &line) {
  std::string reg = "%r" + std::to_string(line.reg);
  std::string other = "%r" + std::to_string(line.other);
  std::string number = std::to_string(line.number);
  std::string values = "{%v0";
  for (unsigned i = 1; i != line.count; ++i)
    values += ", %v" + std::to_string(i);
  values += "}";
  std::string form = ".sync.aligned.32x32b.x" + std::to_string(line.count);
  switch (line.kind) {
  case Line::Load:
    return "tcgen05.ld" + form + ".b32 " + values + ", [" + reg + "+" + number +
           "];";
  case Line::Store:
    return "tcgen05.st" + form + ".b32 [" + reg + "+" + number + "], " +
           values + ";";
  case Line::Wait:
    return "tcgen05.wait::st.sync.aligned;";
  case Line::Jump:
    return "bra L" + std::to_string(line.target) + ";";
  case Line::Move:
    return "mov.b32 " + reg + ", " + other + ";";
  case Line::Add:
    return "add.s32 " + reg + ", " + other + ", " + number + ";";
  case Line::Unknown:
    return "ld.shared.b32 " + reg + ", [p];";
  }
  return "";
}

/// Instruction i stands on line i + 2.
std::string print(const Program &program) {
  std::string text = ".version 8.8 .target sm_100a .entry k() {";
  for (auto [i, line] : llvm::enumerate(program))
    text += "\nL" + std::to_string(i) + ": " +
            (line.isPredicated ? "@%p" + std::to_string(i) + " " : "") +
            printInstruction(line);
  return text + "\n}\n";
}

/// A register is a name and a number; the name is new at each execution of a
/// line that nothing is known of, and cells that it was in are forgotten.
struct Thread {
  unsigned at = 0;
  std::array<std::pair<int, int>, numRegisters> values;
  std::set<std::pair<int, int>> stored; ///< Cells.

  auto key() const { return std::tie(at, values, stored); }
  bool operator<(const Thread &o) const { return key() < o.key(); }
};

/// Names become small again, so that there are few states.
void rename(Thread &thread) {
  std::map<int, std::pair<int, int>> names;
  for (auto &[name, number] : thread.values) {
    if (name == undefined)
      continue;
    auto it = names.try_emplace(name, int(names.size()), number).first;
    name = it->second.first;
    number -= it->second.second;
  }
  std::set<std::pair<int, int>> stored;
  for (auto [name, column] : thread.stored)
    if (auto it = names.find(name); it != names.end())
      stored.insert({it->second.first, column - it->second.second});
  thread.stored = std::move(stored);
}

/// Whether the line reads a register that has not been written: that no program
/// does, and the lint relies on it.
bool readsUndefined(const Line &line, const Thread &thread) {
  bool readsReg = line.kind == Line::Load || line.kind == Line::Store;
  bool readsOther = line.kind == Line::Move || line.kind == Line::Add;
  return (readsReg && thread.values[line.reg].first == undefined) ||
         (readsOther && thread.values[line.other].first == undefined);
}

/// Returns whether the line loads stored cells.
bool execute(const Line &line, Thread &thread) {
  auto [name, number] = thread.values[line.reg];
  bool isFault = false;
  switch (line.kind) {
  case Line::Load:
  case Line::Store:
    for (int i = 0; i != int(line.count); ++i) {
      std::pair<int, int> cell(name, number + line.number + i);
      isFault |= line.kind == Line::Load && thread.stored.count(cell);
      if (line.kind == Line::Store)
        thread.stored.insert(cell);
    }
    break;
  case Line::Wait:
    thread.stored.clear();
    break;
  case Line::Move:
  case Line::Add:
    thread.values[line.reg] = thread.values[line.other];
    if (line.kind == Line::Add)
      thread.values[line.reg].second += line.number;
    break;
  case Line::Unknown:
    thread.values[line.reg] = {100, 0};
    break;
  case Line::Jump:
    break;
  }
  rename(thread);
  return isFault;
}

/// Returns false if there are too many states to look at them all, or the
/// program is none.
bool findByReference(const Program &program, std::set<unsigned> &faults) {
  Thread start;
  for (unsigned reg = 0; reg != numRegisters; ++reg)
    start.values[reg] = {reg < 2 ? int(reg) : undefined, 0};
  std::set<Thread> seen;
  std::vector<Thread> stack{start};
  while (!stack.empty()) {
    Thread thread = stack.back();
    stack.pop_back();
    if (thread.at == program.size() || !seen.insert(thread).second)
      continue;
    const Line &line = program[thread.at];
    if (seen.size() == 3000 || readsUndefined(line, thread))
      return false;
    Thread next = thread;
    ++next.at;
    if (line.isPredicated)
      stack.push_back(next);
    if (line.kind == Line::Jump)
      next.at = line.target;
    if (execute(line, next))
      faults.insert(thread.at);
    stack.push_back(next);
  }
  return true;
}

std::set<unsigned> findByLint(const std::string &text) {
  llvm::Expected<PTXModule> module = parsePTX(text);
  std::set<unsigned> found;
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return found;
  }
  for (const PTXFault &fault : lintPTX(*module).faults)
    if (fault.kind == PTXFault::UnorderedLoad)
      found.insert(fault.line - 2);
  return found;
}

/// Whether every line may be executed: the lint looks at the others too.
bool isAllReachable(const Program &program) {
  std::vector<bool> reached(program.size() + 1);
  std::vector<unsigned> stack{0};
  while (!stack.empty()) {
    unsigned at = stack.back();
    stack.pop_back();
    if (at == program.size() || reached[at])
      continue;
    reached[at] = true;
    bool isJump = program[at].kind == Line::Jump;
    if (isJump)
      stack.push_back(program[at].target);
    if (!isJump || program[at].isPredicated)
      stack.push_back(at + 1);
  }
  reached.pop_back();
  return llvm::is_contained(reached, false) == false;
}
} // namespace

TEST(PTXStoreOrderRandom, AgreesWhereRegistersStay) {
  unsigned checked = 0, faulty = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    Program program = makeProgram(seed, /*writes=*/false);
    std::set<unsigned> expected;
    if (!isAllReachable(program) || !findByReference(program, expected))
      continue;
    std::string text = print(program);
    ASSERT_EQ(findByLint(text), expected) << text;
    ++checked;
    faulty += !expected.empty();
  }
  EXPECT_GT(checked, 800u);
  EXPECT_GT(faulty, 200u);
  EXPECT_LT(faulty, checked);
}

/// Expects no false alarm, and returns how many of 1000 faults are found.
static unsigned
findWithoutFalseAlarm(unsigned numSeeds,
                      llvm::function_ref<Program(unsigned)> make) {
  unsigned found = 0, faulty = 0;
  for (unsigned seed = 0; seed != numSeeds; ++seed) {
    Program program = make(seed);
    std::set<unsigned> expected;
    if (!isAllReachable(program) || !findByReference(program, expected))
      continue;
    std::string text = print(program);
    for (unsigned line : findByLint(text)) {
      EXPECT_TRUE(expected.count(line)) << "line " << line + 2 << text;
      ++found;
    }
    faulty += expected.size();
  }
  EXPECT_GT(found, 200u);
  return faulty == 0 ? 0 : 1000 * found / faulty;
}

// Most are found all the same.
TEST(PTXStoreOrderRandom, NoFalseAlarm) {
  auto make = [](unsigned seed) { return makeProgram(seed, /*writes=*/true); };
  EXPECT_GT(findWithoutFalseAlarm(50000, make), 900u);
}

TEST(PTXStoreOrderRandom, NoFalseAlarmWherePathsMeet) {
  EXPECT_GT(findWithoutFalseAlarm(20000, makeJoins), 850u);
}
