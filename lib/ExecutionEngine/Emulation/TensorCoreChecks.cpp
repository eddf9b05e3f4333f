//===- TensorCoreChecks.cpp - Rules of what is under way ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05 Memory Consistency Model".
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "Faults.h"
#include "Transfers.h"
#include <algorithm>

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// What comes after an instruction
//===----------------------------------------------------------------------===//

/// Whether `warp` comes after the completion of an instruction.
static bool isComplete(const Warp &warp, const TensorOp &op) {
  return op.epoch != 0 && warp.clocks.order.issuers.at[op.issuer] >= op.epoch;
}

/// The same for accesses of Tensor Memory, which race mode wants fenced.
static bool isFenced(const Warp &warp, const TensorOp &op) {
  return !warp.clocks.isRacing ||
         warp.clocks.tensor.issuers.at[op.issuer] >= op.epoch;
}

static std::vector<Note> makeNotes(const TensorOp &op) {
  std::vector<Note> notes = {
      {op.site, format("%s that lane %u of warp %u has issued", op.getName(),
                       op.thread->lane, op.thread->warp->index)}};
  if (op.committed)
    notes.push_back({op.committed, "committed here"});
  return notes;
}

/// What `what`, "load of cells", must come behind.
[[noreturn]] static void reportUnderWay(const Thread &thread, const Site *site,
                                        const std::string &what,
                                        const TensorOp &op, bool isWriting) {
  const char *verb = isWriting ? "writes" : "reads";
  std::string cure =
      op.epoch == 0 ? "execute tcgen05.commit behind it in the same thread, "
                      "and wait for that mbarrier before this"
                    : "wait for the mbarrier of its tcgen05.commit before this";
  fault(thread, site,
        what + format(" that a %s under way %s: %s", op.getName(), verb,
                      cure.c_str()),
        makeNotes(op));
}

[[noreturn]] static void reportUnfenced(const Thread &thread, const Site *site,
                                        const char *what, const Warp &warp,
                                        const TensorOp &op) {
  fault(thread, site,
        format("race: this %s and a %s meet at a cell; a wait for its mbarrier "
               "orders them, but tcgen05.fence::after_thread_sync is missing "
               "in warp %u, between the wait and this",
               what, op.getName(), warp.index),
        makeNotes(op));
}

void TensorCore::checkTransfer(const Thread &thread, const Warp &warp,
                               const Access &access) const {
  for (const TensorOp &op : ops)
    for (uint32_t i = 0; i < access.numBoxes; ++i) {
      const Box &box = access.boxes[i];
      bool isWriting = op.write.overlaps(box);
      if (!isWriting && !(access.store && op.isReading(box)))
        continue;
      const char *kind = access.store ? "store" : "load";
      if (!isComplete(warp, op))
        reportUnderWay(thread, access.site,
                       std::string(kind) +
                           (access.store ? " to cells" : " of cells"),
                       op, isWriting);
      if (!isFenced(warp, op))
        reportUnfenced(thread, access.site, kind, warp, op);
    }
}

void TensorCore::checkSharedWrite(const Thread &thread, const Site *site,
                                  uint64_t begin, uint64_t end) const {
  for (const TensorOp &op : ops) {
    auto range = std::partition_point(
        op.sources.begin(), op.sources.end(),
        [&](const ByteRange &r) { return r.end <= begin; });
    if (range == op.sources.end() || range->begin >= end ||
        isComplete(*thread.warp, op))
      continue;
    reportUnderWay(thread, site,
                   format("race: store to offset %llu of shared memory",
                          static_cast<unsigned long long>(begin)),
                   op, /*isWriting=*/false);
  }
}

void TensorCore::checkDealloc(const Thread &thread, const Site *site,
                              const Allocation &allocation) {
  Box box = {0, numLanes, allocation.base, allocation.getEnd()};
  auto isThere = [&](const TensorOp &op) {
    return op.write.overlaps(box) || op.isReading(box);
  };
  for (const TensorOp &op : ops)
    if (isThere(op) && !isComplete(*thread.warp, op))
      reportUnderWay(thread, site, "dealloc of columns", op,
                     op.write.overlaps(box));
  ops.erase(std::remove_if(ops.begin(), ops.end(), isThere), ops.end());
}

