//===- Intrinsics.cpp - Emulated intrinsics of NVPTX ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sync.h"
#include "Tcgen05.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

std::optional<int64_t> IntrinsicCall::getConstant(unsigned index) const {
  APInt value;
  if (index < args.size() && matchPattern(args[index], m_ConstantInt(&value)))
    return value.getSExtValue();
  return std::nullopt;
}

/// Replaces the call with a value, which may be null, as the type of its result
/// wants it: truncated, extended, or dropped.
static FailureOr<bool> replaceWith(Emitter &emitter, const IntrinsicCall &call,
                                   Value value) {
  SmallVector<Value> results;
  if (call.result) {
    if (!value)
      return false;
    auto type = dyn_cast<IntegerType>(call.result);
    if (type && isa<IntegerType>(value.getType()))
      value = emitter.toInteger(value, type.getWidth());
    results.push_back(value);
  }
  emitter.replace(call.op, results);
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers and fences
//===----------------------------------------------------------------------===//

/// "barrier.cta.{sync, arrive, red.popc, red.and, red.or}[.aligned].{all,
/// count}" with the identifier, the number of threads and the predicate.
static FailureOr<bool> emitBarrierIntrinsic(Emitter &emitter,
                                            const IntrinsicCall &call,
                                            StringRef name) {
  if (!name.consume_front("barrier.cta."))
    return false;
  uint32_t flags = 0;
  bool hasCount = name.consume_back(".count");
  if (!hasCount && !name.consume_back(".all"))
    return false;
  if (name.consume_back(".aligned"))
    flags |= TMemEmuBarrierAligned;
  std::optional<uint32_t> kind =
      llvm::StringSwitch<std::optional<uint32_t>>(name)
          .Case("sync", 0)
          .Case("arrive", TMemEmuBarrierArrive)
          .Case("red.popc", TMemEmuBarrierPopc)
          .Case("red.and", TMemEmuBarrierAnd)
          .Case("red.or", TMemEmuBarrierOr)
          .Default(std::nullopt);
  bool isReducing = name.starts_with("red.");
  if (!kind || call.args.size() != 1u + hasCount + isReducing)
    return false;
  Value reduced =
      emitBarrier(emitter, call.args[0], hasCount ? call.args[1] : Value(),
                  flags | *kind, isReducing ? call.args.back() : Value());
  if (call.result && call.result.isInteger(1))
    reduced = emitter.isNonZero(reduced);
  return replaceWith(emitter, call, reduced);
}

static FailureOr<bool>
emitSyncIntrinsic(Emitter &emitter, const IntrinsicCall &call, StringRef name) {
  if (name == "bar.warp.sync" && call.args.size() == 1)
    emitter.call("tmemEmuWarpSync", call.args[0]);
  else if (name.consume_front("barrier.cluster.")) {
    if (!emitClusterBarrier(emitter, name))
      return false;
  } else if (name == "fence.proxy.async" ||
             name.starts_with("fence.proxy.async.shared")) {
    emitFence(emitter, TMemEmuFenceProxy);
  } else if (name.starts_with("fence.proxy.")) {
    // They order proxies that are not emulated.
  } else if (name.starts_with("membar.") || name.starts_with("fence."))
    emitFence(emitter, TMemEmuFenceMemory);
  else
    return emitBarrierIntrinsic(emitter, call, name);
  return replaceWith(emitter, call, {});
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// "shfl.sync.idx.i32p" and the like.
static FailureOr<bool> emitShuffleIntrinsic(Emitter &emitter,
                                            const IntrinsicCall &call,
                                            StringRef name) {
  auto [kindText, type] = name.split('.');
  std::optional<uint32_t> kind =
      llvm::StringSwitch<std::optional<uint32_t>>(kindText)
          .Case("idx", TMemEmuShuffleIdx)
          .Case("up", TMemEmuShuffleUp)
          .Case("down", TMemEmuShuffleDown)
          .Case("bfly", TMemEmuShuffleBfly)
          .Default(std::nullopt);
  if (!kind || call.args.size() != 4)
    return false;
  auto [value, isInRange] = emitShuffle(
      emitter, *kind, call.args[0], call.args[1], call.args[2], call.args[3]);
  if (type.ends_with("p"))
    value = emitter.makeStruct({value, isInRange});
  return replaceWith(emitter, call, value);
}

/// "redux.sync.umin", "redux.sync.fmin.abs.NaN" and the like.
static FailureOr<bool> emitReduxIntrinsic(Emitter &emitter,
                                          const IntrinsicCall &call,
                                          StringRef name) {
  bool nan = name.consume_back(".NaN");
  bool abs = name.consume_back(".abs");
  std::optional<uint32_t> kind =
      llvm::StringSwitch<std::optional<uint32_t>>(name)
          .Case("add", TMemEmuReduceAdd)
          .Case("umin", TMemEmuReduceUMin)
          .Case("umax", TMemEmuReduceUMax)
          .Case("min", TMemEmuReduceSMin)
          .Case("max", TMemEmuReduceSMax)
          .Case("and", TMemEmuReduceAnd)
          .Case("or", TMemEmuReduceOr)
          .Case("xor", TMemEmuReduceXor)
          .Case("fmin", TMemEmuReduceFMin)
          .Case("fmax", TMemEmuReduceFMax)
          .Default(std::nullopt);
  if (!kind || call.args.size() != 2)
    return false;
  return replaceWith(
      emitter, call,
      emitRedux(emitter, *kind, call.args[1], call.args[0], abs, nan));
}

static FailureOr<bool>
emitVoteIntrinsic(Emitter &emitter, const IntrinsicCall &call, StringRef name) {
  std::optional<uint32_t> kind =
      llvm::StringSwitch<std::optional<uint32_t>>(name)
          .Case("any.sync", TMemEmuVoteAny)
          .Case("all.sync", TMemEmuVoteAll)
          .Case("ballot.sync", TMemEmuVoteBallot)
          .Case("uni.sync", TMemEmuVoteUni)
          .Default(std::nullopt);
  if (!kind || call.args.size() != 2)
    return false;
  return replaceWith(emitter, call,
                     emitVote(emitter, *kind, call.args[0], call.args[1]));
}

static FailureOr<bool>
emitWarpIntrinsic(Emitter &emitter, const IntrinsicCall &call, StringRef name) {
  if (name.consume_front("shfl.sync."))
    return emitShuffleIntrinsic(emitter, call, name);
  if (name.consume_front("redux.sync."))
    return emitReduxIntrinsic(emitter, call, name);
  if (name.consume_front("vote."))
    return emitVoteIntrinsic(emitter, call, name);
  if (name == "elect.sync" && call.args.size() == 1) {
    auto [leader, isLeader] = emitElect(emitter, call.args[0]);
    return replaceWith(emitter, call, emitter.makeStruct({leader, isLeader}));
  }
  if (name.starts_with("match.") && call.args.size() == 2) {
    bool all = name.starts_with("match.all.");
    auto [mask, isAlike] = emitMatch(emitter, all, call.args[0], call.args[1]);
    return replaceWith(emitter, call,
                       all ? emitter.makeStruct({mask, isAlike}) : mask);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// "atomic.add.gen.f.cta" and the like: the operation and "gen.{i, f}" and a
/// scope, which is wider here.
static FailureOr<bool> emitAtomicIntrinsic(Emitter &emitter,
                                           const IntrinsicCall &call,
                                           StringRef name) {
  bool isFloat = name.contains(".gen.f.");
  using Kind = LLVM::AtomicBinOp;
  std::optional<Kind> kind =
      llvm::StringSwitch<std::optional<Kind>>(name.split('.').first)
          .Case("add", isFloat ? Kind::fadd : Kind::add)
          .Case("and", Kind::_and)
          .Case("or", Kind::_or)
          .Case("xor", Kind::_xor)
          .Case("exch", Kind::xchg)
          .Case("min", Kind::min)
          .Case("max", Kind::max)
          .Case("inc", Kind::uinc_wrap)
          .Case("dec", Kind::udec_wrap)
          .Default(std::nullopt);
  bool isExchange = name.starts_with("cas.") && call.args.size() == 3;
  if (!isExchange && (!kind || call.args.size() != 2))
    return false;
  guardAccess(emitter, call.args[0], call.args[1].getType(),
              TMemEmuAccessWrite | TMemEmuAccessAtomic);
  constexpr auto relaxed = LLVM::AtomicOrdering::monotonic;
  if (!isExchange)
    return replaceWith(emitter, call,
                       emitter.create<LLVM::AtomicRMWOp>(
                           *kind, call.args[0], call.args[1], relaxed));
  Value pair = emitter.create<LLVM::AtomicCmpXchgOp>(
      call.args[0], call.args[1], call.args[2], relaxed, relaxed);
  return replaceWith(emitter, call,
                     emitter.create<LLVM::ExtractValueOp>(pair, int64_t(0)));
}

static FailureOr<bool> emitMemoryIntrinsic(Emitter &emitter,
                                           const IntrinsicCall &call,
                                           StringRef name) {
  if (name.consume_front("atomic."))
    return emitAtomicIntrinsic(emitter, call, name);
  if (name.starts_with("ldu.global.") && !call.args.empty())
    return replaceWith(emitter, call,
                       emitter.create<LLVM::LoadOp>(call.result, call.args[0]));
  if (name.starts_with("st.bulk") && call.args.size() == 3 &&
      call.getConstant(2) == 0) {
    emitBulkZero(emitter, call.args[0], call.args[1]);
    return replaceWith(emitter, call, {});
  }
  if (name.starts_with("mapa") && call.args.size() == 2)
    return replaceWith(
        emitter, call,
        emitMapShared(emitter, call.args[0], call.args[1], call.result));
  if (name.starts_with("getctarank") && call.args.size() == 1)
    return replaceWith(emitter, call, emitGetCtaRank(emitter, call.args[0]));
  if (name == "isspacep.shared" || name == "isspacep.shared.cluster") {
    bool isCluster = name.ends_with("cluster");
    Value begin = emitter.getInvariant(isCluster ? ZoneBegin : SharedBegin);
    Value size = isCluster ? emitter.getInvariant(ZoneSize)
                           : emitter.i64(TMEM_EMU_SHARED_WINDOW);
    Value offset =
        emitter.create<LLVM::SubOp>(emitter.getAddress(call.args[0]), begin);
    return replaceWith(
        emitter, call,
        emitter.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ult, offset, size));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

static FailureOr<bool> emitOtherIntrinsic(Emitter &emitter,
                                          const IntrinsicCall &call,
                                          StringRef name) {
  if (name.consume_front("read.ptx.sreg.")) {
    Value value = emitSpecialRegister(emitter, name);
    if (!value)
      return false;
    return replaceWith(emitter, call, value);
  }
  if (name == "is_explicit_cluster" || name == "is.explicit.cluster")
    return replaceWith(
        emitter, call,
        emitter.isNonZero(emitter.getSpecial(TMemEmuIsExplicitCluster)));
  if (name == "exit")
    emitter.call("tmemEmuExit");
  else if (name == "nanosleep")
    emitter.call("tmemEmuYield");
  // Hints, and what has no counterpart here.
  else if (!name.starts_with("griddepcontrol.") &&
           !name.starts_with("setmaxnreg.") && !name.starts_with("prefetch") &&
           !name.starts_with("applypriority.") && name != "pm.event.mask")
    return false;
  return replaceWith(emitter, call, {});
}

LogicalResult mlir::tmem::emulate::emitIntrinsic(Emitter &emitter,
                                                 const IntrinsicCall &call) {
  StringRef name = call.name;
  emitter.begin(call.op, name);
  bool isNVVM = name.consume_front("llvm.nvvm.");
  if (!isNVVM) {
    // What LLVM has for every target, which a host has as well.
    constexpr StringLiteral others[] = {"llvm.amdgcn.", "llvm.r600.",
                                        "llvm.x86.",    "llvm.aarch64.",
                                        "llvm.arm.",    "llvm.spv."};
    if (llvm::any_of(others, [&](auto p) { return name.starts_with(p); }))
      return emitter.state.refuse(call.op, call.name);
    return success();
  }
  using EmitFn =
      FailureOr<bool> (*)(Emitter &, const IntrinsicCall &, StringRef);
  constexpr EmitFn emitFns[] = {emitTcgen05Intrinsic,  emitSyncIntrinsic,
                                emitMBarrierIntrinsic, emitWarpIntrinsic,
                                emitMemoryIntrinsic,   emitMathIntrinsic,
                                emitOtherIntrinsic};
  ArrayRef<EmitFn> all(emitFns);
  // A GPU has all but the first.
  for (EmitFn emit : emitter.state.isHost ? all : all.take_front()) {
    FailureOr<bool> isDone = emit(emitter, call, name);
    if (failed(isDone))
      return failure();
    if (*isDone)
      return success();
  }
  if (!emitter.state.isHost && !name.starts_with("tcgen05."))
    return success();
  return emitter.state.refuse(call.op, call.name);
}
