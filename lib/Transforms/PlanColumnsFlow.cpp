//===- PlanColumnsFlow.cpp - The kernel as a graph of events --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// Lays out regions one inside the other.
class FlowBuilder {
public:
  FlowBuilder(const BufferUses &uses, FlowGraph &graph)
      : uses(uses), graph(graph) {
    for (auto [number, buffer] : llvm::enumerate(uses.buffers))
      definitions[buffer.op] = number;
  }

  void build(gpu::GPUFuncOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool hasAccesses = !takeAccesses(op).empty();
      if (op != kernel && (hasAccesses || isEvent(op)))
        markParents(op, kernel);
    });
    nextAccess = 0;
    buildRegion(kernel.getBody());
    findOrder();
  }

private:
  /// The ends of a region, where control goes on in its operation.
  using Ends = SmallVector<std::pair<Operation *, unsigned>, 2>;

  /// What an operation accesses. Called for one after the other, in order.
  ArrayRef<std::pair<Operation *, BufferAccess>> takeAccesses(Operation *op) {
    size_t begin = nextAccess;
    while (nextAccess < uses.accesses.size() &&
           uses.accesses[nextAccess].first == op)
      ++nextAccess;
    return ArrayRef(uses.accesses).slice(begin, nextAccess - begin);
  }

  bool isEvent(Operation *op) const {
    return isa<WaitLoadOp, WaitStoreOp, BufferOp>(op) || isFullBarrier(op);
  }

  void markParents(Operation *op, Operation *top) {
    for (op = op->getParentOp(); op != top; op = op->getParentOp())
      if (!withEvents.insert(op).second)
        return;
  }

  unsigned addNode() {
    graph.nodes.emplace_back();
    return graph.nodes.size() - 1;
  }

  void addEdge(unsigned from, unsigned to) {
    graph.nodes[from].successors.push_back(to);
    graph.nodes[to].predecessors.push_back(from);
  }

  /// The events of an operation without regions.
  void addEvents(unsigned node, Operation *op) {
    SmallVectorImpl<FlowEvent> &events = graph.nodes[node].events;
    for (const auto &[owner, access] : takeAccesses(op))
      events.push_back({FlowEvent::Access, op, access});
    if (isa<BufferOp>(op))
      if (auto it = definitions.find(op); it != definitions.end())
        events.push_back({FlowEvent::Define,
                          op,
                          {it->second, AccessKind::Read, InFlight::Nothing}});
    if (isa<WaitLoadOp>(op))
      events.push_back({FlowEvent::WaitLoad, op, {}});
    if (isa<WaitStoreOp>(op))
      events.push_back({FlowEvent::WaitStore, op, {}});
    if (isFullBarrier(op))
      events.push_back({FlowEvent::Barrier, op, {}});
  }

  /// The node that the region begins with.
  unsigned buildRegion(Region &region, Ends *ends = nullptr) {
    llvm::DenseMap<Block *, unsigned> first;
    for (Block &block : region)
      first[&block] = addNode();
    for (Block &block : region) {
      unsigned node = first[&block];
      for (Operation &op : block)
        if (withEvents.contains(&op))
          node = buildRegions(&op, node);
        else
          addEvents(node, &op);
      for (Block *successor : block.getSuccessors())
        addEdge(node, first[successor]);
      if (ends && block.mightHaveTerminator() && block.hasNoSuccessors())
        ends->emplace_back(block.getTerminator(), node);
    }
    return first[&region.front()];
  }

  /// The node that control goes on in after an operation with regions.
  unsigned buildRegions(Operation *op, unsigned before) {
    unsigned after = addNode();
    llvm::DenseMap<Region *, unsigned> begins;
    SmallVector<Ends> ends(op->getNumRegions());
    for (auto [region, regionEnds] : llvm::zip_equal(op->getRegions(), ends))
      if (!region.empty())
        begins[&region] = buildRegion(region, &regionEnds);
    auto connect = [&](unsigned from, ArrayRef<RegionSuccessor> successors) {
      for (RegionSuccessor successor : successors) {
        auto begin = begins.find(successor.getSuccessor());
        addEdge(from, begin == begins.end() ? after : begin->second);
      }
    };
    // What does not say where control goes may go anywhere.
    SmallVector<RegionSuccessor> everywhere{{op, op->getResults()}};
    for (Region &region : op->getRegions())
      if (!region.empty())
        everywhere.push_back(RegionSuccessor(&region));
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    connect(before, branch ? getSuccessors(branch, RegionBranchPoint::parent())
                           : everywhere);
    for (const Ends &regionEnds : ends)
      for (auto [terminator, node] : regionEnds) {
        auto point = dyn_cast<RegionBranchTerminatorOpInterface>(terminator);
        connect(node, branch && point
                          ? getSuccessors(branch, RegionBranchPoint(point))
                          : everywhere);
      }
    return after;
  }

  static SmallVector<RegionSuccessor>
  getSuccessors(RegionBranchOpInterface branch, RegionBranchPoint point) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    return successors;
  }

  /// Reverse postorder from the entry, which leaves out what is unreachable.
  void findOrder() {
    std::vector<bool> seen(graph.nodes.size());
    SmallVector<std::pair<unsigned, unsigned>> stack{{0, 0}};
    seen[0] = true;
    while (!stack.empty()) {
      auto &[node, next] = stack.back();
      ArrayRef<unsigned> successors = graph.nodes[node].successors;
      if (next == successors.size()) {
        graph.order.push_back(node);
        stack.pop_back();
        continue;
      }
      unsigned successor = successors[next++];
      if (seen[successor])
        continue;
      seen[successor] = true;
      stack.emplace_back(successor, 0);
    }
    std::reverse(graph.order.begin(), graph.order.end());
    for (FlowNode &node : graph.nodes)
      llvm::erase_if(node.predecessors, [&](unsigned p) { return !seen[p]; });
  }

  const BufferUses &uses;
  FlowGraph &graph;
  size_t nextAccess = 0;
  llvm::DenseMap<Operation *, unsigned> definitions;
  llvm::DenseSet<Operation *> withEvents;
};

} // namespace

FlowGraph mlir::tmem::buildFlow(gpu::GPUFuncOp kernel, const BufferUses &uses) {
  FlowGraph graph;
  FlowBuilder(uses, graph).build(kernel);
  return graph;
}
