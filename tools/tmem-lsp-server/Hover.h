//===- Hover.h - What an editor shows of tiles and transfers ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TOOLS_TMEM_LSP_SERVER_HOVER_H
#define TMEM_TOOLS_TMEM_LSP_SERVER_HOVER_H

#include "mlir/IR/DialectRegistry.h"
#include <string>

namespace mlir::tmem::lsp {

/// Markdown for a position of a document (both from 0, `character` in bytes):
/// the picture of the layout under it, and the plan of a transfer. Empty where
/// there is neither, and where the document does not parse.
std::string getHoverText(const DialectRegistry &registry, StringRef document,
                         unsigned line, unsigned character);

} // namespace mlir::tmem::lsp

#endif // TMEM_TOOLS_TMEM_LSP_SERVER_HOVER_H
