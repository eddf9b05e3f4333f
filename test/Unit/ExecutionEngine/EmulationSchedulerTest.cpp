//===- EmulationSchedulerTest.cpp - Order, steps, divergence, grids -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

using namespace tmem::emulation::test;

namespace {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The order in which threads of every CTA come to the end of a few steps.
std::vector<std::vector<uint32_t>> getOrder(uint64_t seed, uint32_t threads,
                                            uint32_t ctas) {
  std::vector<std::vector<uint32_t>> order(ctas);
  Launch launch;
  launch.grid = {ctas, 1, 1};
  launch.threads = threads;
  EXPECT_THAT(run(launch.with(seed),
                  [&](TMemEmuThread *t) {
                    for (int i = 0; i < 200; ++i)
                      countStep(t, AT("loop", 20));
                    order[t->special[TMemEmuCtaidX]].push_back(getTid(t));
                  }),
              isClean());
  return order;
}

TEST(EmulationOrder, SeedsAreReproducible) {
  std::set<std::vector<std::vector<uint32_t>>> all;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    auto first = getOrder(seed, 1, 4);
    EXPECT_EQ(first, getOrder(seed, 1, 4));
    EXPECT_EQ(first, getOrder(seed, 3, 4)) << "other number of OS threads";
    for (std::vector<uint32_t> &order : first) {
      ASSERT_EQ(order.size(), 128u);
      EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 128u);
    }
    all.insert(first);
    // CTAs differ, too, but for round robin.
    EXPECT_EQ(first[0] == first[1], seed == 0);
  }
  EXPECT_EQ(all.size(), 6u);
}

TEST(EmulationOrder, RoundRobin) {
  auto order = getOrder(0, 1, 1)[0];
  for (uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(order[i], i);
}

TEST(EmulationOrder, ThreadsThatSpinLetOthersRun) {
  // Each waits in a loop for the one after it, the last for nobody.
  expectClean([](TMemEmuThread *t) {
    volatile uint32_t *flags = getShared<uint32_t>(t);
    if (getTid(t) < 16)
      flags[getTid(t)] = 0;
    sync(t, AT("bar.sync", 20));
    uint32_t me = getTid(t);
    if (me >= 16)
      return;
    while (me < 15 && flags[me + 1] == 0)
      countStep(t, AT("loop", 21));
    flags[me] = 1;
  });
}

TEST(EmulationOrder, LanesThatSpinOnOtherLanes) {
  expectClean([](TMemEmuThread *t) {
    volatile uint32_t *turn = getShared<uint32_t>(t);
    if (getTid(t) == 0)
      *turn = 128;
    sync(t, AT("bar.sync", 20));
    while (*turn != getTid(t) + 1)
      countStep(t, AT("loop", 21));
    *turn = getTid(t);
  });
}

TEST(EmulationOrder, SeedsFindARace) {
  // Two warps add to a counter without an atomic.
  std::set<uint32_t> results;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    uint32_t counter = 0;
    EXPECT_THAT(run(Launch::ofThreads(64).with(seed),
                    [&](TMemEmuThread *t) {
                      if (getLane(t) != 0)
                        return;
                      for (int i = 0; i < 10; ++i) {
                        uint32_t value = counter;
                        countStep(t, AT("loop", 20));
                        counter = value + 1;
                      }
                    }),
                isClean());
    results.insert(counter);
  }
  EXPECT_GT(results.size(), 1u);
  EXPECT_TRUE(results.count(20));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

TEST(EmulationSteps, Bound) {
  auto kernel = [](uint64_t steps) {
    return [steps](TMemEmuThread *t) {
      for (uint64_t i = 0; i < steps; ++i)
        countStep(t, AT("cf.cond_br", 20));
    };
  };
  Launch launch = Launch::ofThreads(33);
  launch.maxSteps = 1000;
  expectClean(kernel(999), launch);
  expectFault(
      kernel(1000),
      "kernel.mlir:20:3: cf.cond_br: error: the kernel never ends: this "
      "thread has taken 1000 backward branches; raise "
      "max_steps",
      launch);
  expectFault(kernel(UINT64_MAX), "the kernel never ends", launch);
}

//===----------------------------------------------------------------------===//
// Warps that diverge
//===----------------------------------------------------------------------===//

TEST(EmulationDivergence, DifferentOperations) {
  auto kernel = [](bool diverges) {
    return [diverges](TMemEmuThread *t) {
      withColumns(t, 32, [&](uint32_t address) {
        uint32_t words[4] = {};
        if (getLane(t) < 16 || !diverges)
          store(t, AT("tcgen05.st", 20), address, 4, words);
        else
          store(t, AT("tcgen05.st", 21), address, 4, words);
        tmemEmuWaitStore(t, AT("tcgen05.wait::st", 22));
      });
    };
  };
  EXPECT_THAT(run(Launch(), kernel(true)),
              isFault("kernel.mlir:20:3: tcgen05.st: error: divergent warp: "
                      "lane 0 of warp 0 executes this while lane 31 of the "
                      "warp waits at another .aligned operation"));
  EXPECT_THAT(
      run(Launch(), kernel(true)),
      isFault("kernel.mlir:21:3: tcgen05.st: note: lane 31 waits here"));
  expectFault(kernel(true), "divergent warp: ");
  expectClean(kernel(false));
}

TEST(EmulationDivergence, LanesThatHaveExited) {
  auto kernel = [](uint32_t exited) {
    return [exited](TMemEmuThread *t) {
      if (getLane(t) >= 32 - exited)
        return;
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), getShared<uint32_t>(t), 32, 0);
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *getShared<uint32_t>(t), 32,
                     0);
    };
  };
  Launch launch = Launch::ofThreads(32);
  expectFault(kernel(3),
              "missing lanes: expected all 32 lanes of warp 0, but lanes 29 to "
              "31 have exited",
              launch);
  expectFault(kernel(1), "but lane 31 has exited", launch);
  expectClean(kernel(0), launch);
  // Without an exit, the warp is too small.
  expectFault(kernel(0),
              "missing lanes: expected all 32 lanes of warp 1, but the warp "
              "has only lanes 0 to 7",
              Launch::ofThreads(40));
}

