//===- PTXLint.h - Misuse of Tensor Memory in PTX ---------------*- C++ -*-===//
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
// waited for. It also finds loads of cells that a `tcgen05.st` writes, with no
// `tcgen05.wait::st` between, where both addresses are known.
// (PTX ISA, "Tensorcore 5th Generation: tcgen05.wait" and memory consistency.)
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_PTXLINT_H
#define TMEM_TARGET_PTXLINT_H

#include "tmem/Target/PTX.h"
#include <map>
#include <string>
#include <vector>

namespace mlir::tmem {

/// Two instructions of one function with no wait between them on some path: the
/// source, which is in flight, and the one that should have waited for it.
struct PTXFault {
  enum Kind {
    EarlyRead,
    EarlyWrite,    ///< The load may still land on the new value.
    EarlyReturn,   ///< A `ret` hands the register to the caller.
    UnorderedLoad, ///< The source is a store, of cells that this one loads.
  };
  Kind kind;
  llvm::StringRef function;
  llvm::StringRef reg; ///< Empty for an unordered load.
  unsigned line;
  unsigned sourceLine;
  llvm::StringRef text;       ///< The instruction, in the text that was read.
  llvm::StringRef sourceText; ///< The load, or the store.

  bool isOfLoad() const { return kind != UnorderedLoad; }
  /// "register %r4 is read before its wait"
  std::string getMessage() const;
  /// "line 9: register %r4 is read before its wait (loaded at line 7) in 'k'"
  std::string str() const;
};

/// Something worth a look that makes nothing undefined.
struct PTXRemark {
  enum Kind {
    /// A load with a path to the function's end that has no wait. No register
    /// is read on it, but another warp may free the cells.
    NeverWaited,
    /// A wait under a predicate that is not followed counts as none, as not
    /// every path executes it.
    PredicatedWait,
    /// The function has too many stores in flight across its blocks to follow
    /// each: loads of their cells may have been missed.
    StoresNotFollowed,
  };
  Kind kind;
  llvm::StringRef function;
  unsigned line;

  std::string getMessage() const;
};

/// Strings point into the text that was read.
struct PTXLintResult {
  /// By function, then in the order of the text.
  std::vector<PTXFault> faults;
  std::vector<PTXRemark> remarks;
};

/// Follows all paths of each function. A call of a function of the module that
/// waits on every path is a wait; any other call is none. A predicate keeps its
/// value until something may write it; where there are too many to follow, an
/// instruction under one may or may not be executed.
PTXLintResult lintPTX(const PTXModule &module);

/// The faults of one load or one store.
struct PTXFaultGroup {
  std::vector<const PTXFault *>
      faults; ///< In the order of the text; not empty.

  const PTXFault &front() const { return *faults.front(); }
};

/// By function, then in the order of the loads and stores in the text.
std::vector<PTXFaultGroup> groupFaults(llvm::ArrayRef<PTXFault> faults);

/// How often each tcgen05 instruction stands in the function, by its spelling:
/// "tcgen05.ld.sync.aligned.32x32b.x64.b32" to 2.
std::map<std::string, unsigned> countTcgen05(const PTXFunction &function);

} // namespace mlir::tmem

#endif // TMEM_TARGET_PTXLINT_H
