//===- PTXLexer.h - The words of a PTX text ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXLEXER_H
#define TMEM_LIB_TARGET_PTXLEXER_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tmem::ptx {

struct Token {
  enum Kind {
    End,
    Word,      ///< A name or an opcode: "%r1", "shared::cta", "mov.b32".
    Directive, ///< Starts with a dot: ".reg"; also a modifier after a blank.
    Number,
    String, ///< With its quotes.
    Punct,  ///< One character.
    Error,  ///< The text is the message.
  };
  Kind kind = End;
  llvm::StringRef text;
  unsigned line = 1;

  bool isPunct(char c) const { return kind == Punct && text[0] == c; }
  bool isDirective(llvm::StringRef name) const {
    return kind == Directive && text == name;
  }
};

/// Cuts a text into tokens; blanks and comments vanish. Never reads past the
/// end, and every call but the last consumes at least one character.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : cur(text.begin()), end(text.end()) {}

  Token next();

  /// Goes to the end of the line that the last token stands on.
  void skipLine();

private:
  /// Returns false at a comment without an end.
  bool skipBlanks();
  Token make(Token::Kind kind, const char *begin) const;
  Token lexString();
  void lexWord();
  void lexNumber();

  const char *cur;
  const char *end;
  unsigned line = 1;
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXLEXER_H
