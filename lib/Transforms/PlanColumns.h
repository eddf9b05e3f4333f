//===- PlanColumns.h - Columns for buffers ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of tmem-plan-columns for a kernel: find who uses each buffer, lay
// the kernel out as a graph of events, derive from it which buffers live at the
// same time, pack, and emit. docs/Columns.md states the rule of lifetimes.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_PLANCOLUMNS_H
#define TMEM_LIB_TRANSFORMS_PLANCOLUMNS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/ColumnPacking.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tmem {

//===----------------------------------------------------------------------===//
// Uses (PlanColumnsUses.cpp)
//===----------------------------------------------------------------------===//

struct Buffer {
  BufferOp op;
  PackingItem item;
  /// Who takes it to where it cannot be followed: it then lives throughout.
  Operation *escape = nullptr;
  /// Its views pass through block arguments, so that those of one execution of
  /// the operation may be used after the next one.
  bool isCarried = false;
};

/// Overwrite: every cell of the buffer is written, none is read.
enum class AccessKind { Read, Write, Overwrite };

/// What has to be waited for until the access is over.
enum class InFlight { Nothing, Load, Store };

struct BufferAccess {
  unsigned buffer;
  AccessKind kind;
  InFlight inFlight;
};

struct BufferUses {
  SmallVector<Buffer> buffers;
  /// The operations that access buffers, in the order of the program (regions
  /// inside their operations), and of one operation in that of the buffers.
  std::vector<std::pair<Operation *, BufferAccess>> accesses;
};

/// The buffers of a kernel that have uses, in the order of the operations.
/// Views are followed through windows, branches, regions and selects.
BufferUses collectUses(gpu::GPUFuncOp kernel);

/// Calls `fn` with the values that a branch, an operation with regions or the
/// end of a region passes the operand on as. False where it is no operand that
/// is passed on, or not known as one.
bool forEachForwarded(OpOperand &use, llvm::function_ref<void(Value)> fn);

//===----------------------------------------------------------------------===//
// Threads (PlanColumnsDivergence.cpp)
//===----------------------------------------------------------------------===//

/// How the threads of a kernel keep together.
struct Convergence {
  /// True when each barrier 0 is executed by all threads together, so that
  /// between two of them all threads are in the same part of the kernel.
  bool hasCommonBarriers = true;
  /// A barrier 0 that only some threads may reach, or a place where one may be.
  Operation *doubtfulBarrier = nullptr;
  /// A return that only some threads may reach, or null. Looked for only where
  /// there are barriers.
  Operation *divergentReturn = nullptr;
  /// The first mbarrier operation or barrier of some of the threads, or null:
  /// they order accesses, but are not looked at.
  Operation *ignoredSync = nullptr;
  /// Branches, and operations with regions, by which threads part, in order.
  /// Looked for only where barriers may be reached by some of them.
  SmallVector<Operation *, 0> dividers;
};

Convergence analyzeConvergence(gpu::GPUFuncOp kernel);

/// True for a barrier of all threads of the CTA.
bool isFullBarrier(Operation *op);

//===----------------------------------------------------------------------===//
// Barriers that are added (PlanColumnsBarriers.cpp)
//===----------------------------------------------------------------------===//

/// Rule B5: at the barrier in front of the dealloc all threads arrive, none of
/// them from another barrier that the others have passed by, and no thread that
/// frees has ended before. The number of a barrier that no other threads than
/// all use. Warns of what cannot be decided.
FailureOr<unsigned> findBarrier(gpu::GPUFuncOp kernel,
                                const Convergence &convergence);

//===----------------------------------------------------------------------===//
// Events (PlanColumnsFlow.cpp)
//===----------------------------------------------------------------------===//

/// What matters to lifetimes, in the order of execution.
struct FlowEvent {
  enum Kind { Access, Define, WaitLoad, WaitStore, Barrier } kind;
  Operation *op;
  /// For Access and Define.
  BufferAccess access;
};

