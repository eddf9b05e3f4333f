//===- PTXTokenStream.h - Tokens of PTX with one error ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXTOKENSTREAM_H
#define TMEM_LIB_TARGET_PTXTOKENSTREAM_H

#include "PTXLexer.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace mlir::tmem::ptx {

/// The tokens of a text, one at a time, and the first error.
class TokenStream {
public:
  explicit TokenStream(llvm::StringRef text) : lexer(text) { advance(); }

  const Token &peek() const { return token; }
  void advance() { token = lexer.next(); }
  /// Goes past the current token if it is this character.
  bool consume(char c);
  /// Skips the rest of the line that the current token stands on.
  void skipLine();
  /// Skips from the bracket that the current token is to its partner.
  llvm::LogicalResult skipGroup();
  /// Skips to behind the next ';', but not over the start of a function.
  llvm::LogicalResult skipStatement();

  llvm::LogicalResult error(unsigned line, const llvm::Twine &message);
  /// "expected <what>, but got <the current token>".
  llvm::LogicalResult expected(const llvm::Twine &what);
  /// The error that made a call fail, as a PTXError.
  llvm::Error takeError();

private:
  Lexer lexer;
  Token token;
  unsigned errorLine = 0;
  std::string errorMessage;
};

/// Whether the token is `.entry` or `.func`.
bool startsFunction(const Token &token);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXTOKENSTREAM_H
