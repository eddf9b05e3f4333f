//===- Carried.cpp - Values that control flow carries ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

static Agreement agree() { return Agreement::CTA; }

Agreement Evaluator::getAgreementOnTurns(Operation *op, Frame *frame) {
  auto loop = cast<scf::ForOp>(op);
  return std::max({getAgreement(loop.getLowerBound(), frame),
                   getAgreement(loop.getUpperBound(), frame),
                   getAgreement(loop.getStep(), frame)});
}

/// Whether all threads come to a block from the same one, or what decides: the
/// branches behind which ways part that meet at the block only. Of a loop, the
/// turns are no matter: its threads are in the same one.
Agreement Evaluator::getControl(Block *block, Frame *frame) {
  constexpr size_t maxBlocks = 2048;
  Region *region = block->getParent();
  auto &dominators = dominance.getDomTree(region);
  unsigned numEntries = 0, numLatches = 0;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
    ++(dominators.dominates(block, *it) ? numLatches : numEntries);
  if (numEntries <= 1 && numLatches <= 1)
    return Agreement::CTA;
  auto *node = dominators.getNode(block);
  Block *first =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallVector<Block *> worklist(block->getPredecessors());
  DenseSet<Block *> between(worklist.begin(), worklist.end());
  for (size_t next = 0; next < worklist.size(); ++next) {
    if (next == maxBlocks)
      return Agreement::None;
    if (worklist[next] == first || worklist[next] == block)
      continue;
    for (Block *predecessor : worklist[next]->getPredecessors())
      if (between.insert(predecessor).second)
        worklist.push_back(predecessor);
  }
  Agreement agreement = Agreement::CTA;
  auto &postDominators = postDominance.getDomTree(region);
  for (Block *other : worklist) {
    if (other->getNumSuccessors() < 2 || other == block)
      continue;
    auto *meeting = postDominators.getNode(other);
    Block *where = meeting && meeting->getIDom()
                       ? meeting->getIDom()->getBlock()
                       : nullptr;
    // They meet before.
    if (where && where != block && where != first && between.contains(where))
      continue;
    Operation *branch = other->getTerminator();
    if (!isa<BranchOpInterface>(branch) || branch->getNumOperands() == 0)
      return Agreement::None;
    agreement = std::max(agreement, getAgreement(branch->getOperand(0), frame));
  }
  return agreement;
}

ThreadValue Evaluator::merge(Value value, Frame *frame,
                             ArrayRef<std::pair<Value, Frame *>> incoming,
                             llvm::function_ref<Agreement()> getControl) {
  // Supposed to agree until something that comes in says otherwise.
  ThreadValue result = makeOpaque(value, Agreement::CTA);
  unsigned symbol = result.terms.front().symbol;
  size_t begin = trail.size();
  frame->values[value] = values.size();
  values.push_back(result);
  ++openLoops;
  std::optional<ThreadValue> same;
  bool isSame = true;
  Agreement agreement = getControl();
  for (auto [in, inFrame] : incoming) {
    ThreadValue part = get(in, inFrame);
    if (part == result)
      continue;
    agreement = std::max(agreement, getAgreement(part));
    isSame &= !same || *same == part;
    same = part;
  }
  --openLoops;
  if (same && isSame && llvm::none_of(same->terms, [&](Term term) {
        return term.symbol == symbol;
      }))
    result = *same;
  symbols[symbol].agreement = agreement;
  symbols[symbol].frame = frame;
  forgetSince(begin);
  return result;
}

/// What was evaluated on a supposition is evaluated again when asked for.
void Evaluator::forgetSince(size_t begin) {
  for (size_t i = begin; i < trail.size(); ++i)
    trail[i].first->values.erase(trail[i].second);
  numForgotten += trail.size() - begin;
  trail.resize(begin);
  forgetTurns(begin);
}

