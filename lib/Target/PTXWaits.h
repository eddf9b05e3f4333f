//===- PTXWaits.h - Which instructions wait for loads or stores -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXWAITS_H
#define TMEM_LIB_TARGET_PTXWAITS_H

#include "tmem/Target/PTX.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tmem::ptx {

/// Whether an opcode is `base`, with or without modifiers.
bool isOpcode(llvm::StringRef opcode, llvm::StringRef base);

/// `tcgen05.wait::ld` or `tcgen05.wait::st`, by itself or in functions that are
/// called.
class Waits {
public:
  Waits(const PTXModule &module, llvm::StringRef opcode);

  /// For each instruction, whether it is a wait or calls a function that waits
  /// on all of its paths; under a predicate too.
  std::vector<bool> find(const PTXFunction &function) const;

private:
  llvm::StringRef opcode;
  llvm::DenseSet<llvm::StringRef> waiting; ///< Functions.
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXWAITS_H
