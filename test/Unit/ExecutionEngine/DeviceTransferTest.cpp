//===- DeviceTransferTest.cpp - Data that the device library moves --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGpu.h"
#include "tmem/ExecutionEngine/Images.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cmath>
#include <cstring>

using namespace tmem::emulation;
using namespace tmem::emulation::test;

namespace {

const KernelSite allocSite("tcgen05.alloc", 10),
    deallocSite("tcgen05.dealloc", 11), loadSite("tcgen05.ld", 20),
    storeSite("tcgen05.st", 21), waitSite("tcgen05.wait", 22),
    cellSite("cell", 23);

struct Instruction {
  uint32_t shape, count, pack;
  int64_t offset; ///< Of 16x32bx2.
};

std::vector<Instruction> getInstructions() {
  std::vector<Instruction> all; // 74 with N, packed and not.
  for (uint32_t shape = 0; shape < 5; ++shape)
    for (uint32_t count = 1; count <= getMaxCount(shape); count *= 2)
      for (uint32_t pack = 0; pack < 2; ++pack)
        all.push_back({shape, count, pack,
                       shape == TMemEmu16x32bx2 ? (16 << 16) + 256 : 0});
  return all;
}

/// A value of its own for each cell, with the sign bit set in half of them.
uint32_t getPattern(uint32_t lane, uint32_t column) {
  return (lane * 512 + column) * 2654435761u;
}

/// Where half `half` of a register lies, for an instruction at lane 0.
Cell findCell(const Instruction &instruction, uint32_t lane, uint32_t word,
              uint32_t half) {
  Cell cell = getCell(instruction.shape, lane, word);
  if (instruction.pack)
    cell.column = 2 * cell.column + half;
  if (instruction.shape == TMemEmu16x32bx2 && lane >= 16) {
    cell.lane += uint32_t(instruction.offset >> 16);
    cell.column += uint32_t(instruction.offset & 0xffff);
  }
  return cell;
}

uint32_t alloc(TMemEmuThread *thread, uint32_t index, uint32_t columns) {
  static uint32_t slot;
  tmemEmuAlloc(thread, &allocSite, &slot, columns, 0);
  EXPECT_EQ(slot, 0u) << index;
  return slot;
}

/// Lanes fill or read all cells, for each thread a part.
template <typename Fn> void forEachCell(uint32_t index, Fn fn) {
  for (uint32_t column = 0; column < 512; ++column)
    fn(index, column);
}

TEST(DeviceTransfer, LoadsReadTheirImage) {
  for (const Instruction &instruction : getInstructions()) {
    Gpu gpu;
    std::atomic<uint32_t> wrong{0}, seen{0};
    auto kernel = [&](TMemEmuThread *thread, uint32_t index) {
      alloc(thread, index, 512);
      forEachCell(index, [&](uint32_t lane, uint32_t column) {
        tmemEmuWriteCell(thread, &cellSite, lane << 16 | column,
                         getPattern(lane, column));
      });
      syncThreads();
      uint32_t words[128] = {};
      uint32_t numWords = getNumWords(instruction.shape, instruction.count);
      uint64_t number =
          tmemEmuLoad(thread, &loadSite, instruction.shape, instruction.count,
                      instruction.pack, 0, instruction.offset, words);
      EXPECT_EQ(number, 1u);
      EXPECT_EQ(thread->completedLoads, 0u);
      tmemEmuWaitLoad(thread, &waitSite);
      EXPECT_EQ(thread->completedLoads, 1u);
      for (uint32_t word = 0; word < numWords; ++word) {
        Cell low = findCell(instruction, index, word, 0);
        Cell high = findCell(instruction, index, word, 1);
        uint32_t expected = getPattern(low.lane, low.column);
        if (instruction.pack)
          expected = (expected & 0xffff) | getPattern(high.lane, high.column)
                                               << 16;
        wrong += words[word] != expected;
        ++seen;
      }
      tmemEmuDealloc(thread, &deallocSite, 0, 512, 0);
    };
    EXPECT_EQ(gpu.run({}, kernel), FaultNone);
    EXPECT_EQ(wrong, 0u) << instruction.shape << " x" << instruction.count
                         << " pack " << instruction.pack;
    EXPECT_EQ(seen, 32 * getNumWords(instruction.shape, instruction.count));
  }
}

TEST(DeviceTransfer, StoresWriteTheirImageAndNothingElse) {
  for (const Instruction &instruction : getInstructions()) {
    Gpu gpu;
    uint32_t numWords = getNumWords(instruction.shape, instruction.count);
    auto kernel = [&](TMemEmuThread *thread, uint32_t index) {
      alloc(thread, index, 512);
      uint32_t words[128] = {};
      for (uint32_t word = 0; word < numWords; ++word)
        words[word] = getPattern(index, word) | 1;
      tmemEmuStore(thread, &storeSite, instruction.shape, instruction.count,
                   instruction.pack, 0, instruction.offset, words);
      tmemEmuWaitStore(thread, &waitSite);
      tmemEmuDealloc(thread, &deallocSite, 0, 512, 0);
    };
    ASSERT_EQ(gpu.run({}, kernel), FaultNone);
    uint32_t cells = 0, written = 0, wrong = 0;
    for (auto &column : gpu.getSlot(0).cells)
      for (uint32_t cell : column)
        written += cell != 0;
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t word = 0; word < numWords; ++word)
        for (uint32_t half = 0; half <= instruction.pack; ++half, ++cells) {
          Cell cell = findCell(instruction, lane, word, half);
          uint32_t value = gpu.getSlot(0).cells[cell.column][cell.lane];
          uint32_t expected = getPattern(lane, word) | 1;
          if (instruction.pack)
            wrong += (value & 0xffff) !=
                     (half ? expected >> 16 : (expected & 0xffff));
          else
            wrong += value != expected;
        }
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(written, cells)
        << "of " << instruction.shape << " x" << instruction.count;
  }
}

