//===- Tcgen05.cpp - Emulated tcgen05 instructions ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tmem/ExecutionEngine/Images.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

unsigned Transfer::getNumWords() const {
  return ::tmem::emulation::getNumWords(shape, count);
}

bool Transfer::isReducing() const {
  return flags & (TMemEmuReduceMin | TMemEmuReduceMax);
}

std::optional<uint32_t> mlir::tmem::emulate::parseShape(StringRef text) {
  return llvm::StringSwitch<std::optional<uint32_t>>(text)
      .Case("32x32b", TMemEmu32x32b)
      .Case("16x64b", TMemEmu16x64b)
      .Case("16x128b", TMemEmu16x128b)
      .Case("16x256b", TMemEmu16x256b)
      .Case("16x32bx2", TMemEmu16x32bx2)
      .Default(std::nullopt);
}

std::optional<uint32_t> mlir::tmem::emulate::parseCount(StringRef text) {
  uint32_t count;
  if (!text.consume_front("x") || text.getAsInteger(10, count))
    return std::nullopt;
  return count;
}

static Value getFlags(Emitter &emitter, const Transfer &transfer) {
  if (!transfer.pack)
    return emitter.i32(transfer.flags);
  return emitter.create<LLVM::SelectOp>(
      transfer.pack, emitter.i32(transfer.flags | TMemEmuPack),
      emitter.i32(transfer.flags));
}

static Value callTransfer(Emitter &emitter, StringRef name,
                          const Transfer &transfer, Value buffer) {
  Value address = emitter.getTensorAddress(transfer.address);
  Value offset = transfer.offset ? transfer.offset : emitter.i64(0);
  return emitter.call(name,
                      {emitter.i32(transfer.shape), emitter.i32(transfer.count),
                       getFlags(emitter, transfer), address, offset, buffer});
}

/// What buffers are aligned to, and no more is promised to LLVM.
static unsigned getAlignment(Type type) {
  return isa<VectorType>(type) ? 16 : 4;
}

static Type getWordsType(Emitter &emitter, unsigned count) {
  Type i32 = emitter.builder.getI32Type();
  return count == 1 ? i32 : Type(VectorType::get(count, i32));
}

LoadedWords mlir::tmem::emulate::emitLoad(Emitter &emitter,
                                          const Transfer &transfer) {
  unsigned count = transfer.getNumWords();
  bool isReducing = transfer.isReducing();
  Value buffer = emitter.getWords(count + isReducing);
  Value number = callTransfer(emitter, "tmemEmuLoad", transfer, buffer);
  auto read = [&](Value pointer, Type type, unsigned alignment) {
    Value value = emitter.create<LLVM::LoadOp>(type, pointer, alignment);
    emitter.loadedValues.emplace_back(value, number);
    return value;
  };
  Type type = getWordsType(emitter, count);
  LoadedWords result;
  result.words = read(buffer, type, getAlignment(type));
  if (!isReducing)
    return result;
  Type i32 = emitter.builder.getI32Type();
  Value last = emitter.create<LLVM::GEPOp>(
      buffer.getType(), i32, buffer, ArrayRef<LLVM::GEPArg>{int32_t(count)});
  result.reduced = read(last, i32, 4);
  return result;
}