/// Whether a value may be another one in each turn of a loop.
bool Evaluator::changesIn(Operation *loop, Frame *frame,
                          const ThreadValue &value) const {
  return llvm::any_of(value.terms, [&](Term term) {
    const Symbol &symbol = symbols[term.symbol];
    if (symbol.comparison)
      return changesIn(loop, frame, symbol.comparison->a) ||
             changesIn(loop, frame, symbol.comparison->b);
    if (symbol.isObject || (symbol.content && !isVersioned(*symbol.content)))
      return false;
    if (!symbol.value)
      return true;
    Value of = symbol.value;
    Operation *where = of.getParentRegion()->getParentOp();
    if (loop->isAncestor(where))
      return true;
    // Of functions that the loop calls.
    Frame *inner = symbol.frame;
    while (inner && inner != frame && inner->parent != frame)
      inner = inner->parent;
    return inner && inner != frame && loop->isAncestor(inner->call);
  });
}

/// Memory that each thread has for itself.
static bool isPrivate(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 5;
  auto memref = dyn_cast<MemRefType>(type);
  Attribute space = memref ? memref.getMemorySpace() : Attribute();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(space))
    return integer.getInt() == 5;
  auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Private;
}

static Operation *getTerminator(Region &region) {
  if (region.empty() || region.back().empty() ||
      !region.back().back().hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  return &region.back().back();
}

/// Of a gpu.launch: block ids, thread ids, grid sizes, block sizes, and then
/// variables in shared memory.
ThreadValue Evaluator::evaluateLaunchArgument(BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  if (isa<BaseMemRefType>(argument.getType()))
    return isPrivate(argument.getType())
               ? makeObject(argument.getAsOpaquePointer(), /*isShared=*/false,
                            Agreement::None)
               : makeVariable(argument, argument.getAsOpaquePointer());
  if (index >= 3 && index < 6)
    return makeThreadId(index - 3);
  if (index >= 9 && index < 12)
    return makeConstant(block.size[index - 9]);
  return makeOpaque(argument, Agreement::CTA);
}

ThreadValue Evaluator::makeThreadId(unsigned dimension) {
  int64_t stride = 1;
  for (unsigned d = 0; d < dimension; ++d)
    stride *= block.size[d];
  return makePerThread(
      [&](unsigned t) { return t / stride % block.size[dimension]; });
}

ThreadValue Evaluator::evaluateArgument(BlockArgument argument, Frame *frame) {
  Block *owner = argument.getOwner();
  unsigned index = argument.getArgNumber();
  Operation *parent = owner->getParentOp();
  if (owner->isEntryBlock() && isa<FunctionOpInterface>(parent)) {
    if (frame->call) {
      auto call = cast<CallOpInterface>(frame->call);
      if (index < call.getArgOperands().size())
        return get(call.getArgOperands()[index], frame->parent);
    }
    // Attributions of shared memory follow the arguments.
    auto function = cast<FunctionOpInterface>(parent);
    if (index >= function.getNumArguments() ||
        isa<BaseMemRefType, LLVM::LLVMPointerType>(argument.getType()))
      return isPrivate(argument.getType())
                 ? makeObject(argument.getAsOpaquePointer(),
                              /*isShared=*/false, Agreement::None)
                 : makeVariable(argument, argument.getAsOpaquePointer());
    return makeOpaque(argument, Agreement::CTA);
  }
  if (owner->isEntryBlock() && isa<gpu::LaunchOp>(parent))
    return evaluateLaunchArgument(argument);
  SmallVector<std::pair<Value, Frame *>> incoming;
  if (!owner->isEntryBlock()) {
    for (auto it = owner->pred_begin(); it != owner->pred_end(); ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch)
        return makeOpaque(argument, Agreement::None);
      SuccessorOperands operands =
          branch.getSuccessorOperands(it.getSuccessorIndex());
      if (index >= operands.size() || !operands[index])
        return makeOpaque(argument, Agreement::None);
      incoming.push_back({operands[index], frame});
    }
    return merge(argument, frame, incoming,
                 [&] { return getControl(owner, frame); });
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (index == 0)
      return merge(argument, frame, {},
                   [&] { return getAgreementOnTurns(loop, frame); });
    incoming.push_back({loop.getInitArgs()[index - 1], frame});
    incoming.push_back(
        {getTerminator(loop.getRegion())->getOperand(index - 1), frame});
    return merge(argument, frame, incoming, agree);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    bool isBefore = owner->getParent() == &loop.getBefore();
    if (!isBefore)
      return merge(argument, frame,
                   {{loop.getConditionOp().getArgs()[index], frame}}, agree);
    incoming.push_back({loop.getInits()[index], frame});
    incoming.push_back({loop.getYieldOp().getOperand(index), frame});
    return merge(argument, frame, incoming, agree);
  }
  return makeOpaque(argument, Agreement::None);
}

