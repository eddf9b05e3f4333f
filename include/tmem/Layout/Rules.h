//===- Rules.h - The rules that verification enforces -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rule has an id (L1, V4, T1, ...), which stands in Rules.def, in
// docs/Rules.md, at the check that enforces it and in the name of the test that
// breaks it. utils/check-rules.py proves that none is missing.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_RULES_H
#define TMEM_LAYOUT_RULES_H

#include "tmem/Layout/Misfit.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::tmem {

enum class Rule {
#define TMEM_RULE(ID, TEXT) ID,
#include "tmem/Layout/Rules.def"
};

/// The id of a rule, "L1".
llvm::StringRef getRuleId(Rule rule);

/// The rule in one sentence, as it stands in the note under a diagnostic.
llvm::StringRef getRuleText(Rule rule);

/// Why something is refused: the broken rule, and a message in the style of
/// MLIR diagnostics (lower case, no full stop, the offending value named).
struct Violation {
  Rule rule;
  std::string message;
  /// The places that the message names, where a transfer is refused for one.
  std::optional<Misfit> misfit = std::nullopt;
};

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_RULES_H
