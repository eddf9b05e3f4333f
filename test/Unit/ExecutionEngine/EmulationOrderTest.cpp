//===- EmulationOrderTest.cpp - Waits, and accesses against dealloc -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is found in every order and without race mode: transfers that no wait
// has completed, and dealloc that nothing orders after the accesses.
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

void waitLoad(TMemEmuThread *t) {
  tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 60));
}
void waitStore(TMemEmuThread *t) {
  tmemEmuWaitStore(t, AT("tcgen05.wait::st", 61));
}

/// Runs `body(address)` with 64 columns that were written.
template <typename Fn> Body withWritten(Fn body) {
  return [body](TMemEmuThread *t) {
    withColumns(t, 64, [&](uint32_t address) {
      if (getWarp(t) < 4)
        fill(t, address, 64, 5);
      fencedSync(t, AT("bar.sync", 15));
      body(t, address);
    });
  };
}

//===----------------------------------------------------------------------===//
// One warp
//===----------------------------------------------------------------------===//

TEST(EmulationWaits, StoreThenLoad) {
  auto kernel = [](bool wait, uint32_t loaded) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4] = {};
      store(t, AT("tcgen05.st", 20), address + 4, 4, words);
      if (wait)
        waitStore(t);
      load(t, AT("tcgen05.ld", 21), address + loaded, 4, words);
      waitLoad(t);
      waitStore(t);
    });
  };
  EXPECT_THAT(run(Launch(), kernel(false, 1)),
              isFault("kernel.mlir:21:3: tcgen05.ld: error: load of cells that "
                      "a store of this warp still accesses: execute "
                      "tcgen05.wait::st between them"));
  EXPECT_THAT(run(Launch(), kernel(false, 1)),
              isFault("kernel.mlir:20:3: tcgen05.st: note: store of warp 0 "
                      "that no wait has completed"));
  expectFault(kernel(false, 7), "execute tcgen05.wait::st between them");
  expectClean(kernel(true, 4));
  // Other cells may overtake.
  expectClean(kernel(false, 0));
  expectClean(kernel(false, 8));
}

TEST(EmulationWaits, LoadThenStore) {
  auto kernel = [](bool wait) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4] = {};
      load(t, AT("tcgen05.ld", 20), address, 4, words);
      if (wait)
        waitLoad(t);
      store(t, AT("tcgen05.st", 21), address, 4, words);
      waitStore(t);
      waitLoad(t);
    });
  };
  expectFault(kernel(false), "execute tcgen05.wait::ld between them");
  expectClean(kernel(true));
}

TEST(EmulationWaits, StoreThenStore) {
  auto kernel = [](bool wait) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4] = {};
      store(t, AT("tcgen05.st", 20), address, 4, words);
      if (wait)
        waitStore(t);
      store(t, AT("tcgen05.st", 21), address + 3, 1, words);
      waitStore(t);
    });
  };
  expectFault(kernel(false), "store of cells that a store of this warp still "
                             "accesses");
  expectClean(kernel(true));
}

TEST(EmulationWaits, LoadsNeedNoOrder) {
  expectClean(withWritten([](TMemEmuThread *t, uint32_t address) {
    uint32_t words[64];
    for (int i = 0; i < 100; ++i)
      load(t, AT("tcgen05.ld", 20), address, 64, words);
    waitLoad(t);
  }));
}

TEST(EmulationWaits, TheWrongWait) {
  expectFault(withWritten([](TMemEmuThread *t, uint32_t address) {
                uint32_t words[4] = {};
                store(t, AT("tcgen05.st", 20), address, 4, words);
                waitLoad(t);
                load(t, AT("tcgen05.ld", 21), address, 4, words);
              }),
              "execute tcgen05.wait::st between them");
}

TEST(EmulationWaits, OtherHalfOfTheSlab) {
  // The boxes of 16-row shapes are 16 lanes high.
  auto kernel = [](uint32_t lane) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4] = {}, other[4];
      uint32_t place = address + getSlab(t);
      tmemEmuStore(t, AT("tcgen05.st", 20), TMemEmu16x64b, 4, 0, place, 0,
                   words);
      tmemEmuLoad(t, AT("tcgen05.ld", 21), TMemEmu16x64b, 4, 0,
                  place + (lane << 16), 0, other);
      waitStore(t);
      waitLoad(t);
    });
  };
  expectFault(kernel(0), "execute tcgen05.wait::st between them");
  expectClean(kernel(16));
}

