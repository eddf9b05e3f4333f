//===- Graph.cpp - What a kernel does, as a graph -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/TMemOps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Operations that a graph may have, inlined ones counted each time.
static constexpr unsigned maxOperations = 4'000'000;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Predecessors::Predecessors(const Graph &graph)
    : arrivals(graph.edges.size()), begins(graph.nodes.size() + 1, 0) {
  for (const Edge &edge : graph.edges)
    ++begins[edge.to];
  // The ends of all, which become the begins as they are filled.
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (unsigned node = graph.nodes.size(); node-- > 0;)
    for (unsigned edge = graph.edgeBegins[node + 1];
         edge-- > graph.edgeBegins[node];)
      arrivals[--begins[graph.edges[edge].to]] = {node, edge};
}

unsigned GraphBuilder::addNode() {
  Node &node = graph.nodes.emplace_back();
  firstLinks.push_back(none);
  node.threads = &*graph.threadSets.insert(threads).first;
  node.exited = &*graph.threadSets.insert(exited | ended).first;
  node.mixed = mixed;
  node.isInLoop = loopDepth != 0;
  return graph.nodes.size() - 1;
}

void GraphBuilder::link(unsigned from, unsigned to, int guard, int move) {
  unsigned *next = &firstLinks[from];
  while (*next != none && links[*next].edge.to != to)
    next = &links[*next].next;
  if (*next == none) {
    *next = links.size();
    links.push_back({{to, guard, move}, none});
    return;
  }
  // Two ways to the same place.
  Edge &known = links[*next].edge;
  if (known.move != move) {
    unsigned between = addNode();
    link(from, between, guard);
    return link(between, to, -1, move);
  }
  if (known.guard != guard)
    known.guard = -1;
}

void GraphBuilder::finishEdges() {
  graph.edges.reserve(links.size());
  for (unsigned first : firstLinks) {
    graph.edgeBegins.push_back(graph.edges.size());
    for (unsigned link = first; link != none; link = links[link].next)
      graph.edges.push_back(links[link].edge);
  }
  graph.edgeBegins.push_back(graph.edges.size());
}

static size_t hash(const Guard &guard) {
  llvm::hash_code hash = llvm::hash_combine(guard.form, guard.isEquality);
  for (Interval interval : guard.intervals)
    hash = llvm::hash_combine(hash, interval.first, interval.last);
  // Not one of those that a DenseMap keeps for itself.
  return size_t(hash) / 2;
}

/// What is written out is often the same in many places; what says when a loop
/// ends is of this loop.
int GraphBuilder::addGuard(std::optional<Constraint> constraint,
                           bool isImplicit) {
  if (!constraint)
    return -1;
  Guard guard;
  static_cast<Constraint &>(guard) = std::move(*constraint);
  guard.isImplicit = isImplicit;
  if (!isImplicit) {
    auto [it, isNew] =
        guardNumbers.try_emplace(hash(guard), graph.guards.size());
    if (!isNew && graph.guards[it->second] == guard)
      return it->second;
  }
  graph.guards.push_back(std::move(guard));
  return graph.guards.size() - 1;
}

/// For an edge that is taken when a condition on which the CTA agrees holds, or
/// when it does not.
int GraphBuilder::addGuard(const ThreadValue &condition, bool isTaken,
                           Agreement atMost) {
  if (evaluator.getAgreement(condition) > atMost)
    return -1;
  return addGuard(constrain(evaluator, condition, isTaken));
}

/// Whether an operation is `and`, or `or`, of conditions.
static bool isCombined(Operation *op, StringRef what) {
  return op && op->getNumOperands() == 2 &&
         op->getResult(0).getType().isInteger(1) &&
         op->getName().stripDialect() == what;
}

bool GraphBuilder::isCombined(Value condition) {
  Operation *op = condition.getDefiningOp();
  return llvm::any_of(ArrayRef<StringRef>{"andi", "and", "ori", "or"},
                      [&](StringRef name) { return ::isCombined(op, name); });
}

