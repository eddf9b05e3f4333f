//===- GraphRegions.cpp - Structured control flow as a graph --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

void GraphBuilder::visitArm(Region &region, const ThreadSet &armThreads) {
  if (armThreads.none() || region.empty())
    return;
  ThreadSet outer = threads;
  threads = armThreads;
  startNode();
  visitRegion(region);
  threads = outer & ~ended;
  startNode();
}

/// A region that is run once, by all who come to it.
void GraphBuilder::visitOnce(Operation *op) {
  PostDominanceInfo *outer = currentDominance;
  visitRegion(op->getRegion(0));
  currentDominance = outer;
  if (!op->getRegion(0).hasOneBlock())
    return startNode();
  Block &block = op->getRegion(0).front();
  if (!block.mightHaveTerminator() || op->getNumResults() == 0)
    return;
  startNode(addMove(op->getResults(), block.getTerminator()->getOperands()));
  moved = op;
}

/// A region that lane 0 of each warp runs.
void GraphBuilder::visitLane(Operation *op) {
  auto lane = cast<gpu::WarpExecuteOnLane0Op>(op);
  ThreadValue id = evaluator.get(lane.getLaneid(), frame);
  evaluator.keepTest(id, 0);
  if (id.isKnown())
    return visitArm(op->getRegion(0), selectEqual(id, 0));
  visitAlternatives(op, Agreement::None, /*mayLoop=*/true);
}

