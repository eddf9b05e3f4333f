//===- PendingReads.cpp - Registers that are read before their wait -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load's registers may be read once a wait has completed it. Loads are
// numbered, and waits raise the number up to which they are complete, so a read
// can be checked by the number of the load that its value is from: the value's
// shadow. Operations that only pass registers on, and block arguments, have
// shadows of their own, of an i64 for each element, made where a check needs
// them.
//
// Most reads need no check. A value that is defined before a wait is complete
// after it, and one that is read behind a wait that follows its definition on
// every path needs none: what the value is made of was loaded before it was
// defined. The waits that dominate a place lie on one path, so the last of them
// decides, and all queries are cheap.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/PostOrderIterator.h"
#include <deque>

using namespace mlir;
using namespace mlir::tmem::emulate;

namespace {

/// The last wait on every path to a place.
class Waits {
public:
  Waits(Region &region, ArrayRef<Operation *> waits)
      : region(region), waits(waits), all(waits.begin(), waits.end()) {}

  /// Whether all that was loaded before `value` was defined is complete
  /// whenever `user` is reached.
  bool isComplete(Value value, Operation *user);

private:
  /// The same, if there is a wait, or the definition, right in front of the
  /// user: to ask for the order of operations and blocks is to go through all.
  std::optional<bool> isCompleteNear(Value value, Operation *user);
  Operation *getLastBefore(Operation *op);
  Operation *getAtEnd(Block *block);

  void order();

  Region &region;
  ArrayRef<Operation *> waits;
  llvm::DenseSet<Operation *> all;
  bool isOrdered = false; ///< Whether the rest is there.
  DominanceInfo dominance;
  struct BlockWaits {
    SmallVector<Operation *, 4> waits; ///< In their order.
    size_t last = 0; ///< How many stood before what was asked for.
  };
  llvm::DenseMap<Block *, BlockWaits> inBlock;
  llvm::DenseMap<Block *, Operation *> atStart;
};

/// The uses of values that may not be complete.
class PendingUses {
public:
  PendingUses(Emitter &emitter, Waits &waits);

  using Use = std::pair<Operation *, unsigned>;
  /// Uses that pass a pending value on.
  llvm::DenseSet<Use> passed;
  /// For each pending value and block, the first operation that reads it there.
  llvm::MapVector<std::pair<Value, Block *>, Operation *> reads;

private:
  void visit(OpOperand &use);
  void add(Value value) {
    if (known.insert(value).second)
      worklist.push_back(value);
  }

  Waits &waits;
  llvm::DenseSet<Operation *> copies; ///< They read what they pass on.
  llvm::DenseSet<Value> known;        ///< Of those that pass another one on.
  SmallVector<Value> worklist;
};

/// Makes shadows.
class Shadows {
public:
  Shadows(Emitter &emitter, const PendingUses &uses)
      : emitter(emitter), builder(emitter.builder), uses(uses),
        loads(emitter.loadedValues.begin(), emitter.loadedValues.end()) {}

  Value get(Value value);
  /// The latest of all loads that a shadow names.
  Value getLatest(Value shadow);
  /// Gives block arguments that were made their operands.
  void connect();

private:
  Value makeForLoad(Value value, Value number);
  Value makeForArgument(BlockArgument argument);
  /// All shadows of operands exist.
  Value makeForOperation(Operation *op);
  Value makeForBitcast(LLVM::BitcastOp op);
  Value getOperand(Operation *op, unsigned index);
  Value shuffle(Value shadow, ArrayRef<int32_t> indices);
  Value getNone(Type type);

  Emitter &emitter;
  OpBuilder &builder;
  const PendingUses &uses;
  llvm::DenseMap<Value, Value> loads; ///< The number of the load of a value.
  llvm::DenseMap<Value, Value> shadows;
  std::deque<BlockArgument> arguments;
};

} // namespace

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

void Waits::order() {
  isOrdered = true;
  for (Operation *wait : waits)
    inBlock[wait->getBlock()].waits.push_back(wait);
  if (region.hasOneBlock())
    return;
  // A block comes after its immediate dominator.
  auto &tree = dominance.getDomTree(&region);
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (Block *block : order) {
    auto *dominator = tree.getNode(block)->getIDom();
    atStart[block] = dominator ? getAtEnd(dominator->getBlock()) : nullptr;
  }
}

