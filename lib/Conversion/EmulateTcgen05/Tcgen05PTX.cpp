//===- Tcgen05PTX.cpp - Emulated tcgen05 instructions of PTX --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"
#include "Tcgen05.h"
#include "tmem/ExecutionEngine/Emulation.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::emulate;

using Operands = ArrayRef<PTXOperand>;

/// Reads the modifiers of ld and st behind "sync.aligned"; those that it does
/// not know make it fail.
static std::optional<Transfer> parseTransfer(const PTXStatement &statement,
                                             bool isReducing) {
  struct Modifier {
    StringLiteral name;
    uint32_t flag;
    bool isReducing;
  };
  static constexpr Modifier modifiers[] = {
      {"pack::16b", TMemEmuPack, false},
      {"unpack::16b", TMemEmuPack, false},
      {"min", TMemEmuReduceMin, true},
      {"max", TMemEmuReduceMax, true},
      {"abs", TMemEmuReduceAbs, true},
      {"NaN", TMemEmuReduceNaN, true},
      {"u32", TMemEmuReduceU32, true},
      {"s32", TMemEmuReduceS32, true},
      {"f32", 0, true},
      {"b32", 0, false},
  };
  Transfer transfer;
  std::optional<uint32_t> shape, count;
  for (StringRef part :
       ArrayRef(statement.parts).drop_front(isReducing ? 3 : 2)) {
    if (std::optional<uint32_t> parsed = parseShape(part)) {
      shape = parsed;
    } else if (std::optional<uint32_t> parsed = parseCount(part)) {
      count = parsed;
    } else if (part != "sync" && part != "aligned") {
      const Modifier *modifier = llvm::find_if(
          modifiers, [&](const Modifier &m) { return m.name == part; });
      if (modifier == std::end(modifiers) || modifier->isReducing != isReducing)
        return std::nullopt;
      transfer.flags |= modifier->flag;
    }
  }
  if (!shape || !count || transfer.isReducing() != isReducing)
    return std::nullopt;
  transfer.shape = *shape;
  transfer.count = *count;
  return transfer;
}

/// "[taddr]", and behind it for 16x32bx2 the immediate. Takes them off.
static bool parseAddress(Emitter &emitter, PTXRegisters &registers,
                         Operands &operands, Transfer &transfer) {
  if (operands.empty() || operands[0].kind != PTXOperand::Address)
    return false;
  Value address = registers.getInteger(operands[0].elements.front(), 32);
  if (!address)
    return false;
  if (operands[0].number != 0)
    address =
        emitter.create<LLVM::AddOp>(address, emitter.i32(operands[0].number));
  transfer.address = address;
  operands = operands.drop_front();
  if (transfer.shape != TMemEmu16x32bx2)
    return true;
  if (operands.empty())
    return false;
  if (operands[0].kind == PTXOperand::Number) {
    transfer.offset = emitter.i64(operands[0].number);
  } else {
    Value offset = registers.getInteger(operands[0], 32);
    if (!offset)
      return false;
    transfer.offset =
        emitter.create<LLVM::SExtOp>(emitter.builder.getI64Type(), offset);
  }
  operands = operands.drop_front();
  return true;
}

/// The registers of "{a, b}", or of "a" alone.
static Operands getList(const PTXOperand &operand) {
  return operand.kind == PTXOperand::Vector ? Operands(operand.elements)
                                            : Operands(operand);
}

/// Writes one register for each word.
static void setWords(Emitter &emitter, PTXRegisters &registers, Operands names,
                     Value words) {
  for (auto [i, name] : llvm::enumerate(names)) {
    Value word =
        names.size() == 1
            ? words
            : emitter.create<LLVM::ExtractElementOp>(words, emitter.i64(i));
    registers.set(name.name, word);
  }
}

static bool emitLoadPTX(Emitter &emitter, PTXRegisters &registers,
                        const PTXStatement &statement) {
  bool isReducing = statement.parts.size() > 2 && statement.parts[2] == "red";
  std::optional<Transfer> transfer = parseTransfer(statement, isReducing);
  Operands operands = statement.operands;
  if (!transfer || operands.size() < 2u + isReducing)
    return false;
  Operands names = getList(operands[0]);
  Operands rest = operands.drop_front(1 + isReducing);
  if (names.size() != transfer->getNumWords() ||
      !parseAddress(emitter, registers, rest, *transfer) || !rest.empty())
    return false;
  LoadedWords loaded = emitLoad(emitter, *transfer);
  setWords(emitter, registers, names, loaded.words);
  if (isReducing)
    registers.set(operands[1].name, loaded.reduced);
  return true;
}

static bool emitStorePTX(Emitter &emitter, PTXRegisters &registers,
                         const PTXStatement &statement) {
  std::optional<Transfer> transfer = parseTransfer(statement, false);
  Operands operands = statement.operands;
  if (!transfer || !parseAddress(emitter, registers, operands, *transfer) ||
      operands.size() != 1)
    return false;
  SmallVector<Value> words;
  for (const PTXOperand &name : getList(operands[0])) {
    words.push_back(registers.getInteger(name, 32));
    if (!words.back())
      return false;
  }
  if (words.size() != transfer->getNumWords())
    return false;
  emitStore(emitter, *transfer, words);
  return true;
}

static std::optional<uint32_t> parseGroup(const PTXStatement &statement) {
  uint32_t flags = statement.has("exclusive") ? TMemEmuExclusive : 0;
  if (statement.has("cta_group::2"))
    return flags | TMemEmuCtaGroup2;
  if (statement.has("cta_group::1"))
    return flags;
  return std::nullopt;
}

static bool emitAllocationPTX(Emitter &emitter, PTXRegisters &registers,
                              const PTXStatement &statement) {
  std::optional<uint32_t> flags = parseGroup(statement);
  Operands operands = statement.operands;
  if (!flags)
    return false;
  StringRef name = statement.parts[1];
  if (name == "relinquish_alloc_permit" && operands.empty()) {
    emitRelinquish(emitter, *flags);
    return true;
  }
  if (operands.size() != 2)
    return false;
  Value columns = registers.getInteger(operands[1], 32);
  if (name == "alloc") {
    bool isShared = llvm::any_of(statement.parts, [](StringRef part) {
      return part.starts_with("shared");
    });
    Value slot = registers.getPointer(operands[0], isShared);
    if (!slot || !columns)
      return false;
    emitAlloc(emitter, slot, columns, *flags);
    return true;
  }
  Value address = registers.getInteger(operands[0], 32);
  if (name != "dealloc" || !address || !columns)
    return false;
  emitDealloc(emitter, address, columns, *flags);
  return true;
}

bool mlir::tmem::emulate::emitTcgen05PTX(Emitter &emitter,
                                         PTXRegisters &registers,
                                         const PTXStatement &statement) {
  if (statement.parts.front() != "tcgen05" || statement.parts.size() < 2)
    return false;
  StringRef name = statement.parts[1];
  if (name == "ld")
    return emitLoadPTX(emitter, registers, statement);
  if (name == "st")
    return emitStorePTX(emitter, registers, statement);
  // A GPU without Tensor Memory has no such tensor core either.
  if (emitter.state.isHost && emitTensorCorePTX(emitter, registers, statement))
    return true;
  if (name == "wait::ld" || name == "wait::st")
    emitWait(emitter, name == "wait::ld");
  else if (name == "fence::before_thread_sync")
    emitFence(emitter, TMemEmuFenceBefore);
  else if (name == "fence::after_thread_sync")
    emitFence(emitter, TMemEmuFenceAfter);
  else
    return emitAllocationPTX(emitter, registers, statement);
  return true;
}
