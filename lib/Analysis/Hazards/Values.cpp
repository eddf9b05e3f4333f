//===- Values.cpp - What threads know of values ---------------------------===//
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
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/IR/Uniformity.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

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

/// Of numbers, and arrays of them; -1 where nothing is known.
static int64_t getSize(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    int64_t size = getSize(array.getElementType());
    return size < 0 ? size : size * int64_t(array.getNumElements());
  }
  return type.isIntOrFloat() ? getBytes(type) : -1;
}

static int64_t getNaturalAlignment(Type type) {
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    type = array.getElementType();
  return type.isIntOrIndexOrFloat()
             ? int64_t(llvm::PowerOf2Ceil(getBytes(type)))
             : 1;
}

/// Of a variable in shared memory. An array of no elements stands for one of
/// which the launch says the size.
static Extent findExtent(Value variable, SymbolTableCollection *symbolTables) {
  Extent extent;
  if (auto memref = dyn_cast<MemRefType>(variable.getType())) {
    extent.alignment = getNaturalAlignment(memref.getElementType());
    if (memref.hasStaticShape() && memref.getLayout().isIdentity() &&
        memref.getElementType().isIntOrIndexOrFloat())
      extent.bytes =
          memref.getNumElements() * getBytes(memref.getElementType());
  }
  auto address = variable.getDefiningOp<LLVM::AddressOfOp>();
  auto global = address && symbolTables
                    ? symbolTables->lookupNearestSymbolFrom<LLVM::GlobalOp>(
                          address, address.getGlobalNameAttr())
                    : LLVM::GlobalOp();
  if (global) {
    extent.bytes = getSize(global.getType());
    extent.alignment =
        std::max<int64_t>(getNaturalAlignment(global.getType()),
                          int64_t(global.getAlignment().value_or(1)));
  }
  if (extent.bytes == 0)
    extent.bytes = -1;
  return extent;
}

/// One in memory of the block, or of all.
ThreadValue Evaluator::makeVariable(Value variable, const void *key) {
  size_t numKnown = symbols.size();
  ThreadValue object = makeObject(key, isShared(variable.getType()));
  if (symbols.size() != numKnown && isShared(variable.getType()))
    symbols.back().extent =
        findExtent(variable, followCalls ? &symbolTables : nullptr);
  return object;
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
// Slots
//===----------------------------------------------------------------------===//

std::optional<unsigned> Evaluator::getObject(const ThreadValue &address) const {
  for (Term term : address.terms)
    if (symbols[term.symbol].isObject && term.factor == 1)
      return term.symbol;
  return std::nullopt;
}

std::optional<Slot> Evaluator::getSlot(const ThreadValue &address) const {
  std::optional<unsigned> object = getObject(address);
  if (!object || address.terms.size() != 1 || address.table)
    return std::nullopt;
  return Slot{*object, address.constant, wordBytes};
}

bool mlir::tmem::hazards::isAddressCast(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp,
             memref::CastOp, memref::MemorySpaceCastOp, memref::ViewOp>(op);
}

bool Evaluator::namesShared(Value address, Frame *frame) {
  while (!isShared(address.getType())) {
    Operation *op = address.getDefiningOp();
    if (!op || !isAddressCast(op))
      break;
    address = op->getOperand(0);
  }
  if (isShared(address.getType()))
    return true;
  std::optional<unsigned> object = getObject(get(address, frame));
  return object && symbols[*object].isShared;
}

std::optional<Slot> Evaluator::getContent(unsigned symbol) const {
  return symbols[symbol].content;
}

void Evaluator::followLoads(const Evaluator &other, ArrayRef<Slot> slots) {
  for (const Slot &slot : slots)
    versioned.insert({other.objectKeys.at(slot.object), slot.offset});
}

int64_t mlir::tmem::hazards::getBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (type.isIntOrFloat())
    return (type.getIntOrFloatBitWidth() + 7) / 8;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getBytes(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * getBytes(array.getElementType());
  return 8;
}

ThreadValue Evaluator::loadSlot(const ThreadValue &address, Value result,
                                Frame *frame) {
  std::optional<Slot> slot = getSlot(address);
  if (!slot)
    return makeOpaque(result, getAgreement(address));
  slot->bytes = getBytes(result.getType());
  unsigned next = symbols.size();
  unsigned symbol =
      isVersioned(*slot)
          ? loads.try_emplace({*slot, result.getAsOpaquePointer(), frame}, next)
                .first->second
          : contents.try_emplace(*slot, next).first->second;
  if (symbol == next)
    return makeSymbol(
        {getAgreement(address), /*isObject=*/false, slot, result, {}, frame});
  ThreadValue value;
  value.terms.push_back({symbol, 1});
  return value;
}

ThreadValue Evaluator::getElementAddress(Value memref, ValueRange indices,
                                         Frame *frame) {
  ThreadValue address = get(memref, frame);
  auto type = dyn_cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.size() != indices.size())
    return makeOpaque({}, Agreement::None);
  int64_t bytes = getBytes(type.getElementType());
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    ThreadValue part = get(index, frame);
    if (ShapedType::isDynamic(stride)) {
      if (part == makeConstant(0))
        continue;
      return makeOpaque({}, getAgreement(part));
    }
    address = add(address, *multiply(part, makeConstant(stride * bytes)), 1);
  }
  return address;
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
// Memory and views
//===----------------------------------------------------------------------===//

