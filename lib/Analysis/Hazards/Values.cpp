//===- Values.cpp - What threads know of values ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tmem/IR/Uniformity.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

Calls mlir::tmem::hazards::getCalls(const Frame *frame) {
  Calls calls;
  for (; frame && frame->call; frame = frame->parent)
    calls.push_back(frame->call);
  return calls;
}

/// Chains of operations longer than this are not followed.
static constexpr unsigned maxDepth = 400;

Evaluator::Evaluator(Operation *kernel, BlockShape block, bool followCalls)
    : block(block), followCalls(followCalls) {
  frames.push_back(std::make_unique<Frame>(0, kernel, nullptr, nullptr));
}

//===----------------------------------------------------------------------===//
// Making values
//===----------------------------------------------------------------------===//

ThreadValue Evaluator::makeConstant(int64_t constant) {
  ThreadValue value;
  value.constant = constant;
  return value;
}

ThreadValue Evaluator::makeSymbol(Symbol symbol) {
  ThreadValue value;
  value.terms.push_back({unsigned(symbols.size()), 1});
  symbols.push_back(symbol);
  return value;
}

ThreadValue Evaluator::makeObject(const void *key, bool isShared,
                                  Agreement agreement) {
  auto [it, isNew] = objects.try_emplace(key, symbols.size());
  if (isNew) {
    objectKeys[symbols.size()] = key;
    ThreadValue made =
        makeSymbol({agreement, /*isObject=*/true, std::nullopt, {}, {}});
    symbols.back().isShared = isShared;
    return made;
  }
  ThreadValue value;
  value.terms.push_back({it->second, 1});
  return value;
}

ThreadValue Evaluator::makeOpaque(Value value, Agreement agreement) {
  return makeSymbol({agreement, /*isObject=*/false, std::nullopt, value, {}});
}

ThreadValue Evaluator::makeTable(Table table) {
  ThreadValue value;
  value.constant = table.front();
  bool isZero = true;
  for (int64_t &entry : table) {
    entry -= value.constant;
    isZero &= entry == 0;
  }
  if (isZero)
    return value;
  std::unique_ptr<Table> &kept = tables[table];
  if (!kept)
    kept = std::make_unique<Table>(std::move(table));
  value.table = kept.get();
  return value;
}

ThreadValue Evaluator::makePerThread(llvm::function_ref<int64_t(unsigned)> fn) {
  Table table(block.getNumThreads());
  for (unsigned thread = 0; thread < table.size(); ++thread)
    table[thread] = fn(thread);
  return makeTable(std::move(table));
}

/// Of a comparison: what its sides say now, since they may have been supposed
/// to agree when it was made.
Agreement Evaluator::getAgreementOf(unsigned symbol) const {
  const Symbol &known = symbols[symbol];
  if (!known.comparison)
    return known.agreement;
  return std::max(getAgreement(known.comparison->a),
                  getAgreement(known.comparison->b));
}

Agreement Evaluator::getAgreement(const ThreadValue &value) const {
  Agreement agreement = Agreement::CTA;
  for (Term term : value.terms)
    agreement = std::max(agreement, getAgreementOf(term.symbol));
  if (!value.table)
    return agreement;
  agreement = std::max(agreement, Agreement::Warp);
  for (unsigned thread = 0; thread < value.table->size(); ++thread)
    if ((*value.table)[thread] != (*value.table)[thread / warpSize * warpSize])
      return Agreement::None;
  return agreement;
}

Agreement Evaluator::getOperandAgreement(Operation *op, Frame *frame) {
  Agreement agreement = Agreement::CTA;
  for (Value operand : op->getOperands())
    agreement = std::max(agreement, getAgreement(operand, frame));
  return agreement;
}

//===----------------------------------------------------------------------===//
// Registers and warps
//===----------------------------------------------------------------------===//

/// The lanes that a mask stands for: those before a lane, itself, and so on.
static int64_t getLaneMask(StringRef kind, unsigned lane) {
  uint32_t own = 1u << lane, before = own - 1;
  return int32_t(llvm::StringSwitch<uint32_t>(kind)
                     .Case("eq", own)
                     .Case("lt", before)
                     .Case("le", before | own)
                     .Case("gt", ~(before | own))
                     .Default(~before));
}

