//===- RandomTransfers.cpp - Prints random legal transfers ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tmem-random-transfers SEED COUNT: the first COUNT transfers from SEED on for
// which an atom is selected, a JSON object on each line. They are drawn as
// those of SelectionOracleTest.cpp are; random-transfers.py makes kernels of
// them.
//
//===----------------------------------------------------------------------===//

#include "PlannerOracleRandom.h"
#include "tmem/Layout/Selection.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir::tmem;
using namespace mlir::tmem::oracle;

static void print(const Case &c, llvm::raw_ostream &os) {
  static const char *const scopes[] = {"warp", "warpgroup", "cta"};
  os << "{\"direction\": \""
     << (c.direction == Direction::Load ? "load" : "store")
     << "\", \"scope\": \"" << scopes[unsigned(c.scope.kind)];
  if (c.scope.kind == ScopeKind::Warp)
    os << ' ' << c.scope.warp;
  os << "\", \"bits\": " << c.bits << ", \"vector\": " << c.vectorSize
     << ", \"shape\": [";
  // A split transfer has two views, each of half the tile.
  for (size_t i = c.memory.size() - 1; i < c.tileShape.size(); ++i)
    os << (i == c.memory.size() - 1 ? "" : ", ") << c.tileShape[i];
  os << "], \"memory\": [";
  for (size_t i = 0; i < c.memory.size(); ++i) {
    os << (i == 0 ? "\"" : ", \"");
    c.memory[i].print(os);
    os << '"';
  }
  os << "], \"registers\": \"";
  c.registers.print(os);
  os << "\"}\n";
}

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "expected a seed and how many transfers\n";
    return 2;
  }
  uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  for (uint64_t left = std::strtoull(argv[2], nullptr, 10); left > 0; ++seed) {
    Case c = makeRandomCase(seed);
    // Of large ones, one in eight.
    if (countElements(c.registers) > 256 && seed % 8 != 0)
      continue;
    if (!selectAtom(c.transfer()).isFound())
      continue;
    print(c, llvm::outs());
    --left;
  }
  return 0;
}