Operation *Waits::getAtEnd(Block *block) {
  auto found = inBlock.find(block);
  return found == inBlock.end() ? atStart.lookup(block)
                                : found->second.waits.back();
}

Operation *Waits::getLastBefore(Operation *op) {
  Block *block = op->getBlock();
  auto found = inBlock.find(block);
  if (found == inBlock.end())
    return atStart.lookup(block);
  auto &[waits, last] = found->second;
  auto isBefore = [&](Operation *wait) { return wait->isBeforeInBlock(op); };
  // Who is asked for next stands near: steps from there grow until they are
  // past it.
  size_t begin = last, end = last, step = 1;
  for (; begin > 0 && !isBefore(waits[begin - 1]); step *= 2)
    end = begin - 1, begin -= std::min(begin, step);
  for (step = 1; end < waits.size() && isBefore(waits[end]); step *= 2)
    begin = end + 1, end = std::min(waits.size(), end + step);
  last = std::partition_point(waits.begin() + begin, waits.begin() + end,
                              isBefore) -
         waits.begin();
  return last == 0 ? atStart.lookup(block) : waits[last - 1];
}

std::optional<bool> Waits::isCompleteNear(Value value, Operation *user) {
  constexpr unsigned maxSteps = 16;
  Operation *definition = value.getDefiningOp();
  Operation *op = user->getPrevNode();
  for (unsigned i = 0; op && i < maxSteps; ++i) {
    // What is defined in another block was so before this block.
    if (all.contains(op))
      return true;
    if (op == definition)
      return false;
    op = op->getPrevNode();
  }
  bool isOfBlock = !op && value.getParentBlock() == user->getBlock();
  return isOfBlock ? std::optional(false) : std::nullopt;
}

bool Waits::isComplete(Value value, Operation *user) {
  if (std::optional<bool> isNear = isCompleteNear(value, user))
    return *isNear;
  if (!isOrdered)
    order();
  Operation *wait = getLastBefore(user);
  return wait && dominance.properlyDominates(value, wait);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Whether an operation passes the value of an operand on, unread.
static bool passesOn(Operation *op, unsigned operand) {
  if (isa<LLVM::BitcastOp, LLVM::FreezeOp, LLVM::ExtractValueOp,
          LLVM::InsertValueOp, LLVM::ShuffleVectorOp, LLVM::vector_interleave2,
          LLVM::vector_deinterleave2, LLVM::vector_insert,
          LLVM::vector_extract>(op))
    return true;
  if (isa<LLVM::SelectOp>(op))
    return operand != 0;
  if (isa<LLVM::ExtractElementOp>(op))
    return operand == 0;
  return isa<LLVM::InsertElementOp>(op) && operand < 2;
}

/// The block argument that a terminator passes the operand to.
static std::optional<BlockArgument> getArgument(OpOperand &use) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  if (!branch)
    return std::nullopt;
  return branch.getSuccessorBlockArgument(use.getOperandNumber());
}

PendingUses::PendingUses(Emitter &emitter, Waits &waits)
    : waits(waits), copies(emitter.reads.begin(), emitter.reads.end()) {
  constexpr size_t ahead = 4;
  const auto &loaded = emitter.loadedValues;
  for (auto [i, pair] : llvm::enumerate(loaded)) {
    if (i + ahead < loaded.size())
      LLVM_PREFETCH(loaded[i + ahead].first.getAsOpaquePointer(), 0, 3);
    for (OpOperand &use : pair.first.getUses())
      visit(use);
  }
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses())
      visit(use);
}

void PendingUses::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  // Debuggers are told of a value, not of what it is.
  if (isa<LLVM::DbgValueOp>(op) || waits.isComplete(value, op))
    return;
  if (std::optional<BlockArgument> argument = getArgument(use)) {
    passed.insert({op, use.getOperandNumber()});
    add(*argument);
  } else if (passesOn(op, use.getOperandNumber()) && !copies.contains(op)) {
    passed.insert({op, use.getOperandNumber()});
    add(op->getResult(0));
  } else {
    // What passes there passes further down as well.
    Operation *&first = reads[{value, op->getBlock()}];
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
}

