//===- EmulationRaceTest.cpp - Race mode ----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

/// In each of several orders.
void expectRace(const Body &body, const std::string &message,
                Launch launch = Launch()) {
  launch.race = true;
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_THAT(run(launch.with(seed), body), isFault(message))
        << "seed " << seed;
}

//===----------------------------------------------------------------------===//
// Tensor Memory
//===----------------------------------------------------------------------===//

enum Pieces { Before = 1, Barrier = 2, After = 4, All = 7 };

/// Warp 0 accesses a cell, and then warp 4, with what is named between.
Body handOver(uint32_t pieces, bool firstStores, bool secondStores,
              uint32_t secondColumn = 0) {
  return [=](TMemEmuThread *t) {
    withColumns(t, 32, [&](uint32_t address) {
      uint32_t words[8] = {};
      if (getWarp(t) < 4)
        fill(t, address, 32, 1);
      fencedSync(t, AT("bar.sync", 15));
      auto access = [&](const TMemEmuSite *site, bool stores, uint32_t column) {
        if (stores)
          store(t, site, address + column, 8, words);
        else
          load(t, site, address + column, 8, words);
        tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 30));
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 31));
      };
      if (getWarp(t) == 0) {
        access(AT("first", 20), firstStores, 0);
        if (pieces & Before)
          tmemEmuFence(t, AT("before", 21), TMemEmuFenceBefore);
      }
      if (pieces & Barrier)
        sync(t, AT("bar.sync", 22));
      else if (getWarp(t) == 4)
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 23));
      if (getWarp(t) == 4) {
        if (pieces & After)
          tmemEmuFence(t, AT("after", 24), TMemEmuFenceAfter);
        access(AT("second", 25), secondStores, secondColumn);
      }
    });
  };
}

TEST(EmulationRace, NeedsFencesAndABarrier) {
  Launch launch = Launch::ofThreads(256);
  struct {
    bool first, second;
  } kinds[] = {{true, true}, {true, false}, {false, true}};
  for (auto kind : kinds) {
    expectRace(handOver(All - Before, kind.first, kind.second),
               "a barrier orders them, but tcgen05.fence::before_thread_sync "
               "is missing in warp 0",
               launch);
    expectRace(handOver(All - After, kind.first, kind.second),
               "a barrier orders them, but tcgen05.fence::after_thread_sync is "
               "missing in warp 4",
               launch);
    expectRace(handOver(Before + After, kind.first, kind.second), "race: this ",
               launch);
    expectRace(handOver(0, kind.first, kind.second),
               " and tcgen05.fence::before_thread_sync in warp 0, then a "
               "barrier",
               launch);
    expectClean(handOver(All, kind.first, kind.second), launch);
  }
  expectRace(handOver(0, true, true),
             "kernel.mlir:20:3: first: note: store of warp 0", launch);
}

TEST(EmulationRace, OnlyInRaceMode) {
  EXPECT_THAT(run(Launch::ofThreads(256), handOver(0, true, true)), isClean());
}

TEST(EmulationRace, LoadsDoNotRace) {
  expectClean(handOver(0, false, false), Launch::ofThreads(256));
}

TEST(EmulationRace, OtherCellsDoNotRace) {
  expectClean(handOver(0, true, true, 8), Launch::ofThreads(256));
  expectRace(handOver(0, true, true, 7), "race: ", Launch::ofThreads(256));
}

TEST(EmulationRace, EachReaderCounts) {
  // A store after two loads, ordered after only the second.
  auto kernel = [](bool both) {
    return [both](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[8] = {}, warp = getWarp(t);
        if (warp < 4)
          fill(t, address, 32, 1);
        fencedSync(t, AT("bar.sync", 15));
        if (warp == 0 || warp == 4) {
          load(t, AT("tcgen05.ld", 20), address, 8, words);
          tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
          tmemEmuFence(t, AT("before", 22), TMemEmuFenceBefore);
        }
        if (warp == 4 || warp == 8 || (both && warp == 0))
          tmemEmuBarrier(t, AT("bar.sync", 23), 1, both ? 96 : 64,
                         TMemEmuBarrierAligned, 0);
        if (warp == 8) {
          tmemEmuFence(t, AT("after", 24), TMemEmuFenceAfter);
          store(t, AT("tcgen05.st", 25), address, 8, words);
          tmemEmuWaitStore(t, AT("tcgen05.wait::st", 26));
        }
      });
    };
  };
  Launch launch = Launch::ofThreads(9 * 32);
  expectClean(kernel(true), launch);
  // Where the unordered load comes after the store, it is the one that races,
  // and one whose wait comes later is found without race mode.
  expectRace(kernel(false), " of warp ", launch);
}

