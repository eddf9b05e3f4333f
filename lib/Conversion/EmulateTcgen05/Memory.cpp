//===- Memory.cpp - Guarded accesses of memory ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "Sync.h"
#include "Tcgen05.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Where pointers come from
//===----------------------------------------------------------------------===//

/// The value that was inserted at a position, or null where that is not seen.
static Value findInserted(LLVM::ExtractValueOp extract) {
  Value container = extract.getContainer();
  // Where nothing comes to, an operation may be computed from itself.
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
    if (!seen.insert(insert).second)
      return {};
    if (insert.getPosition() == extract.getPosition())
      return insert.getValue();
    container = insert.getContainer();
  }
  return {};
}

/// What a pointer is derived from.
static Value findBase(Value pointer) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (Operation *op = pointer.getDefiningOp()) {
    if (!seen.insert(op).second)
      break;
    Value next;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp,
            LLVM::FreezeOp>(op))
      next = op->getOperand(0);
    else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op))
      next = findInserted(extract);
    if (!next || !getAddressSpace(next))
      break;
    pointer = next;
    // A space that says what memory it is is as good as the base.
    if (*getAddressSpace(pointer) != GenericSpace)
      break;
  }
  return pointer;
}

/// Whether the base is no memory of the CTA: a thread's own, or what the host
/// passed, for whom there are no addresses of shared memory.
static bool isElsewhere(Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    auto function =
        dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
    return function && isKernel(function) &&
           argument.getOwner()->isEntryBlock();
  }
  return isa<LLVM::AllocaOp, LLVM::AddressOfOp>(base.getDefiningOp());
}

namespace {
enum class Memory { Shared, Cluster, Unknown, Elsewhere };
} // namespace

static Memory getMemory(unsigned space) {
  switch (space) {
  case SharedSpace:
    return Memory::Shared;
  case ClusterSpace:
    return Memory::Cluster;
  case GenericSpace:
    return Memory::Unknown;
  default:
    return Memory::Elsewhere;
  }
}

