//===- InlinePTX.cpp - Instructions of inline PTX -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/InlinePTX.h"
#include "PTXTokenStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using ptx::Token;

bool PTXStatement::has(StringRef part) const {
  return llvm::is_contained(llvm::ArrayRef(parts).drop_front(), part);
}

std::string mlir::tmem::unescapeAsm(StringRef text) {
  std::string result;
  while (!text.empty()) {
    if (text.consume_front("$$")) {
      result += '$';
    } else if (text.starts_with("${")) {
      // "${0:x}": the modifier says how to print it.
      StringRef inside = text.drop_front(2).split('}').first;
      text = text.drop_front(2 + inside.size());
      text.consume_front("}");
      result += ("$" + inside.split(':').first).str();
    } else if (text.consume_front("%%")) {
      result += '%';
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

namespace {

class Parser {
public:
  explicit Parser(StringRef text) : tokens(text) {}

  LogicalResult parse(std::vector<PTXStatement> &statements);
  llvm::Error takeError() { return tokens.takeError(); }

private:
  LogicalResult parseStatement(std::vector<PTXStatement> &statements);
  LogicalResult parseInstruction(PTXStatement &statement);
  LogicalResult parseOperand(PTXOperand &operand);
  LogicalResult parseList(PTXOperand &operand, char end);
  LogicalResult parseNumber(PTXOperand &operand, bool isNegative);

  const Token &peek() const { return tokens.peek(); }
  StringRef take() {
    StringRef text = peek().text;
    tokens.advance();
    return text;
  }

  ptx::TokenStream tokens;
};

} // namespace

LogicalResult Parser::parseNumber(PTXOperand &operand, bool isNegative) {
  StringRef text = peek().text;
  // "0x10U", "1U"; the prefixes are those of getAsInteger but for octal.
  text.consume_back("U");
  uint64_t value;
  if (peek().kind != Token::Number || text.getAsInteger(0, value))
    return tokens.expected("an integer");
  tokens.advance();
  operand.kind = PTXOperand::Number;
  operand.number = isNegative ? -int64_t(value) : int64_t(value);
  return success();
}

LogicalResult Parser::parseList(PTXOperand &operand, char end) {
  do {
    operand.elements.emplace_back();
    if (failed(parseOperand(operand.elements.back())))
      return failure();
  } while (tokens.consume(','));
  if (!tokens.consume(end))
    return tokens.expected(llvm::Twine("'") + llvm::Twine(end) + "'");
  return success();
}

LogicalResult Parser::parseOperand(PTXOperand &operand) {
  if (tokens.consume('{')) {
    operand.kind = PTXOperand::Vector;
    return parseList(operand, '}');
  }
  if (tokens.consume('[')) {
    operand.kind = PTXOperand::Address;
    operand.elements.emplace_back();
    if (failed(parseOperand(operand.elements.back())))
      return failure();
    if (tokens.consume('+')) {
      PTXOperand offset;
      if (failed(parseNumber(offset, tokens.consume('-'))))
        return failure();
      operand.number = offset.number;
    }
    if (!tokens.consume(']'))
      return tokens.expected("']'");
    return success();
  }
  if (tokens.consume('-'))
    return parseNumber(operand, true);
  if (peek().kind == Token::Number)
    return parseNumber(operand, false);
  if (peek().kind != Token::Word)
    return tokens.expected("an operand");
  operand.name = take();
  if (!tokens.consume('|'))
    return success();
  PTXOperand first = operand;
  operand = PTXOperand();
  operand.kind = PTXOperand::Pair;
  operand.elements.push_back(first);
  operand.elements.emplace_back();
  return parseOperand(operand.elements.back());
}

LogicalResult Parser::parseInstruction(PTXStatement &statement) {
  statement.opcode.split(statement.parts, '.', -1, /*KeepEmpty=*/false);
  // A modifier may stand behind a blank.
  while (peek().kind == Token::Directive)
    take().split(statement.parts, '.', -1, /*KeepEmpty=*/false);
  if (tokens.consume(';'))
    return success();
  do {
    statement.operands.emplace_back();
    if (failed(parseOperand(statement.operands.back())))
      return failure();
  } while (tokens.consume(','));
  // The last instruction of a text may go without.
  if (!tokens.consume(';') && peek().kind != Token::End)
    return tokens.expected("';'");
  return success();
}

LogicalResult Parser::parseStatement(std::vector<PTXStatement> &statements) {
  if (tokens.consume('{') || tokens.consume('}') || tokens.consume(';'))
    return success();
  if (peek().isDirective(".reg"))
    return tokens.skipStatement();
  PTXStatement statement;
  if (tokens.consume('@')) {
    statement.isNegated = tokens.consume('!');
    if (peek().kind != Token::Word)
      return tokens.expected("a predicate");
    statement.predicate = take();
  }
  if (peek().kind != Token::Word)
    return tokens.expected("an instruction");
  StringRef word = take();
  if (statement.predicate.empty() && tokens.consume(':')) {
    statement.label = word;
  } else {
    statement.opcode = word;
    if (failed(parseInstruction(statement)))
      return failure();
  }
  statements.push_back(std::move(statement));
  return success();
}

LogicalResult Parser::parse(std::vector<PTXStatement> &statements) {
  while (peek().kind != Token::End)
    if (failed(parseStatement(statements)))
      return failure();
  return success();
}

llvm::Expected<std::vector<PTXStatement>>
mlir::tmem::parseInlinePTX(StringRef text) {
  std::vector<PTXStatement> statements;
  Parser parser(text);
  if (failed(parser.parse(statements)))
    return parser.takeError();
  return statements;
}

static bool isBranch(const PTXStatement &statement) {
  return !statement.parts.empty() && statement.parts.front() == "bra" &&
         statement.operands.size() == 1;
}

unsigned mlir::tmem::matchWaitLoop(llvm::ArrayRef<PTXStatement> rest) {
  if (rest.size() < 3 || rest[0].label.empty() || rest[1].operands.empty() ||
      !rest[1].opcode.starts_with("mbarrier.") || !isBranch(rest[2]))
    return 0;
  const PTXOperand &done = rest[1].operands.front();
  if (done.kind != PTXOperand::Name || rest[2].predicate != done.name)
    return 0;
  StringRef target = rest[2].operands.front().name;
  if (rest[2].isNegated)
    return target == rest[0].label ? 3 : 0;
  bool goesBack =
      rest.size() >= 5 && isBranch(rest[3]) && rest[3].predicate.empty() &&
      rest[3].operands.front().name == rest[0].label && rest[4].label == target;
  return goesBack ? 5 : 0;
}
