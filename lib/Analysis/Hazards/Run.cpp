//===- Run.cpp - A kernel, run on what is known ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Operations that the runs of a kernel may execute, over all warps.
static constexpr uint64_t maxSteps = 1'000'000;
/// Those of one run in which an input is 0, and the kernel may not end.
static constexpr uint64_t maxStepsWithZero = 50'000;
/// Turns of a loop that does nothing which matters here.
static constexpr int64_t maxIdleTurns = 64;
static constexpr size_t maxDepth = 100;

Run::Run(Evaluator &evaluator, Operation *kernel, Inputs inputs,
         CountedReads counted, Coverage &coverage, Trial &trial)
    : evaluator(evaluator), kernel(kernel), inputs(inputs),
      followsRegisters(counted != CountedReads::None), coverage(coverage),
      trial(trial), order(trial.report),
      numThreads(evaluator.getBlock().getNumThreads()),
      warps(evaluator.getBlock().getNumWarps()), liveReads(counted) {}

bool Run::giveUp(Operation *op, const Twine &why) {
  hasStopped = true;
  if (!trial.where) {
    trial.where = op;
    trial.why = why.str();
  }
  return false;
}

bool Run::giveUpAtBarrier(Operation *op, const Twine &why) {
  trial.isAtBarrier |= !trial.where;
  return giveUp(op, why);
}

bool Run::run() {
  Region &body = kernel->getRegion(0);
  Frame *shared = evaluator.getKernelFrame();
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    unsigned count = std::min(warpSize, numThreads - warp * warpSize);
    Activation first{evaluator.makeFrame(kernel, nullptr, nullptr),
                     shared,
                     &body.front(),
                     body.front().begin(),
                     nullptr,
                     count == warpSize ? ~0u : (1u << count) - 1};
    for (Value argument : body.front().getArguments())
      evaluator.assign(argument, first.frame, evaluator.get(argument, shared));
    warps[warp].stack.push_back(first);
  }
  for (WarpRun &warp : warps)
    warp.alive = warp.stack.front().lanes;
  while (!hasStopped && !order.isFaulty()) {
    bool isMoving = false, isDone = true;
    for (unsigned warp = 0; warp < warps.size(); ++warp) {
      isMoving |= warps[warp].status == WarpRun::Ready;
      advance(warp);
      if (hasStopped || order.isFaulty())
        return !hasStopped;
    }
    for (WarpRun &warp : warps)
      isDone &= warp.status == WarpRun::Done;
    if (isDone) {
      checkFreed();
      if (unclearMeeting && !order.isFaulty())
        giveUpAtBarrier(unclearMeeting, unclearReason);
      return !hasStopped;
    }
    releaseBarriers();
    for (WarpRun &warp : warps)
      isMoving |= warp.status == WarpRun::Ready;
    if (!isMoving)
      return reportStuck();
  }
  return !hasStopped;
}

