//===- PtxasLog.cpp - Reads the output of ptxas -v ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part for one kernel, which the properties of functions that it calls may
// follow:
//
//   ptxas info    : Compiling entry function 'k' for 'sm_100a'
//   ptxas info    : Function properties for k
//       8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 123 registers, used 1 barriers, 4 bytes smem
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/Ptxas.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

using namespace mlir::tmem;
using llvm::StringRef;

/// Goes to behind the first `marker`; returns whether there is one.
static bool consumeThrough(StringRef &line, StringRef marker) {
  auto [before, after] = line.split(marker);
  if (before.size() == line.size())
    return false;
  line = after;
  return true;
}

/// "Used 123 registers, used 1 barriers, 4 bytes smem": a number before a name.
static void
parseCounts(StringRef line,
            llvm::ArrayRef<std::pair<StringRef, unsigned *>> names) {
  llvm::SmallVector<StringRef> parts;
  line.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    if (!part.consume_front("Used "))
      part.consume_front("used ");
    unsigned value = 0;
    if (part.consumeInteger(10, value))
      continue;
    for (auto [name, count] : names)
      if (part.trim() == name)
        *count = value;
  }
}

std::vector<KernelResources> mlir::tmem::parsePtxasLog(StringRef log) {
  std::vector<KernelResources> kernels;
  bool isOfKernel = false; // The properties on the next line.
  while (!log.empty()) {
    StringRef line;
    std::tie(line, log) = log.split('\n');
    if (consumeThrough(line, "Compiling entry function '")) {
      kernels.emplace_back().name = line.split('\'').first.str();
      continue;
    }
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (consumeThrough(line, "Function properties for ")) {
      isOfKernel = line.trim() == kernel.name;
    } else if (line.contains(" : Used ")) {
      consumeThrough(line, " : ");
      parseCounts(line, {{"registers", &kernel.registers},
                         {"barriers", &kernel.barriers},
                         {"bytes smem", &kernel.sharedBytes}});
    } else if (isOfKernel && line.contains("bytes stack frame")) {
      parseCounts(line, {{"bytes stack frame", &kernel.stackBytes},
                         {"bytes spill stores", &kernel.spillStoreBytes},
                         {"bytes spill loads", &kernel.spillLoadBytes}});
    }
  }
  return kernels;
}
