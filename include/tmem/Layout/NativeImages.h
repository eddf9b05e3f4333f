//===- NativeImages.h - What tcgen05.ld/st move -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native images of tcgen05.ld and tcgen05.st (PTX ISA, "Tensor Memory and
// register load/store instructions") as one plain table. ld and st share it.
//
// In every shape the cell of register word r in lane l is a sum of a part of
// the lane and a part of the word: cell = laneBits(l) + wordBits(r). Each bit
// of l and of r adds one fixed (row, column) step, so a row of the table is
// two short lists of steps.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_NATIVEIMAGES_H
#define TMEM_LAYOUT_NATIVEIMAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::tmem {

enum class AtomShape : uint8_t {
  S32x32b,
  S16x64b,
  S16x128b,
  S16x256b,
  S16x32bx2
};

/// The 16-bit mode of an instruction: `.pack::16b` on ld, `.unpack::16b` on st.
enum class Packing : uint8_t { None, Pack, Unpack };

/// A position in TMEM, in lanes and cells.
struct Cell {
  int64_t lane = 0;
  int64_t column = 0;

  Cell operator+(Cell other) const {
    return {lane + other.lane, column + other.column};
  }
  Cell operator-(Cell other) const {
    return {lane - other.lane, column - other.column};
  }
  Cell operator*(int64_t factor) const {
    return {lane * factor, column * factor};
  }
  bool operator==(Cell other) const {
    return lane == other.lane && column == other.column;
  }
  bool operator!=(Cell other) const { return !(*this == other); }
};

/// One row of the table.
struct NativeImage {
  AtomShape shape;
  llvm::StringLiteral name;  ///< As PTX spells it, "16x64b".
  unsigned rows;             ///< TMEM lanes of one access.
  unsigned columnsPerRepeat; ///< Cells of one access at x1.
  unsigned wordsPerRepeat;   ///< 32-bit registers per lane at x1.
  unsigned maxRepeat;        ///< Largest N of .xN; all powers of two up to it.
  /// What bit i of the lane id adds. 16x32bx2 leaves bit 4 to its immediate.
  Cell laneSteps[5];
  /// What bit i of the word index adds, i < log2(wordsPerRepeat).
  Cell wordSteps[2];
  /// How many tcgen05 instructions of the hardware one PTX instruction becomes.
  unsigned issuesInSASS;
  llvm::StringLiteral source;
};

/// All rows, in the order of AtomShape.
llvm::ArrayRef<NativeImage> getNativeImages();
const NativeImage &getNativeImage(AtomShape shape);

std::optional<AtomShape> symbolizeAtomShape(llvm::StringRef name);
llvm::StringRef stringifyAtomShape(AtomShape shape);

/// True when PTX has `.x<repeat>` for the shape.
bool isLegalRepeat(AtomShape shape, int64_t repeat);

/// Register words per lane of one instruction.
unsigned getNumWords(AtomShape shape, unsigned repeat);

/// The cell of word 0 in a lane, relative to the instruction's address; with
/// packing, the cell of the word's low half. In 16x32bx2 lanes 16 to 31 are
/// relative to the address plus the immediate.
Cell getLaneCell(AtomShape shape, Packing packing, unsigned lane);

/// What word `word` of the instruction adds to getLaneCell.
Cell getWordCell(AtomShape shape, Packing packing, unsigned word);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_NATIVEIMAGES_H