std::optional<ThreadValue> Evaluator::evaluateRegister(Operation *op) {
  int dimension = -1;
  bool isId = false, isSize = false;
  if (std::optional<std::string> text = getSpecialRegister(op)) {
    StringRef name = *text;
    if (name == "laneid")
      return makePerThread([](unsigned t) { return t % warpSize; });
    if (name == "warpid")
      return makePerThread([](unsigned t) { return t / warpSize; });
    if (name == "warpsize")
      return makeConstant(warpSize);
    if (name.consume_front("lanemask."))
      return makePerThread(
          [&](unsigned t) { return getLaneMask(name, t % warpSize); });
    isId = name.consume_front("tid.");
    isSize = !isId && name.consume_front("ntid.");
    if (isId || isSize)
      dimension = name.front() - 'x';
  } else if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    isId = true;
    dimension = unsigned(id.getDimension());
  } else if (auto size = dyn_cast<gpu::BlockDimOp>(op)) {
    isSize = true;
    dimension = unsigned(size.getDimension());
  } else if (isa<gpu::LaneIdOp>(op)) {
    return makePerThread([](unsigned t) { return t % warpSize; });
  } else if (isa<gpu::SubgroupIdOp>(op)) {
    return makePerThread([](unsigned t) { return t / warpSize; });
  } else if (isa<gpu::SubgroupSizeOp>(op)) {
    return makeConstant(warpSize);
  } else if (isa<gpu::NumSubgroupsOp>(op)) {
    return makeConstant(block.getNumWarps());
  }
  if (dimension < 0 || dimension > 2)
    return std::nullopt;
  if (isSize)
    return makeConstant(block.size[dimension]);
  return makeThreadId(dimension);
}

/// What each lane reads of another one of its warp.
ThreadValue Evaluator::evaluateShuffle(Operation *op, Value value,
                                       Frame *frame) {
  auto shuffle = cast<gpu::ShuffleOp>(op);
  ThreadValue source = get(shuffle.getValue(), frame);
  ThreadValue lane = get(shuffle.getOffset(), frame);
  ThreadValue width = get(shuffle.getWidth(), frame);
  bool isIndex = shuffle.getMode() == gpu::ShuffleMode::IDX;
  bool isOneLane = isIndex && lane.isConstant() && lane.constant >= 0 &&
                   lane.constant < warpSize && width == makeConstant(warpSize);
  if (value == shuffle.getValid())
    return isOneLane ? makeConstant(1) : makeOpaque(value, Agreement::None);
  // Whichever lane it is.
  if (getAgreement(source) != Agreement::None)
    return source;
  if (!isOneLane || !source.isKnown())
    return makeOpaque(value, isOneLane ? Agreement::Warp : Agreement::None);
  return makePerThread([&](unsigned t) {
    unsigned from = t / warpSize * warpSize + lane.constant;
    return source.get(std::min(from, block.getNumThreads() - 1));
  });
}

/// One lane of those that are there, by the mask alone.
ThreadValue Evaluator::evaluateElection(Operation *op, Value value,
                                        Frame *frame) {
  ThreadValue mask = makeConstant(-1);
  if (op->getNumOperands() != 0)
    mask = get(op->getOperand(0), frame);
  if (!mask.isKnown())
    return makeOpaque(value, Agreement::None);
  if (!election.op)
    election.op = op;
  return makePerThread([&](unsigned t) {
    unsigned count = block.getNumThreads() - t / warpSize * warpSize;
    uint32_t there = count < warpSize ? (1u << count) - 1 : ~0u;
    uint32_t members = uint32_t(mask.get(t));
    if ((members & there) == 0)
      return false;
    unsigned lane = election.getLane(members);
    if (!(there >> lane & 1))
      lane = llvm::countr_zero(members & there);
    return t % warpSize == lane;
  });
}

