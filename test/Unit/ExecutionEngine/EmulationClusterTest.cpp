//===- EmulationClusterTest.cpp - Several CTAs on one scheduler -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <atomic>
#include <set>

using namespace tmem::emulation::test;

namespace {

/// Shared memory of another CTA.
uint32_t *getRemote(TMemEmuThread *t, uint32_t rank, uint32_t offset = 0) {
  return reinterpret_cast<uint32_t *>(
      tmemEmuMapShared(t, AT("mapa", 52), t->sharedBegin + offset, rank));
}

/// An access by compiled code.
void access(TMemEmuThread *t, const TMemEmuSite *site, uint32_t *pointer,
            uint32_t flags, uint64_t bytes = 4) {
  tmemEmuSharedAccess(t, site, reinterpret_cast<uintptr_t>(pointer), bytes,
                      flags);
}
void write(TMemEmuThread *t, const TMemEmuSite *site, uint32_t *pointer,
           uint32_t value) {
  access(t, site, pointer, TMemEmuAccessCluster | TMemEmuAccessWrite);
  *pointer = value;
}
uint32_t read(TMemEmuThread *t, const TMemEmuSite *site, uint32_t *pointer) {
  access(t, site, pointer, TMemEmuAccessCluster);
  return *pointer;
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

TEST(EmulationCluster, SpecialRegisters) {
  Launch launch = Launch::ofThreads(1);
  launch.cluster = {2, 3, 1};
  launch.grid = {4, 6, 5};
  launch.threads = 1;
  std::set<std::array<uint32_t, 3>> seen;
  EXPECT_THAT(run(launch,
                  [&](TMemEmuThread *t) {
                    const uint32_t *special = t->special;
                    const uint32_t sizes[3] = {2, 3, 1}, grid[3] = {4, 6, 5};
                    std::array<uint32_t, 3> block;
                    for (int i = 0; i < 3; ++i) {
                      uint32_t within = special[TMemEmuClusterCtaidX + i];
                      uint32_t cluster = special[TMemEmuClusteridX + i];
                      EXPECT_EQ(special[TMemEmuClusterNctaidX + i], sizes[i]);
                      EXPECT_EQ(special[TMemEmuNclusteridX + i],
                                grid[i] / sizes[i]);
                      EXPECT_LT(within, sizes[i]);
                      block[i] = cluster * sizes[i] + within;
                      EXPECT_EQ(special[TMemEmuCtaidX + i], block[i]);
                    }
                    EXPECT_EQ(special[TMemEmuClusterCtarank],
                              special[TMemEmuClusterCtaidX] +
                                  2 * special[TMemEmuClusterCtaidY]);
                    EXPECT_EQ(special[TMemEmuClusterNctarank], 6u);
                    EXPECT_EQ(special[TMemEmuIsExplicitCluster], 1u);
                    seen.insert(block);
                  }),
              isClean());
  EXPECT_EQ(seen.size(), 4u * 6 * 5);
}

TEST(EmulationCluster, WithoutOne) {
  EXPECT_THAT(run(Launch::ofThreads(1),
                  [](TMemEmuThread *t) {
                    EXPECT_EQ(t->special[TMemEmuClusterNctarank], 1u);
                    EXPECT_EQ(t->special[TMemEmuIsExplicitCluster], 0u);
                    EXPECT_EQ(getRemote(t, 0, 8), getShared<uint32_t>(t, 8));
                  }),
              isClean());
}

TEST(EmulationCluster, MapShared) {
  expectClean(
      [](TMemEmuThread *t) {
        uint32_t *own = getShared<uint32_t>(t, 12);
        EXPECT_EQ(getRemote(t, getRank(t), 12), own);
        for (uint32_t rank = 0; rank < 4; ++rank) {
          uint64_t there = reinterpret_cast<uintptr_t>(getRemote(t, rank, 12));
          EXPECT_EQ(tmemEmuGetCtaRank(t, AT("getctarank", 20), there), rank);
          EXPECT_EQ(tmemEmuMapShared(t, AT("mapa", 21), there, getRank(t)),
                    reinterpret_cast<uintptr_t>(own));
        }
      },
      Launch::ofCluster(4));
  expectFault([](TMemEmuThread *t) { getRemote(t, 2); },
              "mapa: error: expected a rank below the 2 blocks of the cluster, "
              "but got 2",
              Launch::ofCluster(2));
  expectFault(
      [](TMemEmuThread *t) { tmemEmuMapShared(t, AT("mapa", 20), 64, 1); },
      "expected an address in shared memory of the cluster, but got 0x40",
      Launch::ofCluster(2));
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

/// Each CTA has 3 warps and leaves at a different place.
TEST(EmulationCluster, BarrierMeets) {
  Launch launch = Launch::ofCluster(4);
  launch.block = {96, 1, 1};
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::atomic<uint32_t> arrived{0};
    EXPECT_THAT(run(launch.with(seed),
                    [&](TMemEmuThread *t) {
                      for (uint32_t round = 1; round <= 3; ++round) {
                        ++arrived;
                        syncCluster(t, TMemEmuClusterAligned);
                        EXPECT_GE(arrived, round * 4 * 96);
                      }
                    }),
                isClean());
  }
}

/// PTX ISA, barrier.cluster: threads that have exited are not waited for.
TEST(EmulationCluster, BarrierOfThoseThatLive) {
  expectClean(
      [](TMemEmuThread *t) {
        if (getRank(t) == 1 || getLane(t) == 7)
          return;
        syncCluster(t);
      },
      Launch::ofCluster(3));
}

TEST(EmulationCluster, BarrierDeadlock) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getRank(t) == 0)
          return syncCluster(t);
        uint64_t *barrier = getShared<uint64_t>(t);
        if (getLane(t) == 0)
          tmemEmuMBarrierInit(t, AT("mbarrier.init", 20), barrier, 1);
        sync(t, AT("bar.sync", 21));
        tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 22), barrier, 0,
                            TMemEmuWaitParity | TMemEmuWaitBlock);
      },
      "deadlock: no thread of the cluster can run, with warp 0 of block 0,0,0 "
      "waiting here for the cluster barrier: 32 of 64 threads have arrived",
      Launch::ofCluster(2));
}