void Run::advance(unsigned warp) {
  while (warps[warp].status == WarpRun::Ready && !hasStopped &&
         !order.isFaulty()) {
    // A step of 0 makes loops of blocks endless.
    bool hasZero =
        usesNumber && (inputs.low == 0 || inputs.high == 0 ||
                       llvm::any_of(inputs.fixed, [](const auto &input) {
                         return input.second == 0;
                       }));
    if (++ownSteps > maxStepsWithZero && hasZero) {
      coverage.steps -= ownSteps;
      isVoid = hasStopped = true;
      return;
    }
    if (++coverage.steps > maxSteps) {
      coverage.isExhausted = true;
      giveUp(kernel, "it takes too many steps");
      return;
    }
    if (warps[warp].stack.empty()) {
      warps[warp].status = WarpRun::Done;
      return;
    }
    step(warp);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Arguments of the kernel, and what is the same for a whole launch.
std::optional<int64_t> Run::getInput(unsigned symbol) {
  Value value = evaluator.getOpaque(symbol);
  if (!value || !value.getType().isIntOrIndex())
    return std::nullopt;
  std::optional<Input> input = findInput(value, kernel);
  if (!input)
    return computeInvariant(value);
  if (!value.getType().isInteger(1))
    return getNumber(*input);
  if (std::optional<int64_t> flag = inputs.find(*input))
    return *flag;
  auto &flags = coverage.flags;
  unsigned index = llvm::find(flags, symbol) - flags.begin();
  if (index == flags.size())
    flags.push_back(symbol);
  return inputs.flags >> (index < maxFlags ? index : 0) & 1;
}

/// A value by thread, with inputs put in.
std::optional<ThreadValue> Run::resolve(Value value, unsigned warp) {
  ThreadValue known = evaluator.get(value, warps[warp].stack.back().frame);
  return evaluator.resolve(known,
                           [&](unsigned symbol) { return getInput(symbol); });
}

uint32_t Run::getTaken(const ThreadValue &condition, unsigned warp) const {
  uint32_t taken = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned thread = warp * warpSize + lane;
    if (thread < numThreads && (condition.get(thread) & 1))
      taken |= 1u << lane;
  }
  return taken & warps[warp].stack.back().lanes;
}

void Run::assign(ValueRange to, ValueRange from, Activation &there,
                 Activation &here) {
  SmallVector<ThreadValue> values;
  for (Value value : from)
    values.push_back(evaluator.get(value, here.frame));
  bool isPart = there.lanes != here.lanes;
  for (auto [target, value] : llvm::zip(to, values)) {
    if (isPart && value.isKnown()) {
      // The other arm gives, or has given, the rest.
      ThreadValue old = evaluator.get(target, there.frame);
      if (old.isKnown()) {
        uint32_t lanes = here.lanes;
        value = evaluator.choose(value, old, lanes);
      }
    } else if (isPart && !isa<VectorType, FloatType>(target.getType())) {
      value = evaluator.makeUnknown();
    }
    evaluator.assign(target, there.frame, value);
  }
  carryRegisters(to, from, there, here);
}

/// What a value of a loop of blocks is for lanes that have left it, and use it
/// behind.
std::optional<ThreadValue> Run::getOfOthers(Value value, unsigned warp) {
  const Activation &here = warps[warp].stack.back();
  if (here.lanes == warps[warp].alive || !evaluator.escapes(value))
    return std::nullopt;
  auto it = here.frame->current.find(value);
  if (it == here.frame->current.end())
    return std::nullopt;
  return it->second;
}

void Run::keepOfOthers(Value value, const std::optional<ThreadValue> &old,
                       unsigned warp) {
  if (!old)
    return;
  const Activation &here = warps[warp].stack.back();
  ThreadValue own = evaluator.get(value, here.frame);
  evaluator.assign(value, here.frame,
                   own.terms == old->terms
                       ? evaluator.choose(own, *old, here.lanes)
                       : evaluator.makeUnknown());
}

void Run::evaluateResults(Operation *op, unsigned warp) {
  Activation &here = warps[warp].stack.back();
  for (Value result : op->getResults()) {
    bool loads = isa<memref::LoadOp, LLVM::LoadOp>(op);
    // A word may be read as a float.
    if (isa<VectorType, FloatType>(result.getType()) &&
        !(loads && result.getType().isF32()))
      continue;
    std::optional<ThreadValue> old = getOfOthers(result, warp);
    if (loads) {
      auto load = dyn_cast<memref::LoadOp>(op);
      ThreadValue address =
          load ? evaluator.getElementAddress(load.getMemRef(),
                                             load.getIndices(), here.frame)
               : evaluator.get(op->getOperand(0), here.frame);
      std::optional<Slot> slot = evaluator.getSlot(address);
      if (getBytes(result.getType()) != wordBytes)
        slot.reset();
      auto it = slot ? memory.find(*slot) : memory.end();
      evaluator.assign(result, here.frame,
                       it != memory.end() ? it->second.value
                                          : evaluator.makeUnknown());
    } else {
      evaluator.evaluateAgain(op, result, here.frame);
      substitute(op, result, warp);
    }
    keepOfOthers(result, old, warp);
  }
}

//===----------------------------------------------------------------------===//
// What matters
//===----------------------------------------------------------------------===//

/// The effects of an operation, and of accesses that are less plain those that
/// matter.
void Run::classifyAll(Operation *op, SmallVectorImpl<Effect> &found) const {
  classify(op, found);
  if (evaluator.otherAccesses.contains(op))
    if (std::optional<Effect> other = classifyOther(op))
      found.push_back(*other);
}

/// Whether an operation, or what it holds, has an effect that is followed.
bool Run::matters(Operation *op) {
  auto [it, isNew] = mattering.try_emplace(op, true);
  if (!isNew)
    return it->second;
  SmallVector<Effect, 2> found;
  bool result = false;
  op->walk([&](Operation *inner) {
    classifyAll(inner, found);
    result |= llvm::any_of(found, [](const Effect &effect) {
      return effect.kind != EventKind::SlotRead;
    });
    if (auto call = dyn_cast<CallOpInterface>(inner)) {
      Operation *callee = call.resolveCallableInTable(&symbolTables);
      result |= callee && callee->getNumRegions() && matters(callee);
    }
    result |= isa<LLVM::ReturnOp, gpu::ReturnOp>(inner) || readsLoad(inner);
    return result ? WalkResult::interrupt() : WalkResult::advance();
  });
  return mattering[op] = result;
}

/// Passes over something that does not matter.
void Run::skip(Operation *op, unsigned warp) {
  for (Value result : op->getResults())
    evaluator.assign(result, warps[warp].stack.back().frame,
                     evaluator.makeUnknown());
}

/// Keeps which way a branch went, unless the thread id alone decides.
void Run::note(Operation *op, unsigned outcome, Value condition,
               unsigned warp) {
  Frame *known = warps[warp].stack.back().known;
  if (evaluator.get(condition, known).isKnown())
    return;
  coverage.outcomes[op] |= outcome;
  keepChoices(condition, known);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Run::step(unsigned warp) {
  Activation &here = warps[warp].stack.back();
  // Arms within an arm may meet where that one ends.
  if (here.stop && here.block == here.stop) {
    warps[warp].stack.pop_back();
    return;
  }
  if (here.next == here.block->end()) {
    yield(nullptr, warp);
    return;
  }
  Operation *op = &*here.next;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return executeTerminator(op, warp);
  ++here.next;
  execute(op, warp);
}

void Run::execute(Operation *op, unsigned warp) {
  if (isa<CallOpInterface>(op))
    return executeCall(op, warp);
  if (op->getNumRegions() != 0)
    return executeRegions(op, warp);
  auto [it, isNew] = effects.try_emplace(op);
  if (isNew) {
    classify(op, it->second);
    if (std::optional<Effect> data = classifyData(op))
      it->second.push_back(*data);
    if (std::optional<Effect> other = classifyOther(op))
      it->second.push_back(*other);
  }
  readRegisters(op, warp);
  evaluateResults(op, warp);
  if (warps[warp].groups.size() > 1 && makesLanesMeet(op))
    joinLanes(warp, warps[warp].stack.back().lanes);
  if (it->second.empty())
    return;
  coverage.executed.insert(op);
  // Performing may look up effects of other operations.
  SmallVector<Effect, 2> performed = it->second;
  for (const Effect &effect : performed) {
    if (!checkLanes(effect, warp))
      return;
    Frame *frame = warps[warp].stack.back().frame;
    perform(effect, warp);
    if (order.isFaulty()) {
      Finding &finding = trial.report.findings.back();
      if (finding.op == op)
        finding.calls = getCalls(frame);
    }
    if (hasStopped || effect.kind == EventKind::End ||
        warps[warp].status == WarpRun::AtAlloc)
      return;
    // Tests are repeated until they hold.
    if (effect.kind == EventKind::MBarrierWait && op->getNumResults() == 1) {
      if (mayFail(op)) {
        giveUp(op, "what happens if its test fails is not known");
        return;
      }
      ThreadValue holds;
      holds.constant = 1;
      evaluator.assign(op->getResult(0), warps[warp].stack.back().frame, holds);
    }
  }
}

void Run::enter(Region &region, Operation *parent, uint32_t lanes,
                unsigned warp) {
  Activation &here = warps[warp].stack.back();
  Block &block = region.front();
  Activation inner{here.frame,    here.known, &block,
                   block.begin(), parent,     lanes};
  warps[warp].stack.push_back(inner);
}

/// Bits of what counts the turns.
static unsigned getTurnWidth(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

void Run::assignTurn(const Activation &body) {
  auto loop = cast<scf::ForOp>(body.parent);
  ThreadValue turn;
  turn.constant = toSigned(body.turn, getTurnWidth(loop));
  evaluator.assign(loop.getInductionVar(), body.frame, turn);
}

void Run::executeFor(Operation *op, unsigned warp) {
  auto loop = cast<scf::ForOp>(op);
  Activation &here = warps[warp].stack.back();
  int64_t bounds[3];
  Value operands[] = {loop.getLowerBound(), loop.getUpperBound(),
                      loop.getStep()};
  for (auto [index, value] : llvm::enumerate(operands)) {
    std::optional<ThreadValue> bound = resolve(value, warp);
    std::optional<int64_t> number;
    if (bound)
      number = getUniform(*bound, warp);
    if (!number) {
      if (!passesOver(op, warp)) {
        giveUp(op, "how often the loop runs is not known");
        return;
      }
      return skip(op, warp);
    }
    bounds[index] = *number;
  }
  auto [lower, upper, step] = bounds;
  if (loop.getUnsignedCmp()) {
    unsigned width = getTurnWidth(loop);
    lower = toUnsigned(lower, width);
    upper = toUnsigned(upper, width);
    if (lower < 0 || upper < 0) {
      giveUp(op, "its numbers are too large");
      return;
    }
  }
  if (step < 1 && matters(op)) {
    isVoid = hasStopped = true;
    return;
  }
  if (step < 1 || (!matters(op) && (upper - lower) / step > maxIdleTurns))
    return skip(op, warp);
  if (lower >= upper) {
    assign(loop.getResults(), loop.getInitArgs(), here, here);
    return;
  }
  enter(loop.getRegion(), op, here.lanes, warp);
  Activation &inner = warps[warp].stack.back();
  inner.turn = lower;
  inner.end = upper;
  inner.step = step;
  assign(loop.getRegionIterArgs(), loop.getInitArgs(), inner, inner);
  assignTurn(inner);
}

void Run::executeLane(Operation *op, unsigned warp) {
  std::optional<ThreadValue> id =
      resolve(cast<gpu::WarpExecuteOnLane0Op>(op).getLaneid(), warp);
  if (!id && matters(op)) {
    giveUp(op, "which lane runs it is not known");
    return;
  }
  skip(op, warp);
  if (id && evaluator.election.op)
    evaluator.keepTest(*id, 0);
  uint32_t taken = 0;
  for (unsigned lane = 0; id && lane < warpSize; ++lane)
    if (warp * warpSize + lane < numThreads &&
        id->get(warp * warpSize + lane) == 0)
      taken |= 1u << lane;
  taken &= warps[warp].stack.back().lanes;
  if (taken != 0)
    enter(op->getRegion(0), op, taken, warp);
}

void Run::executeRegions(Operation *op, unsigned warp) {
  Activation &here = warps[warp].stack.back();
  if (warps[warp].stack.size() > maxDepth) {
    giveUp(op, "it is nested too deeply");
    return;
  }
  if (isa<scf::ForOp>(op))
    return executeFor(op, warp);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    assign(loop.getBeforeArguments(), loop.getInits(), here, here);
    return enter(loop.getBefore(), op, here.lanes, warp);
  }
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op))
    return enter(op->getRegion(0), op, here.lanes, warp);
  if (isa<gpu::WarpExecuteOnLane0Op>(op))
    return executeLane(op, warp);
  bool isChoice = isa<scf::IfOp, scf::IndexSwitchOp>(op);
  std::optional<ThreadValue> condition;
  if (isChoice)
    condition = resolve(op->getOperand(0), warp);
  if (!condition) {
    if (matters(op)) {
      giveUp(op, isChoice ? "the condition is not known"
                          : "the operation is not known here");
      return;
    }
    return skip(op, warp);
  }
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return executeSwitch(choice, *condition, warp);
  uint32_t lanes = here.lanes, taken = getTaken(*condition, warp);
  if (taken)
    note(op, 1, op->getOperand(0), warp);
  if (taken != lanes)
    note(op, 2, op->getOperand(0), warp);
  // The arm that is pushed last runs first.
  if (taken != lanes && !op->getRegion(1).empty())
    enter(op->getRegion(1), op, lanes & ~taken, warp);
  if (taken != 0)
    enter(op->getRegion(0), op, taken, warp);
}

