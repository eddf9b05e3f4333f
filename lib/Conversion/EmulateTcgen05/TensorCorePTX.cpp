//===- TensorCorePTX.cpp - Emulated PTX of the tensor core ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"
#include "Tcgen05.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::emulate;

using Operands = ArrayRef<PTXOperand>;

static std::optional<uint32_t> parseGroup(StringRef part) {
  return llvm::StringSwitch<std::optional<uint32_t>>(part)
      .Case("cta_group::1", 0)
      .Case("cta_group::2", TMemEmuCtaGroup2)
      .Default(std::nullopt);
}

static std::optional<uint32_t> parseKind(StringRef part) {
  return llvm::StringSwitch<std::optional<uint32_t>>(part)
      .Case("kind::f16", TMemEmuMmaF16)
      .Case("kind::tf32", TMemEmuMmaTF32)
      .Case("kind::f8f6f4", TMemEmuMmaF8F6F4)
      .Case("kind::i8", TMemEmuMmaI8)
      .Default(std::nullopt);
}

/// "[taddr]" or "[taddr + 4]".
static Value getTensorAddress(Emitter &emitter, PTXRegisters &registers,
                              const PTXOperand &operand) {
  if (operand.kind != PTXOperand::Address)
    return {};
  Value address = registers.getInteger(operand.elements.front(), 32);
  if (!address || operand.number == 0)
    return address;
  return emitter.create<LLVM::AddOp>(address, emitter.i32(operand.number));
}

/// "tcgen05.mma.cta_group.kind[.collector::a::X] [d], a, b, idesc, p[, scale]".
/// The collector changes no result. What has other modifiers or a mask of
/// lanes is not known here.
static bool emitMmaPTX(Emitter &emitter, PTXRegisters &registers,
                       const PTXStatement &statement) {
  Mma mma;
  std::optional<uint32_t> group, kind;
  for (StringRef part : ArrayRef(statement.parts).drop_front(2)) {
    if (auto parsed = parseGroup(part))
      group = parsed;
    else if (auto parsed = parseKind(part))
      kind = parsed;
    else if (!part.starts_with("collector::a::"))
      return false;
  }
  Operands operands = statement.operands;
  if (!group || !kind || operands.size() < 5 || operands.size() > 6)
    return false;
  mma.groupFlags = *group;
  mma.kind = *kind;
  mma.isTensorA = operands[1].kind == PTXOperand::Address;
  mma.d = getTensorAddress(emitter, registers, operands[0]);
  mma.a = mma.isTensorA ? getTensorAddress(emitter, registers, operands[1])
                        : registers.getInteger(operands[1], 64);
  mma.b = registers.getInteger(operands[2], 64);
  mma.instruction = registers.getInteger(operands[3], 32);
  mma.accumulate = registers.getPredicate(operands[4]);
  if (!mma.d || !mma.a || !mma.b || !mma.instruction || !mma.accumulate)
    return false;
  if (operands.size() == 6) {
    mma.scale = registers.getInteger(operands[5], 32);
    if (!mma.scale)
      return false;
  }
  emitMma(emitter, mma);
  return true;
}

/// "tcgen05.cp.cta_group.shape[.multicast] [taddr], desc".
static bool emitCopyPTX(Emitter &emitter, PTXRegisters &registers,
                        const PTXStatement &statement) {
  std::optional<uint32_t> group;
  StringRef shape, multicast;
  for (StringRef part : ArrayRef(statement.parts).drop_front(2)) {
    if (auto parsed = parseGroup(part))
      group = parsed;
    else if (part.starts_with("warpx"))
      multicast = part;
    else if (shape.empty())
      shape = part;
    else
      return false;
  }
  std::optional<uint32_t> parsed = parseCopyShape(shape, multicast);
  if (!group || !parsed || statement.operands.size() != 2)
    return false;
  Value address = getTensorAddress(emitter, registers, statement.operands[0]);
  Value source = registers.getInteger(statement.operands[1], 64);
  if (!address || !source)
    return false;
  emitTensorCopy(emitter, *parsed, *group, address, source);
  return true;
}

/// "tcgen05.commit.cta_group.mbarrier::arrive::one[.shared::cluster].b64
/// [mbar]".
static bool emitCommitPTX(Emitter &emitter, PTXRegisters &registers,
                          const PTXStatement &statement) {
  std::optional<uint32_t> group;
  bool isShared = false;
  for (StringRef part : ArrayRef(statement.parts).drop_front(2)) {
    if (auto parsed = parseGroup(part))
      group = parsed;
    else if (part == "shared::cluster")
      isShared = true;
    else if (part != "mbarrier::arrive::one" && part != "b64")
      return false;
  }
  if (!group || statement.operands.size() != 1)
    return false;
  Value barrier = registers.getPointer(statement.operands[0], isShared);
  if (!barrier)
    return false;
  emitCommit(emitter, barrier, *group);
  return true;
}

static bool emitShiftPTX(Emitter &emitter, PTXRegisters &registers,
                         const PTXStatement &statement) {
  std::optional<uint32_t> group;
  bool isDown = false;
  for (StringRef part : ArrayRef(statement.parts).drop_front(2)) {
    if (auto parsed = parseGroup(part))
      group = parsed;
    else if (part == "down")
      isDown = true;
    else
      return false;
  }
  if (!group || !isDown || statement.operands.size() != 1)
    return false;
  Value address = getTensorAddress(emitter, registers, statement.operands[0]);
  if (!address)
    return false;
  emitTensorShift(emitter, *group, address);
  return true;
}

bool mlir::tmem::emulate::emitTensorCorePTX(Emitter &emitter,
                                            PTXRegisters &registers,
                                            const PTXStatement &statement) {
  StringRef name = statement.parts[1];
  if (name == "mma")
    return emitMmaPTX(emitter, registers, statement);
  if (name == "cp")
    return emitCopyPTX(emitter, registers, statement);
  if (name == "commit")
    return emitCommitPTX(emitter, registers, statement);
  if (name == "shift")
    return emitShiftPTX(emitter, registers, statement);
  return false;
}
