//===- Faults.cpp - The texts of what emulated kernels do wrong -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device library sends a kind and up to four numbers: texts would cost
// every kernel code. The form is that of the emulation on the host.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include <vector>

using namespace tmem::cuda;
using namespace tmem::emulation;

namespace {
/// An error, and what the second place is.
struct Text {
  std::string error, note;
};
} // namespace

static bool isOne(uint32_t mask) { return (mask & (mask - 1)) == 0; }

/// "lane 3", "lanes 0 to 15 and 17", "lanes 1, 2 and 4".
static std::string describeLanes(uint32_t mask) {
  std::vector<std::string> parts;
  for (unsigned first = 0, last; first < 32; first = last + 1) {
    last = first;
    if (!(mask >> first & 1))
      continue;
    while (last < 31 && (mask >> (last + 1) & 1))
      ++last;
    parts.push_back(std::to_string(first));
    if (last == first + 1)
      parts.push_back(std::to_string(last));
    else if (last != first)
      parts.back() += " to " + std::to_string(last);
  }
  std::string text = isOne(mask) ? "lane " : "lanes ";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

static std::string describeAddress(uint32_t address) {
  return format("0x%08x (lane %u, column %u)", address, address >> 16,
                address & 0xffff);
}

static const char *getShapeName(uint32_t shape) {
  static const char *const names[] = {"32x32b", "16x64b", "16x128b", "16x256b",
                                      "16x32bx2"};
  return shape < 5 ? names[shape] : "unknown shape";
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

static Text describeMissing(const uint32_t *v) {
  uint32_t arrived = v[1], exited = ~arrived & v[2], exist = v[3] - 32 * v[0];
  std::string expected =
      format("missing lanes: expected all 32 lanes of warp %u, but ", v[0]);
  if (exist < 32)
    return {expected +
                format("the warp has only %s: launch a multiple of 32 threads",
                       describeLanes((uint32_t(1) << exist) - 1).c_str()),
            ""};
  if (exited)
    return {expected + describeLanes(exited) +
                (isOne(exited) ? " has exited" : " have exited"),
            ""};
  return {format("missing lanes: %s of warp %u wait%s for %s",
                 describeLanes(arrived).c_str(), v[0],
                 isOne(arrived) ? "s" : "", describeLanes(~arrived).c_str()),
          ""};
}

static Text describeWarpFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultMissingLanes:
    return describeMissing(v);
  case FaultDivergentWarp:
    return {format("divergent warp: %s of warp %u execute%s this while %s of "
                   "the warp wait%s at another .aligned operation: expected "
                   "all 32 lanes to execute the same one",
                   describeLanes(v[0]).c_str(), v[2], isOne(v[0]) ? "s" : "",
                   describeLanes(v[1]).c_str(), isOne(v[1]) ? "s" : ""),
            describeLanes(v[1]) + (isOne(v[1]) ? " waits" : " wait") + " here"};
  case FaultLanesDisagree:
    return {format("expected the same address in all lanes, but lane 0 has "
                   "%s and lane %u has %s",
                   describeAddress(v[2]).c_str(), v[0],
                   describeAddress(v[1]).c_str()),
            ""};
  default:
    return {format("expected the same number of columns in all lanes, but "
                   "lane 0 has %u and lane %u has %u",
                   v[2], v[0], v[1]),
            ""};
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Text describeOperandFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultCount:
    return {format("expected a power of two from x1 to x%u for %s, but got x%u",
                   v[1], getShapeName(v[2]), v[0]),
            ""};
  case FaultReduceForm:
    return {format("expected 32x32b or 16x32bx2 from x2 without .pack::16b for "
                   "ld.red, but got %s.x%u",
                   getShapeName(v[0]), v[1]),
            ""};
  case FaultSplitOffset:
    return {
        format("expected an immediate of 0 or 16 lanes and 0 to 511 columns "
               "for 16x32bx2, but got %#llx",
               (unsigned long long)v[1] << 32 | v[0]),
        ""};
  case FaultSplitZero:
    return {"expected an immediate other than 0 for 16x32bx2: both halves of "
            "the warp access the same cells",
            ""};
  case FaultSplitOdd:
    return {format("expected an immediate of an even number of columns for "
                   "16x32bx2 with 16-bit packing, but got %u",
                   v[0]),
            ""};
  case FaultSplitOverlap:
    return {
        format("expected an immediate by which the halves of the warp store "
               "to different cells, but got %#x",
               v[0]),
        ""};
  default:
    return {format("expected lane 0 to 127 and column 0 to %u, but got %s",
                   v[1] - 1, describeAddress(v[0]).c_str()),
            ""};
  }
}