//===----------------------------------------------------------------------===//
// Shadows
//===----------------------------------------------------------------------===//

/// An i64 for each element.
static Type getShadowType(Type type) {
  Type i64 = IntegerType::get(type.getContext(), 64);
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), i64, vector.getScalableDims());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return LLVM::LLVMArrayType::get(getShadowType(array.getElementType()),
                                    array.getNumElements());
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return LLVM::LLVMStructType::getLiteral(
        type.getContext(),
        llvm::map_to_vector(structType.getBody(), getShadowType));
  return i64;
}

Value Shadows::getNone(Type type) {
  Type shadow = getShadowType(type);
  return isa<IntegerType>(shadow) ? emitter.i64(0)
                                  : emitter.create<LLVM::ZeroOp>(shadow);
}

Value Shadows::get(Value root) {
  // Chains are long: no recursion.
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (shadows.contains(value)) {
      stack.pop_back();
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      shadows[value] = makeForArgument(argument);
      continue;
    }
    if (Value number = loads.lookup(value)) {
      shadows[value] = makeForLoad(value, number);
      continue;
    }
    Operation *op = value.getDefiningOp();
    size_t size = stack.size();
    for (OpOperand &operand : op->getOpOperands())
      if (uses.passed.contains({op, operand.getOperandNumber()}) &&
          !shadows.contains(operand.get()))
        stack.push_back(operand.get());
    if (stack.size() == size)
      shadows[value] = makeForOperation(op);
  }
  return shadows[root];
}

Value Shadows::makeForLoad(Value value, Value number) {
  builder.setInsertionPointAfterValue(number);
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return number;
  Value first = emitter.create<LLVM::InsertElementOp>(getNone(type), number,
                                                      emitter.i32(0));
  return shuffle(first, SmallVector<int32_t>(type.getNumElements(), 0));
}

Value Shadows::makeForArgument(BlockArgument argument) {
  arguments.push_back(argument);
  Block *block = argument.getOwner();
  return emitter.state.journal.insertArgument(block, block->getNumArguments(),
                                              getShadowType(argument.getType()),
                                              argument.getLoc());
}

Value Shadows::getOperand(Operation *op, unsigned index) {
  Value value = op->getOperand(index);
  return uses.passed.contains({op, index}) ? shadows.lookup(value)
                                           : getNone(value.getType());
}

Value Shadows::makeForOperation(Operation *op) {
  builder.setInsertionPointAfter(op);
  if (auto bitcast = dyn_cast<LLVM::BitcastOp>(op))
    return makeForBitcast(bitcast);
  if (isa<LLVM::FreezeOp>(op))
    return getOperand(op, 0);
  // Numbers move as the values do.
  SmallVector<Value> operands(op->getOperands());
  for (unsigned i = 0; i < operands.size(); ++i)
    if (passesOn(op, i))
      operands[i] = getOperand(op, i);
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(getShadowType(op->getResult(0).getType()));
  if (auto select = dyn_cast<LLVM::SelectOp>(clone))
    select.setFastmathFlags(LLVM::FastmathFlags::none);
  return clone->getResult(0);
}

Value Shadows::shuffle(Value shadow, ArrayRef<int32_t> indices) {
  return emitter.create<LLVM::ShuffleVectorOp>(shadow, shadow, indices);
}

static int64_t getNumElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Value Shadows::makeForBitcast(LLVM::BitcastOp op) {
  Value shadow = getOperand(op, 0);
  Type result = getShadowType(op.getType());
  int64_t from = getNumElements(op.getArg().getType());
  int64_t to = getNumElements(op.getType());
  if (shadow.getType() == result)
    return shadow;
  // One element as a vector of one, to treat all alike.
  if (!isa<VectorType>(shadow.getType()))
    shadow = emitter.create<LLVM::InsertElementOp>(
        emitter.create<LLVM::ZeroOp>(VectorType::get(1, builder.getI64Type())),
        shadow, emitter.i32(0));
  if (to % from == 0) { // Each element becomes several.
    SmallVector<int32_t> indices;
    for (int64_t i = 0; i < to; ++i)
      indices.push_back(i / (to / from));
    shadow = shuffle(shadow, indices);
  } else if (from % to == 0) { // Several elements become one: the latest.
    Value latest;
    for (int64_t part = 0; part < from / to; ++part) {
      SmallVector<int32_t> indices;
      for (int64_t i = 0; i < to; ++i)
        indices.push_back(i * (from / to) + part);
      Value one = shuffle(shadow, indices);
      latest = latest ? emitter.create<LLVM::UMaxOp>(latest, one) : one;
    }
    shadow = latest;
  } else {
    Value first = emitter.create<LLVM::InsertElementOp>(
        emitter.create<LLVM::ZeroOp>(VectorType::get(to, builder.getI64Type())),
        getLatest(shadow), emitter.i32(0));
    shadow = shuffle(first, SmallVector<int32_t>(to, 0));
  }
  if (!isa<VectorType>(result))
    shadow = emitter.create<LLVM::ExtractElementOp>(shadow, emitter.i32(0));
  return shadow;
}

