//===- EmulationMBarrierTest.cpp - Mbarrier objects, emulated -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

constexpr uint32_t parity = TMemEmuWaitParity;
constexpr uint32_t block = TMemEmuWaitBlock;

uint64_t *getObject(TMemEmuThread *t) { return getShared<uint64_t>(t, 8); }

void init(TMemEmuThread *t, uint32_t count) {
  if (getTid(t) == 0)
    tmemEmuMBarrierInit(t, AT("mbarrier.init", 10), getObject(t), count);
  sync(t, AT("bar.sync", 11));
}
uint64_t arrive(TMemEmuThread *t, uint32_t count = 1, uint32_t bytes = 0,
                uint32_t flags = 0) {
  return tmemEmuMBarrierArrive(t, AT("mbarrier.arrive", 12), getObject(t),
                               count, bytes, flags);
}
uint32_t wait(TMemEmuThread *t, uint64_t state, uint32_t flags) {
  return tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 13), getObject(t),
                             state, flags);
}

/// One thread on its own.
Launch oneThread() { return Launch::ofThreads(1); }

TEST(EmulationMBarrier, Phases) {
  expectClean([](TMemEmuThread *t) {
    init(t, 128);
    uint32_t *shared = getShared<uint32_t>(t, 16);
    for (uint32_t round = 0; round < 10; ++round) {
      if (getTid(t) == round)
        shared[0] = round;
      arrive(t);
      wait(t, round % 2, parity | block);
      EXPECT_EQ(shared[0], round);
      // The previous phase stays complete, the current one is not.
      EXPECT_TRUE(wait(t, round % 2, parity));
      sync(t, AT("bar.sync", 20));
      EXPECT_FALSE(wait(t, ~round % 2, parity));
      sync(t, AT("bar.sync", 21));
    }
  });
}

TEST(EmulationMBarrier, FirstPhase) {
  // The phase before the first is complete: producers start that way.
  expectClean(
      [](TMemEmuThread *t) {
        init(t, 1);
        EXPECT_TRUE(wait(t, 1, parity | block));
        EXPECT_FALSE(wait(t, 0, parity));
        arrive(t);
        EXPECT_TRUE(wait(t, 0, parity | block));
        EXPECT_TRUE(wait(t, 2, parity)) << "only the low bit counts";
        EXPECT_FALSE(wait(t, 1, parity));
      },
      oneThread());
}

TEST(EmulationMBarrier, States) {
  expectClean(
      [](TMemEmuThread *t) {
        init(t, 2);
        uint64_t first = arrive(t);
        EXPECT_FALSE(wait(t, first, 0));
        EXPECT_NE(arrive(t), first) << "fewer arrivals are pending";
        EXPECT_TRUE(wait(t, first, 0));
        uint64_t second = arrive(t, 2);
        EXPECT_TRUE(wait(t, second, TMemEmuWaitTry));
        EXPECT_TRUE(wait(t, second, block));
      },
      oneThread());
}

TEST(EmulationMBarrier, StateOfAnOldPhase) {
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        uint64_t first = arrive(t);
        wait(t, first, 0);
        uint64_t second = arrive(t);
        wait(t, second, 0);
        wait(t, first, 0);
      },
      "expected a state of the current phase 2 or the previous one, but got "
      "one of phase 0",
      oneThread());
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        wait(t, 0x123456789abcdef, 0);
      },
      "expected a state of the current phase 0", oneThread());
}

TEST(EmulationMBarrier, Transactions) {
  expectClean([](TMemEmuThread *t) {
    init(t, 1);
    if (getTid(t) == 0) {
      arrive(t, 1, 4096);
      EXPECT_FALSE(wait(t, 0, parity));
    }
    sync(t, AT("bar.sync", 20));
    if (getTid(t) == 40)
      for (int i = 0; i < 4; ++i)
        tmemEmuMBarrierComplete(t, AT("complete_tx", 21), getObject(t), 1024);
    EXPECT_TRUE(wait(t, 0, parity | block));
  });
  // Bytes may come before they are expected.
  expectClean(
      [](TMemEmuThread *t) {
        init(t, 1);
        tmemEmuMBarrierComplete(t, AT("complete_tx", 20), getObject(t), 100);
        tmemEmuMBarrierExpect(t, AT("expect_tx", 21), getObject(t), 50);
        EXPECT_FALSE(wait(t, 0, parity));
        arrive(t, 1, 50);
        EXPECT_TRUE(wait(t, 0, parity));
      },
      oneThread());
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        tmemEmuMBarrierExpect(t, AT("expect_tx", 20), getObject(t), 1 << 20);
      },
      "expected a tx-count from -1048575 to 1048575, but it becomes 1048576",
      oneThread());
}

TEST(EmulationMBarrier, Drop) {
  expectClean(
      [](TMemEmuThread *t) {
        init(t, 2);
        arrive(t, 1, 0, TMemEmuArriveDrop);
        EXPECT_FALSE(wait(t, 0, parity));
        arrive(t);
        EXPECT_TRUE(wait(t, 0, parity));
        // The next phase waits for one arrival only.
        arrive(t);
        EXPECT_TRUE(wait(t, 1, parity));
      },
      oneThread());
}

TEST(EmulationMBarrier, NoComplete) {
  auto kernel = [](uint32_t count) {
    return [count](TMemEmuThread *t) {
      init(t, 2);
      arrive(t, count, 0, TMemEmuArriveNoComplete);
    };
  };
  expectClean(kernel(1), oneThread());
  expectFault(kernel(2), "does not complete by an arrival with .noComplete",
              oneThread());
}

