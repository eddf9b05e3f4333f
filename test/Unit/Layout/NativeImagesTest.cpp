//===- NativeImagesTest.cpp - What tcgen05.ld/st move ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/NativeImages.h"
#include "PlannerTestUtils.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::tmem;
using mlir::tmem::test::getPTXCell;

namespace {

constexpr AtomShape allShapes[] = {AtomShape::S32x32b, AtomShape::S16x64b,
                                   AtomShape::S16x128b, AtomShape::S16x256b,
                                   AtomShape::S16x32bx2};

Cell getCell(AtomShape shape, Packing packing, unsigned lane, unsigned word) {
  return getLaneCell(shape, packing, lane) + getWordCell(shape, packing, word);
}

/// Calls `fn(shape, repeat)` for every instruction there is.
template <typename Fn> void forEachInstruction(Fn fn) {
  for (AtomShape shape : allShapes)
    for (unsigned repeat = 1; repeat <= 128; repeat *= 2)
      if (isLegalRepeat(shape, repeat))
        fn(shape, repeat);
}

TEST(NativeImages, TableFollowsEnum) {
  ASSERT_EQ(getNativeImages().size(), std::size(allShapes));
  for (AtomShape shape : allShapes) {
    EXPECT_EQ(getNativeImage(shape).shape, shape);
    EXPECT_EQ(symbolizeAtomShape(stringifyAtomShape(shape)), shape);
    EXPECT_FALSE(getNativeImage(shape).source.empty());
  }
  EXPECT_EQ(symbolizeAtomShape("16x32b"), std::nullopt);
  EXPECT_EQ(symbolizeAtomShape(""), std::nullopt);
}

TEST(NativeImages, LegalRepeats) {
  auto largest = [](AtomShape shape) {
    int64_t last = 0;
    for (int64_t repeat = -4; repeat <= 1024; ++repeat)
      if (isLegalRepeat(shape, repeat)) {
        EXPECT_EQ(repeat & (repeat - 1), 0);
        last = repeat;
      }
    return last;
  };
  EXPECT_EQ(largest(AtomShape::S32x32b), 128);
  EXPECT_EQ(largest(AtomShape::S16x64b), 128);
  EXPECT_EQ(largest(AtomShape::S16x128b), 64);
  EXPECT_EQ(largest(AtomShape::S16x256b), 32);
  EXPECT_EQ(largest(AtomShape::S16x32bx2), 128);
  EXPECT_FALSE(isLegalRepeat(AtomShape::S32x32b, int64_t(1) << 40));
}

TEST(NativeImages, NumWords) {
  EXPECT_EQ(getNumWords(AtomShape::S32x32b, 64), 64u);
  EXPECT_EQ(getNumWords(AtomShape::S16x64b, 64), 64u);
  EXPECT_EQ(getNumWords(AtomShape::S16x128b, 64), 128u);
  EXPECT_EQ(getNumWords(AtomShape::S16x256b, 32), 128u);
  EXPECT_EQ(getNumWords(AtomShape::S16x32bx2, 2), 2u);
}

TEST(NativeImages, CellsAreThoseOfPTX) {
  forEachInstruction([](AtomShape shape, unsigned repeat) {
    for (unsigned word = 0; word < getNumWords(shape, repeat); ++word)
      for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(getCell(shape, Packing::None, lane, word),
                  getPTXCell(shape, lane, word));
  });
}

TEST(NativeImages, PackingDoublesColumns) {
  for (Packing packing : {Packing::Pack, Packing::Unpack})
    forEachInstruction([&](AtomShape shape, unsigned repeat) {
      for (unsigned word = 0; word < getNumWords(shape, repeat); ++word)
        for (unsigned lane = 0; lane < 32; ++lane) {
          Cell cell = getPTXCell(shape, lane, word);
          cell.column *= 2;
          EXPECT_EQ(getCell(shape, packing, lane, word), cell);
        }
    });
}

/// Every word of every lane has a cell of its own, and together they are the
/// rows and columns that PTX gives for the shape.
TEST(NativeImages, CellsFillTheExtents) {
  forEachInstruction([](AtomShape shape, unsigned repeat) {
    if (shape == AtomShape::S16x32bx2)
      return;
    const NativeImage &image = getNativeImage(shape);
    std::set<std::pair<int64_t, int64_t>> cells;
    for (unsigned word = 0; word < getNumWords(shape, repeat); ++word)
      for (unsigned lane = 0; lane < 32; ++lane) {
        Cell cell = getCell(shape, Packing::None, lane, word);
        EXPECT_TRUE(cells.insert({cell.lane, cell.column}).second);
        EXPECT_LT(cell.lane, image.rows);
        EXPECT_LT(cell.column, image.columnsPerRepeat * repeat);
      }
    EXPECT_EQ(cells.size(),
              size_t(image.rows) * image.columnsPerRepeat * repeat);
  });
}

TEST(NativeImages, SecondAccessOf16x32bx2StartsAtItsOwnAddress) {
  EXPECT_EQ(getLaneCell(AtomShape::S16x32bx2, Packing::None, 16), Cell());
  EXPECT_EQ(getLaneCell(AtomShape::S16x32bx2, Packing::None, 31),
            (Cell{15, 0}));
  EXPECT_EQ(getNativeImage(AtomShape::S16x32bx2).issuesInSASS, 2u);
}

} // namespace
