//===- EmulationAllocationTest.cpp - tcgen05.alloc and dealloc, emulated --===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <set>

using namespace tmem::emulation::test;

namespace {

uint32_t *slot(TMemEmuThread *t, uint32_t index = 0) {
  return getShared<uint32_t>(t) + index;
}

/// A kernel of one warp that allocates each of `sizes` in turn, and then frees
/// them, last first.
Body allocate(std::vector<uint32_t> sizes) {
  return [sizes](TMemEmuThread *t) {
    for (size_t i = 0; i < sizes.size(); ++i)
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t, i), sizes[i], 0);
    for (size_t i = sizes.size(); i-- > 0;)
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 30), *slot(t, i), sizes[i], 0);
  };
}

Launch oneWarp() { return Launch::ofThreads(32); }

TEST(EmulationAlloc, Columns) {
  for (uint32_t columns : {32u, 64u, 128u, 256u, 512u})
    expectClean(allocate({columns}), oneWarp());
  for (uint32_t columns : {0u, 1u, 16u, 33u, 96u, 160u, 576u, 1024u})
    expectFault(allocate({columns}),
                "expected a power of two from 32 to 512 columns, but got " +
                    std::to_string(columns),
                oneWarp());
  // Chips have columns of their own.
  Launch launch = oneWarp();
  launch.columns = launch.exclusiveColumns = 256;
  expectFault(allocate({512}), "from 32 to 256 columns, but got 512", launch);
  expectClean(allocate({256}), launch);
}

TEST(EmulationAlloc, FillsTheMemory) {
  expectClean(allocate({256, 128, 64, 32, 32}), oneWarp());
  expectClean(allocate(std::vector<uint32_t>(16, 32)), oneWarp());
}

TEST(EmulationAlloc, AddressesAreDisjointAndVaryWithTheSeed) {
  std::set<uint32_t> first;
  for (uint64_t seed = 0; seed < 16; ++seed) {
    std::set<uint32_t> blocks;
    EXPECT_THAT(run(oneWarp().with(seed),
                    [&](TMemEmuThread *t) {
                      for (uint32_t i = 0; i < 4; ++i)
                        tmemEmuAlloc(t, AT("alloc", 20), slot(t, i), 128, 0);
                      if (getLane(t) == 0) {
                        first.insert(*slot(t));
                        for (uint32_t i = 0; i < 4; ++i)
                          blocks.insert(*slot(t, i) / 128);
                      }
                      for (uint32_t i = 0; i < 4; ++i)
                        tmemEmuDealloc(t, AT("dealloc", 30), *slot(t, i), 128,
                                       0);
                    }),
                isClean());
    EXPECT_EQ(blocks, (std::set<uint32_t>{0, 1, 2, 3})) << "seed " << seed;
  }
  EXPECT_GT(first.size(), 1u);
}

TEST(EmulationAlloc, NeverMoreThanBefore) {
  expectFault(allocate({32, 64}),
              "expected at most 32 columns, as many as the alloc before, but "
              "got 64",
              oneWarp());
  expectFault(
      [](TMemEmuThread *t) {
        // Freed or not.
        for (uint32_t columns : {32, 64}) {
          tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), columns, 0);
          tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *slot(t), columns, 0);
        }
      },
      "tcgen05.alloc: note: the alloc before", oneWarp());
  expectClean(allocate({64, 64, 32}), oneWarp());
}

TEST(EmulationAlloc, AfterRelinquish) {
  auto kernel = [](bool early) {
    return [early](TMemEmuThread *t) {
      if (early)
        tmemEmuRelinquish(t, AT("tcgen05.relinquish", 19), 0);
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 32, 0);
      if (!early)
        tmemEmuRelinquish(t, AT("tcgen05.relinquish", 21), 0);
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 22), *slot(t), 32, 0);
    };
  };
  expectFault(kernel(true), "alloc after the block has given up its permit",
              oneWarp());
  expectFault(kernel(true),
              "kernel.mlir:19:3: tcgen05.relinquish: note: given up here",
              oneWarp());
  expectClean(kernel(false), oneWarp());
}

