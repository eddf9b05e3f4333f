//===- Proxy.h - Between an editor and MLIR's server ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TOOLS_TMEM_LSP_SERVER_PROXY_H
#define TMEM_TOOLS_TMEM_LSP_SERVER_PROXY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::tmem::lsp {

/// More to say of a position of a document, as Markdown. `character` in bytes.
using HoverFn = llvm::function_ref<std::string(
    llvm::StringRef document, unsigned line, unsigned character)>;

/// Passes messages between stdin and stdout and a server at the other end of
/// two pipes, and adds to what it says of positions: MLIR's server has no hook
/// for that. Columns are UTF-16 code units here, as the protocol wants them,
/// and bytes there. `isTest`: messages on stdin are delimited by `// -----`.
/// Returns when the server has closed its pipe.
void runProxy(int toServer, int fromServer, bool isTest, HoverFn hover);

} // namespace mlir::tmem::lsp

#endif // TMEM_TOOLS_TMEM_LSP_SERVER_PROXY_H
