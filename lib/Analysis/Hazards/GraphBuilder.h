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
  /// Whether a condition is `and`, or `or`, of others.
  static bool isCombined(Value condition);

private:
  unsigned addNode();
  void link(unsigned from, unsigned to, int guard = -1, int move = -1);
  void finishEdges();
  int addGuard(std::optional<Constraint> constraint, bool isImplicit = false);
  int addGuard(const ThreadValue &condition, bool isTaken,
               Agreement atMost = Agreement::CTA);
  int addMove(ValueRange to, ValueRange from);
  void startNode(int move = -1);
  void giveUp(Operation *op, const Twine &why);

  void visitRegion(Region &region);
  void visitBlock(Block &block);
  void visit(Operation *op);
  void visitEffects(Operation *op);
  void addOther(const Effect &effect, SmallVectorImpl<Effect> &effects);
  // Registers of raw loads.
  void findCarriers(Operation *function);
  unsigned getRegisters(Value value);
  void handOver(ValueRange to, ValueRange from,
                SmallVectorImpl<unsigned> &moved);
  void handOverToRegions(Operation *op);
  unsigned handOverToBlock(Operation *branch, Block *target, unsigned node,
                           int successor = -1);
  void moveRegisters(Operation *op);
  void visitUses(Operation *op);

  Event &addEvent(EventKind kind, Operation *op);
  void endThreads(Operation *op);
  void visitCall(CallOpInterface call);
  void addUnknown(Operation *op, StringRef reason);
  void visitOnce(Operation *op);
  void visitLane(Operation *op);
  bool holdsMore(Operation *op);
  void visitIf(scf::IfOp op);
  void visitEither(scf::IfOp op, Value condition);
  void visitFor(scf::ForOp op);
  void visitWhile(scf::WhileOp op);
  void visitAlternatives(Operation *op, Agreement agreement, bool mayLoop,
                         ArrayRef<int> guards = {});
  void visitSwitch(scf::IndexSwitchOp op);
  void define(Operation *op);
  void visitArm(Region &region, const ThreadSet &armThreads);
  void visitCases(scf::IndexSwitchOp op, const ThreadValue &selector);

  /// What holds of the turns of an scf.for, as guards.
  struct Turns {
    int runs = -1, skips = -1; ///< Before the first one.
    int in = -1;               ///< In each.
    int repeats = -1, ends = -1;
    bool mayBeNone = true;
  };
  Turns getTurns(scf::ForOp op, Agreement agreement);
  void visitTurns(scf::ForOp op, const Turns &turns);
  bool synchronizes(Operation *op);
  Mixed mixTurns(scf::ForOp op, Agreement agreement);

  void buildBlocks(Region &region);
  void run(Scope &scope);
  unsigned getNode(Block *block, Scope &scope);
  void finishBlock(Block *block, Scope &scope);
  void linkSuccessor(Operation *branch, unsigned successor, Scope &scope,
                     int guard = -1);
  /// Those of the threads that go to a block, or all if that is not known.
  using Arms = SmallVector<std::pair<Block *, ThreadSet>>;
  Arms getArms(Operation *branch, const ThreadValue &selector) const;
  void splitBlock(Block *block, Operation *branch, ThreadValue selector,
                  Scope &scope);
  std::optional<ThreadValue> enter(const Form &form, Block *target,
                                   ValueRange operands);
  bool linkFirstTest(Operation *branch, unsigned successor, unsigned node,
                     int move);
  void linkCondition(Value condition, unsigned from, unsigned then,
                     unsigned otherwise, unsigned depth = 0);
  /// A condition that holds where `known`, by thread, and `other` do.
  struct Both {
    ThreadValue known;
    Value other;
  };
  std::optional<Both> getBoth(Value condition);
  void linkArm(unsigned from, Operation *branch, Block *target, Scope &scope,
               const std::optional<Both> &both);
  void chooseBlock(Operation *branch, const ThreadValue &selector,
                   Scope &scope);
  Agreement getControl(Operation *branch);
  Mixed mixBlock(Block *block);

  Mixed mix(Agreement agreement) const {
    if (agreement == Agreement::CTA)
      return mixed;
    return std::max(mixed,
                    agreement == Agreement::Warp ? Mixed::Warps : Mixed::Lanes);
  }
  ThreadSet select(const ThreadValue &condition) const;
  ThreadSet selectEqual(const ThreadValue &selector, int64_t value) const;
  bool mayMatter(Operation *function);

  Evaluator &evaluator;
  Graph graph;
  static constexpr unsigned none = ~0u;
  /// Edges in the order in which they come: a list for each node.
  struct Link {
    Edge edge;
    unsigned next;
  };
  std::vector<Link> links;
  std::vector<unsigned> firstLinks; ///< By node.
  /// Of guards that the kernel writes out, by hash.
  DenseMap<size_t, unsigned> guardNumbers;
  Frame *frame = nullptr;
  unsigned current = 0;
  ThreadSet threads, exited;
  /// Threads that inline PTX has ended.
  ThreadSet ended;
  Mixed mixed = Mixed::No;
  unsigned loopDepth = 0, nesting = 0, numOperations = 0;
  /// Whether the way that is being built may not be taken, or several times.
  unsigned numAlternatives = 0;
  /// Values that may hold registers of raw loads, of functions looked at.
  DenseSet<Value> carriers;
  DenseSet<Operation *> followed;
  /// The sets that they name.
  DenseMap<std::pair<Value, Frame *>, unsigned> registers;
  DenseMap<Operation *, bool> matters;
  /// Results that edges have given.
  Operation *moved = nullptr;
  /// Within a loop in which warps do not meet.
  bool isQuiet = false;
  DenseMap<Operation *, std::unique_ptr<PostDominanceInfo>> postDominance;
  PostDominanceInfo *currentDominance = nullptr;
  SymbolTableCollection symbolTables;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_GRAPHBUILDER_H
