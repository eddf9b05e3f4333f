//===- Graph.cpp - What a kernel does, as a graph -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Operations that a graph may have, inlined ones counted each time.
static constexpr unsigned maxOperations = 4'000'000;
/// How deep arms of branches on the thread id may nest.
static constexpr unsigned maxNesting = 200;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

unsigned GraphBuilder::addNode() {
  Node node;
  node.threads = threads;
  node.exited = exited;
  node.mixed = mixed;
  node.isInLoop = loopDepth != 0;
  graph.nodes.push_back(std::move(node));
  return graph.nodes.size() - 1;
}

void GraphBuilder::link(unsigned from, unsigned to, int guard) {
  Node &node = graph.nodes[from];
  auto *it = llvm::find(node.successors, to);
  if (it == node.successors.end()) {
    node.successors.push_back(to);
    node.guards.push_back(guard);
    return;
  }
  // Two ways to the same place.
  int &known = node.guards[it - node.successors.begin()];
  if (known != guard)
    known = -1;
}

/// For an edge that is taken when a condition on which the CTA agrees holds, or
/// when it does not.
int GraphBuilder::addGuard(const ThreadValue &condition, bool isTaken) {
  std::optional<Literal> literal = evaluator.getLiteral(condition);
  if (!literal || evaluator.getAgreement(condition) != Agreement::CTA)
    return -1;
  graph.guards.push_back({literal->symbol,
                          {1},
                          /*isExcluded=*/literal->isNegated == isTaken,
                          /*isCondition=*/true});
  return graph.guards.size() - 1;
}

/// Keeps where the operation gives its results.
void GraphBuilder::define(Operation *op) {
  if (op->getNumResults() != 0 && op->getResult(0).getType().isIntOrIndex())
    graph.definitions.push_back({op, current});
}

void GraphBuilder::startNode() {
  unsigned next = addNode();
  link(current, next);
  current = next;
}

void GraphBuilder::giveUp(Operation *op, const Twine &why) {
  if (graph.incompleteAt)
    return;
  graph.incompleteAt = op;
  graph.incomplete = why.str();
}