/// Edges for a condition that holds, and for one that does not. What it is
/// combined of is tested one after the other.
void GraphBuilder::linkCondition(Value condition, unsigned from, unsigned then,
                                 unsigned otherwise, unsigned depth) {
  constexpr unsigned maxDepth = 6;
  ThreadValue value = evaluator.get(condition, frame);
  Operation *op = condition.getDefiningOp();
  bool isAnd = ::isCombined(op, "andi") || ::isCombined(op, "and");
  bool isOr = ::isCombined(op, "ori") || ::isCombined(op, "or");
  if ((isAnd || isOr) && depth < maxDepth && !value.isConstant()) {
    unsigned between = addNode();
    linkCondition(op->getOperand(0), from, isAnd ? between : then,
                  isAnd ? otherwise : between, depth + 1);
    linkCondition(op->getOperand(1), between, then, otherwise, depth + 1);
    return;
  }
  if (!value.isConstant() || (value.constant & 1))
    link(from, then, addGuard(value, true));
  if (!value.isConstant() || !(value.constant & 1))
    link(from, otherwise, addGuard(value, false));
}

std::optional<GraphBuilder::Both> GraphBuilder::getBoth(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (!::isCombined(op, "andi") && !::isCombined(op, "and"))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    ThreadValue known = evaluator.get(op->getOperand(side), frame);
    Value other = op->getOperand(1 - side);
    if (known.isKnown() &&
        evaluator.getAgreement(other, frame) == Agreement::CTA)
      return Both{known, other};
  }
  return std::nullopt;
}

int GraphBuilder::addMove(ValueRange to, ValueRange from) {
  if (to.empty() || to.size() != from.size())
    return -1;
  graph.moves.push_back({to, from, frame});
  return graph.moves.size() - 1;
}

/// Keeps where the operation gives its results.
void GraphBuilder::define(Operation *op) {
  if (op == moved)
    return;
  if (llvm::any_of(op->getResultTypes(),
                   [](Type type) { return type.isIntOrIndex(); }))
    graph.definitions.push_back({op, current});
}