TEST(EmulationAlloc, RelinquishOfAnotherWarp) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getWarp(t) == 1)
          tmemEmuRelinquish(t, AT("tcgen05.relinquish", 19), 0);
        sync(t, AT("bar.sync", 20));
        if (getWarp(t) == 0)
          tmemEmuAlloc(t, AT("tcgen05.alloc", 21), slot(t), 32, 0);
      },
      "given up its permit");
}

TEST(EmulationAlloc, Leaks) {
  Body leak = [](TMemEmuThread *t) {
    tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, 0);
  };
  EXPECT_THAT(run(oneWarp(), leak),
              isFault("kernel.mlir:20:3: tcgen05.alloc: error: 64 columns at "
                      "column 0 were never deallocated"));
  EXPECT_THAT(run(oneWarp(), leak), isFault("[kernel body, block 0,0,0]\n"));
  expectFault(leak, "were never deallocated", oneWarp());
}

TEST(EmulationAlloc, Slot) {
  auto kernel = [](int64_t offset) {
    return [offset](TMemEmuThread *t) {
      uint32_t *place = reinterpret_cast<uint32_t *>(t->sharedBegin + offset);
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), place, 32, 0);
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *place, 32, 0);
    };
  };
  expectFault(kernel(64), "as destination, but got offset 64", oneWarp());
  expectFault(kernel(62), "as destination, but got offset 62", oneWarp());
  expectFault(kernel(2), "as destination, but got offset 2", oneWarp());
  expectFault(kernel(-4), "as destination, but got offset -4", oneWarp());
  expectClean(kernel(60), oneWarp());
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t, getLane(t) == 3), 32,
                     0);
      },
      "expected the same destination in all lanes", oneWarp());
}

TEST(EmulationAlloc, SameColumnsInAllLanes) {
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t),
                     getLane(t) == 7 ? 64 : 32, 0);
      },
      "expected the same number of columns in all lanes", oneWarp());
}

TEST(EmulationAlloc, WaitsForColumns) {
  // Warp 1 gets the columns that warp 0 frees.
  expectClean(
      [](TMemEmuThread *t) {
        uint32_t *place = slot(t, getWarp(t));
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), place, 512, 0);
        fill(t, *place, 128, getWarp(t));
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *place, 512, 0);
      },
      Launch::ofThreads(128));
}

TEST(EmulationAlloc, WaitsForEver) {
  Body kernel = [](TMemEmuThread *t) {
    tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 256, 0);
    tmemEmuAlloc(t, AT("tcgen05.alloc", 21), slot(t, 1), 256, 0);
    tmemEmuAlloc(t, AT("tcgen05.alloc", 22), slot(t, 2), 128, 0);
  };
  EXPECT_THAT(run(oneWarp(), kernel),
              isFault("kernel.mlir:22:3: tcgen05.alloc: error: deadlock: no "
                      "thread of the block can run, with warp 0 waiting here "
                      "for 128 columns: 512 are allocated"));
  expectFault(kernel, "deadlock", oneWarp());
}

//===----------------------------------------------------------------------===//
// Exclusive
//===----------------------------------------------------------------------===//

Body allocateExclusive(uint32_t columns, uint32_t freed, uint32_t flags) {
  return [=](TMemEmuThread *t) {
    tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), columns,
                 TMemEmuExclusive);
    tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *slot(t), freed, flags);
  };
}

TEST(EmulationAlloc, Exclusive) {
  Launch launch = oneWarp();
  launch.exclusiveColumns = 576;
  for (uint32_t columns : {32u, 96u, 160u, 512u, 544u, 576u})
    expectClean(allocateExclusive(columns, columns, TMemEmuExclusive), launch);
  for (uint32_t columns : {0u, 16u, 33u, 608u})
    expectFault(allocateExclusive(columns, columns, TMemEmuExclusive),
                "expected a multiple of 32 from 32 to 576 columns, but got " +
                    std::to_string(columns),
                launch);
  expectFault(allocateExclusive(64, 64, 0),
              "expected dealloc with .exclusive, as allocated", launch);
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, 0);
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *slot(t), 64,
                       TMemEmuExclusive);
      },
      "expected dealloc without .exclusive, as allocated", launch);
  // The columns past those of plain allocations can be used.
  expectClean(
      [](TMemEmuThread *t) {
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 576,
                     TMemEmuExclusive);
        fill(t, *slot(t) + 512, 64, 1);
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *slot(t), 576,
                       TMemEmuExclusive);
      },
      launch);
}

