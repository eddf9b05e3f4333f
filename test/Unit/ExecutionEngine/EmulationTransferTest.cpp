//===- EmulationTransferTest.cpp - tcgen05.ld and st, emulated ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include "tmem/ExecutionEngine/Images.h"
#include "tmem/Layout/NativeImages.h"
#include <cmath>
#include <map>
#include <set>

using namespace tmem::emulation;
using namespace tmem::emulation::test;
using mlir::tmem::AtomShape;
using mlir::tmem::Packing;

namespace {

constexpr uint32_t numShapes = 5;

/// Calls `fn(shape, count, pack)` for every instruction there is.
template <typename Fn> void forEachInstruction(Fn fn) {
  for (uint32_t shape = 0; shape < numShapes; ++shape)
    for (uint32_t count = 1; count <= getMaxCount(shape); count *= 2)
      for (bool pack : {false, true})
        // A packed instruction of more would need more columns than there are.
        if (getNumColumns(shape, count, pack) <= 512)
          fn(shape, count, pack);
}

/// The immediate that makes 16x32bx2 cover the other half of the slab.
int64_t getOffset(uint32_t shape) {
  return shape == TMemEmu16x32bx2 ? 16 << 16 : 0;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

TEST(EmulationImages, CoverTheirBoxOnce) {
  forEachInstruction([](uint32_t shape, uint32_t count, bool) {
    std::set<std::pair<uint32_t, uint32_t>> cells;
    uint32_t lanes = shape == TMemEmu16x32bx2 ? 16 : 32;
    for (uint32_t lane = 0; lane < lanes; ++lane)
      for (uint32_t word = 0; word < getNumWords(shape, count); ++word) {
        tmem::emulation::Cell cell = getCell(shape, lane, word);
        EXPECT_LT(cell.lane, getNumLanes(shape));
        EXPECT_LT(cell.column, getNumColumns(shape, count, false));
        EXPECT_TRUE(cells.insert({cell.lane, cell.column}).second);
      }
    EXPECT_EQ(cells.size(),
              getNumLanes(shape) * getNumColumns(shape, count, false));
  });
}

TEST(EmulationImages, AgreeWithThePlanner) {
  uint32_t instructions = 0;
  forEachInstruction([&](uint32_t shape, uint32_t count, bool pack) {
    ++instructions;
    AtomShape atom = static_cast<AtomShape>(shape);
    Packing packing = pack ? Packing::Pack : Packing::None;
    ASSERT_TRUE(mlir::tmem::isLegalRepeat(atom, count));
    ASSERT_EQ(mlir::tmem::getNumWords(atom, count), getNumWords(shape, count));
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t word = 0; word < getNumWords(shape, count); ++word) {
        mlir::tmem::Cell theirs = mlir::tmem::getLaneCell(atom, packing, lane) +
                                  mlir::tmem::getWordCell(atom, packing, word);
        tmem::emulation::Cell ours = getCell(shape, lane, word);
        ASSERT_EQ(theirs.lane, ours.lane);
        ASSERT_EQ(theirs.column, ours.column * (pack ? 2 : 1));
      }
  });
  EXPECT_GE(instructions, 70u);
  for (uint32_t shape = 0; shape < numShapes; ++shape)
    EXPECT_FALSE(mlir::tmem::isLegalRepeat(static_cast<AtomShape>(shape),
                                           2 * getMaxCount(shape)));
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// A value of its own for each cell: negatives, and above 2^31.
uint32_t makeValue(uint32_t lane, uint32_t column) {
  return (lane * 1024 + column) * 2654435761u;
}

/// The cell of a register, without the slab.
tmem::emulation::Cell getPlace(uint32_t shape, bool pack, uint32_t lane,
                               uint32_t word) {
  tmem::emulation::Cell cell = getCell(shape, lane, word);
  if (pack)
    cell.column *= 2;
  if (shape == TMemEmu16x32bx2 && lane >= 16)
    cell.lane += 16;
  return cell;
}

TEST(EmulationTransfer, LoadsWhatCellsHold) {
  forEachInstruction([](uint32_t shape, uint32_t count, bool pack) {
    uint32_t wrong = 0;
    EXPECT_THAT(
        run(Launch(),
            [&](TMemEmuThread *t) {
              withColumns(t, 512, [&](uint32_t address) {
                uint32_t lane0 = getWarp(t) * 32;
                for (uint32_t column = 0; column < 512; ++column)
                  tmemEmuWriteCell(t, AT("write", 20),
                                   (lane0 + getLane(t)) << 16 | column,
                                   makeValue(lane0 + getLane(t), column));
                tmemEmuWarpSync(t, AT("bar.warp.sync", 21), fullMask);
                uint32_t words[128];
                tmemEmuLoad(t, AT("tcgen05.ld", 22), shape, count,
                            pack ? TMemEmuPack : 0, address + getSlab(t),
                            getOffset(shape), words);
                tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 23));
                for (uint32_t w = 0; w < getNumWords(shape, count); ++w) {
                  auto cell = getPlace(shape, pack, getLane(t), w);
                  uint32_t lane = lane0 + cell.lane;
                  uint32_t expected = makeValue(lane, cell.column);
                  if (pack)
                    expected = (expected & 0xffff) |
                               makeValue(lane, cell.column + 1) << 16;
                  wrong += words[w] != expected;
                }
              });
            }),
        isClean());
    EXPECT_EQ(wrong, 0u) << "shape " << shape << " x" << count;
  });
}

