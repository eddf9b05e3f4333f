//===- PTXLint.cpp - Reads of Tensor Memory before their wait -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward may-analysis of each function. One wait completes all loads of the
// thread, so the state is a set of loads, not of registers: a register is
// pending while any load that writes it is outstanding.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SparseBitVector.h"
#include <deque>

using namespace mlir::tmem;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string PTXFault::getMessage() const {
  return "register " + reg + " is " + (kind == EarlyRead ? "read" : "written") +
         " before its wait";
}

std::string PTXFault::str() const {
  return "line " + std::to_string(line) + ": " + getMessage() +
         " (loaded at line " + std::to_string(loadLine) + ") in '" + function +
         "'";
}

std::string PTXRemark::getMessage() const {
  if (kind == NeverWaited)
    return "registers are loaded and, on a path to the function's end, never "
           "waited for";
  return "a wait under a predicate does not count: not every path executes it";
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// Whether an opcode is `base`, with or without modifiers.
static bool isOpcode(StringRef opcode, StringRef base) {
  return opcode.consume_front(base) && (opcode.empty() || opcode[0] == '.');
}

static bool isLoad(const PTXInstruction &inst) {
  return isOpcode(inst.opcode, "tcgen05.ld");
}

namespace {
using NameSet = llvm::DenseSet<StringRef>;
} // namespace

/// Which instructions complete the thread's loads: waits, and calls of
/// functions that are known to wait.
static std::vector<bool> findWaits(const PTXFunction &function,
                                   const NameSet &waiting) {
  std::vector<bool> waits(function.instructions.size());
  for (auto [index, inst] : llvm::enumerate(function.instructions))
    waits[index] = isOpcode(inst.opcode, "tcgen05.wait::ld");
  for (const PTXCall &call : function.calls)
    if (waiting.contains(call.callee))
      waits[call.instruction] = true;
  return waits;
}

/// Whether every path through the function waits.
static bool alwaysWaits(const PTXFunction &function, const NameSet &waiting) {
  std::vector<bool> waits = findWaits(function, waiting);
  auto waitsIn = [&](const PTXBlock &block) {
    for (unsigned i = block.begin; i != block.end; ++i)
      if (waits[i] && !function.instructions[i].isPredicated)
        return true;
    return false;
  };
  llvm::BitVector reached(function.blocks.size());
  std::vector<unsigned> stack{0};
  while (!stack.empty()) {
    unsigned block = stack.back();
    stack.pop_back();
    if (reached.test(block))
      continue;
    reached.set(block);
    if (!waitsIn(function.blocks[block]))
      llvm::append_range(stack, function.blocks[block].successors);
  }
  return !reached.test(function.exitBlock);
}

/// The functions that wait on every path, by themselves or by calling others.
static NameSet findWaitingFunctions(const PTXModule &module) {
  NameSet waiting;
  std::vector<const PTXFunction *> others;
  for (const PTXFunction &function : module.functions)
    if (!function.isKernel)
      others.push_back(&function);
  // Each round finds callers of what the round before found. Wrappers are not
  // nested deeper than this; a wait that is missed makes the lint stricter.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; round != maxRounds; ++round) {
    size_t before = waiting.size();
    llvm::erase_if(others, [&](const PTXFunction *function) {
      bool waits = alwaysWaits(*function, waiting);
      if (waits)
        waiting.insert(function->name);
      return waits;
    });
    if (waiting.size() == before)
      break;
  }
  return waiting;
}

namespace {
/// Loads are numbered in the order of the text.
using LoadSet = llvm::SparseBitVector<>;

/// A part of a block such that what is outstanding where control enters it is
/// outstanding where control leaves it. A block without a wait is one segment;
/// one with waits is two: up to its first wait, which nothing leaves, and from
/// there on, which nothing enters.
struct Segment {
  unsigned begin = 0; ///< Instructions.
  unsigned end = 0;
  unsigned firstLoad = 0; ///< The number of the next load from `begin` on.
  unsigned genBegin = 0;  ///< Loads that are outstanding at the end.
  unsigned genEnd = 0;
  llvm::SmallVector<Segment *, 2> next;
  unsigned component = 0;
};
} // namespace

