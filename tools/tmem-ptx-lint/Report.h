//===- Report.h - What tmem-ptx-lint prints of a file -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TOOLS_TMEM_PTX_LINT_REPORT_H
#define TMEM_TOOLS_TMEM_PTX_LINT_REPORT_H

#include "tmem/Target/PTX.h"
#include "tmem/Target/PTXLint.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

/// What became of one file.
struct FileReport {
  std::string file; ///< As it was named, or "<stdin>".
  /// Why it could not be read, in which case nothing else is set; line 0 is no
  /// place in the text.
  std::string error;
  unsigned errorLine = 0;
  mlir::tmem::PTXModule module;
  mlir::tmem::PTXLintResult result;

  bool isReadable() const { return error.empty(); }
};

struct ReportOptions {
  bool all;     ///< Each use, not just the first of a load.
  bool remarks; ///< Remarks too.
  bool summary; ///< The instructions of each function.
};

void printText(const FileReport &report, const ReportOptions &options,
               llvm::raw_ostream &os);

/// Adds an object to the array that is open. docs/PtxLint.md has its members.
void printJSON(const FileReport &report, const ReportOptions &options,
               llvm::json::OStream &json);

#endif // TMEM_TOOLS_TMEM_PTX_LINT_REPORT_H
