//===- PlanColumnsLifetimes.cpp - Which buffers live at once --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <queue>

using namespace mlir;
using namespace mlir::tmem;
using llvm::BitVector;

//===----------------------------------------------------------------------===//
// What may be read later, and what may have been written
//===----------------------------------------------------------------------===//

namespace {

/// The state of all buffers at a place.
struct BufferState {
  /// Written on some way here, and not defined anew since.
  BitVector written;
  /// Loads and stores without their waits. Without bits where there are none,
  /// as in most places.
  BitVector loading, storing;

  bool isWritten(unsigned buffer) const {
    return buffer < written.size() && written[buffer];
  }

  bool isUnderWay(unsigned buffer) const {
    return (buffer < loading.size() && loading[buffer]) ||
           (buffer < storing.size() && storing[buffer]);
  }

  /// Leaves of what has been written only what may be read later: before it is
  /// read, anything else is written as a whole or defined anew.
  void keepWanted(const BitVector &wanted) {
    written &= wanted;
    if (written.none())
      written.clear();
  }

  /// True when something was added.
  bool merge(const BufferState &other) {
    if (!other.written.test(written) && !other.loading.test(loading) &&
        !other.storing.test(storing))
      return false;
    written |= other.written;
    loading |= other.loading;
    storing |= other.storing;
    return true;
  }

  void apply(const FlowEvent &event, ArrayRef<Buffer> buffers) {
    unsigned buffer = event.access.buffer;
    switch (event.kind) {
    case FlowEvent::Access:
      if (event.access.kind != AccessKind::Read)
        add(buffer, buffers.size(), written);
      if (event.access.inFlight == InFlight::Load)
        add(buffer, buffers.size(), loading);
      if (event.access.inFlight == InFlight::Store)
        add(buffer, buffers.size(), storing);
      break;
    case FlowEvent::Define:
      if (!buffers[buffer].isCarried && isWritten(buffer))
        written.reset(buffer);
      break;
    case FlowEvent::WaitLoad:
      // A wait is for all loads of the thread (PTX ISA, "tcgen05.wait").
      loading.clear();
      break;
    case FlowEvent::WaitStore:
      storing.clear();
      break;
    case FlowEvent::Barrier:
      break;
    }
  }

private:
  static void add(unsigned buffer, unsigned count, BitVector &bits) {
    bits.resize(count);
    bits.set(buffer);
  }
};

/// Whether the contents of buffers may be read later.
void applyBackward(const FlowEvent &event, ArrayRef<Buffer> buffers,
                   BitVector &wanted) {
  unsigned buffer = event.access.buffer;
  if (event.kind == FlowEvent::Access) {
    if (event.access.kind == AccessKind::Read)
      wanted.set(buffer);
    if (event.access.kind == AccessKind::Overwrite)
      wanted.reset(buffer);
  }
  if (event.kind == FlowEvent::Define && !buffers[buffer].isCarried)
    wanted.reset(buffer);
}

/// Nodes that are to be visited again, those that come first first.
class Worklist {
public:
  explicit Worklist(unsigned count) : isQueued(count) {}
  void add(unsigned position) {
    if (isQueued[position])
      return;
    isQueued[position] = true;
    queue.push(position);
  }
  bool empty() const { return queue.empty(); }
  unsigned take() {
    unsigned position = queue.top();
    queue.pop();
    isQueued[position] = false;
    return position;
  }

private:
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      queue;
  std::vector<bool> isQueued;
};

/// The two solutions, at the start of each node.
class Dataflow {
public:
  Dataflow(const FlowGraph &graph, ArrayRef<Buffer> buffers)
      : graph(graph), buffers(buffers), before(graph.nodes.size()),
        wanted(graph.nodes.size()) {
    positions.resize(graph.nodes.size());
    for (auto [position, node] : llvm::enumerate(graph.order))
      positions[node] = position;
    solveBackward();
    solveForward();
  }

  /// What is wanted after a node.
  BitVector getWantedAfter(unsigned node) const {
    BitVector state(buffers.size());
    for (unsigned successor : graph.nodes[node].successors)
      state |= wanted[successor];
    return state;
  }

  /// For each node the buffers that are accessed in it and behind it, before
  /// the next barrier; without bits where there are none.
  std::vector<BitVector> findAccessed() const {
    std::vector<BitVector> accessed(graph.nodes.size());
    solveFromEnd([&](unsigned number) {
      BitVector state = getAccessed(number, 0, accessed);
      if (state.none())
        state.clear();
      if (state == accessed[number])
        return false;
      accessed[number] = std::move(state);
      return true;
    });
    return accessed;
  }