template <> struct llvm::GraphTraits<Segment *> {
  using NodeRef = Segment *;
  using ChildIteratorType = Segment **;
  static NodeRef getEntryNode(NodeRef root) { return root; }
  static ChildIteratorType child_begin(NodeRef n) { return n->next.begin(); }
  static ChildIteratorType child_end(NodeRef n) { return n->next.end(); }
};

namespace {
class FunctionLint {
public:
  FunctionLint(const PTXFunction &function, const NameSet &waiting,
               PTXLintResult &result)
      : function(function), result(result),
        isWait(findWaits(function, waiting)) {}

  void run();

private:
  using Component = std::vector<Segment *>;

  void addSegments(const PTXBlock &block);
  void addLoad(const PTXInstruction &inst);
  void connect();
  void findComponents();
  void visitComponent(const Component &component, LoadSet outstanding);
  void reportSegment(const Segment &segment, LoadSet &outstanding);
  void reportInstruction(unsigned index, const LoadSet &outstanding);
  void reportUse(unsigned index, unsigned reg, PTXFault::Kind kind,
                 const LoadSet &outstanding);
  void addRemark(PTXRemark::Kind kind, unsigned line);

  const PTXFunction &function;
  PTXLintResult &result;
  std::vector<bool> isWait; ///< Of each instruction, predicated ones too.
  std::vector<const PTXInstruction *> loads;
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> loadsOfRegister;
  std::deque<Segment> segments;
  std::vector<Segment *> heads; ///< Of each block, where control enters it.
  std::vector<Segment *> tails; ///< Of each block, where control leaves it.
  std::vector<Component> components; ///< Each before all that it leads to.
  std::vector<LoadSet> atEntry;      ///< Of each component.
  std::map<unsigned, std::vector<PTXFault>> faults; ///< Of each instruction.
};
} // namespace

void FunctionLint::addLoad(const PTXInstruction &inst) {
  for (unsigned reg : function.getDefs(inst))
    loadsOfRegister[reg].push_back(loads.size());
  loads.push_back(&inst);
}

void FunctionLint::addSegments(const PTXBlock &block) {
  auto start = [&](unsigned instruction) {
    segments.push_back({});
    segments.back().begin = instruction;
    segments.back().firstLoad = segments.back().genBegin = loads.size();
  };
  auto finish = [&](unsigned instruction) {
    segments.back().end = instruction;
    segments.back().genEnd = loads.size();
  };
  start(block.begin);
  heads.push_back(&segments.back());
  for (unsigned i = block.begin; i != block.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    if (isWait[i] && !inst.isPredicated) {
      if (&segments.back() == heads.back()) {
        finish(i);
        start(i);
      }
      segments.back().genBegin = loads.size();
    }
    if (isLoad(inst))
      addLoad(inst);
  }
  finish(block.end);
  tails.push_back(&segments.back());
}

void FunctionLint::connect() {
  for (auto [block, tail] : llvm::zip_equal(function.blocks, tails))
    for (unsigned successor : block.successors)
      tail->next.push_back(heads[successor]);
}

/// Within a strongly connected component of segments, each reaches each without
/// a wait, so that they share one set and no iteration is needed.
void FunctionLint::findComponents() {
  Segment root; // Code that nothing leads to is linted all the same.
  for (Segment &segment : segments)
    root.next.push_back(&segment);
  for (auto it = llvm::scc_begin(&root); !it.isAtEnd(); ++it)
    if (it->front() != &root)
      components.push_back(*it);
  std::reverse(components.begin(), components.end());
  for (auto [index, component] : llvm::enumerate(components))
    for (Segment *segment : component)
      segment->component = index;
  atEntry.resize(components.size());
}

static void addGenerated(const Segment &segment, LoadSet &set) {
  for (unsigned load = segment.genBegin; load != segment.genEnd; ++load)
    set.set(load);
}

