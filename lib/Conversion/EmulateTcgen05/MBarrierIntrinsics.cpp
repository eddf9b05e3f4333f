//===- MBarrierIntrinsics.cpp - Emulated mbarrier intrinsics --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sync.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// Removes `part` wherever it stands between dots. Returns whether it did.
static bool take(SmallVectorImpl<StringRef> &parts, StringRef part) {
  auto *found = llvm::find(parts, part);
  if (found == parts.end())
    return false;
  parts.erase(found);
  return true;
}

/// Removes "scope.cta.space.cluster" and the like: scopes are wider here, and
/// pointers know their space.
static void dropScopes(SmallVectorImpl<StringRef> &parts) {
  for (StringRef key : {"scope", "space"}) {
    auto *found = llvm::find(parts, key);
    if (found != parts.end() && std::next(found) != parts.end())
      parts.erase(found, std::next(found, 2));
  }
  take(parts, "shared");
}

/// "arrive[.drop][.noComplete][.expect.tx][.relaxed]", cut at the dots.
static Value emitArriveIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                                 SmallVectorImpl<StringRef> &parts) {
  uint32_t flags = getArriveFlags(call.args[0]);
  if (call.op->getNumResults() && !call.op->use_empty())
    flags |= TMemEmuArriveState;
  if (take(parts, "drop"))
    flags |= TMemEmuArriveDrop;
  if (take(parts, "noComplete"))
    flags |= TMemEmuArriveNoComplete;
  if (take(parts, "relaxed"))
    flags |= TMemEmuArriveRelaxed;
  bool isExpecting = take(parts, "expect") && take(parts, "tx");
  if (!parts.empty() || call.args.size() > 2)
    return {};
  Value amount = call.args.size() == 2 ? call.args[1] : Value();
  return emitArrive(emitter, call.args[0], isExpecting ? Value() : amount,
                    isExpecting ? amount : Value(), flags);
}

/// "{test, try}.wait[.parity][.tl][.relaxed]", cut at the dots.
static Value emitWaitIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                               SmallVectorImpl<StringRef> &parts, bool isTry) {
  uint32_t flags = isTry ? TMemEmuWaitTry : 0;
  if (take(parts, "parity"))
    flags |= TMemEmuWaitParity;
  if (take(parts, "relaxed"))
    flags |= TMemEmuWaitRelaxed;
  take(parts, "tl");
  if (!parts.empty() || call.args.size() < 2)
    return {};
  return emitMBarrierWait(emitter, call.args[0], call.args[1], flags);
}

/// Without a result.
static bool emitVoidIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                              StringRef name) {
  Value barrier = emitter.getGeneric(call.args[0]);
  if (name == "init" && call.args.size() == 2)
    emitter.call("tmemEmuMBarrierInit", {barrier, call.args[1]});
  else if (name == "inval" && call.args.size() == 1)
    emitter.call("tmemEmuMBarrierInval", barrier);
  else if (name == "expect.tx" && call.args.size() == 2)
    emitter.call("tmemEmuMBarrierExpect", {barrier, call.args[1]});
  else if (name == "complete.tx" && call.args.size() == 2)
    emitter.call("tmemEmuMBarrierComplete", {barrier, call.args[1]});
  else
    return false;
  return true;
}

FailureOr<bool> mlir::tmem::emulate::emitMBarrierIntrinsic(
    Emitter &emitter, const IntrinsicCall &call, StringRef name) {
  if (!name.consume_front("mbarrier.") || call.args.empty())
    return false;
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  dropScopes(parts);
  std::string rest = llvm::join(parts, ".");
  if (emitVoidIntrinsic(emitter, call, rest)) {
    emitter.replace(call.op);
    return true;
  }
  Value result;
  if (take(parts, "arrive"))
    result = emitArriveIntrinsic(emitter, call, parts);
  else if (bool isTry = take(parts, "try"); isTry || take(parts, "test"))
    result = take(parts, "wait")
                 ? emitWaitIntrinsic(emitter, call, parts, isTry)
                 : Value();
  if (!result)
    return false;
  emitter.replace(call.op, call.result ? ValueRange(result) : ValueRange());
  return true;
}
