//===- TensorCore.cpp - Work that is under way ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05 Memory Consistency Model", "Pipelined tcgen05
// Instructions" and "tcgen05.commit".
//
//===----------------------------------------------------------------------===//

#include "TensorCore.h"
#include "Cluster.h"
#include "Faults.h"
#include <algorithm>
#include <cstring>

using namespace tmem::emulation;

/// Instructions that are remembered before those that every warp knows to be
/// complete are looked for.
static constexpr size_t manyOps = 256;

/// Turns until a commit completes, without a seed; with one, fewer than twice
/// as many.
static constexpr uint32_t usualDelay = 8;

bool Region::overlaps(const Region &other) const {
  return (groups & other.groups) && columnBegin < other.columnEnd &&
         other.columnBegin < columnEnd;
}

bool Region::overlaps(const Box &box) const {
  uint32_t first = box.laneBegin / 16, end = (box.laneEnd + 15) / 16;
  return overlaps(
      Region{(1u << end) - (1u << first), box.columnBegin, box.columnEnd});
}

const char *TensorOp::getName() const {
  static const char *const names[] = {"tcgen05.mma", "tcgen05.cp",
                                      "tcgen05.shift"};
  return names[kind];
}

void TensorCore::reset() {
  ops.clear();
  commits.clear();
}