TEST(EmulationWaits, RegisterRead) {
  auto kernel = [](bool wait) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4];
      load(t, AT("tcgen05.ld", 20), address, 4, words);
      waitLoad(t);
      uint64_t number = load(t, AT("tcgen05.ld", 21), address, 4, words);
      EXPECT_EQ(number, t->completedLoads + 1);
      if (wait)
        waitLoad(t);
      if (number > t->completedLoads)
        tmemEmuPendingRead(t, AT("llvm.fadd", 22), number);
      waitLoad(t);
    });
  };
  EXPECT_THAT(run(Launch(), kernel(false)),
              isFault("kernel.mlir:22:3: llvm.fadd: error: register read "
                      "before its wait: execute tcgen05.wait::ld between the "
                      "load and this"));
  expectFault(kernel(false), "kernel.mlir:21:3: tcgen05.ld: note: loaded here");
  expectClean(kernel(true));
}

//===----------------------------------------------------------------------===//
// Two warps
//===----------------------------------------------------------------------===//

TEST(EmulationWaits, OfAnotherWarp) {
  // Warps 0 and 4 have one slab. A barrier does not replace the wait.
  auto kernel = [](bool firstStores, bool wait) {
    return withWritten([=](TMemEmuThread *t, uint32_t address) {
      uint32_t words[4] = {};
      auto access = [&](bool stores) {
        if (stores)
          store(t, AT("tcgen05.st", 20), address, 4, words);
        else
          load(t, AT("tcgen05.ld", 21), address, 4, words);
      };
      if (getWarp(t) == 0) {
        access(firstStores);
        if (wait) {
          waitStore(t);
          waitLoad(t);
        }
      }
      fencedSync(t, AT("bar.sync", 22));
      if (getWarp(t) == 4) {
        access(!firstStores);
        waitStore(t);
        waitLoad(t);
      }
    });
  };
  Launch launch = Launch::ofThreads(256);
  expectFault(kernel(true, false),
              "load of cells that a store of warp 0 still accesses: execute "
              "tcgen05.wait::st there",
              launch);
  expectFault(kernel(false, false),
              "store of cells that a load of warp 0 still accesses: execute "
              "tcgen05.wait::ld there",
              launch);
  expectClean(kernel(true, true), launch);
  expectClean(kernel(false, true), launch);
}

//===----------------------------------------------------------------------===//
// dealloc
//===----------------------------------------------------------------------===//

/// Warp `freeing` frees after warps 0 to 3 have loaded.
Body freeAfterLoad(uint32_t freeing, bool wait, bool barrier) {
  return [=](TMemEmuThread *t) {
    uint32_t *slot = getShared<uint32_t>(t);
    if (getWarp(t) == 0)
      tmemEmuAlloc(t, AT("tcgen05.alloc", 10), slot, 32, 0);
    sync(t, AT("bar.sync", 11));
    uint32_t address = *slot;
    fill(t, address, 4, 1);
    uint32_t words[4];
    load(t, AT("tcgen05.ld", 20), address, 4, words);
    if (wait)
      waitLoad(t);
    if (barrier)
      sync(t, AT("bar.sync", 21));
    if (getWarp(t) == freeing)
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 22), address, 32, 0);
  };
}

TEST(EmulationDealloc, AfterTheWaits) {
  for (uint32_t freeing : {0u, 1u, 3u}) {
    // A barrier alone does not complete the loads: the situation of
    // NVIDIA/cutlass 3652.
    expectFault(freeAfterLoad(freeing, false, true),
                "dealloc of columns that a load of ");
    expectClean(freeAfterLoad(freeing, true, true));
  }
  EXPECT_THAT(run(Launch(), freeAfterLoad(0, false, true)),
              isFault("kernel.mlir:20:3: tcgen05.ld: note: load of warp 0 that "
                      "no wait has completed"));
}