std::optional<ThreadValue> Evaluator::evaluateWarp(Operation *op, Value value,
                                                   Frame *frame) {
  StringRef name = op->getName().getStringRef();
  if (name == "nvvm.elect.sync")
    return evaluateElection(op, value, frame);
  if (name == "nvvm.shfl.sync" && op->getNumOperands() >= 3) {
    ThreadValue source = get(op->getOperand(1), frame);
    ThreadValue lane = get(op->getOperand(2), frame);
    auto kind = op->getAttr("kind");
    std::string text;
    llvm::raw_string_ostream(text) << kind;
    if (!StringRef(text).contains("idx") || !lane.isConstant() ||
        value.getType() != op->getOperand(1).getType())
      return makeOpaque(value, Agreement::None);
    if (!source.isKnown())
      return makeOpaque(value, Agreement::Warp);
    return makePerThread([&](unsigned t) {
      unsigned from = t / warpSize * warpSize + lane.constant % warpSize;
      return source.get(std::min(from, block.getNumThreads() - 1));
    });
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return evaluateShuffle(op, value, frame);
  bool isOfWarp =
      name == "gpu.subgroup_broadcast" || name == "gpu.ballot" ||
      (name == "gpu.subgroup_reduce" && !op->hasAttr("cluster_size"));
  if (isOfWarp || name.starts_with("nvvm.vote.") ||
      name.starts_with("nvvm.redux."))
    return makeOpaque(value, Agreement::Warp);
  // Loops around a test end for all alike.
  if (name == "nvvm.mbarrier.test.wait" || name == "nvvm.mbarrier.try_wait" ||
      name == "nvgpu.mbarrier.test.wait" || name == "nvvm.barrier")
    return makeOpaque(value, Agreement::CTA);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

ThreadValue Evaluator::evaluateOp(Operation *op, Value value, Frame *frame) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return makeConstant(constant.getSExtValue());
  if (auto result = evaluateRegister(op))
    return *result;
  if (auto result = evaluateArithmetic(op, frame))
    return *result;
  if (auto result = evaluateMemory(op, frame))
    return *result;
  if (auto result = evaluateView(op, frame))
    return *result;
  if (auto result = evaluateWarp(op, value, frame))
    return *result;
  if (auto result = evaluateCarried(op, value, frame))
    return *result;
  ThreadValue opaque = makeOpaque(value, Agreement::None);
  Agreement agreement = Agreement::None;
  if (isBlockConstant(op))
    agreement = Agreement::CTA;
  else if (isFunctionOfOperands(op) && isMemoryEffectFree(op))
    agreement = getOperandAgreement(op, frame);
  Symbol &symbol = symbols[opaque.terms.front().symbol];
  symbol.agreement = agreement;
  symbol.frame = frame;
  return opaque;
}

ThreadValue Evaluator::evaluate(Value value, Frame *frame) {
  if (openLoops == 0)
    prepareTurns(value.getParentRegion(), frame);
  auto argument = dyn_cast<BlockArgument>(value);
  ThreadValue result = argument
                           ? evaluateArgument(argument, frame)
                           : evaluateOp(value.getDefiningOp(), value, frame);
  disagreeByTurn(value, result, frame);
  return result;
}

/// Loops within each other that hand values to one another are evaluated again
/// for each that is supposed: twice as often with each level.
bool Evaluator::isTooMuch() const {
  constexpr size_t maxForgotten = 200000, forgottenPerValue = 64;
  return openLoops != 0 &&
         numForgotten > maxForgotten + forgottenPerValue * numKept;
}

ThreadValue Evaluator::get(Value value, Frame *frame) {
  if (frame->isRun) {
    // Runs execute in order: what is not there is not followed.
    auto known = frame->current.find(value);
    return known != frame->current.end() ? known->second : makeUnknown();
  }
  auto it = frame->values.find(value);
  if (it != frame->values.end())
    return values[it->second];
  ThreadValue result;
  if (depth >= maxDepth || isTooMuch()) {
    result = makeOpaque(value, Agreement::None);
  } else {
    ++depth;
    result = evaluate(value, frame);
    --depth;
  }
  frame->values[value] = values.size();
  values.push_back(result);
  if (openLoops != 0)
    trail.push_back({frame, value});
  else
    ++numKept;
  return result;
}

Frame *Evaluator::getCallee(CallOpInterface call, Frame *frame) {
  if (!followCalls)
    return nullptr;
  auto [it, isNew] = callees.try_emplace({call, frame}, nullptr);
  if (!isNew)
    return it->second;
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbolTables));
  if (!function || function.isExternal() || frames.size() > (1u << 16))
    return nullptr;
  for (Frame *caller = frame; caller; caller = caller->parent)
    if (caller->function == function)
      return nullptr;
  frames.push_back(
      std::make_unique<Frame>(unsigned(frames.size()), function, call, frame));
  return callees[{call, frame}] = frames.back().get();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

void Evaluator::keepTest(const ThreadValue &value, int64_t number) {
  if (value.isKnown() && value.table)
    makePerThread([&](unsigned t) { return value.get(t) == number; });
}

LaneClasses Evaluator::findLaneClasses() const {
  LaneClasses classes{};
  for (const auto &[key, table] : tables) {
    // One number is 0.
    int64_t other =
        *llvm::find_if(*table, [](int64_t number) { return number != 0; });
    bool isTest = llvm::all_of(
        *table, [&](int64_t number) { return number == 0 || number == other; });
    if (!isTest && !separating.contains(table.get()))
      continue;
    std::map<std::vector<int64_t>, unsigned> known;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      std::vector<int64_t> column{classes[lane]};
      for (size_t t = lane; t < table->size(); t += warpSize)
        column.push_back((*table)[t]);
      classes[lane] = known.try_emplace(column, known.size()).first->second;
    }
  }
  return classes;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Frame *Evaluator::makeFrame(Operation *function, Operation *call,
                            Frame *parent) {
  runFrames.push_back(std::make_unique<Frame>(unsigned(runFrames.size()),
                                              function, call, parent));
  runFrames.back()->isRun = true;
  return runFrames.back().get();
}

void Evaluator::assign(Value value, Frame *frame, const ThreadValue &is) {
  frame->current[value] = is;
}

ThreadValue Evaluator::choose(const ThreadValue &a, const ThreadValue &b,
                              uint32_t lanes) {
  ThreadValue result = makePerThread([&](unsigned thread) {
    return (lanes >> thread % warpSize & 1 ? a : b).get(thread);
  });
  result.terms = a.terms;
  return result;
}
