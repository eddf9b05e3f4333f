//===- TransferData.cpp - What tcgen05.ld and st move ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Transfers.h"
#include <cstring>

using namespace tmem::emulation;

static constexpr uint32_t maxWords = 128;

/// In every shape the cell of a register is that of the lane's first register
/// plus that of lane 0's.
static constexpr bool isSum(uint32_t shape) {
  uint32_t numWords = getNumWords(shape, getMaxCount(shape));
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    for (uint32_t word = 0; word < numWords; ++word) {
      Cell cell = getCell(shape, lane, word);
      Cell first = getCell(shape, lane, 0), step = getCell(shape, 0, word);
      if (cell.lane != first.lane + step.lane ||
          cell.column != first.column + step.column)
        return false;
    }
  return true;
}
static_assert(isSum(TMemEmu32x32b) && isSum(TMemEmu16x64b) &&
              isSum(TMemEmu16x128b) && isSum(TMemEmu16x256b) &&
              isSum(TMemEmu16x32bx2));

namespace {

/// What each register adds, for quick loops.
struct Steps {
  Cell lanes[numShapes][warpSize], words[numShapes][maxWords];

  constexpr Steps() : lanes(), words() {
    for (uint32_t shape = 0; shape < numShapes; ++shape) {
      for (uint32_t lane = 0; lane < warpSize; ++lane)
        lanes[shape][lane] = getCell(shape, lane, 0);
      for (uint32_t word = 0; word < maxWords; ++word)
        words[shape][word] = getCell(shape, 0, word);
    }
  }
};
constexpr Steps steps;

} // namespace

/// Calls `fn(words, cell)` for each lane with its registers and its first cell.
template <typename Fn>
static void forEachLane(TensorMemory &tensor, const Transfer &transfer, Fn fn) {
  uint32_t scale = transfer.isPacked() ? 2 : 1;
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    Cell origin = transfer.getOrigin(lane);
    Cell step = steps.lanes[transfer.shape][lane];
    fn(transfer.warp.words[lane],
       tensor.getCell(origin.lane + step.lane,
                      origin.column + scale * step.column));
  }
}

/// Calls `fn(words, cell, word, offset)` for each register with its cell.
template <typename Fn>
static void forEachWord(TensorMemory &tensor, const Transfer &transfer, Fn fn) {
  uint32_t offsets[maxWords];
  uint32_t numWords = transfer.getWords(), stride = tensor.getStride();
  uint32_t scale = transfer.isPacked() ? 2 : 1;
  for (uint32_t word = 0; word < numWords; ++word) {
    Cell step = steps.words[transfer.shape][word];
    offsets[word] = step.lane * stride + scale * step.column;
  }
  forEachLane(tensor, transfer, [&](uint32_t *words, uint32_t *cell) {
    for (uint32_t word = 0; word < numWords; ++word)
      fn(words[word], cell + offsets[word]);
  });
}

/// Whether the registers of a lane lie one after another.
static bool isContiguous(const Transfer &transfer) {
  return !transfer.isPacked() &&
         (transfer.shape == TMemEmu32x32b || transfer.shape == TMemEmu16x32bx2);
}

static void moveIn(TensorMemory &tensor, const Transfer &transfer) {
  if (isContiguous(transfer)) {
    size_t bytes = transfer.getWords() * sizeof(uint32_t);
    forEachLane(tensor, transfer, [&](uint32_t *words, uint32_t *cell) {
      memcpy(words, cell, bytes);
    });
  } else if (transfer.isPacked()) {
    forEachWord(tensor, transfer, [](uint32_t &word, uint32_t *cell) {
      word = (cell[0] & 0xffff) | cell[1] << 16;
    });
  } else {
    forEachWord(tensor, transfer,
                [](uint32_t &word, uint32_t *cell) { word = *cell; });
  }
}

static void moveOut(TensorMemory &tensor, const Transfer &transfer) {
  if (isContiguous(transfer)) {
    size_t bytes = transfer.getWords() * sizeof(uint32_t);
    forEachLane(tensor, transfer, [&](uint32_t *words, uint32_t *cell) {
      memcpy(cell, words, bytes);
    });
  } else if (transfer.isPacked()) {
    forEachWord(tensor, transfer, [](uint32_t &word, uint32_t *cell) {
      cell[0] = word & 0xffff;
      cell[1] = word >> 16;
    });
  } else {
    forEachWord(tensor, transfer,
                [](uint32_t &word, uint32_t *cell) { *cell = word; });
  }
}

void tmem::emulation::moveData(TensorMemory &tensor, const Transfer &transfer) {
  if (transfer.store)
    moveOut(tensor, transfer);
  else
    moveIn(tensor, transfer);
}

static uint32_t reduceIntegers(const uint32_t *words, uint32_t numWords,
                               bool isMax, bool isSigned) {
  // Signed numbers order as unsigned ones do once their sign is flipped.
  uint32_t flip = isSigned ? 0x80000000 : 0;
  uint32_t result = words[0] ^ flip;
  for (uint32_t word = 1; word < numWords; ++word) {
    uint32_t value = words[word] ^ flip;
    if (isMax ? value > result : value < result)
      result = value;
  }
  return result ^ flip;
}

/// ld.red: what each lane has loaded, reduced to one register more.
void tmem::emulation::reduceLoaded(const Transfer &transfer) {
  uint32_t numWords = transfer.getWords(), flags = transfer.flags;
  bool isMax = flags & TMemEmuReduceMax;
  FloatReduction reduction = {isMax, (flags & TMemEmuReduceAbs) != 0,
                              (flags & TMemEmuReduceNaN) != 0};
  for (uint32_t *words : transfer.warp.words) {
    if (flags & (TMemEmuReduceU32 | TMemEmuReduceS32)) {
      words[numWords] = reduceIntegers(words, numWords, isMax,
                                       (flags & TMemEmuReduceS32) != 0);
      continue;
    }
    uint32_t result = reduction.begin(words[0]);
    for (uint32_t word = 1; word < numWords; ++word)
      result = reduction.add(result, words[word]);
    words[numWords] = result;
  }
}
