//===- PTXRewrite.cpp - Another version and target for a PTX text ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXRewrite.h"
#include "PTXTokenStream.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::failed;
using llvm::failure;
using llvm::FailureOr;
using llvm::StringRef;

/// Goes to behind the first directive of this name.
static llvm::LogicalResult find(TokenStream &tokens, StringRef directive) {
  while (!tokens.peek().isDirective(directive)) {
    if (tokens.peek().kind == Token::End || tokens.peek().kind == Token::Error)
      return tokens.expected("a " + directive + " directive");
    tokens.advance();
  }
  tokens.advance();
  return llvm::success();
}

static FailureOr<StringRef> findVersion(TokenStream &tokens) {
  if (failed(find(tokens, ".version")))
    return failure();
  if (tokens.peek().kind != Token::Number)
    return tokens.expected("a version");
  return tokens.peek().text;
}

/// The chip stands among options: ".target sm_100a, debug".
static FailureOr<StringRef> findTarget(TokenStream &tokens) {
  if (failed(find(tokens, ".target")))
    return failure();
  while (!tokens.peek().text.starts_with("sm_")) {
    if (tokens.peek().kind != Token::Word)
      return tokens.expected("the name of a chip");
    tokens.advance();
    tokens.consume(',');
  }
  return tokens.peek().text;
}

llvm::Expected<std::string>
mlir::tmem::setPTXTarget(StringRef text, unsigned version, StringRef target) {
  // .version comes first in every PTX text, .target second.
  TokenStream tokens(text);
  FailureOr<StringRef> oldVersion = findVersion(tokens);
  if (failed(oldVersion))
    return tokens.takeError();
  FailureOr<StringRef> oldTarget = findTarget(tokens);
  if (failed(oldTarget))
    return tokens.takeError();
  std::string newVersion =
      std::to_string(version / 10) + "." + std::to_string(version % 10);
  StringRef between(oldVersion->end(), oldTarget->begin() - oldVersion->end());
  StringRef after(oldTarget->end(), text.end() - oldTarget->end());
  return (text.take_front(oldVersion->begin() - text.begin()) + newVersion +
          between + target + after)
      .str();
}
