//===- PTXParser.cpp - Reads a PTX text -----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lenient with what it does not know, as long as no instruction is missed: an
// unknown directive is skipped to its ';', but not over a function, and within
// a function not over the end of its line.
//
//===----------------------------------------------------------------------===//

#include "PTXFlow.h"
#include "PTXOperands.h"
#include "PTXScopes.h"
#include "PTXTokenStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/StringSaver.h"
#include <limits>
#include <optional>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

char PTXError::ID = 0;

void PTXError::log(llvm::raw_ostream &os) const {
  os << "line " << line << ": " << message;
}

std::error_code PTXError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

namespace {
/// What is known of the function being read.
struct FunctionState {
  FunctionState(PTXFunction &function, size_t &tableSpace)
      : function(function), scopes(function.registers, tableSpace) {}

  PTXFunction &function;
  Scopes scopes;
  std::vector<Jump> jumps;
  std::vector<TargetList> tables;
};

class Parser {
public:
  explicit Parser(StringRef text)
      : tokens(text), tableSpace(text.size() / 2 + 4096) {}

  llvm::Expected<PTXModule> parse();

private:
  // Module.
  LogicalResult parseModule();
  LogicalResult parseModuleItem();
  LogicalResult parseModuleDirective();
  void parseTarget();
  LogicalResult parseSection();
  void parseLocation();
  void parseFile();

  // Functions.
  LogicalResult parseFunction(bool isKernel);
  LogicalResult parseHeader(FunctionState &state);
  LogicalResult parseHeaderItem(FunctionState &state);
  LogicalResult parseParameters(FunctionState &state);
  LogicalResult parseRegisters(FunctionState &state);
  LogicalResult parseRegister(FunctionState &state, unsigned vectorSize);
  LogicalResult parseBody(FunctionState &state);
  LogicalResult parseBodyItem(FunctionState &state, bool &isEnd);
  LogicalResult parseBodyDirective(FunctionState &state);
  void skipUnknownDirective(unsigned line);
  LogicalResult openScope(FunctionState &state);
  LogicalResult parseLabel(FunctionState &state, const Token &name);
  LogicalResult parseTargetList(FunctionState &state);

  // Instructions.
  LogicalResult parseWord(FunctionState &state);
  LogicalResult parsePredicated(FunctionState &state);
  LogicalResult parseInstruction(FunctionState &state, const Token &opcode,
                                 const Predicate &predicate);
  LogicalResult addJump(FunctionState &state, const PTXInstruction &inst);
  void addCall(PTXFunction &function);
  StringRef joinOpcode(StringRef opcode);
  void addReturn(PTXFunction &function, unsigned line);
  void addResults(PTXFunction &function, PTXInstruction &inst);

  bool at(Token::Kind kind) const { return tokens.peek().kind == kind; }
  /// Goes past the current token if it is of this kind.
  bool consume(Token::Kind kind);

  PTXModule module;
  TokenStream tokens;
  OperandList operands; ///< Of the instruction that is read.
  /// A register has at least two characters where it stands, so that there is
  /// room for all of an ordinary text.
  size_t tableSpace;
};
} // namespace

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

bool Parser::consume(Token::Kind kind) {
  if (!at(kind))
    return false;
  tokens.advance();
  return true;
}

llvm::Expected<PTXModule> Parser::parse() {
  if (failed(parseModule()))
    return tokens.takeError();
  return std::move(module);
}

LogicalResult Parser::parseModule() {
  while (!at(Token::End))
    if (failed(parseModuleItem()))
      return failure();
  if (module.version.empty())
    return tokens.error(1, "expected a .version directive, as every PTX module "
                           "has one");
  return success();
}

LogicalResult Parser::parseModuleItem() {
  const Token &token = tokens.peek();
  // "@@DWARF" is an old spelling of debug data.
  if (token.isPunct('#') || token.isPunct('@')) {
    tokens.skipLine();
    return success();
  }
  if (tokens.consume(';'))
    return success();
  if (token.kind != Token::Directive)
    return tokens.expected("a directive");
  if (startsFunction(token))
    return parseFunction(token.text == ".entry");
  if (token.text == ".section")
    return parseSection();
  return parseModuleDirective();
}

