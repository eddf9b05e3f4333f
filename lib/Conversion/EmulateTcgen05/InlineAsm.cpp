//===- InlineAsm.cpp - Emulated inline PTX --------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"
#include "tmem/Target/PTX.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::emulate;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void PTXRegisters::set(StringRef name, Value value) {
  if (name == "_")
    return;
  Value &known = values[name];
  if (known && emitter.predicate) {
    Value old = emitter.fromBits(emitter.getBits(known), value.getType());
    value = emitter.create<LLVM::SelectOp>(emitter.predicate, value, old);
  }
  known = value;
}

/// "%cluster_ctaid.x" as intrinsics spell it. Upstream's printer of PTX takes
/// the '%' for that of an operand and makes it a '$'.
static Value emitRegisterOfPTX(Emitter &emitter, StringRef name) {
  if (name == "WARP_SZ")
    return emitter.i32(32);
  if (!name.consume_front("%") && !name.consume_front("$"))
    return {};
  std::string dotted = name.str();
  llvm::replace(dotted, '_', '.');
  return emitSpecialRegister(emitter, dotted);
}

Value PTXRegisters::getRaw(const PTXOperand &operand, unsigned bits) {
  if (operand.kind == PTXOperand::Number)
    return emitter.constant(
        emitter.builder.getIntegerType(bits),
        APInt(64, operand.number).sextOrTrunc(bits).getSExtValue());
  if (operand.kind != PTXOperand::Name)
    return {};
  if (Value value = lookup(operand.name))
    return value;
  return emitRegisterOfPTX(emitter, operand.name);
}

Value PTXRegisters::getInteger(const PTXOperand &operand, unsigned bits) {
  Value value = getRaw(operand, bits);
  return value ? emitter.toInteger(emitter.getBits(value), bits) : Value();
}

Value PTXRegisters::getPointer(const PTXOperand &operand, bool isShared) {
  if (operand.kind != PTXOperand::Address)
    return {};
  Value value = getRaw(operand.elements.front(), 64);
  if (!value || !isa<IntegerType, LLVM::LLVMPointerType>(value.getType()))
    return {};
  if (operand.number != 0)
    value = emitter.create<LLVM::AddOp>(emitter.getAddress(value),
                                        emitter.i64(operand.number));
  if (isShared && isa<IntegerType>(value.getType()))
    value = emitter.create<LLVM::IntToPtrOp>(
        LLVM::LLVMPointerType::get(emitter.builder.getContext(), SharedSpace),
        value);
  return emitter.getGeneric(value);
}

Value PTXRegisters::getPredicate(const PTXOperand &operand) {
  Value value = getInteger(operand, 1);
  return value;
}

//===----------------------------------------------------------------------===//
// Operands of the operation
//===----------------------------------------------------------------------===//

namespace {

/// An asm string with its operands.
struct Assembly {
  std::string text;
  std::vector<PTXStatement> statements;
  /// For each statement whether it waits in a loop, see foldWaitLoops.
  std::vector<bool> loops;
  unsigned numOutputs = 0;
  /// For each input the output that it shares a register with, or -1.
  SmallVector<int> ties;
};

} // namespace

static std::string getOperandName(unsigned index) {
  return "$" + std::to_string(index);
}

static LogicalResult parseConstraints(StringRef text, Assembly &assembly) {
  SmallVector<StringRef> constraints;
  text.split(constraints, ',', -1, /*KeepEmpty=*/false);
  for (StringRef constraint : constraints) {
    if (constraint.starts_with("~"))
      continue;
    if (constraint.contains('*'))
      return failure();
    if (constraint.starts_with("=")) {
      ++assembly.numOutputs;
      continue;
    }
    int tie = -1;
    if (constraint.getAsInteger(10, tie))
      tie = -1;
    assembly.ties.push_back(tie);
  }
  return success();
}

/// Leaves of each loop around a wait the wait alone, marked.
static void foldWaitLoops(Assembly &assembly) {
  std::vector<PTXStatement> statements;
  for (size_t i = 0; i < assembly.statements.size();) {
    unsigned length = matchWaitLoop(
        ArrayRef<PTXStatement>(assembly.statements).drop_front(i));
    statements.push_back(assembly.statements[i + (length != 0)]);
    assembly.loops.push_back(length != 0);
    i += std::max(length, 1u);
  }
  assembly.statements = std::move(statements);
}

