//===- CudaFaultsTest.cpp - The texts of what emulated kernels do ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/ExecutionEngine/Cuda/Errors.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include "tmem/ExecutionEngine/Images.h"
#include "gtest/gtest.h"
#include <vector>

using namespace tmem::cuda;
using namespace tmem::emulation;

namespace {

using Values = std::vector<uint32_t>;

/// The text between "error: " and the place.
std::string getText(DeviceFaultKind kind, const Values &values) {
  DeviceFault fault = {};
  fault.kind = kind;
  std::copy(values.begin(), values.end(), fault.values);
  std::string text = describeFault(fault, "k");
  size_t begin = text.find("error: ") + 7;
  return text.substr(begin, text.find(" [kernel k") - begin);
}

TEST(CudaFaults, MissingLanes) {
  // The warp, who arrived, who exited, threads of the block.
  EXPECT_EQ(getText(FaultMissingLanes, {1, 0x0000ffff, 0, 128}),
            "missing lanes: lanes 0 to 15 of warp 1 wait for lanes 16 to 31");
  EXPECT_EQ(getText(FaultMissingLanes, {0, 1, 0, 32}),
            "missing lanes: lane 0 of warp 0 waits for lanes 1 to 31");
  EXPECT_EQ(getText(FaultMissingLanes, {2, 0x7ffffff5, 0x8000000a, 96}),
            "missing lanes: expected all 32 lanes of warp 2, but lanes 1, 3 "
            "and 31 have exited");
  EXPECT_EQ(getText(FaultMissingLanes, {2, 0x7fffffff, 0x80000000, 96}),
            "missing lanes: expected all 32 lanes of warp 2, but lane 31 has "
            "exited");
  EXPECT_EQ(getText(FaultMissingLanes, {1, 0xff, 0xffffff00, 40}),
            "missing lanes: expected all 32 lanes of warp 1, but the warp has "
            "only lanes 0 to 7: launch a multiple of 32 threads");
}

TEST(CudaFaults, DivergentWarp) {
  EXPECT_EQ(getText(FaultDivergentWarp, {0x4, 0xc0000003, 3}),
            "divergent warp: lane 2 of warp 3 executes this while lanes 0, 1, "
            "30 and 31 of the warp wait at another .aligned operation: "
            "expected all 32 lanes to execute the same one");
}

TEST(CudaFaults, Places) {
  EXPECT_EQ(getText(FaultOutsideSlab, {0, 5, 32}),
            "lane 0 is outside the slab of warp 5 (lanes 32 to 63): add "
            "32 * (warp % 4) to the lane of the address");
  EXPECT_EQ(getText(FaultStartLane, {16, 0, TMemEmu32x32b, 4}),
            "expected 32x32b to start at lane 0, the first of the slab of warp "
            "4, but got lane 16");
  EXPECT_EQ(getText(FaultStartLane, {40, 32, TMemEmu16x64b, 1}),
            "expected 16x64b to start at lane 32 or 48 in the slab of warp 1, "
            "but got lane 40");
  EXPECT_EQ(getText(FaultPastEnd, {28, 8, 0, 32}),
            "columns 28 to 35 go past the end of the allocation of columns 0 "
            "to 31");
  EXPECT_EQ(getText(FaultCellAddress, {0x00800002, 512}),
            "expected lane 0 to 127 and column 0 to 511, but got 0x00800002 "
            "(lane 128, column 2)");
  EXPECT_EQ(getText(FaultSplitOffset, {0xffffffff, 0xffffffff}),
            "expected an immediate of 0 or 16 lanes and 0 to 511 columns for "
            "16x32bx2, but got 0xffffffffffffffff");
}

TEST(CudaFaults, Waits) {
  EXPECT_EQ(getText(FaultLoadOfPendingStore, {2}),
            "load of cells that a store of this warp still accesses: execute "
            "tcgen05.wait::st between them");
  EXPECT_EQ(getText(FaultStoreOverPendingLoad, {2}),
            "store of cells that a load of this warp still accesses: execute "
            "tcgen05.wait::ld between them");
  EXPECT_EQ(getText(FaultDeallocPending, {2, 1}),
            "dealloc of columns that a store of warp 2 still accesses: execute "
            "tcgen05.wait::st before it");
}

} // namespace
