//===- EmulationBarrierTest.cpp - Barriers of the CTA, emulated -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

constexpr uint32_t aligned = TMemEmuBarrierAligned;

TEST(EmulationBarrier, OrdersSharedMemory) {
  for (uint32_t flags : {aligned, 0u}) {
    Launch launch = Launch::ofThreads(256);
    launch.staticShared = 1024;
    auto kernel = [=](bool barrier) {
      return [=](TMemEmuThread *t) {
        uint32_t *shared = getShared<uint32_t>(t);
        for (uint32_t round = 1; round <= 8; ++round) {
          uint32_t at = t->sharedBegin + getTid(t) * 4;
          tmemEmuSharedAccess(t, AT("st.shared", 20), at, 4,
                              TMemEmuAccessWrite | TMemEmuAccessShared);
          shared[getTid(t)] = getTid(t) * round;
          if (barrier)
            tmemEmuBarrier(t, AT("bar.sync", 21), 0, 0, flags, 0);
          uint32_t other = (getTid(t) + 32 * round) % 256;
          tmemEmuSharedAccess(t, AT("ld.shared", 22),
                              t->sharedBegin + other * 4, 4,
                              TMemEmuAccessShared);
          if (barrier)
            EXPECT_EQ(shared[other], other * round);
          tmemEmuBarrier(t, AT("bar.sync", 23), 1, 256, flags, 0);
        }
      };
    };
    expectClean(kernel(true), launch);
    launch.race = true;
    for (uint64_t seed = 0; seed < 8; ++seed)
      EXPECT_THAT(run(launch.with(seed), kernel(false)), isFault("race: "));
  }
}

TEST(EmulationBarrier, NamedBarriersAreIndependent) {
  // Two pairs of warps, each at its own barrier, a different number of times.
  expectClean([](TMemEmuThread *t) {
    uint32_t pair = getWarp(t) / 2;
    for (uint32_t i = 0; i < 3 + pair * 4; ++i)
      tmemEmuBarrier(t, AT("bar.sync", 20), 1 + pair, 64, aligned, 0);
  });
}

TEST(EmulationBarrier, ProducerArrivesConsumerSyncs) {
  expectClean(
      [](TMemEmuThread *t) {
        uint64_t place = t->sharedBegin;
        if (getWarp(t) == 0) {
          if (getLane(t) == 0) {
            tmemEmuSharedAccess(t, AT("st.shared", 20), place, 4,
                                TMemEmuAccessWrite);
            *getShared<uint32_t>(t) = 42;
          }
          tmemEmuBarrier(t, AT("bar.arrive", 21), 5, 64,
                         aligned | TMemEmuBarrierArrive, 0);
          return;
        }
        tmemEmuBarrier(t, AT("bar.sync", 22), 5, 64, aligned, 0);
        tmemEmuSharedAccess(t, AT("ld.shared", 23), place, 4, 0);
        EXPECT_EQ(*getShared<uint32_t>(t), 42u);
      },
      Launch::ofThreads(64));
}

TEST(EmulationBarrier, Reductions) {
  expectClean(
      [](TMemEmuThread *t) {
        auto reduce = [&](uint32_t kind, bool predicate) {
          return tmemEmuBarrier(t, AT("bar.red", 20), 0, 0, aligned | kind,
                                predicate);
        };
        EXPECT_EQ(reduce(TMemEmuBarrierPopc, getTid(t) % 3 == 0), 32u);
        EXPECT_EQ(reduce(TMemEmuBarrierAnd, true), 1u);
        EXPECT_EQ(reduce(TMemEmuBarrierAnd, getTid(t) != 77), 0u);
        EXPECT_EQ(reduce(TMemEmuBarrierOr, false), 0u);
        EXPECT_EQ(reduce(TMemEmuBarrierOr, getTid(t) == 77), 1u);
        EXPECT_EQ(tmemEmuBarrier(t, AT("barrier.red", 21), 3, 96,
                                 TMemEmuBarrierPopc, true),
                  96u);
      },
      Launch::ofThreads(96));
}

TEST(EmulationBarrier, PartialWarp) {
  expectClean(
      [](TMemEmuThread *t) {
        EXPECT_EQ(tmemEmuBarrier(t, AT("bar.red", 20), 0, 0,
                                 aligned | TMemEmuBarrierPopc, true),
                  40u);
      },
      Launch::ofThreads(40));
}

TEST(EmulationBarrier, ExitedThreadsAreNotWaitedFor) {
  for (uint32_t flags : {aligned, 0u}) {
    expectClean([flags](TMemEmuThread *t) {
      // A whole warp, and some lanes of another one.
      if (getWarp(t) == 1)
        tmemEmuExit(t, AT("exit", 20));
      if (getWarp(t) == 2 && getLane(t) >= 5)
        return;
      tmemEmuBarrier(t, AT("bar.sync", 21), 0, 0, flags, 0);
    });
    // Those that are counted are.
    expectFault(
        [flags](TMemEmuThread *t) {
          if (getWarp(t) != 1)
            tmemEmuBarrier(t, AT("bar.sync", 21), 0, 128, flags, 0);
        },
        "waiting here for barrier 0: 3 of 4 warps have arrived");
  }
}