TEST(EmulationDealloc, AfterTheAccessesOfOthers) {
  // Found even if the others happen to have been first.
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_THAT(run(Launch().with(seed), freeAfterLoad(3, true, false)),
                ::testing::AnyOf(
                    isFault("dealloc is not ordered after the access of warp "),
                    isFault("dealloc of columns that a "),
                    // A warp that comes too late.
                    isFault("is not allocated")))
        << "seed " << seed;
}

TEST(EmulationDealloc, IsOrderedBySignalsOnly) {
  // Warp 3 is the last by far, and yet nothing makes it so.
  auto kernel = [](bool barrier) {
    return [barrier](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        fill(t, address, 4, 1);
        if (!barrier && getWarp(t) != 3)
          tmemEmuExit(t, AT("exit", 20));
        if (getWarp(t) != 3) {
          sync(t, AT("bar.sync", 21));
          tmemEmuExit(t, AT("exit", 22));
        }
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 23));
        if (barrier)
          sync(t, AT("bar.sync", 24));
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 25), address, 32, 0);
        tmemEmuExit(t, AT("exit", 26));
      });
    };
  };
  expectFault(kernel(false),
              "dealloc is not ordered after the access of warp 0: execute a "
              "barrier between them");
  expectFault(kernel(false), "tcgen05.st: note: access of warp 0");
  expectClean(kernel(true));
}

TEST(EmulationDealloc, AfterTheAllocOfAnother) {
  auto kernel = [](bool barrier) {
    return [barrier](TMemEmuThread *t) {
      uint32_t *slot = getShared<uint32_t>(t);
      if (getWarp(t) == 0)
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot, 32, 0);
      if (barrier)
        sync(t, AT("bar.sync", 21));
      else if (getWarp(t) == 1)
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 22));
      if (getWarp(t) == 1)
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 23), 0, 32, 0);
    };
  };
  EXPECT_THAT(run(Launch(), kernel(false)),
              isFault("dealloc is not ordered after the alloc by warp 0"));
  EXPECT_THAT(run(Launch(), kernel(true)), isClean());
}

TEST(EmulationDealloc, OrderByEachMeans) {
  enum Means { Arrive, MBarrier, Flag, Nothing };
  auto kernel = [](Means means) {
    return [means](TMemEmuThread *t) {
      uint32_t *slot = getShared<uint32_t>(t);
      uint64_t *object = getShared<uint64_t>(t, 8);
      uint32_t *flag = getShared<uint32_t>(t, 16);
      if (getTid(t) == 0) {
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 9), object, 32);
        *flag = 0;
      }
      if (getWarp(t) == 0)
        tmemEmuAlloc(t, AT("tcgen05.alloc", 10), slot, 32, 0);
      sync(t, AT("bar.sync", 11));
      uint32_t address = *slot;
      if (getWarp(t) == 0) {
        fill(t, address, 4, 1);
        if (means == Arrive)
          tmemEmuBarrier(t, AT("bar.arrive", 20), 1, 64,
                         TMemEmuBarrierAligned | TMemEmuBarrierArrive, 0);
        if (means == MBarrier)
          tmemEmuMBarrierArrive(t, AT("mbarrier.arrive", 21), object, 1, 0, 0);
        if (means == Flag && getLane(t) == 0) {
          tmemEmuFence(t, AT("fence", 22), TMemEmuFenceMemory);
          *flag = 1;
        }
        return;
      }
      if (means == Arrive)
        tmemEmuBarrier(t, AT("bar.sync", 23), 1, 64, TMemEmuBarrierAligned, 0);
      if (means == MBarrier)
        tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 24), object, 0,
                            TMemEmuWaitParity | TMemEmuWaitBlock);
      if (means == Flag) {
        while (*static_cast<volatile uint32_t *>(flag) == 0)
          countStep(t, AT("loop", 25));
        tmemEmuFence(t, AT("fence", 26), TMemEmuFenceMemory);
      }
      if (means == Nothing)
        for (int i = 0; i < 100000; ++i)
          countStep(t, AT("loop", 27));
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 28), address, 32, 0);
    };
  };
  Launch launch = Launch::ofThreads(64);
  for (Means means : {Arrive, MBarrier, Flag})
    expectClean(kernel(means), launch);
  expectFault(kernel(Nothing),
              "dealloc is not ordered after the access of warp 0", launch);
}

} // namespace