TEST(EmulationMBarrier, TooManyArrivals) {
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 3);
        arrive(t, 2);
        arrive(t, 2);
      },
      "expected at most the 1 arrivals that phase 0 of the mbarrier waits for, "
      "but got 2",
      oneThread());
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 3);
        arrive(t, 0);
      },
      "expected from 1 to 1048575 arrivals, but got 0", oneThread());
}

TEST(EmulationMBarrier, PhaseThatNobodySaw) {
  auto kernel = [](bool waits) {
    return [waits](TMemEmuThread *t) {
      init(t, 1);
      arrive(t);
      if (waits)
        wait(t, 0, parity);
      arrive(t);
    };
  };
  expectFault(kernel(false),
              "phase 0 of the mbarrier is complete, but no thread has waited",
              oneThread());
  expectClean(kernel(true), oneThread());
}

TEST(EmulationMBarrier, Validity) {
  expectFault([](TMemEmuThread *t) { arrive(t); },
              "expected a valid mbarrier, but the one at offset 8 of shared "
              "memory is not",
              oneThread());
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        init(t, 1);
      },
      "is valid already", oneThread());
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        tmemEmuMBarrierInval(t, AT("mbarrier.inval", 20), getObject(t));
        wait(t, 0, parity);
      },
      "expected a valid mbarrier", oneThread());
  expectClean(
      [](TMemEmuThread *t) {
        for (int i = 0; i < 2; ++i) {
          init(t, 1);
          tmemEmuMBarrierInval(t, AT("mbarrier.inval", 20), getObject(t));
        }
      },
      oneThread());
}

TEST(EmulationMBarrier, InvalWhileAThreadWaits) {
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        if (getWarp(t) == 1)
          wait(t, 0, parity | block);
        for (int i = 0; i < 10000; ++i)
          countStep(t, AT("loop", 20));
        if (getTid(t) == 0)
          tmemEmuMBarrierInval(t, AT("mbarrier.inval", 21), getObject(t));
      },
      "expected an mbarrier that no thread waits for", Launch::ofThreads(64));
}

TEST(EmulationMBarrier, Overwritten) {
  expectFault(
      [](TMemEmuThread *t) {
        init(t, 1);
        *getShared<uint32_t>(t, 12) ^= 1;
        arrive(t);
      },
      "the mbarrier at offset 8 of shared memory was overwritten", oneThread());
}

TEST(EmulationMBarrier, CountAndPlace) {
  auto kernel = [](int64_t offset, uint32_t count) {
    return [=](TMemEmuThread *t) {
      tmemEmuMBarrierInit(t, AT("mbarrier.init", 20),
                          reinterpret_cast<uint64_t *>(t->sharedBegin + offset),
                          count);
    };
  };
  expectFault(kernel(0, 0),
              "expected an arrival count from 1 to 1048575, but "
              "got 0",
              oneThread());
  expectFault(kernel(0, 1 << 20), "but got 1048576", oneThread());
  expectFault(kernel(4, 1), "expected an mbarrier aligned to 8 bytes",
              oneThread());
  expectFault(kernel(64, 1),
              "expected an mbarrier in the 64 bytes of shared memory",
              oneThread());
  expectFault(kernel(-8, 1), "expected an mbarrier in the 64 bytes",
              oneThread());
  expectClean(kernel(56, (1 << 20) - 1), oneThread());
}

TEST(EmulationMBarrier, Deadlock) {
  Body blocked = [](TMemEmuThread *t) {
    init(t, 2);
    if (getTid(t) == 0)
      arrive(t, 1, 64);
    wait(t, 0, parity | block);
  };
  EXPECT_THAT(run(Launch(), blocked),
              isFault("deadlock: no thread of the block can run, with warps 0 "
                      "to 3 waiting here for the mbarrier at offset 8 of "
                      "shared memory: 1 of 2 arrivals and 64 bytes are "
                      "outstanding in phase 0"));
  expectFault(blocked, "deadlock");
}

TEST(EmulationMBarrier, DeadlockOfPolls) {
  EXPECT_THAT(run(Launch(),
                  [](TMemEmuThread *t) {
                    init(t, 1);
                    if (getWarp(t) == 1)
                      sync(t, AT("bar.sync", 20));
                    while (!wait(t, 0, parity | TMemEmuWaitTry))
                      countStep(t, AT("loop", 21));
                  }),
              isFault("deadlock: no thread of the block can run"));
}

TEST(EmulationMBarrier, PollsLetOthersRun) {
  expectClean([](TMemEmuThread *t) {
    init(t, 1);
    if (getWarp(t) == 3) {
      for (int i = 0; i < 5000; ++i)
        countStep(t, AT("loop", 20));
      if (getLane(t) == 0)
        arrive(t);
      return;
    }
    while (!wait(t, 0, parity | TMemEmuWaitTry))
      ;
  });
}

TEST(EmulationMBarrier, RelaxedOrdersNothing) {
  auto kernel = [](uint32_t arriveFlags, uint32_t waitFlags) {
    return [=](TMemEmuThread *t) {
      init(t, 1);
      uint64_t place = t->sharedBegin + 32;
      if (getTid(t) == 0) {
        tmemEmuSharedAccess(t, AT("st.shared", 20), place, 4,
                            TMemEmuAccessWrite);
        arrive(t, 1, 0, arriveFlags);
      }
      if (getWarp(t) == 1) {
        wait(t, 0, parity | block | waitFlags);
        tmemEmuSharedAccess(t, AT("ld.shared", 21), place, 4, 0);
      }
    };
  };
  expectClean(kernel(0, 0));
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Launch launch = Launch::racing().with(seed);
    EXPECT_THAT(run(launch, kernel(TMemEmuArriveRelaxed, 0)),
                isFault("race: "));
    EXPECT_THAT(run(launch, kernel(0, TMemEmuWaitRelaxed)), isFault("race: "));
  }
}

} // namespace