float getFloat(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// ld.red of four words, two in the second of which are NaN or zeros.
uint32_t reduce(uint32_t flags, const uint32_t (&row)[4]) {
  Gpu gpu;
  uint32_t result = 0;
  auto kernel = [&](TMemEmuThread *thread, uint32_t index) {
    alloc(thread, index, 32);
    tmemEmuStore(thread, &storeSite, TMemEmu32x32b, 4, 0, 0, 0, row);
    tmemEmuWaitStore(thread, &waitSite);
    uint32_t words[5];
    tmemEmuLoad(thread, &loadSite, TMemEmu32x32b, 4, flags, 0, 0, words);
    tmemEmuWaitLoad(thread, &waitSite);
    if (index == 7)
      result = words[4];
    tmemEmuDealloc(thread, &deallocSite, 0, 32, 0);
  };
  EXPECT_EQ(gpu.run({}, kernel), FaultNone);
  return result;
}

TEST(DeviceTransfer, ReducesBySignedness) {
  const uint32_t row[] = {5, 0x80000001, 0xffffffff, 0x7fffffff};
  EXPECT_EQ(reduce(TMemEmuReduceMin | TMemEmuReduceU32, row), 5u);
  EXPECT_EQ(reduce(TMemEmuReduceMax | TMemEmuReduceU32, row), 0xffffffffu);
  EXPECT_EQ(reduce(TMemEmuReduceMin | TMemEmuReduceS32, row), 0x80000001u);
  EXPECT_EQ(reduce(TMemEmuReduceMax | TMemEmuReduceS32, row), 0x7fffffffu);
}

TEST(DeviceTransfer, ReducesFloats) {
  // 1, -3, 2, -0.5
  const uint32_t row[] = {0x3f800000, 0xc0400000, 0x40000000, 0xbf000000};
  EXPECT_EQ(getFloat(reduce(TMemEmuReduceMin, row)), -3.0f);
  EXPECT_EQ(getFloat(reduce(TMemEmuReduceMax, row)), 2.0f);
  EXPECT_EQ(getFloat(reduce(TMemEmuReduceMax | TMemEmuReduceAbs, row)), 3.0f);
  EXPECT_EQ(getFloat(reduce(TMemEmuReduceMin | TMemEmuReduceAbs, row)), 0.5f);
}

TEST(DeviceTransfer, ReducesNaNsAndZeros) {
  const uint32_t nan[] = {0x7fc12345, 0xc0400000, 0xffc00000, 0x40000000};
  EXPECT_EQ(getFloat(reduce(TMemEmuReduceMin, nan)), -3.0f);
  EXPECT_EQ(reduce(TMemEmuReduceMin | TMemEmuReduceNaN, nan), 0x7fffffffu);
  const uint32_t only[] = {0x7fc12345, 0x7fc00000, 0xffc00000, 0x7f800001};
  EXPECT_EQ(reduce(TMemEmuReduceMax, only), 0x7fffffffu);
  const uint32_t zeros[] = {0, 0x80000000, 0, 0x80000000};
  EXPECT_EQ(reduce(TMemEmuReduceMin, zeros), 0x80000000u);
  EXPECT_EQ(reduce(TMemEmuReduceMax, zeros), 0u);
}

TEST(DeviceTransfer, CtasShareSlots) {
  // Five CTAs of two warps on two slots: each finds what it wrote.
  Gpu gpu(2);
  std::atomic<uint32_t> right{0};
  auto kernel = [&](TMemEmuThread *thread, uint32_t index) {
    static uint32_t slots[5];
    uint32_t block = getBlockIndex();
    if (index < 32)
      tmemEmuAlloc(thread, &allocSite, &slots[block], 64, 0);
    syncThreads();
    uint32_t address = slots[block] | (index & 32) << 16;
    uint32_t words[2] = {block, index}, loaded[2] = {};
    tmemEmuStore(thread, &storeSite, TMemEmu32x32b, 2, 0, address, 0, words);
    tmemEmuWaitStore(thread, &waitSite);
    tmemEmuLoad(thread, &loadSite, TMemEmu32x32b, 2, 0, address, 0, loaded);
    tmemEmuWaitLoad(thread, &waitSite);
    right += loaded[0] == block && loaded[1] == index;
    syncThreads();
    if (index < 32)
      tmemEmuDealloc(thread, &deallocSite, slots[block], 64, 0);
  };
  Settings settings;
  settings.threads = 64;
  settings.blocks = 5;
  EXPECT_EQ(gpu.run(settings, kernel), FaultNone);
  EXPECT_EQ(right, 320u);
  for (uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(gpu.getSlot(i).owned, 0u);
    EXPECT_EQ(gpu.getSlot(i).exited, 0u);
    EXPECT_EQ(gpu.getSlot(i).mostColumns, 0u);
  }
}

} // namespace
