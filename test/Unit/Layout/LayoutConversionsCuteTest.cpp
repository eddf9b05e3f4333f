//===- LayoutConversionsCuteTest.cpp - Layouts as shape:stride ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTestUtils.h"
#include "tmem/Layout/LayoutConversions.h"
#include "tmem/Layout/NativeImages.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

//===----------------------------------------------------------------------===//
// Nested shape:stride
//===----------------------------------------------------------------------===//

TEST(LayoutConversions, CuteText) {
  std::pair<llvm::StringRef, llvm::StringRef> texts[] = {
      {"((32,4),64):((65536,2097152),1)", "((32,4),64):((65536,2097152),1)"},
      {" ( ( _32 , _4 ) , _64 ) : ( ( _65536 , _2097152 ) , _1 ) ",
       "((32,4),64):((65536,2097152),1)"},
      {"8:-1", "(8):(-1)"},
      {"(8):(1)", "(8):(1)"},
      {"((2,(3,4)),((5))):((1,(2,6)),((24)))", "((2,3,4),5):((1,2,6),24)"}};
  for (auto [text, expected] : texts) {
    auto layout = parseCuteLayout(text);
    ASSERT_TRUE(layout) << text.str();
    EXPECT_EQ(print(*layout), expected.str());
  }
  std::string nested(100000, '(');
  for (llvm::StringRef text :
       {"", "8", "8:", ":1", "(8:1", "(8,):(1,)", "():()", "8:1:1", "(8)x:(1)",
        "99999999999999999999:1", "(8,_):(1,1)", nested.c_str()})
    EXPECT_FALSE(parseCuteLayout(text)) << text.take_front(20).str();
  std::string reason;
  EXPECT_FALSE(parseCuteLayout("((2,4),8):(2,(4,8))", &reason));
  EXPECT_EQ(reason, "expected a stride for each extent, but got tuples of two "
                    "forms");
  EXPECT_FALSE(parseCuteLayout("(2,4):(2 4)", &reason));
  EXPECT_EQ(reason,
            "expected shape:stride, each an integer or a tuple, but got "
            "\"4)\"");
}

/// The integer at a coordinate, by the definition: first modes are fastest.
int64_t evaluate(const CuteLayout &cute, llvm::ArrayRef<int64_t> coordinate) {
  int64_t sum = cute.offset;
  for (auto [modes, index] : llvm::zip(cute.dims, coordinate)) {
    int64_t rest = index;
    for (const IndexMode &mode : modes) {
      sum += rest % mode.extent * mode.stride;
      rest /= mode.extent;
    }
  }
  return sum;
}

std::string convertMemory(llvm::StringRef text, unsigned bits,
                          int64_t offset = 0) {
  std::string reason;
  auto cute = parseCuteLayout(text, &reason);
  if (!cute)
    return reason;
  cute->offset = offset;
  auto tile = fromCuteMemory(*cute, bits, &reason);
  if (!tile)
    return reason;
  // And back.
  auto back = toCuteMemory(*tile, bits, &reason);
  if (!back)
    return "no way back: " + reason;
  for (int64_t e = 0; e < tile->layout.getNumElements(); ++e) {
    auto index = delinearize(e, tile->shape);
    EXPECT_EQ(evaluate(*back, index), evaluate(*cute, index));
  }
  return print(tile->layout);
}

TEST(LayoutConversions, CuteAccumulators) {
  // Datapath D, 128x64 f32: lanes are 2^16 apart in an address.
  EXPECT_EQ(convertMemory("(128,64):(65536,1)", 32),
            "(128, 64) : (1@tlane, 1@tcol)");
  EXPECT_EQ(convertMemory("((32,4),64):((65536,2097152),1)", 32),
            "(4, 32, 64) : (32@tlane, 1@tlane, 1@tcol)");
  // Datapath B, 64x128: the second half of the columns in lanes 64 to 127.
  EXPECT_EQ(convertMemory("(64,(64,2)):(65536,(1,4194304))", 32),
            "(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)");
  // Datapath F, 64x16, half 1: 16 lanes of each slab, from lane 16 on.
  EXPECT_EQ(convertMemory("((16,4),16):((65536,2097152),1)", 32, 16 << 16),
            "(4, 16, 16) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane)");
  // 16-bit elements, dense and one per cell, from column 4 on.
  EXPECT_EQ(convertMemory("(128,64):(131072,1)", 16),
            "(128, 64) : (1@tlane, 1@tcol)");
  EXPECT_EQ(convertMemory("(128,64):(131072,2)", 16, 8),
            "(128, 64) : (1@tlane, 2@tcol) + (8@tcol)");
  EXPECT_EQ(convertMemory("(4,8):(32768,1)", 64), "(4, 8) : (1@tlane, 1@tcol)");
  EXPECT_EQ(convertMemory("(2,1):(0,65537)", 32),
            "(2, 1) : (0@tlane, 0@tlane)");
}

