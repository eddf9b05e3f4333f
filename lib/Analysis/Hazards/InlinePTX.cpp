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
  Value getAddress(const PTXOperand &operand) const;

  mutable LLVM::InlineAsmOp op; ///< Whose accessors are not const.
  const PTXStatement &statement;
};

} // namespace

Effect Instruction::make(EventKind kind, bool isAligned) const {
  Effect effect;
  effect.kind = kind;
  effect.op = op;
  effect.isAligned = isAligned;
  if (has("cta_group::1") || has("cta_group::2"))
    effect.ctaGroup = has("cta_group::2") ? 2 : 1;
  return effect;
}

/// What "$3" stands for, or null: outputs are counted first.
Value Instruction::getValue(const PTXOperand &operand) const {
  StringRef name = operand.name;
  unsigned index = 0, numOutputs = 0;
  if (operand.kind != PTXOperand::Name || !name.consume_front("$") ||
      name.getAsInteger(10, index))
    return {};
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',');
  for (StringRef constraint : constraints)
    numOutputs += constraint.starts_with("=");
  if (index < numOutputs || index - numOutputs >= op.getOperands().size())
    return {};
  return op.getOperands()[index - numOutputs];
}

/// What "[$3]" stands for, or null.
Value Instruction::getAddress(const PTXOperand &operand) const {
  if (operand.kind != PTXOperand::Address || operand.number != 0)
    return {};
  return getValue(operand.elements.front());
}

//===----------------------------------------------------------------------===//
// Tensor Memory
//===----------------------------------------------------------------------===//

/// "[$0], $1" of alloc, "$0, $1" of dealloc; columns may be a number.
bool Instruction::readAllocation(Effect &effect) const {
  if (operands().size() != 2)
    return false;
  effect.isExclusive = has("exclusive");
  effect.address = effect.kind == EventKind::Alloc ? getAddress(operands()[0])
                                                   : getValue(operands()[0]);
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
  effect.address = getAddress(*address);
  if (effect.shape == AtomShape::S16x32bx2) {
    if (std::next(address) != operands().end())
      effect.split = getValue(*std::next(address));
    if (!effect.split)
      return false;
  }
  return effect.address != nullptr;
}

/// "[$0]", of one CTA.
bool Instruction::readCommit(Effect &effect) const {
  if (has("multicast::cluster") || !has("mbarrier::arrive::one") ||
      operands().size() != 1)
    return false;
  effect.address = getAddress(operands()[0]);
  return effect.address != nullptr;
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
  effect.address = getAddress(operands()[1]);
  effect.parity = getValue(operands()[2]);
  if (!effect.address || !effect.parity)
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
  effect.address = getAddress(operands().front());
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
    effect.address = getAddress(operands()[1]);
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

static bool mayMatter(const PTXOperand &operand) {
  return mayMatter(operand.name) ||
         llvm::any_of(operand.elements, [](const PTXOperand &element) {
           return mayMatter(element);
         });
}

bool Instruction::classify(SmallVectorImpl<Effect> &effects) const {
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

/// False if there is something that is not known here.
static bool classifyStatements(LLVM::InlineAsmOp op,
                               ArrayRef<PTXStatement> statements,
                               SmallVectorImpl<Effect> &effects) {
  bool hasJumps = llvm::any_of(statements, [](const PTXStatement &statement) {
    return !statement.label.empty() ||
           statement.opcode.split('.').first == "bra";
  });
  size_t before = effects.size();
  for (const PTXStatement &statement : statements)
    if (statement.label.empty() ? !Instruction(op, statement).classify(effects)
                                : mayMatter(statement.label))
      return false;
  // A branch may pass an instruction by.
  return !hasJumps || effects.size() == before;
}

void mlir::tmem::hazards::classifyInlinePTX(LLVM::InlineAsmOp op,
                                            SmallVectorImpl<Effect> &effects) {
  std::string text = unescapeAsm(op.getAsmString());
  size_t before = effects.size();
  bool isKnown = !mayMatter(text);
  if (auto statements = parseInlinePTX(text))
    isKnown = classifyTest(op, *statements, effects) ||
              classifyStatements(op, *statements, effects);
  else
    llvm::consumeError(statements.takeError());
  if (isKnown)
    return;
  effects.truncate(before);
  Effect effect;
  effect.kind = EventKind::Unknown;
  effect.op = op;
  effect.reason = "inline PTX of this form is not read here";
  effects.push_back(effect);
}
