//===- PlanColumnsAllocation.cpp - The allocation of the buffers ----------===//
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
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "tmem/Analysis/Threads.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/KernelUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using mlir::tmem::hazards::Instruction;
using mlir::tmem::hazards::readInstructions;

//===----------------------------------------------------------------------===//
// Allocations of others
//===----------------------------------------------------------------------===//

namespace {

/// Looks through a kernel and what it calls.
class AllocationFinder {
public:
  AllocationFinder(unsigned ctaGroup, bool exclusive)
      : ctaGroup(ctaGroup), exclusive(exclusive) {}

  LogicalResult visitFunction(Operation *function) {
    if (!seen.insert(function).second)
      return success();
    SmallVector<Operation *> callees;
    WalkResult result = function->walk([&](Operation *op) {
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbols))
          callees.push_back(callee);
      return WalkResult(visit(op));
    });
    if (result.wasInterrupted())
      return failure();
    llvm::append_range(pending, callees);
    return success();
  }

  FailureOr<OtherAllocations> find(gpu::GPUFuncOp kernel) {
    pending.push_back(kernel);
    while (!pending.empty())
      if (failed(visitFunction(pending.pop_back_val())))
        return failure();
    return found;
  }

private:
  LogicalResult visit(Operation *op) {
    for (const Instruction &instruction : readInstructions(op)) {
      found.relinquishes |= instruction.kind == Instruction::Relinquish;
      if (instruction.kind == Instruction::Alloc &&
          failed(visitAllocation(op, instruction)))
        return failure();
    }
    return success();
  }

  LogicalResult visitAllocation(Operation *op, const Instruction &alloc) {
    auto emitError = [&] { return op->emitOpError(); };
    if (alloc.isUnread)
      return emitViolation(emitError, Rule::B4,
                           "expected an allocation whose columns can be read "
                           "beside buffers, but got inline PTX of another "
                           "form");
    if (alloc.isExclusive || exclusive)
      return emitViolation(emitError, Rule::B4,
                           "expected no exclusive allocation beside another "
                           "one in a kernel with buffers");
    if (!alloc.columns)
      return emitViolation(emitError, Rule::B4,
                           "expected a constant number of columns beside "
                           "buffers, but got a value");
    if (alloc.ctaGroup != ctaGroup)
      return emitViolation(emitError, Rule::B4,
                           "expected cta_group " + Twine(ctaGroup) +
                               ", that of the buffers, but got " +
                               Twine(alloc.ctaGroup));
    found.any = true;
    found.columns += *alloc.columns;
    if (*alloc.columns > found.widest) {
      found.widest = *alloc.columns;
      found.widestOp = op;
    }
    return success();
  }

  unsigned ctaGroup;
  bool exclusive;
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Operation *> pending;
  OtherAllocations found;
};

} // namespace

FailureOr<OtherAllocations> mlir::tmem::findAllocations(gpu::GPUFuncOp kernel,
                                                        unsigned ctaGroup,
                                                        bool exclusive) {
  return AllocationFinder(ctaGroup, exclusive).find(kernel);
}

//===----------------------------------------------------------------------===//
// The allocation of the buffers
//===----------------------------------------------------------------------===//

/// True in the first warp of the CTA. Warps follow the linear thread id (PTX
/// ISA, "%tid"), of which only x counts in a block of one dimension.
static Value createIsFirstWarp(OpBuilder &builder, Location loc,
                               gpu::GPUFuncOp kernel) {
  ArrayRef<int32_t> size = getBlockSize(kernel);
  auto createIndex = [&](gpu::Dimension dimension) -> Value {
    return gpu::ThreadIdOp::create(builder, loc, dimension);
  };
  Value thread = createIndex(gpu::Dimension::x);
  if (size.empty() || llvm::any_of(size.drop_front(), [](int32_t extent) {
        return extent != 1;
      })) {
    Value rows = gpu::BlockDimOp::create(builder, loc, gpu::Dimension::y);
    Value row = arith::MulIOp::create(builder, loc,
                                      createIndex(gpu::Dimension::z), rows);
    row = arith::AddIOp::create(builder, loc, row,
                                createIndex(gpu::Dimension::y));
    Value columns = gpu::BlockDimOp::create(builder, loc, gpu::Dimension::x);
    Value before = arith::MulIOp::create(builder, loc, row, columns);
    thread = arith::AddIOp::create(builder, loc, before, thread);
  }
  Value warpSize = arith::ConstantIndexOp::create(builder, loc, 32);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                               warpSize);
}

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

/// All threads of the CTA; with cta_group 2 those of both, since neither may
/// free columns before the other one has them (PTX ISA, "tcgen05.alloc").
static void createBarrier(OpBuilder &builder, Location loc,
                          const AllocationRequest &request) {
  if (request.barrier == 0)
    gpu::BarrierOp::create(builder, loc);
  else
    NVVM::BarrierOp::create(builder, loc,
                            createI32(builder, loc, request.barrier));
  if (request.ctaGroup == 1)
    return;
  NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
}

