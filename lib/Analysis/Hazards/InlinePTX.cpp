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

#include "Graph.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

namespace {

/// One instruction: "tcgen05.ld.sync.aligned...", "{$0, $1}, [$2]".
class Instruction {
public:
  Instruction(LLVM::InlineAsmOp op, StringRef text) : op(op) {
    text = text.trim();
    size_t end = text.find_first_of(" \t\n");
    text.take_front(end).split(parts, '.');
    operands = end == StringRef::npos ? StringRef() : text.substr(end).trim();
  }

  bool isTensorMemory() const { return parts.front() == "tcgen05"; }
  bool isMBarrier() const { return parts.front() == "mbarrier"; }
  /// Of "mbarrier.try_wait.parity... p, [$0], $1": "p", and "" for others.
  StringRef getTested() const;
  bool classifyMBarrier(SmallVectorImpl<Effect> &effects) const;
  /// False if it is not known here.
  bool classify(SmallVectorImpl<Effect> &effects) const;

private:
  bool has(StringRef part) const { return llvm::is_contained(parts, part); }
  Effect make(EventKind kind, bool isAligned) const;
  bool readAllocation(EventKind kind, Effect &effect) const;
  bool readTransfer(Effect &effect) const;
  bool readCommit(Effect &effect) const;
  Value getOperand(StringRef text) const;