TEST(LayoutConversions, CuteMemoryReasons) {
  EXPECT_EQ(convertMemory("(2,2):(65537,1)", 32),
            "expected strides along lanes (multiples of 65536) or columns, but "
            "got 65537");
  EXPECT_EQ(convertMemory("(2):(-65537)", 32, 65537),
            "expected strides along lanes (multiples of 65536) or columns, but "
            "got -65537");
  EXPECT_EQ(convertMemory("(2,2):(65535,2)", 32),
            "expected columns 0 to 65535, but got 0 to 65537");
  EXPECT_EQ(convertMemory("(2):(-1)", 32),
            "expected columns 0 to 65535, but got -1 to 0");
  EXPECT_EQ(convertMemory("(2):(1)", 32, -1),
            "expected an offset of at least 0, but got -1");
  EXPECT_EQ(convertMemory("(2):(1)", 12),
            "expected elements of 4, 8, 16, 32 or 64 bits, but got 12");
  EXPECT_EQ(convertMemory("(0):(1)", 32),
            "expected extents of at least 1 that multiply to less than 2^31, "
            "but got 0");
  EXPECT_EQ(convertMemory("(65536,32768):(1,1)", 32),
            "expected extents of at least 1 that multiply to less than 2^31, "
            "but got 32768");
  EXPECT_EQ(convertMemory("(2):(9223372036854710272)", 32),
            "expected a stride between -2^31 and 2^31, but got "
            "140737488355327");
  std::string reason;
  EXPECT_FALSE(toCuteMemory({{2}, parseLayout("(2) : (1@tid)")}, 32, &reason));
  EXPECT_EQ(reason, "expected a memory layout without replicas");
  EXPECT_FALSE(toCuteMemory(
      {{2}, parseLayout("(2) : (1@tlane) * (2 : 2@tlane)")}, 32, &reason));
  EXPECT_FALSE(toCuteMemory({{3, 2}, parseLayout("(2, 3) : (1@tlane, 1@tcol)")},
                            32, &reason));
  EXPECT_EQ(reason, "expected modes that split between dimensions");
  EXPECT_FALSE(
      toCuteMemory({{2}, parseLayout("(2) : (65536@tcol)")}, 32, &reason));
}

TEST(LayoutConversions, CuteMemoryIsExact) {
  LayoutGenerator generator(33);
  int numSome = 0;
  for (int i = 0; i < 20000; ++i) {
    ShapedLayout tile;
    tile.layout = generator.get(36);
    tile.shape = generator.getShape(tile.layout.getNumElements());
    const unsigned widths[] = {4, 8, 16, 32, 64};
    unsigned bits = widths[generator.pick(0, 4)];
    auto cute = toCuteMemory(tile, bits);
    if (!cute)
      continue;
    ++numSome;
    auto places = enumerate(tile.layout);
    for (int64_t e = 0; e < tile.layout.getNumElements(); ++e) {
      const Coordinates &place = *places[e].begin();
      EXPECT_EQ(evaluate(*cute, delinearize(e, tile.shape)),
                place[0] * ((1 << 21) / bits) + place[1])
          << print(tile.layout);
    }
    // Text and back.
    auto parsed = parseCuteLayout(print(*cute));
    ASSERT_TRUE(parsed);
    parsed->offset = cute->offset;
    EXPECT_EQ(*parsed, *cute);
    auto back = fromCuteMemory(*parsed, bits);
    if (cute->offset < 0)
      continue;
    ASSERT_TRUE(back) << print(*cute);
    EXPECT_EQ(back->shape, tile.shape);
    EXPECT_EQ(haveSamePlaces(back->layout, tile.layout), Decision::Yes)
        << print(tile.layout);
  }
  EXPECT_GT(numSome, 1000);
}

//===----------------------------------------------------------------------===//
// Threads and values
//===----------------------------------------------------------------------===//

