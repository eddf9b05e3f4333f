//===- PTXDominators.h - What every path goes through -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXDOMINATORS_H
#define TMEM_LIB_TARGET_PTXDOMINATORS_H

#include "PTXSegments.h"

namespace mlir::tmem::ptx {

/// The dominator tree of the components of a graph of segments, and their
/// dominance frontiers. Components have no cycles between them, so that both
/// come out of one pass in their order. Whatever no edge leads to is a child of
/// a root that is no component.
class Dominators {
public:
  /// The frontiers get at most `maxFrontiers` members altogether.
  Dominators(const Segments &segments, size_t maxFrontiers);

  /// Whether the frontiers are complete.
  bool isComplete() const { return left != 0; }
  llvm::ArrayRef<unsigned> getFrontier(unsigned component) const {
    return frontiers[component];
  }
  /// A component dominates those from its own place up to `getEnd`, and no
  /// others.
  unsigned getPlace(unsigned component) const { return places[component]; }
  unsigned getEnd(unsigned component) const { return ends[component]; }

private:
  struct Node {
    unsigned parent, depth;
    unsigned jump; ///< An ancestor far up, so that walks are short.
  };
  static constexpr unsigned root = 0; ///< Component i is node i + 1.

  void addNode(unsigned parent);
  unsigned findCommonAncestor(unsigned a, unsigned b) const;
  void addFrontiers();
  void number();

  std::vector<llvm::SmallVector<unsigned, 2>> predecessors;
  std::vector<Node> nodes;
  std::vector<llvm::SmallVector<unsigned, 1>> frontiers;
  std::vector<unsigned> places, ends;
  size_t left; ///< Members that frontiers may still get.
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXDOMINATORS_H
