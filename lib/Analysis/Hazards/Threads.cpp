//===- Threads.cpp - What concerns all threads of a kernel ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Analysis/Threads.h"
#include "Graph.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Target/InlinePTX.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

using Instructions = SmallVectorImpl<Instruction>;

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//

static std::optional<Instruction::Kind> getBarrierKind(StringRef opcode) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  bool isBarrier = parts[0] == "barrier";
  if ((parts[0] != "bar" && !isBarrier) || parts.size() < 2 ||
      parts[1] == "warp")
    return std::nullopt;
  bool arrives = llvm::is_contained(parts, "arrive");
  if (parts[1] == "cluster")
    return arrives ? std::optional(Instruction::ClusterArrive) : std::nullopt;
  return arrives ? Instruction::BarrierArrive : Instruction::Barrier;
}

/// A barrier, or an end of the thread, whether under a predicate or not.
static void readStatement(const PTXStatement &statement,
                          Instructions &instructions) {
  if (statement.opcode == "exit" || statement.opcode == "ret") {
    instructions.push_back(Instruction::Exit);
    return;
  }
  std::optional<Instruction::Kind> kind = getBarrierKind(statement.opcode);
  if (!kind)
    return;
  Instruction barrier(*kind);
  ArrayRef<PTXOperand> operands = statement.operands;
  if (!operands.empty() && operands.front().kind == PTXOperand::Number)
    barrier.number = operands.front().number;
  barrier.hasCount = operands.size() > 1;
  instructions.push_back(barrier);
}

/// Words of an instruction's name, as they stand in text that is not parsed.
static void readWords(StringRef text, Instructions &instructions) {
  while (!text.empty()) {
    text = text.drop_until(llvm::isAlpha);
    StringRef word = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '.' || c == ':'; });
    text = text.drop_front(word.size());
    if (word == "exit" || word == "ret")
      instructions.push_back(Instruction::Exit);
    if (std::optional<Instruction::Kind> kind = getBarrierKind(word))
      instructions.push_back(*kind);
  }
}

/// What classify does not tell: barriers, ends of threads, and allocations in a
/// form that it does not read.
static void readText(const std::string &text, bool isRead,
                     Instructions &instructions) {
  if (auto statements = parseInlinePTX(text)) {
    for (const PTXStatement &statement : *statements)
      readStatement(statement, instructions);
  } else {
    llvm::consumeError(statements.takeError());
    readWords(text, instructions);
  }
  if (isRead)
    return;
  if (StringRef(text).contains("tcgen05.alloc")) {
    instructions.push_back(Instruction::Alloc);
    instructions.back().isUnread = true;
  }
  if (StringRef(text).contains("tcgen05.relinquish"))
    instructions.push_back(Instruction::Relinquish);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!value || !matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

static Instruction makeAlloc(const Effect &effect) {
  Instruction alloc(Instruction::Alloc);
  alloc.columns = effect.columns ? getConstant(effect.columns)
                                 : std::optional(effect.staticColumns);
  alloc.ctaGroup = effect.ctaGroup;
  alloc.isExclusive = effect.isExclusive;
  return alloc;
}

static Instruction makeBarrier(Instruction::Kind kind, const Effect &effect) {
  Instruction barrier(kind);
  barrier.number =
      effect.barrier ? getConstant(effect.barrier) : std::optional<int64_t>(0);
  barrier.numberValue = effect.barrier;
  barrier.hasCount = effect.count != nullptr;
  return barrier;
}

/// "nvvm.exit", and the intrinsic.
static bool isExit(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    name = call.getIntrin();
    name.consume_front("llvm.");
  }
  return name == "nvvm.exit";
}

static void addInstruction(const Effect &effect, bool isText,
                           Instructions &instructions) {
  switch (effect.kind) {
  case EventKind::Alloc:
    instructions.push_back(makeAlloc(effect));
    break;
  case EventKind::Relinquish:
    instructions.push_back(Instruction::Relinquish);
    break;
  case EventKind::BarrierSync:
    if (!isText)
      instructions.push_back(makeBarrier(Instruction::Barrier, effect));
    break;
  case EventKind::BarrierArrive:
    if (!isText)
      instructions.push_back(makeBarrier(Instruction::BarrierArrive, effect));
    break;
  case EventKind::ClusterArrive:
    if (!isText)
      instructions.push_back(Instruction::ClusterArrive);
    break;
  default:
    break;
  }
}

