//===- PTXSegments.h - Blocks of PTX, cut at waits --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXSEGMENTS_H
#define TMEM_LIB_TARGET_PTXSEGMENTS_H

#include "tmem/Target/PTX.h"
#include <deque>

namespace mlir::tmem::ptx {

/// A part of a block such that what is outstanding where control enters it is
/// outstanding where control leaves it. A block without a wait is one segment;
/// one with waits is two: up to and with its first wait, which nothing leaves,
/// and behind that, which nothing enters.
struct Segment {
  unsigned begin = 0; ///< Instructions.
  unsigned end = 0;
  unsigned firstLoad = 0; ///< The number of the next load from `begin` on.
  unsigned genBegin = 0;  ///< Loads that are outstanding at the end.
  unsigned genEnd = 0;
  llvm::SmallVector<Segment *, 2> next;
  unsigned component = 0;
};

/// The segments of a function, and the strongly connected components that they
/// form. Within one, each segment reaches each without a wait, so that they
/// share what is outstanding, and no iteration is needed.
struct Segments {
  using Component = std::vector<Segment *>;

  /// `waits` says of each instruction whether it is a wait. Under a predicate
  /// it counts as none.
  Segments(const PTXFunction &function, const std::vector<bool> &waits);

  std::deque<Segment> all;           ///< In the order of the text.
  std::vector<unsigned> loads;       ///< Their instructions, likewise.
  std::vector<Component> components; ///< Each before all that it leads to.
  Segment *exit = nullptr;           ///< At the function's end.

  bool isCycle(unsigned component) const;

private:
  void add(const PTXFunction &function, const PTXBlock &block,
           const std::vector<bool> &waits);
  void findComponents();

  std::vector<Segment *> heads; ///< Of each block, where control enters it.
};

bool isLoad(const PTXInstruction &inst);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXSEGMENTS_H