TEST(EmulationTransfer, StoresWhatRegistersHold) {
  forEachInstruction([](uint32_t shape, uint32_t count, bool pack) {
    uint32_t wrong = 0, checked = 0;
    EXPECT_THAT(
        run(Launch(),
            [&](TMemEmuThread *t) {
              withColumns(t, 512, [&](uint32_t address) {
                uint32_t lane0 = getWarp(t) * 32;
                uint32_t words[128];
                for (uint32_t w = 0; w < getNumWords(shape, count); ++w)
                  words[w] = makeValue(getTid(t), w);
                tmemEmuStore(t, AT("tcgen05.st", 22), shape, count,
                             pack ? TMemEmuPack : 0, address + getSlab(t),
                             getOffset(shape), words);
                tmemEmuWaitStore(t, AT("tcgen05.wait::st", 23));
                for (uint32_t w = 0; w < getNumWords(shape, count); ++w) {
                  auto cell = getPlace(shape, pack, getLane(t), w);
                  uint32_t place = (lane0 + cell.lane) << 16 | cell.column;
                  uint32_t value = tmemEmuReadCell(t, AT("read", 24), place);
                  uint32_t mask = pack ? 0xffff : 0xffffffff;
                  wrong += (value & mask) != (words[w] & mask);
                  ++checked;
                  if (!pack)
                    continue;
                  value = tmemEmuReadCell(t, AT("read", 25), place + 1);
                  wrong += (value & mask) != words[w] >> 16;
                }
              });
            }),
        isClean());
    EXPECT_EQ(wrong, 0u) << "shape " << shape << " x" << count;
    EXPECT_EQ(checked, 128 * getNumWords(shape, count));
  });
}

TEST(EmulationTransfer, LowerHalfOfTheSlab) {
  // 16-row shapes at lane 16; 16x32bx2 with both halves there.
  expectClean([](TMemEmuThread *t) {
    withColumns(t, 64, [&](uint32_t address) {
      uint32_t words[8];
      for (uint32_t w = 0; w < 8; ++w)
        words[w] = getTid(t) * 8 + w;
      uint32_t place = address + getSlab(t) + (16 << 16);
      tmemEmuStore(t, AT("tcgen05.st", 20), TMemEmu16x32bx2, 8, 0, place, 8,
                   words);
      tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
      uint32_t lane = getWarp(t) * 32 + 16 + getLane(t) % 16;
      for (uint32_t w = 0; w < 8; ++w)
        EXPECT_EQ(
            tmemEmuReadCell(t, AT("read", 22),
                            lane << 16 | (address + getLane(t) / 16 * 8 + w)),
            words[w]);
      uint32_t again[8];
      tmemEmuLoad(t, AT("tcgen05.ld", 23), TMemEmu16x64b, 8, 0, place, 0,
                  again);
      tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 24));
    });
  });
}

