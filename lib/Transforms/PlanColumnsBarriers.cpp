//===- PlanColumnsBarriers.cpp - The barriers that are added --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that have exited are not waited for at a barrier of all threads (PTX
// ISA, bar). A kernel in which some threads end while others come to one more
// is right, but not with a barrier at its end: those that wait there would be
// taken for threads that have come to the other one. So all threads have to
// come to the same barriers, which are counted here on the ways that threads
// part on.
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "PlanColumnsWays.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "tmem/Analysis/Threads.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/KernelUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::tmem;
using mlir::tmem::hazards::Instruction;
using mlir::tmem::hazards::KnownThreads;
using mlir::tmem::hazards::readInstructions;

namespace {

/// Looks at all instructions of a kernel that concern others.
class EndChecker {
public:
  explicit EndChecker(gpu::GPUFuncOp kernel);

  LogicalResult verifyExits();
  LogicalResult verifyWays(ArrayRef<Operation *> dividers);
  FailureOr<unsigned> findNumber();

private:
  KnownThreads *getThreads();
  bool mayEndFirstWarp(Operation *op);
  Answer compareArms(Operation *divider, ArrayRef<Way> arms);
  Answer compareTurns(scf::ForOp loop);
  void addNumbers(Operation *op, const Instruction &barrier);

  gpu::GPUFuncOp kernel;
  /// Those of functions that it calls stand for the call.
  SmallVector<std::pair<Operation *, Instruction>, 0> instructions;
  std::optional<KnownThreads> threads;
  llvm::BitVector used = llvm::BitVector(16);
  bool isZeroShared = false; ///< Barrier 0 is one of some threads, too.
  Operation *unknownBarrier = nullptr;
};

} // namespace

/// What is known of threads; null for a block that is not stated.
KnownThreads *EndChecker::getThreads() {
  ArrayRef<int32_t> size = getBlockSize(kernel);
  if (!threads && !size.empty()) {
    hazards::BlockShape block;
    block.size = {1, 1, 1};
    int64_t count = 1;
    for (auto [dim, extent] : llvm::enumerate(size.take_front(3))) {
      block.size[dim] = extent;
      count *= std::clamp<int64_t>(extent, 0, hazards::maxThreads + 1);
    }
    if (count > 0 && count <= hazards::maxThreads)
      threads.emplace(kernel, block);
  }
  return threads ? &*threads : nullptr;
}

EndChecker::EndChecker(gpu::GPUFuncOp kernel) : kernel(kernel) {
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, Operation *>> pending{{kernel, nullptr}};
  while (!pending.empty()) {
    auto [function, call] = pending.pop_back_val();
    function->walk([&, call = call](Operation *op) {
      for (const Instruction &instruction : readInstructions(op))
        instructions.emplace_back(call ? call : op, instruction);
      auto inner = dyn_cast<CallOpInterface>(op);
      Operation *callee =
          inner ? inner.resolveCallableInTable(&symbols) : nullptr;
      if (callee && seen.insert(callee).second)
        pending.emplace_back(callee, call ? call : op);
    });
  }
}

//===----------------------------------------------------------------------===//
// Threads that end in the middle of the code
//===----------------------------------------------------------------------===//

bool EndChecker::mayEndFirstWarp(Operation *op) {
  KnownThreads *threads = getThreads();
  if (!threads)
    return true;
  int first = threads->getReaching(op).find_first();
  return first >= 0 && first < int(hazards::warpSize);
}

LogicalResult EndChecker::verifyExits() {
  auto it = llvm::find_if(instructions, [&](const auto &entry) {
    return entry.second.kind == Instruction::Exit &&
           mayEndFirstWarp(entry.first);
  });
  if (it == instructions.end())
    return success();
  return emitViolation([&] { return it->first->emitOpError(); }, Rule::B5,
                       "expected the first warp, which frees the columns of "
                       "the buffers, to come to the end of the kernel, but it "
                       "may exit here");
}

//===----------------------------------------------------------------------===//
// Barriers of all threads
//===----------------------------------------------------------------------===//

/// Whether all threads take as many turns.
Answer EndChecker::compareTurns(scf::ForOp loop) {
  KnownThreads *threads = getThreads();
  if (!threads)
    return Answer::Unknown;
  auto lower = threads->get(loop.getLowerBound());
  auto upper = threads->get(loop.getUpperBound());
  auto step = threads->get(loop.getStep());
  if (!lower || !upper || !step || loop.getUnsignedCmp())
    return Answer::Unknown;
  llvm::SmallSet<int64_t, 4> turns;
  llvm::BitVector reaching = threads->getReaching(loop);
  for (unsigned thread : reaching.set_bits()) {
    int64_t from = (*lower)[thread], to = (*upper)[thread],
            by = (*step)[thread];
    // What does not fit is no sensible loop.
    if (by <= 0 || from < INT32_MIN || to > INT32_MAX || by > INT32_MAX)
      return Answer::Unknown;
    turns.insert(to <= from ? 0 : (to - from + by - 1) / by);
  }
  return turns.size() > 1 ? Answer::Different : Answer::Same;
}

