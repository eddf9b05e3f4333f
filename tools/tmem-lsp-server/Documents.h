//===- Documents.h - What an editor has open, and its positions -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TOOLS_TMEM_LSP_SERVER_DOCUMENTS_H
#define TMEM_TOOLS_TMEM_LSP_SERVER_DOCUMENTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::tmem::lsp {

/// A document in UTF-8, of which both kinds of columns are known.
class Document {
public:
  explicit Document(std::string text);

  llvm::StringRef getText() const { return text; }
  /// Whether both kinds of columns are the same.
  bool isASCII() const { return ascii; }
  /// The byte of a line for a column in UTF-16 code units, and back. Lines and
  /// columns count from 0; what is past the end stays as far past it. Half of a
  /// surrogate pair is where the character begins.
  int64_t toBytes(int64_t line, int64_t units) const;
  int64_t toUnits(int64_t line, int64_t bytes) const;

private:
  llvm::StringRef getLine(int64_t line) const;

  std::string text;
  bool ascii;
  std::vector<size_t> lines; ///< Where each begins.
};

/// Documents by URI. One stays as it was for whoever still has it.
using DocumentMap = llvm::StringMap<std::shared_ptr<const Document>>;

/// The language server protocol counts columns in UTF-16 code units, MLIR's
/// server in bytes.
enum class Columns { ToBytes, ToUnits };

/// Converts every position in a message. It belongs to the document whose URI
/// stands nearest, or to `document`, which may be null. Those of other
/// documents stay as they are.
void convertPositions(llvm::json::Value &message, const DocumentMap &documents,
                      const Document *document, Columns columns);

} // namespace mlir::tmem::lsp

#endif // TMEM_TOOLS_TMEM_LSP_SERVER_DOCUMENTS_H