TEST(EmulationTransfer, LoadReduces) {
  constexpr uint32_t count = 4;
  const uint32_t rows[][count] = {
      {5, 0xffffffff, 7, 0x80000001},
      {0x3f800000, 0xc0000000, 0x40400000, 0xbf000000}, // 1 -2 3 -0.5
      {0x7fc00000, 0x40000000, 0x80000000, 0x00000000}, // NaN 2 -0 0
      {0x7fc00000, 0x7fc00001, 0xffc00000, 0x7f800001}, // NaNs
  };
  struct {
    uint32_t flags, expected[4];
  } cases[] = {
      {TMemEmuReduceMin | TMemEmuReduceU32, {5, 0x3f800000, 0, 0x7f800001}},
      {TMemEmuReduceMax | TMemEmuReduceU32,
       {0xffffffff, 0xc0000000, 0x80000000, 0xffc00000}},
      {TMemEmuReduceMin | TMemEmuReduceS32,
       {0x80000001, 0xbf000000, 0x80000000, 0xffc00000}},
      {TMemEmuReduceMax | TMemEmuReduceS32,
       {7, 0x40400000, 0x7fc00000, 0x7fc00001}},
      {TMemEmuReduceMin, {0x80000001, 0xc0000000, 0x80000000, 0x7fffffff}},
      {TMemEmuReduceMax, {7, 0x40400000, 0x40000000, 0x7fffffff}},
      {TMemEmuReduceMin | TMemEmuReduceAbs, {1, 0x3f000000, 0, 0x7fffffff}},
      {TMemEmuReduceMax | TMemEmuReduceAbs,
       {7, 0x40400000, 0x40000000, 0x7fffffff}},
      {TMemEmuReduceMin | TMemEmuReduceNaN,
       {0x7fffffff, 0xc0000000, 0x7fffffff, 0x7fffffff}},
  };
  expectClean([&](TMemEmuThread *t) {
    withColumns(t, 32, [&](uint32_t address) {
      const uint32_t *row = rows[getLane(t) % 4];
      store(t, AT("tcgen05.st", 20), address, count, row);
      tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
      for (auto &test : cases)
        for (uint32_t shape : {TMemEmu32x32b, TMemEmu16x32bx2}) {
          uint32_t words[count + 1];
          tmemEmuLoad(t, AT("tcgen05.ld.red", 22), shape, count, test.flags,
                      address + getSlab(t), getOffset(shape), words);
          tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 23));
          EXPECT_EQ(words[count], test.expected[getLane(t) % 4])
              << "flags " << test.flags << " lane " << getLane(t);
          EXPECT_EQ(words[1], row[1]);
        }
    });
  });
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// A kernel of one load, with given operands relative to the allocation. All
/// of the 64 columns are written.
Body loadOf(uint32_t shape, uint32_t count, uint32_t flags, uint32_t difference,
            int64_t offset = 0) {
  return [=](TMemEmuThread *t) {
    withColumns(t, 64, [&](uint32_t address) {
      fill(t, address, 64, 1);
      uint32_t words[130];
      tmemEmuLoad(t, AT("tcgen05.ld", 20), shape, count, flags,
                  address + getSlab(t) + difference, offset, words);
      tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
    });
  };
}

TEST(EmulationTransfer, Slab) {
  auto kernel = [](uint32_t lane) {
    return [lane](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[1] = {0};
        uint32_t wanted = lane == ~0u ? getWarp(t) % 4 * 32 : lane;
        tmemEmuStore(t, AT("tcgen05.st", 20), TMemEmu32x32b, 1, 0,
                     address + (wanted << 16), 0, words);
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
      });
    };
  };
  EXPECT_THAT(run(Launch(), kernel(0)),
              isFault("kernel.mlir:20:3: tcgen05.st: error: lane 0 is outside "
                      "the slab of warp 1 (lanes 32 to 63)"));
  EXPECT_THAT(run(Launch(), kernel(0)),
              isFault("[kernel body, block 0,0,0, thread 63,0,0]\n"));
  expectFault(kernel(128), "lane 128 is outside the slab of warp ");
  expectClean(kernel(~0u));
  // The warp after 3 has the slab of warp 0.
  expectClean(
      [](TMemEmuThread *t) {
        withColumns(t, 64, [&](uint32_t address) {
          fill(t, address + getWarp(t) / 4 * 32, 32, 7);
        });
      },
      Launch::ofThreads(256));
}

TEST(EmulationTransfer, StartLane) {
  expectFault(loadOf(TMemEmu32x32b, 1, 0, 8 << 16),
              "expected 32x32b to start at lane ");
  expectFault(loadOf(TMemEmu32x32b, 1, 0, 16 << 16),
              "expected 32x32b to start at lane ");
  EXPECT_THAT(run(Launch(), loadOf(TMemEmu16x256b, 1, 0, 8 << 16)),
              isFault("expected 16x256b to start at lane 0 or 16 in the slab "
                      "of warp 0, but got lane 8 [kernel body, block 0,0,0, "
                      "thread 31,0,0]"));
  expectClean(loadOf(TMemEmu16x256b, 1, 0, 16 << 16));
  expectClean(loadOf(TMemEmu32x32b, 1, 0, 0));
}

