//===- Images.h - What tcgen05.ld/st move, from PTX -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the matrix fragments of the PTX ISA and not from the planner's
// table (tmem/Layout/NativeImages.h), so that each checks the other. Free of
// any library: the device library includes it, too.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_IMAGES_H
#define TMEM_EXECUTIONENGINE_IMAGES_H

#include "tmem/ExecutionEngine/Emulation.h"

namespace tmem::emulation {

/// A lane and a column relative to the address of an instruction, or for the
/// upper half of the warp in 16x32bx2 to address plus immediate.
struct Cell {
  uint32_t lane, column;
};

/// 32-bit registers of each lane, without that of ld.red.
constexpr uint32_t getNumWords(uint32_t shape, uint32_t count) {
  return shape == TMemEmu16x128b   ? 2 * count
         : shape == TMemEmu16x256b ? 4 * count
                                   : count;
}

/// Lanes from the address on; of each of the two regions for 16x32bx2.
constexpr uint32_t getNumLanes(uint32_t shape) {
  return shape == TMemEmu32x32b ? 32 : 16;
}

/// The same for columns; packed words take two each.
constexpr uint32_t getNumColumns(uint32_t shape, uint32_t count, bool pack) {
  uint32_t columns = shape == TMemEmu16x64b    ? 2 * count
                     : shape == TMemEmu16x128b ? 4 * count
                     : shape == TMemEmu16x256b ? 8 * count
                                               : count;
  return pack ? 2 * columns : columns;
}

constexpr uint32_t getMaxCount(uint32_t shape) {
  return shape == TMemEmu16x128b ? 64 : shape == TMemEmu16x256b ? 32 : 128;
}

/// A block of 8 lanes by 4 units of columns, four neighbouring lanes of the
/// warp to a lane of TMEM: the fragment of `mma` instructions.
constexpr Cell getQuadCell(uint32_t lane, uint32_t columnsPerUnit) {
  return {lane / 4, lane % 4 * columnsPerUnit};
}

/// Where register `word` of `lane` of the warp lies.
constexpr Cell getCell(uint32_t shape, uint32_t lane, uint32_t word) {
  switch (shape) {
  case TMemEmu32x32b: // A lane of the warp for each lane, a register a column.
    return {lane, word};
  case TMemEmu16x32bx2: // The same for each half of the warp.
    return {lane % 16, word};
  case TMemEmu16x64b: { // Pairs of lanes split into lanes 0-7 and 8-15 of TMEM.
    uint32_t lower = lane / 4, upper = 8 + lane / 4;
    return {lane % 2 == 0 ? lower : upper, 2 * word + (lane % 4 >= 2)};
  }
  case TMemEmu16x128b: { // Two quads of 32-bit units, one above the other.
    Cell cell = getQuadCell(lane, 1);
    uint32_t block = word / 2, below = word % 2;
    return {cell.lane + 8 * below, cell.column + 4 * block};
  }
  default: { // 16x256b: the same with units of 64 bits, two registers each.
    Cell cell = getQuadCell(lane, 2);
    uint32_t block = word / 4, below = word / 2 % 2, part = word % 2;
    return {cell.lane + 8 * below, cell.column + part + 8 * block};
  }
  }
}

} // namespace tmem::emulation

#endif // TMEM_EXECUTIONENGINE_IMAGES_H