std::optional<ThreadValue> Evaluator::evaluateMemory(Operation *op,
                                                     Frame *frame) {
  // One of a group of mbarriers: they stand next to each other.
  if (op->getName().getStringRef() == "nvgpu.mbarrier.get")
    return add(get(op->getOperand(0), frame), get(op->getOperand(1), frame), 8);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return makeVariable(global,
                        global.getNameAttr().getAttr().getAsOpaquePointer());
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op))
    return makeVariable(
        global, global.getGlobalNameAttr().getAttr().getAsOpaquePointer());
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return makeObject(op->getName().getAsOpaquePointer(), /*isShared=*/true);
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    Value variable = op->getResult(0);
    return isShared(variable.getType())
               ? makeVariable(variable, variable.getAsOpaquePointer())
               : makeObject(variable.getAsOpaquePointer(), /*isShared=*/false,
                            Agreement::None);
  }
  if (op->getName().getStringRef() == "nvgpu.mbarrier.create")
    return makeObject(op->getResult(0).getAsOpaquePointer(), /*isShared=*/true);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return loadSlot(
        getElementAddress(load.getMemRef(), load.getIndices(), frame),
        load.getResult(), frame);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return loadSlot(get(load.getAddr(), frame), load.getResult(), frame);
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    ThreadValue address = get(gep.getBase(), frame);
    auto dynamic = gep.getDynamicIndices();
    Type type = gep.getElemType();
    for (auto [i, index] : llvm::enumerate(gep.getRawConstantIndices())) {
      if (i > 0) {
        auto array = dyn_cast<LLVM::LLVMArrayType>(type);
        if (!array)
          return std::nullopt;
        type = array.getElementType();
      }
      ThreadValue part = makeConstant(index);
      if (index == LLVM::GEPOp::kDynamicIndex) {
        part = get(dynamic.front(), frame);
        dynamic = dynamic.drop_front();
      }
      address = add(address, part, getBytes(type));
    }
    return address;
  }
  // Descriptors of memrefs, after the lowering.
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    auto insert = extract.getContainer().getDefiningOp<LLVM::InsertValueOp>();
    while (insert && insert.getPosition() != extract.getPosition())
      insert = insert.getContainer().getDefiningOp<LLVM::InsertValueOp>();
    if (insert)
      return get(insert.getValue(), frame);
    return std::nullopt;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return add(get(view.getSource(), frame), get(view.getByteShift(), frame),
               1);
  return std::nullopt;
}

std::optional<ThreadValue> Evaluator::evaluateView(Operation *op,
                                                   Frame *frame) {
  if (isa<ViewOp, RearrangeOp>(op))
    return get(op->getOperand(0), frame);
  if (auto address = dyn_cast<AddressOp>(op))
    return add(get(address.getView(), frame),
               makeConstant(address.getView().getType().getFirstCell()), 1);
  auto window = dyn_cast<SubviewOp>(op);
  if (!window)
    return std::nullopt;
  ThreadValue address = get(window.getSource(), frame);
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(window.getStaticOffsets())) {
    if (!ShapedType::isDynamic(offset))
      continue;
    int64_t step = SubviewOp::getCellsPerStep(window.getSource().getType(), dim)
                       .value_or(0);
    address = add(address, get(window.getOffsets()[next++], frame), step);
  }
  return address;
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
