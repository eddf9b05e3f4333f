//===- EmulationTensorCoreTest.cpp - The tensor core, emulated ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <cstring>

using namespace tmem::emulation::test;

namespace {

/// Shared memory: the slot, mbarriers from 64 on, matrices from 1024 on.
constexpr uint32_t matrices = 1024;

Launch makeLaunch(uint32_t threads = 128) {
  Launch launch = Launch::ofThreads(threads);
  launch.staticShared = matrices + 8192;
  return launch;
}

/// K-major without swizzling: core matrices 128 bytes apart, eight rows 256.
uint64_t makeMatrix(TMemEmuThread *t, uint32_t offset = matrices) {
  return ((t->sharedBegin + offset) & 0x3ffff) >> 4 | uint64_t(8) << 16 |
         uint64_t(16) << 32 | uint64_t(1) << 46;
}

/// f16 128x16x16 to f32, or to f16.
constexpr uint32_t toSingle = 1 << 4 | 2 << 17 | 8 << 24;
constexpr uint32_t toHalf = 2 << 17 | 8 << 24;

void multiply(TMemEmuThread *t, uint32_t d, uint32_t shape, bool accumulate) {
  tmemEmuMma(t, AT("tcgen05.mma", 20), TMemEmuMmaF16, 0, d, makeMatrix(t),
             makeMatrix(t), shape, accumulate, 0);
}
void copy(TMemEmuThread *t, uint32_t address) {
  tmemEmuTensorCopy(t, AT("tcgen05.cp", 21), TMemEmuCopy128x128b, 0, address,
                    makeMatrix(t));
}

uint64_t *getBarrier(TMemEmuThread *t, uint32_t number = 0) {
  return getShared<uint64_t>(t, 64 + 8 * number);
}
void init(TMemEmuThread *t, uint32_t count) {
  if (getTid(t) == 0)
    for (uint32_t i = 0; i < count; ++i)
      tmemEmuMBarrierInit(t, AT("mbarrier.init", 15), getBarrier(t, i), 1);
  sync(t, AT("bar.sync", 16));
}
void commit(TMemEmuThread *t, uint32_t number = 0) {
  tmemEmuCommit(t, AT("tcgen05.commit", 22), getBarrier(t, number), 0);
}
void wait(TMemEmuThread *t, uint32_t number = 0) {
  tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 23), getBarrier(t, number), 0,
                      TMemEmuWaitParity | TMemEmuWaitBlock);
  tmemEmuFence(t, AT("tcgen05.fence", 24), TMemEmuFenceAfter);
}

/// All elements of the matrices are one half.
void fillMatrices(TMemEmuThread *t, uint16_t half) {
  for (uint32_t i = getTid(t); i < 4096; i += t->special[TMemEmuNtidX]) {
    uint16_t *element = getShared<uint16_t>(t, matrices) + i;
    tmemEmuSharedAccess(t, AT("st.shared", 17),
                        reinterpret_cast<uintptr_t>(element), 2,
                        TMemEmuAccessWrite | TMemEmuAccessShared);
    *element = half;
  }
  tmemEmuFence(t, AT("fence.proxy.async", 18), TMemEmuFenceProxy);
  fencedSync(t, AT("bar.sync", 19));
}

uint32_t getBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// What D = A * B + D leaves where all elements of A and B are `half`, and all
/// of D are `before`.
void expectSum(uint16_t half, uint32_t before, uint32_t shape, uint32_t after) {
  expectClean(
      [=](TMemEmuThread *t) {
        init(t, 1);
        fillMatrices(t, half);
        withColumns(t, 32, [&](uint32_t address) {
          fill(t, address, 16, before);
          fencedSync(t, AT("bar.sync", 25));
          if (getTid(t) == 0) {
            multiply(t, address, shape, true);
            commit(t);
          }
          wait(t);
          EXPECT_EQ(
              tmemEmuReadCell(t, AT("read", 26), address + getSlab(t) + 5) &
                  (shape == toHalf ? 0xffff : 0xffffffff),
              after);
        });
      },
      makeLaunch());
}

