//===- InlinePTX.cpp - Effects of inline assembly -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of Tensor Memory that stand alone or one after the other in
// inline assembly, without predicates, labels and registers of their own: what
// compilers put there, and this project's lowering for forms without an
// intrinsic. Of mbarriers also the test whose answer is returned, and the loop
// that repeats it. Everything else is not read, and said to be so.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/InlinePTX.h"
#include "Graph.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

namespace {

/// One instruction, and what its operands stand for.
class Instruction {
public:
  Instruction(LLVM::InlineAsmOp op, const PTXStatement &statement)
      : op(op), statement(statement) {}

  /// False if it is not known here.
  bool classify(SmallVectorImpl<Effect> &effects) const;
  /// The same of a test of an mbarrier.
  bool classifyTest(SmallVectorImpl<Effect> &effects) const;
  bool isTest() const;

private:
  ArrayRef<PTXOperand> operands() const { return statement.operands; }
  bool has(StringRef part) const { return statement.has(part); }
  bool isInstructionOf(StringRef family) const {
    return statement.parts.size() > 1 && statement.parts.front() == family;
  }
  Effect make(EventKind kind, bool isAligned) const;
  bool classifyTensorMemory(SmallVectorImpl<Effect> &effects) const;
  bool classifyMBarrier(SmallVectorImpl<Effect> &effects) const;
  bool readAllocation(Effect &effect) const;
  bool readTransfer(Effect &effect) const;
  bool readCommit(Effect &effect) const;
  Value getValue(const PTXOperand &operand) const;
  bool readAddress(const PTXOperand &operand, Effect &effect) const;

  mutable LLVM::InlineAsmOp op; ///< Whose accessors are not const.
  const PTXStatement &statement;
};

} // namespace

Effect Instruction::make(EventKind kind, bool isAligned) const {
  Effect effect = makeEffect(kind, op);
  effect.isAligned = isAligned;
  if (has("cta_group::1") || has("cta_group::2"))
    effect.ctaGroup = has("cta_group::2") ? 2 : 1;
  return effect;
}

namespace {
/// What names of operands stand for: outputs are counted first, and inputs may
/// share the register of one.
struct Constraints {
  explicit Constraints(LLVM::InlineAsmOp op);
  /// The input that "$3" is, or -1.
  int getInput(StringRef name) const;

  unsigned numOutputs = 0, numInputs;
  DenseMap<unsigned, unsigned> ties; ///< By output: the input.
};
} // namespace

Constraints::Constraints(LLVM::InlineAsmOp op)
    : numInputs(op.getOperands().size()) {
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',');
  unsigned input = 0, output;
  for (StringRef constraint : constraints) {
    if (constraint.starts_with("="))
      ++numOutputs;
    else if (!constraint.getAsInteger(10, output))
      ties[output] = input++;
    else if (!constraint.starts_with("~"))
      ++input;
  }
}

int Constraints::getInput(StringRef name) const {
  unsigned index = 0;
  if (!name.consume_front("$") || name.getAsInteger(10, index))
    return -1;
  if (auto tie = ties.find(index); tie != ties.end())
    index = numOutputs + tie->second;
  return index < numOutputs || index - numOutputs >= numInputs
             ? -1
             : int(index - numOutputs);
}

/// What "$3" stands for, or null.
Value Instruction::getValue(const PTXOperand &operand) const {
  int input = operand.kind == PTXOperand::Name
                  ? Constraints(op).getInput(operand.name)
                  : -1;
  return input < 0 ? Value() : op.getOperands()[input];
}

/// "[$3]", "[$3 + 8]".
bool Instruction::readAddress(const PTXOperand &operand, Effect &effect) const {
  if (operand.kind != PTXOperand::Address)
    return false;
  effect.address = getValue(operand.elements.front());
  effect.offset = operand.number;
  return effect.address != nullptr;
}

//===----------------------------------------------------------------------===//
// Tensor Memory
//===----------------------------------------------------------------------===//

