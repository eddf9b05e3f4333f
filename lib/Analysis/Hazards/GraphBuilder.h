//===- GraphBuilder.h - From a kernel to its graph --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_GRAPHBUILDER_H
#define TMEM_LIB_ANALYSIS_HAZARDS_GRAPHBUILDER_H

#include "Graph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

namespace mlir::tmem::hazards {

/// Blocks that are built together: those between a branch and where it ends.
struct Scope {
  Block *stop = nullptr;
  unsigned stopNode = 0;
  unsigned exitNode = 0;
  Scope *outer = nullptr;
  DenseMap<Block *, unsigned> nodes;
  SmallVector<Block *> worklist;
};

class GraphBuilder {
public:
  GraphBuilder(Evaluator &evaluator) : evaluator(evaluator) {}
  Graph build(Operation *kernel);

private:
  unsigned addNode();
  void link(unsigned from, unsigned to, int guard = -1);
  int addGuard(const ThreadValue &condition, bool isTaken);
  void startNode();
  void giveUp(Operation *op, const Twine &why);

  void visitRegion(Region &region);
  void visitBlock(Block &block);
  void visit(Operation *op);
  void visitEffects(Operation *op);
  void visitUses(Operation *op);
  void visitCall(CallOpInterface call);
  void visitIf(scf::IfOp op);
  void visitFor(scf::ForOp op);
  void visitWhile(scf::WhileOp op);
  void visitAlternatives(Operation *op, Agreement agreement, bool mayLoop,
                         ArrayRef<int> guards = {});
  void visitSwitch(scf::IndexSwitchOp op);
  void define(Operation *op);
  void visitArm(Region &region, const ThreadSet &armThreads);
  void visitLoopBody(Region &region, bool mayBeEmpty, int runs, int skips);

  void buildBlocks(Region &region);
  void run(Scope &scope);
  unsigned getNode(Block *block, Scope &scope);
  void finishBlock(Block *block, Scope &scope);
  void splitBlock(Block *block, Operation *branch, const ThreadValue &condition,
                  Scope &scope);
  Agreement getControl(Operation *branch);

  Mixed mix(Agreement agreement) const {
    if (agreement == Agreement::CTA)
      return mixed;
    return std::max(mixed,
                    agreement == Agreement::Warp ? Mixed::Warps : Mixed::Lanes);
  }
  ThreadSet select(const ThreadValue &condition) const;
  bool mayMatter(Operation *function);

  Evaluator &evaluator;
  Graph graph;
  Frame *frame = nullptr;
  unsigned current = 0;
  ThreadSet threads, exited;
  Mixed mixed = Mixed::No;
  unsigned loopDepth = 0, nesting = 0, numOperations = 0;
  DenseMap<std::pair<Value, Frame *>, SmallVector<unsigned, 1>> registers;
  DenseMap<Operation *, bool> matters;
  DenseMap<Operation *, std::unique_ptr<PostDominanceInfo>> postDominance;
  PostDominanceInfo *currentDominance = nullptr;
  SymbolTableCollection symbolTables;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_GRAPHBUILDER_H