std::string convertThreadValue(llvm::StringRef text,
                               llvm::ArrayRef<int64_t> shape) {
  std::string reason;
  auto cute = parseCuteLayout(text, &reason);
  if (!cute)
    return reason;
  auto tile = fromCuteThreadValue(*cute, shape, &reason);
  return tile ? print(tile->layout) : reason;
}

/// The images of one instruction over (lane, word), by row and column of cells:
/// rows are fastest in the numbers of elements.
struct Atom {
  AtomShape shape;
  llvm::StringRef threads;       ///< Shape and stride of the lanes.
  llvm::StringRef threadStrides; ///<
  llvm::StringRef words;         ///< Of the words, the repeats left out.
  llvm::StringRef wordStrides;
};

// The rows (32 or 16) and then the columns of 32 bits are numbered: a step of
// one column is 32 or 16.
constexpr Atom atoms[] = {
    {AtomShape::S32x32b, "32", "1", "", ""},
    {AtomShape::S16x64b, "(2,2,8)", "(8,16,1)", "", ""},
    {AtomShape::S16x128b, "(4,8)", "(16,1)", "2,", "8,"},
    {AtomShape::S16x256b, "(4,8)", "(32,1)", "2,2,", "16,8,"},
};

TEST(LayoutConversions, CuteAtoms) {
  for (const Atom &atom : atoms)
    for (unsigned repeat = 1; isLegalRepeat(atom.shape, repeat); repeat *= 2) {
      const NativeImage &image = getNativeImage(atom.shape);
      int64_t rows = image.rows, columns = image.columnsPerRepeat * repeat;
      std::string text =
          ("(" + atom.threads + ",(" + atom.words + llvm::Twine(repeat) +
           ")):(" + atom.threadStrides + ",(" + atom.wordStrides +
           llvm::Twine(rows * image.columnsPerRepeat) + "))")
              .str();
      auto cute = parseCuteLayout(text);
      ASSERT_TRUE(cute) << text;
      auto tile = fromCuteThreadValue(*cute, {rows, columns});
      ASSERT_TRUE(tile) << text;
      auto places = enumerate(tile->layout);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned word = 0; word < getNumWords(atom.shape, repeat);
             ++word) {
          Cell cell = getLaneCell(atom.shape, Packing::None, lane) +
                      getWordCell(atom.shape, Packing::None, word);
          Coordinates place = {};
          place[static_cast<unsigned>(Axis::Tid)] = lane;
          place[static_cast<unsigned>(Axis::Reg)] = word;
          EXPECT_EQ(places[cell.lane * columns + cell.column], Places{place})
              << text;
        }
      auto back = toCuteThreadValue(*tile);
      ASSERT_TRUE(back) << text;
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t word = 0; word < getNumWords(atom.shape, repeat); ++word)
          EXPECT_EQ(evaluate(*back, {lane, word}),
                    evaluate(*cute, {lane, word}));
    }
}

TEST(LayoutConversions, CuteThreadValueExamples) {
  // A warpgroup with 32x32b.x64 on 128 rows.
  EXPECT_EQ(convertThreadValue("(128,64):(1,128)", {128, 64}),
            "(128, 64) : (1@tid, 1@reg)");
  // 16-bit accumulators, two to a register: values are elements.
  EXPECT_EQ(convertThreadValue("((4,8),(2,2)):((32,1),(16,8))", {16, 8}),
            "(2, 32, 2) : (2@reg, 1@tid, 1@reg)");
  // By bits of columns rather than by rows: a tile of 64 columns of bits by 16
  // rows, the first fastest, of 16x64b.x1.
  EXPECT_EQ(convertThreadValue("((2,2,8),32):((512,32,64),1)", {64, 16}),
            "(2, 32, 2, 8) : (2@tid, 1@reg, 1@tid, 4@tid)");
  // Threads and values that hold the same.
  EXPECT_EQ(convertThreadValue("((4,8),(2,3)):((0,1),(8,0))", {8, 2}),
            "(8, 2) : (4@tid, 1@reg) * (3 : 2@reg, 4 : 1@tid)");
  auto tile = fromCuteThreadValue(
      *parseCuteLayout("((4,8),(2,3)):((0,1),(8,0))"), {8, 2});
  EXPECT_EQ(print(*toCuteThreadValue(*tile)), "((4,8),(2,3)):((0,1),(8,0))");
}

