//===- DeviceFaultsTest.cpp - Faults that the device library finds --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each fault, and beside it a correct twin that ends without one.
//
//===----------------------------------------------------------------------===//

#include "DeviceTestUtils.h"
#include <chrono>
#include <thread>

using namespace tmem::emulation;
using namespace tmem::emulation::test;

namespace {

class DeviceFaults : public DeviceTest {};

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST_F(DeviceFaults, RecordSaysWhereAndWho) {
  settings.threads = 64;
  DeviceFaultKind kind = runAllocated([](Thread &t) {
    if (t.index >= 32)
      t.store(0);
  });
  EXPECT_EQ(kind, FaultOutsideSlab);
  EXPECT_EQ(getOp(), "tcgen05.st");
  EXPECT_STREQ(gpu.getFault().site.file, "kernel.mlir");
  EXPECT_EQ(gpu.getFault().site.line, 21u);
  EXPECT_EQ(gpu.getFault().site.column, 7u);
  EXPECT_STREQ(gpu.getFault().note.op, "");
  EXPECT_GE(gpu.getFault().thread[0], 32u);
}

TEST_F(DeviceFaults, Slab) {
  settings.threads = 192;
  auto kernel = [](uint32_t lane) {
    return [lane](Thread &t) {
      if (t.index / 32 == 5)
        t.store(lane << 16);
    };
  };
  EXPECT_EQ(runAllocated(kernel(32)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(64)), FaultOutsideSlab);
  EXPECT_EQ(getValue(0), 64u);
  EXPECT_EQ(getValue(1), 5u);
  EXPECT_EQ(getValue(2), 32u);
}

TEST_F(DeviceFaults, StartLane) {
  auto kernel = [](uint32_t lane, uint32_t shape) {
    return [=](Thread &t) { t.store(lane << 16, 2, shape); };
  };
  EXPECT_EQ(runAllocated(kernel(16, TMemEmu16x64b)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(8, TMemEmu16x64b)), FaultStartLane);
  EXPECT_EQ(runAllocated(kernel(16, TMemEmu32x32b)), FaultStartLane);
}

TEST_F(DeviceFaults, SplitOffset) {
  auto kernel = [](int64_t offset, uint32_t flags) {
    return [=](Thread &t) { t.store(0, 2, TMemEmu16x32bx2, flags, offset); };
  };
  EXPECT_EQ(runAllocated(kernel(2, 0)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(16 << 16, 0)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(0, 0)), FaultSplitZero);
  EXPECT_EQ(runAllocated(kernel(1, 0)), FaultSplitOverlap);
  EXPECT_EQ(runAllocated(kernel(8 << 16, 0)), FaultSplitOffset);
  EXPECT_EQ(runAllocated(kernel(-1, 0)), FaultSplitOffset);
  EXPECT_EQ(runAllocated(kernel(4, TMemEmuPack)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(5, TMemEmuPack)), FaultSplitOdd);
}

TEST_F(DeviceFaults, Allocated) {
  auto kernel = [](uint32_t column, uint32_t count) {
    return [=](Thread &t) { t.store(column, count); };
  };
  EXPECT_EQ(runAllocated(kernel(0, 64)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(1, 64)), FaultPastEnd);
  EXPECT_EQ(getNoteLine(), allocSite.line);
  EXPECT_EQ(runAllocated(kernel(64, 1)), FaultNotAllocated);
  EXPECT_EQ(runAllocated(kernel(0xffff, 1)), FaultNotAllocated);
}

TEST_F(DeviceFaults, AfterDealloc) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.dealloc(0, 32);
              t.store(0);
            }),
            FaultNotAllocated);
  EXPECT_EQ(getNoteLine(), deallocSite.line);
}

TEST_F(DeviceFaults, SplitOverTwoAllocations) {
  auto kernel = [](uint32_t columns) {
    return [=](Thread &t) {
      t.alloc(64);
      t.alloc(64, 0, secondAllocSite);
      t.store(0, 2, TMemEmu16x32bx2, 0, columns);
      t.waitStore();
      t.dealloc(0, 64);
      t.dealloc(64, 64);
    };
  };
  EXPECT_EQ(run(kernel(32)), FaultNone);
  EXPECT_EQ(run(kernel(64)), FaultTwoAllocations);
  EXPECT_EQ(getNoteLine(), secondAllocSite.line);
}