static Memory findMemory(Value pointer) {
  Value base =
      *getAddressSpace(pointer) == GenericSpace ? findBase(pointer) : pointer;
  unsigned space = *getAddressSpace(base);
  if (space == GenericSpace && isElsewhere(base))
    return Memory::Elsewhere;
  return getMemory(space);
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static void emitGuard(Emitter &emitter, Memory memory, Value address,
                      Value bytes, uint32_t flags) {
  if (memory == Memory::Shared)
    flags |= TMemEmuAccessShared;
  else if (memory == Memory::Cluster)
    flags |= TMemEmuAccessCluster;
  bool isShared = memory != Memory::Unknown;
  emitter.callHelper(isShared ? helper::checkShared : helper::checkGeneric,
                     {address, bytes, emitter.i32(flags)});
}

void mlir::tmem::emulate::guardAccess(Emitter &emitter, Value pointer,
                                      Value bytes, uint32_t flags) {
  Memory memory = findMemory(pointer);
  if (memory != Memory::Elsewhere)
    emitGuard(emitter, memory, emitter.getAddress(pointer),
              emitter.toInteger(bytes, 64), flags);
}

void mlir::tmem::emulate::guardAccess(Emitter &emitter, Value pointer,
                                      Type type, uint32_t flags) {
  Memory memory = findMemory(pointer);
  if (memory != Memory::Elsewhere)
    emitGuard(emitter, memory, emitter.getAddress(pointer),
              emitter.i64(getTypeExtent(type).stored), flags);
}

/// Guards each lane of a masked access: `getAddress` gives that of a lane as an
/// i64. Lanes that are off access the start of the window, where
/// nothing can be wrong with no bytes.
static void guardLanes(Emitter &emitter, Memory memory, Value mask,
                       Type element, uint32_t flags,
                       llvm::function_ref<Value(int64_t)> getAddress) {
  if (memory == Memory::Elsewhere)
    return;
  Value bytes = emitter.i64(getTypeExtent(element).stored);
  Value nowhere = emitter.getInvariant(SharedBegin);
  for (int64_t lane : llvm::seq<int64_t>(
           0, cast<VectorType>(mask.getType()).getNumElements())) {
    Value isOn =
        emitter.create<LLVM::ExtractElementOp>(mask, emitter.i64(lane));
    Value address =
        emitter.create<LLVM::SelectOp>(isOn, getAddress(lane), nowhere);
    Value size = emitter.create<LLVM::SelectOp>(isOn, bytes, emitter.i64(0));
    emitGuard(emitter, memory, address, size, flags);
  }
}

static void guardMasked(Emitter &emitter, Value pointer, Value mask,
                        Type element, uint32_t flags) {
  Value begin = emitter.getAddress(pointer);
  int64_t bytes = getTypeExtent(element).bytes;
  guardLanes(emitter, findMemory(pointer), mask, element, flags,
             [&](int64_t lane) -> Value {
               return emitter.create<LLVM::AddOp>(begin,
                                                  emitter.i64(bytes * lane));
             });
}

static void guardGathered(Emitter &emitter, Value pointers, Value mask,
                          Type element, uint32_t flags) {
  auto type = cast<LLVM::LLVMPointerType>(
      cast<VectorType>(pointers.getType()).getElementType());
  Memory memory = getMemory(type.getAddressSpace());
  guardLanes(emitter, memory, mask, element, flags, [&](int64_t lane) {
    Value pointer =
        emitter.create<LLVM::ExtractElementOp>(pointers, emitter.i64(lane));
    return emitter.getAddress(pointer);
  });
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Puts fences around an access that orders others.
static void fenceAround(Emitter &emitter, Operation *op,
                        LLVM::AtomicOrdering ordering) {
  if (ordering <= LLVM::AtomicOrdering::monotonic)
    return;
  emitFence(emitter, TMemEmuFenceMemory);
  OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPointAfter(op);
  emitFence(emitter, TMemEmuFenceMemory);
}

/// Scopes are those of a GPU: all of the host is wider.
template <typename OpTy> static void dropScope(Emitter &emitter, OpTy op) {
  if (op.getSyncscopeAttr())
    emitter.state.journal.defer(
        [op]() mutable { op.setSyncscopeAttr(nullptr); });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool hasTensorPointer(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value value) {
    return getAddressSpace(value) == unsigned(TensorSpace);
  });
}

template <typename OpTy>
static void emitTransfer(Emitter &emitter, OpTy op, Type type, uint32_t flags) {
  if (op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    flags |= TMemEmuAccessAtomic;
  guardAccess(emitter, op.getAddr(), type, flags);
  fenceAround(emitter, op, op.getOrdering());
  dropScope(emitter, op);
}

template <typename OpTy>
static void emitCopy(Emitter &emitter, OpTy op, Value bytes) {
  guardAccess(emitter, op.getSrc(), bytes, 0);
  guardAccess(emitter, op.getDst(), bytes, TMemEmuAccessWrite);
}

static void emitAccess(Emitter &emitter, Operation *op) {
  constexpr uint32_t isWrite = TMemEmuAccessWrite;
  constexpr uint32_t isAtomic = TMemEmuAccessAtomic | TMemEmuAccessWrite;
  auto element = [](Type type) {
    return cast<VectorType>(type).getElementType();
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case(
          [&](LLVM::LoadOp op) { emitTransfer(emitter, op, op.getType(), 0); })
      .Case([&](LLVM::StoreOp op) {
        emitTransfer(emitter, op, op.getValue().getType(), isWrite);
      })
      .Case([&](LLVM::AtomicRMWOp op) {
        guardAccess(emitter, op.getPtr(), op.getType(), isAtomic);
        fenceAround(emitter, op, op.getOrdering());
        dropScope(emitter, op);
      })
      .Case([&](LLVM::AtomicCmpXchgOp op) {
        guardAccess(emitter, op.getPtr(), op.getVal().getType(), isAtomic);
        fenceAround(emitter, op,
                    std::max(op.getSuccessOrdering(), op.getFailureOrdering()));
        dropScope(emitter, op);
      })
      .Case([&](LLVM::FenceOp op) {
        emitFence(emitter, TMemEmuFenceMemory);
        dropScope(emitter, op);
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>(
          [&](auto op) { emitCopy(emitter, op, op.getLen()); })
      .Case([&](LLVM::MemcpyInlineOp op) {
        emitCopy(emitter, op, emitter.i64(op.getLenAttr().getInt()));
      })
      .Case([&](LLVM::MemsetOp op) {
        guardAccess(emitter, op.getDst(), op.getLen(), isWrite);
      })
      .Case([&](LLVM::MemsetInlineOp op) {
        guardAccess(emitter, op.getDst(), emitter.i64(op.getLenAttr().getInt()),
                    isWrite);
      })
      .Case([&](LLVM::MaskedLoadOp op) {
        guardMasked(emitter, op.getData(), op.getMask(), element(op.getType()),
                    0);
      })
      .Case([&](LLVM::MaskedStoreOp op) {
        guardMasked(emitter, op.getData(), op.getMask(),
                    element(op.getValue().getType()), isWrite);
      })
      .Case([&](LLVM::masked_gather op) {
        guardGathered(emitter, op.getPtrs(), op.getMask(),
                      element(op.getType()), 0);
      })
      .Case([&](LLVM::masked_scatter op) {
        guardGathered(emitter, op.getPtrs(), op.getMask(),
                      element(op.getValue().getType()), isWrite);
      });
}

LogicalResult mlir::tmem::emulate::emitMemoryAccess(Emitter &emitter,
                                                    Operation *op) {
  // TMEM has no loads and stores but its own.
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (store ? getAddressSpace(store.getAddr()) == unsigned(TensorSpace)
            : isa<LLVM::LoadOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
                  LLVM::GEPOp>(op) &&
                  hasTensorPointer(op))
    return emitter.state.refuse(op, "a TMEM address as a pointer");
  if (!emitter.state.isHost)
    return success();
  emitter.begin(op);
  emitAccess(emitter, op);
  return success();
}

LogicalResult mlir::tmem::emulate::emitAddressOf(Emitter &emitter,
                                                 LLVM::AddressOfOp op) {
  if (!emitter.state.isHost || getAddressSpace(op) != unsigned(SharedSpace))
    return success();
  emitter.begin(op);
  SharedLayout &layout = emitter.state.shared;
  auto found = layout.offsets.find(op.getGlobalNameAttr().getAttr());
  assert(found != layout.offsets.end() && "every shared variable has a place");
  Value begin = emitter.getInvariant(SharedBegin);
  Value address =
      emitter.create<LLVM::AddOp>(begin, emitter.i64(found->second));
  emitter.replace(op, emitter.create<LLVM::IntToPtrOp>(op.getType(), address));
  return success();
}
