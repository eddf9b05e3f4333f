//===- Chips.cpp - The chips that have Tensor Memory ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;

// sm_107 is of the family of sm_103f, whose PTX ptxas takes for it; LLVM 22
// does not know the chip itself.
static constexpr Chip chips[] = {
    // clang-format off
    // name      PTX  columns  .exclusive  ld.red  spcompress  LLVM's name  source
    {"sm_100a",  88,  512,     512,        false,  false,      "sm_100a",   "PTX ISA 8.6, tcgen05; 8.8 for 256-bit global accesses"},
    {"sm_100f",  88,  512,     512,        false,  false,      "sm_100f",   "PTX ISA 8.8, tcgen05"},
    {"sm_103a",  88,  512,     512,        true,   false,      "sm_103a",   "PTX ISA 8.8, tcgen05"},
    {"sm_103f",  88,  512,     512,        true,   false,      "sm_103f",   "PTX ISA 8.8, tcgen05"},
    {"sm_107a",  94,  512,     576,        true,   true,       "sm_103f",   "PTX ISA 9.4, tcgen05; columns as Triton allocates them"},
    {"sm_107f",  94,  512,     576,        true,   false,      "sm_103f",   "PTX ISA 9.4, tcgen05; columns as Triton allocates them"},
    {"sm_110a",  90,  512,     512,        true,   false,      "sm_110a",   "PTX ISA 9.0, tcgen05"},
    {"sm_110f",  90,  512,     512,        true,   false,      "sm_110f",   "PTX ISA 9.0, tcgen05"},
    // clang-format on
};

llvm::ArrayRef<Chip> mlir::tmem::getChips() { return chips; }

const Chip *mlir::tmem::findChip(llvm::StringRef name) {
  const Chip *chip =
      llvm::find_if(chips, [&](const Chip &c) { return c.name == name; });
  return chip == std::end(chips) ? nullptr : chip;
}

std::string mlir::tmem::getChipNames() {
  return llvm::join(
      llvm::map_range(chips, [](const Chip &c) { return c.name.str(); }), ", ");
}

static unsigned getMax(unsigned Chip::*columns) {
  unsigned most = 0;
  for (const Chip &chip : chips)
    most = std::max(most, chip.*columns);
  return most;
}

unsigned mlir::tmem::getMaxColumns() { return getMax(&Chip::exclusiveColumns); }

unsigned mlir::tmem::getMaxPlainColumns() { return getMax(&Chip::columns); }
