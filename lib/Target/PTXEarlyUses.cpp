//===- PTXEarlyUses.cpp - Registers used before their wait ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register is pending while any load that writes it is outstanding, whatever
// else writes it, and one wait completes all loads of the thread. Most uses are
// settled inside their segment. For the others, the graph of segments is asked
// whether a path leads there from a load of the register.
//
//===----------------------------------------------------------------------===//

#include "PTXEarlyUses.h"
#include "PTXFlow.h"
#include "PTXReach.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

namespace {
/// A load that is outstanding at the end of a segment, by its instruction, and
/// a register of it.
struct Source {
  unsigned reg = 0, component = 0, load = 0;

  bool operator<(const Source &o) const {
    return std::tie(reg, component, load) <
           std::tie(o.reg, o.component, o.load);
  }
};

/// A use of a register that no load of its own segment explains.
struct Use {
  unsigned reg = 0, component = 0, instruction = 0;
  PTXFault::Kind kind = PTXFault::EarlyRead;

  bool operator<(const Use &o) const {
    return std::tie(reg, component, instruction, kind) <
           std::tie(o.reg, o.component, o.instruction, o.kind);
  }
};

struct Finding {
  unsigned instruction, reg;
  PTXFault::Kind kind;
  unsigned load;

  bool isSameUse(const Finding &o) const {
    return std::tie(instruction, reg, kind) ==
           std::tie(o.instruction, o.reg, o.kind);
  }
  bool operator<(const Finding &o) const {
    // Loads below the use come last, and of those above it, the nearest first.
    bool isBelow = load > instruction, isOtherBelow = o.load > o.instruction;
    return std::tie(instruction, reg, kind, isBelow, o.load) <
           std::tie(o.instruction, o.reg, o.kind, isOtherBelow, load);
  }
};

/// Sorted by register, and in a fixed order within each.
template <typename T> struct ByRegister {
  llvm::ArrayRef<T> get(unsigned reg) const {
    return llvm::ArrayRef(all).slice(starts[reg],
                                     starts[reg + 1] - starts[reg]);
  }
  void sort(unsigned numRegisters);

  std::vector<T> all;

private:
  std::vector<unsigned> starts; ///< Of each register, and the end.
};

/// What the scan of a segment knows of a register.
struct Local {
  unsigned load = 0;  ///< The last in the segment since its last wait,
  unsigned since = 0; ///< if this is the number of that stretch.
  unsigned visit = 0; ///< The last that named the register.
};

class EarlyUses {
public:
  EarlyUses(const PTXFunction &function, const std::vector<bool> &isWait,
            const Guards &guards, const Segments &segments)
      : function(function), isWait(isWait), guards(guards), segments(segments) {
  }

  /// Nothing if it would take long, and that is not wanted.
  std::optional<PTXLintResult> run(bool mayTakeLong);

private:
  void findSources();
  void scan(const Segment &segment);
  void scanInstruction(const Segment &segment, unsigned instruction,
                       Executes execution);
  void scanRegisters(const Segment &segment, unsigned instruction,
                     llvm::ArrayRef<unsigned> regs, PTXFault::Kind kind);
  void addFacts();
  void addFact(llvm::ArrayRef<Source> from, llvm::ArrayRef<Use> to);
  bool settle(bool mayTakeLong);
  void settle(const std::vector<unsigned> &components, unsigned fact,
              llvm::ArrayRef<Use> to);
  unsigned findComponent(unsigned fact, unsigned target);
  unsigned searchBackwards(const Fact &fact, unsigned target);
  void addPredecessors();
  unsigned chooseLoad(unsigned reg, unsigned component,
                      unsigned instruction) const;
  void addFaults();
  void addRemarks();
  void addUnwaited();
  void addSkippedWaits();
  llvm::BitVector findOpen() const;

  const PTXFunction &function;
  const std::vector<bool> &isWait; ///< Of each instruction, predicated or not.
  const Guards &guards;
  const Segments &segments;
  PTXLintResult result;
  ByRegister<Source> sources;
  ByRegister<Use> uses;
  llvm::BitVector leaves;    ///< Registers with a source.
  std::vector<Local> locals; ///< Of each register.
  unsigned stretch = 0;
  unsigned visit = 0; ///< Counts the instructions of all segments.
  std::vector<Fact> facts;
  std::vector<std::pair<unsigned, llvm::ArrayRef<Use>>> usesOfFacts;
  std::map<std::pair<unsigned, unsigned>, unsigned> foundComponents;
  std::vector<llvm::SmallVector<unsigned, 2>> predecessors; ///< Components.
  std::vector<unsigned> visited; ///< The search that last saw a component.
  unsigned search = 0;
  uint64_t searchSteps = 0;
  std::vector<Finding> found;
};
} // namespace

