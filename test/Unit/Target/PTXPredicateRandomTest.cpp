//===- PTXPredicateRandomTest.cpp - Predicates on the paths of the lint ---===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs, one instruction a line, with three predicates. The exact
// reference runs them with all values that these can have; it shares no code
// with the reader or the lint. No fault that it finds may be missed, and few
// may be found that it does not find.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace mlir::tmem;

namespace {
constexpr unsigned numPredicates = 3;

struct Line {
  enum Kind { Load, Read, Write, Wait, Jump, Compare, And, Or, Not, Both } kind;
  unsigned predicate; ///< numPredicates for none.
  bool isNegated;
  unsigned reg; ///< Or the predicate that is written.
  unsigned target;

  bool isExecuted(unsigned values) const {
    return predicate == numPredicates ||
           bool(values >> predicate & 1) != isNegated;
  }
};
using Program = std::vector<Line>;

/// In every other program %p1 is !%p0, by one instruction or by two.
Program makeProgram(unsigned seed, bool hasLoops) {
  std::mt19937 random(seed);
  Program program(4 + random() % 16);
  bool hasNot = random() % 2;
  for (auto [i, line] : llvm::enumerate(program)) {
    static constexpr Line::Kind kinds[] = {
        Line::Load,    Line::Load, Line::Read, Line::Read,
        Line::Write,   Line::Wait, Line::Wait, Line::Jump,
        Line::Compare, Line::And,  Line::Or};
    line.kind = kinds[random() % std::size(kinds)];
    line.predicate = random() % (numPredicates + 1);
    line.isNegated = random() % 2;
    line.reg = random() % 3;
    unsigned first = hasLoops ? 0 : i + 1;
    line.target = first + random() % (program.size() + 1 - first);
    if (hasNot && line.kind >= Line::Compare)
      line.reg = 2;
  }
  if (hasNot && random() % 2) {
    program[0] = {Line::Both, numPredicates, false, 0, 0};
  } else if (hasNot) {
    program[0] = {Line::Compare, numPredicates, false, 0, 0};
    program[1] = {Line::Not, numPredicates, false, 1, 0};
  }
  return program;
}

std::string printInstruction(const Line &line) {
  std::string reg = "%r" + std::to_string(line.reg);
  std::string predicate = "%p" + std::to_string(line.reg);
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
    return "bra L" + std::to_string(line.target) + ";";
  case Line::Compare:
    return "setp.eq.s32 " + predicate + ", %t, 0;";
  case Line::And:
    return "and.pred " + predicate + ", %q, " + predicate + ";";
  case Line::Or:
    return "setp.eq.or.s32 " + predicate + ", %t, 0, " + predicate + ";";
  case Line::Not:
    return "not.pred " + predicate + ", %p0;";
  case Line::Both:
    return "setp.eq.s32 %p0|%p1, %t, 0;";
  }
  return "";
}

/// Instruction i stands on line i + 2.
std::string print(const Program &program) {
  std::string text = ".version 8.8 .target sm_100a .entry k() {";
  for (auto [i, line] : llvm::enumerate(program)) {
    text += "\nL" + std::to_string(i) + ": ";
    if (line.predicate != numPredicates)
      text += std::string("@") + (line.isNegated ? "!" : "") + "%p" +
              std::to_string(line.predicate) + " ";
    text += printInstruction(line);
  }
  return text + "\nL" + std::to_string(program.size()) + ": ret;\n}\n";
}

/// Runs a program with all values of its predicates at once.
class Reference {
public:
  explicit Reference(const Program &program) : program(program) {
    for (unsigned values = 0; values != 1 << numPredicates; ++values)
      enter({0, values}, {});
    while (!worklist.empty()) {
      Place place = *worklist.begin();
      worklist.erase(worklist.begin());
      if (place.first != program.size())
        step(place);
    }
  }

  /// Lines with faults, as "R7" or "W7".
  std::set<std::string> found;

private:
  using Place = std::pair<unsigned, unsigned>; ///< Line, values.

  void enter(Place place, const std::set<unsigned> &loads) {
    auto [it, isNew] = before.try_emplace(place);
    size_t size = it->second.size();
    it->second.insert(loads.begin(), loads.end());
    if (isNew || it->second.size() != size)
      worklist.insert(place);
  }

  void step(Place place) {
    auto [i, values] = place;
    const Line &line = program[i];
    std::set<unsigned> after = before[place];
    if (!line.isExecuted(values))
      return enter({i + 1, values}, after);
    bool isPending = llvm::any_of(
        after, [&](unsigned load) { return program[load].reg == line.reg; });
    unsigned bit = 1 << line.reg;
    switch (line.kind) {
    case Line::Load:
    case Line::Write:
    case Line::Read:
      if (isPending)
        found.insert((line.kind == Line::Read ? "R" : "W") + std::to_string(i));
      if (line.kind == Line::Load)
        after.insert(i);
      return enter({i + 1, values}, after);
    case Line::Wait:
      return enter({i + 1, values}, {});
    case Line::Jump:
      return enter({line.target, values}, after);
    case Line::Compare:
      enter({i + 1, values | bit}, after);
      return enter({i + 1, values & ~bit}, after);
    case Line::And:
      enter({i + 1, values}, after);
      return enter({i + 1, values & ~bit}, after);
    case Line::Or:
      enter({i + 1, values}, after);
      return enter({i + 1, values | bit}, after);
    case Line::Both:
      enter({i + 1, (values & ~3) | 1}, after);
      return enter({i + 1, (values & ~3) | 2}, after);
    case Line::Not:
      bool isSet = !(values & 1);
      return enter({i + 1, isSet ? values | bit : values & ~bit}, after);
    }
  }

  const Program &program;
  std::map<Place, std::set<unsigned>> before; ///< Loads outstanding.
  std::set<Place> worklist;
};

std::set<std::string> findByLint(const std::string &text) {
  llvm::Expected<PTXModule> module = parsePTX(text);
  if (!module)
    return {llvm::toString(module.takeError())};
  std::set<std::string> found;
  for (const PTXFault &fault : lintPTX(*module).faults)
    found.insert((fault.kind == PTXFault::EarlyRead ? "R" : "W") +
                 std::to_string(fault.line - 2));
  return found;
}

void compare(bool hasLoops) {
  unsigned exact = 0, faulty = 0, wrong = 0;
  constexpr unsigned count = 20000;
  for (unsigned seed = 0; seed != count; ++seed) {
    Program program = makeProgram(seed, hasLoops);
    std::string text = print(program);
    std::set<std::string> expected = Reference(program).found;
    std::set<std::string> found = findByLint(text);
    ASSERT_TRUE(std::includes(found.begin(), found.end(), expected.begin(),
                              expected.end()))
        << text;
    exact += expected == found;
    faulty += !expected.empty();
    wrong += expected.empty() && !found.empty();
  }
  EXPECT_GT(faulty, count / 4);
  EXPECT_LT(faulty, count * 3 / 4);
  EXPECT_GT(exact, count * 9 / 10);
  EXPECT_LT(wrong, count / 20);
}
} // namespace

TEST(PTXPredicateRandom, BranchesDown) { compare(/*hasLoops=*/false); }

TEST(PTXPredicateRandom, Loops) { compare(/*hasLoops=*/true); }
