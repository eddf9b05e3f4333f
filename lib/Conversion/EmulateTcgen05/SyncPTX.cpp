//===- SyncPTX.cpp - Emulated instructions of PTX around tcgen05 ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"
#include "Sync.h"
#include "Tcgen05.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::emulate;

using Operands = ArrayRef<PTXOperand>;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// The width that "b32", "u64", "f32" and "pred" stand for, or 0.
static unsigned getNumBits(StringRef type) {
  if (type == "pred")
    return 1;
  unsigned bits;
  if (type.empty() || !StringRef("busf").contains(type.front()) ||
      type.drop_front().getAsInteger(10, bits) || bits > 64)
    return 0;
  return bits;
}

/// "mov.b64 {a, b}, c".
static bool emitUnpack(Emitter &emitter, PTXRegisters &registers,
                       Operands operands, unsigned bits) {
  Operands names = operands[0].elements;
  Value value = registers.getInteger(operands[1], bits);
  if (!value)
    return false;
  value = emitter.read(value);
  unsigned part = bits / names.size();
  for (auto [i, name] : llvm::enumerate(names)) {
    Value shifted = emitter.create<LLVM::LShrOp>(
        value, emitter.constant(value.getType(), part * i));
    registers.set(name.name, emitter.toInteger(shifted, part));
  }
  return true;
}

/// "mov.b64 c, {a, b}".
static bool emitPack(Emitter &emitter, PTXRegisters &registers,
                     Operands operands, unsigned bits) {
  Operands names = operands[1].elements;
  Type type = emitter.builder.getIntegerType(bits);
  unsigned part = bits / names.size();
  Value result;
  for (auto [i, name] : llvm::enumerate(names)) {
    Value value = registers.getInteger(name, part);
    if (!value)
      return false;
    value = emitter.toInteger(emitter.read(value), bits);
    if (result)
      value = emitter.create<LLVM::OrOp>(
          result,
          emitter.create<LLVM::ShlOp>(value, emitter.constant(type, part * i)));
    result = value;
  }
  registers.set(operands[0].name, result);
  return true;
}

/// "selp.b32 d, a, b, p".
static bool emitSelect(Emitter &emitter, PTXRegisters &registers,
                       Operands operands, unsigned bits) {
  if (operands.size() != 4)
    return false;
  Value a = registers.getInteger(operands[1], bits);
  Value b = registers.getInteger(operands[2], bits);
  Value condition = registers.getPredicate(operands[3]);
  if (!a || !b || !condition)
    return false;
  registers.set(operands[0].name,
                emitter.create<LLVM::SelectOp>(condition, emitter.read(a),
                                               emitter.read(b)));
  return true;
}

/// "setp.ne.b32 p, a, b" of integers.
static bool emitCompare(Emitter &emitter, PTXRegisters &registers,
                        const PTXStatement &statement, unsigned bits) {
  using Predicate = LLVM::ICmpPredicate;
  bool isSigned = statement.parts.back().starts_with("s");
  if (statement.parts.back().starts_with("f") || statement.parts.size() != 3 ||
      statement.operands.size() != 3)
    return false;
  std::optional<Predicate> predicate =
      llvm::StringSwitch<std::optional<Predicate>>(statement.parts[1])
          .Case("eq", Predicate::eq)
          .Case("ne", Predicate::ne)
          .Cases({"lt", "lo"}, isSigned ? Predicate::slt : Predicate::ult)
          .Cases({"le", "ls"}, isSigned ? Predicate::sle : Predicate::ule)
          .Cases({"gt", "hi"}, isSigned ? Predicate::sgt : Predicate::ugt)
          .Cases({"ge", "hs"}, isSigned ? Predicate::sge : Predicate::uge)
          .Default(std::nullopt);
  Value a = registers.getInteger(statement.operands[1], bits);
  Value b = registers.getInteger(statement.operands[2], bits);
  if (!predicate || !a || !b)
    return false;
  registers.set(statement.operands[0].name,
                emitter.create<LLVM::ICmpOp>(*predicate, a, b));
  return true;
}

