//===- Sync.cpp - Emulated synchronization and warp operations ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sync.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

Value mlir::tmem::emulate::emitBarrier(Emitter &emitter, Value id,
                                       Value threads, uint32_t flags,
                                       Value test) {
  Value zero = emitter.i32(0);
  Value reduced = test ? emitter.toInteger(test, 32) : zero;
  return emitter.call(
      "tmemEmuBarrier",
      {id ? id : zero, threads ? threads : zero, emitter.i32(flags), reduced});
}

std::pair<Value, Value>
mlir::tmem::emulate::emitShuffle(Emitter &emitter, uint32_t kind, Value mask,
                                 Value value, Value offset, Value clamp) {
  Value result =
      emitter.call("tmemEmuShuffle", {emitter.i32(kind), mask,
                                      emitter.getBits(value), offset, clamp});
  return {emitter.fromBits(emitter.getLow(result), value.getType()),
          emitter.getHighBit(result)};
}

Value mlir::tmem::emulate::emitVote(Emitter &emitter, uint32_t kind, Value mask,
                                    Value test) {
  Value result = emitter.call(
      "tmemEmuVote", {emitter.i32(kind), mask, emitter.toInteger(test, 32)});
  return kind == TMemEmuVoteBallot ? result : emitter.isNonZero(result);
}

std::pair<Value, Value> mlir::tmem::emulate::emitElect(Emitter &emitter,
                                                       Value mask) {
  Value result = emitter.call("tmemEmuElect", mask);
  return {emitter.getLow(result), emitter.getHighBit(result)};
}

std::pair<Value, Value> mlir::tmem::emulate::emitMatch(Emitter &emitter,
                                                       bool all, Value mask,
                                                       Value value) {
  Value result = emitter.call(
      "tmemEmuMatch", {emitter.i32(all), mask, emitter.toInteger(value, 64)});
  return {emitter.getLow(result), emitter.getHighBit(result)};
}

Value mlir::tmem::emulate::emitRedux(Emitter &emitter, uint32_t kind,
                                     Value mask, Value value, bool abs,
                                     bool nan) {
  Value result = emitter.call("tmemEmuRedux",
                              {emitter.i32(kind), mask, emitter.getBits(value),
                               emitter.i32(abs), emitter.i32(nan)});
  return emitter.fromBits(result, value.getType());
}

void mlir::tmem::emulate::emitClusterBarrier(Emitter &emitter, uint32_t flags) {
  emitter.call("tmemEmuClusterBarrier", emitter.i32(flags));
}

bool mlir::tmem::emulate::emitClusterBarrier(Emitter &emitter, StringRef name) {
  uint32_t flags = 0;
  if (name.consume_front("wait"))
    flags |= TMemEmuClusterWait;
  else if (!name.consume_front("arrive"))
    return false;
  SmallVector<StringRef> parts;
  name.split(parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (part == "relaxed")
      flags |= TMemEmuClusterRelaxed;
    else if (part == "aligned")
      flags |= TMemEmuClusterAligned;
    else if (part != "release" && part != "acquire")
      return false;
  }
  emitClusterBarrier(emitter, flags);
  return true;
}

Value mlir::tmem::emulate::emitMapShared(Emitter &emitter, Value pointer,
                                         Value rank, Type type) {
  Value address =
      emitter.call("tmemEmuMapShared",
                   {emitter.getAddress(pointer), emitter.toInteger(rank, 32)});
  if (auto integer = dyn_cast<IntegerType>(type))
    return emitter.toInteger(address, integer.getWidth());
  return emitter.create<LLVM::IntToPtrOp>(type, address);
}

Value mlir::tmem::emulate::emitGetCtaRank(Emitter &emitter, Value pointer) {
  return emitter.call("tmemEmuGetCtaRank", emitter.getAddress(pointer));
}

uint32_t mlir::tmem::emulate::getArriveFlags(Value barrier) {
  return getAddressSpace(barrier) == unsigned(SharedSpace)
             ? 0
             : uint32_t(TMemEmuArriveCluster);
}

Value mlir::tmem::emulate::emitArrive(Emitter &emitter, Value barrier,
                                      Value count, Value bytes,
                                      uint32_t flags) {
  return emitter.call("tmemEmuMBarrierArrive",
                      {emitter.getGeneric(barrier),
                       count ? count : emitter.i32(1),
                       bytes ? bytes : emitter.i32(0), emitter.i32(flags)});
}

Value mlir::tmem::emulate::emitMBarrierWait(Emitter &emitter, Value barrier,
                                            Value state, uint32_t flags) {
  Value result =
      emitter.call("tmemEmuMBarrierWait",
                   {emitter.getGeneric(barrier), emitter.toInteger(state, 64),
                    emitter.i32(flags)});
  return emitter.isNonZero(result);
}

void mlir::tmem::emulate::emitBulkZero(Emitter &emitter, Value pointer,
                                       Value bytes) {
  guardAccess(emitter, pointer, bytes, TMemEmuAccessWrite);
  Value zero = emitter.constant(emitter.builder.getI8Type(), 0);
  LLVM::MemsetOp::create(emitter.builder, emitter.getLoc(), pointer, zero,
                         bytes, /*isVolatile=*/false);
}
