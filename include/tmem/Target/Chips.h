//===- Chips.h - The chips that have Tensor Memory --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each chip has, one row a chip. Nothing else names a chip or says how
// many columns there are.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_CHIPS_H
#define TMEM_TARGET_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::tmem {

struct Chip {
  llvm::StringLiteral name;       ///< As ptxas spells it, "sm_100a".
  unsigned ptxVersion;            ///< The version to emit, 88 for 8.8.
  unsigned columns;               ///< Columns of a plain allocation's space.
  unsigned exclusiveColumns;      ///< Columns with `.exclusive`.
  bool hasLoadReduce;             ///< tcgen05.ld.red.
  bool hasLoadCompress;           ///< tcgen05.ld.spcompress.
  llvm::StringLiteral llvmTarget; ///< The chip to name to LLVM.
  llvm::StringLiteral source;

  bool isKnownToLLVM() const { return name == llvmTarget; }
};

llvm::ArrayRef<Chip> getChips();

/// The row of a chip, or null for one without Tensor Memory.
const Chip *findChip(llvm::StringRef name);

/// The names of all chips, for messages: "sm_100a, sm_100f, ...".
std::string getChipNames();

/// The most columns that any chip has, with `.exclusive`.
unsigned getMaxColumns();

/// The most columns of a plain allocation on any chip.
unsigned getMaxPlainColumns();

} // namespace mlir::tmem

#endif // TMEM_TARGET_CHIPS_H
