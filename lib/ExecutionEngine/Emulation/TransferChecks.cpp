//===- TransferChecks.cpp - Rules of tcgen05.ld and st --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.ld", "tcgen05.st", "Access restrictions" and "tcgen05
// Memory Consistency Model".
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Transfers.h"

using namespace tmem::emulation;

static const char *getShapeName(uint32_t shape) {
  static const char *const names[numShapes] = {"32x32b", "16x64b", "16x128b",
                                               "16x256b", "16x32bx2"};
  return names[shape];
}

void tmem::emulation::checkForm(const Thread &thread, const Site *site,
                                const Operands &operands) {
  if (operands.shape >= numShapes)
    fault(thread, site,
          format("expected a shape of tcgen05.ld, but got %u", operands.shape));
  const char *name = getShapeName(operands.shape);
  if (!isPowerOfTwo(operands.count, 1, getMaxCount(operands.shape)))
    fault(thread, site,
          format("expected a power of two from x1 to x%u for %s, but got x%u",
                 getMaxCount(operands.shape), name, operands.count));
  if (!(operands.flags & (TMemEmuReduceMin | TMemEmuReduceMax)))
    return;
  bool hasShape =
      operands.shape == TMemEmu32x32b || operands.shape == TMemEmu16x32bx2;
  if (!hasShape || operands.count < 2 || (operands.flags & TMemEmuPack))
    fault(thread, site,
          format("expected 32x32b or 16x32bx2 from x2 without .pack::16b for "
                 "ld.red, but got %s.x%u",
                 name, operands.count));
}

/// The immediate of 16x32bx2: the second access starts 0 or 16 lanes and up to
/// 511 columns after the first.
static void checkImmediate(const Thread &thread, const Site *site,
                           const Transfer &transfer, int64_t offset) {
  int64_t lanes = offset >> 16, columns = offset & 0xffff;
  if ((lanes != 0 && lanes != 16) || columns > 511)
    fault(thread, site,
          format("expected an immediate of 0 or 16 lanes and 0 to 511 columns "
                 "for 16x32bx2, but got %#llx",
                 static_cast<unsigned long long>(offset)));
  if (offset == 0)
    fault(thread, site,
          "expected an immediate other than 0 for 16x32bx2: both halves of the "
          "warp access the same cells");
  if (transfer.isPacked() && columns % 2)
    fault(thread, site,
          format("expected an immediate of an even number of columns for "
                 "16x32bx2 with 16-bit packing, but got %lld",
                 static_cast<long long>(columns)));
  if (transfer.store &&
      transfer.access.boxes[0].overlaps(transfer.access.boxes[1]))
    fault(thread, site,
          format("expected an immediate by which the halves of the warp store "
                 "to different cells, but got %#llx",
                 static_cast<unsigned long long>(offset)));
}

static void checkLane(const Thread &thread, const Site *site,
                      const Transfer &transfer, uint32_t lane) {
  uint32_t slab = transfer.warp.getSlab();
  if (lane - slab >= warpSize)
    fault(thread, site,
          format("lane %u is outside the slab of warp %u (lanes %u to %u): add "
                 "32 * (warp %% 4) to the lane of the address",
                 lane, transfer.warp.index, slab, slab + warpSize - 1));
  const char *name = getShapeName(transfer.shape);
  if (transfer.shape == TMemEmu32x32b ? lane != slab : (lane - slab) % 16 != 0)
    fault(thread, site,
          transfer.shape == TMemEmu32x32b
              ? format("expected %s to start at lane %u, the first of the slab "
                       "of warp %u, but got lane %u",
                       name, slab, transfer.warp.index, lane)
              : format("expected %s to start at lane %u or %u in the slab of "
                       "warp %u, but got lane %u",
                       name, slab, slab + 16, transfer.warp.index, lane));
}

/// All columns of a box must lie in one live allocation, and for the second box
/// in that of the first.
static void checkColumns(const Thread &thread, const Site *site,
                         Transfer &transfer, const Box &box) {
  TensorMemory &tensor = thread.cta->tensor;
  Allocation *allocation = tensor.find(box.columnBegin);
  if (!allocation) {
    std::vector<Note> notes;
    if (const Site *freed = tensor.getFreeSite(box.columnBegin))
      notes.push_back({freed, "deallocated here"});
    fault(
        thread, site,
        format("column %u is not allocated%s", box.columnBegin,
               box.columnBegin < tensor.getNumColumns()
                   ? ""
                   : format(": the chip has %u columns", tensor.getNumColumns())
                         .c_str()),
        notes);
  }
  if (allocation->freeing)
    fault(thread, site,
          format("column %u is being deallocated", box.columnBegin),
          {{allocation->freeing, "deallocated here"}});
  if (box.columnEnd > allocation->getEnd())
    fault(thread, site,
          format("columns %u to %u go past the end of the allocation of "
                 "columns %u to %u",
                 box.columnBegin, box.columnEnd - 1, allocation->base,
                 allocation->getEnd() - 1),
          {{allocation->site, "allocated here"}});
  if (transfer.allocation && transfer.allocation != allocation)
    fault(thread, site,
          format("expected both accesses of 16x32bx2 in one allocation, but "
                 "columns %u and %u are in two",
                 transfer.access.boxes[0].columnBegin, box.columnBegin),
          {{transfer.allocation->site, "the first one was allocated here"},
           {allocation->site, "the second one was allocated here"}});
  transfer.allocation = allocation;
}