bool mlir::tmem::emulate::emitMovePTX(Emitter &emitter, PTXRegisters &registers,
                                      const PTXStatement &statement) {
  StringRef name = statement.parts.front();
  Operands operands = statement.operands;
  unsigned bits = getNumBits(statement.parts.back());
  if (bits == 0)
    return false;
  if (name == "selp")
    return emitSelect(emitter, registers, operands, bits);
  if (name == "setp")
    return emitCompare(emitter, registers, statement, bits);
  if (name != "mov" || statement.parts.size() != 2 || operands.size() != 2)
    return false;
  for (const PTXOperand &operand : operands)
    if (operand.kind == PTXOperand::Vector &&
        (operand.elements.size() > bits / 8 ||
         bits % operand.elements.size() != 0))
      return false;
  if (operands[0].kind == PTXOperand::Vector)
    return emitUnpack(emitter, registers, operands, bits);
  if (operands[1].kind == PTXOperand::Vector)
    return emitPack(emitter, registers, operands, bits);
  if (operands[0].kind != PTXOperand::Name)
    return false;
  // A copy keeps the type of what it copies: no casts between it and the end.
  Value known = operands[1].kind == PTXOperand::Name
                    ? registers.lookup(operands[1].name)
                    : Value();
  bool isPlain = known && known.getType().isIntOrFloat() &&
                 known.getType().getIntOrFloatBitWidth() == bits;
  Value value = isPlain ? known : registers.getInteger(operands[1], bits);
  if (!value)
    return false;
  registers.set(operands[0].name, emitter.read(value));
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers, fences and warps
//===----------------------------------------------------------------------===//

/// "bar.sync a[, b]", "bar.red.popc.u32 d, a[, b], p" and the same of barrier
/// and barrier.cta.
static bool emitBarrierPTX(Emitter &emitter, PTXRegisters &registers,
                           const PTXStatement &statement) {
  bool isShort = statement.parts.front() == "bar";
  Operands operands = statement.operands;
  uint32_t flags =
      isShort || statement.has("aligned") ? TMemEmuBarrierAligned : 0;
  if (statement.has("arrive"))
    flags |= TMemEmuBarrierArrive;
  bool isReducing = statement.has("red");
  if (isReducing)
    flags |= statement.has("popc")  ? TMemEmuBarrierPopc
             : statement.has("and") ? TMemEmuBarrierAnd
                                    : TMemEmuBarrierOr;
  else if (!statement.has("sync") && !statement.has("arrive"))
    return false;
  Operands args =
      isReducing ? operands.drop_front(!operands.empty()) : operands;
  Value test;
  if (isReducing && !args.empty()) {
    test = registers.getPredicate(args.back());
    args = args.drop_back();
  }
  if (args.empty() || args.size() > 2 || (isReducing && !test))
    return false;
  Value id = registers.getInteger(args[0], 32);
  Value threads =
      args.size() == 2 ? registers.getInteger(args[1], 32) : emitter.i32(0);
  if (!id || !threads)
    return false;
  Value reduced = emitBarrier(emitter, id, threads, flags, test);
  if (isReducing)
    registers.set(operands[0].name,
                  statement.has("popc") ? reduced : emitter.isNonZero(reduced));
  return true;
}

static bool emitElectPTX(Emitter &emitter, PTXRegisters &registers,
                         Operands operands) {
  if (operands.size() != 2 || operands[0].kind != PTXOperand::Pair)
    return false;
  Value mask = registers.getInteger(operands[1], 32);
  if (!mask)
    return false;
  auto [leader, isLeader] = emitElect(emitter, mask);
  registers.set(operands[0].elements[0].name, leader);
  registers.set(operands[0].elements[1].name, isLeader);
  return true;
}

/// "mapa[.shared::cluster].u32 d, a, b" and "getctarank... d, a", where the
/// address is a register, and may have something added to it.
static bool emitClusterPTX(Emitter &emitter, PTXRegisters &registers,
                           const PTXStatement &statement) {
  Operands operands = statement.operands;
  bool isMap = statement.parts.front() == "mapa";
  if (operands.size() != 2u + isMap || operands[0].kind != PTXOperand::Name)
    return false;
  unsigned bits = statement.parts.back() == "u64" ? 64 : 32;
  Value address = registers.getInteger(
      operands[1], isMap || statement.has("shared::cluster") ? bits : 64);
  if (!address)
    return false;
  if (!isMap) {
    registers.set(operands[0].name, emitGetCtaRank(emitter, address));
    return true;
  }
  Value rank = registers.getInteger(operands[2], 32);
  if (!rank)
    return false;
  registers.set(operands[0].name,
                emitMapShared(emitter, address, rank, address.getType()));
  return true;
}

/// Everything without a result. The parts of its opcode decide.
static bool emitVoidPTX(Emitter &emitter, PTXRegisters &registers,
                        const PTXStatement &statement) {
  StringRef opcode = statement.opcode, name = statement.parts.front();
  if (opcode == "bar.warp.sync" && statement.operands.size() == 1) {
    Value mask = registers.getInteger(statement.operands[0], 32);
    if (!mask)
      return false;
    emitter.call("tmemEmuWarpSync", mask);
  } else if (opcode.consume_front("barrier.cluster.")) {
    return emitClusterBarrier(emitter, opcode);
  } else if (opcode == "fence.proxy.async" ||
             opcode.starts_with("fence.proxy.async.shared")) {
    emitFence(emitter, TMemEmuFenceProxy);
  } else if (opcode.starts_with("fence.proxy")) {
    // They order proxies that are not emulated.
  } else if (name == "fence" || name == "membar") {
    emitFence(emitter, TMemEmuFenceMemory);
  } else if (name == "nanosleep") {
    emitter.call("tmemEmuYield");
  } else if (name == "exit") {
    emitter.call("tmemEmuExit");
  } else if (name == "trap") {
    emitter.call("tmemEmuTrap");
  } else {
    // Hints, and what has no counterpart here.
    return name == "griddepcontrol" || name == "setmaxnreg" ||
           name == "prefetch" || name == "prefetchu" || name == "pmevent";
  }
  return true;
}

bool mlir::tmem::emulate::emitSyncPTX(Emitter &emitter, PTXRegisters &registers,
                                      const PTXStatement &statement) {
  if (emitVoidPTX(emitter, registers, statement))
    return true;
  StringRef name = statement.parts.front();
  if (name == "bar" || name == "barrier")
    return emitBarrierPTX(emitter, registers, statement);
  if (statement.opcode == "elect.sync")
    return emitElectPTX(emitter, registers, statement.operands);
  if (name == "mapa" || name == "getctarank")
    return emitClusterPTX(emitter, registers, statement);
  return false;
}

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

static bool isShared(const PTXStatement &statement) {
  return llvm::any_of(statement.parts, [](StringRef part) {
    return part.starts_with("shared");
  });
}

/// "mbarrier.arrive[.drop][.expect_tx]... [state,] [addr][, count]".
static bool emitArrivePTX(Emitter &emitter, PTXRegisters &registers,
                          const PTXStatement &statement) {
  Operands operands = statement.operands;
  StringRef state;
  if (!operands.empty() && operands[0].kind == PTXOperand::Name) {
    state = operands[0].name;
    operands = operands.drop_front();
  }
  if (operands.empty() || operands.size() > 2)
    return false;
  Value barrier = registers.getPointer(operands[0], isShared(statement));
  Value amount = operands.size() == 2 ? registers.getInteger(operands[1], 32)
                                      : emitter.i32(1);
  if (!barrier || !amount)
    return false;
  bool isOwn = isShared(statement) && !statement.has("shared::cluster");
  uint32_t flags = isOwn ? 0 : TMemEmuArriveCluster;
  if (!state.empty() && state != "_")
    flags |= TMemEmuArriveState;
  if (statement.parts[1] == "arrive_drop")
    flags |= TMemEmuArriveDrop;
  if (statement.has("noComplete"))
    flags |= TMemEmuArriveNoComplete;
  if (statement.has("relaxed"))
    flags |= TMemEmuArriveRelaxed;
  bool isExpecting = statement.has("expect_tx");
  Value result = emitArrive(emitter, barrier, isExpecting ? Value() : amount,
                            isExpecting ? amount : Value(), flags);
  if (!state.empty())
    registers.set(state, result);
  return true;
}

/// "mbarrier.try_wait[.parity]... p, [addr], state[, time]".
static bool emitWaitPTX(Emitter &emitter, PTXRegisters &registers,
                        const PTXStatement &statement, bool isLoop) {
  Operands operands = statement.operands;
  if (operands.size() != 3 && operands.size() != 4)
    return false;
  bool isParity = statement.has("parity");
  Value barrier = registers.getPointer(operands[1], isShared(statement));
  Value state = registers.getInteger(operands[2], isParity ? 32 : 64);
  if (!barrier || !state)
    return false;
  uint32_t flags = isParity ? TMemEmuWaitParity : 0;
  if (isLoop)
    flags |= TMemEmuWaitBlock;
  if (statement.parts[1] == "try_wait")
    flags |= TMemEmuWaitTry;
  if (statement.has("relaxed"))
    flags |= TMemEmuWaitRelaxed;
  registers.set(operands[0].name,
                emitMBarrierWait(emitter, barrier, state, flags));
  return true;
}

bool mlir::tmem::emulate::emitMBarrierPTX(Emitter &emitter,
                                          PTXRegisters &registers,
                                          const PTXStatement &statement,
                                          bool isLoop) {
  if (statement.parts.front() != "mbarrier" || statement.parts.size() < 2)
    return false;
  StringRef name = statement.parts[1];
  if (name == "arrive" || name == "arrive_drop")
    return emitArrivePTX(emitter, registers, statement);
  if (name == "test_wait" || name == "try_wait")
    return emitWaitPTX(emitter, registers, statement, isLoop);
  Operands operands = statement.operands;
  if (operands.empty())
    return false;
  Value barrier = registers.getPointer(operands[0], isShared(statement));
  if (!barrier)
    return false;
  if (name == "inval" && operands.size() == 1) {
    emitter.call("tmemEmuMBarrierInval", barrier);
    return true;
  }
  StringRef callee = llvm::StringSwitch<StringRef>(name)
                         .Case("init", "tmemEmuMBarrierInit")
                         .Case("expect_tx", "tmemEmuMBarrierExpect")
                         .Case("complete_tx", "tmemEmuMBarrierComplete")
                         .Default("");
  Value amount =
      operands.size() == 2 ? registers.getInteger(operands[1], 32) : Value();
  if (callee.empty() || !amount)
    return false;
  emitter.call(callee, {barrier, amount});
  return true;
}