/// Most registers have one element, so that there is nothing to compare.
template <typename T> void ByRegister<T>::sort(unsigned numRegisters) {
  starts.assign(numRegisters + 1, 0);
  for (const T &element : all)
    ++starts[element.reg + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<T> sorted(all.size());
  std::vector<unsigned> next = starts;
  for (const T &element : all)
    sorted[next[element.reg]++] = element;
  all = std::move(sorted);
  for (unsigned reg = 0; reg != numRegisters; ++reg)
    if (starts[reg + 1] - starts[reg] > 1)
      std::sort(all.begin() + starts[reg], all.begin() + starts[reg + 1]);
}

//===----------------------------------------------------------------------===//
// Inside segments
//===----------------------------------------------------------------------===//

void EarlyUses::findSources() {
  leaves.resize(function.getNumRegisters());
  for (const Segment &segment : segments.all) {
    if (segment.next.empty())
      continue;
    for (unsigned load : segments.getLoads(segment))
      for (unsigned reg : function.getDefs(function.instructions[load])) {
        sources.all.push_back({reg, segment.component, load});
        leaves.set(reg);
      }
  }
  sources.sort(function.getNumRegisters());
}

/// Each register once, however often the instruction names it.
void EarlyUses::scanRegisters(const Segment &segment, unsigned instruction,
                              llvm::ArrayRef<unsigned> regs,
                              PTXFault::Kind kind) {
  for (unsigned reg : regs) {
    Local &local = locals[reg];
    bool isLocal = local.since == stretch;
    if ((!isLocal && !leaves.test(reg)) ||
        std::exchange(local.visit, visit) == visit)
      continue;
    if (isLocal)
      found.push_back({instruction, reg, kind, local.load});
    else
      uses.all.push_back({reg, segment.component, instruction, kind});
  }
}

void EarlyUses::scanInstruction(const Segment &segment, unsigned instruction,
                                Executes execution) {
  const PTXInstruction &inst = function.instructions[instruction];
  llvm::ArrayRef<unsigned> uses = function.getUses(inst);
  ++visit;
  if (execution == Executes::No)
    uses = uses.take_front(inst.hasPredicateRegister);
  scanRegisters(segment, instruction, uses,
                isReturn(inst.opcode) ? PTXFault::EarlyReturn
                                      : PTXFault::EarlyRead);
  if (execution == Executes::No)
    return;
  // What a call that waits gives back, it writes after the wait.
  if (isWait[instruction] && execution == Executes::Yes)
    ++stretch;
  else
    scanRegisters(segment, instruction, function.getDefs(inst),
                  PTXFault::EarlyWrite);
  if (!isLoad(inst))
    return;
  for (unsigned reg : function.getDefs(inst)) {
    locals[reg].load = instruction;
    locals[reg].since = stretch;
  }
}

void EarlyUses::scan(const Segment &segment) {
  ++stretch;
  Segments::visit(segment, function, guards,
                  [&](unsigned instruction, Executes execution) {
                    scanInstruction(segment, instruction, execution);
                  });
}

//===----------------------------------------------------------------------===//
// Across segments
//===----------------------------------------------------------------------===//

/// The components of a sorted range, each once.
template <typename Range>
static std::vector<unsigned> getComponents(const Range &range) {
  std::vector<unsigned> components;
  for (const auto &element : range)
    if (components.empty() || components.back() != element.component)
      components.push_back(element.component);
  return components;
}

void EarlyUses::addFact(llvm::ArrayRef<Source> from, llvm::ArrayRef<Use> to) {
  Fact fact{getComponents(from), getComponents(to)};
  if (facts.empty() || facts.back().sources != fact.sources ||
      facts.back().targets != fact.targets)
    facts.push_back(std::move(fact));
  usesOfFacts.push_back({unsigned(facts.size() - 1), to});
}

/// One fact for each register that is both loaded and used, but neighbours that
/// are loaded and used in the same components share theirs.
void EarlyUses::addFacts() {
  uses.sort(function.getNumRegisters());
  for (unsigned reg = 0; reg != function.getNumRegisters(); ++reg)
    if (llvm::ArrayRef<Use> to = uses.get(reg); !to.empty())
      addFact(sources.get(reg), to);
}

bool EarlyUses::settle(bool mayTakeLong) {
  auto reached = findReached(segments, facts, mayTakeLong);
  if (!reached)
    return false;
  for (auto [fact, to] : usesOfFacts)
    if (!(*reached)[fact].empty())
      settle((*reached)[fact], fact, to);
  return true;
}

void EarlyUses::settle(const std::vector<unsigned> &components, unsigned fact,
                       llvm::ArrayRef<Use> to) {
  for (const Use &use : to)
    if (std::binary_search(components.begin(), components.end(), use.component))
      found.push_back({use.instruction, use.reg, use.kind,
                       chooseLoad(use.reg, findComponent(fact, use.component),
                                  use.instruction)});
}

void EarlyUses::addPredecessors() {
  predecessors.resize(segments.components.size());
  visited.resize(segments.components.size());
  for (const Segment &segment : segments.all)
    for (const Segment *next : segment.next)
      if (next->component != segment.component)
        predecessors[next->component].push_back(segment.component);
}

/// The nearest component with a source of the fact, in edges.
unsigned EarlyUses::searchBackwards(const Fact &fact, unsigned target) {
  ++search;
  std::vector<unsigned> queue{target};
  for (size_t i = 0; i != queue.size(); ++i) {
    searchSteps += predecessors[queue[i]].size() + 1;
    for (unsigned component : predecessors[queue[i]]) {
      if (std::binary_search(fact.sources.begin(), fact.sources.end(),
                             component))
        return component;
      if (std::exchange(visited[component], search) != search)
        queue.push_back(component);
    }
  }
  return fact.sources.front();
}

/// A component that a use's load may stand in. Naming the nearest is a service
/// to the reader, so that there is a limit to the work.
unsigned EarlyUses::findComponent(unsigned fact, unsigned target) {
  const Fact &asked = facts[fact];
  if (segments.isCycle(target) &&
      std::binary_search(asked.sources.begin(), asked.sources.end(), target))
    return target;
  if (asked.sources.size() == 1)
    return asked.sources.front();
  auto [it, isNew] = foundComponents.try_emplace({fact, target}, 0);
  if (!isNew)
    return it->second;
  const uint64_t maxSteps = 1000000 + 64 * uint64_t(segments.all.size());
  it->second = searchSteps < maxSteps ? searchBackwards(asked, target)
                                      : asked.sources.front();
  return it->second;
}

/// The nearest load above the use is the likely one; around a loop it is below.
unsigned EarlyUses::chooseLoad(unsigned reg, unsigned component,
                               unsigned instruction) const {
  llvm::ArrayRef<Source> all = sources.get(reg);
  auto begin = llvm::partition_point(
      all, [&](const Source &source) { return source.component < component; });
  auto above =
      std::partition_point(begin, all.end(), [&](const Source &source) {
        return source.component == component && source.load <= instruction;
      });
  return above == begin ? begin->load : std::prev(above)->load;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void EarlyUses::addFaults() {
  // The same use may be found on several paths.
  llvm::sort(found);
  found.erase(
      llvm::unique(found, [](const Finding &a,
                             const Finding &b) { return a.isSameUse(b); }),
      found.end());
  for (const Finding &finding : found) {
    const PTXInstruction &user = function.instructions[finding.instruction];
    const PTXInstruction &source = function.instructions[finding.load];
    result.faults.push_back({finding.kind, function.name,
                             function.getRegisterName(finding.reg), user.line,
                             source.line, user.text, source.text});
  }
}

/// Loads whose segment leads to the end.
void EarlyUses::addUnwaited() {
  llvm::BitVector seen(segments.components.size());
  std::vector<unsigned> stack;
  for (const Segment *exit : segments.exits) {
    stack.push_back(exit->component);
    seen.set(exit->component);
  }
  while (!stack.empty()) {
    unsigned component = stack.back();
    stack.pop_back();
    for (unsigned from : predecessors[component]) {
      if (!seen.test(from))
        stack.push_back(from);
      seen.set(from);
    }
  }
  llvm::BitVector loads(function.instructions.size());
  for (const Segment &segment : segments.all)
    if (seen.test(segment.component))
      for (unsigned load : segments.getLoads(segment))
        loads.set(load);
  for (unsigned load : loads.set_bits())
    result.remarks.push_back({PTXRemark::NeverWaited, function.name,
                              function.instructions[load].line});
}

/// The components that are entered with a load outstanding.
llvm::BitVector EarlyUses::findOpen() const {
  llvm::BitVector open(segments.components.size());
  for (unsigned i = 0; i != segments.components.size(); ++i) {
    const Segments::Component &component = segments.components[i];
    bool hasLoads = llvm::any_of(
        component, [](const Segment *segment) { return segment->hasLoads(); });
    if (hasLoads && segments.isCycle(i))
      open.set(i);
    if (!hasLoads && !open.test(i))
      continue;
    for (const Segment *segment : component)
      for (const Segment *next : segment->next)
        if (next->component != i)
          open.set(next->component);
  }
  return open;
}

/// Waits under a predicate that nothing is known of, on a path with a load
/// outstanding.
void EarlyUses::addSkippedWaits() {
  llvm::BitVector open = findOpen();
  llvm::BitVector waits(function.instructions.size());
  for (const Segment &segment : segments.all) {
    bool any = open.test(segment.component);
    auto visit = [&](unsigned i, Executes execution) {
      if (isWait[i] && execution == Executes::Yes)
        any = false;
      else if (isWait[i] && execution == Executes::Maybe && any)
        waits.set(i);
      any |= isLoad(function.instructions[i]) && execution != Executes::No;
    };
    Segments::visit(segment, function, guards, visit);
  }
  for (unsigned wait : waits.set_bits())
    result.remarks.push_back({PTXRemark::PredicatedWait, function.name,
                              function.instructions[wait].line});
}

void EarlyUses::addRemarks() {
  addUnwaited();
  addSkippedWaits();
  llvm::sort(result.remarks, [](const PTXRemark &a, const PTXRemark &b) {
    return std::tie(a.line, a.kind) < std::tie(b.line, b.kind);
  });
}

std::optional<PTXLintResult> EarlyUses::run(bool mayTakeLong) {
  findSources();
  locals.resize(function.getNumRegisters());
  addPredecessors();
  for (const Segment &segment : segments.all)
    scan(segment);
  addFacts();
  if (!settle(mayTakeLong))
    return std::nullopt;
  addFaults();
  addRemarks();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static PTXLintResult run(const PTXFunction &function,
                         const std::vector<bool> &isWait) {
  Guards guards;
  std::optional<Segments> segments =
      Segments::create(function, isWait, guards, /*limit=*/2);
  PTXLintResult result =
      *EarlyUses(function, isWait, guards, *segments).run(/*mayTakeLong=*/true);
  auto lint = [&](const Guards &known, const Segments &paths) {
    return EarlyUses(function, isWait, known, paths).run(/*mayTakeLong=*/false);
  };
  std::vector<bool> isEvent = isWait;
  bool anyEvent = false;
  size_t numBranches = 0;
  for (auto [index, inst] : llvm::enumerate(function.instructions)) {
    isEvent[index] = isEvent[index] || isLoad(inst);
    anyEvent |= isEvent[index] && inst.isPredicated;
    numBranches += inst.isPredicated && getFlow(inst.opcode) != Flow::Next;
  }
  // Most programs are clean whatever predicates say.
  constexpr size_t maxBranches = 4096;
  bool withBranches = !result.faults.empty() && numBranches <= maxBranches;
  if (withBranches)
    if (auto better = followPredicates(function, isWait, isEvent, true, lint))
      return std::move(*better);
  if (anyEvent)
    if (auto better = followPredicates(function, isWait, isEvent, false, lint))
      return std::move(*better);
  return result;
}

void ptx::findEarlyUses(const PTXFunction &function, const Waits &waits,
                        PTXLintResult &result) {
  if (llvm::none_of(function.instructions, isLoad))
    return;
  PTXLintResult found = run(function, waits.find(function));
  llvm::append_range(result.faults, std::move(found.faults));
  llvm::append_range(result.remarks, std::move(found.remarks));
}
