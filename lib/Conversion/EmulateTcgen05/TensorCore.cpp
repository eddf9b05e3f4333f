//===- TensorCore.cpp - Emulated instructions of the tensor core ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void mlir::tmem::emulate::emitMma(Emitter &emitter, const Mma &mma) {
  uint32_t flags = mma.groupFlags;
  Value a = mma.a;
  if (mma.isTensorA) {
    flags |= TMemEmuMmaTensorA;
    a = emitter.toInteger(emitter.getTensorAddress(a), 64);
  }
  emitter.call("tmemEmuMma",
               {emitter.i32(mma.kind), emitter.i32(flags),
                emitter.getTensorAddress(mma.d), a, mma.b, mma.instruction,
                emitter.toInteger(mma.accumulate, 32),
                mma.scale ? emitter.toInteger(mma.scale, 32) : emitter.i32(0)});
}

void mlir::tmem::emulate::emitTensorCopy(Emitter &emitter, uint32_t shape,
                                         uint32_t flags, Value address,
                                         Value source) {
  emitter.call("tmemEmuTensorCopy",
               {emitter.i32(shape), emitter.i32(flags),
                emitter.getTensorAddress(address), source});
}

void mlir::tmem::emulate::emitTensorShift(Emitter &emitter, uint32_t flags,
                                          Value address) {
  emitter.call("tmemEmuTensorShift",
               {emitter.i32(flags), emitter.getTensorAddress(address)});
}

void mlir::tmem::emulate::emitCommit(Emitter &emitter, Value barrier,
                                     uint32_t flags) {
  emitter.call("tmemEmuCommit",
               {emitter.getGeneric(barrier), emitter.i32(flags)});
}