ThreadSet GraphBuilder::select(const ThreadValue &condition) const {
  ThreadSet set;
  for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
    set[t] = condition.get(t) & 1;
  return set & threads;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void GraphBuilder::visitUses(Operation *op) {
  if (registers.empty() || isa<TransferOpInterface>(op))
    return;
  SmallVector<unsigned, 1> loads;
  for (Value operand : op->getOperands()) {
    auto it = registers.find({operand, frame});
    if (it != registers.end())
      for (unsigned load : it->second)
        if (!llvm::is_contained(loads, load))
          loads.push_back(load);
  }
  if (loads.empty())
    return;
  if (isRegisterMove(op)) {
    for (Value result : op->getResults())
      registers[{result, frame}] = loads;
    return;
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  Event event;
  event.kind = EventKind::RegisterUse;
  event.op = op;
  event.frame = frame;
  event.loads = loads;
  graph.nodes[current].events.push_back(graph.events.size());
  graph.events.push_back(std::move(event));
}

void GraphBuilder::visitEffects(Operation *op) {
  SmallVector<Effect, 2> effects;
  classify(op, effects);
  for (Effect &effect : effects) {
    unsigned index = graph.events.size();
    Event event;
    static_cast<Effect &>(event) = effect;
    event.frame = frame;
    graph.nodes[current].events.push_back(index);
    graph.events.push_back(std::move(event));
    if (effect.kind == EventKind::Load && effect.repeat != 0)
      for (Value result : op->getResults())
        registers[{result, frame}] = {index};
    bool allocates = effect.kind == EventKind::Alloc;
    if (!allocates && effect.kind != EventKind::SlotWrite)
      continue;
    ThreadValue address = effect.indices.empty() || allocates
                              ? evaluator.get(effect.address, frame)
                              : evaluator.getElementAddress(
                                    effect.address, effect.indices, frame);
    if (std::optional<Slot> slot = evaluator.getSlot(address))
      graph.writers[*slot].push_back(index);
  }
}

bool GraphBuilder::mayMatter(Operation *function) {
  auto [it, isNew] = matters.try_emplace(function, true);
  if (!isNew)
    return it->second;
  bool found = false;
  SmallVector<Effect, 2> effects;
  function->walk([&](Operation *op) {
    classify(op, effects);
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallableInTable(&symbolTables);
      if (isa_and_nonnull<FunctionOpInterface>(callee) &&
          !cast<FunctionOpInterface>(callee).isExternal())
        found |= mayMatter(callee);
      else
        found = true;
    }
    found |= !effects.empty();
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return matters[function] = found;
}

bool mlir::tmem::hazards::isHarmless(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return false;
  StringRef name = symbol.getLeafReference();
  return name.starts_with("__nv_") || name == "vprintf" || name == "printf" ||
         name == "__assertfail" || name == "malloc" || name == "free" ||
         // Of the emulator: cells are there at once, and nobody is waited for.
         name == "tmem_emulation_write_cell";
}

void GraphBuilder::visitCall(CallOpInterface call) {
  Frame *callee = evaluator.getCallee(call, frame);
  if (!callee) {
    if (isHarmless(call))
      return;
    Event event;
    event.kind = EventKind::Unknown;
    event.op = call;
    event.frame = frame;
    event.reason = "what it calls is not followed";
    graph.nodes[current].events.push_back(graph.events.size());
    graph.events.push_back(std::move(event));
    return;
  }
  if (!mayMatter(callee->function))
    return;
  Frame *caller = frame;
  PostDominanceInfo *outer = currentDominance;
  ThreadSet outerExited = exited;
  frame = callee;
  visitRegion(callee->function->getRegion(0));
  // To return from a function is not to leave the kernel.
  exited = outerExited;
  startNode();
  frame = caller;
  currentDominance = outer;
}

void GraphBuilder::visit(Operation *op) {
  if (++numOperations > maxOperations)
    return giveUp(op, "the kernel is too large");
  visitUses(op);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (op->getNumRegions() == 0)
    return visitEffects(op);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return visitSwitch(choice);
  if (isa<scf::ExecuteRegionOp>(op))
    return visitRegion(op->getRegion(0));
  if (isa<FunctionOpInterface, gpu::LaunchOp>(op))
    return;
  visitEffects(op);
  visitAlternatives(op, Agreement::CTA, true);
}

void GraphBuilder::visitBlock(Block &block) {
  if (block.getNumArguments() != 0)
    graph.definitions.push_back({&block, current});
  bool hasTerminator =
      !block.empty() && block.back().hasTrait<OpTrait::IsTerminator>();
  for (Operation &op : block) {
    if (graph.incompleteAt)
      return;
    if (!hasTerminator || &op != &block.back()) {
      visit(&op);
      define(&op);
    } else {
      visitUses(&op);
    }
  }
}

void GraphBuilder::visitRegion(Region &region) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    visitBlock(region.front());
  else
    buildBlocks(region);
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

void GraphBuilder::visitArm(Region &region, const ThreadSet &armThreads) {
  if (armThreads.none() || region.empty())
    return;
  ThreadSet outer = threads;
  threads = armThreads;
  startNode();
  visitRegion(region);
  threads = outer;
  startNode();
}

void GraphBuilder::visitIf(scf::IfOp op) {
  ThreadValue condition = evaluator.get(op.getCondition(), frame);
  if (condition.isKnown()) {
    ThreadSet taken = select(condition);
    visitArm(op.getThenRegion(), taken);
    visitArm(op.getElseRegion(), threads & ~taken);
    return;
  }
  visitAlternatives(op, evaluator.getAgreement(condition), false,
                    {addGuard(condition, true), addGuard(condition, false)});
}

void GraphBuilder::visitSwitch(scf::IndexSwitchOp op) {
  ThreadValue selector = evaluator.get(op.getArg(), frame);
  Agreement agreement = evaluator.getAgreement(selector);
  SmallVector<int> guards;
  if (agreement == Agreement::CTA && selector.terms.size() == 1 &&
      selector.terms.front().factor == 1 && !selector.table) {
    auto add = [&](ArrayRef<int64_t> values, bool isExcluded) {
      guards.push_back(graph.guards.size());
      graph.guards.push_back({selector.terms.front().symbol,
                              {},
                              isExcluded,
                              /*isCondition=*/false});
      for (int64_t value : values)
        graph.guards.back().values.push_back(value - selector.constant);
    };
    add(op.getCases(), /*isExcluded=*/true);
    for (int64_t value : op.getCases())
      add(value, /*isExcluded=*/false);
  }
  visitAlternatives(op, agreement, false, guards);
}

/// `guards`: by region, and then for none of them.
void GraphBuilder::visitAlternatives(Operation *op, Agreement agreement,
                                     bool mayLoop, ArrayRef<int> guards) {
  Mixed outer = mixed;
  mixed = mix(agreement);
  loopDepth += mayLoop;
  unsigned entry = current;
  SmallVector<unsigned> ends;
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
    ends.push_back(current);
  }
  loopDepth -= mayLoop;
  mixed = outer;
  current = addNode();
  bool mayRunNone = mayLoop || ends.empty() ||
                    (isa<scf::IfOp>(op) && op->getRegion(1).empty());
  if (mayRunNone)
    link(entry, current, getGuard(1));
  for (unsigned end : ends)
    link(end, current);
}

void GraphBuilder::visitLoopBody(Region &region, bool mayBeEmpty, int runs,
                                 int skips) {
  ++loopDepth;
  startNode();
  unsigned header = current;
  current = addNode();
  link(header, current, runs);
  visitRegion(region);
  startNode();
  unsigned latch = current;
  // A loop that runs at least once goes back behind the header.
  link(latch, header);
  --loopDepth;
  current = addNode();
  link(latch, current);
  if (mayBeEmpty)
    link(header, current, skips);
}

void GraphBuilder::visitFor(scf::ForOp op) {
  ThreadValue lower = evaluator.get(op.getLowerBound(), frame);
  ThreadValue upper = evaluator.get(op.getUpperBound(), frame);
  Agreement agreement =
      std::max({evaluator.getAgreement(lower), evaluator.getAgreement(upper),
                evaluator.getAgreement(op.getStep(), frame)});
  bool mayBeEmpty = true;
  int runs = -1, skips = -1;
  ThreadSet outer = threads;
  Mixed outerMixed = mixed;
  if (lower.isKnown() && upper.isKnown()) {
    ThreadSet runs;
    for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
      runs[t] = lower.get(t) < upper.get(t);
    threads &= runs;
    if (threads.none()) {
      threads = outer;
      return;
    }
    mayBeEmpty = false;
  } else {
    ThreadValue isRun = evaluator.compareLess(lower, upper);
    runs = addGuard(isRun, true);
    skips = addGuard(isRun, false);
  }
  // Trip counts that differ leave some threads behind.
  mixed = mix(agreement);
  visitLoopBody(op.getRegion(), mayBeEmpty, runs, skips);
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
  startNode();
  unsigned header = current;
  visitRegion(op.getBefore());
  unsigned condition = current;
  startNode();
  visitRegion(op.getAfter());
  link(current, header);
  --loopDepth;
  mixed = outer;
  current = addNode();
  link(condition, current);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void GraphBuilder::buildBlocks(Region &region) {
  std::unique_ptr<PostDominanceInfo> &dominance =
      postDominance[region.getParentOp()];
  if (!dominance)
    dominance = std::make_unique<PostDominanceInfo>(region.getParentOp());
  currentDominance = dominance.get();
  Scope scope;
  unsigned begin = current;
  scope.exitNode = addNode();
  ++loopDepth; // Any block may be in a loop.
  link(begin, getNode(&region.front(), scope));
  run(scope);
  --loopDepth;
  current = scope.exitNode;
}

unsigned GraphBuilder::getNode(Block *block, Scope &scope) {
  if (block == scope.stop)
    return scope.stopNode;
  for (Scope *outer = &scope; outer; outer = outer->outer) {
    auto it = outer->nodes.find(block);
    if (it != outer->nodes.end())
      return it->second;
  }
  unsigned node = addNode();
  scope.nodes[block] = node;
  scope.worklist.push_back(block);
  return node;
}

void GraphBuilder::run(Scope &scope) {
  ThreadSet outer = threads;
  Mixed outerMixed = mixed;
  while (!scope.worklist.empty() && !graph.incompleteAt) {
    Block *block = scope.worklist.pop_back_val();
    threads = outer;
    mixed = outerMixed;
    current = scope.nodes[block];
    visitBlock(*block);
    if (!graph.incompleteAt)
      finishBlock(block, scope);
  }
  threads = outer;
  mixed = outerMixed;
}

/// What decides where a branch goes.
Agreement GraphBuilder::getControl(Operation *branch) {
  Agreement agreement = Agreement::CTA;
  DenseSet<Value> forwarded;
  if (auto op = dyn_cast<BranchOpInterface>(branch))
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      for (Value operand : op.getSuccessorOperands(i).getForwardedOperands())
        forwarded.insert(operand);
  for (Value operand : branch->getOperands())
    if (!forwarded.contains(operand))
      agreement = std::max(agreement, evaluator.getAgreement(operand, frame));
  return agreement;
}

void GraphBuilder::finishBlock(Block *block, Scope &scope) {
  if (!block->mightHaveTerminator())
    return link(current, scope.exitNode);
  Operation *terminator = block->getTerminator();
  if (terminator->getNumSuccessors() == 0) {
    if (isa<LLVM::UnreachableOp>(terminator))
      return;
    if (terminator->hasTrait<OpTrait::ReturnLike>() && !frame->parent)
      exited |= threads;
    return link(current, scope.exitNode);
  }
  bool isTwoWay = terminator->getNumSuccessors() == 2 &&
                  terminator->getNumOperands() != 0 &&
                  terminator->getOperand(0).getType().isInteger(1);
  if (isTwoWay) {
    ThreadValue condition = evaluator.get(terminator->getOperand(0), frame);
    if (condition.isConstant() && condition.isKnown()) {
      bool taken = condition.constant & 1;
      return link(current,
                  getNode(terminator->getSuccessor(taken ? 0 : 1), scope));
    }
    if (nesting < maxNesting &&
        evaluator.getAgreement(condition) != Agreement::CTA)
      return splitBlock(block, terminator, condition, scope);
  }
  if (isTwoWay) {
    ThreadValue condition = evaluator.get(terminator->getOperand(0), frame);
    for (unsigned i : {0u, 1u})
      link(current, getNode(terminator->getSuccessor(i), scope),
           addGuard(condition, i == 0));
    if (evaluator.getAgreement(condition) == Agreement::CTA)
      return;
  }
  if (getControl(terminator) != Agreement::CTA)
    giveUp(terminator, "the branch depends on the thread in a way that is not "
                       "followed");
  for (Block *successor : terminator->getSuccessors())
    link(current, getNode(successor, scope));
}

/// A branch that the thread decides: one arm, then the other, or both as
/// alternatives where it is not known who goes where.
void GraphBuilder::splitBlock(Block *block, Operation *branch,
                              const ThreadValue &condition, Scope &scope) {
  bool isKnown = condition.isKnown();
  auto *node = currentDominance->getDomTree(block->getParent()).getNode(block);
  Block *meeting =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  ThreadSet outer = threads, taken = isKnown ? select(condition) : threads;
  Mixed outerMixed = mixed;
  if (!isKnown)
    mixed = mix(evaluator.getAgreement(condition));
  unsigned begin = current;
  threads = outer & ~(isKnown ? taken : ThreadSet());
  unsigned between = addNode();
  threads = outer;
  unsigned end = addNode();
  ++nesting;
  for (unsigned arm : {0u, 1u}) {
    Scope inner;
    inner.outer = &scope;
    inner.stop = meeting ? meeting : scope.stop;
    bool isLast = arm == 1 || !isKnown;
    inner.stopNode = meeting ? end : scope.stopNode;
    inner.exitNode = scope.exitNode;
    if (!isLast)
      inner.stopNode = inner.exitNode = between;
    threads = isKnown ? (arm == 0 ? taken : outer & ~taken) : outer;
    Block *target = branch->getSuccessor(arm);
    unsigned from = arm == 0 || !isKnown ? begin : between;
    if (threads.none()) {
      link(from, isLast ? end : between);
      continue;
    }
    link(from, getNode(target, inner));
    run(inner);
  }
  --nesting;
  threads = outer;
  mixed = outerMixed;
  if (meeting && meeting != scope.stop)
    link(end, getNode(meeting, scope));
  else if (meeting)
    link(end, scope.stopNode);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Graph GraphBuilder::build(Operation *kernel) {
  frame = evaluator.getKernelFrame();
  for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
    threads.set(t);
  // Event 0 stands for none.
  graph.events.emplace_back();
  graph.events.front().kind = EventKind::MBarrierInit;
  current = addNode();
  visitRegion(kernel->getRegion(0));
  exited.reset();
  startNode();
  graph.exit = current;
  Event event;
  event.kind = EventKind::Exit;
  event.op = kernel;
  event.frame = frame;
  graph.nodes[current].events.push_back(graph.events.size());
  graph.events.push_back(std::move(event));
  return std::move(graph);
}

Graph mlir::tmem::hazards::buildGraph(Evaluator &evaluator, Operation *kernel) {
  return GraphBuilder(evaluator).build(kernel);
}
