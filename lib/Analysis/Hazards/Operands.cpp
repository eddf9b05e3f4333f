//===- Operands.cpp - What events name, and what hardware takes -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that raw operations take unseen: columns, addresses that differ
// between lanes, barriers, counts of mbarriers.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/Target/Chips.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Barriers of a CTA (PTX ISA, bar).
static constexpr int64_t numBarriers = 16;
/// Arrivals that an mbarrier can wait for (PTX ISA, mbarrier: contents).
static constexpr int64_t maxArrivals = (1 << 20) - 1;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// A warp of which the lanes have several values, or -1.
int Flow::findDisagreement(const ThreadValue &value) {
  if (!value.table)
    return -1;
  auto [it, isNew] = disagreements.try_emplace({value.table, node}, -1);
  if (!isNew)
    return it->second;
  const ThreadSet &threads = *graph.nodes[node].threads;
  unsigned numThreads = program.evaluator.getBlock().getNumThreads();
  std::optional<int64_t> first;
  for (unsigned thread = 0; thread < numThreads; ++thread) {
    if (thread % warpSize == 0)
      first.reset();
    if (!threads[thread])
      continue;
    if (first && *first != value.get(thread))
      return it->second = thread / warpSize;
    first = value.get(thread);
  }
  return -1;
}

/// An operand of an instruction that a warp executes as one.
void Flow::checkAgreement(unsigned event, Value operand, StringRef name) {
  if (!operand)
    return;
  ThreadValue value = program.evaluator.get(operand, graph.events[event].frame);
  int warp = findDisagreement(value);
  if (warp >= 0)
    find(Rule::H13, event,
         "expected the same " + name + " in all lanes of warp " + Twine(warp) +
             ", but got several",
         -1, "", "compute it from the warp, not from the lane");
  // Of an address from elsewhere, that is said (transfer, deallocate).
  int root = program.targets[event].root;
  value.table = nullptr;
  if (root >= 0 && !program.roots[root].isAllocated && program.hasAllocations())
    return;
  if (warp < 0 && program.evaluator.getAgreement(value) == Agreement::None)
    doubt(event, "whether all lanes of a warp have the same " + name.str());
}

/// By node: the threads that come to a barrier or an aligned instruction there
/// or behind it.
void Flow::findLaterThreads() {
  auto needsLanes = [&](unsigned event) {
    const Event &what = graph.events[event];
    return what.isAligned || what.kind == EventKind::BarrierSync;
  };
  laterThreads.resize(graph.nodes.size());
  Predecessors predecessors(graph);
  std::vector<unsigned> worklist;
  for (auto [index, where] : llvm::enumerate(graph.nodes)) {
    if (!llvm::any_of(where.events, needsLanes))
      continue;
    laterThreads[index] = *where.threads;
    worklist.push_back(index);
  }
  while (!worklist.empty()) {
    unsigned index = worklist.back();
    worklist.pop_back();
    for (auto [before, edge] : predecessors[index])
      if ((laterThreads[index] & ~laterThreads[before]).any()) {
        laterThreads[before] |= laterThreads[index];
        worklist.push_back(before);
      }
  }
}

/// Barriers of which the instruction is `.aligned`. Lanes that end, whether
/// before or without another barrier, are not waited for.
void Flow::checkBarrierLanes(unsigned event) {
  const Node &where = graph.nodes[node];
  if (!graph.events[event].isAligned || where.mixed != Mixed::No ||
      program.partialWarps[node] == 0)
    return;
  if (laterThreads.empty())
    findLaterThreads();
  ThreadSet missing = laterThreads[node] & ~where.getAccountedFor();
  unsigned numThreads = program.evaluator.getBlock().getNumThreads();
  for (unsigned thread = 0; thread < numThreads; ++thread)
    if (missing[thread] &&
        (program.partialWarps[node] >> (thread / warpSize) & 1))
      return find(Rule::H13, event,
                  "expected all lanes of a warp to execute it, but some lanes "
                  "of warp " +
                      Twine(thread / warpSize) + " do not",
                  -1, "", "branch on the warp, not on the lane");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

bool mlir::tmem::hazards::reduces(Operation *op) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return barrier.getReductionOp().has_value();
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin().contains(".red");
}

/// Reductions and other uses of one barrier, which must not meet.
void Flow::checkReduction(unsigned event) {
  int channel = program.targets[event].channel;
  if (channel < 0 || !reduces(graph.events[event].op))
    return;
  for (unsigned other = 1; other < graph.events.size(); ++other) {
    EventKind kind = graph.events[other].kind;
    bool isBarrier =
        kind == EventKind::BarrierSync || kind == EventKind::BarrierArrive;
    if (isBarrier && program.targets[other].channel == channel &&
        !reduces(graph.events[other].op))
      return doubt(event,
                   "whether its reduction meets another use of the barrier",
                   other);
  }
}

