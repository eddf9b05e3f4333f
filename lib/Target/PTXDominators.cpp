//===- PTXDominators.cpp - What every path goes through -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXDominators.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

/// Jumps are as long as in a skew-binary number: a walk to any ancestor takes
/// logarithmically many (Myers, "An applicative random-access stack").
void Dominators::addNode(unsigned parent) {
  const Node &above = nodes[parent];
  const Node &far = nodes[above.jump];
  bool isEven = above.depth - far.depth == far.depth - nodes[far.jump].depth;
  nodes.push_back({parent, above.depth + 1, isEven ? far.jump : parent});
}

unsigned Dominators::findCommonAncestor(unsigned a, unsigned b) const {
  if (nodes[a].depth < nodes[b].depth)
    std::swap(a, b);
  while (nodes[a].depth != nodes[b].depth)
    a = nodes[nodes[a].jump].depth >= nodes[b].depth ? nodes[a].jump
                                                     : nodes[a].parent;
  // Nodes of one depth jump equally far.
  while (a != b) {
    bool isFar = nodes[a].jump != nodes[b].jump;
    a = isFar ? nodes[a].jump : nodes[a].parent;
    b = isFar ? nodes[b].jump : nodes[b].parent;
  }
  return a;
}

/// A join is in the frontiers of all that dominates a predecessor of it, but
/// not the join.
void Dominators::addFrontiers() {
  for (unsigned component = 0; component != predecessors.size(); ++component)
    for (unsigned from : predecessors[component])
      for (unsigned node = from + 1; node != nodes[component + 1].parent;
           node = nodes[node].parent) {
        auto &frontier = frontiers[node - 1];
        // Then all above have it too.
        if (!frontier.empty() && frontier.back() == component)
          break;
        if (left == 0)
          return;
        --left;
        frontier.push_back(component);
      }
}

/// In preorder: a parent stands before its children in the list of nodes.
void Dominators::number() {
  std::vector<unsigned> sizes(nodes.size(), 1);
  for (unsigned node = nodes.size() - 1; node != root; --node)
    sizes[nodes[node].parent] += sizes[node];
  std::vector<unsigned> next(nodes.size());
  for (unsigned node = 1; node != nodes.size(); ++node) {
    unsigned place = next[nodes[node].parent];
    next[nodes[node].parent] += sizes[node];
    next[node] = place + 1;
    places[node - 1] = place;
    ends[node - 1] = place + sizes[node];
  }
}

Dominators::Dominators(const Segments &segments, size_t maxFrontiers)
    : predecessors(segments.components.size()),
      frontiers(segments.components.size()), places(segments.components.size()),
      ends(segments.components.size()), left(maxFrontiers) {
  nodes.reserve(segments.components.size() + 1);
  nodes.push_back({root, 0, root});
  for (auto [component, members] : llvm::enumerate(segments.components)) {
    llvm::ArrayRef<unsigned> before = predecessors[component];
    unsigned parent = before.empty() ? root : before.front() + 1;
    for (unsigned from : before)
      parent = findCommonAncestor(parent, from + 1);
    addNode(parent);
    for (const Segment *segment : members)
      for (const Segment *next : segment->next)
        if (next->component != component)
          predecessors[next->component].push_back(component);
  }
  addFrontiers();
  number();
}
