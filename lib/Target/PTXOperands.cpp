//===- PTXOperands.cpp - Operands of a PTX instruction --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class OperandParser {
public:
  OperandParser(TokenStream &tokens, OperandList &operands)
      : tokens(tokens), operands(operands) {}

  LogicalResult parse(unsigned line, const char *&end);

private:
  LogicalResult parseToken(const Token &token);
  LogicalResult parsePunct(char c);
  LogicalResult close(char c);
  Operand &getOperand();

  TokenStream &tokens;
  OperandList &operands;
  Operand *operand = nullptr;          ///< The last.
  llvm::SmallVector<char, 4> brackets; ///< The closing ones still to come.
  bool startsOperand = true;
  /// Whether the token before ends a value. Another value cannot follow: then
  /// a ';' is missing, and going on would hide an instruction.
  bool afterValue = false;
};
} // namespace

Operand &OperandParser::getOperand() {
  if (startsOperand)
    operand = &operands.add();
  startsOperand = false;
  return *operand;
}

LogicalResult OperandParser::close(char c) {
  if (brackets.empty())
    return tokens.expected("';'");
  if (brackets.pop_back_val() != c)
    return tokens.expected("matching brackets");
  // A cast like "(.s64) 3" is no value yet.
  afterValue = c != ')';
  return success();
}

LogicalResult OperandParser::parsePunct(char c) {
  switch (c) {
  case '[':
    getOperand().isMemory = true;
    brackets.push_back(']');
    break;
  case '(':
    getOperand().isList |= brackets.empty() && !afterValue;
    brackets.push_back(')');
    break;
  case '{':
    if (afterValue)
      return tokens.expected("';'");
    getOperand();
    brackets.push_back('}');
    break;
  case ']':
  case ')':
  case '}':
    return close(c);
  case ',':
    startsOperand |= brackets.empty();
    break;
  case '@':
  case ':':
  case '#':
    return tokens.expected("';'");
  default: // An operator: it only joins names.
    break;
  }
  afterValue = false;
  return success();
}

LogicalResult OperandParser::parseToken(const Token &token) {
  switch (token.kind) {
  case Token::Punct:
    return parsePunct(token.text[0]);
  case Token::Word:
  case Token::Number:
  case Token::String:
    if (afterValue)
      return tokens.expected("';'");
    getOperand();
    if (token.kind == Token::Word)
      operands.addName(token.text);
    afterValue = true;
    return success();
  case Token::Directive:
    // The type of a cast.
    if (!brackets.empty() && brackets.back() == ')')
      return success();
    return tokens.expected("';'");
  case Token::End:
  case Token::Error:
    return tokens.expected("';'");
  }
  llvm_unreachable("all kinds are covered");
}

LogicalResult OperandParser::parse(unsigned line, const char *&end) {
  while (!tokens.peek().isPunct(';')) {
    if (failed(parseToken(tokens.peek())))
      return failure();
    tokens.advance();
  }
  if (!brackets.empty())
    return tokens.error(line, "expected '" + llvm::Twine(brackets.back()) +
                                  "' in this instruction");
  end = tokens.peek().text.data();
  tokens.advance();
  return success();
}

LogicalResult ptx::parseOperands(TokenStream &tokens, unsigned line,
                                 OperandList &operands, const char *&end) {
  operands.clear();
  return OperandParser(tokens, operands).parse(line, end);
}

//===----------------------------------------------------------------------===//
// What is written, what is read
//===----------------------------------------------------------------------===//

bool ptx::isCall(StringRef opcode) {
  return opcode.starts_with("call") && (opcode.size() == 4 || opcode[4] == '.');
}

/// Instructions whose first operand is no destination though it is no address.
static bool readsFirstOperand(StringRef opcode) {
  // Asked of every instruction, and most begin otherwise.
  if (!StringRef("bcnpst").contains(opcode.front()))
    return false;
  if (opcode.starts_with("tcgen05.dealloc"))
    return true;
  // bar.red and barrier.cta.red give a value, bar.sync takes one.
  StringRef base = opcode.split('.').first;
  if (base == "bar" || base == "barrier")
    return !opcode.contains(".red");
  return llvm::StringSwitch<bool>(base)
      .Cases({"bra", "brx", "nanosleep", "setmaxnreg", "pmevent"}, true)
      .Cases({"stackrestore", "cp", "prefetchu"}, true)
      .Default(false);
}

/// How many operands at the front are written.
static unsigned countDestinations(StringRef opcode,
                                  llvm::ArrayRef<Operand> operands) {
  if (operands.empty())
    return 0;
  // "call (result), f, (arguments)" and "call f, (arguments)".
  if (isCall(opcode))
    return operands.front().isList;
  auto *address = llvm::find_if(operands, [](auto &o) { return o.isMemory; });
  // Values, metadata and the row's reduction: all before the address.
  if (opcode.starts_with("tcgen05.ld"))
    return address - operands.begin();
  return address != operands.begin() && !readsFirstOperand(opcode);
}

void ptx::addRegisters(PTXFunction &function, PTXInstruction &inst,
                       const Predicate &predicate, const OperandList &operands,
                       Scopes &scopes) {
  auto add = [&](StringRef name) {
    return scopes.findRegisters(name, function.operands);
  };
  inst.firstOperand = function.operands.size();
  llvm::ArrayRef<Operand> all = operands.get();
  unsigned numWritten = countDestinations(inst.opcode, all);
  for (const Operand &operand : all.take_front(numWritten))
    for (StringRef name : operands.getNames(operand))
      inst.numDefs += add(name);
  if (!predicate.name.empty()) {
    inst.isPredicated = true;
    inst.isNegated = predicate.isNegated;
    inst.hasPredicateRegister = add(predicate.name) != 0;
    inst.numUses += inst.hasPredicateRegister;
  }
  for (const Operand &operand : all.drop_front(numWritten))
    for (StringRef name : operands.getNames(operand))
      inst.numUses += add(name);
}
