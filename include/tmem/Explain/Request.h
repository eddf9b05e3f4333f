//===- Request.h - What tmem-explain is asked -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXPLAIN_REQUEST_H
#define TMEM_EXPLAIN_REQUEST_H

#include "tmem/Layout/LayoutParser.h"
#include "tmem/Layout/RegisterInference.h"

namespace mlir::tmem::explain {

/// The options of the command line, as they were written. Empty where they were
/// left out, but for those that have a default.
struct RequestText {
  std::string memory, secondMemory, datapath, tile, registers, scope, direction;
  /// Shapes to choose from, "32x32b,16x256b", or one atom with the repetition
  /// counts to build from, "32x32b, x64, x32".
  std::string atoms;
  std::optional<unsigned> half, warps, vectorSize;
  unsigned maxRegistersPerIssue = maxIssueRegisters;
  bool registersAlone = false; ///< Neither memory nor a transfer is meant.
};

/// A transfer to explain.
struct Request {
  llvm::SmallVector<Layout, 2> memory;
  TileText tile;
  std::optional<RegisterTile> registers; ///< Inferred if none.
  Scope scope;
  unsigned numWarps = 4;
  Direction direction = Direction::Load;
  SelectionOptions options;
};

/// What is wrong with an option: where in which text, if it is about a place.
struct RequestError {
  std::string option;
  std::string message;
  std::optional<Rule> rule = std::nullopt;
  std::string text = "";
  std::optional<size_t> position = std::nullopt;
};

/// Reads the options in the order of the command line; the first error is
/// returned, with the rule that it breaks.
std::variant<Request, RequestError> readRequest(const RequestText &text);

} // namespace mlir::tmem::explain

#endif // TMEM_EXPLAIN_REQUEST_H
