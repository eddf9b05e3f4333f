//===- PTXLint.cpp - Misuse of Tensor Memory in PTX -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "PTXEarlyUses.h"
#include "PTXStoreOrder.h"
#include "PTXWaits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string PTXFault::getMessage() const {
  switch (kind) {
  case EarlyRead:
    return ("register " + reg + " is read before its wait").str();
  case EarlyWrite:
    return ("register " + reg + " is written before its wait").str();
  case EarlyReturn:
    return ("register " + reg + " is returned before its wait").str();
  case UnorderedLoad:
    return "cells are loaded before the wait of their store";
  }
  llvm_unreachable("all kinds are covered");
}

std::string PTXFault::str() const {
  return "line " + std::to_string(line) + ": " + getMessage() + " (" +
         (isOfLoad() ? "loaded" : "stored") + " at line " +
         std::to_string(sourceLine) + ") in '" + function.str() + "'";
}

std::string PTXRemark::getMessage() const {
  switch (kind) {
  case NeverWaited:
    return "registers are loaded and, on a path to the function's end, never "
           "waited for";
  case PredicatedWait:
    return "a wait under a predicate does not count: not every path executes "
           "it";
  case StoresNotFollowed:
    return "not every store of this function was followed to the loads behind "
           "it: there are too many";
  }
  llvm_unreachable("all kinds are covered");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

PTXLintResult mlir::tmem::lintPTX(const PTXModule &module) {
  Waits loadWaits(module, "tcgen05.wait::ld");
  Waits storeWaits(module, "tcgen05.wait::st");
  PTXLintResult result;
  for (const PTXFunction &function : module.functions) {
    findEarlyUses(function, loadWaits, result);
    findUnorderedLoads(function, storeWaits, result);
  }
  return result;
}

std::vector<PTXFaultGroup>
mlir::tmem::groupFaults(llvm::ArrayRef<PTXFault> faults) {
  std::vector<PTXFaultGroup> groups;
  // A group for each source; its text tells sources apart even in one line.
  llvm::DenseMap<const char *, unsigned> numbers;
  auto byText = [](const PTXFaultGroup &a, const PTXFaultGroup &b) {
    return a.front().sourceText.data() < b.front().sourceText.data();
  };
  for (const PTXFault &fault : faults) {
    auto [it, isNew] =
        numbers.try_emplace(fault.sourceText.data(), unsigned(groups.size()));
    if (isNew)
      groups.emplace_back();
    groups[it->second].faults.push_back(&fault);
  }
  llvm::sort(groups, byText);
  return groups;
}

std::map<std::string, unsigned>
mlir::tmem::countTcgen05(const PTXFunction &function) {
  llvm::DenseMap<StringRef, unsigned> counts;
  for (const PTXInstruction &inst : function.instructions)
    if (inst.opcode.starts_with("tcgen05."))
      ++counts[inst.opcode];
  std::map<std::string, unsigned> sorted;
  for (auto [opcode, count] : counts)
    sorted.emplace(opcode.str(), count);
  return sorted;
}
