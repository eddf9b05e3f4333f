//===- PTXLexer.cpp - The words of a PTX text -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXLexer.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
#include <cstring>

using namespace mlir::tmem::ptx;

namespace {
/// What a character can be, looked up: the reader spends its time here.
enum : uint8_t { Blank = 1, WordStart = 2, WordPart = 4, Digit = 8 };

struct CharTable {
  std::array<uint8_t, 256> classes{};

  constexpr CharTable() {
    for (unsigned c = 0; c != 256; ++c) {
      bool isDigit = c >= '0' && c <= '9';
      bool isAlpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      bool isName = isAlpha || c == '_' || c == '$';
      bool isBlank = c == ' ' || (c >= '\t' && c <= '\r');
      classes[c] = isBlank * Blank + (isName || c == '%') * WordStart +
                   (isName || isDigit || c == '.') * WordPart + isDigit * Digit;
    }
  }
};
constexpr CharTable charTable;
} // namespace

static bool is(char c, uint8_t classes) {
  return charTable.classes[uint8_t(c)] & classes;
}

static bool isWordPart(char c) { return is(c, WordPart); }

void Lexer::skipLine() {
  const void *found = cur == end ? nullptr : std::memchr(cur, '\n', end - cur);
  cur = found ? static_cast<const char *>(found) : end;
}

bool Lexer::skipBlanks() {
  while (cur != end) {
    if (is(*cur, Blank)) {
      line += *cur == '\n';
      ++cur;
    } else if (*cur != '/' || end - cur < 2) {
      break;
    } else if (cur[1] == '/') {
      skipLine();
    } else if (cur[1] == '*') {
      llvm::StringRef rest(cur, end - cur);
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
  while (true) {
    while (cur != end && isWordPart(*cur))
      ++cur;
    if (cur == end || *cur != ':')
      return;
    unsigned colons = countColons({cur, size_t(end - cur)}, cur[-1]);
    if (colons == 0)
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
  if (is(*cur, WordStart)) {
    lexWord();
    return make(Token::Word, begin);
  }
  if (*cur == '.') {
    lexWord();
    return make(Token::Directive, begin);
  }
  if (is(*cur, Digit)) {
    lexNumber();
    return make(Token::Number, begin);
  }
  ++cur;
  return make(Token::Punct, begin);
}
