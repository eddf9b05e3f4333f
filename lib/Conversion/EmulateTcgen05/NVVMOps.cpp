//===- NVVMOps.cpp - Emulated operations of the NVVM dialect --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"
#include "Sync.h"
#include "Tcgen05.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

namespace {

/// What an operation is replaced with; nothing if it is not emulated.
using Results = std::optional<SmallVector<Value>>;

Results none() { return SmallVector<Value>(); }
Results one(Value value) { return SmallVector<Value>{value}; }

} // namespace

//===----------------------------------------------------------------------===//
// Barriers and fences
//===----------------------------------------------------------------------===//

static uint32_t getFlag(NVVM::BarrierReduction reduction) {
  switch (reduction) {
  case NVVM::BarrierReduction::POPC:
    return TMemEmuBarrierPopc;
  case NVVM::BarrierReduction::AND:
    return TMemEmuBarrierAnd;
  case NVVM::BarrierReduction::OR:
    return TMemEmuBarrierOr;
  }
  llvm_unreachable("a reduction that NVVM does not have");
}

static Results emit(Emitter &emitter, NVVM::BarrierOp op) {
  uint32_t flags = TMemEmuBarrierAligned;
  Value test;
  if (op.getReductionOp()) {
    flags |= getFlag(*op.getReductionOp());
    test = emitter.isNonZero(op.getReductionPredicate());
  }
  Value reduced = emitBarrier(emitter, op.getBarrierId(),
                              op.getNumberOfThreads(), flags, test);
  return op->getNumResults() ? one(reduced) : none();
}

template <typename OpTy> static uint32_t getAligned(OpTy op) {
  return op.getAligned().value_or(false) ? uint32_t(TMemEmuClusterAligned) : 0;
}

static Results emitSync(Emitter &emitter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](NVVM::Barrier0Op) {
        emitBarrier(emitter, {}, {}, TMemEmuBarrierAligned);
        return none();
      })
      .Case([&](NVVM::BarrierOp op) { return emit(emitter, op); })
      .Case([&](NVVM::BarrierArriveOp op) {
        emitBarrier(emitter, op.getBarrierId(), op.getNumberOfThreads(),
                    TMemEmuBarrierAligned | TMemEmuBarrierArrive);
        return none();
      })
      .Case([&](NVVM::SyncWarpOp op) {
        emitter.call("tmemEmuWarpSync", op.getMask());
        return none();
      })
      .Case([&](NVVM::ClusterArriveOp op) {
        emitClusterBarrier(emitter, getAligned(op));
        return none();
      })
      .Case([&](NVVM::ClusterArriveRelaxedOp op) {
        emitClusterBarrier(emitter, getAligned(op) | TMemEmuClusterRelaxed);
        return none();
      })
      .Case([&](NVVM::ClusterWaitOp op) {
        emitClusterBarrier(emitter, getAligned(op) | TMemEmuClusterWait);
        return none();
      })
      .Case<NVVM::MembarOp, NVVM::FenceScClusterOp, NVVM::FenceSyncRestrictOp,
            NVVM::FenceMbarrierInitOp>([&](auto) {
        emitFence(emitter, TMemEmuFenceMemory);
        return none();
      })
      .Case([&](NVVM::FenceProxyOp op) {
        if (op.getKind() == NVVM::ProxyKind::async ||
            op.getKind() == NVVM::ProxyKind::async_shared)
          emitFence(emitter, TMemEmuFenceProxy);
        return none();
      })
      // They order proxies that are not emulated.
      .Case<NVVM::FenceProxyAcquireOp, NVVM::FenceProxyReleaseOp,
            NVVM::FenceProxySyncRestrictOp>([&](auto) { return none(); })
      .Default(Results());
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

static uint32_t getKind(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return TMemEmuShuffleBfly;
  case NVVM::ShflKind::up:
    return TMemEmuShuffleUp;
  case NVVM::ShflKind::down:
    return TMemEmuShuffleDown;
  case NVVM::ShflKind::idx:
    return TMemEmuShuffleIdx;
  }
  llvm_unreachable("a kind that NVVM does not have");
}

static uint32_t getKind(NVVM::VoteSyncKind kind) {
  switch (kind) {
  case NVVM::VoteSyncKind::any:
    return TMemEmuVoteAny;
  case NVVM::VoteSyncKind::all:
    return TMemEmuVoteAll;
  case NVVM::VoteSyncKind::ballot:
    return TMemEmuVoteBallot;
  case NVVM::VoteSyncKind::uni:
    return TMemEmuVoteUni;
  }
  llvm_unreachable("a kind that NVVM does not have");
}