  /// The buffers that are accessed from an event of a node on, where that is
  /// known of its successors.
  BitVector getAccessed(unsigned number, size_t begin,
                        ArrayRef<BitVector> accessed) const {
    const FlowNode &node = graph.nodes[number];
    BitVector state(buffers.size());
    for (const FlowEvent &event : ArrayRef(node.events).drop_front(begin)) {
      if (event.kind == FlowEvent::Barrier)
        return state;
      if (event.kind == FlowEvent::Access)
        state.set(event.access.buffer);
    }
    for (unsigned successor : node.successors)
      state |= accessed[successor];
    return state;
  }

private:
  void solveForward() {
    Worklist worklist(graph.order.size());
    for (unsigned position = 0; position < graph.order.size(); ++position)
      worklist.add(position);
    while (!worklist.empty()) {
      const FlowNode &node = graph.nodes[graph.order[worklist.take()]];
      BufferState state = before[&node - graph.nodes.data()];
      for (const FlowEvent &event : node.events)
        state.apply(event, buffers);
      for (unsigned successor : node.successors) {
        BufferState passed = state;
        passed.keepWanted(wanted[successor]);
        if (before[successor].merge(passed))
          worklist.add(positions[successor]);
      }
    }
  }

  void solveBackward() {
    solveFromEnd([&](unsigned number) {
      BitVector state = getWantedAfter(number);
      for (const FlowEvent &event : llvm::reverse(graph.nodes[number].events))
        applyBackward(event, buffers, state);
      if (state.none())
        state.clear();
      if (state == wanted[number])
        return false;
      wanted[number] = std::move(state);
      return true;
    });
  }

  /// Calls `update` for each node, and again while it says that something has
  /// changed at the start of a successor.
  void solveFromEnd(llvm::function_ref<bool(unsigned)> update) const {
    unsigned last = graph.order.size() - 1;
    Worklist worklist(graph.order.size());
    for (unsigned position = 0; position <= last; ++position)
      worklist.add(position);
    while (!worklist.empty()) {
      unsigned number = graph.order[last - worklist.take()];
      if (!update(number))
        continue;
      for (unsigned predecessor : graph.nodes[number].predecessors)
        worklist.add(last - positions[predecessor]);
    }
  }

  const FlowGraph &graph;
  ArrayRef<Buffer> buffers;
  std::vector<unsigned> positions;

public:
  /// By node; without bits where there are none.
  std::vector<BufferState> before;
  std::vector<BitVector> wanted;
};

//===----------------------------------------------------------------------===//
// Who lives when
//===----------------------------------------------------------------------===//

/// The columns that living buffers need at least, kept up to date.
class ColumnMeter {
public:
  explicit ColumnMeter(ArrayRef<Buffer> buffers) : buffers(buffers) {}

  void add(unsigned buffer) { change(buffer, 1); }
  void remove(unsigned buffer) { change(buffer, -1); }

  unsigned get() const {
    int64_t most = 0;
    for (unsigned slab = 0; slab < 4; ++slab)
      most = std::max(
          {most, halves[2 * slab], halves[2 * slab + 1],
           (halves[2 * slab] + halves[2 * slab + 1] + either[slab] + 1) / 2});
    return most;
  }

private:
  void change(unsigned buffer, int sign) {
    const PackingItem &item = buffers[buffer].item;
    int64_t columns = sign * int64_t(item.columns);
    for (unsigned group = 0; group < 8; ++group)
      if (item.lanes >> group & 1)
        (item.mayShift() ? either[group / 2] : halves[group]) += columns;
  }

  ArrayRef<Buffer> buffers;
  int64_t halves[8] = {}, either[4] = {};
};

/// Walks over the graph with what lives at each place.
class LifetimeBuilder {
public:
  LifetimeBuilder(const FlowGraph &graph, const BufferUses &uses,
                  WarpOrder order)
      : graph(graph), buffers(uses.buffers), order(order),
        flow(graph, uses.buffers), escaped(buffers.size()) {
    result.conflicts.assign(buffers.size(), BitVector(buffers.size()));
    for (auto [number, buffer] : llvm::enumerate(buffers))
      if (buffer.escape)
        escaped.set(number);
  }