TEST(EmulationRace, MBarriersCarryFences) {
  auto kernel = [](bool before) {
    return [before](TMemEmuThread *t) {
      uint64_t *object = getShared<uint64_t>(t, 8);
      if (getTid(t) == 0)
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 9), object, 1);
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[8] = {};
        if (getWarp(t) == 0) {
          store(t, AT("tcgen05.st", 20), address, 8, words);
          tmemEmuWaitStore(t, AT("tcgen05.wait::st", 21));
          if (before)
            tmemEmuFence(t, AT("before", 22), TMemEmuFenceBefore);
          if (getLane(t) == 0)
            tmemEmuMBarrierArrive(t, AT("arrive", 23), object, 1, 0, 0);
          // Fences count for the warp: none of what follows may come first.
          tmemEmuWarpSync(t, AT("bar.warp.sync", 28), fullMask);
        }
        if (getWarp(t) == 4) {
          tmemEmuMBarrierWait(t, AT("wait", 24), object, 0,
                              TMemEmuWaitParity | TMemEmuWaitBlock);
          tmemEmuFence(t, AT("after", 25), TMemEmuFenceAfter);
          load(t, AT("tcgen05.ld", 26), address, 8, words);
          tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 27));
        }
      });
    };
  };
  Launch launch = Launch::ofThreads(160);
  expectClean(kernel(true), launch);
  expectRace(kernel(false), "tcgen05.fence::before_thread_sync is missing",
             launch);
}

TEST(EmulationRace, PipelinesStaySilent) {
  // A ring of two buffers between warps of one slab, a thousand times over.
  Body kernel = [](TMemEmuThread *t) {
    uint64_t *full = getShared<uint64_t>(t, 8);
    uint64_t *empty = getShared<uint64_t>(t, 24);
    if (getTid(t) == 0)
      for (uint32_t i = 0; i < 2; ++i) {
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 9), full + i, 32);
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 10), empty + i, 32);
      }
    withColumns(t, 32, [&](uint32_t address) {
      uint32_t words[16] = {};
      bool producer = getWarp(t) == 0;
      if (!producer && getWarp(t) != 4)
        return;
      for (uint32_t i = 0; i < 1000; ++i) {
        uint32_t stage = i % 2, parity = i / 2 % 2;
        uint32_t place = address + stage * 16;
        tmemEmuMBarrierWait(t, AT("wait", 20),
                            (producer ? empty : full) + stage,
                            producer ? parity ^ 1 : parity,
                            TMemEmuWaitParity | TMemEmuWaitBlock);
        tmemEmuFence(t, AT("after", 21), TMemEmuFenceAfter);
        words[3] = i;
        if (producer) {
          store(t, AT("tcgen05.st", 22), place, 16, words);
          tmemEmuWaitStore(t, AT("tcgen05.wait::st", 23));
        } else {
          words[3] = ~0u;
          load(t, AT("tcgen05.ld", 24), place, 16, words);
          tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 25));
          EXPECT_EQ(words[3], i);
        }
        tmemEmuFence(t, AT("before", 26), TMemEmuFenceBefore);
        tmemEmuMBarrierArrive(t, AT("arrive", 27),
                              (producer ? full : empty) + stage, 1, 0, 0);
        countStep(t, AT("loop", 28));
      }
    });
  };
  expectClean(kernel, Launch::ofThreads(160));
}

TEST(EmulationRace, AccessBeforeTheAllocation) {
  // The address is guessed, and right.
  auto kernel = [](bool barrier) {
    return [barrier](TMemEmuThread *t) {
      uint32_t *slot = getShared<uint32_t>(t);
      if (getWarp(t) == 0)
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot, 512, 0);
      if (barrier)
        sync(t, AT("bar.sync", 21));
      else if (getWarp(t) == 1)
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 22));
      if (getWarp(t) == 1)
        fill(t, 0, 8, 1);
      sync(t, AT("bar.sync", 23));
      if (getWarp(t) == 0)
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 24), 0, 512, 0);
    };
  };
  expectRace(kernel(false), "nothing orders this after the allocation");
  expectClean(kernel(true));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST(EmulationRace, AllocSlot) {
  // mlc-ai/TIRx-kernels 7: the address is read with no barrier after alloc.
  auto kernel = [](bool barrier) {
    return [barrier](TMemEmuThread *t) {
      uint32_t *slot = getShared<uint32_t>(t);
      if (!barrier)
        sync(t, AT("bar.sync", 19));
      if (getWarp(t) == 0)
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot, 32, 0);
      if (barrier)
        sync(t, AT("bar.sync", 21));
      EXPECT_EQ(t->sharedUnchecked, 0u);
      tmemEmuSharedAccess(t, AT("ld.shared", 22), t->sharedBegin, 4,
                          TMemEmuAccessShared);
      sync(t, AT("bar.sync", 23));
      if (getWarp(t) == 0)
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 24), *slot, 32, 0);
    };
  };
  Launch launch;
  launch.race = true;
  expectRace(kernel(false), "of shared memory, and nothing orders it after ");
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_THAT(run(launch.with(seed), kernel(true)), isClean());
}