void Flow::checkBarrierNumbers(unsigned event) {
  const Event &what = graph.events[event];
  Evaluator &evaluator = program.evaluator;
  ThreadValue number, count;
  if (what.barrier)
    number = evaluator.get(what.barrier, what.frame);
  if (what.count)
    count = evaluator.get(what.count, what.frame);
  unsigned thread = graph.nodes[node].threads->_Find_first();
  if (thread >= maxThreads)
    return;
  if (number.isKnown()) {
    int64_t id = number.get(thread);
    if (id < 0 || id >= numBarriers)
      find(Rule::H24, event,
           "expected a barrier from 0 to 15, but got " + Twine(id), -1, "",
           "use one of the 16 barriers of a block");
  }
  if (what.count && count.isKnown()) {
    int64_t threads = count.get(thread);
    if (threads < 1 || threads % warpSize != 0)
      find(Rule::H24, event,
           "expected a multiple of 32 threads at the barrier, but got " +
               Twine(threads),
           -1, "", "count the threads of whole warps");
  }
  checkReduction(event);
}

void Flow::checkArrivals(unsigned event) {
  const Event &what = graph.events[event];
  // With a reason, it counts something else as well.
  if (!what.count || !what.reason.empty())
    return;
  ThreadValue count = program.evaluator.get(what.count, what.frame);
  if (!count.isConstant())
    return;
  // Unsigned, as the hardware takes it.
  int64_t arrivals = uint32_t(count.constant);
  if (arrivals < 1 || arrivals > maxArrivals)
    find(Rule::H25, event,
         "expected from 1 to " + Twine(maxArrivals) + " arrivals, but got " +
             Twine(arrivals),
         -1, "", "count the arrivals of one phase");
}

/// Who begins or ends the life of an mbarrier.
void Flow::checkLife(unsigned event) {
  const Event &what = graph.events[event];
  const Node &where = graph.nodes[node];
  ThreadValue address = getMBarrierAddress(program.evaluator, what, what.frame);
  if (address.table ||
      program.evaluator.getAgreement(address) != Agreement::CTA)
    return;
  if (where.mixed == Mixed::Lanes)
    return doubt(event, "which lanes execute it");
  bool isInit = what.kind == EventKind::MBarrierInit;
  ThreadSet threads = *where.threads;
  if (what.predicate) {
    ThreadValue taken = program.evaluator.get(what.predicate, what.frame);
    if (!taken.isKnown())
      return doubt(event, "which threads execute it");
    for (unsigned t = 0; t < program.evaluator.getBlock().getNumThreads(); ++t)
      threads[t] = threads[t] && (taken.get(t) & 1);
  }
  if (size_t count = threads.count(); where.mixed == Mixed::No && count > 1)
    find(Rule::H22, event,
         "expected one thread to " +
             Twine(isInit ? "initialize" : "invalidate") +
             " the mbarrier, but got " + Twine(count),
         -1, "", "put it under a condition on the thread");
}

/// Where an mbarrier is made.
void Flow::checkPlace(unsigned event) {
  const Event &what = graph.events[event];
  const Node &where = graph.nodes[node];
  ThreadValue address = getMBarrierAddress(program.evaluator, what, what.frame);
  if (address.table && (where.mixed != Mixed::No || what.predicate))
    return;
  for (unsigned t = 0; t < program.evaluator.getBlock().getNumThreads(); ++t) {
    if (!(*where.threads)[t])
      continue;
    std::string message = findMisplacedMBarrier(program.evaluator, address, t);
    if (!message.empty())
      return find(Rule::H22, event, message, -1, "", placeFix);
    if (!address.table)
      return;
  }
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void Flow::checkOperands(unsigned event, const State &state) {
  if (!isReporting)
    return;
  const Event &what = graph.events[event];
  switch (what.kind) {
  case EventKind::Alloc:
    checkColumns(event);
    return checkAllocation(event, state);
  case EventKind::Dealloc:
    checkColumns(event);
    return checkAgreement(event, what.address, "address");
  case EventKind::Relinquish:
    return checkBehindAllocs(Rule::H5, event,
                             "let the warp that allocates relinquish", state);
  case EventKind::Load:
  case EventKind::Store:
    return checkAgreement(event, what.address, "address");
  case EventKind::TensorWrite:
    return checkIssuer(event);
  case EventKind::BarrierSync:
  case EventKind::BarrierArrive:
    checkBarrierLanes(event);
    return checkBarrierNumbers(event);
  case EventKind::MBarrierInit:
    checkArrivals(event);
    checkPlace(event);
    return checkLife(event);
  case EventKind::MBarrierInval:
    return checkLife(event);
  case EventKind::MBarrierArrive:
    return checkArrivals(event);
  default:
    return;
  }
}
