//===- PTXLexer.cpp - The words of a PTX text -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXLexer.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace mlir::tmem::ptx;

static bool isWordStart(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

void Lexer::skipLine() { cur = std::find(cur, end, '\n'); }

bool Lexer::skipBlanks() {
  while (cur != end) {
    if (llvm::isSpace(*cur)) {
      line += *cur == '\n';
      ++cur;
      continue;
    }
    llvm::StringRef rest(cur, end - cur);
    if (rest.starts_with("//")) {
      skipLine();
    } else if (rest.starts_with("/*")) {
      size_t close = rest.find("*/", 2);
      if (close == llvm::StringRef::npos)
        return false;
      line += rest.take_front(close).count('\n');
      cur += close + 2;
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::make(Token::Kind kind, const char *begin) const {
  return {kind, llvm::StringRef(begin, cur - begin), line};
}

Token Lexer::lexString() {
  const char *begin = cur++;
  while (cur != end && *cur != '"' && *cur != '\n') {
    if (*cur == '\\' && end - cur > 1 && cur[1] != '\n')
      ++cur;
    ++cur;
  }
  if (cur == end || *cur == '\n')
    return {Token::Error, "expected '\"' at the end of a string", line};
  ++cur;
  return make(Token::String, begin);
}

/// How many characters of a colon belong to the word around it: "::" as in
/// "shared::cta", and ':' between digits as in ".sp::2:4". Else it ends a
/// label.
static unsigned countColons(llvm::StringRef rest, char before) {
  if (rest.size() > 2 && rest.starts_with("::") && isWordPart(rest[2]))
    return 2;
  return rest.size() > 1 && rest[0] == ':' && llvm::isDigit(before) &&
         llvm::isDigit(rest[1]);
}

void Lexer::lexWord() {
  ++cur;
  while (cur != end) {
    unsigned colons = countColons({cur, size_t(end - cur)}, cur[-1]);
    if (colons == 0 && !isWordPart(*cur))
      return;
    cur += colons + 1;
  }
}

// The sign of an exponent belongs to a decimal number, but "0x1E-5" is a
// difference.
void Lexer::lexNumber() {
  const char *begin = cur;
  while (cur != end && isWordPart(*cur)) {
    bool isDecimal =
        *begin != '0' || cur - begin < 2 || !llvm::isAlpha(begin[1]);
    bool isExponent = isDecimal && (*cur == 'e' || *cur == 'E');
    ++cur;
    if (isExponent && cur != end && (*cur == '+' || *cur == '-'))
      ++cur;
  }
}

Token Lexer::next() {
  if (!skipBlanks()) {
    cur = end;
    return {Token::Error, "expected '*/' at the end of a comment", line};
  }
  if (cur == end)
    return {Token::End, {}, line};
  const char *begin = cur;
  if (*cur == '"')
    return lexString();
  if (isWordStart(*cur)) {
    lexWord();
    return make(Token::Word, begin);
  }
  if (*cur == '.') {
    lexWord();
    return make(Token::Directive, begin);
  }
  if (llvm::isDigit(*cur)) {
    lexNumber();
    return make(Token::Number, begin);
  }
  ++cur;
  return make(Token::Punct, begin);
}