TEST_F(DeviceFaults, Count) {
  EXPECT_EQ(runAllocated([](Thread &t) { t.store(0, 3); }), FaultCount);
  EXPECT_EQ(runAllocated([](Thread &t) { t.store(0, 64, TMemEmu16x256b); }),
            FaultCount);
  EXPECT_EQ(runAllocated([](Thread &t) {
              t.load(0, 1, TMemEmu32x32b, TMemEmuReduceMax);
            }),
            FaultReduceForm);
}

//===----------------------------------------------------------------------===//
// Data and waits
//===----------------------------------------------------------------------===//

TEST_F(DeviceFaults, NeverWritten) {
  auto kernel = [](uint32_t columns) {
    return [=](Thread &t) {
      t.store(0, columns);
      t.waitStore();
      t.load(0, 64);
      t.waitLoad();
    };
  };
  EXPECT_EQ(runAllocated(kernel(64)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(32)), FaultNeverWritten);
  EXPECT_EQ(getValue(1), 32u);
}

TEST_F(DeviceFaults, NeverWrittenHalfOfTheLanes) {
  auto kernel = [](uint32_t shape) {
    return [=](Thread &t) {
      t.store(16 << 16, 4, TMemEmu16x64b);
      t.waitStore();
      t.load(shape == TMemEmu32x32b ? 0 : 16 << 16, 4, shape);
      t.waitLoad();
    };
  };
  EXPECT_EQ(runAllocated(kernel(TMemEmu16x64b)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(TMemEmu32x32b)), FaultNeverWritten);
  EXPECT_EQ(getValue(0), 0u);
}

TEST_F(DeviceFaults, AllocationForgetsWhatWasWritten) {
  EXPECT_EQ(run([](Thread &t) {
              t.alloc(32);
              t.store(0);
              t.waitStore();
              t.dealloc(0, 32);
              t.alloc(32);
              t.load(0);
            }),
            FaultNeverWritten);
}

TEST_F(DeviceFaults, UpperHalves) {
  auto kernel = [](uint32_t flags) {
    return [=](Thread &t) {
      t.store(0, 2, TMemEmu32x32b, TMemEmuPack);
      t.waitStore();
      t.load(0, 2, TMemEmu32x32b, flags);
      t.waitLoad();
    };
  };
  EXPECT_EQ(runAllocated(kernel(TMemEmuPack)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(0)), FaultHalfWritten);
}

TEST_F(DeviceFaults, LoadOfPendingStore) {
  auto kernel = [](uint32_t column, bool wait) {
    return [=](Thread &t) {
      t.store(16, 16);
      t.waitStore();
      t.store(0, 16);
      if (wait)
        t.waitStore();
      t.load(column, 16);
      t.waitLoad();
    };
  };
  EXPECT_EQ(runAllocated(kernel(0, true)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(16, false)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(15, false)), FaultLoadOfPendingStore);
  EXPECT_EQ(getLine(), loadSite.line);
  EXPECT_EQ(getNoteLine(), storeSite.line);
}

TEST_F(DeviceFaults, PendingOfOtherLanes) {
  auto kernel = [](uint32_t lane) {
    return [=](Thread &t) {
      t.store(0, 4);
      t.waitStore();
      t.store(0, 4, TMemEmu16x32bx2, 0, 8);
      t.load(lane << 16, 2, TMemEmu16x64b);
      t.waitLoad();
    };
  };
  EXPECT_EQ(runAllocated(kernel(16)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(0)), FaultLoadOfPendingStore);
}

TEST_F(DeviceFaults, ManyPendingStores) {
  // The 40th of 60 is the one.
  EXPECT_EQ(runAllocated([](Thread &t) {
              t.store(0, 64);
              t.waitStore();
              for (uint32_t i = 0; i < 60; ++i)
                t.store(i, 1, TMemEmu32x32b, 0, 0,
                        i == 40 ? otherSite : storeSite);
              t.load(40);
            }),
            FaultLoadOfPendingStore);
  EXPECT_EQ(getNoteLine(), otherSite.line);
}

TEST_F(DeviceFaults, StoreOverPending) {
  auto kernel = [](bool wait, bool loadFirst) {
    return [=](Thread &t) {
      t.store(0, 4);
      if (loadFirst) {
        t.waitStore();
        t.load(0, 4);
        if (wait)
          t.waitLoad();
      } else if (wait) {
        t.waitStore();
      }
      t.store(0, 4);
      t.waitStore();
    };
  };
  EXPECT_EQ(runAllocated(kernel(true, true)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(true, false)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(false, true)), FaultStoreOverPendingLoad);
  EXPECT_EQ(runAllocated(kernel(false, false)), FaultStoreOverPendingStore);
}