void FunctionLint::visitComponent(const Component &component,
                                  LoadSet outstanding) {
  bool isCycle = component.size() > 1 ||
                 llvm::is_contained(component.front()->next, component.front());
  if (isCycle)
    for (Segment *segment : component)
      addGenerated(*segment, outstanding);
  // The report adds the loads of a segment that stands alone; in a cycle they
  // are there already. So the set is right for what follows.
  for (Segment *segment : component) {
    reportSegment(*segment, outstanding);
    for (Segment *next : segment->next)
      if (next->component != segment->component)
        atEntry[next->component] |= outstanding;
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void FunctionLint::addRemark(PTXRemark::Kind kind, unsigned line) {
  result.remarks.push_back({kind, function.name.str(), line});
}

void FunctionLint::reportUse(unsigned index, unsigned reg, PTXFault::Kind kind,
                             const LoadSet &outstanding) {
  auto it = loadsOfRegister.find(reg);
  if (it == loadsOfRegister.end())
    return;
  unsigned line = function.instructions[index].line;
  // The nearest load above the use is the likely one; around a loop it is
  // below.
  llvm::ArrayRef<unsigned> all = it->second;
  const unsigned *below = llvm::partition_point(
      all, [&](unsigned load) { return loads[load]->line <= line; });
  auto isOutstanding = [&](unsigned load) { return outstanding.test(load); };
  auto above = llvm::reverse(llvm::make_range(all.begin(), below));
  const unsigned *found = all.end();
  if (auto hit = llvm::find_if(above, isOutstanding); hit != above.end())
    found = &*hit;
  else
    found = std::find_if(below, all.end(), isOutstanding);
  if (found != all.end())
    faults[index].push_back({kind, function.name.str(),
                             function.getRegisterName(reg).str(), line,
                             loads[*found]->line});
}

/// Each register once, however often the instruction names it.
void FunctionLint::reportInstruction(unsigned index,
                                     const LoadSet &outstanding) {
  const PTXInstruction &inst = function.instructions[index];
  llvm::SmallDenseSet<unsigned, 8> seen;
  for (unsigned reg : function.getUses(inst))
    if (seen.insert(reg).second)
      reportUse(index, reg, PTXFault::EarlyRead, outstanding);
  for (unsigned reg : function.getDefs(inst))
    if (seen.insert(reg).second)
      reportUse(index, reg, PTXFault::EarlyWrite, outstanding);
}

/// Turns the set at the segment's start into the one at its end.
void FunctionLint::reportSegment(const Segment &segment, LoadSet &outstanding) {
  unsigned load = segment.firstLoad;
  bool any = !outstanding.empty();
  for (unsigned i = segment.begin; i != segment.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    if (any)
      reportInstruction(i, outstanding);
    if (any && isWait[i] && inst.isPredicated)
      addRemark(PTXRemark::PredicatedWait, inst.line);
    if (any && isWait[i] && !inst.isPredicated) {
      outstanding.clear();
      any = false;
    }
    if (isLoad(inst)) {
      outstanding.set(load++);
      any = true;
    }
  }
}

void FunctionLint::run() {
  for (const PTXBlock &block : function.blocks)
    addSegments(block);
  if (loads.empty())
    return;
  connect();
  findComponents();
  for (auto [index, component] : llvm::enumerate(components)) {
    LoadSet outstanding = atEntry[index];
    if (component.front() == heads[function.exitBlock])
      for (unsigned load : outstanding)
        addRemark(PTXRemark::NeverWaited, loads[load]->line);
    atEntry[index].clear(); // Or all of them together could get large.
    visitComponent(component, std::move(outstanding));
  }
  for (auto &[index, list] : faults)
    llvm::append_range(result.faults, std::move(list));
}

PTXLintResult mlir::tmem::lintPTX(const PTXModule &module) {
  NameSet waiting = findWaitingFunctions(module);
  PTXLintResult result;
  for (const PTXFunction &function : module.functions)
    FunctionLint(function, waiting, result).run();
  return result;
}

std::map<std::string, unsigned>
mlir::tmem::countTcgen05(const PTXFunction &function) {
  llvm::DenseMap<StringRef, unsigned> counts;
  for (const PTXInstruction &inst : function.instructions)
    if (inst.opcode.starts_with("tcgen05."))
      ++counts[inst.opcode];
  std::map<std::string, unsigned> sorted;
  for (auto [opcode, count] : counts)
    sorted.emplace(opcode.str(), count);
  return sorted;
}