/// What arms give that the thread id decides, where they differ in numbers
/// only.
std::optional<ThreadValue>
Evaluator::choose(Operation *op, const ThreadValue &selector,
                  ArrayRef<std::pair<Value, Frame *>> incoming) {
  if (!selector.isKnown() || incoming.size() != op->getNumRegions())
    return std::nullopt;
  SmallVector<ThreadValue> parts;
  for (auto [value, frame] : incoming)
    parts.push_back(get(value, frame));
  for (const ThreadValue &part : parts)
    if (part.terms != parts.front().terms)
      return std::nullopt;
  auto cases = dyn_cast<scf::IndexSwitchOp>(op);
  ThreadValue result = makePerThread([&](unsigned thread) {
    int64_t is = selector.get(thread);
    // The first region of a switch is that of no case.
    unsigned region = cases ? 0 : !(is & 1);
    if (cases)
      for (auto [index, value] : llvm::enumerate(cases.getCases()))
        if (value == is)
          region = index + 1;
    return parts[region].get(thread);
  });
  result.terms = parts.front().terms;
  return result;
}

std::optional<ThreadValue>
Evaluator::evaluateCarried(Operation *op, Value value, Frame *frame) {
  unsigned index = cast<OpResult>(value).getResultNumber();
  SmallVector<std::pair<Value, Frame *>> incoming;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    Frame *callee = getCallee(call, frame);
    if (!callee)
      return makeOpaque(value, Agreement::None);
    for (Block &block : callee->function->getRegion(0))
      if (block.mightHaveTerminator() &&
          block.getTerminator()->hasTrait<OpTrait::ReturnLike>() &&
          index < block.getTerminator()->getNumOperands())
        incoming.push_back({block.getTerminator()->getOperand(index), callee});
    // Which return it is may be up to the thread.
    return merge(value, frame, incoming, [&] {
      return incoming.size() <= 1 ? Agreement::CTA : Agreement::None;
    });
  }
  // Run once.
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op) &&
      op->getRegion(0).hasOneBlock()) {
    Operation *yield = getTerminator(op->getRegion(0));
    if (yield && index < yield->getNumOperands())
      return get(yield->getOperand(index), frame);
    return std::nullopt;
  }
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    ThreadValue selector = get(op->getOperand(0), frame);
    for (Region &region : op->getRegions())
      if (Operation *yield = getTerminator(region))
        if (index < yield->getNumOperands())
          incoming.push_back({yield->getOperand(index), frame});
    if (std::optional<ThreadValue> chosen = choose(op, selector, incoming))
      return chosen;
    return merge(value, frame, incoming,
                 [&] { return getAgreement(selector); });
  }
  // Threads that leave a loop in different turns take different values along.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    incoming.push_back({loop.getInitArgs()[index], frame});
    incoming.push_back(
        {getTerminator(loop.getRegion())->getOperand(index), frame});
    return merge(value, frame, incoming,
                 [&] { return getAgreementOnTurns(loop, frame); });
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp condition = loop.getConditionOp();
    Agreement turns = getAgreement(condition.getCondition(), frame);
    ThreadValue last = get(condition.getArgs()[index], frame);
    if (turns == Agreement::CTA || !changesIn(loop, frame, last))
      return last;
    ThreadValue left = makeOpaque(value, std::max(turns, getAgreement(last)));
    symbols[left.terms.front().symbol].frame = frame;
    return left;
  }
  return std::nullopt;
}