TEST(EmulationBarrier, LanesArriveApart) {
  // Not aligned: a warp arrives once all of its lanes have, from two places.
  expectClean([](TMemEmuThread *t) {
    if (getLane(t) % 2)
      tmemEmuBarrier(t, AT("barrier.sync", 20), 2, 128, 0, 0);
    else
      tmemEmuBarrier(t, AT("barrier.sync", 21), 2, 128, 0, 0);
  });
  expectFault(
      [](TMemEmuThread *t) {
        if (getLane(t) % 2)
          tmemEmuBarrier(t, AT("bar.sync", 20), 2, 128, aligned, 0);
        else
          tmemEmuBarrier(t, AT("bar.sync", 21), 2, 128, aligned, 0);
      },
      "divergent warp: ");
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuBarrier(t, AT("barrier.sync", 20), 2 + getLane(t) % 2, 128, 0,
                       0);
      },
      "missing lanes: ");
}

TEST(EmulationBarrier, Operands) {
  auto kernel = [](uint32_t id, uint32_t threads) {
    return [=](TMemEmuThread *t) {
      tmemEmuBarrier(t, AT("bar.sync", 20), id, threads, aligned, 0);
    };
  };
  expectFault(kernel(16, 0), "expected barrier 0 to 15, but got 16");
  expectFault(kernel(0, 33),
              "expected a multiple of 32 threads at barrier 0, but got 33");
  expectFault(kernel(0, 160), "expected at most the 128 threads of the block "
                              "at barrier 0, but got 160");
  expectClean(kernel(15, 128));
}

TEST(EmulationBarrier, WarpsAgree) {
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuBarrier(t, AT("bar.sync", 20), 1, getWarp(t) == 0 ? 64 : 128,
                       aligned, 0);
      },
      " threads at barrier 1, as the warps that have arrived, but got ");
  auto mixed = [](uint32_t kind) {
    return [kind](TMemEmuThread *t) {
      tmemEmuBarrier(t, AT("bar", 20), 1, 128,
                     aligned | (getWarp(t) == 0 ? kind : TMemEmuBarrierPopc),
                     0);
    };
  };
  expectFault(mixed(0), "as the warps that have arrived, but got .");
  expectFault(mixed(TMemEmuBarrierAnd), "expected .red at barrier 1");
  expectClean(mixed(TMemEmuBarrierPopc));
  // Naming all threads and naming none is the same.
  expectClean([](TMemEmuThread *t) {
    tmemEmuBarrier(t, AT("bar.sync", 20), 1, getWarp(t) == 0 ? 0 : 128, aligned,
                   0);
  });
}

TEST(EmulationBarrier, ArrivesOnceARound) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getWarp(t) == 0)
          for (int i = 0; i < 2; ++i)
            tmemEmuBarrier(t, AT("bar.arrive", 20), 1, 96,
                           aligned | TMemEmuBarrierArrive, 0);
      },
      "warp 0 arrives at barrier 1 again before the barrier has completed");
}

TEST(EmulationBarrier, Deadlock) {
  Body kernel = [](TMemEmuThread *t) {
    if (getWarp(t) < 2)
      tmemEmuBarrier(t, AT("bar.sync", 20), 1, 96, aligned, 0);
    else
      tmemEmuBarrier(t, AT("bar.sync", 21), 2, 96, aligned, 0);
  };
  EXPECT_THAT(
      run(Launch(), kernel),
      isFault("kernel.mlir:20:3: bar.sync: error: deadlock: no thread of the "
              "block can run, with warps 0 and 1 waiting here for barrier 1: "
              "2 of 3 warps have arrived"));
  EXPECT_THAT(run(Launch(), kernel),
              isFault("kernel.mlir:21:3: bar.sync: note: warps 2 and 3 waiting "
                      "here for barrier 2: 2 of 3 warps have arrived"));
  expectFault(kernel, "deadlock");
}

TEST(EmulationBarrier, Cluster) {
  expectClean([](TMemEmuThread *t) {
    for (int i = 0; i < 3; ++i) {
      tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 20), 0);
      tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 21), 1);
    }
    if (getTid(t) == 5)
      return;
    tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 22), 0);
    tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 23), 1);
  });
  expectFault(
      [](TMemEmuThread *t) {
        for (int i = 0; i < 2; ++i)
          tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 20), 0);
      },
      "has arrived at the cluster barrier before");
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 20), 1);
      },
      "has not arrived at the cluster barrier");
  expectFault(
      [](TMemEmuThread *t) {
        if (getTid(t) == 9)
          sync(t, AT("bar.sync", 19));
        tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 20), 0);
        tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 21), 1);
      },
      "missing lanes");
}

TEST(EmulationBarrier, ClusterOrders) {
  auto kernel = [](bool wait) {
    return [wait](TMemEmuThread *t) {
      uint64_t place = t->sharedBegin;
      if (getTid(t) == 0)
        tmemEmuSharedAccess(t, AT("st.shared", 20), place, 4,
                            TMemEmuAccessWrite);
      tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 21), 0);
      if (wait)
        tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 22), 1);
      tmemEmuSharedAccess(t, AT("ld.shared", 23), place, 4, 0);
    };
  };
  expectClean(kernel(true));
  EXPECT_THAT(run(Launch::racing(), kernel(false)), isFault("race: "));
}

} // namespace
