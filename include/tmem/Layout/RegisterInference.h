//===- RegisterInference.h - Register layouts for tiles ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical register layout of a tile and a shape: where its instructions
// put the tile when the thread's vector is their registers one after the other.
//
//   - Each warp has the part of the tile in its slab, each element once: of
//     several places within a slab the lowest.
//   - Several warpgroups have equal shares of the tile's columns, one after the
//     other.
//   - The instructions take the columns of each half of the slab from left to
//     right, the lower half first. Instruction by instruction, register r of
//     each is the next word of the vector.
//   - Elements of a word are in the order of its bits, packed as pack has them.
//   - 16x32bx2: the second access takes the second layout of a split transfer,
//     or else the upper half of the slab if its columns are those of the lower
//     half or right of them, or else the second half of the columns.
//
// No instruction of such a layout moves registers, neither in a load nor in a
// store, and what is loaded with it can be stored with it. Where a tile leaves
// out columns, and extents and strides cannot express the vector without gaps,
// the layout keeps a word for each column that is left out.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_REGISTERINFERENCE_H
#define TMEM_LAYOUT_REGISTERINFERENCE_H

#include "tmem/Layout/Selection.h"
#include <variant>

namespace mlir::tmem {

/// A transfer without its register side.
struct MemoryTile {
  /// One layout, or two of a split transfer.
  llvm::ArrayRef<Layout> memory;
  llvm::ArrayRef<int64_t> tileShape;
  unsigned elementBits;
  Scope scope;
  /// CTA scope: how many warps there are, 1 to 4 or a multiple of 4. All of
  /// them take part, so that each has a part of the tile in its slab.
  unsigned numWarps = 4;
  Direction direction = Direction::Load;
};

/// A register layout, and how many elements the thread's vector has.
struct RegisterTile {
  Layout layout;
  int64_t vectorSize = 0;

  bool operator==(const RegisterTile &other) const {
    return layout == other.layout && vectorSize == other.vectorSize;
  }
};

/// Rule R2 for the warps of a CTA.
std::optional<Violation> verifyNumWarps(unsigned numWarps);

/// The canonical register layout of a shape, in canonical form, or why there is
/// none. It is not planned: that the shape moves the tile is for planTransfer
/// to say.
std::variant<RegisterTile, Violation>
getCanonicalRegisters(const MemoryTile &tile, AtomShape shape,
                      Packing packing = Packing::None);

/// An atom with its canonical register layout.
struct InferredCandidate {
  RegisterTile registers;
  SelectionCandidate choice;
};

struct InferenceResult {
  /// The cheapest first; none when nothing is legal.
  llvm::SmallVector<InferredCandidate, 4> candidates;
  /// One for each atom but the cheapest candidate, in the fixed order.
  llvm::SmallVector<SelectionReason, 9> reasons;

  bool isFound() const { return !candidates.empty(); }
};

/// Plans a tile with the canonical register layout of `shape`, or of every one,
/// and ranks what is legal as selectAtom does.
InferenceResult
inferRegisterLayout(const MemoryTile &tile,
                    std::optional<AtomShape> shape = std::nullopt,
                    const SelectionOptions &options = {});

/// One register layout for two tiles whose vectors meet in one operation.
struct Meeting {
  RegisterTile registers;
  SelectionCandidate first;
  SelectionCandidate second;
};

/// Finds the register layout that both tiles can have and that costs least in
/// all (issues and moves added up, the registers of the larger one), or says
/// why there is none. Elements may differ in size, tiles in place; not in
/// shape. Every layout that two transfers share has the words of a canonical
/// layout of the first, in some order; so there is no other where this finds
/// none, except where 16x32bx2 or several warpgroups could divide the columns
/// in another way or where no layout of the first is expressible.
std::variant<Meeting, Violation> meet(const MemoryTile &first,
                                      const MemoryTile &second,
                                      const SelectionOptions &options = {});

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_REGISTERINFERENCE_H