Value Shadows::getLatest(Value shadow) {
  Type type = shadow.getType(), i64 = builder.getI64Type();
  if (type == i64)
    return shadow;
  if (isa<VectorType>(type))
    return emitter.create<LLVM::vector_reduce_umax>(i64, shadow);
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  int64_t count = array ? array.getNumElements()
                        : cast<LLVM::LLVMStructType>(type).getBody().size();
  Value latest = emitter.i64(0);
  for (int64_t i = 0; i < count; ++i) {
    Value part = getLatest(emitter.create<LLVM::ExtractValueOp>(shadow, i));
    latest = emitter.create<LLVM::UMaxOp>(latest, part);
  }
  return latest;
}

void Shadows::connect() {
  // Operands keep their numbers until all have been looked at.
  llvm::MapVector<std::pair<Operation *, unsigned>, SmallVector<Value>> added;
  for (; !arguments.empty(); arguments.pop_front()) {
    BlockArgument argument = arguments.front();
    Block *block = argument.getOwner();
    for (auto pred = block->pred_begin(), end = block->pred_end(); pred != end;
         ++pred) {
      auto branch = cast<BranchOpInterface>((*pred)->getTerminator());
      unsigned successor = pred.getSuccessorIndex();
      SuccessorOperands operands = branch.getSuccessorOperands(successor);
      unsigned index = operands.getOperandIndex(argument.getArgNumber());
      Value shadow;
      if (uses.passed.contains({branch, index})) {
        shadow = get(branch->getOperand(index));
      } else {
        builder.setInsertionPoint(branch);
        shadow = getNone(argument.getType());
      }
      added[{branch, successor}].push_back(shadow);
    }
  }
  for (auto &[edge, values] : added)
    emitter.state.journal.defer([edge = edge, values = std::move(values)] {
      cast<BranchOpInterface>(edge.first)
          .getSuccessorOperands(edge.second)
          .append(values);
    });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Adds the checks of all reads that are not complete.
static void addChecks(Emitter &emitter, const PendingUses &uses) {
  Shadows shadows(emitter, uses);
  for (auto &[valueAndBlock, op] : uses.reads) {
    Value shadow = shadows.get(valueAndBlock.first);
    emitter.builder.setInsertionPoint(op);
    Value latest = shadows.getLatest(shadow);
    emitter.callHelperBefore(op, helper::checkPending, latest);
  }
  shadows.connect();
}

void Emitter::checkPendingReads() {
  if (!loadedValues.empty()) {
    Waits waitInfo(function.getBody(), waits);
    PendingUses uses(*this, waitInfo);
    if (!uses.reads.empty())
      addChecks(*this, uses);
  }
  for (Operation *copy : reads)
    state.journal.replaceCreated(copy, copy->getOperand(0));
  reads.clear();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Emitter::addSteps() {
  Region &body = function.getBody();
  if (body.hasOneBlock())
    return;
  // In this order an edge that does not go forward closes a loop, reducible or
  // not.
  llvm::DenseMap<Block *, unsigned> positions;
  llvm::ReversePostOrderTraversal<Region *> order(&body);
  for (Block *block : order)
    positions.try_emplace(block, positions.size());
  for (Block *block : order)
    if (llvm::any_of(block->getSuccessors(), [&](Block *successor) {
          return positions.lookup(successor) <= positions.lookup(block);
        }))
      callHelperBefore(block->getTerminator(), helper::step, {});
}