  mutable LLVM::InlineAsmOp op; ///< Whose accessors are not const.
  SmallVector<StringRef, 12> parts;
  StringRef operands;
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
Value Instruction::getOperand(StringRef text) const {
  text = text.trim();
  unsigned index = 0, numOutputs = 0;
  if (!text.consume_front("$") || text.getAsInteger(10, index))
    return {};
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',');
  for (StringRef constraint : constraints)
    numOutputs += constraint.starts_with("=");
  if (index < numOutputs || index - numOutputs >= op.getOperands().size())
    return {};
  return op.getOperands()[index - numOutputs];
}

/// "[$0], $1" of alloc, "$0, $1" of dealloc; columns may be a number.
bool Instruction::readAllocation(EventKind kind, Effect &effect) const {
  auto [address, columns] = operands.split(',');
  if (kind == EventKind::Alloc) {
    address = address.trim();
    if (!address.consume_front("[") || !address.consume_back("]"))
      return false;
  }
  effect.isExclusive = has("exclusive");
  effect.address = getOperand(address);
  effect.columns = getOperand(columns);
  if (!effect.columns && columns.trim().getAsInteger(0, effect.staticColumns))
    return false;
  return effect.address != nullptr;
}

/// Shape, count and packing from the name, the address from the brackets, and
/// what stands behind it of a split transfer.
bool Instruction::readTransfer(Effect &effect) const {
  bool hasShape = false;
  for (StringRef part : parts) {
    if (std::optional<AtomShape> shape = symbolizeAtomShape(part)) {
      effect.shape = *shape;
      hasShape = true;
    } else if (part.consume_front("x")) {
      part.getAsInteger(10, effect.repeat);
    }
  }
  effect.packs = has("pack::16b") || has("unpack::16b");
  size_t begin = operands.find('['), end = operands.find(']');
  if (!hasShape || effect.repeat == 0 || begin == StringRef::npos ||
      end == StringRef::npos)
    return false;
  effect.address = getOperand(operands.slice(begin + 1, end));
  if (effect.shape == AtomShape::S16x32bx2) {
    StringRef rest = operands.substr(end + 1).trim();
    rest.consume_front(",");
    effect.split = getOperand(rest.split(',').first);
    if (!effect.split)
      return false;
  }
  return effect.address != nullptr;
}

/// "[$0]", of one CTA.
bool Instruction::readCommit(Effect &effect) const {
  StringRef address = operands;
  if (has("multicast::cluster") || !has("mbarrier::arrive::one") ||
      !address.consume_front("[") || !address.consume_back("]"))
    return false;
  effect.address = getOperand(address);
  return effect.address != nullptr;
}

bool Instruction::classify(SmallVectorImpl<Effect> &effects) const {
  if (parts.size() < 2)
    return false;
  std::optional<EventKind> kind =
      llvm::StringSwitch<std::optional<EventKind>>(parts[1])
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
    isKnown = readAllocation(*kind, effect);
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

StringRef Instruction::getTested() const {
  bool isTest = isMBarrier() && (has("try_wait") || has("test_wait"));
  if (!isTest || !has("parity") || has("shared::cluster"))
    return {};
  return operands.split(',').first.trim();
}

/// Init, inval, arrive without a count, and a test, of an mbarrier of the CTA
/// at "[$0]" (PTX ISA, mbarrier).
bool Instruction::classifyMBarrier(SmallVectorImpl<Effect> &effects) const {
  size_t begin = operands.find('['), end = operands.find(']');
  if (begin == StringRef::npos || end == StringRef::npos || end < begin ||
      has("shared::cluster") || has("relaxed") || parts.size() < 2)
    return false;
  StringRef before = operands.take_front(begin).trim();
  StringRef rest = operands.substr(end + 1).trim();
  rest.consume_front(",");
  Effect effect = make(EventKind::MBarrierWait, /*isAligned=*/false);
  effect.address = getOperand(operands.slice(begin + 1, end));
  Value number = getOperand(rest.split(',').first);
  if (!effect.address)
    return false;
  if (!getTested().empty() && number) {
    effect.parity = number;
  } else if (parts[1] == "init" && before.empty() && number) {
    effect.kind = EventKind::MBarrierInit;
    effect.count = number;
  } else if (parts[1] == "inval" && before.empty() && rest.empty()) {
    effect.kind = EventKind::MBarrierInval;
  } else if (parts[1] == "arrive" && before == "_," && rest.empty() &&
             !has("expect_tx") && !has("noComplete")) {
    effect.kind = EventKind::MBarrierArrive;
  } else {
    return false;
  }
  effects.push_back(effect);
  return true;
}

/// Whether the statements behind a test of `tested` wait until it holds, or
/// return it: "selp.b32 $0, 1, 0, p", "@!p bra L" or "@p bra M; bra L; M:",
/// where L stands at the test.
static bool handlesTest(ArrayRef<std::string> behind, StringRef tested,
                        StringRef label) {
  auto is = [&](unsigned index, const Twine &text) {
    return StringRef(behind[index]) == text.str();
  };
  if (tested.empty())
    return false;
  if (behind.size() == 1) {
    for (StringRef type : {"b32", "u32", "s32"})
      if (label.empty() && is(0, "selp." + type + " $0, 1, 0, " + tested))
        return true;
    return !label.empty() && is(0, "@!" + tested + " bra " + label);
  }
  if (behind.size() != 3 || label.empty() || !is(1, "bra " + label))
    return false;
  StringRef target = behind[2];
  return target.consume_back(":") && target != label &&
         is(0, "@" + tested + " bra " + target);
}

/// The statements, with one space between words, each label for itself;
/// without braces and declarations of predicates.
static SmallVector<std::string> getStatements(StringRef text) {
  SmallVector<std::string> statements;
  text = text.trim();
  if (text.consume_front("{"))
    text.consume_back("}");
  SmallVector<StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    SmallVector<StringRef> words;
    SplitString(part, words, " \t\n\r");
    if (!words.empty() && words.front().ends_with(":")) {
      statements.push_back(words.front().str());
      words.erase(words.begin());
    }
    if (words.empty() ||
        (words.front() == ".reg" && words.size() > 1 && words[1] == ".pred"))
      continue;
    for (StringRef &word : words)
      if (word == "bra.uni")
        word = "bra";
    statements.push_back(llvm::join(words, " "));
  }
  return statements;
}

/// A test of an mbarrier, and what is made of its answer; nothing else.
static bool classifyTest(LLVM::InlineAsmOp op,
                         SmallVectorImpl<Effect> &effects) {
  SmallVector<std::string> statements = getStatements(op.getAsmString());
  ArrayRef<std::string> rest = statements;
  StringRef label;
  if (!rest.empty() && StringRef(rest.front()).ends_with(":")) {
    label = StringRef(rest.front()).drop_back();
    rest = rest.drop_front();
  }
  if (rest.empty())
    return false;
  Instruction test(op, rest.front());
  return handlesTest(rest.drop_front(), test.getTested(), label) &&
         test.classifyMBarrier(effects);
}

void mlir::tmem::hazards::classifyInlinePTX(LLVM::InlineAsmOp op,
                                            SmallVectorImpl<Effect> &effects) {
  if (classifyTest(op, effects))
    return;
  size_t before = effects.size();
  SmallVector<StringRef> texts;
  op.getAsmString().split(texts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    Instruction instruction(op, text);
    bool isRead = instruction.isTensorMemory() ? instruction.classify(effects)
                  : instruction.isMBarrier()
                      ? instruction.getTested().empty() &&
                            instruction.classifyMBarrier(effects)
                      : !text.contains("bar") && !text.contains("tcgen05");
    if (isRead)
      continue;
    effects.truncate(before);
    Effect effect;
    effect.kind = EventKind::Unknown;
    effect.op = op;
    effect.reason = "inline PTX of this form is not read here";
    effects.push_back(effect);
    return;
  }
}