  Lifetimes build() {
    std::vector<BitVector> after(graph.nodes.size());
    for (unsigned node : graph.order)
      walk(node, after);
    if (order != WarpOrder::OneWarpPerSlab)
      joinPhases();
    keepEscaped();
    makeSymmetric();
    return std::move(result);
  }

private:
  bool isAlive(unsigned buffer, const BufferState &state,
               const BitVector &wanted) const {
    return escaped[buffer] || (state.isWritten(buffer) && wanted[buffer]) ||
           state.isUnderWay(buffer);
  }

  /// All of these live at the same time.
  void addClique(const BitVector &members) {
    for (unsigned member : members.set_bits())
      result.conflicts[member] |= members;
  }

  /// The timeline has what lives at the first few places that differ.
  bool isShown(const BitVector &members) const {
    constexpr unsigned maxMoments = 16;
    return result.timeline.size() < maxMoments &&
           (result.timeline.empty() || members != lastShown);
  }

  void note(Operation *op, const BitVector &members, unsigned columns) {
    bool isPeak = columns > result.peak.columns;
    bool isShown = this->isShown(members);
    if (!isPeak && !isShown)
      return;
    Moment moment{op, {}, columns};
    llvm::append_range(moment.buffers, members.set_bits());
    if (isShown) {
      lastShown = members;
      result.timeline.push_back(moment);
    }
    if (isPeak)
      result.peak = std::move(moment);
  }

  /// For each event whether its buffer is wanted after it.
  std::vector<bool> findWanted(unsigned node) const {
    ArrayRef<FlowEvent> events = graph.nodes[node].events;
    std::vector<bool> wantedAfter(events.size());
    BitVector wanted = flow.getWantedAfter(node);
    for (size_t i = events.size(); i-- > 0;) {
      if (events[i].kind == FlowEvent::Access ||
          events[i].kind == FlowEvent::Define)
        wantedAfter[i] = wanted[events[i].access.buffer];
      applyBackward(events[i], buffers, wanted);
    }
    return wantedAfter;
  }

  void walk(unsigned number, std::vector<BitVector> &after) {
    const FlowNode &node = graph.nodes[number];
    BufferState state = flow.before[number];
    BitVector wanted = flow.wanted[number];
    wanted.resize(buffers.size());
    BitVector alive = state.written;
    alive.resize(buffers.size());
    alive &= wanted;
    alive |= state.loading;
    alive |= state.storing;
    alive |= escaped;
    bool isKnown = llvm::any_of(node.predecessors, [&](unsigned other) {
      return !alive.test(after[other]);
    });
    if (!isKnown)
      addClique(alive);
    ColumnMeter meter(buffers);
    for (unsigned buffer : alive.set_bits())
      meter.add(buffer);
    std::vector<bool> wantedAfter = findWanted(number);
    for (auto [index, event] : llvm::enumerate(node.events)) {
      if (event.kind == FlowEvent::Barrier && order == WarpOrder::Barriers)
        aliveAt[event.op] = alive;
      if (event.kind == FlowEvent::Access) {
        begin(event, alive, meter);
        joinAccesses(node.events, index);
      }
      SmallVector<unsigned> changed = getChanged(event, state);
      state.apply(event, buffers);
      if (event.kind == FlowEvent::Access || event.kind == FlowEvent::Define)
        wanted[event.access.buffer] = wantedAfter[index];
      for (unsigned buffer : changed)
        if (alive[buffer] && !isAlive(buffer, state, wanted)) {
          alive.reset(buffer);
          meter.remove(buffer);
        }
    }
    if (alive.any())
      after[number] = std::move(alive);
  }

  /// The buffers that may end their lives with an event.
  static SmallVector<unsigned> getChanged(const FlowEvent &event,
                                          const BufferState &state) {
    if (event.kind == FlowEvent::WaitLoad)
      return SmallVector<unsigned>(state.loading.set_bits());
    if (event.kind == FlowEvent::WaitStore)
      return SmallVector<unsigned>(state.storing.set_bits());
    if (event.kind == FlowEvent::Barrier)
      return {};
    return {event.access.buffer};
  }

  /// An access, during which its buffer lives whatever comes later.
  void begin(const FlowEvent &event, BitVector &alive, ColumnMeter &meter) {
    unsigned buffer = event.access.buffer;
    if (alive[buffer])
      return;
    result.conflicts[buffer] |= alive;
    alive.set(buffer);
    meter.add(buffer);
    if (order == WarpOrder::OneWarpPerSlab)
      note(event.op, alive, meter.get());
  }

  /// What one operation may access, it may access at the same time.
  void joinAccesses(ArrayRef<FlowEvent> events, size_t index) {
    for (size_t i = index; i-- > 0 && events[i].op == events[index].op;)
      result.conflicts[events[index].access.buffer].set(
          events[i].access.buffer);
  }

