//===- Events.cpp - From operations to effects ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows the names of operations: those of tmem, of NVVM,
// and calls of the intrinsics that NVVM's stand for.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tmem/IR/TMemOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

Effect mlir::tmem::hazards::makeEffect(EventKind kind, Operation *op) {
  Effect effect;
  effect.kind = kind;
  effect.op = op;
  return effect;
}

static Effect makeAligned(EventKind kind, Operation *op, unsigned ctaGroup) {
  Effect effect = makeEffect(kind, op);
  effect.isAligned = true;
  effect.ctaGroup = ctaGroup;
  return effect;
}

//===----------------------------------------------------------------------===//
// The tmem dialect
//===----------------------------------------------------------------------===//

template <typename OpTy>
static Effect getAllocation(EventKind kind, OpTy op, Value address) {
  Effect effect = makeAligned(kind, op, op.getCtaGroup());
  effect.address = address;
  effect.columns = op.getColumns();
  effect.staticColumns = op.getConstantColumns().value_or(-1);
  effect.isExclusive = op.getExclusive();
  return effect;
}

static bool classifyTMem(Operation *op, SmallVectorImpl<Effect> &effects) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](AllocOp op) {
        effects.push_back(getAllocation(EventKind::Alloc, op, op.getSlot()));
        return true;
      })
      .Case([&](DeallocOp op) {
        effects.push_back(getAllocation(EventKind::Dealloc, op, op.getBase()));
        return true;
      })
      .Case([&](RelinquishAllocPermitOp op) {
        effects.push_back(
            makeAligned(EventKind::Relinquish, op, op.getCtaGroup()));
        return true;
      })
      .Case([&](TransferOpInterface op) {
        bool loads = op.getDirection() == Direction::Load;
        Effect effect =
            makeAligned(loads ? EventKind::Load : EventKind::Store, op, 0);
        effect.address = op.getViews().front();
        effects.push_back(effect);
        // Those on plain vectors have the wait in them.
        if (isa<ReadOp, ReadSplitOp>(op))
          effects.push_back(makeAligned(EventKind::WaitLoad, op, 0));
        else if (isa<WriteOp, WriteSplitOp>(op))
          effects.push_back(makeAligned(EventKind::WaitStore, op, 0));
        return true;
      })
      .Case([&](WaitLoadOp op) {
        effects.push_back(makeAligned(EventKind::WaitLoad, op, 0));
        return true;
      })
      .Case([&](WaitStoreOp op) {
        effects.push_back(makeAligned(EventKind::WaitStore, op, 0));
        return true;
      })
      .Case([&](FenceOp op) {
        effects.push_back(makeEffect(op.getKind() == FenceKind::Before
                                         ? EventKind::FenceBefore
                                         : EventKind::FenceAfter,
                                     op));
        return true;
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// tcgen05 by name, whether operation or intrinsic
//===----------------------------------------------------------------------===//

static unsigned getNumElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

static bool isTrue(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && !constant.isZero();
}

/// "ld.32x32b.x64" and "st...": args are address, immediate of a split, words
/// of a store, and whether to pack.
static bool classifyTransfer(Operation *op, StringRef name, ValueRange args,
                             SmallVectorImpl<Effect> &effects) {
  bool loads = name.consume_front("ld.");
  if (!loads && !name.consume_front("st."))
    return false;
  auto [shapeText, countText] = name.split('.');
  std::optional<AtomShape> shape = symbolizeAtomShape(shapeText);
  unsigned repeat = 0;
  if (!shape || !countText.consume_front("x") ||
      countText.getAsInteger(10, repeat) || args.size() < 2)
    return false;
  Effect effect =
      makeAligned(loads ? EventKind::Load : EventKind::Store, op, 0);
  effect.address = args.front();
  effect.shape = *shape;
  effect.repeat = repeat;
  effect.packs = isTrue(args.back());
  if (*shape == AtomShape::S16x32bx2)
    effect.split = args[1];
  effects.push_back(effect);
  return true;
}

static bool isTensorMemory(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == 6;
}

/// The instruction descriptor of an mma: the first number of 32 bits.
static Value findDescriptor(ValueRange args) {
  for (Value arg : args)
    if (arg.getType().isInteger(32))
      return arg;
  return {};
}

/// Of the intrinsics of mma, which have it behind descriptor and kind.
static unsigned getMmaGroup(Operation *op, ValueRange args, unsigned group) {
  SmallVector<Value, 4> numbers;
  for (Value arg : args)
    if (arg.getType().isInteger(32))
      numbers.push_back(arg);
  APInt value;
  if (!isa<LLVM::CallIntrinsicOp>(op) || numbers.size() < 3 ||
      !matchPattern(numbers[2], m_ConstantInt(&value)))
    return group;
  return value == 2 ? 2 : 1;
}

static bool classifyTensorCore(Operation *op, StringRef name, ValueRange args,
                               unsigned group,
                               SmallVectorImpl<Effect> &effects) {
  bool commits = name.starts_with("commit");
  if (!commits && !name.starts_with("mma") && !name.starts_with("cp") &&
      !name.starts_with("shift"))
    return false;
  if (name.starts_with("mma_smem_desc") || args.empty())
    return name.starts_with("mma_smem_desc");
  Effect effect =
      makeEffect(commits ? EventKind::Commit : EventKind::TensorWrite, op);
  effect.ctaGroup = group;
  if (name.starts_with("mma") && args.size() > 3) {
    // Others have other layouts and descriptors.
    if (!name.contains("mma.ws") && !name.contains("block_scale")) {
      effect.descriptor = findDescriptor(args);
      effect.ctaGroup = getMmaGroup(op, args, group);
    }
    if (isTensorMemory(args[1].getType())) {
      effect.kind = EventKind::TensorRead;
      effect.address = args[1];
      effects.push_back(effect);
      effect.kind = EventKind::TensorWrite;
    }
  }
  effect.address = args.front();
  if (commits && args.size() > 1)
    effect.reason = "it arrives in other CTAs";
  effects.push_back(effect);
  return true;
}

/// The name after "tcgen05.", with ".cg2" and the like for the CTA group.
static bool classifyTcgen05(Operation *op, StringRef name, ValueRange args,
                            unsigned group, SmallVectorImpl<Effect> &effects) {
  if (name.contains(".cg2") || name.contains(".2cta"))
    group = 2;
  else if (name.contains(".cg1"))
    group = 1;
  auto push = [&](EventKind kind) {
    effects.push_back(makeAligned(kind, op, group));
    return true;
  };
  if (classifyTransfer(op, name, args, effects) ||
      classifyTensorCore(op, name, args, group, effects))
    return true;
  if ((name.starts_with("alloc") || name.starts_with("dealloc")) &&
      args.size() == 2) {
    push(name.starts_with("alloc") ? EventKind::Alloc : EventKind::Dealloc);
    effects.back().address = args[0];
    effects.back().columns = args[1];
    return true;
  }
  if (name.starts_with("relinq"))
    return push(EventKind::Relinquish);
  if (name == "wait.ld" || name == "wait.st")
    return push(name == "wait.ld" ? EventKind::WaitLoad : EventKind::WaitStore);
  if (name.starts_with("fence")) {
    effects.push_back(makeEffect(name.contains("before")
                                     ? EventKind::FenceBefore
                                     : EventKind::FenceAfter,
                                 op));
    return true;
  }
  return false;
}

template <typename OpTy>
static void classifyRaw(OpTy op, EventKind kind, Type words, bool packs,
                        SmallVectorImpl<Effect> &effects) {
  std::string name = NVVM::stringifyTcgen05LdStShape(op.getShape()).str();
  StringRef text = name;
  text.consume_front("shape_");
  Effect effect = makeAligned(kind, op, 0);
  effect.address = op.getTmemAddr();
  effect.shape = *symbolizeAtomShape(text);
  effect.repeat =
      getNumElements(words) / getNativeImage(effect.shape).wordsPerRepeat;
  effect.packs = packs;
  effect.split = op.getOffset();
  effects.push_back(effect);
}

static bool classifyNVVMTcgen05(Operation *op,
                                SmallVectorImpl<Effect> &effects) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("nvvm.tcgen05."))
    return false;
  if (auto load = dyn_cast<NVVM::Tcgen05LdOp>(op)) {
    classifyRaw(load, EventKind::Load, load.getType(), load.getPack(), effects);
    return true;
  }
  if (auto store = dyn_cast<NVVM::Tcgen05StOp>(op)) {
    classifyRaw(store, EventKind::Store, store.getVal().getType(),
                store.getUnpack(), effects);
    return true;
  }
  if (auto wait = dyn_cast<NVVM::Tcgen05WaitOp>(op)) {
    bool loads = wait.getKind() == NVVM::Tcgen05WaitKind::LOAD;
    effects.push_back(
        makeAligned(loads ? EventKind::WaitLoad : EventKind::WaitStore, op, 0));
    return true;
  }
  if (auto fence = dyn_cast<NVVM::Tcgen05FenceOp>(op)) {
    bool before = fence.getKind() == NVVM::Tcgen05FenceKind::BEFORE_THREAD_SYNC;
    effects.push_back(makeEffect(
        before ? EventKind::FenceBefore : EventKind::FenceAfter, op));
    return true;
  }
  unsigned group = 1;
  for (StringRef attr : {"group", "ctaGroup"})
    if (auto kind = op->getAttrOfType<NVVM::CTAGroupKindAttr>(attr))
      group = kind.getValue() == NVVM::CTAGroupKind::CTA_2 ? 2 : 1;
  return classifyTcgen05(op, name, op->getOperands(), group, effects);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static Effect getBarrier(EventKind kind, Operation *op, Value barrier,
                         Value count) {
  Effect effect = makeEffect(kind, op);
  // The operations of gpu and NVVM are; of intrinsics those that say so, and
  // those from before there were others.
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  effect.isAligned = !call || !call.getIntrin().contains(".cta.") ||
                     call.getIntrin().contains(".aligned");
  effect.barrier = barrier;
  effect.count = count;
  return effect;
}

static Effect getMBarrier(EventKind kind, Operation *op, Value address,
                          Value parity = {}) {
  Effect effect = makeEffect(kind, op);
  effect.address = address;
  effect.parity = parity;
  return effect;
}

static bool classifyBarrier(Operation *op, SmallVectorImpl<Effect> &effects) {
  auto push = [&](Effect effect) {
    effects.push_back(effect);
    return true;
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<gpu::BarrierOp, NVVM::Barrier0Op>([&](auto op) {
        return push(getBarrier(EventKind::BarrierSync, op, {}, {}));
      })
      .Case([&](NVVM::BarrierOp op) {
        return push(getBarrier(EventKind::BarrierSync, op, op.getBarrierId(),
                               op.getNumberOfThreads()));
      })
      .Case([&](NVVM::BarrierArriveOp op) {
        return push(getBarrier(EventKind::BarrierArrive, op, op.getBarrierId(),
                               op.getNumberOfThreads()));
      })
      .Case([&](NVVM::SyncWarpOp op) {
        return push(makeEffect(EventKind::WarpSync, op));
      })
      .Case([&](NVVM::ClusterArriveOp op) {
        return push(makeEffect(EventKind::ClusterArrive, op));
      })
      .Case([&](NVVM::ClusterArriveRelaxedOp op) {
        Effect effect = makeEffect(EventKind::ClusterArrive, op);
        effect.isRelaxed = true;
        return push(effect);
      })
      .Case([&](NVVM::ClusterWaitOp op) {
        return push(makeEffect(EventKind::ClusterWait, op));
      })
      .Default(false);
}

/// What loads give from where a store has put something, as far as that is
/// seen: from what its address is made of. False if others may load it, too.
static bool findLoads(Value address, DenseSet<Value> &seen,
                      SmallVectorImpl<Value> &loaded) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isAddressCast(op))
      break;
    address = op->getOperand(0);
  }
  bool isLocal = address.getDefiningOp<memref::AllocaOp>() ||
                 address.getDefiningOp<LLVM::AllocaOp>();
  SmallVector<Value, 4> worklist{address};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (isAddressCast(user))
        worklist.push_back(user->getResult(0));
      else if (isa<LLVM::LoadOp, memref::LoadOp>(user))
        loaded.push_back(user->getResult(0));
      else if (isLocal && !isa<LLVM::StoreOp, memref::StoreOp>(user))
        return false;
    }
  }
  return true;
}