/// "[$0], $1" of alloc, "$0, $1" of dealloc; columns may be a number.
bool Instruction::readAllocation(Effect &effect) const {
  if (operands().size() != 2)
    return false;
  effect.isExclusive = has("exclusive");
  if (effect.kind == EventKind::Alloc)
    readAddress(operands()[0], effect);
  else
    effect.address = getValue(operands()[0]);
  const PTXOperand &columns = operands()[1];
  if (columns.kind == PTXOperand::Number)
    effect.staticColumns = columns.number;
  else
    effect.columns = getValue(columns);
  return effect.address &&
         (effect.columns || columns.kind == PTXOperand::Number);
}

/// Shape, count and packing from the name, the address from the brackets, and
/// what stands behind it of a split transfer.
bool Instruction::readTransfer(Effect &effect) const {
  bool hasShape = false;
  for (StringRef part : statement.parts) {
    if (std::optional<AtomShape> shape = symbolizeAtomShape(part)) {
      effect.shape = *shape;
      hasShape = true;
    } else if (part.consume_front("x")) {
      part.getAsInteger(10, effect.repeat);
    }
  }
  effect.packs = has("pack::16b") || has("unpack::16b");
  const auto *address =
      llvm::find_if(operands(), [](const PTXOperand &operand) {
        return operand.kind == PTXOperand::Address;
      });
  if (!hasShape || effect.repeat == 0 || address == operands().end())
    return false;
  if (!readAddress(*address, effect))
    return false;
  if (effect.shape == AtomShape::S16x32bx2) {
    if (std::next(address) != operands().end())
      effect.split = getValue(*std::next(address));
    if (!effect.split)
      return false;
  }
  return true;
}

/// "[$0]", of one CTA.
bool Instruction::readCommit(Effect &effect) const {
  if (has("multicast::cluster") || !has("mbarrier::arrive::one") ||
      operands().size() != 1)
    return false;
  return readAddress(operands()[0], effect);
}