  //===--------------------------------------------------------------------===//
  // Between barriers
  //===--------------------------------------------------------------------===//

  /// What the warps may be in until they meet again.
  struct Phase {
    Operation *barrier; ///< That it begins with; null at the entry.
    unsigned node;
    size_t begin; ///< The first event.
    BitVector alive;
  };

  /// Between two barriers each warp may be anywhere.
  void joinPhases() {
    if (order == WarpOrder::Barriers)
      accessed = flow.findAccessed();
    joinPhase({nullptr, 0, 0, escaped});
    if (order == WarpOrder::Barriers)
      for (unsigned number : graph.order)
        for (auto [index, event] : llvm::enumerate(graph.nodes[number].events))
          if (event.kind == FlowEvent::Barrier) {
            result.usesBarriers = true;
            BitVector alive = std::move(aliveAt[event.op]);
            joinPhase({event.op, number, index + 1, alive |= escaped});
          }
    if (peak)
      result.peak.op = findPlace(*peak);
  }

  /// All that lives at a barrier or is accessed between it and the next one.
  void joinPhase(Phase phase) {
    BitVector members = phase.alive;
    if (order == WarpOrder::Barriers)
      members |= flow.getAccessed(phase.node, phase.begin, accessed);
    else
      addAccesses(phase, members);
    addClique(members);
    ColumnMeter meter(buffers);
    for (unsigned member : members.set_bits())
      meter.add(member);
    // To search each phase would take the square of their number.
    Operation *place = phase.barrier;
    if (!place || isShown(members))
      place = findPlace(phase);
    if (!place)
      return;
    bool isPeak = meter.get() > result.peak.columns;
    note(place, members, meter.get());
    if (isPeak)
      peak = std::move(phase);
  }

  /// Where the last of the buffers begins to live; null where none is.
  Operation *findPlace(const Phase &phase) const {
    BitVector members = phase.alive;
    Operation *last = addAccesses(phase, members);
    return last ? last : phase.barrier;
  }

  /// Adds the buffers that are accessed in a phase. The last operation that
  /// added one, or null.
  Operation *addAccesses(const Phase &phase, BitVector &members) const {
    Operation *last = nullptr;
    llvm::SmallDenseSet<unsigned> seen;
    SmallVector<std::pair<unsigned, size_t>> stack{{phase.node, phase.begin}};
    while (!stack.empty()) {
      auto [number, index] = stack.pop_back_val();
      const FlowNode &node = graph.nodes[number];
      bool isCut = false;
      for (; index < node.events.size() && !isCut; ++index) {
        const FlowEvent &event = node.events[index];
        isCut =
            event.kind == FlowEvent::Barrier && order == WarpOrder::Barriers;
        if (event.kind != FlowEvent::Access || members[event.access.buffer])
          continue;
        members.set(event.access.buffer);
        last = event.op;
      }
      if (!isCut)
        for (unsigned successor : node.successors)
          if (seen.insert(successor).second)
            stack.emplace_back(successor, 0);
    }
    return last;
  }

  //===--------------------------------------------------------------------===//

  /// Who cannot be followed lives beside all others.
  void keepEscaped() {
    for (unsigned buffer : escaped.set_bits())
      result.conflicts[buffer].set();
    if (escaped.none())
      return;
    ColumnMeter meter(buffers);
    for (unsigned buffer : escaped.set_bits())
      meter.add(buffer);
    // Where nothing else lives there has been no place to show them at.
    if (!result.peak.op)
      note(buffers[escaped.find_first()].escape, escaped, meter.get());
  }

  void makeSymmetric() {
    for (unsigned a = 0; a < buffers.size(); ++a)
      for (unsigned b : result.conflicts[a].set_bits())
        result.conflicts[b].set(a);
    for (unsigned a = 0; a < buffers.size(); ++a)
      result.conflicts[a].reset(a);
  }

  const FlowGraph &graph;
  ArrayRef<Buffer> buffers;
  WarpOrder order;
  Dataflow flow;
  BitVector escaped;
  llvm::DenseMap<Operation *, BitVector> aliveAt;
  /// What is accessed from each node on, up to barriers.
  std::vector<BitVector> accessed;
  BitVector lastShown;
  std::optional<Phase> peak;
  Lifetimes result;
};

} // namespace

Lifetimes mlir::tmem::computeLifetimes(const FlowGraph &graph,
                                       const BufferUses &uses,
                                       WarpOrder order) {
  return LifetimeBuilder(graph, uses, order).build();
}
