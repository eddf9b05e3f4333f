//===- PTXSegments.h - Paths of PTX, cut at waits ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXSEGMENTS_H
#define TMEM_LIB_TARGET_PTXSEGMENTS_H

#include "PTXGuards.h"
#include "tmem/Target/PTXLint.h"
#include <deque>
#include <optional>

namespace mlir::tmem::ptx {

/// A part of a block such that what is outstanding where control enters it is
/// outstanding where control leaves it. A block without a wait is one segment;
/// one with waits is two: up to and with its first wait, which nothing leaves,
/// and behind that, which nothing enters. Where something depends on a
/// predicate that is worth knowing, there is a segment for each value, and what
/// follows is there once for each.
struct Segment {
  unsigned begin = 0; ///< Instructions.
  unsigned end = 0;
  unsigned index = 0; ///< Among all segments.
  unsigned block = 0;
  Guards::State state;   ///< What is known where it begins.
  unsigned genBegin = 0; ///< Loads that are outstanding at the end.
  unsigned genEnd = 0;
  llvm::SmallVector<Segment *, 2> next;
  Segment *behindWait = nullptr; ///< The other part of the block.
  unsigned component = 0;

  bool hasLoads() const { return genBegin != genEnd; }
};

/// The segments of a function, and the strongly connected components that they
/// form. Within one, each segment reaches each without a wait, so that they
/// share what is outstanding, and no iteration is needed.
class Segments {
public:
  using Component = std::vector<Segment *>;

  /// `waits` says of each instruction whether it is a wait. One that is not
  /// executed for certain counts as none. Returns nothing if more segments
  /// would come of the predicates than `limit` for each block and each place
  /// where paths may part.
  static std::optional<Segments> create(const PTXFunction &function,
                                        const std::vector<bool> &waits,
                                        const Guards &guards, unsigned limit);

  std::deque<Segment> all;           ///< In a fixed order.
  std::vector<unsigned> loads;       ///< Instructions, segment after segment.
  std::vector<Component> components; ///< Each before all that it leads to.
  std::vector<Segment *> exits;      ///< At the function's end.

  bool isCycle(unsigned component) const;
  /// Each behind those that control comes from, whether something outstanding
  /// does or not; but for loops.
  std::vector<const Segment *> getFlowOrder() const;
  llvm::ArrayRef<unsigned> getLoads(const Segment &segment) const {
    return llvm::ArrayRef(loads).slice(segment.genBegin,
                                       segment.genEnd - segment.genBegin);
  }
  /// Calls `fn(instruction, execution)` for each instruction.
  template <typename Fn>
  static void visit(const Segment &segment, const PTXFunction &function,
                    const Guards &guards, Fn fn) {
    Guards::State state = segment.state;
    for (unsigned i = segment.begin; i != segment.end; ++i) {
      fn(i, guards.getExecution(function.instructions[i], i, state));
      state = guards.step(function, state, i);
    }
  }

private:
  friend class SegmentBuilder;

  Segments() = default;
  void findComponents();
};

bool isLoad(const PTXInstruction &inst);

/// What `lint(guards, segments)` finds where the predicates of events, and
/// perhaps of branches, are followed. Nothing if there are none to follow, or
/// too many, or if `lint` finds nothing out.
template <typename Fn>
std::optional<PTXLintResult>
followPredicates(const PTXFunction &function, const std::vector<bool> &isWait,
                 const std::vector<bool> &isEvent, bool withBranches, Fn lint) {
  constexpr unsigned segmentsPerPlace = 4;
  Guards guards(function, isEvent, withBranches);
  if (guards.isEmpty())
    return std::nullopt;
  std::optional<Segments> segments =
      Segments::create(function, isWait, guards, segmentsPerPlace);
  if (!segments)
    return std::nullopt;
  return lint(guards, *segments);
}

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXSEGMENTS_H