/// Whether threads that part there come to the same barriers.
Answer EndChecker::compareArms(Operation *divider, ArrayRef<Way> arms) {
  if (auto loop = dyn_cast<scf::ForOp>(divider)) {
    Answer answer = arms.front().isEmpty() ? Answer::Same : compareTurns(loop);
    return answer == Answer::Different && !arms.front().hasCertain
               ? Answer::Unknown
               : answer;
  }
  auto getAnswer = [&](ArrayRef<unsigned> taken) {
    Answer answer = Answer::Same;
    for (unsigned arm : taken) {
      Answer other = compare(arms[arm], arms[taken.front()]);
      if (other != Answer::Same && answer != Answer::Different)
        answer = other;
    }
    return answer;
  };
  Value selector = hazards::getSelector(divider);
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, arms.size()));
  if (!selector)
    return llvm::all_of(arms, [](const Way &arm) { return arm.isEmpty(); })
               ? Answer::Same
           : divider->getNumSuccessors() > 1 && getAnswer(all) == Answer::Same
               ? Answer::Same
               : Answer::Unknown;
  if (getAnswer(all) == Answer::Same)
    return Answer::Same;
  KnownThreads *threads = getThreads();
  auto values = threads ? threads->get(selector) : std::nullopt;
  if (!values)
    return Answer::Unknown;
  llvm::BitVector isTaken(arms.size());
  llvm::BitVector reaching = threads->getReaching(divider);
  for (unsigned thread : reaching.set_bits())
    isTaken.set(*hazards::getArm(divider, (*values)[thread]));
  return getAnswer(SmallVector<unsigned>(isTaken.set_bits()));
}

LogicalResult EndChecker::verifyWays(ArrayRef<Operation *> dividers) {
  WayFinder finder;
  Operation *undecided = nullptr;
  for (Operation *divider : dividers) {
    SmallVector<Way> arms = finder.getArms(divider);
    Answer answer = compareArms(divider, arms);
    if (answer == Answer::Same)
      continue;
    auto *arm = llvm::find_if(arms, [](const Way &arm) { return arm.first; });
    Operation *barrier = arm == arms.end() ? divider : arm->first;
    if (answer == Answer::Different)
      return emitViolation([&] { return barrier->emitOpError(); }, Rule::B5,
                           "expected all threads to come to the same barriers, "
                           "but from here on some come to others: they would "
                           "meet at the one before the dealloc");
    undecided = undecided ? undecided : barrier;
  }
  if (undecided)
    undecided->emitWarning(
        "undecided: whether all threads come to the same barriers from here "
        "on; "
        "if not, they would meet at the one before the dealloc");
  return success();
}

//===----------------------------------------------------------------------===//
// The number of the barrier
//===----------------------------------------------------------------------===//

void EndChecker::addNumbers(Operation *op, const Instruction &barrier) {
  bool isShared =
      barrier.hasCount || barrier.kind == Instruction::BarrierArrive;
  auto add = [&](int64_t number) {
    if (number < 0 || number >= int64_t(used.size()))
      return;
    used.set(number);
    isZeroShared |= number == 0 && isShared;
  };
  if (barrier.number)
    return add(*barrier.number);
  // The arguments of functions that are called have no value here.
  KnownThreads *threads = getThreads();
  Value number = barrier.numberValue;
  bool isOfKernel =
      number && kernel->isAncestor(number.getParentRegion()->getParentOp());
  auto values = threads && isOfKernel ? threads->get(number) : std::nullopt;
  if (!values) {
    unknownBarrier = unknownBarrier ? unknownBarrier : op;
    return;
  }
  llvm::BitVector reaching = threads->getReaching(op);
  for (unsigned thread : reaching.set_bits())
    add((*values)[thread]);
}

FailureOr<unsigned> EndChecker::findNumber() {
  for (const auto &[op, instruction] : instructions)
    if (instruction.kind == Instruction::Barrier ||
        instruction.kind == Instruction::BarrierArrive)
      addNumbers(op, instruction);
  if (unknownBarrier)
    unknownBarrier->emitWarning(
        "undecided: which barrier it is; at the one before the dealloc all "
        "threads have to be, and no others");
  if (!isZeroShared)
    return 0;
  used.set(0);
  int number = used.find_first_unset();
  if (number >= 0)
    return number;
  return emitViolation([&] { return kernel.emitOpError(); }, Rule::B5,
                       "expected a barrier whose number only all threads use, "
                       "but all 16 are taken and number 0 is shared");
}

FailureOr<unsigned> mlir::tmem::findBarrier(gpu::GPUFuncOp kernel,
                                            const Convergence &convergence) {
  EndChecker checker(kernel);
  if (failed(checker.verifyExits()) ||
      failed(checker.verifyWays(convergence.dividers)))
    return failure();
  return checker.findNumber();
}