/// A piece of a block without control flow inside.
struct FlowNode {
  SmallVector<FlowEvent, 2> events;
  SmallVector<unsigned, 2> successors, predecessors;
};

/// The kernel as one graph, structured control flow included. Node 0 is the
/// entry.
struct FlowGraph {
  std::vector<FlowNode> nodes;
  /// The nodes that can be reached, predecessors first where there is no cycle.
  std::vector<unsigned> order;
};

FlowGraph buildFlow(gpu::GPUFuncOp kernel, const BufferUses &uses);

//===----------------------------------------------------------------------===//
// Lifetimes (PlanColumnsLifetimes.cpp)
//===----------------------------------------------------------------------===//

/// A place in the kernel, and the buffers that live there.
struct Moment {
  Operation *op = nullptr;
  std::vector<unsigned> buffers;
  /// Columns that they need at least.
  unsigned columns = 0;
};

struct Lifetimes {
  /// For each buffer those that live at the same time.
  std::vector<llvm::BitVector> conflicts;
  /// Where the most columns are needed.
  Moment peak;
  /// Places at which buffers begin to live, in order, the first few.
  std::vector<Moment> timeline;
  /// True when sharing relies on the kernel's barriers.
  bool usesBarriers = false;
  /// What orders accesses of warps, and was not looked at; or null.
  Operation *ignoredSync = nullptr;
};

/// How accesses of different warps are ordered.
enum class WarpOrder {
  /// Each slab belongs to one warp: the order of the program holds.
  OneWarpPerSlab,
  /// Only barriers that all threads execute order them.
  Barriers,
  /// Nothing is known to order them: all buffers conflict.
  None
};

Lifetimes computeLifetimes(const FlowGraph &graph, const BufferUses &uses,
                           WarpOrder order);

//===----------------------------------------------------------------------===//
// Allocation (PlanColumnsAllocation.cpp)
//===----------------------------------------------------------------------===//

/// What the kernel and what it calls allocate themselves.
struct OtherAllocations {
  unsigned columns = 0, widest = 0;
  Operation *widestOp = nullptr; ///< The first of so many columns.
  bool any = false, relinquishes = false;
};

/// Rule B4.
FailureOr<OtherAllocations> findAllocations(gpu::GPUFuncOp kernel,
                                            unsigned ctaGroup, bool exclusive);

struct AllocationRequest {
  unsigned columns, ctaGroup;
  bool exclusive, relinquish;
  unsigned barrier; ///< Its number.
};

/// Emits the allocation and where it is freed, and replaces the buffers by
/// views at their places.
void emitAllocation(gpu::GPUFuncOp kernel, const AllocationRequest &request,
                    const BufferUses &uses, ArrayRef<PackingPlace> places);

/// Puts fences around the barriers of a kernel, where there are none.
void emitFences(gpu::GPUFuncOp kernel);

//===----------------------------------------------------------------------===//
// Reports (PlanColumnsReport.cpp)
//===----------------------------------------------------------------------===//

/// "A" to "Z", then "A1" and so on.
std::string getBufferName(unsigned number);

/// The remark that `explain` asks for.
void emitReport(gpu::GPUFuncOp kernel, const BufferUses &uses,
                const ColumnPacking &packing, const Lifetimes &lifetimes,
                const AllocationRequest &request);

/// What an allocation for buffers may have.
struct ColumnLimit {
  unsigned left;    ///< Columns that nobody else has.
  unsigned columns; ///< Of the largest allocation within them, or 0.
  bool isExclusive;
};

/// Rule B3: the buffers take more columns than the limit.
void emitOversubscription(gpu::GPUFuncOp kernel, const BufferUses &uses,
                          const ColumnPacking &packing,
                          const Lifetimes &lifetimes, const ColumnLimit &limit);

/// Rule B4: an allocation of the kernel's own is larger than that of the
/// buffers may be.
void emitWiderAllocation(const OtherAllocations &others,
                         const ColumnLimit &limit);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_PLANCOLUMNS_H
