//===- RunInputs.cpp - What a run takes inputs to be ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs stay unknown for as long as they can: columns and mbarriers that an
// argument names are any. They become numbers where a branch or a loop asks,
// and in what arithmetic makes of them and of the turn of a loop.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tmem/IR/Uniformity.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Users of the test of an mbarrier that are looked at.
static constexpr unsigned maxTestUsers = 16;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

std::optional<Input> hazards::findInput(Value value, Operation *kernel) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &kernel->getRegion(0).front())
      return std::nullopt;
    return Input{Input::Argument, argument.getArgNumber()};
  }
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return Input{Input::BlockId, unsigned(id.getDimension())};
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return Input{Input::GridDim, unsigned(size.getDimension())};
  std::optional<std::string> text = getSpecialRegister(op);
  StringRef name = text ? StringRef(*text) : StringRef();
  bool isId = name.starts_with("ctaid."), isSize = name.starts_with("nctaid.");
  if (!isId && !isSize)
    return std::nullopt;
  return Input{isId ? Input::BlockId : Input::GridDim,
               unsigned(name.back() - 'x')};
}

int64_t Run::getNumber(Input input) {
  usesNumber = true;
  bool isArgument = input.kind == Input::Argument;
  auto &known = isArgument ? coverage.arguments : coverage.grids;
  unsigned index = llvm::find(known, input) - known.begin();
  if (index == known.size())
    known.push_back(input);
  return inputs.getNumber(input, index);
}

//===----------------------------------------------------------------------===//
// What is computed from them
//===----------------------------------------------------------------------===//

static bool isArithmetic(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         op->getNumOperands() != 0 && isPure(op) &&
         op->getResult(0).getType().isIntOrIndex() &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return type.isIntOrIndex(); });
}

/// Whether a value of the kernel is computed from inputs and constants alone.
bool Run::isInvariant(Value value) {
  auto [it, isNew] = invariants.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool result = findInput(value, kernel).has_value() ||
                evaluator.get(value, evaluator.getKernelFrame()).isConstant();
  Operation *op = value.getDefiningOp();
  if (!result && op && kernel->isProperAncestor(op) && isArithmetic(op))
    result = llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isInvariant(operand); });
  return invariants[value] = result;
}

/// The number that such a value is.
std::optional<int64_t> Run::computeInvariant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isArithmetic(op) || !isInvariant(value))
    return std::nullopt;
  if (!scratch)
    scratch = evaluator.makeFrame(kernel, nullptr, nullptr);
  for (Value operand : op->getOperands()) {
    std::optional<ThreadValue> number =
        evaluator.resolve(evaluator.get(operand, evaluator.getKernelFrame()),
                          [&](unsigned symbol) { return getInput(symbol); });
    if (!number)
      return std::nullopt;
    evaluator.assign(operand, scratch, *number);
  }
  evaluator.evaluateAgain(op, value, scratch);
  ThreadValue result = evaluator.get(value, scratch);
  if (result.isConstant())
    return result.constant;
  // Evaluation leaves divisions by 0 open.
  StringRef name = op->getName().stripDialect();
  if (name.contains("div") || name.contains("rem")) {
    isVoid = hasStopped = true;
    return 0;
  }
  return std::nullopt;
}

/// Bits of a sum of an input and of what changes from turn to turn are known
/// once both are numbers.
void Run::substitute(Operation *op, Value result, unsigned warp) {
  Frame *frame = warps[warp].stack.back().frame;
  ThreadValue value = evaluator.get(result, frame);
  bool isOpen = value.terms.size() == 1 &&
                evaluator.getOpaque(value.terms.front().symbol) == result;
  if (!isOpen || !isArithmetic(op) || isInvariant(result))
    return;
  SmallVector<ThreadValue> kept;
  SmallVector<ThreadValue> numbers;
  for (Value operand : op->getOperands()) {
    kept.push_back(evaluator.get(operand, frame));
    std::optional<ThreadValue> number = resolve(operand, warp);
    if (!number)
      return;
    numbers.push_back(*number);
  }
  for (auto [operand, number] : llvm::zip(op->getOperands(), numbers))
    evaluator.assign(operand, frame, number);
  evaluator.evaluateAgain(op, result, frame);
  for (auto [operand, old] : llvm::zip(op->getOperands(), kept))
    evaluator.assign(operand, frame, old);
}

//===----------------------------------------------------------------------===//
// Tests that fail
//===----------------------------------------------------------------------===//

/// Whether a test of an mbarrier that fails may do something else than going
/// back to the test. Branches are left to what says which way they went.
bool Run::mayFail(Operation *test) {
  auto [it, isNew] = failing.try_emplace(test, true);
  if (!isNew)
    return it->second;
  SmallVector<Value> worklist{test->getResult(0)};
  for (size_t i = 0; i < worklist.size(); ++i)
    for (OpOperand &use : worklist[i].getUses()) {
      Operation *user = use.getOwner();
      bool isOpposite =
          isa<arith::XOrIOp, arith::CmpIOp, LLVM::XOrOp, LLVM::ICmpOp>(user) &&
          matchPattern(user->getOperand(1), m_Constant());
      bool isCast = isArithmetic(user) && user->getNumOperands() == 1;
      if ((isOpposite || isCast) && worklist.size() < maxTestUsers) {
        worklist.push_back(user->getResult(0));
        continue;
      }
      bool isBranch =
          isa<scf::ConditionOp, scf::IfOp, cf::CondBranchOp, LLVM::CondBrOp>(
              user) &&
          use.getOperandNumber() == 0;
      if (!isBranch)
        return failing[test] = true;
    }
  return failing[test] = false;
}

//===----------------------------------------------------------------------===//
// Loops that fill memory
//===----------------------------------------------------------------------===//

/// Whether how often a loop runs does not matter: it only writes data to
/// variables that hold no addresses and no mbarriers.
bool Run::passesOver(Operation *loop, unsigned warp) {
  if (!matters(loop))
    return true;
  Frame *known = warps[warp].stack.back().known;
  SmallVector<Effect, 2> found;
  std::set<unsigned> written;
  auto result = loop->walk([&](Operation *op) {
    classifyAll(op, found);
    if (isa<CallOpInterface, LLVM::ReturnOp, gpu::ReturnOp>(op))
      return WalkResult::interrupt();
    for (const Effect &effect : found) {
      if (effect.kind == EventKind::SlotRead)
        continue;
      std::optional<unsigned> object;
      if (effect.kind == EventKind::SlotWrite)
        object = evaluator.getObject(evaluator.get(effect.address, known));
      if (!object)
        return WalkResult::interrupt();
      written.insert(*object);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  for (auto &[slot, barrier] : mbarriers)
    if (written.count(slot.object))
      return false;
  for (auto &[slot, word] : memory)
    if (written.count(slot.object) && holdsAddress(word.value))
      return false;
  for (auto it = memory.begin(); it != memory.end();)
    it = written.count(it->first.object) ? memory.erase(it) : std::next(it);
  filled.insert(written.begin(), written.end());
  loop->walk([&](Operation *op) { coverage.executed.insert(op); });
  return true;
}

/// Addresses and mbarriers do not share a variable with such data.
bool Run::isFilled(const Slot &slot, Operation *op) {
  if (!filled.count(slot.object))
    return false;
  giveUp(op, "what a loop before has written to the variable is not known");
  return true;
}