bool mlir::tmem::hazards::mayDecide(Value value) {
  SmallVector<Value, 4> worklist{value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  DenseSet<Value> places;
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      if (isa<LLVM::StoreOp, memref::StoreOp>(user)) {
        if (!findLoads(user->getOperand(1), places, worklist))
          return true;
        continue;
      }
      if (!isPure(user) || user->getNumRegions() != 0 ||
          user->hasTrait<OpTrait::IsTerminator>())
        return true;
      llvm::append_range(worklist, user->getResults());
    }
  return false;
}

static bool classifyMBarrier(Operation *op, StringRef name, ValueRange args,
                             SmallVectorImpl<Effect> &effects) {
  if (!name.consume_front("mbarrier.") || args.empty())
    return false;
  if (name.starts_with("init")) {
    effects.push_back(getMBarrier(EventKind::MBarrierInit, op, args[0]));
    if (args.size() > 1)
      effects.back().count = args[1];
    if (auto init = dyn_cast<NVVM::MBarrierInitOp>(op))
      effects.back().predicate = init.getPredicate();
  } else if (name.starts_with("inval")) {
    effects.push_back(getMBarrier(EventKind::MBarrierInval, op, args[0]));
  } else if (name.starts_with("arrive")) {
    effects.push_back(getMBarrier(EventKind::MBarrierArrive, op, args[0]));
    if (args.size() > 1)
      effects.back().count = args[1];
    if (name.contains("expect") || name.contains("drop"))
      effects.back().reason = "it changes what the phase waits for";
  }
  // A test whose answer no branch looks at waits for nothing.
  else if ((name.starts_with("try") || name.starts_with("test")) &&
           (op->getNumResults() == 0 || mayDecide(op->getResult(0))))
    effects.push_back(getMBarrier(EventKind::MBarrierWait, op, args[0],
                                  args.size() > 1 ? args[1] : Value()));
  auto relaxed = op->getAttrOfType<BoolAttr>("relaxed");
  if (!effects.empty())
    effects.back().isRelaxed =
        name.contains(".relaxed") || (relaxed && relaxed.getValue());
  return true;
}

