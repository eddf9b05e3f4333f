//===- TransferTables.h - Where a tile's bits are ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sides of a transfer as dense tables of units. A unit is what elements
// and 32-bit words have in common: an element of at most 32 bits, or a half of
// one with 64. A cell of TMEM and a word of a thread's vector have equally
// many.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_TRANSFERTABLES_H
#define TMEM_LIB_LAYOUT_TRANSFERTABLES_H

#include "tmem/Layout/Planner.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <vector>

namespace mlir::tmem::detail {

/// Unit `half` of an element is element * unitsPerElement + half.
using Unit = int32_t;
inline constexpr Unit emptyUnit = -1;

inline constexpr int64_t numTMemLanes = 128;
inline constexpr unsigned warpSize = 32;

struct MemoryPlace {
  Cell cell;
  unsigned unit; ///< Of the cell, from its low bits on.
};

struct RegisterPlace {
  unsigned warp; ///< Counted from the first warp of the scope.
  unsigned lane;
  unsigned word;
  unsigned unit;
};

/// One layout, and what its replicas add to a place, each place once.
struct Piece {
  Layout layout;
  Unit firstUnit = 0;
  llvm::SmallVector<Coordinates, 1> replicaOffsets;
};

struct TransferTables {
  unsigned elementBits = 32;
  unsigned unitsPerWord = 1;
  unsigned unitsPerElement = 1;
  int64_t numElements = 0;
  llvm::ArrayRef<int64_t> tileShape;

  /// Cells of a lane, and the pitch of lanes in the table in units.
  int64_t columns = 0;
  int64_t lanePitch = 0;
  std::vector<Unit> memory;
  llvm::SmallVector<Piece, 2> pieces;

  unsigned numWarps = 0;
  /// The number of warp 0's slab.
  unsigned firstSlab = 0;
  /// Words of a thread that the layout reaches, and the pitch of threads in the
  /// table in units.
  int64_t words = 0;
  int64_t threadPitch = 0;
  std::vector<Unit> registers;
  Piece registerPiece;

  /// Set once no element was found to be out of its warps' slabs, which holds
  /// for every atom.
  mutable bool slabsAgree = false;

  unsigned getNumWarpgroups() const { return (numWarps + 3) / 4; }
  /// The number of a warp, for messages.
  unsigned getWarpNumber(unsigned warp) const { return firstSlab + warp; }
  /// The first TMEM lane that a warp reaches.
  int64_t getSlabLane(unsigned warp) const {
    return 32 * ((firstSlab + warp) % 4);
  }
  /// The units of a cell that exists.
  llvm::ArrayRef<Unit> getCell(Cell cell) const {
    return {memory.data() + cell.lane * lanePitch + cell.column * unitsPerWord,
            unitsPerWord};
  }
  bool isCell(Cell cell) const {
    return cell.lane >= 0 && cell.lane < numTMemLanes && cell.column >= 0 &&
           cell.column < columns;
  }
  /// True when the cell exists, and `warp` reaches it.
  bool isCellOfSlab(unsigned warp, Cell cell) const {
    return isCell(cell) && cell.lane / 32 == getSlabLane(warp) / 32;
  }
  llvm::ArrayRef<Unit> getWord(unsigned warp, unsigned lane,
                               unsigned word) const {
    return {registers.data() + (warp * warpSize + lane) * threadPitch +
                word * unitsPerWord,
            unitsPerWord};
  }

  /// All places of a unit.
  llvm::SmallVector<MemoryPlace, 4> findInMemory(Unit unit) const;
  llvm::SmallVector<RegisterPlace, 4> findInRegisters(Unit unit) const;

  int64_t getElement(Unit unit) const { return unit / unitsPerElement; }
  /// The tile index of a unit's element, "(17, 0)".
  std::string getName(Unit unit) const;
};

/// The tile index of an element, "(17, 0)".
std::string getElementName(int64_t element, llvm::ArrayRef<int64_t> tileShape);

inline bool isEmpty(llvm::ArrayRef<Unit> units) {
  for (Unit unit : units)
    if (unit != emptyUnit)
      return false;
  return true;
}

/// The first unit that holds something, if any.
inline std::optional<unsigned> findAnchor(llvm::ArrayRef<Unit> units) {
  for (unsigned i = 0; i < units.size(); ++i)
    if (units[i] != emptyUnit)
      return i;
  return std::nullopt;
}

inline std::string getCellName(Cell cell) {
  return ("TMEM lane " + llvm::Twine(cell.lane) + ", column " +
          llvm::Twine(cell.column))
      .str();
}

inline Violation makeViolation(Rule rule, const llvm::Twine &message) {
  return {rule, message.str()};
}
inline Violation makeViolation(Rule rule, const llvm::Twine &message,
                               const Misfit &misfit) {
  return {rule, message.str(), misfit};
}

/// Fills the memory side. Rules L1 to L5 and V1 to V6.
std::optional<Violation> buildMemory(llvm::ArrayRef<Layout> layouts,
                                     llvm::ArrayRef<int64_t> tileShape,
                                     unsigned elementBits,
                                     TransferTables &tables);

/// Fills the register side, after the memory side. Rules L1 to L6 and R1 to R4,
/// R6.
std::optional<Violation> buildRegisters(const Transfer &transfer,
                                        TransferTables &tables);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_TRANSFERTABLES_H