//===----------------------------------------------------------------------===//
// Two instructions of the tensor core
//===----------------------------------------------------------------------===//

/// Whether two instructions are executed in their order (PTX ISA, "Pipelined
/// tcgen05 Instructions"). mma has to have the same accumulator and shape.
static bool isPipelined(const TensorOp &earlier, const TensorOp &later) {
  if (earlier.thread != later.thread)
    return false;
  switch (later.kind) {
  case TensorOp::Mma:
    return earlier.kind != TensorOp::Mma ||
           (earlier.write == later.write && earlier.shape == later.shape);
  case TensorOp::Copy:
    return false;
  case TensorOp::Shift:
    return earlier.kind == TensorOp::Mma;
  }
  return false;
}

static bool meets(const TensorOp &earlier, const TensorOp &later) {
  return later.write.overlaps(earlier.write) ||
         earlier.isReading(later.write) || later.isReading(earlier.write);
}

/// An earlier instruction that a new one is not known to be executed after.
static void checkPair(const TensorOp &earlier, const TensorOp &op) {
  const Warp &warp = *op.thread->warp;
  if (!isComplete(warp, earlier)) {
    bool isWriting =
        op.write.overlaps(earlier.write) || op.isReading(earlier.write);
    std::string what = op.getName() + std::string(" of cells");
    if (op.thread == earlier.thread)
      what = "these two are not pipelined: " + what;
    reportUnderWay(*op.thread, op.site, what, earlier, isWriting);
  }
  if (!isFenced(warp, earlier))
    reportUnfenced(*op.thread, op.site, op.getName(), warp, earlier);
}

void TensorCore::checkAgainstOthers(const TensorOp &op) const {
  // Those that are executed before it, from the last one back: the pipelines
  // that lead to it.
  std::vector<const TensorOp *> before = {&op};
  for (auto earlier = ops.rbegin(); earlier != ops.rend(); ++earlier) {
    bool isBefore =
        std::any_of(before.begin(), before.end(), [&](const TensorOp *later) {
          return isPipelined(*earlier, *later);
        });
    if (isBefore)
      before.push_back(&*earlier);
    else if (meets(*earlier, op))
      checkPair(*earlier, op);
  }
}

//===----------------------------------------------------------------------===//
// What comes before an instruction
//===----------------------------------------------------------------------===//

void tmem::emulation::checkTensorGroup(const Thread &thread, const Site *site,
                                       uint32_t flags) {
  checkCtaGroup(thread, site, flags);
  if (flags & TMemEmuCtaGroup2)
    unsupported(thread, site,
                "the tensor core of a pair of blocks is not emulated: use "
                ".cta_group::1");
}

void tmem::emulation::checkAllocated(const Thread &thread, const Site *site,
                                     const char *what, const Region &region) {
  Cta &cta = *thread.cta;
  Allocation *allocation = cta.tensor.find(region.columnBegin);
  if (!allocation) {
    std::vector<Note> notes;
    if (const Site *freed = cta.tensor.getFreeSite(region.columnBegin))
      notes.push_back({freed, "deallocated here"});
    fault(thread, site,
          format("column %u, where %s begins, is not allocated",
                 region.columnBegin, what),
          notes);
  }
  Note note = {allocation->site, "allocated here"};
  if (region.columnEnd > allocation->getEnd())
    fault(thread, site,
          format("columns %u to %u of %s go past the end of the allocation of "
                 "columns %u to %u",
                 region.columnBegin, region.columnEnd - 1, what,
                 allocation->base, allocation->getEnd() - 1),
          {note});
  const Warp &warp = *thread.warp;
  if (cta.isRacing() && allocation->warp != warp.index &&
      warp.clocks.order.at[cta.warps[allocation->warp].id] < allocation->epoch)
    fault(thread, site,
          format("race: warp %u accesses columns that warp %u allocated, and "
                 "nothing orders this after the allocation: execute a barrier "
                 "between them",
                 warp.index, allocation->warp),
          {note});
}

