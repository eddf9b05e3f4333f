//===- Model.h - What stands where in a picture -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_MODEL_H
#define TMEM_LIB_PICTURE_MODEL_H

#include "TransferTables.h"
#include "tmem/Picture/Picture.h"

namespace mlir::tmem::picture {

using detail::emptyUnit;
using detail::TransferTables;
using detail::Unit;
using detail::warpSize;

enum class Side : uint8_t { Memory, Registers };

/// All that a picture says of one square: a unit of a TMEM cell, or of a 32-bit
/// register of a thread. What it does not know is -1.
struct Square {
  Unit unit = emptyUnit;
  int64_t lane = -1; ///< In TMEM.
  int64_t column = -1;
  int cellPart = -1; ///< Of the cell, from its low bits on.
  int warp = -1;     ///< Counted from the first of the scope.
  int thread = -1;
  int word = -1;
  int wordPart = -1; ///< Of the register, from its low bits on.
  int issue = -1;
};

/// The two sides of a request as tables of squares, linked to each other.
struct Model {
  const PictureRequest &request;
  TransferTables tables;
  /// For each square of one side, in the order of its table, that of the other
  /// side that it is moved from or to, or -1; and the issue that does it, or
  /// -1.
  std::vector<int32_t> links[2];
  std::vector<int16_t> issues[2];
  /// The columns of TMEM that hold anything: the first, and one past the last.
  int64_t firstColumn = 0;
  int64_t endColumn = 0;
  /// The slabs to show: of warps and of elements.
  unsigned firstSlab = 0;
  unsigned endSlab = 4;

  explicit Model(const PictureRequest &request) : request(request) {}

  bool hasMemory() const { return !request.memory.empty(); }
  bool hasRegisters() const { return request.registers.has_value(); }
  bool has(Side side) const {
    return side == Side::Memory ? hasMemory() : hasRegisters();
  }
  bool isTransfer() const { return hasMemory() && hasRegisters(); }
  const TransferPlan *getPlan() const {
    return request.chosen ? &request.chosen->plan : nullptr;
  }
  /// Can squares be coloured so?
  bool isColored(PictureColor color) const;

  const std::vector<Unit> &getUnits(Side side) const {
    return side == Side::Memory ? tables.memory : tables.registers;
  }
  /// The square at an index of a side's table, and at its link.
  Square getSquare(Side side, int64_t index) const;
  int64_t getMemoryIndex(int64_t lane, int64_t column, unsigned unit) const {
    return lane * tables.lanePitch + column * tables.unitsPerWord + unit;
  }
  int64_t getRegisterIndex(unsigned warp, unsigned thread, unsigned word,
                           unsigned unit) const {
    return (int64_t(warp) * warpSize + thread) * tables.threadPitch +
           word * tables.unitsPerWord + unit;
  }
  /// The slab of a lane, or the one that a thread's warp reaches.
  unsigned getSlab(Side side, int64_t index) const {
    return side == Side::Memory
               ? index / tables.lanePitch / 32
               : tables.getSlabLane(index / tables.threadPitch / warpSize) / 32;
  }
  /// The index of a unit on each dimension of the tile.
  llvm::SmallVector<int64_t, 4> getTileIndex(Unit unit) const;
  /// The first unit of the element that the request marks, if it does.
  Unit getMarkedUnit() const;
  /// The tile as a table: all dimensions but the last one are its rows.
  int64_t getTileColumns() const { return request.tileShape.back(); }
  int64_t getTileRows() const { return tables.numElements / getTileColumns(); }

private:
  void setPlace(Side side, int64_t index, Square &square) const;
};

/// Fills the tables and links them, or says why not.
std::optional<PictureError> build(Model &model);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_MODEL_H
