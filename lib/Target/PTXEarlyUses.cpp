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

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

namespace {
/// A load that is outstanding at the end of a segment, and a register of it.
struct Source {
  unsigned reg, component, load;

  bool operator<(const Source &o) const {
    return std::tie(reg, component, load) <
           std::tie(o.reg, o.component, o.load);
  }
};

/// A use of a register that no load of its own segment explains.
struct Use {
  unsigned reg, component, instruction;
  PTXFault::Kind kind;

  bool operator<(const Use &o) const {
    return std::tie(reg, component, instruction, kind) <
           std::tie(o.reg, o.component, o.instruction, o.kind);
  }
};

struct Finding {
  unsigned instruction, reg;
  PTXFault::Kind kind;
  unsigned load;

  bool operator<(const Finding &o) const {
    return std::tie(instruction, reg, kind) <
           std::tie(o.instruction, o.reg, o.kind);
  }
};

class EarlyUses {
public:
  EarlyUses(const PTXFunction &function, std::vector<bool> waits,
            PTXLintResult &result)
      : function(function), result(result), isWait(std::move(waits)),
        segments(function, isWait) {}

  void run();

private:
  void findSources();
  void scan(const Segment &segment);
  void scanRegisters(const Segment &segment, unsigned instruction,
                     llvm::ArrayRef<unsigned> regs, PTXFault::Kind kind);
  void addFacts();
  void addFact(llvm::ArrayRef<Source> from, llvm::ArrayRef<Use> to);
  void settle();
  void settle(const std::vector<unsigned> &components, unsigned fact,
              llvm::ArrayRef<Use> to);
  llvm::ArrayRef<Source> getSources(unsigned reg) const;
  unsigned findComponent(unsigned fact, unsigned target);
  unsigned searchBackwards(const Fact &fact, unsigned target);
  void addPredecessors();
  unsigned chooseLoad(unsigned reg, unsigned component,
                      unsigned instruction) const;
  void addFaults();
  void addRemarks();
  void addUnwaited(std::vector<PTXRemark> &remarks) const;
  void addPredicatedWaits(std::vector<PTXRemark> &remarks) const;

  const PTXFunction &function;
  PTXLintResult &result;
  std::vector<bool> isWait; ///< Of each instruction, predicated ones too.
  Segments segments;
  std::vector<Source> sources; ///< Sorted.
  std::vector<Use> uses;       ///< Sorted.
  llvm::BitVector leaves;      ///< Registers with a source.
  /// Of each register, the last load in the segment since its last wait, if
  /// `localSince` is the number of that stretch.
  std::vector<unsigned> localLoad, localSince;
  std::vector<unsigned> lastUser; ///< Of each register: an instruction + 1.
  unsigned stretch = 0;
  std::vector<Fact> facts;
  std::map<std::pair<std::vector<unsigned>, std::vector<unsigned>>, unsigned>
      factNumbers;
  std::vector<std::pair<unsigned, llvm::ArrayRef<Use>>> usesOfFacts;
  std::map<std::pair<unsigned, unsigned>, unsigned> foundComponents;
  std::vector<llvm::SmallVector<unsigned, 2>> predecessors; ///< Components.
  std::vector<unsigned> visited; ///< The search that last saw a component.
  unsigned search = 0;
  uint64_t searchSteps = 0;
  std::vector<Finding> found;
};
} // namespace

//===----------------------------------------------------------------------===//
// Inside segments
//===----------------------------------------------------------------------===//

void EarlyUses::findSources() {
  leaves.resize(function.getNumRegisters());
  for (const Segment &segment : segments.all) {
    if (segment.next.empty())
      continue;
    for (unsigned load = segment.genBegin; load != segment.genEnd; ++load)
      for (unsigned reg :
           function.getDefs(function.instructions[segments.loads[load]])) {
        sources.push_back({reg, segment.component, load});
        leaves.set(reg);
      }
  }
  llvm::sort(sources);
}

/// Each register once, however often the instruction names it.
void EarlyUses::scanRegisters(const Segment &segment, unsigned instruction,
                              llvm::ArrayRef<unsigned> regs,
                              PTXFault::Kind kind) {
  for (unsigned reg : regs) {
    bool isLocal = localSince[reg] == stretch;
    if ((!isLocal && !leaves.test(reg)) ||
        std::exchange(lastUser[reg], instruction + 1) == instruction + 1)
      continue;
    if (isLocal)
      found.push_back({instruction, reg, kind, localLoad[reg]});
    else
      uses.push_back({reg, segment.component, instruction, kind});
  }
}

void EarlyUses::scan(const Segment &segment) {
  unsigned load = segment.firstLoad;
  ++stretch;
  for (unsigned i = segment.begin; i != segment.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    bool isEnd = isWait[i] && !inst.isPredicated;
    scanRegisters(segment, i, function.getUses(inst),
                  isReturn(inst.opcode) ? PTXFault::EarlyReturn
                                        : PTXFault::EarlyRead);
    // What a call that waits gives back, it writes after the wait.
    if (!isEnd)
      scanRegisters(segment, i, function.getDefs(inst), PTXFault::EarlyWrite);
    else
      ++stretch;
    if (!isLoad(inst))
      continue;
    for (unsigned reg : function.getDefs(inst)) {
      localLoad[reg] = load;
      localSince[reg] = stretch;
    }
    ++load;
  }
}