LogicalResult Parser::parseModuleDirective() {
  StringRef name = tokens.peek().text;
  tokens.advance();
  if (name == ".version") {
    if (module.version.empty() && at(Token::Number))
      module.version = tokens.peek().text;
    consume(Token::Number);
  } else if (name == ".target") {
    parseTarget();
  } else if (name == ".address_size") {
    consume(Token::Number);
  } else if (name == ".file") {
    parseFile();
  } else if (name == ".loc") {
    parseLocation();
  } else if (name != ".visible" && name != ".extern" && name != ".weak" &&
             name != ".common") {
    // Those four stand before what they apply to.
    return tokens.skipStatement();
  }
  return success();
}

/// A list of names: the chip, and options like "debug".
void Parser::parseTarget() {
  do {
    StringRef name = tokens.peek().text;
    if (!consume(Token::Word))
      return;
    if (module.target.empty() && name.starts_with("sm_"))
      module.target = name;
  } while (tokens.consume(','));
}

/// .section .debug_info { ... }
LogicalResult Parser::parseSection() {
  tokens.advance();
  if (!consume(Token::Directive))
    consume(Token::Word);
  if (!tokens.peek().isPunct('{'))
    return tokens.expected("'{' after .section and its name");
  return tokens.skipGroup();
}

/// .file index "name" [, time, size]: there is no ';'.
void Parser::parseFile() {
  consume(Token::Number);
  consume(Token::String);
  while (tokens.consume(','))
    consume(Token::Number);
}