static bool classifyIntrinsic(Operation *op, SmallVectorImpl<Effect> &effects) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  if (!call)
    return false;
  StringRef name = call.getIntrin();
  if (!name.consume_front("llvm.nvvm."))
    return true;
  ValueRange args = call.getArgs();
  if (name.consume_front("tcgen05.")) {
    if (!classifyTcgen05(op, name, args, 1, effects)) {
      effects.push_back(makeEffect(EventKind::Unknown, op));
      effects.back().reason = "the intrinsic is not known here";
    }
    return true;
  }
  if (classifyOtherSync(op, name, effects) ||
      classifyMBarrier(op, name, args, effects))
    return true;
  if (name == "bar.warp.sync") {
    effects.push_back(makeEffect(EventKind::WarpSync, op));
    return true;
  }
  if (name.starts_with("barrier.cluster.")) {
    effects.push_back(makeEffect(name.contains("arrive")
                                     ? EventKind::ClusterArrive
                                     : EventKind::ClusterWait,
                                 op));
    effects.back().isRelaxed = name.contains(".relaxed");
    return true;
  }
  // Those of barrier 0 have a predicate at most.
  if (name.starts_with("barrier0"))
    args = {};
  if (name.starts_with("bar") && !name.contains("fence"))
    effects.push_back(getBarrier(
        name.contains("arrive") ? EventKind::BarrierArrive
                                : EventKind::BarrierSync,
        op, args.empty() ? Value() : args[0],
        args.size() > 1 && !name.ends_with(".all") ? args[1] : Value()));
  return true;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