static Text describeStartLane(const uint32_t *v) {
  const char *name = getShapeName(v[2]);
  if (v[2] == TMemEmu32x32b)
    return {format("expected %s to start at lane %u, the first of the slab of "
                   "warp %u, but got lane %u",
                   name, v[1], v[3], v[0]),
            ""};
  return {format("expected %s to start at lane %u or %u in the slab of warp "
                 "%u, but got lane %u",
                 name, v[1], v[1] + 16, v[3], v[0]),
          ""};
}

static Text describePlaceFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultOutsideSlab:
    return {format("lane %u is outside the slab of warp %u (lanes %u to %u): "
                   "add 32 * (warp %% 4) to the lane of the address",
                   v[0], v[1], v[2], v[2] + 31),
            ""};
  case FaultStartLane:
    return describeStartLane(v);
  case FaultNotAllocated:
    return {format("column %u is not allocated", v[0]), "deallocated here"};
  case FaultPastEnd:
    return {format("columns %u to %u go past the end of the allocation of "
                   "columns %u to %u",
                   v[0], v[0] + v[1] - 1, v[2], v[2] + v[3] - 1),
            "allocated here"};
  default:
    return {format("expected both accesses of 16x32bx2 in one allocation, but "
                   "columns %u and %u are in two",
                   v[0], v[1]),
            "the second one was allocated here"};
  }
}

//===----------------------------------------------------------------------===//
// Data and waits
//===----------------------------------------------------------------------===//

static Text describePending(const char *access, bool earlierIsStore,
                            uint32_t warp) {
  const char *earlier = earlierIsStore ? "store" : "load";
  return {format("%s of cells that a %s of this warp still accesses: execute "
                 "tcgen05.wait::%s between them",
                 access, earlier, earlierIsStore ? "st" : "ld"),
          format("%s of warp %u that no wait has completed", earlier, warp)};
}

static Text describeDataFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultNeverWritten:
    return {
        format("the cell at lane %u, column %u was never written", v[0], v[1]),
        "allocated here"};
  case FaultHalfWritten:
    return {format("only the low half of the cell at lane %u, column %u was "
                   "written, with .unpack::16b: expected .pack::16b",
                   v[0], v[1]),
            "allocated here"};
  case FaultLoadOfPendingStore:
    return describePending("load", true, v[0]);
  case FaultStoreOverPendingLoad:
    return describePending("store", false, v[0]);
  case FaultStoreOverPendingStore:
    return describePending("store", true, v[0]);
  default:
    return {"register read before its wait: execute tcgen05.wait::ld between "
            "the load and this",
            "loaded here"};
  }
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static Text describeAllocFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultPlainColumns:
    return {format("expected a power of two from 32 to %u columns, but got %u",
                   v[1], v[0]),
            ""};
  case FaultExclusiveColumns:
    return {format("expected a multiple of 32 from 32 to %u columns, but got "
                   "%u",
                   v[1], v[0]),
            ""};
  case FaultAllocAfterRelinquish:
    return {"alloc after the block has given up its permit: expected no "
            "tcgen05.alloc after tcgen05.relinquish_alloc_permit",
            "given up here"};
  case FaultLargerAlloc:
    return {format("expected at most %u columns, as many as the alloc before, "
                   "but got %u: allocate the largest first",
                   v[1], v[0]),
            "the alloc before"};
  case FaultAllocDeadlock:
    return {
        format("deadlock: waiting here for %u columns that nobody frees", v[0]),
        ""};
  case FaultMixedGroups:
    return {format("expected .cta_group::%u, as everywhere else in the kernel, "
                   "but got .cta_group::%u",
                   v[1], v[0]),
            format(".cta_group::%u here", v[1])};
  case FaultGroupOfTwo:
    return {".cta_group::2 needs a cluster of two blocks, which is emulated on "
            "the CPU alone: run with --on=cpu",
            ""};
  default:
    return {format("expected a chip of at most %u columns, but got %u and %u "
                   "with .exclusive",
                   maxColumns, v[0], v[1]),
            ""};
  }
}