TEST(EmulationTensorCore, RoundsOnce) {
  // 2^24 + 16: of single steps none would count.
  expectSum(0x3c00, getBits(16777216.0f), toSingle, getBits(16777232.0f));
  // 2^28 + 16 is half of a step: to even.
  expectSum(0x3c00, getBits(268435456.0f), toSingle, getBits(268435456.0f));
  expectSum(0x3c00, getBits(268435488.0f), toSingle, getBits(268435520.0f));
  // 4096 + 2^-2, and 2048 + 16 * 1.
  expectSum(0x3000, 0x6c00, toHalf, 0x6c00);
  expectSum(0x3c00, 0x6800, toHalf, 0x6808);
}

TEST(EmulationTensorCore, SpecialNumbers) {
  expectSum(0x7c00, getBits(1.0f), toSingle, 0x7f800000);
  expectSum(0x7e00, getBits(1.0f), toSingle, 0x7fffffff);
  expectSum(0x7c00, 0xff800000, toSingle, 0x7fffffff);
  // The largest half squared, and the least one.
  expectSum(0x7bff, 0, toHalf, 0x7c00);
  expectSum(0x7e00, 0, toHalf, 0x7fff);
  expectSum(0x0001, 0, toSingle, getBits(5.684341886080801e-14f));
  expectSum(0x0401, 0x0001, toHalf, 0x0002);
}

/// Threads of `count` warps copy to columns of their own, with an mbarrier
/// each.
void copyFromWarps(TMemEmuThread *t, uint32_t count, uint32_t notAwaited) {
  init(t, count);
  withColumns(t, 128, [&](uint32_t address) {
    uint32_t warp = getWarp(t);
    if (getLane(t) == 0 && warp < count) {
      copy(t, address + 4 * warp);
      commit(t, warp);
    }
    for (uint32_t i = 0; i < count; ++i)
      if (i != notAwaited)
        wait(t, i);
    std::array<uint32_t, 128> words;
    load(t, AT("tcgen05.ld", 30), address, 64, words.data());
    tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 31));
  });
}

TEST(EmulationTensorCore, ManyIssuers) {
  expectClean([](TMemEmuThread *t) { copyFromWarps(t, 16, 16); },
              makeLaunch(512));
  // Up to eight are told apart.
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 8);
        withColumns(t, 128, [&](uint32_t address) {
          uint32_t warp = getWarp(t);
          if (getLane(t) == 0) {
            copy(t, address + 4 * warp);
            commit(t, warp);
          }
          for (uint32_t i = 0; i < 8; ++i)
            if (i != 5)
              wait(t, i);
          sync(t, AT("bar.sync", 29));
          std::array<uint32_t, 128> words;
          load(t, AT("tcgen05.ld", 30), address, 32, words.data());
        });
      },
      "load of cells that a tcgen05.cp under way writes: wait for the mbarrier",
      makeLaunch(256));
}

TEST(EmulationTensorCore, ManyInstructions) {
  // A commit tracks all that its thread has issued; an empty one completes.
  expectClean(
      [](TMemEmuThread *t) {
        init(t, 2);
        fillMatrices(t, 0x3c00);
        withColumns(t, 512, [&](uint32_t address) {
          if (getTid(t) == 0) {
            for (uint32_t i = 0; i < 96; ++i)
              multiply(t, address + i % 32 * 16, toSingle, i >= 32);
            commit(t);
            commit(t, 1);
          }
          wait(t, 1);
          for (uint32_t column : {0, 17, 511})
            EXPECT_EQ(tmemEmuReadCell(t, AT("read", 26),
                                      address + getSlab(t) + column),
                      getBits(48.0f));
        });
      },
      makeLaunch());
}

} // namespace