/// Warp 0 and then warp 1 access shared memory.
Body accessShared(uint32_t firstOffset, uint32_t firstBytes,
                  uint32_t firstFlags, uint32_t offset, uint32_t bytes,
                  uint32_t flags) {
  return [=](TMemEmuThread *t) {
    if (getWarp(t) == 0)
      tmemEmuSharedAccess(t, AT("first", 20), t->sharedBegin + firstOffset,
                          firstBytes, firstFlags);
    else
      tmemEmuSharedAccess(t, AT("second", 21), t->sharedBegin + offset, bytes,
                          flags);
  };
}

TEST(EmulationRace, SharedMemory) {
  constexpr uint32_t write = TMemEmuAccessWrite, atomic = TMemEmuAccessAtomic;
  Launch launch = Launch::ofThreads(64);
  expectRace(accessShared(0, 4, write, 0, 4, 0), "race: ", launch);
  expectRace(accessShared(0, 4, 0, 0, 4, write), "race: ", launch);
  expectRace(accessShared(0, 4, write, 0, 4, write), "race: ", launch);
  expectRace(accessShared(0, 4, write | atomic, 0, 4, 0), "race: ", launch);
  expectRace(accessShared(3, 1, write, 0, 4, 0), "race: ", launch);
  expectRace(accessShared(0, 64, write, 37, 1, 0), "race: ", launch);
  expectRace(accessShared(2, 8, write, 9, 3, 0), "race: ", launch);
  expectClean(accessShared(0, 4, 0, 0, 4, 0), launch);
  expectClean(accessShared(0, 4, write, 4, 4, write), launch);
  // Bytes and halves of one word are different memory.
  expectClean(accessShared(0, 1, write, 1, 1, write), launch);
  expectClean(accessShared(0, 2, write, 2, 2, write), launch);
  expectClean(accessShared(1, 6, write, 7, 9, write), launch);
  expectClean(accessShared(0, 4, write | atomic, 0, 4, write | atomic), launch);
}

TEST(EmulationRace, MBarrierInit) {
  auto kernel = [](bool barrier) {
    return [barrier](TMemEmuThread *t) {
      uint64_t *object = getShared<uint64_t>(t);
      if (getTid(t) == 0)
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 20), object, 128);
      if (barrier)
        sync(t, AT("bar.sync", 21));
      else if (getWarp(t) != 0)
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 22));
      tmemEmuMBarrierArrive(t, AT("mbarrier.arrive", 23), object, 1, 0, 0);
    };
  };
  EXPECT_THAT(run(Launch::racing(), kernel(false)),
              isFault("nothing orders this after its initialisation by warp "
                      "0"));
  // In another order, the use is the first.
  expectRace(kernel(false), "mbarrier");
  expectClean(kernel(true));
}

TEST(EmulationRace, ManyMarksStaySilent) {
  // More accesses than the shadow keeps, all of them ordered.
  Launch launch = Launch::ofThreads(256);
  launch.staticShared = 65536;
  launch.race = true;
  Body kernel = [](TMemEmuThread *t) {
    for (uint32_t round = 0; round < 400; ++round) {
      for (uint32_t i = 0; i < 8; ++i) {
        uint32_t word = (getTid(t) * 61 + i * 977 + round * 31) % 16384;
        word = word / 256 * 256 + (getTid(t) + round) % 256;
        tmemEmuSharedAccess(t, AT("st.shared", 20), t->sharedBegin + word * 4,
                            4, TMemEmuAccessWrite);
      }
      sync(t, AT("bar.sync", 21));
    }
  };
  EXPECT_THAT(run(launch, kernel), isClean());
}

} // namespace
