//===- LayoutAlgebraPicture.cpp - Pictures of layouts ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

static constexpr int64_t maxBlocks = 64;
static constexpr int64_t maxPlaces = int64_t(1) << 20;

namespace {
/// One side of the picture: the blocks of an axis.
struct Side {
  Axis axis;
  int64_t block, first, count;

  Side(const Layout &layout, Axis axis, int64_t block)
      : axis(axis), block(block) {
    auto [low, high] = layout.getRange(axis);
    first = llvm::divideFloorSigned(low, block);
    count = llvm::divideFloorSigned(high, block) - first + 1;
  }

  int64_t getIndex(const Coordinates &place) const {
    return llvm::divideFloorSigned(at(place, axis), block) - first;
  }
  std::string getLabel(int64_t index) const {
    return std::to_string((first + index) * block);
  }
};
} // namespace

/// "3,17": the index of an element in each dimension.
static std::string getName(int64_t element, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<std::string, 4> index(shape.size());
  for (unsigned dim = shape.size(); dim-- > 0; element /= shape[dim])
    index[dim] = std::to_string(element % shape[dim]);
  return llvm::join(index, ",");
}

/// The first element in each block, row by row; -1 where there is none.
static std::vector<int64_t> findFirst(const Layout &layout, const Side &rows,
                                      const Side &columns) {
  std::vector<int64_t> blocks(rows.count * columns.count, -1);
  auto copies = layout.getReplicaOffsets();
  forEachElement(layout, [&](int64_t element, const Coordinates &first) {
    for (Coordinates place : copies) {
      for (unsigned i = 0; i < numAxes; ++i)
        place[i] += first[i];
      int64_t &block = blocks[rows.getIndex(place) * columns.count +
                              columns.getIndex(place)];
      if (block < 0)
        block = element;
    }
  });
  return blocks;
}

/// Prints fields line by line, each column as wide as the widest field of all,
/// the first one apart.
static void printTable(llvm::ArrayRef<std::string> fields, size_t perLine,
                       llvm::raw_ostream &os) {
  size_t firstWidth = 0, width = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    size_t &widest = i % perLine == 0 ? firstWidth : width;
    widest = std::max(widest, fields[i].size());
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    os << fields[i];
    if ((i + 1) % perLine == 0)
      os << '\n';
    else
      os.indent((i % perLine == 0 ? firstWidth : width) + 2 - fields[i].size());
  }
}

/// True for a tile that is small enough to look at each place.
static bool isSmallTile(const ShapedLayout &tile) {
  return reshape(tile, tile.shape).has_value() &&
         tile.layout.getNumElements() * tile.layout.getNumReplicas() <=
             maxPlaces;
}

bool mlir::tmem::printPicture(const ShapedLayout &tile, llvm::raw_ostream &os,
                              int64_t block) {
  if (block < 1 || !isSmallTile(tile))
    return false;
  Layout layout = canonicalize(tile.layout);
  // Lanes beyond those of a warp have no thread number.
  if (layout.usesAxis(Axis::Warp) || layout.usesAxis(Axis::Lane))
    return false;
  bool isMemory = layout.isMemoryLayout();
  Side rows(layout, isMemory ? Axis::TLane : Axis::Tid, block);
  Side columns(layout, isMemory ? Axis::TCol : Axis::Reg, block);
  if (rows.count > maxBlocks || columns.count > maxBlocks)
    return false;
  std::vector<std::string> fields = {
      (stringifyAxis(rows.axis) + "\\" + stringifyAxis(columns.axis)).str()};
  for (int64_t column = 0; column < columns.count; ++column)
    fields.push_back(columns.getLabel(column));
  std::vector<int64_t> blocks = findFirst(layout, rows, columns);
  for (int64_t i = 0, n = blocks.size(); i < n; ++i) {
    if (i % columns.count == 0)
      fields.push_back(rows.getLabel(i / columns.count));
    fields.push_back(blocks[i] < 0 ? "." : getName(blocks[i], tile.shape));
  }
  printTable(fields, columns.count + 1, os);
  return true;
}
