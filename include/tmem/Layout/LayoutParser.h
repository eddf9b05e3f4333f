//===- LayoutParser.h - Layouts from text -----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what Layout::print and the attributes of the dialect print, without
// MLIR, for tools.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_LAYOUTPARSER_H
#define TMEM_LAYOUT_LAYOUTPARSER_H

#include "tmem/Layout/Layout.h"
#include <variant>

namespace mlir::tmem {

/// What is wrong with a text, and at which byte.
struct ParseError {
  size_t position;
  std::string message;
  std::optional<Rule> rule = std::nullopt;
};

/// The letter of `#tmem.datapath<F, half = 1>`, not checked.
struct DatapathName {
  std::string letter;
  int64_t half = 0;
};

/// Parses a layout that verifies (rules L1 to L6):
///   layout  ::= `(` extents `)` `:` `(` places `)` suffix*
///   suffix  ::= `+` `(` places `)` | `*` `(` replica (`,` replica)* `)`
///   place   ::= integer `@` axis
///   replica ::= integer `:` place
/// with each kind of suffix at most once; or the same as the attribute
/// `#tmem.layout<...>`.
std::variant<Layout, ParseError> parseLayoutText(llvm::StringRef text);

/// As parseLayoutText, or `#tmem.datapath<LETTER>` with or without
/// `, half = N`.
std::variant<Layout, DatapathName, ParseError>
parseMemoryText(llvm::StringRef text);

/// The shape and element type of a tile.
struct TileText {
  llvm::SmallVector<int64_t, 4> shape;
  std::string elementType;
  unsigned elementBits = 0;
};

/// Parses `64x128xf32`. Element types are MLIR's integers and floats of 4, 8,
/// 16, 32 or 64 bits (rule V2), by their names.
std::variant<TileText, ParseError> parseTileText(llvm::StringRef text);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_LAYOUTPARSER_H
