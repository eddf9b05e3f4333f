//===- Sync.h - Emulated synchronization and warp operations ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations, intrinsics and inline PTX are brought to. Flags and kinds
// are those of tmem/ExecutionEngine/Emulation.h.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_SYNC_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_SYNC_H

#include "Emitter.h"
#include "tmem/ExecutionEngine/Emulation.h"

namespace mlir::tmem::emulate {

/// bar and barrier.cta. A null id is 0, no threads are all of the CTA, and
/// without `test`, an i1, nothing is reduced. Returns the reduction as an i32.
Value emitBarrier(Emitter &emitter, Value id, Value threads, uint32_t flags,
                  Value test = {});

/// shfl.sync of an i32 or f32. Returns a value of its type, and whether the
/// source lane was in range, an i1.
std::pair<Value, Value> emitShuffle(Emitter &emitter, uint32_t kind, Value mask,
                                    Value value, Value offset, Value clamp);

/// vote.sync: an i32, or an i1 but for ballots.
Value emitVote(Emitter &emitter, uint32_t kind, Value mask, Value test);

/// elect.sync: the leader's lane, and an i1 whether it is this one.
std::pair<Value, Value> emitElect(Emitter &emitter, Value mask);

/// match.sync: the mask, and for `all` an i1 whether all are alike.
std::pair<Value, Value> emitMatch(Emitter &emitter, bool all, Value mask,
                                  Value value);

/// redux.sync of an i32 or f32.
Value emitRedux(Emitter &emitter, uint32_t kind, Value mask, Value value,
                bool abs, bool nan);

/// barrier.cluster.arrive or wait, with TMemEmuClusterFlags.
void emitClusterBarrier(Emitter &emitter, uint32_t flags);
/// The same for "arrive[.relaxed]", "wait" and what else may follow
/// "barrier.cluster.". Returns whether it is known.
bool emitClusterBarrier(Emitter &emitter, StringRef name);

/// mapa of a pointer, or of an address in an integer, to another of a type.
Value emitMapShared(Emitter &emitter, Value pointer, Value rank, Type type);
/// getctarank
Value emitGetCtaRank(Emitter &emitter, Value pointer);

/// What the flags of an arrival say of a pointer's space.
uint32_t getArriveFlags(Value barrier);
/// mbarrier.arrive and so on. A null count is 1, null bytes are none. Returns
/// the state.
Value emitArrive(Emitter &emitter, Value barrier, Value count, Value bytes,
                 uint32_t flags);

/// mbarrier.test_wait and try_wait of a state, an i64, or of a parity, an i32.
/// Returns an i1.
Value emitMBarrierWait(Emitter &emitter, Value barrier, Value state,
                       uint32_t flags);

/// Fills shared memory with zeros.
void emitBulkZero(Emitter &emitter, Value pointer, Value bytes);

/// Guards an access of `bytes`, an i64, with TMemEmuAccessFlags but Shared.
void guardAccess(Emitter &emitter, Value pointer, Value bytes, uint32_t flags);
/// The same for a value of a type.
void guardAccess(Emitter &emitter, Value pointer, Type type, uint32_t flags);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_SYNC_H
