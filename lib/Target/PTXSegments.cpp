//===- PTXSegments.cpp - Paths of PTX, cut at waits -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXSegments.h"
#include "PTXFlow.h"
#include "PTXWaits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

bool ptx::isLoad(const PTXInstruction &inst) {
  return isOpcode(inst.opcode, "tcgen05.ld");
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static uint64_t getKey(Guards::State state) {
  return uint64_t(state.last) << 32 | state.older;
}

namespace mlir::tmem::ptx {
class SegmentBuilder {
public:
  SegmentBuilder(const PTXFunction &function, const std::vector<bool> &waits,
                 const Guards &guards, size_t maxSegments)
      : function(function), waits(waits), guards(guards),
        maxSegments(maxSegments), isReached(function.blocks.size()),
        heads(function.blocks.size()) {}

  bool run();

  Segments result;

private:
  Segment *add(unsigned block, unsigned instruction, Guards::State state);
  Segment *getHead(unsigned block, Guards::State state);
  void walkAll();
  void walk(Segment *head);
  void fork(Segment *segment, unsigned instruction, Guards::State state);
  void finish(Segment *segment, unsigned instruction);
  void leave(Segment *segment, Guards::State state, Executes last);

  const PTXFunction &function;
  const std::vector<bool> &waits;
  const Guards &guards;
  size_t maxSegments;
  std::vector<bool> isReached;  ///< Of each block.
  std::vector<Segment *> heads; ///< Of blocks, where nothing is known.
  /// Where something is, by block and by what is known.
  llvm::DenseMap<std::pair<unsigned, uint64_t>, Segment *> knowingHeads;
  /// Likewise, by instruction, where paths part.
  llvm::DenseMap<std::pair<unsigned, uint64_t>, Segment *> forks;
  std::vector<Segment *> worklist;
};
} // namespace mlir::tmem::ptx

Segment *SegmentBuilder::add(unsigned block, unsigned instruction,
                             Guards::State state) {
  Segment *segment = &result.all.emplace_back();
  segment->index = result.all.size() - 1;
  segment->block = block;
  segment->begin = instruction;
  segment->state = state;
  segment->genBegin = result.loads.size();
  return segment;
}

Segment *SegmentBuilder::getHead(unsigned block, Guards::State state) {
  uint64_t key = getKey(state);
  Segment *&head = key == 0 ? heads[block] : knowingHeads[{block, key}];
  if (!head) {
    isReached[block] = true;
    head = add(block, function.blocks[block].begin, state);
    worklist.push_back(head);
    if (block == function.exitBlock)
      result.exits.push_back(head);
  }
  return head;
}

void SegmentBuilder::finish(Segment *segment, unsigned instruction) {
  segment->end = instruction;
  segment->genEnd = result.loads.size();
}

/// Goes on once for each value of the instruction's predicate.
void SegmentBuilder::fork(Segment *segment, unsigned instruction,
                          Guards::State state) {
  finish(segment, instruction);
  for (bool isExecuted : {false, true}) {
    Guards::State known = guards.assume(state, instruction, isExecuted);
    Segment *&next = forks[{instruction, getKey(known)}];
    if (!next) {
      next = add(segment->block, instruction, known);
      worklist.push_back(next);
    }
    segment->next.push_back(next);
  }
}

/// `last` says whether the last instruction, if it is a branch, is taken.
void SegmentBuilder::leave(Segment *segment, Guards::State state,
                           Executes last) {
  const PTXBlock &block = function.blocks[segment->block];
  llvm::ArrayRef<unsigned> successors = block.successors;
  // The first one of a branch under a predicate is the block below.
  if (block.begin != block.end) {
    const PTXInstruction &inst = function.instructions[block.end - 1];
    bool isBranch = inst.isPredicated && getFlow(inst.opcode) != Flow::Next;
    if (isBranch && last == Executes::Yes)
      successors = successors.drop_front();
    else if (isBranch && last == Executes::No)
      successors = successors.take_front();
  }
  for (unsigned successor : successors)
    segment->next.push_back(getHead(successor, state));
}

void SegmentBuilder::walk(Segment *head) {
  const PTXBlock &block = function.blocks[head->block];
  Segment *segment = head;
  Guards::State state = head->state;
  Executes execution = Executes::Yes;
  head->genBegin = result.loads.size();
  for (unsigned i = head->begin; i != block.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    execution = guards.getExecution(inst, i, state);
    if (execution == Executes::Maybe && guards.isFork(i))
      return fork(segment, i, state);
    if (isLoad(inst) && execution != Executes::No)
      result.loads.push_back(i);
    state = guards.step(function, state, i);
    if (!waits[i] || execution != Executes::Yes)
      continue;
    if (segment == head) {
      finish(head, i + 1);
      segment = add(head->block, i + 1, state);
      head->behindWait = segment;
    }
    segment->genBegin = result.loads.size();
  }
  finish(segment, block.end);
  leave(segment, state, execution);
}

void SegmentBuilder::walkAll() {
  while (!worklist.empty() && result.all.size() <= maxSegments) {
    Segment *segment = worklist.back();
    worklist.pop_back();
    walk(segment);
  }
}

/// Code that nothing leads to is linted all the same.
bool SegmentBuilder::run() {
  for (unsigned block = 0; block != function.blocks.size(); ++block) {
    if (!isReached[block])
      getHead(block, {});
    walkAll();
  }
  return result.all.size() <= maxSegments;
}

std::optional<Segments> Segments::create(const PTXFunction &function,
                                         const std::vector<bool> &waits,
                                         const Guards &guards, unsigned limit) {
  // Without predicates to follow, a block has two segments at most.
  size_t maxSegments =
      std::max(2u, limit) * (function.blocks.size() + guards.getNumForks());
  SegmentBuilder builder(function, waits, guards, maxSegments);
  if (!builder.run())
    return std::nullopt;
  Segments segments = std::move(builder.result);
  segments.findComponents();
  return segments;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

namespace {
/// Tarjan's algorithm, without recursion. llvm::scc_iterator keeps its numbers
/// in a hash table, which takes longer than all else.
class ComponentFinder {
public:
  ComponentFinder(size_t count, std::vector<Segments::Component> &components)
      : numbers(count), components(components) {}

  void visit(Segment *start);

private:
  struct Frame {
    Segment *segment;
    unsigned nextChild, lowest;
  };

  void enter(Segment *segment);
  void close(Segment *segment);

  static constexpr unsigned closed = ~0u;
  std::vector<unsigned> numbers; ///< Of segments; 0 if not yet seen.
  std::vector<Segments::Component> &components;
  std::vector<Frame> frames;
  std::vector<Segment *> open;
  unsigned last = 0;
};
} // namespace

void ComponentFinder::enter(Segment *segment) {
  numbers[segment->index] = ++last;
  open.push_back(segment);
  frames.push_back({segment, 0, last});
}

/// Everything above the segment on the stack forms a component with it.
void ComponentFinder::close(Segment *segment) {
  auto begin = std::prev(open.end());
  while (*begin != segment)
    --begin;
  components.emplace_back(begin, open.end());
  for (Segment *member : components.back())
    numbers[member->index] = closed;
  open.erase(begin, open.end());
}

void ComponentFinder::visit(Segment *start) {
  if (numbers[start->index] != 0)
    return;
  enter(start);
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (frame.nextChild != frame.segment->next.size()) {
      Segment *child = frame.segment->next[frame.nextChild++];
      if (numbers[child->index] == 0)
        enter(child);
      else if (numbers[child->index] != closed)
        frame.lowest = std::min(frame.lowest, numbers[child->index]);
      continue;
    }
    Frame left = frame;
    frames.pop_back();
    if (left.lowest == numbers[left.segment->index])
      close(left.segment);
    else
      frames.back().lowest = std::min(frames.back().lowest, left.lowest);
  }
}

void Segments::findComponents() {
  ComponentFinder finder(all.size(), components);
  for (Segment &segment : all)
    finder.visit(&segment);
  std::reverse(components.begin(), components.end());
  for (auto [index, component] : llvm::enumerate(components))
    for (Segment *segment : component)
      segment->component = index;
}

bool Segments::isCycle(unsigned component) const {
  const Component &segments = components[component];
  return segments.size() > 1 ||
         llvm::is_contained(segments.front()->next, segments.front());
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

std::vector<const Segment *> Segments::getFlowOrder() const {
  std::vector<const Segment *> order;
  std::vector<bool> isSeen(all.size());
  std::vector<std::pair<const Segment *, unsigned>> stack; // And a child.
  auto enter = [&](const Segment *segment) {
    if (segment && !isSeen[segment->index]) {
      isSeen[segment->index] = true;
      stack.push_back({segment, 0});
    }
  };
  for (const Segment &start : all) {
    enter(&start);
    while (!stack.empty()) {
      auto &[segment, child] = stack.back();
      if (child <= segment->next.size()) {
        unsigned number = child++;
        enter(number == segment->next.size() ? segment->behindWait
                                             : segment->next[number]);
        continue;
      }
      order.push_back(segment);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}