/// Each case with the lanes that take it.
void Run::executeSwitch(Operation *op, const ThreadValue &selector,
                        unsigned warp) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  keepCases(choice.getArg(), choice.getCases(), warps[warp].stack.back().known);
  uint32_t rest = warps[warp].stack.back().lanes;
  Activation here = warps[warp].stack.back();
  auto visit = [&](Region &region, uint32_t lanes) {
    if (lanes == 0)
      return;
    Activation inner{
        here.frame, here.known, &region.front(), region.front().begin(),
        op,         lanes};
    warps[warp].stack.push_back(inner);
  };
  for (auto [index, value] : llvm::enumerate(choice.getCases())) {
    uint32_t taken = 0;
    if (evaluator.election.op)
      evaluator.keepTest(selector, value);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned thread = warp * warpSize + lane;
      if (thread < numThreads && selector.get(thread) == value)
        taken |= 1u << lane;
    }
    visit(choice.getCaseRegions()[index], taken & rest);
    rest &= ~taken;
  }
  visit(choice.getDefaultRegion(), rest);
}

void Run::executeCall(Operation *op, unsigned warp) {
  auto call = cast<CallOpInterface>(op);
  if (isHarmless(call)) {
    readRegisters(op, warp);
    return skip(op, warp);
  }
  Activation here = warps[warp].stack.back();
  Frame *known = evaluator.getCallee(call, here.known);
  if (!known || warps[warp].stack.size() > maxDepth) {
    giveUp(op, "what it calls is not followed");
    return;
  }
  Region &body = known->function->getRegion(0);
  Activation inner{evaluator.makeFrame(known->function, op, here.frame),
                   known,
                   &body.front(),
                   body.front().begin(),
                   op,
                   here.lanes};
  for (auto [argument, operand] :
       llvm::zip(body.front().getArguments(), call.getArgOperands()))
    evaluator.assign(argument, inner.frame, evaluator.get(operand, here.frame));
  carryRegisters(body.front().getArguments(), call.getArgOperands(), inner,
                 here);
  warps[warp].stack.push_back(inner);
}