TEST(EmulationCluster, BarrierAligned) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getLane(t) < 16)
          return tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 20),
                                       TMemEmuClusterAligned);
        tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 21),
                              TMemEmuClusterAligned);
      },
      "divergent warp", Launch::ofCluster(2));
}

//===----------------------------------------------------------------------===//
// Shared memory of other CTAs
//===----------------------------------------------------------------------===//

/// Writes to the next CTA, meets, and reads what the one before has written.
void exchange(TMemEmuThread *t, bool meetFirst, bool meetBetween, bool meetLast,
              uint32_t flags = 0) {
  uint32_t size = t->special[TMemEmuClusterNctarank], rank = getRank(t);
  uint32_t offset = 4 * getLane(t);
  if (meetFirst)
    syncCluster(t, flags);
  write(t, AT("st.shared::cluster", 20),
        getRemote(t, (rank + 1) % size, offset), 0x80000000 + rank);
  if (meetBetween)
    syncCluster(t);
  uint32_t value = read(t, AT("ld.shared", 21), getShared<uint32_t>(t, offset));
  if (meetBetween) {
    EXPECT_EQ(value, 0x80000000 + (rank + size - 1) % size);
  }
  if (meetLast)
    syncCluster(t);
}

Launch ofExchange(uint32_t size, bool race) {
  Launch launch = Launch::ofCluster(size);
  launch.staticShared = 128;
  launch.race = race;
  return launch;
}

TEST(EmulationCluster, Exchange) {
  for (uint32_t size : {2, 3, 16})
    expectClean([](TMemEmuThread *t) { exchange(t, true, true, false); },
                ofExchange(size, false));
  // A relaxed arrival says that the block has started.
  expectClean(
      [](TMemEmuThread *t) {
        exchange(t, true, true, false, TMemEmuClusterRelaxed);
      },
      ofExchange(2, false));
}