TEST(EmulationTransfer, Columns) {
  expectFault(loadOf(TMemEmu32x32b, 1, 0, 64), "column ");
  EXPECT_THAT(run(Launch(), loadOf(TMemEmu32x32b, 1, 0, 64)),
              isFault("tcgen05.ld: error: column 64 is not allocated"));
  EXPECT_THAT(run(Launch(), loadOf(TMemEmu32x32b, 1, 0, 600)),
              isFault("column 600 is not allocated: the chip has 512 columns"));
  EXPECT_THAT(run(Launch(), loadOf(TMemEmu32x32b, 128, 0, 0)),
              isFault("columns 0 to 127 go past the end of the allocation of "
                      "columns 0 to 63"));
  EXPECT_THAT(run(Launch(), loadOf(TMemEmu32x32b, 128, 0, 0)),
              isFault("kernel.mlir:10:3: tcgen05.alloc: note: allocated here"));
  expectFault(loadOf(TMemEmu32x32b, 64, TMemEmuPack, 0), "past the end");
  expectFault(loadOf(TMemEmu32x32b, 2, 0, 63), "past the end");
  expectClean(loadOf(TMemEmu32x32b, 64, 0, 0));
  expectClean(loadOf(TMemEmu32x32b, 32, TMemEmuPack, 0));
  expectClean(loadOf(TMemEmu32x32b, 1, 0, 63));
}

TEST(EmulationTransfer, Immediate) {
  auto load = [](int64_t offset, uint32_t flags = 0, uint32_t count = 4) {
    return loadOf(TMemEmu16x32bx2, count, flags, 0, offset);
  };
  expectFault(load(0), "expected an immediate other than 0 for 16x32bx2");
  for (int64_t wrong : {-1, 1 << 16, 8 << 16, 512, 32 << 16, -(16 << 16)})
    expectFault(load(wrong), "expected an immediate of 0 or 16 lanes and 0 to "
                             "511 columns for 16x32bx2");
  expectFault(load(1, TMemEmuPack), "an even number of columns");
  expectFault(load(61), "past the end");
  expectClean(load(1));
  expectClean(load(2, TMemEmuPack));
  expectClean(load(16 << 16));
  expectClean(load((16 << 16) + 60));
  // From lane 16, the second access would leave the slab.
  expectFault(loadOf(TMemEmu16x32bx2, 1, 0, 16 << 16, 16 << 16),
              "is outside the slab of warp ");
}

TEST(EmulationTransfer, HalvesStoreToDifferentCells) {
  auto store = [](int64_t offset) {
    return [=](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[4] = {};
        tmemEmuStore(t, AT("tcgen05.st", 20), TMemEmu16x32bx2, 4, 0,
                     address + getSlab(t), offset, words);
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
      });
    };
  };
  expectFault(store(3), "the halves of the warp store to different cells");
  expectClean(store(4));
}

TEST(EmulationTransfer, BothAccessesInOneAllocation) {
  auto kernel = [](uint32_t columns) {
    return [=](TMemEmuThread *t) {
      if (getWarp(t) != 0)
        return;
      uint32_t *slots = getShared<uint32_t>(t);
      for (uint32_t i = 0; i < 64 / columns; ++i)
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slots + i, columns, 0);
      fill(t, 0, 64, 3);
      uint32_t words[32];
      tmemEmuLoad(t, AT("tcgen05.ld", 21), TMemEmu16x32bx2, 32, 0, 0, 32,
                  words);
      tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 22));
      for (uint32_t i = 0; i < 64 / columns; ++i)
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 23), slots[i], columns, 0);
    };
  };
  EXPECT_THAT(run(Launch(), kernel(64)), isClean());
  // fill() spans both, too, and comes first: it is the load that is tested.
  auto two = [](TMemEmuThread *t) {
    if (getWarp(t) != 0)
      return;
    uint32_t *slots = getShared<uint32_t>(t);
    for (uint32_t i = 0; i < 2; ++i)
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slots + i, 32, 0);
    fill(t, 0, 32, 3);
    fill(t, 32, 32, 3);
    uint32_t words[32];
    tmemEmuLoad(t, AT("tcgen05.ld", 21), TMemEmu16x32bx2, 32, 0, 0, 32, words);
  };
  EXPECT_THAT(run(Launch(), two),
              isFault("expected both accesses of 16x32bx2 in one allocation, "
                      "but columns 0 and 32 are in two"));
}