bool Instruction::classifyTensorMemory(SmallVectorImpl<Effect> &effects) const {
  std::optional<EventKind> kind =
      llvm::StringSwitch<std::optional<EventKind>>(statement.parts[1])
          .Case("alloc", EventKind::Alloc)
          .Case("dealloc", EventKind::Dealloc)
          .Case("relinquish_alloc_permit", EventKind::Relinquish)
          .Case("ld", EventKind::Load)
          .Case("st", EventKind::Store)
          .Case("commit", EventKind::Commit)
          .Case("wait::ld", EventKind::WaitLoad)
          .Case("wait::st", EventKind::WaitStore)
          .Case("fence::before_thread_sync", EventKind::FenceBefore)
          .Case("fence::after_thread_sync", EventKind::FenceAfter)
          .Default(std::nullopt);
  if (!kind)
    return false;
  bool isOfThread = *kind == EventKind::FenceBefore ||
                    *kind == EventKind::FenceAfter ||
                    *kind == EventKind::Commit;
  Effect effect = make(*kind, /*isAligned=*/!isOfThread);
  bool isKnown = true;
  if (*kind == EventKind::Alloc || *kind == EventKind::Dealloc)
    isKnown = readAllocation(effect);
  else if (*kind == EventKind::Load || *kind == EventKind::Store)
    isKnown = readTransfer(effect);
  else if (*kind == EventKind::Commit)
    isKnown = readCommit(effect);
  if (isKnown)
    effects.push_back(effect);
  return isKnown;
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

/// "mbarrier.try_wait.parity... p, [$0], $1", or test_wait.
bool Instruction::isTest() const {
  return isInstructionOf("mbarrier") && (has("try_wait") || has("test_wait")) &&
         has("parity") && !has("shared::cluster") && operands().size() >= 3;
}

bool Instruction::classifyTest(SmallVectorImpl<Effect> &effects) const {
  if (!isTest() || has("relaxed") || !statement.predicate.empty())
    return false;
  Effect effect = make(EventKind::MBarrierWait, /*isAligned=*/false);
  effect.parity = getValue(operands()[2]);
  if (!readAddress(operands()[1], effect) || !effect.parity)
    return false;
  effects.push_back(effect);
  return true;
}

/// Init, inval, and arrive without a count, of an mbarrier of the CTA at "[$0]"
/// (PTX ISA, mbarrier).
bool Instruction::classifyMBarrier(SmallVectorImpl<Effect> &effects) const {
  if (has("shared::cluster") || has("relaxed") || operands().empty())
    return false;
  Effect effect = make(EventKind::MBarrierInit, /*isAligned=*/false);
  readAddress(operands().front(), effect);
  StringRef name = statement.parts[1];
  if (name == "init" && operands().size() == 2) {
    effect.count = getValue(operands()[1]);
    if (!effect.count)
      return false;
  } else if (name == "inval" && operands().size() == 1) {
    effect.kind = EventKind::MBarrierInval;
  } else if (name == "arrive" && operands().size() == 2 &&
             operands().front().name == "_" && !has("expect_tx") &&
             !has("noComplete")) {
    effect.kind = EventKind::MBarrierArrive;
    readAddress(operands()[1], effect);
  } else {
    return false;
  }
  if (effect.address)
    effects.push_back(effect);
  return effect.address != nullptr;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// What may order something, or is of Tensor Memory.
static bool mayMatter(StringRef text) {
  return text.contains("bar") || text.contains("tcgen05");
}

/// What may leave the text: "exit", "ret", "call" and branches to elsewhere. A
/// trap ends the whole kernel, and nothing goes wrong behind it.
static bool mayLeave(const PTXStatement &statement,
                     ArrayRef<PTXStatement> statements) {
  StringRef name = statement.opcode.split('.').first;
  if (name == "bra")
    return statement.operands.size() != 1 ||
           llvm::none_of(statements, [&](const PTXStatement &other) {
             return !other.label.empty() &&
                    other.label == statement.operands.front().name;
           });
  return name == "exit" || name == "ret" || name == "call" || name == "brx";
}

/// The same of text that cannot be parsed.
static bool mayLeave(StringRef text) {
  return llvm::any_of(ArrayRef<StringRef>{"exit", "ret", "call", "bra", "brx"},
                      [&](StringRef name) { return text.contains(name); });
}

static bool mayMatter(const PTXOperand &operand) {
  return mayMatter(operand.name) ||
         llvm::any_of(operand.elements, [](const PTXOperand &element) {
           return mayMatter(element);
         });
}

bool Instruction::classify(SmallVectorImpl<Effect> &effects) const {
  if (statement.opcode == "exit" && statement.predicate.empty()) {
    effects.push_back(make(EventKind::End, /*isAligned=*/false));
    return true;
  }
  bool isTensorMemory = isInstructionOf("tcgen05");
  if ((isTensorMemory || isInstructionOf("mbarrier")) &&
      statement.predicate.empty())
    return isTensorMemory ? classifyTensorMemory(effects)
                          : classifyMBarrier(effects);
  return !mayMatter(statement.opcode) && !mayMatter(statement.predicate) &&
         llvm::none_of(operands(), [](const PTXOperand &operand) {
           return mayMatter(operand);
         });
}

/// "selp.b32 $0, 1, 0, p" behind a test of p.
static bool returnsTest(const PTXStatement &statement, StringRef tested) {
  if (statement.parts.size() != 2 || statement.parts.front() != "selp" ||
      !llvm::is_contained({"b32", "u32", "s32"}, statement.parts[1]) ||
      !statement.predicate.empty() || statement.operands.size() != 4)
    return false;
  ArrayRef<PTXOperand> operands = statement.operands;
  auto is = [](const PTXOperand &operand, int64_t number) {
    return operand.kind == PTXOperand::Number && operand.number == number;
  };
  return operands[0].name == "$0" && is(operands[1], 1) && is(operands[2], 0) &&
         operands[3].name == tested;
}

/// A test of an mbarrier whose answer is returned, or that is repeated until it
/// holds; and nothing else.
static bool classifyTest(LLVM::InlineAsmOp op,
                         ArrayRef<PTXStatement> statements,
                         SmallVectorImpl<Effect> &effects) {
  if (statements.size() < 2)
    return false;
  bool isLoop = matchWaitLoop(statements) == statements.size();
  const PTXStatement &first = statements[isLoop ? 1 : 0];
  Instruction test(op, first);
  return test.isTest() &&
         (isLoop ||
          (statements.size() == 2 &&
           returnsTest(statements[1], first.operands.front().name))) &&
         test.classifyTest(effects);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static bool isOfTcgen05(const PTXStatement &statement, StringRef name) {
  return statement.parts.size() > 1 && statement.parts[0] == "tcgen05" &&
         statement.parts[1] == name;
}

static void getNames(const PTXOperand &operand,
                     SmallVectorImpl<StringRef> &names) {
  if (operand.kind == PTXOperand::Name)
    names.push_back(operand.name);
  for (const PTXOperand &element : operand.elements)
    getNames(element, names);
}

/// Registers that a statement reads or writes.
static SmallVector<StringRef> getNames(const PTXStatement &statement) {
  SmallVector<StringRef> names{statement.predicate};
  for (const PTXOperand &operand : statement.operands)
    getNames(operand, names);
  return names;
}

namespace {
/// Registers that loads of the text still fill.
class PendingNames {
public:
  /// True where a statement uses one.
  bool visit(const PTXStatement &statement) {
    bool isUse = !pending.empty() &&
                 llvm::any_of(getNames(statement), [&](StringRef name) {
                   return pending.contains(name);
                 });
    if (isOfTcgen05(statement, "wait::ld"))
      pending.clear();
    if (!isOfTcgen05(statement, "ld"))
      return isUse;
    // What it loads stands before the address.
    SmallVector<StringRef> names;
    for (const PTXOperand &operand : statement.operands) {
      if (operand.kind == PTXOperand::Address)
        break;
      getNames(operand, names);
    }
    pending.insert(names.begin(), names.end());
    return isUse;
  }

private:
  llvm::DenseSet<StringRef> pending;
};
} // namespace

llvm::BitVector mlir::tmem::hazards::getEarlyOperands(LLVM::InlineAsmOp op) {
  Constraints constraints(op);
  llvm::BitVector all(constraints.numInputs, true);
  std::string text = unescapeAsm(op.getAsmString());
  if (!StringRef(text).contains("wait::ld"))
    return all;
  auto statements = parseInlinePTX(text);
  if (!statements) {
    llvm::consumeError(statements.takeError());
    return all;
  }
  llvm::BitVector read(constraints.numInputs);
  for (const PTXStatement &statement : *statements) {
    if (!statement.label.empty())
      return all;
    if (isOfTcgen05(statement, "wait::ld") && statement.predicate.empty())
      return read;
    for (StringRef name : getNames(statement))
      if (int input = constraints.getInput(name); input >= 0)
        read.set(input);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// All statements
//===----------------------------------------------------------------------===//

/// False if there is something that is not known here.
static bool classifyStatements(LLVM::InlineAsmOp op,
                               ArrayRef<PTXStatement> statements,
                               SmallVectorImpl<Effect> &effects) {
  bool hasJumps = llvm::any_of(statements, [](const PTXStatement &statement) {
    return !statement.label.empty() ||
           statement.opcode.split('.').first == "bra";
  });
  size_t before = effects.size();
  PendingNames pending;
  bool isUsed = false;
  for (const PTXStatement &statement : statements) {
    if (!isUsed && pending.visit(statement)) {
      isUsed = true;
      Effect use;
      use.kind = EventKind::RegisterUse;
      use.op = op;
      effects.push_back(use);
    }
    if (statement.label.empty() ? !Instruction(op, statement).classify(effects)
                                : mayMatter(statement.label))
      return false;
    if (mayLeave(statement, statements) &&
        (effects.empty() || effects.back().kind != EventKind::End))
      return false;
  }
  // A branch may pass an instruction by.
  return !hasJumps || effects.size() == before;
}

void mlir::tmem::hazards::classifyInlinePTX(LLVM::InlineAsmOp op,
                                            SmallVectorImpl<Effect> &effects) {
  std::string text = unescapeAsm(op.getAsmString());
  size_t before = effects.size();
  bool isKnown = !mayMatter(text) && !mayLeave(text);
  if (auto statements = parseInlinePTX(text))
    isKnown = classifyTest(op, *statements, effects) ||
              classifyStatements(op, *statements, effects);
  else
    llvm::consumeError(statements.takeError());
  if (isKnown)
    return;
  effects.truncate(before);
  Effect effect = makeEffect(EventKind::Unknown, op);
  effect.reason = "inline PTX of this form is not read here";
  effects.push_back(effect);
}