static Text describeFreeFault(uint32_t kind, const uint32_t *v) {
  switch (kind) {
  case FaultDeallocAddress:
    return {"expected an address that tcgen05.alloc returned, but got " +
                describeAddress(v[0]),
            ""};
  case FaultDeallocInside:
    return {format("expected the address that tcgen05.alloc returned, %s, but "
                   "got %s inside that allocation",
                   describeAddress(v[1]).c_str(),
                   describeAddress(v[0]).c_str()),
            "allocated here"};
  case FaultDeallocColumns:
    return {format("expected %u columns, as allocated, but got %u", v[1], v[0]),
            "allocated here"};
  case FaultDeallocExclusive:
    return {format("expected dealloc with%s .exclusive, as allocated",
                   v[0] ? "" : "out"),
            "allocated here"};
  case FaultDoubleFree:
    return {"columns at " + describeAddress(v[0]) + " are deallocated already",
            "deallocated here"};
  case FaultDeallocPending:
    return {format("dealloc of columns that a %s of warp %u still accesses: "
                   "execute tcgen05.wait::%s before it",
                   v[1] ? "store" : "load", v[0], v[1] ? "st" : "ld"),
            format("%s of warp %u that no wait has completed",
                   v[1] ? "store" : "load", v[0])};
  default:
    return {format("%u columns at column %u were never deallocated: execute "
                   "tcgen05.dealloc before the kernel ends",
                   v[1], v[0]),
            ""};
  }
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static Text describe(uint32_t kind, const uint32_t *values) {
  switch (kind) {
  case FaultMissingLanes:
  case FaultDivergentWarp:
  case FaultLanesDisagree:
  case FaultColumnsDisagree:
    return describeWarpFault(kind, values);
  case FaultCount:
  case FaultReduceForm:
  case FaultSplitOffset:
  case FaultSplitZero:
  case FaultSplitOdd:
  case FaultSplitOverlap:
  case FaultCellAddress:
    return describeOperandFault(kind, values);
  case FaultOutsideSlab:
  case FaultStartLane:
  case FaultNotAllocated:
  case FaultPastEnd:
  case FaultTwoAllocations:
    return describePlaceFault(kind, values);
  case FaultNeverWritten:
  case FaultHalfWritten:
  case FaultLoadOfPendingStore:
  case FaultStoreOverPendingLoad:
  case FaultStoreOverPendingStore:
  case FaultReadBeforeWait:
    return describeDataFault(kind, values);
  case FaultPlainColumns:
  case FaultExclusiveColumns:
  case FaultAllocAfterRelinquish:
  case FaultLargerAlloc:
  case FaultAllocDeadlock:
  case FaultMixedGroups:
  case FaultGroupOfTwo:
  case FaultChipColumns:
    return describeAllocFault(kind, values);
  case FaultDeallocAddress:
  case FaultDeallocInside:
  case FaultDeallocColumns:
  case FaultDeallocExclusive:
  case FaultDoubleFree:
  case FaultDeallocPending:
  case FaultLeak:
    return describeFreeFault(kind, values);
  default:
    return {format("unknown fault %u: the device library is of another version",
                   kind),
            ""};
  }
}

/// "kernel.mlir:35:7: nvvm.tcgen05.st".
static std::string describeSite(const DeviceFaultSite &site) {
  std::string place =
      site.file[0] ? format("%s:%u:%u", site.file, site.line, site.column)
                   : "<unknown location>";
  return place + ": " + (site.op[0] ? site.op : "kernel");
}

std::string tmem::cuda::describeFault(const DeviceFault &fault,
                                      const std::string &kernel) {
  Text text = describe(fault.kind, fault.values);
  std::string all =
      describeSite(fault.site) + ": error: " + text.error +
      format(" [kernel %s, block %u,%u,%u, thread %u,%u,%u]\n", kernel.c_str(),
             fault.block[0], fault.block[1], fault.block[2], fault.thread[0],
             fault.thread[1], fault.thread[2]);
  if (fault.note.op[0])
    all += describeSite(fault.note) + ": note: " + text.note + "\n";
  return all;
}
