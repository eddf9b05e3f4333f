//===- Planner.h - From two layouts to a list of issues ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// planTransfer decides whether a named atom moves a tile between its TMEM cells
// and its registers, and returns the instructions to issue or the reason that
// there are none. Verifier, lowering and tools all call it: what verifies is
// what lowers.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_PLANNER_H
#define TMEM_LAYOUT_PLANNER_H

#include "tmem/Layout/Layout.h"
#include "tmem/Layout/NativeImages.h"
#include <variant>

namespace mlir::tmem {

/// Who takes part in a transfer. A warp scope names the warp of the warpgroup.
/// In CTA scope all warps of the CTA take part (rule X3); how many there are
/// Transfer says or, if it does not, the register layout.
enum class ScopeKind : uint8_t { Warp, Warpgroup, CTA };

struct Scope {
  ScopeKind kind = ScopeKind::Warpgroup;
  unsigned warp = 0; ///< The warp's number modulo 4 in warp scope.
};

enum class Direction : uint8_t { Load, Store };

/// The instructions a transfer may use: one shape, and the repetition counts to
/// build it from. With one count every issue has it; with several the plan has
/// as few issues as they allow (96 columns from x64 and x32 are two).
struct Atom {
  AtomShape shape;
  llvm::SmallVector<unsigned, 1> repeats;
  Packing packing = Packing::None;
  /// 16x32bx2: where the second access starts, relative to the first, if that
  /// is given. Derived otherwise.
  std::optional<Cell> split = std::nullopt;
};

/// No vector of a thread has more 32-bit words than this (rule R6).
inline constexpr int64_t maxVectorWords = 1024;

/// What a transfer moves. `memory` holds one layout, or two in a split
/// transfer: elements of the first half of the tile lie in memory[0], those of
/// the second in memory[1], and both layouts count from one base address.
/// Register slots are counted in elements; `vectorSize` is how many the
/// thread's vector has.
struct Transfer {
  Direction direction;
  llvm::ArrayRef<Layout> memory;
  const Layout &registers;
  /// The shape of the whole tile (split: 2 leads).
  llvm::ArrayRef<int64_t> tileShape;
  unsigned elementBits;
  int64_t vectorSize;
  Scope scope;
  /// CTA scope: how many warps there are; 0 for as many as `registers` names.
  unsigned numWarps = 0;
};

/// One tcgen05.ld or tcgen05.st of each warp, at lane 16 * half of the slab
/// and `column` cells after the base; word r of the instruction is 32-bit word
/// words[r] of the thread's vector.
struct Issue {
  unsigned half;
  int64_t column;
  unsigned repeat;
  llvm::SmallVector<unsigned, 4> words;
};

struct TransferPlan {
  AtomShape shape;
  Packing packing;
  llvm::SmallVector<Issue, 1> issues;
  /// Cells from one warpgroup's columns to the next one's, in CTA scope.
  int64_t columnsPerWarpgroup = 0;
  /// 16x32bx2: where the second access starts, relative to the first.
  Cell split;
  /// How many warps execute the issues, from warp 0 on (warp scope: 1).
  unsigned numWarps = 1;
  /// 32-bit words of the thread's vector, the last one padded.
  unsigned vectorWords = 0;

  /// The immediate of 16x32bx2: lane << 16 | column.
  int64_t getSplitImmediate() const {
    return (split.lane << 16) | split.column;
  }
};

using PlanResult = std::variant<TransferPlan, Violation>;

/// Plans a transfer with a named atom. Sound and complete: a plan is returned
/// exactly when there is one list of issues, the same for every warp of the
/// scope up to its slab and up to a column offset linear in warp/4, such that
///   - word r of lane l of an issue holds exactly the bits of the cell that the
///     native image puts there (packed: the low halves of two cells),
///   - no issue touches a cell of no element, and
///   - every register slot of the layout (load) or every cell of the layout
///     (store) is written once.
/// And it has the fewest issues of all such lists. Two limits, both met only
/// where memory has replicas within a slab: choosing among many of them may end
/// in rule T8, and a load may get a list that is not the shortest.
PlanResult planTransfer(const Transfer &transfer, const Atom &atom);

/// Rules L1 to L5 and V1 to V6 for a tile in TMEM of elements of `elementBits`
/// bits.
std::optional<Violation> verifyMemoryTile(const Layout &layout,
                                          llvm::ArrayRef<int64_t> tileShape,
                                          unsigned elementBits);

/// The columns of cells that a memory layout reaches: one past its last one.
int64_t getNumColumns(const Layout &layout, unsigned elementBits);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_PLANNER_H