TEST_F(DeviceFaults, ReadBeforeWait) {
  auto kernel = [](bool wait) {
    return [=](Thread &t) {
      t.store(0, 4);
      t.waitStore();
      t.load(0, 2);
      t.waitLoad();
      uint64_t load = t.load(0, 4);
      EXPECT_EQ(load, 2u);
      if (wait)
        t.waitLoad();
      if (load > t.thread->completedLoads)
        tmemEmuPendingRead(t.thread, &useSite, load);
    };
  };
  EXPECT_EQ(runAllocated(kernel(true)), FaultNone);
  EXPECT_EQ(runAllocated(kernel(false)), FaultReadBeforeWait);
  EXPECT_EQ(getLine(), useSite.line);
  EXPECT_EQ(getNoteLine(), loadSite.line);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

TEST_F(DeviceFaults, LateLanesAreWaitedFor) {
  EXPECT_EQ(runAllocated([](Thread &t) {
              if (t.index < 16)
                std::this_thread::sleep_for(std::chrono::milliseconds(60));
              t.store(0);
            }),
            FaultNone);
}

TEST_F(DeviceFaults, MissingLanes) {
  auto kernel = [](bool othersWait) {
    return [=](Thread &t) {
      t.alloc(32);
      if (t.index < 16)
        t.store(0);
      else if (othersWait)
        syncThreads();
    };
  };
  EXPECT_EQ(run(kernel(false)), FaultMissingLanes);
  EXPECT_EQ(getValue(0), 0u);
  EXPECT_EQ(getValue(1), 0xffffu);
  EXPECT_EQ(getValue(2), 0xffff0000u);
  EXPECT_EQ(run(kernel(true)), FaultMissingLanes);
  EXPECT_EQ(getValue(1), 0xffffu);
  EXPECT_EQ(getValue(2), 0u);
}

TEST_F(DeviceFaults, MissingWarpLanes) {
  settings.threads = 40;
  DeviceFaultKind kind = runAllocated([](Thread &t) {
    if (t.index >= 32)
      t.store(32 << 16);
  });
  EXPECT_EQ(kind, FaultMissingLanes);
  EXPECT_EQ(getValue(0), 1u);
  EXPECT_EQ(getValue(1), 0xffu);
  EXPECT_EQ(getValue(2), 0xffffff00u);
}

TEST_F(DeviceFaults, DivergentWarp) {
  DeviceFaultKind kind = runAllocated([](Thread &t) {
    if (t.index < 16)
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
    t.store(0, 1, TMemEmu32x32b, 0, 0, t.index < 16 ? otherSite : storeSite);
  });
  EXPECT_EQ(kind, FaultDivergentWarp);
  EXPECT_EQ(getLine(), otherSite.line);
  EXPECT_EQ(getNoteLine(), storeSite.line);
  EXPECT_EQ(getValue(0), 1u);
  EXPECT_EQ(getValue(1), 0xffff0000u);
}

TEST_F(DeviceFaults, DivergentWarpInOneFunction) {
  // At one time, as a GPU may run them.
  DeviceFaultKind kind = runAllocated([](Thread &t) {
    t.store(0, 1, TMemEmu32x32b, 0, 0, t.index < 30 ? storeSite : otherSite);
  });
  EXPECT_EQ(kind, FaultDivergentWarp);
  EXPECT_EQ(getLine(), otherSite.line);
  EXPECT_EQ(getNoteLine(), storeSite.line);
  EXPECT_EQ(getValue(0), 0xc0000000u);
  EXPECT_EQ(getValue(1), 0x3fffffffu);
}

TEST_F(DeviceFaults, LanesDisagree) {
  DeviceFaultKind kind =
      runAllocated([](Thread &t) { t.store(t.index == 5 ? 1 : 0); });
  EXPECT_EQ(kind, FaultLanesDisagree);
  EXPECT_EQ(getValue(0), 5u);
  EXPECT_EQ(getValue(1), 1u);
  EXPECT_EQ(getValue(2), 0u);
}

TEST_F(DeviceFaults, CellAddress) {
  EXPECT_EQ(run([](Thread &t) {
              tmemEmuWriteCell(t.thread, &useSite, 127 << 16 | 511, 1);
            }),
            FaultNone);
  EXPECT_EQ(
      run([](Thread &t) { tmemEmuReadCell(t.thread, &useSite, 128 << 16); }),
      FaultCellAddress);
  EXPECT_EQ(run([](Thread &t) { tmemEmuReadCell(t.thread, &useSite, 512); }),
            FaultCellAddress);
}

} // namespace