static uint32_t getKind(NVVM::ReduxKind kind) {
  switch (kind) {
  case NVVM::ReduxKind::ADD:
    return TMemEmuReduceAdd;
  case NVVM::ReduxKind::AND:
    return TMemEmuReduceAnd;
  case NVVM::ReduxKind::OR:
    return TMemEmuReduceOr;
  case NVVM::ReduxKind::XOR:
    return TMemEmuReduceXor;
  case NVVM::ReduxKind::MAX:
    return TMemEmuReduceSMax;
  case NVVM::ReduxKind::MIN:
    return TMemEmuReduceSMin;
  case NVVM::ReduxKind::UMAX:
    return TMemEmuReduceUMax;
  case NVVM::ReduxKind::UMIN:
    return TMemEmuReduceUMin;
  case NVVM::ReduxKind::FMIN:
    return TMemEmuReduceFMin;
  case NVVM::ReduxKind::FMAX:
    return TMemEmuReduceFMax;
  }
  llvm_unreachable("a kind that NVVM does not have");
}

static Results emitWarp(Emitter &emitter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](NVVM::ShflOp op) {
        auto [value, isInRange] =
            emitShuffle(emitter, getKind(op.getKind()), op.getThreadMask(),
                        op.getVal(), op.getOffset(), op.getMaskAndClamp());
        bool isPair = isa<LLVM::LLVMStructType>(op.getType());
        return one(isPair ? emitter.makeStruct({value, isInRange}) : value);
      })
      .Case([&](NVVM::VoteSyncOp op) {
        return one(emitVote(emitter, getKind(op.getKind()), op.getMask(),
                            op.getPred()));
      })
      .Case([&](NVVM::ElectSyncOp op) {
        Value mask = op.getMembermask();
        return one(emitElect(emitter, mask ? mask : emitter.i32(-1)).second);
      })
      .Case([&](NVVM::MatchSyncOp op) {
        bool all = op.getKind() == NVVM::MatchSyncKind::all;
        auto [mask, isAlike] =
            emitMatch(emitter, all, op.getThreadMask(), op.getVal());
        return one(all ? emitter.makeStruct({mask, isAlike}) : mask);
      })
      .Case([&](NVVM::ReduxOp op) {
        return one(emitRedux(emitter, getKind(op.getKind()),
                             op.getMaskAndClamp(), op.getVal(), op.getAbs(),
                             op.getNan()));
      })
      .Default(Results());
}

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

static Results getState(Operation *op, Value state) {
  return op->getNumResults() ? one(state) : none();
}

/// Of the space of the mbarrier, and whether the state is used.
template <typename OpTy> static uint32_t getArriveFlagsOf(OpTy op) {
  return getArriveFlags(op.getAddr()) |
         (op->use_empty() ? 0 : uint32_t(TMemEmuArriveState));
}

template <typename OpTy>
static Results emitArriveOp(Emitter &emitter, OpTy op, uint32_t flags) {
  flags |= getArriveFlagsOf(op);
  flags |= op.getRelaxed() ? TMemEmuArriveRelaxed : 0;
  return getState(op,
                  emitArrive(emitter, op.getAddr(), op.getCount(), {}, flags));
}

template <typename OpTy>
static Results emitArriveExpectOp(Emitter &emitter, OpTy op, uint32_t flags) {
  flags |= getArriveFlagsOf(op);
  flags |= op.getRelaxed() ? TMemEmuArriveRelaxed : 0;
  return getState(
      op, emitArrive(emitter, op.getAddr(), {}, op.getTxcount(), flags));
}

template <typename OpTy>
static Results emitWaitOp(Emitter &emitter, OpTy op, uint32_t flags) {
  Value state = op.getStateOrPhase();
  flags |= state.getType().isInteger(32) ? TMemEmuWaitParity : 0;
  flags |= op.getRelaxed() ? TMemEmuWaitRelaxed : 0;
  return one(emitMBarrierWait(emitter, op.getAddr(), state, flags));
}