std::optional<uint32_t>
mlir::tmem::emulate::parseCopyShape(StringRef shape, StringRef multicast) {
  std::string text = (shape + "." + multicast).str();
  return llvm::StringSwitch<std::optional<uint32_t>>(text)
      .Case("128x256b.", TMemEmuCopy128x256b)
      .Case("128x128b.", TMemEmuCopy128x128b)
      .Case("64x128b.warpx2::02_13", TMemEmuCopy64x128b02_13)
      .Case("64x128b.warpx2::01_23", TMemEmuCopy64x128b01_23)
      .Case("32x128b.warpx4", TMemEmuCopy32x128b)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static uint32_t getGroupFlags(NVVM::CTAGroupKind group) {
  return group == NVVM::CTAGroupKind::CTA_2 ? TMemEmuCtaGroup2 : 0;
}

static uint32_t getKind(NVVM::Tcgen05MMAKind kind) {
  switch (kind) {
  case NVVM::Tcgen05MMAKind::F16:
    return TMemEmuMmaF16;
  case NVVM::Tcgen05MMAKind::TF32:
    return TMemEmuMmaTF32;
  case NVVM::Tcgen05MMAKind::F8F6F4:
    return TMemEmuMmaF8F6F4;
  case NVVM::Tcgen05MMAKind::I8:
    return TMemEmuMmaI8;
  }
  llvm_unreachable("a kind that NVVM does not have");
}

/// Shift of A and masks of lanes are what an mma may have and this has not.
static LogicalResult emitOp(Emitter &emitter, NVVM::Tcgen05MMAOp op) {
  if (op.getAShift())
    return emitter.state.refuse(op, "aShift");
  if (op.getDisableOutputLane())
    return emitter.state.refuse(op, "a mask of output lanes");
  Mma mma;
  mma.kind = getKind(op.getKind());
  mma.groupFlags = getGroupFlags(op.getCtaGroup());
  mma.isTensorA = isa<LLVM::LLVMPointerType>(op.getMatrixA().getType());
  mma.d = op.getMatrixD();
  mma.a = op.getMatrixA();
  mma.b = op.getMatrixB();
  mma.instruction = op.getIdesc();
  mma.accumulate = op.getEnableInputD();
  mma.scale = op.getScaleInputD();
  emitMma(emitter, mma);
  return success();
}

static LogicalResult emitOp(Emitter &emitter, NVVM::Tcgen05CommitOp op) {
  if (op.getMulticastMask())
    return emitter.state.refuse(op, "multicast to other blocks");
  emitCommit(emitter, op.getAddr(), getGroupFlags(op.getGroup()));
  return success();
}

static LogicalResult emitOp(Emitter &emitter, NVVM::Tcgen05CpOp op) {
  if (op.getSrcFormat())
    return emitter.state.refuse(op, "decompression");
  StringRef shape = NVVM::stringifyTcgen05CpShape(op.getShape());
  shape.consume_front("shape_");
  StringRef multicast;
  switch (op.getMulticast()) {
  case NVVM::Tcgen05CpMulticast::NONE:
    break;
  case NVVM::Tcgen05CpMulticast::WARPX2_02_13:
    multicast = "warpx2::02_13";
    break;
  case NVVM::Tcgen05CpMulticast::WARPX2_01_23:
    multicast = "warpx2::01_23";
    break;
  case NVVM::Tcgen05CpMulticast::WARPX4:
    multicast = "warpx4";
    break;
  }
  std::optional<uint32_t> parsed = parseCopyShape(shape, multicast);
  if (!parsed)
    return emitter.state.refuse(op, "shape " + shape);
  emitTensorCopy(emitter, *parsed, getGroupFlags(op.getGroup()), op.getTaddr(),
                 op.getSmemDesc());
  return success();
}

/// Puts a field of a descriptor in its place.
static Value addField(Emitter &emitter, Value descriptor, Value field,
                      uint64_t mask, unsigned first) {
  Value wide = emitter.create<LLVM::AndOp>(emitter.toInteger(field, 64),
                                           emitter.i64(mask));
  Value shifted = emitter.create<LLVM::ShlOp>(wide, emitter.i64(first));
  return emitter.create<LLVM::OrOp>(descriptor, shifted);
}

/// What NVVM makes of it: fields as they are, in 14, 3, 1 and 3 bits.
static Value emitDescriptor(Emitter &emitter, NVVM::Tcgen05MmaSmemDescOp op) {
  Value result = emitter.i64(int64_t(1) << 46);
  result = addField(emitter, result, op.getStartAddr(), 0x3fff, 0);
  result = addField(emitter, result, op.getLeadingDimOffset(), 0x3fff, 16);
  result = addField(emitter, result, op.getStrideDimOffset(), 0x3fff, 32);
  result = addField(emitter, result, op.getBaseOffset(), 7, 49);
  result = addField(emitter, result, op.getLeadingDimMode(), 1, 52);
  return addField(emitter, result, op.getSwizzleMode(), 7, 61);
}

std::optional<LogicalResult>
mlir::tmem::emulate::emitTensorCore(Emitter &emitter, Operation *op) {
  if (auto descriptor = dyn_cast<NVVM::Tcgen05MmaSmemDescOp>(op)) {
    emitter.replace(op, emitDescriptor(emitter, descriptor));
    return success();
  }
  std::optional<LogicalResult> result =
      llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
          .Case<NVVM::Tcgen05MMAOp, NVVM::Tcgen05CommitOp, NVVM::Tcgen05CpOp>(
              [&](auto op) { return emitOp(emitter, op); })
          .Case([&](NVVM::Tcgen05ShiftOp op) {
            emitTensorShift(emitter, getGroupFlags(op.getGroup()),
                            op.getTaddr());
            return success();
          })
          .Default(std::nullopt);
  if (result && succeeded(*result))
    emitter.replace(op);
  return result;
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// "mma.{shared, tensor}[.scale_d]": d, a, b, the instruction descriptor,
/// whether D is added, the scale if there is one, kind, cta_group, and the use
/// of a buffer, which changes no result.
static bool emitMmaIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                             StringRef name) {
  Mma mma;
  if (name.consume_front("tensor"))
    mma.isTensorA = true;
  else if (!name.consume_front("shared"))
    return false;
  bool isScaled = name.consume_front(".scale_d");
  if (!name.empty() || call.args.size() != 8u + isScaled)
    return false;
  mma.d = call.args[0];
  mma.a = call.args[1];
  mma.b = call.args[2];
  mma.instruction = call.args[3];
  mma.accumulate = call.args[4];
  if (isScaled)
    mma.scale = call.args[5];
  std::optional<int64_t> kind = call.getConstant(5 + isScaled);
  std::optional<int64_t> group = call.getConstant(6 + isScaled);
  if (!kind || *kind < TMemEmuMmaF16 || *kind > TMemEmuMmaI8 || !group)
    return false;
  mma.kind = *kind;
  mma.groupFlags = *group == 2 ? TMemEmuCtaGroup2 : 0;
  emitMma(emitter, mma);
  return true;
}

bool mlir::tmem::emulate::emitTensorCoreIntrinsic(Emitter &emitter,
                                                  const IntrinsicCall &call,
                                                  StringRef name) {
  size_t numArgs = call.args.size();
  uint32_t flags = 0;
  bool isKnown = false;
  if (name.consume_front("mma.")) {
    isKnown = emitMmaIntrinsic(emitter, call, name);
  } else {
    if (name.consume_back(".cg2"))
      flags = TMemEmuCtaGroup2;
    else if (!name.consume_back(".cg1"))
      return false;
    if ((name == "commit" || name == "commit.shared") && numArgs == 1) {
      emitCommit(emitter, call.args[0], flags);
      isKnown = true;
    } else if (name == "shift.down" && numArgs == 1) {
      emitTensorShift(emitter, flags, call.args[0]);
      isKnown = true;
    } else if (name.consume_front("cp.") && numArgs == 2) {
      // "64x128b_warpx2_02_13"
      auto [shape, multicast] = name.split('_');
      std::string qualifier = multicast.str();
      if (StringRef(qualifier).starts_with("warpx2_"))
        qualifier.replace(6, 1, "::");
      std::optional<uint32_t> parsed = parseCopyShape(shape, qualifier);
      if (!parsed)
        return false;
      emitTensorCopy(emitter, *parsed, flags, call.args[0], call.args[1]);
      isKnown = true;
    }
  }
  if (isKnown)
    emitter.replace(call.op);
  return isKnown;
}
