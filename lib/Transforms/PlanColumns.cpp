//===- PlanColumns.cpp - Gives buffers columns ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/KernelUtils.h"
#include "tmem/Target/Chips.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMPLANCOLUMNS
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

/// Rule B2.
static LogicalResult verifyPlace(BufferOp op) {
  Operation *root = getThreadRoot(op);
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(root);
  if (kernel && kernel.isKernel())
    return success();
  return emitViolation([&] { return op.emitOpError(); }, Rule::B2,
                       "expected to be in a gpu.func with the attribute "
                       "kernel, but got " +
                           (root ? "'" + root->getName().getStringRef() + "'"
                                 : Twine("no function around it")));
}

/// Of the smallest allocation (rule C1).
static constexpr unsigned minColumns = 32;

/// The most columns that one allocation of the kernel may have.
static unsigned getLimit(unsigned available, bool exclusive) {
  if (available < minColumns)
    return 0;
  if (exclusive)
    return llvm::alignDown(std::min(available, getMaxColumns()), minColumns);
  return std::min(llvm::bit_floor(available), getMaxPlainColumns());
}

/// The allocation that holds `columns`.
static unsigned getAllocationSize(unsigned columns, bool exclusive) {
  if (exclusive)
    return std::max<unsigned>(minColumns, llvm::alignTo(columns, minColumns));
  return std::max(minColumns, unsigned(llvm::PowerOf2Ceil(columns)));
}

/// How accesses of warps are ordered in a kernel. With four warps each slab has
/// one of its own.
static WarpOrder getWarpOrder(gpu::GPUFuncOp kernel,
                              const Convergence &convergence) {
  ArrayRef<int32_t> size = getBlockSize(kernel);
  int64_t threads = 1;
  for (int64_t extent : size)
    threads *= std::min<int64_t>(std::max<int64_t>(extent, 1), 1 << 16);
  if (!size.empty() && threads <= 128)
    return WarpOrder::OneWarpPerSlab;
  return convergence.hasCommonBarriers ? WarpOrder::Barriers : WarpOrder::None;
}

static PackingProblem getProblem(const BufferUses &uses,
                                 const Lifetimes &lifetimes) {
  PackingProblem problem;
  for (auto [buffer, conflicts] :
       llvm::zip_equal(uses.buffers, lifetimes.conflicts)) {
    problem.items.push_back(buffer.item);
    problem.conflicts.emplace_back(conflicts.set_bits_begin(),
                                   conflicts.set_bits_end());
  }
  return problem;
}

namespace {

struct PlanColumnsPass
    : public tmem::impl::TMemPlanColumnsBase<PlanColumnsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    llvm::DenseSet<Operation *> known;
    bool isValid = true, any = false;
    getOperation()->walk([&](BufferOp op) {
      any = true;
      if (failed(verifyPlace(op))) {
        isValid = false;
        return;
      }
      auto kernel = cast<gpu::GPUFuncOp>(getThreadRoot(op));
      if (known.insert(kernel).second)
        kernels.push_back(kernel);
    });
    if (!any)
      return;
    if (!isValid || failed(verifyOptions()))
      return signalPassFailure();
    // All kernels are planned before any is changed.
    SmallVector<Plan, 0> plans;
    for (gpu::GPUFuncOp kernel : kernels) {
      FailureOr<Plan> plan = makePlan(kernel);
      if (failed(plan))
        isValid = false;
      else
        plans.push_back(std::move(*plan));
    }
    if (!isValid)
      return signalPassFailure();
    for (Plan &plan : plans)
      apply(plan);
  }

private:
  struct Plan {
    gpu::GPUFuncOp kernel;
    BufferUses uses;
    Lifetimes lifetimes;
    ColumnPacking packing;
    AllocationRequest request;
  };

  LogicalResult verifyOptions() {
    auto emitError = [&] { return mlir::emitError(getOperation()->getLoc()); };
    if (ctaGroup != 1 && ctaGroup != 2)
      return emitError() << "expected the cta-group 1 or 2, but got "
                         << unsigned(ctaGroup);
    // Any number between: others may leave any.
    if (columns < minColumns || columns > getMaxColumns())
      return emitError() << "expected " << minColumns << " to "
                         << getMaxColumns() << " columns, but got "
                         << unsigned(columns);
    if (reserved > columns)
      return emitError() << "expected at most " << unsigned(columns)
                         << " reserved columns, but got " << unsigned(reserved);
    return success();
  }

  FailureOr<Plan> makePlan(gpu::GPUFuncOp kernel) {
    Plan plan{kernel, collectUses(kernel), {}, {}, {}};
    if (plan.uses.buffers.empty())
      return plan;
    FailureOr<OtherAllocations> others =
        findAllocations(kernel, ctaGroup, exclusive);
    if (failed(others))
      return failure();
    Convergence convergence = analyzeConvergence(kernel);
    if (failed(verifyEnd(convergence)))
      return failure();
    FailureOr<unsigned> barrier = findBarrier(kernel, convergence);
    if (failed(barrier))
      return failure();
    WarpOrder order = getWarpOrder(kernel, convergence);
    plan.lifetimes =
        computeLifetimes(buildFlow(kernel, plan.uses), plan.uses, order);
    if (order != WarpOrder::OneWarpPerSlab)
      plan.lifetimes.ignoredSync = convergence.ignoredSync;
    unsigned taken = reserved + others->columns;
    unsigned left = columns > taken ? columns - taken : 0;
    unsigned limit = getLimit(left, exclusive);
    if (plan.lifetimes.peak.columns <= limit)
      plan.packing = packColumns(getProblem(plan.uses, plan.lifetimes));
    unsigned needed =
        std::max(plan.lifetimes.peak.columns, plan.packing.columns);
    ColumnLimit bounds = {left, limit, exclusive};
    if (needed > limit) {
      emitOversubscription(kernel, plan.uses, plan.packing, plan.lifetimes,
                           bounds);
      return failure();
    }
    if (others->widest > limit) {
      emitWiderAllocation(*others, bounds);
      return failure();
    }
    needed = std::max(needed, others->widest);
    plan.request = {getAllocationSize(needed, exclusive), ctaGroup, exclusive,
                    !others->any && !others->relinquishes, *barrier};
    return plan;
  }

  /// Rule B5. Without barriers that some threads leave out, those that return
  /// early wait for the others at the end.
  static LogicalResult verifyEnd(const Convergence &convergence) {
    if (!convergence.divergentReturn || convergence.hasCommonBarriers)
      return success();
    return emitViolation(
        [&] { return convergence.divergentReturn->emitOpError(); }, Rule::B5,
        "expected all threads to end together, but got a return that only "
        "some may reach, while others may be at a barrier");
  }

  /// True when some buffers share columns in turns.
  static bool sharesColumns(const Lifetimes &lifetimes) {
    return llvm::any_of(lifetimes.conflicts, [&](const auto &conflicts) {
      return conflicts.count() + 1 < lifetimes.conflicts.size();
    });
  }

  void apply(Plan &plan) {
    plan.kernel.walk([](BufferOp op) {
      if (op->use_empty())
        op.erase();
    });
    if (plan.uses.buffers.empty())
      return;
    if (explain)
      emitReport(plan.kernel, plan.uses, plan.packing, plan.lifetimes,
                 plan.request);
    if (plan.lifetimes.usesBarriers && sharesColumns(plan.lifetimes))
      emitFences(plan.kernel);
    emitAllocation(plan.kernel, plan.request, plan.uses, plan.packing.places);
  }
};

} // namespace