static bool classifyAssembly(Operation *op, SmallVectorImpl<Effect> &effects) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  if (!assembly)
    return false;
  classifyInlinePTX(assembly, effects);
  if (effects.empty() && ordersMemoryInPTX(assembly.getAsmString()))
    effects.push_back(makeEffect(EventKind::OtherSync, op));
  if (!effects.empty() && effects.back().kind == EventKind::MBarrierWait &&
      op->getNumResults() != 0 && !mayDecide(op->getResult(0)))
    effects.pop_back();
  return true;
}

void mlir::tmem::hazards::classify(Operation *op,
                                   SmallVectorImpl<Effect> &effects) {
  if (classifyTMem(op, effects) || classifyNVVMTcgen05(op, effects) ||
      classifyBarrier(op, effects) || classifyIntrinsic(op, effects) ||
      classifyMemory(op, effects) || classifyAssembly(op, effects))
    return;
  StringRef name = op->getName().getStringRef();
  if (!classifyNVGPU(op, effects) && name.consume_front("nvvm.") &&
      !classifyOtherSync(op, name, effects))
    classifyMBarrier(op, name, op->getOperands(), effects);
}

/// Whether an operation names an element of a vector by a number that is not
/// known: the vector then goes to memory, as registers have no index.
static bool hasOpenIndex(Operation *op, StringRef name) {
  OperandRange indices = op->getOperands().take_back(0);
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    indices = extract.getDynamicPosition();
  else if (auto insert = dyn_cast<vector::InsertOp>(op))
    indices = insert.getDynamicPosition();
  else if (name == "llvm.extractelement" || name == "llvm.insertelement")
    indices = op->getOperands().take_back(1);
  return !llvm::all_of(
      indices, [](Value index) { return matchPattern(index, m_Constant()); });
}

bool mlir::tmem::hazards::isRegisterMove(Operation *op) {
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getAsmString().empty();
  StringRef name = op->getName().getStringRef();
  if (hasOpenIndex(op, name))
    return false;
  return llvm::StringSwitch<bool>(name)
      .Cases({"llvm.bitcast", "llvm.freeze", "llvm.extractelement",
              "llvm.insertelement", "llvm.shufflevector", "llvm.extractvalue",
              "llvm.insertvalue"},
             true)
      .Cases({"arith.bitcast", "vector.bitcast", "vector.extract",
              "vector.insert", "vector.shuffle", "vector.extract_strided_slice",
              "vector.insert_strided_slice", "vector.shape_cast",
              "vector.from_elements", "vector.to_elements",
              "builtin.unrealized_conversion_cast"},
             true)
      .Default(false);
}