void mlir::tmem::emulate::emitStore(Emitter &emitter, const Transfer &transfer,
                                    ValueRange words) {
  Value buffer = emitter.getWords(transfer.getNumWords());
  Type i32 = emitter.builder.getI32Type();
  for (auto [i, word] : llvm::enumerate(words)) {
    Value pointer = buffer;
    if (i != 0)
      pointer = emitter.create<LLVM::GEPOp>(buffer.getType(), i32, buffer,
                                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(emitter.builder, emitter.getLoc(), word, pointer,
                          i == 0 ? getAlignment(word.getType()) : 4);
  }
  callTransfer(emitter, "tmemEmuStore", transfer, buffer);
}

void mlir::tmem::emulate::emitWait(Emitter &emitter, bool isLoad) {
  emitter.call(isLoad ? "tmemEmuWaitLoad" : "tmemEmuWaitStore");
  if (isLoad && !emitter.predicate)
    emitter.waits.push_back(&*std::prev(emitter.builder.getInsertionPoint()));
}

void mlir::tmem::emulate::emitAlloc(Emitter &emitter, Value slot, Value columns,
                                    uint32_t flags) {
  emitter.call("tmemEmuAlloc",
               {emitter.getGeneric(slot), columns, emitter.i32(flags)});
}

void mlir::tmem::emulate::emitDealloc(Emitter &emitter, Value address,
                                      Value columns, uint32_t flags) {
  emitter.call("tmemEmuDealloc", {emitter.getTensorAddress(address), columns,
                                  emitter.i32(flags)});
}

void mlir::tmem::emulate::emitRelinquish(Emitter &emitter, uint32_t flags) {
  emitter.call("tmemEmuRelinquish", emitter.i32(flags));
}

void mlir::tmem::emulate::emitFence(Emitter &emitter, uint32_t kind) {
  emitter.call("tmemEmuFence", emitter.i32(kind));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static uint32_t getShape(NVVM::Tcgen05LdStShape shape) {
  switch (shape) {
  case NVVM::Tcgen05LdStShape::SHAPE_16X64B:
    return TMemEmu16x64b;
  case NVVM::Tcgen05LdStShape::SHAPE_16X128B:
    return TMemEmu16x128b;
  case NVVM::Tcgen05LdStShape::SHAPE_16X256B:
    return TMemEmu16x256b;
  case NVVM::Tcgen05LdStShape::SHAPE_32X32B:
    return TMemEmu32x32b;
  case NVVM::Tcgen05LdStShape::SHAPE_16X32BX2:
    return TMemEmu16x32bx2;
  }
  llvm_unreachable("a shape that NVVM does not have");
}

/// N from the number of registers, which is N, 2N or 4N.
static uint32_t getCount(uint32_t shape, Type words) {
  auto vector = dyn_cast<VectorType>(words);
  unsigned perCount = ::tmem::emulation::getNumWords(shape, 1);
  return (vector ? vector.getNumElements() : 1) / perCount;
}

template <typename OpTy>
static Transfer getTransfer(OpTy op, Type words, bool pack) {
  Transfer transfer;
  transfer.shape = getShape(op.getShape());
  transfer.count = getCount(transfer.shape, words);
  transfer.flags = pack ? TMemEmuPack : 0;
  transfer.address = op.getTmemAddr();
  transfer.offset = op.getOffset();
  return transfer;
}

static uint32_t getGroupFlags(NVVM::CTAGroupKind group) {
  return group == NVVM::CTAGroupKind::CTA_2 ? TMemEmuCtaGroup2 : 0;
}

std::optional<LogicalResult> mlir::tmem::emulate::emitTcgen05(Emitter &emitter,
                                                              Operation *op) {
  SmallVector<Value> results;
  bool isKnown =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](NVVM::Tcgen05LdOp op) {
            results.push_back(
                emitLoad(emitter, getTransfer(op, op.getType(), op.getPack()))
                    .words);
            return true;
          })
          .Case([&](NVVM::Tcgen05StOp op) {
            emitStore(emitter,
                      getTransfer(op, op.getVal().getType(), op.getUnpack()),
                      op.getVal());
            return true;
          })
          .Case([&](NVVM::Tcgen05WaitOp op) {
            emitWait(emitter, op.getKind() == NVVM::Tcgen05WaitKind::LOAD);
            return true;
          })
          .Case([&](NVVM::Tcgen05FenceOp op) {
            bool before =
                op.getKind() == NVVM::Tcgen05FenceKind::BEFORE_THREAD_SYNC;
            emitFence(emitter, before ? TMemEmuFenceBefore : TMemEmuFenceAfter);
            return true;
          })
          .Case([&](NVVM::Tcgen05AllocOp op) {
            emitAlloc(emitter, op.getAddr(), op.getNCols(),
                      getGroupFlags(op.getGroup()));
            return true;
          })
          .Case([&](NVVM::Tcgen05DeallocOp op) {
            emitDealloc(emitter, op.getTaddr(), op.getNCols(),
                        getGroupFlags(op.getGroup()));
            return true;
          })
          .Case([&](NVVM::Tcgen05RelinquishAllocPermitOp op) {
            emitRelinquish(emitter, getGroupFlags(op.getGroup()));
            return true;
          })
          .Default(false);
  if (!isKnown) {
    bool isHost = emitter.state.isHost;
    if (isHost)
      if (std::optional<LogicalResult> result = emitTensorCore(emitter, op))
        return result;
    if (op->getName().getStringRef().starts_with("nvvm.tcgen05."))
      return emitter.state.refuse(op, isHost ? "" : "the tensor core on a GPU");
    return std::nullopt;
  }
  emitter.replace(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// "ld.32x32b.x64" and the like. The last argument says whether to pack.
static FailureOr<bool> emitTransferIntrinsic(Emitter &emitter,
                                             const IntrinsicCall &call,
                                             bool isLoad, StringRef rest) {
  auto [shapeText, countText] = rest.split('.');
  std::optional<uint32_t> shape = parseShape(shapeText);
  std::optional<uint32_t> count = parseCount(countText);
  bool isSplit = shape == uint32_t(TMemEmu16x32bx2);
  size_t numArgs = 2 + isSplit + !isLoad;
  if (!shape || !count || call.args.size() != numArgs)
    return false;
  Transfer transfer;
  transfer.shape = *shape;
  transfer.count = *count;
  transfer.address = call.args.front();
  if (isSplit)
    transfer.offset = call.args[1];
  std::optional<int64_t> pack = call.getConstant(numArgs - 1);
  if (pack)
    transfer.flags = *pack ? TMemEmuPack : 0;
  else
    transfer.pack = call.args.back();
  if (isLoad)
    emitter.replace(call.op, emitLoad(emitter, transfer).words);
  else {
    emitStore(emitter, transfer, call.args[1 + isSplit]);
    emitter.replace(call.op);
  }
  return true;
}

/// "alloc.shared.cg1", "dealloc.cg2" and so on.
static bool emitAllocationIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                                    StringRef name) {
  uint32_t flags = 0;
  if (name.consume_back(".cg2"))
    flags = TMemEmuCtaGroup2;
  else if (!name.consume_back(".cg1"))
    return false;
  size_t numArgs = call.args.size();
  if ((name == "alloc" || name == "alloc.shared") && numArgs == 2)
    emitAlloc(emitter, call.args[0], call.args[1], flags);
  else if (name == "dealloc" && numArgs == 2)
    emitDealloc(emitter, call.args[0], call.args[1], flags);
  else if (name == "relinq.alloc.permit" && numArgs == 0)
    emitRelinquish(emitter, flags);
  else
    return false;
  emitter.replace(call.op);
  return true;
}

FailureOr<bool> mlir::tmem::emulate::emitTcgen05Intrinsic(
    Emitter &emitter, const IntrinsicCall &call, StringRef name) {
  if (!name.consume_front("tcgen05."))
    return false;
  if (name.consume_front("ld."))
    return emitTransferIntrinsic(emitter, call, /*isLoad=*/true, name);
  if (name.consume_front("st."))
    return emitTransferIntrinsic(emitter, call, /*isLoad=*/false, name);
  if (emitAllocationIntrinsic(emitter, call, name) ||
      (emitter.state.isHost && emitTensorCoreIntrinsic(emitter, call, name)))
    return true;
  if (name == "wait.ld" || name == "wait.st")
    emitWait(emitter, name == "wait.ld");
  else if (name == "fence.before.thread.sync")
    emitFence(emitter, TMemEmuFenceBefore);
  else if (name == "fence.after.thread.sync")
    emitFence(emitter, TMemEmuFenceAfter);
  else
    return false;
  emitter.replace(call.op);
  return true;
}
