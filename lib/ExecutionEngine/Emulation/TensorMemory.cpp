//===- TensorMemory.cpp - Cells and allocations ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"
#include <cstdlib>
#include <cstring>
#include <new>

using namespace tmem::emulation;

/// What a cell reads as before it is written: no small number, and as f32 none
/// that a kernel means.
static constexpr uint32_t garbage = 0xdeadbeef;

/// Lanes lie in different sets of the caches.
static constexpr uint32_t strideSlack = 16;

void TensorMemory::Free::operator()(uint32_t *cells) const { free(cells); }

void TensorMemory::reset(uint32_t newColumns, uint32_t newExclusiveColumns) {
  columns = newColumns;
  exclusiveColumns = newExclusiveColumns;
  uint32_t larger = columns > exclusiveColumns ? columns : exclusiveColumns;
  if (larger != numColumns || !cells) {
    numColumns = larger;
    stride = numColumns + strideSlack;
    cells.reset(static_cast<uint32_t *>(
        malloc(size_t(numLanes) * stride * sizeof(uint32_t))));
    if (!cells)
      throw std::bad_alloc();
  }
  numAllocations = 0;
  for (Allocation &allocation : allocations)
    allocation.columns = 0;
  memset(owners, 0, sizeof(owners));
  memset(freeSites, 0, sizeof(freeSites));
  memset(written, 0, sizeof(written));
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

Allocation *TensorMemory::find(uint32_t column) {
  if (column >= numColumns)
    return nullptr;
  uint8_t owner = owners[column / blockColumns];
  return owner ? &allocations[owner - 1] : nullptr;
}

Allocation *TensorMemory::allocate(uint32_t size, bool exclusive,
                                   uint64_t choice) {
  // An exclusive allocation lives alone, and starts at column 0.
  if (exclusive && numAllocations != 0)
    return nullptr;
  for (const Allocation &allocation : allocations)
    if (allocation.columns && allocation.exclusive)
      return nullptr;
  // A multiple of the size, which is a power of two: requests never grow, so
  // that one fits whenever enough columns are free.
  uint32_t numPlaces = exclusive ? 1 : columns / size;
  for (uint32_t i = 0; i < numPlaces; ++i) {
    uint32_t base = (choice + i) % numPlaces * size;
    bool fits = true;
    for (uint32_t c = base; c < base + size; c += blockColumns)
      fits &= owners[c / blockColumns] == 0;
    if (!fits)
      continue;
    uint32_t slot = 0;
    while (allocations[slot].columns)
      ++slot;
    Allocation &allocation = allocations[slot];
    allocation = Allocation();
    allocation.base = base;
    allocation.columns = size;
    allocation.exclusive = exclusive;
    memset(&owners[base / blockColumns], slot + 1, size / blockColumns);
    ++numAllocations;
    clearWritten(base, base + size);
    return &allocation;
  }
  return nullptr;
}

void TensorMemory::deallocate(Allocation &allocation, const Site *site) {
  for (uint32_t c = allocation.base; c < allocation.getEnd();
       c += blockColumns) {
    owners[c / blockColumns] = 0;
    freeSites[c / blockColumns] = site;
  }
  allocation.columns = 0;
  --numAllocations;
}

//===----------------------------------------------------------------------===//
// What was written
//===----------------------------------------------------------------------===//

namespace {

/// The columns of a range as bits of 64-bit words.
struct ColumnBits {
  uint32_t firstWord, lastWord;
  uint64_t first, last; ///< Bits of these words; all of those between.

  ColumnBits(uint32_t begin, uint32_t end)
      : firstWord(begin / 64), lastWord((end - 1) / 64),
        first(~uint64_t(0) << begin % 64),
        last(~uint64_t(0) >> (63 - (end - 1) % 64)) {
    if (firstWord == lastWord)
      first = last = first & last;
  }
  uint64_t get(uint32_t word) const {
    return word == firstWord ? first : word == lastWord ? last : ~uint64_t(0);
  }
};

} // namespace

std::optional<TensorMemory::Position>
TensorMemory::findUnwritten(const Box &box, bool high) const {
  ColumnBits bits(box.columnBegin, box.columnEnd);
  for (uint32_t lane = box.laneBegin; lane < box.laneEnd; ++lane) {
    const Written &row = written[lane];
    for (uint32_t word = bits.firstWord; word <= bits.lastWord; ++word) {
      uint64_t have = high ? row.low[word] & row.high[word] : row.low[word];
      if (uint64_t missing = bits.get(word) & ~have)
        return Position{lane, word * 64 + __builtin_ctzll(missing)};
    }
  }
  return std::nullopt;
}

void TensorMemory::markWritten(const Box &box, bool high) {
  ColumnBits bits(box.columnBegin, box.columnEnd);
  for (uint32_t lane = box.laneBegin; lane < box.laneEnd; ++lane) {
    Written &row = written[lane];
    for (uint32_t word = bits.firstWord; word <= bits.lastWord; ++word) {
      uint64_t mask = bits.get(word);
      row.low[word] |= mask;
      row.high[word] = high ? row.high[word] | mask : row.high[word] & ~mask;
    }
  }
}

void TensorMemory::clearWritten(uint32_t columnBegin, uint32_t columnEnd) {
  ColumnBits bits(columnBegin, columnEnd);
  for (Written &row : written)
    for (uint32_t word = bits.firstWord; word <= bits.lastWord; ++word) {
      row.low[word] &= ~bits.get(word);
      row.high[word] &= ~bits.get(word);
    }
}

uint32_t TensorMemory::peek(uint32_t lane, uint32_t column) {
  uint64_t bit = uint64_t(1) << column % 64;
  uint32_t value = *getCell(lane, column);
  if (!(written[lane].low[column / 64] & bit))
    return garbage;
  if (!(written[lane].high[column / 64] & bit))
    return (garbage & 0xffff0000) | (value & 0xffff);
  return value;
}

void TensorMemory::poke(uint32_t lane, uint32_t column, uint32_t value) {
  *getCell(lane, column) = value;
  markWritten({lane, lane + 1, column, column + 1}, /*high=*/true);
}