/// Without a look at what it is exactly: most operations are no such thing.
static bool mayConcernOthers(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "tmem")
    return isa<AllocOp, RelinquishAllocPermitOp>(op);
  if (dialect == "llvm")
    return isa<LLVM::CallIntrinsicOp, LLVM::InlineAsmOp>(op);
  return dialect == "gpu" || dialect == "nvvm";
}

SmallVector<Instruction, 1>
mlir::tmem::hazards::readInstructions(Operation *op) {
  if (!mayConcernOthers(op))
    return {};
  SmallVector<Effect> effects;
  classify(op, effects);
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  auto ptx = dyn_cast<NVVM::InlinePtxOp>(op);
  SmallVector<Instruction, 1> instructions;
  bool isRead = true;
  for (const Effect &effect : effects) {
    isRead &= effect.kind != EventKind::Unknown;
    addInstruction(effect, assembly || ptx, instructions);
  }
  if (assembly)
    readText(unescapeAsm(assembly.getAsmString()), isRead, instructions);
  else if (ptx)
    readText(ptx.getPtxCode().str(), isRead, instructions);
  else if (isExit(op))
    instructions.push_back(Instruction::Exit);
  return instructions;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value mlir::tmem::hazards::getSelector(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return ifOp.getCondition();
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op))
    return switchOp.getArg();
  if (auto branch = dyn_cast<cf::CondBranchOp>(op))
    return branch.getCondition();
  return {};
}

std::optional<unsigned> mlir::tmem::hazards::getArm(Operation *op,
                                                    int64_t value) {
  if (isa<scf::IfOp, cf::CondBranchOp>(op))
    return value & 1 ? 0 : 1;
  auto switchOp = dyn_cast<scf::IndexSwitchOp>(op);
  if (!switchOp)
    return std::nullopt;
  // The default region is the first.
  for (auto [index, other] : llvm::enumerate(switchOp.getCases()))
    if (other == value)
      return index + 1;
  return 0;
}

struct KnownThreads::State {
  State(Operation *kernel, BlockShape block)
      : kernel(kernel), evaluator(kernel, block, /*followCalls=*/true) {}

  Operation *kernel;
  Evaluator evaluator;
};

KnownThreads::KnownThreads(Operation *kernel, BlockShape block)
    : state(std::make_unique<State>(kernel, block)) {}
KnownThreads::~KnownThreads() = default;

std::optional<std::vector<int64_t>> KnownThreads::get(Value value) {
  Evaluator &evaluator = state->evaluator;
  ThreadValue known = evaluator.get(value, evaluator.getKernelFrame());
  if (!known.isKnown())
    return std::nullopt;
  std::vector<int64_t> result;
  for (unsigned thread : llvm::seq(evaluator.getBlock().getNumThreads()))
    result.push_back(known.get(thread));
  return result;
}

/// Leaves the threads that go into an arm.
void KnownThreads::restrict(Operation *branch, unsigned arm,
                            llvm::BitVector &threads) {
  Value selector = getSelector(branch);
  auto values = selector ? get(selector) : std::nullopt;
  if (!values)
    return;
  for (auto [thread, value] : llvm::enumerate(*values))
    if (getArm(branch, value) != arm)
      threads.reset(thread);
}

/// The branch that alone leads to a block, and by which successor; or null.
static std::pair<Operation *, unsigned> getOnlyWay(Block *block) {
  Block *before = block->getSinglePredecessor();
  if (!before || before == block)
    return {};
  Operation *branch = before->getTerminator();
  for (auto [index, successor] : llvm::enumerate(branch->getSuccessors()))
    if (successor == block)
      return {branch, index};
  return {};
}

llvm::BitVector KnownThreads::getReaching(Operation *op) {
  llvm::BitVector threads(state->evaluator.getBlock().getNumThreads(), true);
  while (op != state->kernel) {
    // A ring of blocks that nothing leads to has no first one.
    llvm::SmallPtrSet<Block *, 8> seen;
    Block *block = op->getBlock();
    while (seen.insert(block).second) {
      auto [branch, arm] = getOnlyWay(block);
      if (!branch)
        break;
      restrict(branch, arm, threads);
      block = branch->getBlock();
    }
    Operation *parent = op->getParentOp();
    restrict(parent, op->getParentRegion()->getRegionNumber(), threads);
    op = parent;
  }
  return threads;
}