TEST(EmulationTransfer, Count) {
  expectFault(loadOf(TMemEmu32x32b, 3, 0, 0),
              "expected a power of two from x1 to x128 for 32x32b, but got x3");
  expectFault(loadOf(TMemEmu16x256b, 64, 0, 0), "from x1 to x32 for 16x256b");
  expectFault(loadOf(TMemEmu16x128b, 128, 0, 0), "from x1 to x64 for 16x128b");
  expectFault(loadOf(TMemEmu32x32b, 0, 0, 0), "but got x0");
  expectFault(loadOf(TMemEmu32x32b, 1, TMemEmuReduceMin, 0),
              "expected 32x32b or 16x32bx2 from x2");
  expectFault(loadOf(TMemEmu16x64b, 2, TMemEmuReduceMin, 0),
              "expected 32x32b or 16x32bx2 from x2");
}

TEST(EmulationTransfer, NeverWritten) {
  auto kernel = [](uint32_t written, uint32_t storeFlags, uint32_t loadFlags) {
    return [=](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[32] = {};
        tmemEmuStore(t, AT("tcgen05.st", 20), TMemEmu32x32b, written,
                     storeFlags, address + getSlab(t), 0, words);
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
        uint32_t read = loadFlags & TMemEmuPack ? 8 : 16;
        tmemEmuLoad(t, AT("tcgen05.ld", 22), TMemEmu32x32b, read, loadFlags,
                    address + getSlab(t), 0, words);
        tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 23));
      });
    };
  };
  EXPECT_THAT(run(Launch(), kernel(8, 0, 0)),
              isFault("kernel.mlir:22:3: tcgen05.ld: error: the cell at lane "
                      "0, column 8 was never written"));
  expectFault(kernel(8, 0, 0), "was never written");
  expectClean(kernel(16, 0, 0));
  // What is above the low half is undefined after .unpack::16b.
  expectFault(kernel(8, TMemEmuPack, 0), "only the low half of the cell");
  expectClean(kernel(8, TMemEmuPack, TMemEmuPack));
  expectClean(kernel(16, 0, TMemEmuPack));
}

TEST(EmulationTransfer, WrittenBeforeTheAllocation) {
  auto kernel = [](bool again) {
    return [=](TMemEmuThread *t) {
      withColumns(t, 512, [&](uint32_t address) {
        for (uint32_t column = 0; column < 512; column += 128)
          fill(t, address + column, 128, 1);
      });
      withColumns(t, 32, [&](uint32_t address) {
        if (again)
          fill(t, address, 32, 2);
        uint32_t words[4];
        load(t, AT("tcgen05.ld", 20), address, 4, words);
        tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
      });
    };
  };
  expectFault(kernel(false), "was never written");
  expectClean(kernel(true));
}

TEST(EmulationTransfer, LanesAgree) {
  auto kernel = [](uint32_t lane) {
    return [=](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[1] = {0};
        store(t, AT("tcgen05.st", 20), address + (getLane(t) == lane), 1,
              words);
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
      });
    };
  };
  EXPECT_THAT(run(Launch(), kernel(5)),
              isFault("expected the same address in all lanes, but lane 0 has "
                      "0x00000000 (lane 0, column 0) and lane 5 has 0x00000001 "
                      "(lane 0, column 1)"));
  expectFault(kernel(31), "expected the same address in all lanes");
  expectClean(kernel(32));
}

TEST(EmulationTransfer, CellsPastAllRules) {
  EXPECT_THAT(
      run(Launch(),
          [](TMemEmuThread *t) { tmemEmuReadCell(t, AT("read", 20), 512); }),
      isFault("expected lane 0 to 127 and column 0 to 511"));
  EXPECT_THAT(run(Launch(),
                  [](TMemEmuThread *t) {
                    tmemEmuWriteCell(t, AT("write", 20), 128 << 16, 1);
                  }),
              isFault("but got 0x00800000 (lane 128, column 0)"));
}

} // namespace