/// Whether an operation has something in its regions that cannot be passed
/// over where it is not known who runs them.
bool GraphBuilder::holdsMore(Operation *op) {
  bool found = false;
  SmallVector<Effect, 2> effects;
  op->walk([&](Operation *inner) {
    effects.clear();
    classify(inner, effects);
    found |= llvm::any_of(effects, [](const Effect &effect) {
      return effect.kind != EventKind::SlotRead &&
             effect.kind != EventKind::SlotWrite;
    });
    if (auto call = dyn_cast<CallOpInterface>(inner); call && inner != op) {
      Frame *callee = evaluator.getCallee(call, frame);
      found |= callee ? mayMatter(callee->function) : !isHarmless(call);
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Alternatives, of which a condition decides that is not known.
void GraphBuilder::visitEither(scf::IfOp op, Value condition) {
  Mixed outer = mixed;
  mixed = mix(evaluator.getAgreement(condition, frame));
  ++numAlternatives;
  unsigned entry = current;
  SmallVector<unsigned> begins, ends;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    current = addNode();
    begins.push_back(current);
    visitRegion(region);
    ends.push_back(current);
  }
  --numAlternatives;
  mixed = outer;
  current = addNode();
  linkCondition(condition, entry, begins.front(),
                begins.size() == 2 ? begins.back() : current);
  for (auto [index, end] : llvm::enumerate(ends))
    link(end, current, -1,
         addMove(op->getResults(),
                 op->getRegion(index).back().getTerminator()->getOperands()));
  moved = op;
}

void GraphBuilder::visitIf(scf::IfOp op) {
  ThreadValue condition = evaluator.get(op.getCondition(), frame);
  if (condition.isKnown()) {
    ThreadSet taken = select(condition);
    visitArm(op.getThenRegion(), taken);
    visitArm(op.getElseRegion(), threads & ~taken);
    return;
  }
  std::optional<Both> both = getBoth(op.getCondition());
  if (!both || !op.getElseRegion().empty())
    return visitEither(op, op.getCondition());
  ThreadSet outer = threads, taken = select(both->known);
  if (taken.none())
    return;
  threads = taken;
  startNode();
  visitEither(op, both->other);
  threads = outer;
  startNode();
}

/// Each case with the threads that take it.
void GraphBuilder::visitCases(scf::IndexSwitchOp op,
                              const ThreadValue &selector) {
  ThreadSet rest = threads;
  for (auto [index, value] : llvm::enumerate(op.getCases())) {
    evaluator.keepTest(selector, value);
    ThreadSet taken = selectEqual(selector, value) & rest;
    visitArm(op.getCaseRegions()[index], taken);
    rest &= ~taken;
  }
  visitArm(op.getDefaultRegion(), rest);
}

void GraphBuilder::visitSwitch(scf::IndexSwitchOp op) {
  ThreadValue selector = evaluator.get(op.getArg(), frame);
  if (selector.isKnown())
    return visitCases(op, selector);
  Agreement agreement = evaluator.getAgreement(selector);
  SmallVector<int> guards;
  if (agreement == Agreement::CTA) {
    guards.push_back(
        addGuard(constrainEqual(selector, op.getCases(), /*holds=*/false)));
    for (int64_t value : op.getCases())
      guards.push_back(addGuard(constrainEqual(selector, value, true)));
  }
  visitAlternatives(op, agreement, false, guards);
}

/// `guards`: by region, and then for none of them.
void GraphBuilder::visitAlternatives(Operation *op, Agreement agreement,
                                     bool mayLoop, ArrayRef<int> guards) {
  Mixed outer = mixed;
  mixed = mix(agreement);
  loopDepth += mayLoop;
  ++numAlternatives;
  unsigned entry = current;
  SmallVector<std::pair<unsigned, int>> ends;
  auto getGuard = [&](unsigned index) {
    return index < guards.size() ? guards[index] : -1;
  };
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    current = addNode();
    link(entry, current, getGuard(region.getRegionNumber()));
    unsigned begin = current;
    visitRegion(region);
    if (mayLoop)
      link(current, begin);
    Operation *yield = region.back().mightHaveTerminator()
                           ? region.back().getTerminator()
                           : nullptr;
    int move = mayLoop || !yield
                   ? -1
                   : addMove(op->getResults(), yield->getOperands());
    ends.push_back({current, move});
  }
  loopDepth -= mayLoop;
  --numAlternatives;
  mixed = outer;
  current = addNode();
  bool mayRunNone = mayLoop || ends.empty();
  if (mayRunNone)
    link(entry, current, getGuard(1));
  for (auto [end, move] : ends)
    link(end, current, -1, move);
  if (!mayLoop)
    moved = op;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether warps meet in an operation, or change what all of them see: then it
/// matters in which turn each of them is.
bool GraphBuilder::synchronizes(Operation *op) {
  bool found = false;
  SmallVector<Effect, 2> effects;
  op->walk([&](Operation *inner) {
    effects.clear();
    classify(inner, effects);
    for (const Effect &effect : effects)
      switch (effect.kind) {
      case EventKind::Load:
      case EventKind::Store:
      case EventKind::WaitLoad:
      case EventKind::WaitStore:
      case EventKind::FenceBefore:
      case EventKind::FenceAfter:
      case EventKind::SlotRead:
      case EventKind::WarpSync:
        break;
      default:
        found = true;
      }
    std::optional<Effect> other = classifyOther(inner);
    found |= other && other->kind == EventKind::SlotWrite &&
             evaluator.namesShared(other->address, frame);
    if (auto call = dyn_cast<CallOpInterface>(inner))
      found |= !isHarmless(call);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Turns of which the number differs from warp to warp: each warp goes its way
/// alone, as long as nothing in them makes it meet others. That all of them run
/// a turn has to be known, or up to a number on which they agree.
Mixed GraphBuilder::mixTurns(scf::ForOp op, Agreement agreement) {
  auto isShared = [&](Value bound) {
    return llvm::all_of(evaluator.get(bound, frame).terms, [&](Term term) {
      ThreadValue part;
      part.terms.push_back(term);
      return evaluator.getAgreement(part) == Agreement::CTA;
    });
  };
  if (agreement != Agreement::Warp || mixed != Mixed::No ||
      !isShared(op.getLowerBound()) || !isShared(op.getUpperBound()) ||
      (!isQuiet && synchronizes(op)))
    return mix(agreement);
  isQuiet = true;
  return mixed;
}

/// Bits of what counts the turns.
static unsigned getTurnWidth(scf::ForOp op) {
  Type type = op.getInductionVar().getType();
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Whether a thread runs a turn, by bounds that are known.
static bool isRun(scf::ForOp op, int64_t lower, int64_t upper) {
  unsigned width = getTurnWidth(op);
  return op.getUnsignedCmp()
             ? toUnsigned(lower, width) < toUnsigned(upper, width)
             : lower < upper;
}

GraphBuilder::Turns GraphBuilder::getTurns(scf::ForOp op, Agreement agreement) {
  Turns turns;
  ThreadValue lower = evaluator.get(op.getLowerBound(), frame);
  ThreadValue upper = evaluator.get(op.getUpperBound(), frame);
  turns.mayBeNone = !lower.isKnown() || !upper.isKnown();
  if (turns.mayBeNone) {
    ThreadValue isRun =
        op.getUnsignedCmp()
            ? evaluator.compareBelow(lower, upper, getTurnWidth(op))
            : evaluator.compareLess(lower, upper);
    turns.runs = addGuard(isRun, true, Agreement::Warp);
    turns.skips = addGuard(isRun, false, Agreement::Warp);
  }
  if (agreement != Agreement::CTA)
    return turns;
  ThreadValue turn = evaluator.get(op.getInductionVar(), frame);
  ThreadValue left = evaluator.add(turn, upper, -1);
  auto addLess = [&](const ThreadValue &difference, bool holds) {
    std::optional<Constraint> less = constrainLess(difference, holds);
    if (less && op.getUnsignedCmp())
      less->form.kind = Form::Unsigned;
    return addGuard(std::move(less), /*isImplicit=*/true);
  };
  turns.in = addLess(left, true);
  ThreadValue step = evaluator.get(op.getStep(), frame);
  ThreadValue next = evaluator.add(left, step, 1);
  turns.repeats = addLess(next, true);
  turns.ends = addLess(next, false);
  return turns;
}

void GraphBuilder::visitTurns(scf::ForOp op, const Turns &turns) {
  Operation *yield = op.getBody()->getTerminator();
  auto addTurn = [&](bool isNext, ValueRange from) {
    graph.moves.push_back(
        {op.getRegionIterArgs(), from, frame, op.getOperation(), isNext});
    return int(graph.moves.size() - 1);
  };
  ++loopDepth;
  startNode(addTurn(false, op.getInitArgs()));
  unsigned header = current;
  current = addNode();
  link(header, current, turns.runs);
  if (turns.in >= 0) {
    unsigned begin = addNode();
    link(current, begin, turns.in);
    current = begin;
  }
  visitRegion(op.getRegion());
  startNode();
  unsigned latch = current;
  // A loop that runs at least once goes back behind the header.
  link(latch, header, turns.repeats, addTurn(true, yield->getOperands()));
  --loopDepth;
  current = addNode();
  link(latch, current, turns.ends,
       addMove(op.getResults(), yield->getOperands()));
  if (turns.mayBeNone)
    link(header, current, turns.skips,
         addMove(op.getResults(), op.getInitArgs()));
  moved = op;
}

void GraphBuilder::visitFor(scf::ForOp op) {
  ThreadValue lower = evaluator.get(op.getLowerBound(), frame);
  ThreadValue upper = evaluator.get(op.getUpperBound(), frame);
  Agreement agreement =
      std::max({evaluator.getAgreement(lower), evaluator.getAgreement(upper),
                evaluator.getAgreement(op.getStep(), frame)});
  ThreadSet outer = threads;
  if (lower.isKnown() && upper.isKnown()) {
    ThreadSet runs;
    for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
      runs[t] = isRun(op, lower.get(t), upper.get(t));
    threads &= runs;
    if (threads.none()) {
      threads = outer;
      return;
    }
  }
  Mixed outerMixed = mixed;
  bool outerQuiet = isQuiet;
  Turns turns = getTurns(op, agreement);
  // Numbers of turns that differ leave some threads behind.
  mixed = mixTurns(op, agreement);
  visitTurns(op, turns);
  isQuiet = outerQuiet;
  threads = outer;
  mixed = outerMixed;
  startNode();
}

void GraphBuilder::visitWhile(scf::WhileOp op) {
  Mixed outer = mixed;
  Agreement agreement =
      evaluator.getAgreement(op.getConditionOp().getCondition(), frame);
  mixed = mix(agreement);
  ++loopDepth;
  startNode(addMove(op.getBeforeArguments(), op.getInits()));
  unsigned header = current;
  visitRegion(op.getBefore());
  unsigned condition = current;
  ThreadValue holds = evaluator.get(op.getConditionOp().getCondition(), frame);
  current = addNode();
  link(condition, current, addGuard(holds, true));
  visitRegion(op.getAfter());
  link(current, header, -1,
       addMove(op.getBeforeArguments(), op.getYieldOp()->getOperands()));
  --loopDepth;
  mixed = outer;
  current = addNode();
  link(condition, current, addGuard(holds, false));
}