//===----------------------------------------------------------------------===//
// Across segments
//===----------------------------------------------------------------------===//

llvm::ArrayRef<Source> EarlyUses::getSources(unsigned reg) const {
  auto begin = llvm::lower_bound(sources, Source{reg, 0, 0});
  auto end = llvm::lower_bound(sources, Source{reg + 1, 0, 0});
  return llvm::ArrayRef(sources).slice(begin - sources.begin(), end - begin);
}

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
  auto [it, isNew] = factNumbers.try_emplace({fact.sources, fact.targets},
                                             unsigned(facts.size()));
  if (isNew)
    facts.push_back(std::move(fact));
  usesOfFacts.push_back({it->second, to});
}

/// One fact for each register that is both loaded and used, but registers that
/// are loaded and used in the same components share theirs.
void EarlyUses::addFacts() {
  llvm::sort(uses);
  for (llvm::ArrayRef<Use> left = uses; !left.empty();) {
    unsigned reg = left.front().reg;
    llvm::ArrayRef<Use> to =
        left.take_while([&](const Use &use) { return use.reg == reg; });
    left = left.drop_front(to.size());
    addFact(getSources(reg), to);
  }
}

void EarlyUses::settle() {
  std::vector<std::vector<unsigned>> reached = findReached(segments, facts);
  for (auto [fact, to] : usesOfFacts)
    if (!reached[fact].empty())
      settle(reached[fact], fact, to);
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
  auto isBefore = [&](const Source &source) {
    return std::tie(source.reg, source.component) < std::tie(reg, component);
  };
  auto begin = std::partition_point(sources.begin(), sources.end(), isBefore);
  auto above =
      std::partition_point(begin, sources.end(), [&](const Source &source) {
        return source.reg == reg && source.component == component &&
               segments.loads[source.load] <= instruction;
      });
  return above == begin ? begin->load : std::prev(above)->load;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void EarlyUses::addFaults() {
  llvm::sort(found);
  for (const Finding &finding : found) {
    const PTXInstruction &user = function.instructions[finding.instruction];
    const PTXInstruction &source =
        function.instructions[segments.loads[finding.load]];
    result.faults.push_back({finding.kind, function.name.str(),
                             function.getRegisterName(finding.reg).str(),
                             user.line, source.line, user.text, source.text});
  }
}

/// Loads whose segment leads to the end.
void EarlyUses::addUnwaited(std::vector<PTXRemark> &remarks) const {
  llvm::BitVector seen(segments.components.size());
  std::vector<unsigned> stack{segments.exit->component};
  seen.set(stack.back());
  while (!stack.empty()) {
    unsigned component = stack.back();
    stack.pop_back();
    for (unsigned from : predecessors[component]) {
      if (!seen.test(from))
        stack.push_back(from);
      seen.set(from);
    }
  }
  for (const Segment &segment : segments.all)
    if (seen.test(segment.component))
      for (unsigned load = segment.genBegin; load != segment.genEnd; ++load)
        remarks.push_back({PTXRemark::NeverWaited, function.name.str(),
                           function.instructions[segments.loads[load]].line});
}

/// Those that a load may be outstanding at.
void EarlyUses::addPredicatedWaits(std::vector<PTXRemark> &remarks) const {
  llvm::BitVector open(segments.components.size());
  for (unsigned i = 0; i != segments.components.size(); ++i) {
    bool any = open.test(i);
    for (const Segment *segment : segments.components[i])
      any |= segment->genBegin != segment->genEnd;
    if (any && segments.isCycle(i))
      open.set(i);
    for (const Segment *segment : segments.components[i])
      for (const Segment *next : segment->next)
        if (any)
          open.set(next->component);
  }
  for (const Segment &segment : segments.all) {
    bool any = open.test(segment.component);
    for (unsigned i = segment.begin; i != segment.end; ++i) {
      const PTXInstruction &inst = function.instructions[i];
      if (isWait[i] && inst.isPredicated && any)
        remarks.push_back(
            {PTXRemark::PredicatedWait, function.name.str(), inst.line});
      any = (any && !(isWait[i] && !inst.isPredicated)) || isLoad(inst);
    }
  }
}

void EarlyUses::addRemarks() {
  std::vector<PTXRemark> remarks;
  addUnwaited(remarks);
  addPredicatedWaits(remarks);
  llvm::sort(remarks, [](const PTXRemark &a, const PTXRemark &b) {
    return std::tie(a.line, a.kind) < std::tie(b.line, b.kind);
  });
  llvm::append_range(result.remarks, std::move(remarks));
}

void EarlyUses::run() {
  if (segments.loads.empty())
    return;
  findSources();
  localLoad.resize(function.getNumRegisters());
  localSince.resize(function.getNumRegisters());
  lastUser.resize(function.getNumRegisters());
  addPredecessors();
  for (const Segment &segment : segments.all)
    scan(segment);
  addFacts();
  settle();
  addFaults();
  addRemarks();
}

void ptx::findEarlyUses(const PTXFunction &function, const Waits &waits,
                        PTXLintResult &result) {
  if (llvm::any_of(function.instructions, isLoad))
    EarlyUses(function, waits.find(function), result).run();
}