/// Loads and stores that no wait has completed.
static void checkPendingTransfers(const TensorOp &op) {
  const Cta &cta = *op.thread->cta;
  auto check = [&](const Warp &warp, const Access &access) {
    for (uint32_t i = 0; i < access.numBoxes; ++i) {
      const Box &box = access.boxes[i];
      if (!op.write.overlaps(box) && !(access.store && op.isReading(box)))
        continue;
      const char *kind = access.store ? "store" : "load";
      const char *suffix = access.store ? "st" : "ld";
      std::string cure = format("tcgen05.wait::%s between them", suffix);
      if (&warp != op.thread->warp)
        cure = format("tcgen05.wait::%s there, then fences and a barrier "
                      "between the warps",
                      suffix);
      fault(*op.thread, op.site,
            format("%s of cells that a %s of warp %u still accesses: execute "
                   "%s",
                   op.getName(), kind, warp.index, cure.c_str()),
            {{access.site, format("%s of warp %u that no wait has completed",
                                  kind, warp.index)}});
    }
  };
  for (uint32_t w = 0; w < cta.numWarps; ++w) {
    for (const Access &access : cta.warps[w].pending.stores)
      check(cta.warps[w], access);
    for (const Access &access : cta.warps[w].pending.loads)
      check(cta.warps[w], access);
  }
}

void tmem::emulation::checkWarps(const TensorOp &op) {
  checkPendingTransfers(op);
  const Cta &cta = *op.thread->cta;
  if (!cta.isRacing())
    return;
  const Warp &warp = *op.thread->warp;
  uint32_t stride = cta.tensor.getStride();
  Mark mark = Mark();
  mark.warp = warp.id;
  mark.bytes = 0xf;
  auto check = [&](const Region &region, bool write) {
    mark.write = write;
    region.forEachBox([&](const Box &box) {
      cta.tensorShadow.check(
          {box.laneBegin * stride + box.columnBegin,
           box.columnEnd - box.columnBegin, box.laneEnd - box.laneBegin,
           stride},
          mark, warp.clocks.tensor, [&](const Mark &other) {
            const char *kind = other.write ? "store" : "load";
            fault(*op.thread, op.site,
                  format("race: this %s of warp %u and the %s of %s meet at a "
                         "cell; %s",
                         op.getName(), warp.index, kind,
                         describeWarp(cta, other.warp).c_str(),
                         describeMissingOrder(warp, other).c_str()),
                  {{other.site,
                    format("%s of ", kind) + describeWarp(cta, other.warp)}});
          });
    });
  };
  check(op.write, true);
  for (uint32_t i = 0; i < op.numReads; ++i)
    check(op.reads[i], false);
}

/// Calls `fn(offset, mark)` for a store to the sources that `clock` does not
/// know; does not return then.
template <typename Fn>
static void findStores(const TensorOp &op, const VectorClock &clock, Fn fn) {
  Mark mark = Mark();
  // Unlike any other, so that the warp's own stores count.
  mark.warp = UINT16_MAX;
  mark.bytes = 0xf;
  for (const ByteRange &range : op.sources)
    op.thread->cta->sharedShadow.check(
        {range.begin / 4, (range.end - range.begin) / 4}, mark, clock,
        [&](const Mark &other) { fn(range.begin, other); });
}

void tmem::emulation::checkSources(const TensorOp &op) {
  const Cta &cta = *op.thread->cta;
  if (!cta.isRacing())
    return;
  const OrderClock &order = op.thread->warp->clocks.order;
  findStores(op, order, [&](uint32_t offset, const Mark &other) {
    fault(*op.thread, op.site,
          format("race: %s of shared memory from offset %u on, and nothing "
                 "orders it after the store of %s: execute a barrier between "
                 "them",
                 op.getName(), offset, describeWarp(cta, other.warp).c_str()),
          {{other.site, "store of " + describeWarp(cta, other.warp)}});
  });
  findStores(op, order.proxied, [&](uint32_t offset, const Mark &other) {
    fault(*op.thread, op.site,
          format("race: %s of shared memory from offset %u on, which it reads "
                 "through the asynchronous proxy, but fence.proxy.async is "
                 "missing behind the store of %s",
                 op.getName(), offset, describeWarp(cta, other.warp).c_str()),
          {{other.site, "store of " + describeWarp(cta, other.warp)}});
  });
}