TEST(LayoutConversions, CuteThreadValueReasons) {
  EXPECT_EQ(convertThreadValue("(4):(1)", {4}),
            "expected a mode of threads and a mode of values, from 0 on");
  EXPECT_EQ(convertThreadValue("(4,2):(1,2)", {8}),
            "expected every element equally often, but got gaps or overlaps at "
            "a stride of 2");
  EXPECT_EQ(convertThreadValue("(4,2):(1,-4)", {8}),
            "expected every element equally often, but got gaps or overlaps at "
            "a stride of -4");
  EXPECT_EQ(convertThreadValue("(4,2):(1,4)", {4}),
            "expected a shape of 8 elements, but got others");
  EXPECT_EQ(convertThreadValue("(4,2):(1,4)", {INT64_MAX, INT64_MAX}),
            "expected a shape of 8 elements, but got others");
  EXPECT_EQ(convertThreadValue("(4,2):(1,4)", {}),
            "expected a shape of 8 elements, but got others");
  EXPECT_EQ(convertThreadValue("(2,3):(3,1)", {2, 3}),
            "expected modes that split between dimensions");
  EXPECT_EQ(convertThreadValue("(1,1):(0,0)", {}), "(1) : (0@reg)");
  std::string reason;
  auto why = [&](llvm::StringRef text, llvm::ArrayRef<int64_t> shape) {
    ShapedLayout tile = {{shape.begin(), shape.end()}, parseLayout(text)};
    EXPECT_FALSE(toCuteThreadValue(tile, &reason));
    return reason;
  };
  EXPECT_EQ(why("(8) : (1@tlane)", {8}),
            "expected a register layout, but got the axes of a memory layout");
  EXPECT_EQ(why("(8) : (1@tid) + (32@tid)", {8}),
            "expected threads and registers from 0 on");
  EXPECT_EQ(why("(8) : (-1@tid) + (7@tid)", {8}),
            "expected strides that go upwards");
  EXPECT_EQ(why("(8) : (2@tid)", {8}),
            "expected one element at every place of the box, but got gaps or "
            "overlaps along tid");
  EXPECT_EQ(why("(33) : (1@lane)", {33}),
            "expected every axis that the layout moves along, but got none for "
            "lane");
  EXPECT_EQ(why("(8) : (1@tid)", {7}),
            "expected modes that split between dimensions");
  EXPECT_EQ(why("(8) : (1@tid)", {}),
            "expected modes that split between dimensions");
}

TEST(LayoutConversions, CuteThreadValueIsExact) {
  LayoutGenerator generator(34);
  generator.strides = {1, 2, 3, 4, 6, 8};
  int numSome = 0, numReplicas = 0;
  for (int i = 0; i < 60000; ++i) {
    ShapedLayout tile;
    tile.layout = generator.get(36);
    tile.layout.offsets.clear();
    tile.shape = generator.getShape(tile.layout.getNumElements());
    if (!tile.layout.isRegisterLayout())
      continue;
    auto cute = toCuteThreadValue(tile);
    if (!cute)
      continue;
    ++numSome;
    numReplicas += tile.layout.getNumReplicas() > 1;
    // The element of each place, column-major.
    auto places = normalizeThreads(enumerate(tile.layout));
    size_t numPlaces = 0;
    for (size_t e = 0; e < places.size(); ++e)
      for (const Coordinates &place : places[e]) {
        auto index = delinearize(e, tile.shape);
        std::reverse(index.begin(), index.end());
        Index reversed(tile.shape.rbegin(), tile.shape.rend());
        int64_t tid = place[static_cast<unsigned>(Axis::Warp)] * 32 +
                      place[static_cast<unsigned>(Axis::Lane)];
        int64_t reg = place[static_cast<unsigned>(Axis::Reg)];
        EXPECT_EQ(evaluate(*cute, {tid, reg}), linearize(index, reversed))
            << print(tile.layout);
        ++numPlaces;
      }
    int64_t size = 1;
    for (const auto &modes : cute->dims)
      for (const IndexMode &mode : modes)
        size *= mode.extent;
    EXPECT_EQ(int64_t(numPlaces), size);
    auto back = fromCuteThreadValue(*cute, tile.shape);
    ASSERT_TRUE(back) << print(*cute);
    EXPECT_EQ(haveSamePlaces(back->layout, tile.layout), Decision::Yes)
        << print(tile.layout);
  }
  EXPECT_GT(numSome, 2000);
  EXPECT_GT(numReplicas, 200);
}

} // namespace
