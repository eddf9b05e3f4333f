//===- PTXLint.h - Reads of Tensor Memory before their wait -----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tcgen05.ld` returns at once: its registers are undefined until the thread
// has executed `tcgen05.wait::ld`. That instruction names no registers, so
// compilers move copies of them over it. This finds such copies, and every
// other read or write of a register that on some path is loaded and not yet
// waited for.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_PTXLINT_H
#define TMEM_TARGET_PTXLINT_H

#include "tmem/Target/PTX.h"
#include <map>
#include <string>
#include <vector>

namespace mlir::tmem {

/// A register used between its load and the wait.
struct PTXFault {
  enum Kind {
    EarlyRead,
    EarlyWrite, ///< The load may still land on the new value.
  };
  Kind kind;
  std::string function;
  std::string reg;
  unsigned line;     ///< Of the instruction that uses it.
  unsigned loadLine; ///< Of one load that reaches it.

  /// "register %r4 is read before its wait"
  std::string getMessage() const;
  /// "line 9: register %r4 is read before its wait (loaded at line 7) in 'k'"
  std::string str() const;
};

/// Something worth a look that makes nothing undefined.
struct PTXRemark {
  enum Kind {
    /// A load with a path to the function's end that has no wait. No register
    /// is
    /// read on it, but another warp may free the cells.
    NeverWaited,
    /// A wait under a predicate counts as none, as not every path executes it.
    PredicatedWait,
  };
  Kind kind;
  std::string function;
  unsigned line;

  std::string getMessage() const;
};

struct PTXLintResult {
  std::vector<PTXFault> faults; ///< By function, then in the order of the text.
  std::vector<PTXRemark> remarks;
};

/// Follows all paths of each function. A call of a function of the module that
/// waits on every path is a wait; any other call is none.
PTXLintResult lintPTX(const PTXModule &module);

/// How often each tcgen05 instruction stands in the function, by its spelling:
/// "tcgen05.ld.sync.aligned.32x32b.x64.b32" to 2.
std::map<std::string, unsigned> countTcgen05(const PTXFunction &function);

} // namespace mlir::tmem

#endif // TMEM_TARGET_PTXLINT_H