/// In race mode, the allocation must be ordered before every access.
static void checkAllocationOrder(const Thread &thread, const Site *site,
                                 const Transfer &transfer) {
  const Allocation &allocation = *transfer.allocation;
  const Warp &warp = transfer.warp;
  if (!thread.cta->isRacing() || allocation.warp == warp.index ||
      warp.clocks.order.at[warp.cta->warps[allocation.warp].id] >=
          allocation.epoch)
    return;
  fault(thread, site,
        format("race: warp %u accesses columns that warp %u allocated, and "
               "nothing orders this after the allocation: execute a barrier "
               "between them",
               warp.index, allocation.warp),
        {{allocation.site, "allocated here"}});
}

static void checkWritten(const Thread &thread, const Site *site,
                         const Transfer &transfer, const Box &box) {
  TensorMemory &tensor = thread.cta->tensor;
  auto missing = tensor.findUnwritten(box, /*high=*/!transfer.isPacked());
  if (!missing)
    return;
  Box cell = {missing->lane, missing->lane + 1, missing->column,
              missing->column + 1};
  Note note = {transfer.allocation->site, "allocated here"};
  if (tensor.findUnwritten(cell, /*high=*/false))
    fault(thread, site,
          format("the cell at lane %u, column %u was never written",
                 missing->lane, missing->column),
          {note});
  fault(thread, site,
        format("only the low half of the cell at lane %u, column %u was "
               "written, with .unpack::16b: expected .pack::16b",
               missing->lane, missing->column),
        {note});
}

std::string tmem::emulation::describeMissingOrder(const Warp &warp,
                                                  const Mark &other) {
  const WarpClocks &clocks = warp.clocks;
  if (clocks.order.at[other.warp] < other.order)
    return format("nothing orders them: execute tcgen05.wait::%s and "
                  "tcgen05.fence::before_thread_sync in warp %u, then a "
                  "barrier or mbarrier, then "
                  "tcgen05.fence::after_thread_sync in warp %u",
                  other.write ? "st" : "ld", other.warp, warp.index);
  if (!clocks.isCarried(other.warp, other.epoch))
    return format("a barrier orders them, but "
                  "tcgen05.fence::before_thread_sync is missing in warp %u, "
                  "between its wait and the barrier",
                  other.warp);
  return format("a barrier orders them, but "
                "tcgen05.fence::after_thread_sync is missing in warp %u, "
                "between the barrier and this",
                warp.index);
}

/// The second place of a race, and what is missing there or here.
[[noreturn]] static void reportRace(const Thread &thread, const Site *site,
                                    const Transfer &transfer,
                                    const Mark &other) {
  const char *kind = other.write ? "store" : "load";
  fault(thread, site,
        format("race: this %s of warp %u and the %s of warp %u meet at a cell; "
               "%s",
               transfer.store ? "store" : "load", transfer.warp.index, kind,
               other.warp, describeMissingOrder(transfer.warp, other).c_str()),
        {{other.site, format("%s of warp %u", kind, other.warp)}});
}

static void checkRaces(const Thread &thread, const Site *site,
                       const Transfer &transfer) {
  Cta &cta = *thread.cta;
  const Warp &warp = transfer.warp;
  Mark mark = Mark();
  mark.site = site;
  mark.warp = warp.id;
  mark.bytes = 0xf;
  mark.write = transfer.store;
  mark.pending = true;
  uint32_t stride = cta.tensor.getStride();
  for (uint32_t i = 0; i < transfer.access.numBoxes; ++i) {
    const Box &box = transfer.access.boxes[i];
    cta.tensorShadow.add(
        {box.laneBegin * stride + box.columnBegin,
         box.columnEnd - box.columnBegin, box.laneEnd - box.laneBegin, stride},
        mark, warp.clocks.tensor,
        [&](const Mark &other) { reportRace(thread, site, transfer, other); });
  }
}

void tmem::emulation::checkTransfer(const Thread &thread, Transfer &transfer,
                                    const Operands &operands) {
  const Access &access = transfer.access;
  const Site *site = access.site;
  checkLane(thread, site, transfer, transfer.lower.lane);
  if (access.numBoxes == 2) {
    checkImmediate(thread, site, transfer, operands.offset);
    checkLane(thread, site, transfer, transfer.upper.lane);
  }
  for (uint32_t i = 0; i < access.numBoxes; ++i)
    checkColumns(thread, site, transfer, access.boxes[i]);
  checkAllocationOrder(thread, site, transfer);
  checkPending(thread, transfer.warp, access);
  thread.cta->tensorCore.checkTransfer(thread, transfer.warp, access);
  if (thread.cta->isRacing())
    checkRaces(thread, site, transfer);
  for (uint32_t i = 0; i < access.numBoxes && !transfer.store; ++i)
    checkWritten(thread, site, transfer, access.boxes[i]);
}