TEST(EmulationAlloc, ExclusiveWaitsAlone) {
  // It waits for the plain one, though there are columns enough.
  Body both = [](TMemEmuThread *t) {
    uint32_t flags = getWarp(t) == 0 ? 0 : TMemEmuExclusive;
    uint32_t *place = slot(t, getWarp(t));
    tmemEmuAlloc(t, AT("tcgen05.alloc", 20), place, 64, flags);
    fill(t, *place, 64, 1);
    tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *place, 64, flags);
  };
  expectClean(both, Launch::ofThreads(64));
  for (uint32_t first : {uint32_t(TMemEmuExclusive), 0u})
    expectFault(
        [first](TMemEmuThread *t) {
          tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, first);
          tmemEmuAlloc(t, AT("tcgen05.alloc", 21), slot(t), 64,
                       TMemEmuExclusive - first);
        },
        "deadlock", oneWarp());
}

//===----------------------------------------------------------------------===//
// dealloc
//===----------------------------------------------------------------------===//

Body deallocate(uint32_t difference, uint32_t columns, uint32_t times = 1) {
  return [=](TMemEmuThread *t) {
    tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, 0);
    for (uint32_t i = 0; i < times; ++i)
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), *slot(t) + difference,
                     columns, 0);
  };
}

TEST(EmulationDealloc, NamesAnAllocation) {
  expectClean(deallocate(0, 64), oneWarp());
  expectFault(deallocate(0, 32),
              "expected 64 columns, as allocated, but got 32", oneWarp());
  expectFault(deallocate(0, 33), "expected a power of two from 32 to 512",
              oneWarp());
  expectFault(deallocate(32, 64),
              "expected the address that tcgen05.alloc "
              "returned, ",
              oneWarp());
  expectFault(deallocate(1 << 16, 64), "inside that allocation", oneWarp());
  expectFault(deallocate(600, 64),
              "expected an address that tcgen05.alloc returned, but got ",
              oneWarp());
  EXPECT_THAT(run(oneWarp(), deallocate(128, 64)),
              isFault("but got 0x00000080 (lane 0, column 128)"));
}

TEST(EmulationDealloc, Twice) {
  expectFault(deallocate(0, 64, 2), "are deallocated already", oneWarp());
  expectFault(deallocate(0, 64, 2),
              "kernel.mlir:21:3: tcgen05.dealloc: note: deallocated here",
              oneWarp());
}

TEST(EmulationDealloc, AccessAfterIt) {
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, 0);
        uint32_t address = *slot(t);
        tmemEmuDealloc(t, AT("tcgen05.dealloc", 21), address, 64, 0);
        fill(t, address, 1, 0);
      },
      "tcgen05.dealloc: note: deallocated here", oneWarp());
}

//===----------------------------------------------------------------------===//
// cta_group
//===----------------------------------------------------------------------===//

TEST(EmulationAlloc, CtaGroup) {
  EXPECT_THAT(
      run(oneWarp(),
          [](TMemEmuThread *t) {
            tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64,
                         TMemEmuCtaGroup2);
          }),
      isFault("tcgen05.alloc: error: expected a peer in the cluster for "
              ".cta_group::2, but block 0 of a cluster of 1 has none"));
  auto mixed = [](uint32_t which) {
    return [which](TMemEmuThread *t) {
      uint32_t flags[3] = {};
      flags[which] = TMemEmuCtaGroup2;
      tmemEmuAlloc(t, AT("tcgen05.alloc", 20), slot(t), 64, flags[0]);
      tmemEmuRelinquish(t, AT("tcgen05.relinquish", 21), flags[1]);
      tmemEmuDealloc(t, AT("tcgen05.dealloc", 22), *slot(t), 64, flags[2]);
    };
  };
  expectFault(mixed(1),
              "expected .cta_group::1, as everywhere else in the "
              "kernel, but got .cta_group::2",
              oneWarp());
  expectFault(mixed(2), "tcgen05.relinquish: note: .cta_group::1 here",
              oneWarp());
}

} // namespace