static gpu::ReturnOp mergeReturns(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::ReturnOp> returns;
  for (Block &block : kernel.getBody())
    if (auto op = dyn_cast<gpu::ReturnOp>(block.back()))
      returns.push_back(op);
  if (returns.size() < 2)
    return returns.empty() ? gpu::ReturnOp() : returns.front();
  OpBuilder builder(kernel.getContext());
  Block *exit = new Block;
  kernel.getBody().push_back(exit);
  for (gpu::ReturnOp op : returns) {
    builder.setInsertionPoint(op);
    cf::BranchOp::create(builder, op.getLoc(), exit);
    op.erase();
  }
  builder.setInsertionPointToEnd(exit);
  return gpu::ReturnOp::create(builder, kernel.getLoc());
}

namespace {

/// Emits what stands at the start of a kernel, and what stands at its end.
class AllocationEmitter {
public:
  AllocationEmitter(gpu::GPUFuncOp kernel, const AllocationRequest &request)
      : kernel(kernel), request(request), loc(kernel.getLoc()),
        builder(kernel.getContext()) {}

  /// Returns the address of the first column.
  Value emitStart() {
    MLIRContext *context = kernel.getContext();
    auto space =
        gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
    auto type = MemRefType::get({1}, builder.getI32Type(),
                                MemRefLayoutAttrInterface(), space);
    Value slot = kernel.addWorkgroupAttribution(type, loc);
    builder.setInsertionPointToStart(&kernel.getBody().front());
    isFirstWarp = createIsFirstWarp(builder, loc, kernel);
    inFirstWarp([&] {
      AllocOp::create(builder, loc, slot, Value(), getColumns(),
                      request.exclusive, request.ctaGroup);
      if (request.relinquish)
        RelinquishAllocPermitOp::create(builder, loc, request.ctaGroup);
    });
    createBarrier(builder, loc, request);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    base = memref::LoadOp::create(builder, loc, slot, zero);
    return base;
  }

  void emitEnd() {
    gpu::ReturnOp end = mergeReturns(kernel);
    if (!end)
      return;
    builder.setInsertionPoint(end);
    FenceOp::create(builder, loc, FenceKind::Before);
    createBarrier(builder, loc, request);
    FenceOp::create(builder, loc, FenceKind::After);
    inFirstWarp([&] {
      DeallocOp::create(builder, loc, base, Value(), getColumns(),
                        request.exclusive, request.ctaGroup);
    });
  }

private:
  IntegerAttr getColumns() {
    return builder.getI32IntegerAttr(request.columns);
  }

  void inFirstWarp(llvm::function_ref<void()> create) {
    auto ifOp = scf::IfOp::create(builder, loc, isFirstWarp,
                                  /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    create();
  }

  gpu::GPUFuncOp kernel;
  const AllocationRequest &request;
  Location loc;
  OpBuilder builder;
  Value isFirstWarp, base;
};

} // namespace

void mlir::tmem::emitAllocation(gpu::GPUFuncOp kernel,
                                const AllocationRequest &request,
                                const BufferUses &uses,
                                ArrayRef<PackingPlace> places) {
  AllocationEmitter emitter(kernel, request);
  Value base = emitter.emitStart();
  emitter.emitEnd();
  for (auto [buffer, place] : llvm::zip_equal(uses.buffers, places)) {
    BufferOp op = buffer.op;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    constexpr int64_t halfSlab = 16 << 16; // Lanes are in bits 16 to 31.
    int64_t offset = place.column + (place.isShifted ? halfSlab : 0);
    Value address = base;
    if (offset != 0)
      address = arith::AddIOp::create(builder, loc, base,
                                      createI32(builder, loc, offset));
    auto view = ViewOp::create(builder, loc, op.getView().getType(), address);
    op.getView().replaceAllUsesWith(view.getView());
    op.erase();
  }
}

void mlir::tmem::emitFences(gpu::GPUFuncOp kernel) {
  auto isFence = [](Operation *op, FenceKind kind) {
    auto fence = dyn_cast_or_null<FenceOp>(op);
    return fence && fence.getKind() == kind;
  };
  SmallVector<Operation *> barriers;
  kernel.walk([&](Operation *op) {
    if (isFullBarrier(op))
      barriers.push_back(op);
  });
  OpBuilder builder(kernel.getContext());
  for (Operation *barrier : barriers) {
    builder.setInsertionPoint(barrier);
    if (!isFence(barrier->getPrevNode(), FenceKind::Before))
      FenceOp::create(builder, barrier->getLoc(), FenceKind::Before);
    builder.setInsertionPointAfter(barrier);
    if (!isFence(barrier->getNextNode(), FenceKind::After))
      FenceOp::create(builder, barrier->getLoc(), FenceKind::After);
  }
}
