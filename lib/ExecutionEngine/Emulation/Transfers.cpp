//===- Transfers.cpp - tcgen05.ld, st and their waits ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.ld", "tcgen05.st", "tcgen05.wait". Data moves when the last
// lane arrives: whatever could tell that from later is a fault.
//
//===----------------------------------------------------------------------===//

#include "Transfers.h"
#include "Faults.h"

using namespace tmem::emulation;

static Box makeBox(const Transfer &transfer, Cell origin) {
  return {origin.lane, origin.lane + getNumLanes(transfer.shape), origin.column,
          origin.column + getNumColumns(transfer.shape, transfer.count,
                                        transfer.isPacked())};
}

static Transfer makeTransfer(Warp &warp, const Site *site,
                             const Operands &operands) {
  Cell origin = {operands.address >> 16, operands.address & 0xffff};
  Transfer transfer = {warp,
                       operands.shape,
                       operands.count,
                       operands.flags,
                       operands.op == AlignedOp::Store,
                       origin,
                       origin,
                       Access()};
  Access &access = transfer.access;
  access.site = site;
  access.store = transfer.store;
  access.numBoxes = 1;
  access.boxes[0] = makeBox(transfer, transfer.lower);
  if (transfer.shape != TMemEmu16x32bx2)
    return transfer;
  transfer.upper.lane += operands.offset >> 16;
  transfer.upper.column += operands.offset & 0xffff;
  access.boxes[1] = makeBox(transfer, transfer.upper);
  access.numBoxes = 2;
  return transfer;
}

/// The last lane has arrived.
static void execute(Warp &warp, const Site *site) {
  const Thread &thread = getReporter(warp);
  const Operands &operands = warp.meeting.operands;
  checkForm(thread, site, operands);
  Transfer transfer = makeTransfer(warp, site, operands);
  checkTransfer(thread, transfer, operands);
  TensorMemory &tensor = warp.cta->tensor;
  const Access &access = transfer.access;
  for (uint32_t i = 0; i < access.numBoxes && transfer.store; ++i)
    tensor.markWritten(access.boxes[i], /*high=*/!transfer.isPacked());
  moveData(tensor, transfer);
  if (transfer.isReducing())
    reduceLoaded(transfer);
  warp.pending.add(access);
}

uint64_t tmemEmuLoad(TMemEmuThread *t, const TMemEmuSite *site, uint32_t shape,
                     uint32_t count, uint32_t flags, uint32_t address,
                     int64_t offset, uint32_t *words) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  warp.words[thread.lane] = words;
  if (arriveAligned(thread, site,
                    {AlignedOp::Load, shape, count, flags, address, offset})) {
    execute(*thread.warp, site);
    ++warp.loads;
    warp.loadSites[warp.loads % Warp::numLoadSites] = site;
    releaseAligned(thread);
  }
  return warp.loads;
}

void tmemEmuStore(TMemEmuThread *t, const TMemEmuSite *site, uint32_t shape,
                  uint32_t count, uint32_t flags, uint32_t address,
                  int64_t offset, const uint32_t *words) {
  Thread &thread = getThread(t);
  // Stores only read them.
  thread.warp->words[thread.lane] = const_cast<uint32_t *>(words);
  if (arriveAligned(thread, site,
                    {AlignedOp::Store, shape, count, flags, address, offset})) {
    execute(*thread.warp, site);
    releaseAligned(thread);
  }
}

void tmemEmuWaitLoad(TMemEmuThread *t, const TMemEmuSite *site) {
  Thread &thread = getThread(t);
  Warp &warp = *thread.warp;
  if (arriveAligned(thread, site, {AlignedOp::WaitLoad, 0, 0, 0, 0, 0})) {
    completePending(warp, /*stores=*/false);
    releaseAligned(thread);
  }
  thread.completedLoads = warp.loads;
}

void tmemEmuWaitStore(TMemEmuThread *t, const TMemEmuSite *site) {
  Thread &thread = getThread(t);
  if (arriveAligned(thread, site, {AlignedOp::WaitStore, 0, 0, 0, 0, 0})) {
    completePending(*thread.warp, /*stores=*/true);
    releaseAligned(thread);
  }
}

void tmemEmuPendingRead(TMemEmuThread *t, const TMemEmuSite *site,
                        uint64_t load) {
  Thread &thread = getThread(t);
  const Warp &warp = *thread.warp;
  std::vector<Note> notes;
  if (load <= warp.loads && warp.loads - load < Warp::numLoadSites)
    notes.push_back({warp.loadSites[load % Warp::numLoadSites], "loaded here"});
  fault(thread, site,
        "register read before its wait: execute tcgen05.wait::ld between the "
        "load and this",
        notes);
}

//===----------------------------------------------------------------------===//
// Cells past all rules
//===----------------------------------------------------------------------===//

/// The lane and column of an address, which must exist.
static Cell getPlace(const Thread &thread, const Site *site, uint32_t address) {
  Cell cell = {address >> 16, address & 0xffff};
  uint32_t columns = thread.cta->tensor.getNumColumns();
  if (cell.lane >= numLanes || cell.column >= columns)
    fault(thread, site,
          format("expected lane 0 to %u and column 0 to %u, but got %s",
                 numLanes - 1, columns - 1, describeAddress(address).c_str()));
  return cell;
}

uint32_t tmemEmuReadCell(TMemEmuThread *t, const TMemEmuSite *site,
                         uint32_t address) {
  Thread &thread = getThread(t);
  Cell cell = getPlace(thread, site, address);
  return thread.cta->tensor.peek(cell.lane, cell.column);
}

void tmemEmuWriteCell(TMemEmuThread *t, const TMemEmuSite *site,
                      uint32_t address, uint32_t value) {
  Thread &thread = getThread(t);
  Cell cell = getPlace(thread, site, address);
  thread.cta->tensor.poke(cell.lane, cell.column, value);
}