TEST(EmulationDivergence, LanesThatWaitElsewhere) {
  Body kernel = [](TMemEmuThread *t) {
    if (getLane(t) % 2 == 0)
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), getShared<uint32_t>(t), 32, 0);
    else
      tmemEmuWarpSync(t, AT("bar.warp.sync", 21), fullMask);
  };
  EXPECT_THAT(
      run(Launch::ofThreads(32), kernel),
      isFault("kernel.mlir:20:3: tcgen05.alloc: error: missing lanes: lanes 0, "
              "2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28 and 30 of "
              "warp 0 wait for lanes 1, 3, "));
  EXPECT_THAT(run(Launch::ofThreads(32), kernel),
              isFault("kernel.mlir:21:3: bar.warp.sync: note: lanes 1, 3, "));
  expectFault(kernel, "missing lanes: ", Launch::ofThreads(32));
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

TEST(EmulationGrid, SpecialRegisters) {
  Launch launch;
  launch.grid = {3, 2, 2};
  launch.block = {5, 4, 3};
  launch.dynamicShared = 100;
  std::atomic<uint32_t> seen{0}, sum{0};
  EXPECT_THAT(run(launch,
                  [&](TMemEmuThread *t) {
                    const uint32_t *s = t->special;
                    uint32_t tid = s[TMemEmuTidX] +
                                   5 * (s[TMemEmuTidY] + 4 * s[TMemEmuTidZ]);
                    uint32_t cta =
                        s[TMemEmuCtaidX] +
                        3 * (s[TMemEmuCtaidY] + 2 * s[TMemEmuCtaidZ]);
                    EXPECT_EQ(s[TMemEmuNtidX], 5u);
                    EXPECT_EQ(s[TMemEmuNtidZ], 3u);
                    EXPECT_EQ(s[TMemEmuNctaidX], 3u);
                    EXPECT_EQ(s[TMemEmuNctaidY], 2u);
                    EXPECT_EQ(s[TMemEmuLaneid], tid % 32);
                    EXPECT_EQ(s[TMemEmuWarpid], tid / 32);
                    EXPECT_EQ(s[TMemEmuNwarpid], 2u);
                    EXPECT_EQ(s[TMemEmuClusterNctarank], 1u);
                    EXPECT_EQ(s[TMemEmuClusteridY], s[TMemEmuCtaidY]);
                    EXPECT_EQ(s[TMemEmuDynamicSmemSize], 100u);
                    EXPECT_EQ(s[TMemEmuTotalSmemSize], 164u);
                    EXPECT_EQ(t->sharedUnchecked, 164u);
                    EXPECT_LT(t->sharedBegin + 164, uint64_t(1) << 32);
                    EXPECT_GE(t->sharedBegin, t->zoneBegin);
                    EXPECT_LE(t->sharedBegin + 164, t->zoneBegin + t->zoneSize);
                    ++seen;
                    sum += cta * 60 + tid;
                  }),
              isClean());
  EXPECT_EQ(seen, 720u);
  EXPECT_EQ(sum, 720u * 719 / 2);
}

TEST(EmulationGrid, ManyCtas) {
  for (uint32_t threads : {1u, 2u}) {
    Launch launch;
    launch.grid = {8192, 1, 1};
    launch.threads = threads;
    std::vector<uint8_t> seen(8192 * 128);
    auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(run(launch,
                    [&](TMemEmuThread *t) {
                      withColumns(t, 32, [&](uint32_t address) {
                        fill(t, address, 8, getTid(t));
                      });
                      ++seen[t->special[TMemEmuCtaidX] * 128 + getTid(t)];
                    }),
                isClean());
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 8192 * 128);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    // A few tenths of a second on an idle machine.
    EXPECT_LT(time.count(), 20);
  }
}

TEST(EmulationGrid, CtasShareNothing) {
  Launch launch;
  launch.grid = {64, 1, 1};
  launch.threads = 4;
  EXPECT_THAT(run(launch,
                  [](TMemEmuThread *t) {
                    uint32_t *shared = getShared<uint32_t>(t, 32);
                    // Not what the CTA before has left there.
                    if (getTid(t) == 0) {
                      EXPECT_EQ(*shared, 0xffffffff);
                      *shared = t->special[TMemEmuCtaidX];
                    }
                    withColumns(t, 32, [&](uint32_t address) {
                      fill(t, address, 1, *shared);
                      uint32_t word;
                      load(t, AT("tcgen05.ld", 20), address, 1, &word);
                      tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
                      EXPECT_EQ(word, t->special[TMemEmuCtaidX]);
                    });
                  }),
              isClean());
}

TEST(EmulationGrid, LargestBlock) {
  expectClean(
      [](TMemEmuThread *t) {
        withColumns(t, 512, [&](uint32_t address) {
          fill(t, address + getWarp(t) / 4 * 64, 64, getWarp(t));
        });
      },
      Launch::ofThreads(1024));
}

} // namespace
