//===- TensorMemory.h - Cells and allocations -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORMEMORY_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORMEMORY_H

#include "Support.h"
#include <memory>
#include <optional>

namespace tmem::emulation {

constexpr uint32_t numLanes = 128;
/// Columns come in blocks of this many (PTX ISA, tcgen05.alloc).
constexpr uint32_t blockColumns = 32;
/// No chip has more columns: what the bits below have room for.
constexpr uint32_t maxColumns = 1024;
constexpr uint32_t maxBlocks = maxColumns / blockColumns;

/// Lanes and columns of one CTA, absolute, from begin to end.
struct Box {
  uint32_t laneBegin, laneEnd, columnBegin, columnEnd;

  bool overlaps(const Box &other) const {
    return laneBegin < other.laneEnd && other.laneBegin < laneEnd &&
           columnBegin < other.columnEnd && other.columnBegin < columnEnd;
  }
  bool operator==(const Box &other) const {
    return laneBegin == other.laneBegin && laneEnd == other.laneEnd &&
           columnBegin == other.columnBegin && columnEnd == other.columnEnd;
  }
};

struct Allocation {
  uint32_t base, columns; ///< No columns: a free entry.
  bool exclusive;
  const Site *site;
  const Site *freeing;  ///< Of a dealloc that waits for the peer, or null.
  uint32_t warp, epoch; ///< Who made it, and its count of releases then.
  /// For each warp its count of releases when its last access was complete.
  struct LastAccess {
    uint32_t epoch;
    const Site *site;
  } last[maxWarps];

  uint32_t getEnd() const { return base + columns; }
};

/// The Tensor Memory of one CTA: data, what of it was written, and who owns
/// which columns. Checks of a whole box at a time; faults are the caller's.
class TensorMemory {
public:
  /// For a new CTA: nothing allocated, nothing written.
  void reset(uint32_t columns, uint32_t exclusiveColumns);

  /// Columns that a plain and an .exclusive allocation can have.
  uint32_t getColumns() const { return columns; }
  uint32_t getExclusiveColumns() const { return exclusiveColumns; }
  uint32_t getNumColumns() const { return numColumns; }

  /// Cells from one lane to the next.
  uint32_t getStride() const { return stride; }
  uint32_t *getCell(uint32_t lane, uint32_t column) {
    return &cells[size_t(lane) * stride + column];
  }

  /// The live allocation of a column, or null.
  Allocation *find(uint32_t column);
  /// A new one where it fits, or null. `choice` picks among the places.
  Allocation *allocate(uint32_t columns, bool exclusive, uint64_t choice);
  void deallocate(Allocation &allocation, const Site *site);
  bool hasAllocations() const { return numAllocations != 0; }
  template <typename Fn> void forEachAllocation(Fn fn) {
    for (Allocation &allocation : allocations)
      if (allocation.columns)
        fn(allocation);
  }
  /// Where a column was last freed, or null.
  const Site *getFreeSite(uint32_t column) const {
    return column < numColumns ? freeSites[column / blockColumns] : nullptr;
  }

  /// A cell: its lane and column.
  struct Position {
    uint32_t lane, column;
  };
  /// The first cell of a box whose low half, or with `high` one of whose
  /// halves, was never written.
  std::optional<Position> findUnwritten(const Box &box, bool high) const;
  /// Counts a box as written, or only its low halves: what is above them is
  /// undefined from then on.
  void markWritten(const Box &box, bool high);

  /// The value of a cell past all rules; what was never written reads as a
  /// pattern.
  uint32_t peek(uint32_t lane, uint32_t column);
  void poke(uint32_t lane, uint32_t column, uint32_t value);

private:
  void clearWritten(uint32_t columnBegin, uint32_t columnEnd);

  uint32_t columns = 0, exclusiveColumns = 0, numColumns = 0, stride = 0;
  uint32_t numAllocations = 0;
  struct Free {
    void operator()(uint32_t *cells) const;
  };
  std::unique_ptr<uint32_t[], Free> cells;
  Allocation allocations[maxBlocks];
  uint8_t owners[maxBlocks]; ///< Index of an allocation plus 1, or 0.
  const Site *freeSites[maxBlocks];
  /// A bit for each column, for its low and its high 16 bits.
  struct Written {
    uint64_t low[maxColumns / 64], high[maxColumns / 64];
  };
  Written written[numLanes];
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORMEMORY_H
