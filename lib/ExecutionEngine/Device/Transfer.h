//===- Transfer.h - Moving data between words and cells ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lane's share of a load or store. `shape`, `count` and `flags` are
// constants in every kernel: once inlined, each function is straight-line code
// on registers. So are the loops, in the library itself not yet unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_DEVICE_TRANSFER_H
#define TMEM_LIB_EXECUTIONENGINE_DEVICE_TRANSFER_H

#include "Gpu.h"

// LLVM inlines nothing else from a library that was compiled for another GPU
// than the kernel.
#ifdef __NVPTX__
#define TMEM_UNROLL _Pragma("clang loop unroll(full)")
#pragma clang attribute push(__attribute__((always_inline)),                   \
                             apply_to = function)
#else
#define TMEM_UNROLL
#endif

#include "tmem/ExecutionEngine/Images.h"

namespace tmem::emulation {

/// What the upper half of a cell holds that only its lower half was written of.
constexpr uint32_t undefinedHalf = 0xdead0000;

/// Where column `column` of a lane lies, relative to the same lane's column 0:
/// the lanes of a warp access neighbouring words.
constexpr uint32_t getCellOffset(uint32_t lane, uint32_t column) {
  return column * numTMemLanes + lane;
}

/// `cells` is the lane and column that this lane's address names.
TMEM_GPU void loadWords(uint32_t shape, uint32_t count, bool pack,
                        uint32_t lane, const gpu::GlobalWord *cells,
                        uint32_t *words) {
  uint32_t numWords = getNumWords(shape, count);
  TMEM_UNROLL
  for (uint32_t word = 0; word < numWords; ++word) {
    Cell cell = getCell(shape, lane, word);
    if (!pack) {
      words[word] = cells[getCellOffset(cell.lane, cell.column)];
      continue;
    }
    uint32_t low = cells[getCellOffset(cell.lane, 2 * cell.column)];
    uint32_t high = cells[getCellOffset(cell.lane, 2 * cell.column + 1)];
    words[word] = (low & 0xffff) | high << 16;
  }
}

TMEM_GPU void storeWords(uint32_t shape, uint32_t count, bool unpack,
                         uint32_t lane, gpu::GlobalWord *cells,
                         const uint32_t *words) {
  uint32_t numWords = getNumWords(shape, count);
  TMEM_UNROLL
  for (uint32_t word = 0; word < numWords; ++word) {
    Cell cell = getCell(shape, lane, word);
    uint32_t value = words[word];
    if (!unpack) {
      cells[getCellOffset(cell.lane, cell.column)] = value;
      continue;
    }
    cells[getCellOffset(cell.lane, 2 * cell.column)] =
        (value & 0xffff) | undefinedHalf;
    cells[getCellOffset(cell.lane, 2 * cell.column + 1)] =
        (value >> 16) | undefinedHalf;
  }
}

/// Integers in the order of the floats whose bits they are, -0 before +0.
constexpr int32_t getFloatKey(uint32_t bits) {
  return int32_t(bits) < 0 ? int32_t(bits ^ 0x7fffffff) : int32_t(bits);
}
constexpr bool isNaN(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/// min or max of two values as PTX has it: a NaN loses to a number, and with
/// .NaN it wins and becomes canonical.
constexpr uint32_t reduceTwo(uint32_t flags, uint32_t x, uint32_t y) {
  bool less = false;
  if (flags & TMemEmuReduceU32) {
    less = x < y;
  } else if (flags & TMemEmuReduceS32) {
    less = int32_t(x) < int32_t(y);
  } else {
    if (isNaN(x) || isNaN(y)) {
      if ((flags & TMemEmuReduceNaN) || (isNaN(x) && isNaN(y)))
        return 0x7fffffff;
      return isNaN(x) ? y : x;
    }
    less = getFloatKey(x) < getFloatKey(y);
  }
  return less == bool(flags & TMemEmuReduceMin) ? x : y;
}

/// The value of ld.red: over the words of this lane.
TMEM_GPU uint32_t reduceWords(uint32_t flags, uint32_t numWords,
                              const uint32_t *words) {
  uint32_t keep = flags & TMemEmuReduceAbs ? 0x7fffffff : ~uint32_t(0);
  uint32_t result = words[0] & keep;
  TMEM_UNROLL
  for (uint32_t word = 1; word < numWords; ++word)
    result = reduceTwo(flags, result, words[word] & keep);
  return result;
}

} // namespace tmem::emulation

#ifdef __NVPTX__
#pragma clang attribute pop
#endif

#endif // TMEM_LIB_EXECUTIONENGINE_DEVICE_TRANSFER_H
