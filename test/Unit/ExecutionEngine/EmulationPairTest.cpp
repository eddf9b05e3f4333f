//===- EmulationPairTest.cpp - tcgen05.alloc of a pair of CTAs ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

Launch ofPairs(uint32_t size = 2) {
  Launch launch = Launch::ofCluster(size);
  launch.block = {128, 1, 1};
  return launch;
}

void alloc(TMemEmuThread *t, uint32_t columns, uint32_t flags = 0) {
  if (getWarp(t) == 0)
    tmemEmuAlloc(t, AT("tcgen05.alloc", 10), getShared<uint32_t>(t), columns,
                 flags | TMemEmuCtaGroup2);
  fencedSync(t, AT("bar.sync", 11));
}

uint32_t getAddress(TMemEmuThread *t) {
  tmemEmuSharedAccess(t, AT("ld.shared", 12), t->sharedBegin, 4,
                      TMemEmuAccessShared);
  return *getShared<uint32_t>(t);
}

void dealloc(TMemEmuThread *t, uint32_t address, uint32_t columns) {
  if (getWarp(t) == 0)
    tmemEmuDealloc(t, AT("tcgen05.dealloc", 99), address, columns,
                   TMemEmuCtaGroup2);
}

TEST(EmulationPair, AllocatesInBoth) {
  for (uint32_t size : {2, 4, 6})
    expectClean(
        [](TMemEmuThread *t) {
          alloc(t, 64);
          uint32_t address = getAddress(t);
          fill(t, address, 32, getRank(t));
          uint32_t words[32];
          load(t, AT("tcgen05.ld", 20), address, 32, words);
          tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
          for (uint32_t word : words)
            EXPECT_EQ(word, getRank(t));
          fencedSync(t, AT("bar.sync", 22));
          syncCluster(t);
          dealloc(t, address, 64);
        },
        ofPairs(size));
}

TEST(EmulationPair, SameAddress) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    uint32_t addresses[2] = {};
    EXPECT_THAT(run(ofPairs().with(seed),
                    [&](TMemEmuThread *t) {
                      alloc(t, 32);
                      addresses[getRank(t)] = getAddress(t);
                      sync(t, AT("bar.sync", 20));
                      syncCluster(t);
                      dealloc(t, addresses[getRank(t)], 32);
                    }),
                isClean());
    EXPECT_EQ(addresses[0], addresses[1]);
  }
}

TEST(EmulationPair, H20_FreedWithNoBarrierOfTheCluster) {
  expectFault(
      [](TMemEmuThread *t) {
        alloc(t, 64);
        dealloc(t, getAddress(t), 64);
      },
      "dealloc is not ordered after the alloc of the peer", ofPairs());
}

TEST(EmulationPair, Disagreement) {
  auto body = [](uint32_t columns, uint32_t flags) {
    return [=](TMemEmuThread *t) {
      if (getRank(t) == 0)
        alloc(t, 64);
      else
        alloc(t, columns, flags);
    };
  };
  expectFault(body(128, 0),
              "expected the same number of columns in both blocks of the pair",
              ofPairs());
  expectFault(body(64, TMemEmuExclusive),
              "expected .exclusive in both blocks of the pair or in none",
              ofPairs());
  expectFault(
      [](TMemEmuThread *t) {
        alloc(t, 64);
        uint32_t first = getAddress(t);
        sync(t, AT("bar.sync", 20));
        alloc(t, 64);
        uint32_t second = getAddress(t);
        syncCluster(t);
        dealloc(t, getRank(t) == 0 ? first : second, 64);
      },
      "expected the same address in both blocks of the pair", ofPairs());
}

TEST(EmulationPair, PeerHasExited) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getRank(t) == 1)
          alloc(t, 64);
      },
      "tcgen05.alloc with .cta_group::2 waits for the peer, block 0,0,0, which "
      "has exited",
      ofPairs());
}

TEST(EmulationPair, PeerNeverComes) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getRank(t) == 1)
          alloc(t, 64);
        syncCluster(t);
      },
      "waiting here for tcgen05.alloc of the peer, block 0,0,0", ofPairs());
}

TEST(EmulationPair, NoColumns) {
  expectFault(
      [](TMemEmuThread *t) {
        alloc(t, 512);
        alloc(t, 512);
      },
      "waiting here for 512 columns: 512 are allocated", ofPairs());
}

TEST(EmulationPair, NoPeer) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getRank(t) == 2)
          alloc(t, 64);
      },
      "expected a peer in the cluster for .cta_group::2, but block 2 of a "
      "cluster of 3 has none",
      ofPairs(3));
}

TEST(EmulationPair, OneGroupInTheWholeCluster) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getWarp(t) == 0)
          tmemEmuRelinquish(t, AT("tcgen05.relinquish", 20),
                            getRank(t) == 0 ? 0 : TMemEmuCtaGroup2);
      },
      "as everywhere else in the kernel", ofPairs());
}

/// The dealloc of block 0 waits for that of block 1, which comes once another
/// warp of block 0 has accessed the columns.
TEST(EmulationPair, AccessWhileFreeing) {
  expectFault(
      [](TMemEmuThread *t) {
        alloc(t, 64);
        uint32_t address = getAddress(t);
        sync(t, AT("bar.sync", 20));
        syncCluster(t);
        bool isLast = getRank(t) == 0 && getWarp(t) == 1;
        if (getRank(t) == 0)
          dealloc(t, address, 64);
        for (int i = 0; i < 1000 && isLast; ++i)
          tmemEmuYield(t, AT("bra", 21));
        if (isLast)
          fill(t, address, 1, 7);
        if (getRank(t) == 1 || getWarp(t) != 0)
          syncCluster(t);
        if (getRank(t) == 1)
          dealloc(t, address, 64);
      },
      "is being deallocated", ofPairs());
}

TEST(EmulationPair, NeverFreed) {
  expectFault([](TMemEmuThread *t) { alloc(t, 64); }, "64 columns at column ",
              ofPairs());
}

} // namespace