static Results emitMBarrier(Emitter &emitter, Operation *op) {
  auto pointer = [&](Value value) { return emitter.getGeneric(value); };
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](NVVM::MBarrierInitOp op) {
        emitter.predicate = op.getPredicate();
        emitter.call("tmemEmuMBarrierInit",
                     {pointer(op.getAddr()), op.getCount()});
        return none();
      })
      .Case([&](NVVM::MBarrierInvalOp op) {
        emitter.call("tmemEmuMBarrierInval", pointer(op.getAddr()));
        return none();
      })
      .Case([&](NVVM::MBarrierExpectTxOp op) {
        emitter.call("tmemEmuMBarrierExpect",
                     {pointer(op.getAddr()), op.getTxcount()});
        return none();
      })
      .Case([&](NVVM::MBarrierCompleteTxOp op) {
        emitter.call("tmemEmuMBarrierComplete",
                     {pointer(op.getAddr()), op.getTxcount()});
        return none();
      })
      .Case([&](NVVM::MBarrierArriveOp op) {
        return emitArriveOp(emitter, op, 0);
      })
      .Case([&](NVVM::MBarrierArriveDropOp op) {
        return emitArriveOp(emitter, op, TMemEmuArriveDrop);
      })
      .Case([&](NVVM::MBarrierArriveNocompleteOp op) {
        return one(emitArrive(emitter, op.getAddr(), op.getCount(), {},
                              TMemEmuArriveNoComplete | TMemEmuArriveState));
      })
      .Case([&](NVVM::MBarrierArriveDropNocompleteOp op) {
        return one(emitArrive(emitter, op.getAddr(), op.getCount(), {},
                              TMemEmuArriveDrop | TMemEmuArriveNoComplete |
                                  TMemEmuArriveState));
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp op) {
        emitter.predicate = op.getPredicate();
        return emitArriveExpectOp(emitter, op, 0);
      })
      .Case([&](NVVM::MBarrierArriveDropExpectTxOp op) {
        return emitArriveExpectOp(emitter, op, TMemEmuArriveDrop);
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp op) {
        emitMBarrierWait(emitter, op.getAddr(), op.getPhase(),
                         TMemEmuWaitParity | TMemEmuWaitBlock | TMemEmuWaitTry);
        return none();
      })
      .Case([&](NVVM::MBarrierTestWaitOp op) {
        return emitWaitOp(emitter, op, 0);
      })
      .Case([&](NVVM::MBarrierTryWaitOp op) {
        return emitWaitOp(emitter, op, TMemEmuWaitTry);
      })
      .Default(Results());
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

static std::pair<bool, bool> getSigns(NVVM::DotAccumulateType a,
                                      NVVM::DotAccumulateType b) {
  return {a == NVVM::DotAccumulateType::SIGNED,
          b == NVVM::DotAccumulateType::SIGNED};
}

static Results emitArithmetic(Emitter &emitter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](NVVM::RcpApproxFtzF32Op op) {
        Value quotient = emitter.create<LLVM::FDivOp>(
            getFloat(emitter, op.getType(), 1.0), flush(emitter, op.getArg()));
        return one(flush(emitter, quotient));
      })
      .Case([&](NVVM::PermuteOp op) {
        StringRef mode = NVVM::stringifyPermuteMode(op.getMode());
        return one(emitPermute(emitter, op.getLo(), op.getHi(),
                               op.getSelector(),
                               mode == "default" ? "" : mode));
      })
      .Case([&](NVVM::DotAccumulate4WayOp op) {
        auto [a, b] = getSigns(op.getAType(), op.getBType());
        return one(emitDotProduct(emitter, op.getA(), a, 8, op.getB(), b,
                                  op.getC(), false));
      })
      .Case([&](NVVM::DotAccumulate2WayOp op) {
        auto [a, b] = getSigns(op.getAType(), op.getBType());
        return one(emitDotProduct(emitter, op.getA(), a, 16, op.getB(), b,
                                  op.getC(), op.getBHi()));
      })
      .Default(Results());
}

static Results emitOther(Emitter &emitter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case([&](NVVM::Exit) {
        emitter.call("tmemEmuExit");
        return none();
      })
      .Case([&](NVVM::Breakpoint) {
        emitter.call("tmemEmuTrap");
        return none();
      })
      .Case([&](NVVM::NanosleepOp) {
        emitter.call("tmemEmuYield");
        return none();
      })
      .Case([&](NVVM::MapaOp op) {
        return one(emitMapShared(emitter, op.getA(), op.getB(), op.getType()));
      })
      .Case([&](NVVM::BulkStoreOp op) {
        if (op.getInitVal() != 0)
          return Results();
        emitBulkZero(emitter, op.getAddr(), op.getSize());
        return none();
      })
      // Hints, and what has no counterpart here.
      .Case<NVVM::SetMaxRegisterOp, NVVM::GriddepcontrolOp, NVVM::PrefetchOp,
            NVVM::PMEventOp>([&](auto) { return none(); })
      .Default(Results());
}

LogicalResult mlir::tmem::emulate::emitNVVM(Emitter &emitter, Operation *op) {
  emitter.begin(op);
  if (std::optional<LogicalResult> result = emitTcgen05(emitter, op))
    return *result;
  if (!emitter.state.isHost)
    return success();

  StringRef name = op->getName().getStringRef();
  Results results;
  if (name.consume_front("nvvm.read.ptx.sreg.")) {
    if (Value value = emitSpecialRegister(emitter, name))
      results = one(emitter.toInteger(
          value, op->getResult(0).getType().getIntOrFloatBitWidth()));
  } else if (name.starts_with("nvvm.convert.")) {
    return emitConversion(emitter, op);
  } else {
    for (auto emitSome :
         {emitSync, emitWarp, emitMBarrier, emitArithmetic, emitOther})
      if (!results)
        results = emitSome(emitter, op);
  }
  emitter.predicate = {};
  if (!results)
    return emitter.state.refuse(op);
  emitter.replace(op, *results);
  return success();
}