void GraphBuilder::startNode(int move) {
  unsigned next = addNode();
  link(current, next, -1, move);
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

ThreadSet GraphBuilder::selectEqual(const ThreadValue &selector,
                                    int64_t value) const {
  ThreadSet set;
  for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
    set[t] = selector.get(t) == value;
  return set & threads;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

ThreadValue mlir::tmem::hazards::getAddress(Evaluator &evaluator,
                                            const Effect &effect,
                                            Frame *frame) {
  ThreadValue address = evaluator.get(effect.address, frame);
  address.constant += effect.offset;
  return address;
}

ThreadValue mlir::tmem::hazards::getWordAddress(Evaluator &evaluator,
                                                const Effect &effect,
                                                Frame *frame) {
  return effect.kind == EventKind::Alloc || effect.indices.empty()
             ? getAddress(evaluator, effect, frame)
             : evaluator.getElementAddress(effect.address, effect.indices,
                                           frame);
}

/// Keeps an access that is less plain, where it is one of shared memory: of
/// reads those of a word that is known.
void GraphBuilder::addOther(const Effect &effect,
                            SmallVectorImpl<Effect> &effects) {
  if (effect.isGeneric && !evaluator.namesShared(effect.address, frame))
    return;
  if (effect.kind == EventKind::SlotWrite)
    evaluator.otherAccesses.insert(effect.op);
  else if (!evaluator.getSlot(getWordAddress(evaluator, effect, frame)))
    return;
  effects.push_back(effect);
}

void GraphBuilder::visitEffects(Operation *op) {
  SmallVector<Effect, 2> effects;
  classify(op, effects);
  // All loads of inline PTX fill one set.
  unsigned set = 0;
  if (std::optional<Effect> data = classifyData(op))
    effects.push_back(*data);
  if (std::optional<Effect> other = classifyOther(op))
    addOther(*other, effects);
  for (Effect &effect : effects) {
    if (effect.kind == EventKind::End) {
      endThreads(op);
      continue;
    }
    unsigned index = graph.events.size();
    Event &event = addEvent(effect.kind, op);
    static_cast<Effect &>(event) = effect;
    if (effect.kind == EventKind::Load && effect.repeat != 0) {
      if (set == 0)
        set = ++graph.numRegisters;
      event.registers = {set};
      for (Value result : op->getResults())
        registers[{result, frame}] = set;
    }
    if (effect.kind == EventKind::RegisterUse)
      event.registers = {set};
    bool allocates = effect.kind == EventKind::Alloc;
    bool writesWord = effect.kind == EventKind::SlotWrite && effect.columns;
    if (!allocates && !writesWord)
      continue;
    if (std::optional<Slot> slot =
            evaluator.getSlot(getWordAddress(evaluator, effect, frame)))
      graph.writers[*slot].push_back(index);
  }
}

/// Threads that inline PTX ends, where it is known which ones do not go on.
void GraphBuilder::endThreads(Operation *op) {
  if (loopDepth != 0 || numAlternatives != 0 || mixed != Mixed::No)
    return addUnknown(op, "where threads go on that end under a condition or "
                          "in a loop is not followed");
  ended |= threads;
  threads.reset();
  startNode();
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
    found |= !effects.empty() || classifyData(op) || makesGeneric(op);
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

std::optional<SmallVector<int64_t>>
mlir::tmem::hazards::getCases(Operation *branch) {
  if (!isa<LLVM::SwitchOp>(branch) &&
      branch->getName().getStringRef() != "cf.switch")
    return std::nullopt;
  SmallVector<int64_t> cases;
  if (auto values = branch->getAttrOfType<DenseIntElementsAttr>("case_values"))
    for (const APInt &value : values.getValues<APInt>())
      cases.push_back(value.getSExtValue());
  if (cases.size() + 1 != branch->getNumSuccessors())
    return std::nullopt;
  return cases;
}

void GraphBuilder::addUnknown(Operation *op, StringRef reason) {
  addEvent(EventKind::Unknown, op).reason = reason;
}

void GraphBuilder::visitCall(CallOpInterface call) {
  Frame *callee = evaluator.getCallee(call, frame);
  if (!callee) {
    if (!isHarmless(call))
      addUnknown(call, "what it calls is not followed");
    return;
  }
  // Generic addresses of shared memory make any access matter.
  if (!mayMatter(callee->function) &&
      llvm::none_of(call.getArgOperands(), [&](Value argument) {
        return isa<MemRefType, LLVM::LLVMPointerType>(argument.getType()) &&
               evaluator.namesShared(argument, frame);
      }))
    return;
  Frame *caller = frame;
  PostDominanceInfo *outer = currentDominance;
  ThreadSet outerExited = exited;
  frame = callee;
  findCarriers(callee->function);
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
  handOverToRegions(op);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return visitSwitch(choice);
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op))
    return visitOnce(op);
  if (isa<gpu::WarpExecuteOnLane0Op>(op))
    return visitLane(op);
  if (isa<FunctionOpInterface, gpu::LaunchOp>(op))
    return;
  visitEffects(op);
  if (holdsMore(op))
    return addUnknown(op, "how often it runs its regions, and which threads "
                          "do, is not followed");
  visitAlternatives(op, Agreement::CTA, true);
}

void GraphBuilder::visitBlock(Block &block) {
  // Edges give the others.
  if (block.getNumArguments() != 0 && block.isEntryBlock() &&
      !isa<scf::ForOp, scf::WhileOp>(block.getParentOp()))
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
      handOverToRegions(&op);
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
// The whole
//===----------------------------------------------------------------------===//

Graph GraphBuilder::build(Operation *kernel) {
  frame = evaluator.getKernelFrame();
  for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
    threads.set(t);
  // Event 0 stands for none.
  graph.events.emplace_back();
  graph.events.front().kind = EventKind::MBarrierInit;
  ThreadSet all = threads;
  current = addNode();
  findCarriers(kernel);
  visitRegion(kernel->getRegion(0));
  exited.reset();
  ended.reset();
  threads = all;
  startNode();
  graph.exit = current;
  addEvent(EventKind::Exit, kernel);
  finishEdges();
  return std::move(graph);
}

Graph mlir::tmem::hazards::buildGraph(Evaluator &evaluator, Operation *kernel) {
  return GraphBuilder(evaluator).build(kernel);
}