/// Past as many as there are, the last one counts those of several threads,
/// which can only miss that somebody has not waited for one of them.
uint32_t Issuers::get(const Thread &thread) {
  for (uint32_t i = 0; i < numUsed; ++i)
    if (threads[i] == &thread)
      return i;
  if (numUsed == numIssuers)
    return numIssuers - 1;
  threads[numUsed] = &thread;
  return numUsed++;
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

void tmem::emulation::mergeSources(std::vector<ByteRange> &sources) {
  std::sort(
      sources.begin(), sources.end(),
      [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  size_t size = 0;
  for (const ByteRange &range : sources) {
    if (size != 0 && sources[size - 1].end >= range.begin)
      sources[size - 1].end = std::max(sources[size - 1].end, range.end);
    else
      sources[size++] = range;
  }
  sources.resize(size);
}

template <typename Fn> static void forEachSource(const TensorOp &op, Fn fn) {
  const Cta &cta = *op.thread->cta;
  size_t at = 0;
  for (const ByteRange &range : op.sources) {
    fn(reinterpret_cast<const uint8_t *>(cta.sharedBegin + range.begin),
       range.end - range.begin, at, range.begin);
    at += range.end - range.begin;
  }
}

static std::vector<uint8_t> readSources(const TensorOp &op) {
  size_t size = 0;
  for (const ByteRange &range : op.sources)
    size += range.end - range.begin;
  std::vector<uint8_t> bytes(size);
  forEachSource(op, [&](const uint8_t *from, size_t count, size_t at,
                        uint32_t) { memcpy(&bytes[at], from, count); });
  return bytes;
}

/// The sources must be as they were when the instruction was issued: it may
/// have read them at any time since.
static void checkUnchanged(const TensorOp &op) {
  forEachSource(op, [&](const uint8_t *now, size_t count, size_t at,
                        uint32_t offset) {
    const uint8_t *before = &op.snapshot[at];
    size_t i = std::mismatch(now, now + count, before).first - now;
    if (i != count)
      fault(*op.thread, op.site,
            format("offset %zu of shared memory has changed while this %s was "
                   "reading it: expected a wait for the mbarrier of its "
                   "tcgen05.commit before the store (--race finds the store)",
                   offset + i, op.getName()));
  });
}

void TensorCore::issue(TensorOp &&op) {
  const Thread &thread = *op.thread;
  op.issuer = thread.cluster->issuers.get(thread);
  checkWarps(op);
  checkAgainstOthers(op);
  if (!op.sources.empty()) {
    checkSources(op);
    op.snapshot = readSources(op);
  }
  if (ops.size() >= manyOps)
    forgetKnown(*thread.cta);
  ops.push_back(std::move(op));
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

void TensorCore::commit(Thread &thread, const Site *site, uint64_t *barrier) {
  checkMBarrier(thread, site, barrier);
  Cta &cta = *thread.cta;
  Warp &warp = *thread.warp;
  Commit commit;
  commit.site = site;
  commit.thread = &thread;
  commit.issuer = thread.cluster->issuers.get(thread);
  commit.epoch = thread.cluster->issuers.addCommit(commit.issuer);
  commit.barrier = barrier;
  commit.delay = cta.launch->settings.seed == 0
                     ? usualDelay
                     : cta.cluster->random.next() % (2 * usualDelay);
  // It is a tcgen05.fence::before_thread_sync as well.
  if (cta.isRacing())
    warp.clocks.fenceBefore(warp.id, thread.lane);
  warp.clocks.release(warp.id, thread.lane, commit.clock);
  commit.clock.order.issuers.at[commit.issuer] = commit.epoch;
  commit.clock.tensor.issuers.at[commit.issuer] = commit.epoch;
  for (TensorOp &op : ops)
    if (op.thread == &thread && op.epoch == 0) {
      op.epoch = commit.epoch;
      op.committed = site;
    }
  commits.push_back(commit);
}

/// Whether knowing that `later` is complete says the same of `earlier`.
static bool isSuperseded(const TensorOp &earlier, const TensorOp &later) {
  return earlier.done && earlier.thread == later.thread &&
         earlier.kind == later.kind && earlier.write == later.write &&
         earlier.numReads == later.numReads &&
         std::equal(earlier.reads, earlier.reads + earlier.numReads,
                    later.reads) &&
         earlier.sources == later.sources;
}

/// The instruction reads and writes now.
static void execute(Cta &cta, TensorOp &op) {
  checkUnchanged(op);
  op.run(cta);
  op.run = nullptr;
  op.snapshot = {};
  // Ranges are asked for in race mode alone.
  if (!cta.isRacing())
    op.sources = {};
  op.done = true;
}

/// Of each place, the last instruction is enough to remember.
void TensorCore::forgetSuperseded() {
  std::vector<TensorOp> kept;
  for (auto op = ops.rbegin(); op != ops.rend(); ++op)
    if (std::none_of(kept.begin(), kept.end(), [&](const TensorOp &later) {
          return isSuperseded(*op, later);
        }))
      kept.push_back(std::move(*op));
  std::reverse(kept.begin(), kept.end());
  ops = std::move(kept);
}

void TensorCore::complete(Cta &cta, size_t index) {
  Commit commit = commits[index];
  commits.erase(commits.begin() + index);
  for (TensorOp &op : ops)
    if (op.thread == commit.thread && !op.done && op.epoch != 0 &&
        op.epoch <= commit.epoch)
      execute(cta, op);
  forgetSuperseded();
  arriveForCommit(*commit.thread, commit.site, commit.barrier, commit.clock);
}

void TensorCore::advance(Cta &cta) {
  // Commits of one thread complete in their order.
  for (size_t i = 0; i < commits.size();) {
    bool isFirst = std::none_of(
        commits.begin(), commits.begin() + i,
        [&](const Commit &c) { return c.thread == commits[i].thread; });
    if (commits[i].delay)
      --commits[i].delay;
    if (commits[i].delay == 0 && isFirst)
      complete(cta, i);
    else
      ++i;
  }
}

void TensorCore::advanceToCommit(Cta &cta) { complete(cta, 0); }

void TensorCore::forgetKnown(const Cta &cta) {
  auto isKnown = [&](const TensorOp &op) {
    bool known = op.done;
    forEachBit(cta.liveWarps, [&](uint32_t w) {
      const WarpClocks &clocks = cta.warps[w].clocks;
      known &=
          clocks.order.issuers.at[op.issuer] >= op.epoch &&
          (!cta.isRacing() || clocks.tensor.issuers.at[op.issuer] >= op.epoch);
    });
    return known;
  };
  ops.erase(std::remove_if(ops.begin(), ops.end(), isKnown), ops.end());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void tmemEmuCommit(TMemEmuThread *t, const TMemEmuSite *site, uint64_t *barrier,
                   uint32_t flags) {
  Thread &thread = getThread(t);
  checkTensorGroup(thread, site, flags);
  thread.cta->tensorCore.commit(thread, site, barrier);
  thread.cta->maybePreempt(thread);
}
