//===- PTXLintRandomTest.cpp - The lint against a plain analysis ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs, one instruction a line. Each predicate is a register of its
// own, so that none tells anything of another. The reference follows every edge
// from instruction to instruction until nothing changes; it shares no code with
// the reader or the lint.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir::tmem;

namespace {
struct Line {
  enum Kind { Load, Read, Write, Wait, Jump, Table, Return } kind;
  bool isPredicated;
  unsigned reg;
  std::vector<unsigned> targets;
};
using Program = std::vector<Line>;

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Program make() {
    Program program(3 + random() % 30);
    for (Line &line : program) {
      static constexpr Line::Kind kinds[] = {
          Line::Load, Line::Load, Line::Read, Line::Read,  Line::Write,
          Line::Wait, Line::Jump, Line::Jump, Line::Table, Line::Return};
      line.kind = kinds[random() % std::size(kinds)];
      line.isPredicated = random() % 3 != 0;
      line.reg = random() % 5;
      unsigned count = line.kind == Line::Table ? 1 + random() % 3 : 1;
      for (unsigned i = 0; i != count; ++i)
        line.targets.push_back(random() % program.size());
    }
    return program;
  }

private:
  std::mt19937 random;
};

std::string printTable(const Program &program, unsigned i) {
  std::string text = " T" + std::to_string(i) + ": .branchtargets ";
  for (unsigned target : program[i].targets)
    text += (text.back() == ' ' ? "L" : ", L") + std::to_string(target);
  return text + ";";
}

std::string printInstruction(const Line &line, unsigned i) {
  std::string reg = "%r" + std::to_string(line.reg);
  switch (line.kind) {
  case Line::Load:
    return "tcgen05.ld.sync.aligned.32x32b.x1.b32 {" + reg + "}, [%t];";
  case Line::Read:
    return "st.shared.b32 [%t], " + reg + ";";
  case Line::Write:
    return "mov.b32 " + reg + ", 0;";
  case Line::Wait:
    return "tcgen05.wait::ld.sync.aligned;";
  case Line::Jump:
    return "bra L" + std::to_string(line.targets.front()) + ";";
  case Line::Table:
    return "brx.idx %t, T" + std::to_string(i) + ";";
  case Line::Return:
    return "ret;";
  }
  return "";
}

/// Instruction i stands on line i + 2.
std::string print(const Program &program) {
  std::string text = ".version 8.8 .target sm_100a .entry k() {";
  for (auto [i, line] : llvm::enumerate(program))
    if (line.kind == Line::Table)
      text += printTable(program, i);
  for (auto [i, line] : llvm::enumerate(program))
    text += "\nL" + std::to_string(i) + ": " +
            (line.isPredicated ? "@%p" + std::to_string(i) + " " : "") +
            printInstruction(line, i);
  return text + "\n}\n";
}

std::vector<unsigned> successors(const Program &program, unsigned i) {
  const Line &line = program[i];
  bool isFlow = line.kind == Line::Jump || line.kind == Line::Table;
  std::vector<unsigned> result;
  if (isFlow)
    result = line.targets;
  if ((!isFlow && line.kind != Line::Return) || line.isPredicated)
    result.push_back(i + 1);
  if (line.kind == Line::Return)
    result.push_back(program.size());
  return result;
}

/// The loads that are outstanding before each line and at the end.
std::vector<std::set<unsigned>> solve(const Program &program) {
  std::vector<std::set<unsigned>> before(program.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i != program.size(); ++i) {
      std::set<unsigned> after = before[i];
      if (program[i].kind == Line::Wait && !program[i].isPredicated)
        after.clear();
      if (program[i].kind == Line::Load)
        after.insert(i);
      for (unsigned next : successors(program, i)) {
        size_t size = before[next].size();
        before[next].insert(after.begin(), after.end());
        changed |= before[next].size() != size;
      }
    }
  }
  return before;
}

bool isPending(const Program &program, const std::set<unsigned> &loads,
               unsigned reg) {
  for (unsigned load : loads)
    if (program[load].reg == reg)
      return true;
  return false;
}

/// Lines with faults, as "R7" or "W7", and unwaited loads, as "U3".
std::set<std::string> findByReference(const Program &program) {
  std::vector<std::set<unsigned>> before = solve(program);
  std::set<std::string> found;
  for (unsigned i = 0; i != program.size(); ++i) {
    Line::Kind kind = program[i].kind;
    if (!isPending(program, before[i], program[i].reg))
      continue;
    if (kind == Line::Read)
      found.insert("R" + std::to_string(i));
    if (kind == Line::Write || kind == Line::Load)
      found.insert("W" + std::to_string(i));
  }
  for (unsigned load : before.back())
    found.insert("U" + std::to_string(load));
  return found;
}

std::set<std::string> findByLint(const std::string &text) {
  llvm::Expected<PTXModule> module = parsePTX(text);
  if (!module)
    return {llvm::toString(module.takeError())};
  PTXLintResult result = lintPTX(*module);
  std::set<std::string> found;
  for (const PTXFault &fault : result.faults)
    found.insert((fault.kind == PTXFault::EarlyRead ? "R" : "W") +
                 std::to_string(fault.line - 2));
  for (const PTXRemark &remark : result.remarks)
    if (remark.kind == PTXRemark::NeverWaited)
      found.insert("U" + std::to_string(remark.line - 2));
  return found;
}
} // namespace

TEST(PTXLintRandom, AgreesWithReference) {
  size_t faulty = 0;
  for (unsigned seed = 0; seed != 5000; ++seed) {
    Program program = Generator(seed).make();
    std::string text = print(program);
    std::set<std::string> expected = findByReference(program);
    ASSERT_EQ(findByLint(text), expected) << text;
    faulty += !expected.empty();
  }
  EXPECT_GT(faulty, 1000u);
  EXPECT_LT(faulty, 4900u);
}