TEST(EmulationCluster, AccessBeforeTheStart) {
  for (uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_THAT(
        run(ofExchange(2, true).with(seed),
            [](TMemEmuThread *t) { exchange(t, false, true, false); }),
        isFault("nothing orders this after the start of that block: execute a "
                "barrier of the cluster before it"));
}

TEST(EmulationCluster, RaceWithTheOwner) {
  for (uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_THAT(run(ofExchange(2, true).with(seed),
                    [](TMemEmuThread *t) { exchange(t, true, false, true); }),
                isFault("execute a barrier of the cluster between them"));
}

/// A relaxed arrival orders no memory, but after a fence.
TEST(EmulationCluster, RelaxedArrival) {
  auto body = [](bool hasFence) {
    return [hasFence](TMemEmuThread *t) {
      syncCluster(t);
      if (getRank(t) == 0) {
        write(t, AT("st", 20), getRemote(t, 1, 4 * getLane(t)), 1);
        if (hasFence)
          tmemEmuFence(t, AT("fence", 21), TMemEmuFenceMemory);
      }
      syncCluster(t, TMemEmuClusterRelaxed);
      if (getRank(t) == 1)
        read(t, AT("ld", 22), getShared<uint32_t>(t, 4 * getLane(t)));
    };
  };
  expectClean(body(true), ofExchange(2, false));
  EXPECT_THAT(run(ofExchange(2, true), body(false)), isFault("race: load"));
}

TEST(EmulationCluster, AccessAfterTheEnd) {
  // Found whichever block ends first.
  auto body = [](uint32_t flags, bool meets) {
    return [flags, meets](TMemEmuThread *t) {
      syncCluster(t);
      if (getRank(t) == 0)
        read(t, AT("ld.shared::cluster", 20), getRemote(t, 1));
      if (meets)
        syncCluster(t, flags);
    };
  };
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Report report = run(ofExchange(2, false).with(seed), body(0, false));
    EXPECT_THAT(report, isFault("kernel.mlir:20:3: ld.shared::cluster: error"));
    EXPECT_THAT(report, ::testing::AnyOf(isFault("which has exited"),
                                         isFault("the block exits, and "
                                                 "nothing orders that after "
                                                 "this access of its shared "
                                                 "memory by warp 0 of block "
                                                 "0,0,0")));
  }
  expectClean(body(0, true), ofExchange(2, false));
  expectClean(body(TMemEmuClusterRelaxed, true), ofExchange(2, false));
}

TEST(EmulationCluster, OutOfBounds) {
  auto body = [](uint32_t offset, uint32_t flags) {
    return [offset, flags](TMemEmuThread *t) {
      syncCluster(t);
      access(t, AT("st", 20), getRemote(t, 1 - getRank(t), offset),
             flags | TMemEmuAccessWrite);
      syncCluster(t);
    };
  };
  expectFault(body(128, TMemEmuAccessCluster),
              "out of bounds: store of 4 bytes at offset 128 of the shared "
              "memory of block ",
              ofExchange(2, false));
  expectFault(
      body(0, TMemEmuAccessShared),
      "through a pointer to .shared::cta, in the shared memory of block ",
      ofExchange(2, false));
  // Generic pointers reach the whole cluster.
  Launch launch = ofExchange(2, false);
  EXPECT_THAT(run(launch, body(0, 0)), isClean());
}

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

uint64_t *getBarrier(TMemEmuThread *t, uint32_t rank) {
  return reinterpret_cast<uint64_t *>(getRemote(t, rank, 48));
}

/// Block 1 writes data into block 0 and arrives there; block 0 waits and reads.
Body handOver(uint32_t flags, bool isInit = true) {
  return [=](TMemEmuThread *t) {
    if (isInit && getLane(t) == 0)
      tmemEmuMBarrierInit(t, AT("mbarrier.init", 20), getBarrier(t, getRank(t)),
                          32);
    syncCluster(t);
    uint32_t *slot = getRemote(t, 0, 56);
    if (getRank(t) == 1) {
      if (getLane(t) == 0)
        write(t, AT("st", 21), slot, 0xfedcba98);
      tmemEmuWarpSync(t, AT("bar.warp.sync", 22), fullMask);
      tmemEmuMBarrierArrive(t, AT("mbarrier.arrive", 23), getBarrier(t, 0), 1,
                            0, flags);
      return;
    }
    tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 24), getBarrier(t, 0), 0,
                        TMemEmuWaitParity | TMemEmuWaitBlock | TMemEmuWaitTry);
    EXPECT_EQ(read(t, AT("ld", 25), slot), 0xfedcba98);
  };
}

TEST(EmulationCluster, RemoteArrive) {
  expectClean(handOver(TMemEmuArriveCluster), Launch::ofCluster(2));
  expectFault(handOver(0),
              "mbarrier.arrive: error: expected an mbarrier in the shared "
              "memory of the block, but got offset 48 of shared memory of "
              "block 0,0,0 through a pointer to .shared::cta",
              Launch::ofCluster(2));
  expectFault(handOver(TMemEmuArriveCluster | TMemEmuArriveState),
              "an arrival in another block returns no state",
              Launch::ofCluster(2));
  Launch racing = Launch::ofCluster(2);
  racing.race = true;
  EXPECT_THAT(
      run(racing, handOver(TMemEmuArriveCluster | TMemEmuArriveRelaxed)),
      isFault("race: load"));
}

TEST(EmulationCluster, RemoteMBarrierThatIsNone) {
  EXPECT_THAT(run(Launch::ofCluster(2), handOver(TMemEmuArriveCluster, false)),
              isFault("expected a valid mbarrier"));
}

TEST(EmulationCluster, OnlyArrivalsReachOtherBlocks) {
  expectFault(
      [](TMemEmuThread *t) {
        syncCluster(t);
        tmemEmuMBarrierInit(t, AT("mbarrier.init", 20),
                            getBarrier(t, 1 - getRank(t)), 1);
      },
      "only arrivals and counts of bytes reach that of another block",
      Launch::ofCluster(2));
}

} // namespace