static LogicalResult parseAssembly(Emitter &emitter, LLVM::InlineAsmOp op,
                                   Assembly &assembly) {
  assembly.text = unescapeAsm(op.getAsmString());
  if (failed(parseConstraints(op.getConstraints(), assembly)) ||
      assembly.ties.size() != op.getOperands().size())
    return emitter.state.refuse(op, "operands '" + op.getConstraints() + "'");
  auto statements = parseInlinePTX(assembly.text);
  if (statements) {
    assembly.statements = std::move(*statements);
    foldWaitLoops(assembly);
    return success();
  }
  std::string message;
  llvm::handleAllErrors(
      statements.takeError(),
      [&](const tmem::PTXError &error) { message = error.getMessage().str(); });
  return emitter.state.refuse(op, "PTX that cannot be read: " + message);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// How messages of a run call the instruction: "tcgen05.ld", "bar.sync".
static std::string getShortName(const PTXStatement &statement) {
  if (statement.parts.front() != "tcgen05" || statement.parts.size() < 2)
    return statement.opcode.str();
  std::string name = ("tcgen05." + statement.parts[1]).str();
  if (statement.has("red"))
    name += ".red";
  return name;
}

static bool emitStatement(Emitter &emitter, PTXRegisters &registers,
                          const PTXStatement &statement, bool isLoop) {
  if (emitTcgen05PTX(emitter, registers, statement) ||
      emitMovePTX(emitter, registers, statement))
    return true;
  return emitter.state.isHost &&
         (emitSyncPTX(emitter, registers, statement) ||
          emitMBarrierPTX(emitter, registers, statement, isLoop));
}

static LogicalResult emitPredicated(Emitter &emitter, PTXRegisters &registers,
                                    LLVM::InlineAsmOp op,
                                    const PTXStatement &statement,
                                    bool isLoop) {
  if (!statement.label.empty())
    return emitter.state.refuse(op,
                                "PTX label '" + Twine(statement.label) + "'");
  emitter.begin(op, getShortName(statement));
  if (!statement.predicate.empty()) {
    PTXOperand predicate;
    predicate.name = statement.predicate;
    emitter.predicate = registers.getPredicate(predicate);
    if (emitter.predicate && statement.isNegated)
      emitter.predicate =
          emitter.create<LLVM::XOrOp>(emitter.predicate, emitter.i1(true));
  }
  bool isKnown = (statement.predicate.empty() || emitter.predicate) &&
                 emitStatement(emitter, registers, statement, isLoop);
  emitter.predicate = {};
  if (isKnown)
    return success();
  return emitter.state.refuse(op, "PTX instruction '" +
                                      Twine(statement.opcode) + "'");
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// "mov.b32 $0, $1;"
static bool copiesOperand(const PTXStatement &statement) {
  if (statement.parts.empty() || statement.parts.front() != "mov" ||
      statement.operands.size() != 2)
    return false;
  StringRef source = statement.operands[1].name;
  unsigned index;
  return source.consume_front("$") && !source.getAsInteger(10, index);
}

/// On a GPU, PTX stays as it is unless it uses Tensor Memory, or does nothing
/// but carry registers from loads to waits.
static bool isLeftAlone(LLVM::InlineAsmOp op) {
  if (op.getAsmString().contains("tcgen05"))
    return false;
  if (op->getNumResults() == 0)
    return true;
  std::string text = unescapeAsm(op.getAsmString());
  auto statements = parseInlinePTX(text);
  if (statements)
    return !llvm::all_of(*statements, copiesOperand);
  llvm::consumeError(statements.takeError());
  return true;
}

/// Gives the results to their users: the elements of a struct one by one where
/// they are taken out of it anyway.
static void replaceAssembly(Emitter &emitter, LLVM::InlineAsmOp op,
                            ArrayRef<Value> outputs) {
  if (op->getNumResults() == 0 ||
      !isa<LLVM::LLVMStructType>(op.getRes().getType()))
    return emitter.replace(op, outputs);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
    if (extract && extract.getPosition().size() == 1)
      emitter.replace(extract, outputs[extract.getPosition()[0]]);
  }
  if (op->use_empty())
    return emitter.replace(op);
  emitter.replace(op, emitter.makeStruct(outputs));
}

static SmallVector<Type> getOutputTypes(LLVM::InlineAsmOp op) {
  if (op->getNumResults() == 0)
    return {};
  Type type = op.getRes().getType();
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return SmallVector<Type>(structType.getBody());
  return {type};
}

/// What the registers of NVPTX hold.
static bool isRegisterType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getElementType().isIntOrFloat();
  return type.isIntOrFloat() || isa<LLVM::LLVMPointerType>(type);
}

LogicalResult mlir::tmem::emulate::emitInlineAsm(Emitter &emitter,
                                                 LLVM::InlineAsmOp op) {
  if (!emitter.state.isHost && isLeftAlone(op))
    return success();
  Assembly assembly;
  emitter.begin(op);
  SmallVector<Type> types = getOutputTypes(op);
  if (!llvm::all_of(types, isRegisterType) ||
      !llvm::all_of(op.getOperandTypes(), isRegisterType))
    return emitter.state.refuse(op, "an operand that is no register");
  if (failed(parseAssembly(emitter, op, assembly)))
    return failure();

  PTXRegisters registers(emitter);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    registers.set(getOperandName(assembly.numOutputs + i), operand);
    if (assembly.ties[i] >= 0)
      registers.set(getOperandName(assembly.ties[i]), operand);
  }
  for (auto [statement, isLoop] :
       llvm::zip_equal(assembly.statements, assembly.loops))
    if (failed(emitPredicated(emitter, registers, op, statement, isLoop)))
      return failure();

  emitter.begin(op);
  SmallVector<Value> outputs;
  if (types.size() != assembly.numOutputs)
    return emitter.state.refuse(op, "operands '" + op.getConstraints() + "'");
  for (auto [i, type] : llvm::enumerate(types)) {
    Value value = registers.lookup(getOperandName(i));
    if (!value)
      return emitter.state.refuse(op, "PTX that leaves operand " + Twine(i) +
                                          " unwritten");
    outputs.push_back(value.getType() == type
                          ? value
                          : emitter.fromBits(emitter.getBits(value), type));
  }
  replaceAssembly(emitter, op, outputs);
  return success();
}
