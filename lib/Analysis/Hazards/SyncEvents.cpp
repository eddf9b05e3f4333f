//===- SyncEvents.cpp - Other operations that synchronize -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarriers of nvgpu, arrivals that copies make, and what orders memory beside
// barriers. What is followed in part says so, and is then undecided.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// An arrival of which it is not known when it comes, or whether.
static Effect makeUnclear(Operation *op, StringRef reason) {
  Effect effect = makeEffect(EventKind::MBarrierArrive, op);
  effect.reason = reason;
  effect.isUnclear = true;
  return effect;
}

/// Bytes that the phase of an mbarrier waits for, or that have come.
static Effect makeTransaction(Operation *op) {
  Effect effect = makeEffect(EventKind::Transaction, op);
  effect.reason = "bytes that an mbarrier waits for are not counted";
  return effect;
}

/// Fences, atomics, and accesses that acquire or release.
bool mlir::tmem::hazards::ordersMemoryInPTX(StringRef text) {
  return llvm::any_of(
      ArrayRef<StringRef>{"fence.sc", "fence.acq", "fence.release", "atom.",
                          ".acquire", ".release", "red.release", "red.relaxed",
                          "red.acq_rel", "red.global", "red.shared", "red.gpu",
                          "red.cta", "red.async"},
      [&](StringRef part) { return text.contains(part); });
}

//===----------------------------------------------------------------------===//
// nvgpu
//===----------------------------------------------------------------------===//

/// One of a group of mbarriers: they stand next to each other.
template <typename OpTy>
static Effect getMBarrier(EventKind kind, OpTy op, Value count = {},
                          Value parity = {}) {
  Effect effect = makeEffect(kind, op);
  effect.address = op.getBarriers();
  unsigned index = op.getMbarIdMutable().getOperandNumber();
  effect.indices = op->getOperands().slice(index, 1);
  effect.count = count;
  effect.parity = parity;
  return effect;
}

