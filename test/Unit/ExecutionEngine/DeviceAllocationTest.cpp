//===- DeviceAllocationTest.cpp - Allocation in the device library --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTestUtils.h"

using namespace tmem::emulation;
using namespace tmem::emulation::test;

namespace {

class DeviceAllocationTest : public DeviceTest {};

TEST_F(DeviceAllocationTest, AllocColumns) {
  auto kernel = [](uint32_t columns, uint32_t flags) {
    return [=](Thread &t) {
      t.alloc(columns, flags);
      t.dealloc(0, columns, flags);
    };
  };
  EXPECT_EQ(run(kernel(512, 0)), FaultNone);
  EXPECT_EQ(run(kernel(16, 0)), FaultPlainColumns);
  EXPECT_EQ(run(kernel(96, 0)), FaultPlainColumns);
  EXPECT_EQ(run(kernel(1024, 0)), FaultPlainColumns);
  EXPECT_EQ(run(kernel(96, TMemEmuExclusive)), FaultNone);
  EXPECT_EQ(run(kernel(100, TMemEmuExclusive)), FaultExclusiveColumns);
  settings.exclusiveColumns = 576;
  EXPECT_EQ(run(kernel(576, TMemEmuExclusive)), FaultNone);
  EXPECT_EQ(run(kernel(608, TMemEmuExclusive)), FaultExclusiveColumns);
  settings.exclusiveColumns = 608;
  EXPECT_EQ(run(kernel(32, 0)), FaultChipColumns);
}

TEST_F(DeviceAllocationTest, AllocGetsTheFirstGap) {
  uint32_t places[4] = {};
  EXPECT_EQ(run([&](Thread &t) {
              t.alloc(128, 0, allocSite, &places[0]);
              t.alloc(128, 0, allocSite, &places[1]);
              t.dealloc(0, 128);
              t.alloc(64, 0, allocSite, &places[2]);
              t.alloc(32, 0, allocSite, &places[3]);
              t.dealloc(128, 128);
              t.dealloc(0, 64);
              t.dealloc(64, 32);
            }),
            FaultNone);
  EXPECT_EQ(places[0], 0u);
  EXPECT_EQ(places[1], 128u);
  EXPECT_EQ(places[2], 0u);
  EXPECT_EQ(places[3], 64u);
}

TEST_F(DeviceAllocationTest, AllocBlocksUntilFreed) {
  settings.threads = 64;
  uint32_t place = 1;
  EXPECT_EQ(run([&](Thread &t) {
              if (t.index < 32)
                t.alloc(512);
              syncThreads();
              if (t.index >= 32) {
                t.alloc(512, 0, secondAllocSite, &place);
                t.dealloc(0, 512);
              } else {
                t.dealloc(0, 512);
              }
            }),
            FaultNone);
  EXPECT_EQ(place, 0u);
}

TEST_F(DeviceAllocationTest, AllocDeadlock) {
  auto kernel = [](uint32_t flags) {
    return [=](Thread &t) {
      t.alloc(256);
      t.alloc(256, flags, secondAllocSite);
      t.dealloc(0, 256);
      t.dealloc(256, 256, flags);
    };
  };
  EXPECT_EQ(run(kernel(0)), FaultNone);
  EXPECT_EQ(run(kernel(TMemEmuExclusive)), FaultAllocDeadlock);
  EXPECT_EQ(getLine(), secondAllocSite.line);
}

TEST_F(DeviceAllocationTest, AllocLargerThanBefore) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.dealloc(0, 32);
              t.alloc(64, 0, secondAllocSite);
            }),
            FaultLargerAlloc);
  EXPECT_EQ(getLine(), secondAllocSite.line);
  EXPECT_EQ(getNoteLine(), allocSite.line);
}

TEST_F(DeviceAllocationTest, AllocAfterRelinquish) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.relinquish();
              t.dealloc(0, 32);
            }),
            FaultNone);
  EXPECT_EQ(run([](Thread &t) {
              t.relinquish();
              t.alloc(32);
            }),
            FaultAllocAfterRelinquish);
  EXPECT_EQ(getNoteLine(), relinquishSite.line);
}

TEST_F(DeviceAllocationTest, Groups) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.dealloc(0, 32, TMemEmuCtaGroup2);
            }),
            FaultMixedGroups);
  EXPECT_EQ(getNoteLine(), allocSite.line);
  EXPECT_EQ(run([](Thread &t) { t.alloc(32, TMemEmuCtaGroup2); }),
            FaultGroupOfTwo);
}

TEST_F(DeviceAllocationTest, Dealloc) {
  auto kernel = [](uint32_t address, uint32_t columns, uint32_t flags) {
    return [=](Thread &t) {
      t.alloc(64);
      t.dealloc(address, columns, flags);
    };
  };
  EXPECT_EQ(run(kernel(0, 64, 0)), FaultNone);
  EXPECT_EQ(run(kernel(32, 32, 0)), FaultDeallocInside);
  EXPECT_EQ(getNoteLine(), allocSite.line);
  EXPECT_EQ(run(kernel(1, 64, 0)), FaultDeallocAddress);
  EXPECT_EQ(run(kernel(32 << 16, 64, 0)), FaultDeallocAddress);
  EXPECT_EQ(run(kernel(128, 64, 0)), FaultDeallocAddress);
  EXPECT_EQ(run(kernel(0, 32, 0)), FaultDeallocColumns);
  EXPECT_EQ(run(kernel(0, 64, TMemEmuExclusive)), FaultDeallocExclusive);
}

TEST_F(DeviceAllocationTest, DoubleFree) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.dealloc(0, 32);
              t.dealloc(0, 32, 0, secondDeallocSite);
            }),
            FaultDoubleFree);
  EXPECT_EQ(getLine(), secondDeallocSite.line);
  EXPECT_EQ(getNoteLine(), deallocSite.line);
}

TEST_F(DeviceAllocationTest, DeallocOfPending) {
  auto kernel = [](bool wait) {
    return [=](Thread &t) {
      t.alloc(32);
      t.store(0);
      if (wait)
        t.waitStore();
      t.dealloc(0, 32);
    };
  };
  EXPECT_EQ(run(kernel(true)), FaultNone);
  EXPECT_EQ(run(kernel(false)), FaultDeallocPending);
  EXPECT_EQ(getLine(), deallocSite.line);
  EXPECT_EQ(getNoteLine(), storeSite.line);
}

TEST_F(DeviceAllocationTest, Leak) {
  EXPECT_EQ(run([](Thread &t) { t.alloc(32); }), FaultLeak);
  EXPECT_EQ(getLine(), allocSite.line);
}

} // namespace
