//===- Hazards.h - What goes wrong across operations ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Missing waits, barriers and fences, columns that are freed in use: the rules
// H1 to H25 of docs/Rules.md, in `tmem` and in raw `nvvm` operations.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_ANALYSIS_HAZARDS_H
#define TMEM_ANALYSIS_HAZARDS_H

#include "mlir/IR/Operation.h"
#include "tmem/Layout/Rules.h"
#include <array>
#include <string>
#include <vector>

namespace mlir::tmem::hazards {

inline constexpr unsigned warpSize = 32;
/// Of a block (PTX ISA, compute capabilities).
inline constexpr unsigned maxThreads = 1024;

/// The block that is analysed, in threads.
struct BlockShape {
  std::array<int32_t, 3> size = {128, 1, 1};
  unsigned getNumThreads() const { return size[0] * size[1] * size[2]; }
  unsigned getNumWarps() const {
    return (getNumThreads() + warpSize - 1) / warpSize;
  }
};

/// The calls that lead to a place, from the inside to the outside; none for one
/// in the kernel itself.
using Calls = SmallVector<Operation *, 0>;

/// What else belongs to a finding.
struct Place {
  Operation *op;
  std::string text;
  Calls calls;
};

/// What was found, ready to be told.
struct Finding {
  Rule rule;
  Operation *op;
  std::string message;
  Operation *other; ///< The second place, or null.
  std::string otherText;
  std::string fix;
  /// Conditions that change from turn to turn in a way that is not followed may
  /// exclude the way to it.
  bool isLoose = false;
  Calls calls = {}, otherCalls = {};
  std::vector<Place> more = {};
  /// Where phases of barriers decide what comes before what, it may be wrong.
  bool isOfOrder = false;
};

/// What could not be decided, and why.
struct Undecided {
  Operation *op;
  std::string message;
  Operation *other;
  bool isForRuns = false; ///< A run of the kernel can tell.
  /// What may order the two, but is itself not decided, or null.
  Operation *via = nullptr;
  Calls calls = {};
};

struct Report {
  std::vector<Finding> findings;
  std::vector<Undecided> undecided;
  Operation *pair = nullptr; ///< The first instruction for a pair of CTAs.
};

struct Options {
  /// Functions that are called in the same module are part of the kernel.
  bool followsCalls = true;
  /// The use of a load's registers completes it, as on hardware; else only a
  /// wait does, as the PTX ISA has it.
  bool followsRegisters = false;
};

/// Checks `kernel`, a function or a gpu.launch with a body, for one CTA of 1 to
/// 1024 threads.
Report findHazards(Operation *kernel, BlockShape block, Options options);

} // namespace mlir::tmem::hazards

#endif // TMEM_ANALYSIS_HAZARDS_H
