//===- PTXTokenStream.cpp - Tokens of PTX with one error ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXTokenStream.h"
#include "tmem/Target/PTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

LogicalResult TokenStream::error(unsigned line, const Twine &message) {
  errorLine = line;
  errorMessage = message.str();
  return failure();
}

static std::string spell(const Token &token) {
  if (token.kind == Token::End)
    return "the end of the text";
  std::string text;
  llvm::raw_string_ostream os(text);
  // A message stays one readable line, whatever bytes the text has.
  llvm::printEscapedString(token.text.take_front(40), os);
  return "'" + text + "'";
}

LogicalResult TokenStream::expected(const Twine &what) {
  if (token.kind == Token::Error)
    return error(token.line, token.text);
  return error(token.line, "expected " + what + ", but got " + spell(token));
}

llvm::Error TokenStream::takeError() {
  return llvm::make_error<PTXError>(errorLine, std::move(errorMessage));
}

bool TokenStream::consume(char c) {
  if (!token.isPunct(c))
    return false;
  advance();
  return true;
}

void TokenStream::skipLine() {
  lexer.skipLine();
  advance();
}

LogicalResult TokenStream::skipGroup() {
  unsigned line = token.line;
  unsigned depth = 0;
  do {
    if (token.kind == Token::End)
      return error(line, "expected the end of the group that starts here");
    if (token.kind == Token::Error)
      return expected("a closing bracket");
    if (token.kind == Token::Punct) {
      depth += StringRef("([{").contains(token.text[0]);
      depth -= StringRef(")]}").contains(token.text[0]);
    }
    advance();
  } while (depth != 0);
  return success();
}

bool ptx::startsFunction(const Token &token) {
  return token.isDirective(".entry") || token.isDirective(".func");
}

LogicalResult TokenStream::skipStatement() {
  while (!consume(';')) {
    if (startsFunction(token))
      return success();
    if (token.kind == Token::End || token.kind == Token::Error ||
        token.isPunct('}'))
      return expected("';'");
    if (!token.isPunct('{'))
      advance();
    else if (failed(skipGroup()))
      return failure();
  }
  return success();
}