/// .loc file line column [, function_name label [+ offset]]
/// [, inlined_at file line column]: there is no ';'.
void Parser::parseLocation() {
  auto skipNumbers = [&](unsigned most) {
    while (most-- != 0 && consume(Token::Number))
      ;
  };
  skipNumbers(3);
  while (tokens.consume(',')) {
    bool isName = tokens.peek().text == "function_name";
    consume(Token::Word);
    if (!isName) {
      skipNumbers(3);
      continue;
    }
    consume(Token::Word);
    if (tokens.consume('+'))
      skipNumbers(1);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseFunction(bool isKernel) {
  PTXFunction function;
  function.line = tokens.peek().line;
  function.isKernel = isKernel;
  tokens.advance();
  FunctionState state(function, tableSpace);
  if (failed(parseHeader(state)))
    return failure();
  function.numParameters = function.registers.size();
  if (tokens.consume(';'))
    return success(); // A declaration.
  if (failed(parseBody(state)))
    return failure();
  auto error = [&](unsigned line, const Twine &message) {
    return tokens.error(line, message);
  };
  if (failed(buildBlocks(function, state.scopes, state.jumps, state.tables,
                         error)))
    return failure();
  module.functions.push_back(std::move(function));
  return success();
}

/// Everything up to the '{' of the body or the ';' of a declaration.
LogicalResult Parser::parseHeader(FunctionState &state) {
  while (!tokens.peek().isPunct('{') && !tokens.peek().isPunct(';'))
    if (failed(parseHeaderItem(state)))
      return failure();
  return success();
}

LogicalResult Parser::parseHeaderItem(FunctionState &state) {
  const Token &token = tokens.peek();
  if (token.isPunct('('))
    return parseParameters(state);
  if (startsFunction(token))
    return tokens.expected("the body of a function or ';'");
  // Of all directives that stand here, only .pragma has a ';'.
  if (token.isDirective(".pragma"))
    return tokens.skipStatement();
  if (token.kind == Token::Word && state.function.name.empty())
    state.function.name = token.text;
  if (token.kind != Token::Directive && token.kind != Token::Word &&
      token.kind != Token::Number && !token.isPunct(','))
    return tokens.expected("the body of a function or ';'");
  tokens.advance();
  return success();
}

/// Only the registers among them matter: `(.reg .b32 x, .param .b64 y)`.
LogicalResult Parser::parseParameters(FunctionState &state) {
  unsigned depth = 0;
  bool isRegister = false;
  bool areResults = state.function.name.empty();
  do {
    const Token &token = tokens.peek();
    if (token.kind == Token::End || token.kind == Token::Error ||
        token.isPunct('{') || token.isPunct('}'))
      return tokens.expected("')'");
    depth += token.isPunct('(');
    depth -= token.isPunct(')');
    isRegister |= token.isDirective(".reg");
    isRegister &= !token.isPunct(',');
    if (token.kind == Token::Word && isRegister) {
      unsigned reg = state.scopes.declareRegister(token.text);
      if (areResults)
        state.function.results.push_back(reg);
    }
    tokens.advance();
  } while (depth != 0);
  return success();
}

/// .reg .b32 %r<6>, %a, %b;
LogicalResult Parser::parseRegisters(FunctionState &state) {
  unsigned vectorSize = 1;
  while (at(Token::Directive)) {
    StringRef text = tokens.peek().text;
    if (text.consume_front(".v") && text.getAsInteger(10, vectorSize))
      vectorSize = 1;
    tokens.advance();
  }
  do {
    if (failed(parseRegister(state, vectorSize)))
      return failure();
  } while (tokens.consume(','));
  return tokens.consume(';') ? success() : tokens.expected("';'");
}

LogicalResult Parser::parseRegister(FunctionState &state, unsigned vectorSize) {
  StringRef name = tokens.peek().text;
  if (!consume(Token::Word))
    return tokens.expected("the name of a register");
  if (!tokens.consume('<')) {
    state.scopes.declareRegister(name, vectorSize);
    return success();
  }
  uint64_t count = 0;
  if (!at(Token::Number) || tokens.peek().text.getAsInteger(0, count))
    return tokens.expected("a number of registers");
  state.scopes.declareFamily(name, count, vectorSize);
  tokens.advance();
  return tokens.consume('>') ? success() : tokens.expected("'>'");
}

LogicalResult Parser::parseBody(FunctionState &state) {
  unsigned lastLine = 0;
  tokens.advance();
  for (bool isEnd = false; !isEnd;) {
    lastLine = tokens.peek().line;
    if (failed(parseBodyItem(state, isEnd)))
      return failure();
  }
  if (!state.function.results.empty())
    addReturn(state.function, lastLine);
  return success();
}

/// The one at the end of a function that has results to hand over.
void Parser::addReturn(PTXFunction &function, unsigned line) {
  PTXInstruction &inst = function.instructions.emplace_back();
  inst.opcode = inst.text = "ret";
  inst.line = line;
  inst.firstOperand = function.operands.size();
  addResults(function, inst);
}

void Parser::addResults(PTXFunction &function, PTXInstruction &inst) {
  llvm::append_range(function.operands, function.results);
  inst.numUses += function.results.size();
}

LogicalResult Parser::parseBodyItem(FunctionState &state, bool &isEnd) {
  const Token &token = tokens.peek();
  if (token.kind == Token::Word)
    return parseWord(state);
  if (token.kind == Token::Directive)
    return parseBodyDirective(state);
  if (token.isPunct('@'))
    return parsePredicated(state);
  if (token.isPunct('{'))
    return openScope(state);
  if (tokens.consume('}')) {
    isEnd = !state.scopes.pop();
    return success();
  }
  if (token.kind == Token::End)
    return tokens.error(state.function.line,
                        "expected '}' at the end of this function");
  if (token.isPunct('#')) {
    tokens.skipLine();
    return success();
  }
  return tokens.consume(';') ? success() : tokens.expected("an instruction");
}

LogicalResult Parser::openScope(FunctionState &state) {
  if (!state.scopes.push())
    return tokens.error(tokens.peek().line, "expected at most " +
                                                Twine(Scopes::maxDepth) +
                                                " nested blocks");
  tokens.advance();
  return success();
}

/// Directives of a body that end with ';', perhaps some lines further down.
static bool isStatement(StringRef directive) {
  static constexpr llvm::StringLiteral names[] = {
      ".param", ".local", ".shared", ".global", ".const", ".pragma"};
  return llvm::is_contained(names, directive);
}

void Parser::skipUnknownDirective(unsigned line) {
  while (tokens.peek().line == line && !at(Token::End) && !at(Token::Error) &&
         !tokens.peek().isPunct('}') && !tokens.consume(';'))
    tokens.advance();
}

LogicalResult Parser::parseBodyDirective(FunctionState &state) {
  StringRef name = tokens.peek().text;
  unsigned line = tokens.peek().line;
  if (name == ".section")
    return parseSection();
  if (startsFunction(tokens.peek()))
    return tokens.expected("an instruction");
  tokens.advance();
  if (name == ".reg")
    return parseRegisters(state);
  if (name == ".loc")
    parseLocation();
  else if (name == ".file")
    parseFile();
  else if (isStatement(name))
    return tokens.skipStatement();
  else
    skipUnknownDirective(line);
  return success();
}

/// The current token is the ':' behind the name.
LogicalResult Parser::parseLabel(FunctionState &state, const Token &name) {
  tokens.advance();
  const Token &token = tokens.peek();
  if (token.isDirective(".callprototype") || token.isDirective(".calltargets"))
    return tokens.skipStatement();
  bool isTable = token.isDirective(".branchtargets");
  size_t index =
      isTable ? state.tables.size() : state.function.instructions.size();
  if (!state.scopes.defineLabel(name.text, {isTable, unsigned(index)}))
    return tokens.error(name.line, "expected one definition of the label '" +
                                       name.text + "'");
  return isTable ? parseTargetList(state) : success();
}

LogicalResult Parser::parseTargetList(FunctionState &state) {
  TargetList &list = state.tables.emplace_back();
  do {
    tokens.advance();
    const Token &token = tokens.peek();
    list.push_back({state.scopes.getCurrent(), token.text, token.line});
    if (!consume(Token::Word))
      return tokens.expected("a label");
  } while (tokens.peek().isPunct(','));
  return tokens.consume(';') ? success() : tokens.expected("';'");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseWord(FunctionState &state) {
  Token word = tokens.peek();
  tokens.advance();
  if (tokens.peek().isPunct(':'))
    return parseLabel(state, word);
  return parseInstruction(state, word, /*predicate=*/{});
}

LogicalResult Parser::parsePredicated(FunctionState &state) {
  tokens.advance();
  if (tokens.peek().isPunct('@')) { // "@@DWARF"
    tokens.skipLine();
    return success();
  }
  Predicate predicate;
  predicate.isNegated = tokens.consume('!');
  predicate.name = tokens.peek().text;
  if (!consume(Token::Word))
    return tokens.expected("a predicate");
  Token opcode = tokens.peek();
  if (!consume(Token::Word))
    return tokens.expected("an instruction");
  return parseInstruction(state, opcode, predicate);
}

/// "ld .param", without the blanks.
StringRef Parser::joinOpcode(StringRef opcode) {
  llvm::SmallString<64> joined(opcode);
  for (; at(Token::Directive); tokens.advance())
    joined += tokens.peek().text;
  return llvm::StringSaver(module.storage).save(joined.str());
}

LogicalResult Parser::parseInstruction(FunctionState &state,
                                       const Token &opcode,
                                       const Predicate &predicate) {
  PTXInstruction inst;
  inst.opcode = opcode.text;
  inst.line = opcode.line;
  if (at(Token::Directive))
    inst.opcode = joinOpcode(opcode.text);
  const char *end = nullptr;
  if (failed(parseOperands(tokens, opcode.line, operands, end)) ||
      failed(addJump(state, inst)))
    return failure();
  inst.text = StringRef(opcode.text.begin(), end - opcode.text.begin());
  if (isCall(inst.opcode))
    addCall(state.function);
  addRegisters(state.function, inst, predicate, operands, state.scopes);
  if (!state.function.results.empty() && isReturn(inst.opcode))
    addResults(state.function, inst);
  state.function.instructions.push_back(inst);
  return success();
}

/// A branch names its label last.
LogicalResult Parser::addJump(FunctionState &state,
                              const PTXInstruction &inst) {
  Flow flow = getFlow(inst.opcode);
  if (flow != Flow::Branch && flow != Flow::Table)
    return success();
  if (operands.get().empty() || operands.get().back().numNames != 1)
    return tokens.error(inst.line, "expected a label in this branch");
  StringRef label = operands.getNames(operands.get().back()).front();
  state.jumps.push_back({unsigned(state.function.instructions.size()),
                         {state.scopes.getCurrent(), label, inst.line}});
  return success();
}

/// "call (result), f, (arguments)", where the first may be missing.
void Parser::addCall(PTXFunction &function) {
  llvm::ArrayRef<Operand> left = operands.get();
  if (!left.empty() && left.front().isList)
    left = left.drop_front();
  if (!left.empty() && left.front().numNames == 1)
    function.calls.push_back({unsigned(function.instructions.size()),
                              operands.getNames(left.front()).front()});
}

llvm::Expected<PTXModule> mlir::tmem::parsePTX(StringRef text) {
  // Lines and instructions are counted in 32 bits.
  if (text.size() > std::numeric_limits<unsigned>::max())
    return llvm::make_error<PTXError>(1, "expected at most 4 GiB of text");
  return Parser(text).parse();
}