bool mlir::tmem::hazards::classifyNVGPU(Operation *op,
                                        SmallVectorImpl<Effect> &effects) {
  auto push = [&](Effect effect) {
    effects.push_back(effect);
    return true;
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](nvgpu::MBarrierInitOp init) {
        Effect effect =
            getMBarrier(EventKind::MBarrierInit, init, init.getCount());
        effect.predicate = init.getPredicate();
        return push(effect);
      })
      .Case([&](nvgpu::MBarrierArriveOp arrive) {
        return push(getMBarrier(EventKind::MBarrierArrive, arrive));
      })
      .Case([&](nvgpu::MBarrierArriveNoCompleteOp arrive) {
        return push(
            getMBarrier(EventKind::MBarrierArrive, arrive, arrive.getCount()));
      })
      .Case([&](nvgpu::MBarrierTryWaitParityOp wait) {
        return push(getMBarrier(EventKind::MBarrierWait, wait, {},
                                wait.getPhaseParity()));
      })
      .Case([&](nvgpu::MBarrierTestWaitOp test) {
        if (!mayDecide(test.getWaitComplete()))
          return true;
        return push(
            getMBarrier(EventKind::MBarrierWait, test, {}, test.getToken()));
      })
      .Case([&](nvgpu::MBarrierArriveExpectTxOp arrive) {
        if (arrive.getPredicate())
          return push(makeUnclear(op, "its predicate is not read here"));
        Effect effect = getMBarrier(EventKind::MBarrierArrive, arrive);
        effect.reason = "it changes what the phase waits for";
        return push(effect);
      })
      .Case([&](nvgpu::TmaAsyncLoadOp) { return push(makeTransaction(op)); })
      .Case([&](NVVM::MBarrierArriveExpectTxOp arrive) {
        // By name, without a predicate.
        return arrive.getPredicate() &&
               push(makeUnclear(op, "its predicate is not read here"));
      })
      .Case([&](NVVM::InlinePtxOp assembly) {
        StringRef text = assembly.getPtxCode();
        Effect effect = makeEffect(EventKind::Unknown, op);
        effect.reason = "inline PTX of this form is not read here";
        bool matters =
            ordersMemoryInPTX(text) ||
            llvm::any_of(ArrayRef<StringRef>{"bar", "tcgen05", "exit", "ret;"},
                         [&](StringRef part) { return text.contains(part); });
        return !matters || push(effect);
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// NVVM, by name, whether operation or intrinsic
//===----------------------------------------------------------------------===//

/// Copies to shared memory, not from it or to the cache, and what else tells an
/// mbarrier of bytes.
static bool countsBytes(StringRef name) {
  if (name.starts_with("mbarrier.expect") ||
      name.starts_with("mbarrier.complete") ||
      name.starts_with("clusterlaunchcontrol.try"))
    return true;
  if (!name.consume_front("cp.async.bulk."))
    return false;
  return name.starts_with("tensor.g2s") ||
         name.starts_with("tensor.shared.cluster.global") ||
         name.starts_with("global.to.shared") ||
         name.starts_with("shared.cluster.") ||
         name.starts_with("shared.cta.to.cluster");
}

/// Fences of memory, and atomics: with a flag in memory they order warps. Those
/// of proxies and of the init of mbarriers do not.
static bool ordersMemory(StringRef name) {
  return name.starts_with("membar.") || name == "memory.barrier" ||
         name.starts_with("fence.sc.") || name.starts_with("fence.acq") ||
         name.starts_with("fence.release") ||
         name.starts_with("fence.sync_restrict") || name.starts_with("atomic.");
}

bool mlir::tmem::hazards::classifyOtherSync(Operation *op, StringRef name,
                                            SmallVectorImpl<Effect> &effects) {
  // The system arrives, when copies of the thread are complete: it is not said
  // that anything else of the thread comes before.
  if (name.starts_with("cp.async.mbarrier.arrive")) {
    effects.push_back(makeUnclear(op, "it comes when copies are complete"));
    return true;
  }
  if (countsBytes(name)) {
    effects.push_back(makeTransaction(op));
    return true;
  }
  if (ordersMemory(name)) {
    effects.push_back(makeEffect(EventKind::OtherSync, op));
    return true;
  }
  if (name == "exit") {
    effects.push_back(makeEffect(EventKind::Unknown, op));
    effects.back().reason = "it ends threads in the middle of the code";
    return true;
  }
  return false;
}

bool mlir::tmem::hazards::isAtomic(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<LLVM::LoadOp, LLVM::StoreOp>([](auto access) {
        return access.getOrdering() != LLVM::AtomicOrdering::not_atomic;
      })
      .Case<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, LLVM::AtomicRMWOp,
            LLVM::AtomicCmpXchgOp, LLVM::FenceOp>([](auto) { return true; })
      .Default(false);
}

/// It has 8 bytes, and is aligned to them (PTX ISA, mbarrier: size and
/// alignment).
std::string mlir::tmem::hazards::findMisplacedMBarrier(
    const Evaluator &evaluator, const ThreadValue &address, unsigned thread) {
  std::optional<unsigned> object = evaluator.getObject(address);
  if (!object || address.terms.size() != 1)
    return "";
  Extent extent = evaluator.getExtent(*object);
  int64_t offset = address.get(thread);
  std::string got = "but got byte " + std::to_string(offset);
  if (extent.bytes >= 0 &&
      (offset < 0 || offset + mbarrierBytes > extent.bytes))
    return "expected an mbarrier in the " + std::to_string(extent.bytes) +
           " bytes of its variable, " + got;
  if (extent.alignment % mbarrierBytes == 0 && offset % mbarrierBytes != 0)
    return "expected an mbarrier aligned to 8 bytes, " + got +
           " of its variable";
  return "";
}

ThreadValue mlir::tmem::hazards::getMBarrierAddress(Evaluator &evaluator,
                                                    const Effect &effect,
                                                    Frame *frame) {
  ThreadValue address = getAddress(evaluator, effect, frame);
  for (Value index : effect.indices)
    address =
        evaluator.add(address, evaluator.get(index, frame), mbarrierBytes);
  return address;
}
