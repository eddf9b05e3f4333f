//===- RunBarriers.cpp - Barriers of a run --------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier is used again and again by the same warps, each of which has a part
// in every meeting. An arrival that need not be behind the meeting before may
// count for that one instead: then the run goes on as if it waited for its own,
// and is no proof that nothing is wrong.
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Which of the open meetings the warp has a part in.
uint64_t Run::findMeeting(Barrier &barrier, Operation *op, unsigned warp) {
  uint64_t &uses = barrier.uses[warp];
  bool isBehind =
      uses <= barrier.numOver && order.getOrder(warp).covers(barrier.last);
  if (!isBehind && !unclearMeeting)
    unclearMeeting = op;
  // It has not been at the ones before.
  uses = std::max(uses, barrier.numOver);
  return uses++ - barrier.numOver;
}

void Run::meet(const Effect &effect, unsigned warp) {
  std::optional<int64_t> number = 0, count = numThreads;
  if (effect.barrier)
    number = getUniform(effect.barrier, warp);
  if (effect.count)
    count = getUniform(effect.count, warp);
  if (!number || !count) {
    giveUpAtBarrier(effect.op, "which warps meet at the barrier is not known");
    return;
  }
  Barrier &barrier = barriers[*number];
  bool isReduced = reduces(effect.op), isCounted = bool(effect.count);
  uint64_t index = findMeeting(barrier, effect.op, warp);
  while (barrier.open.size() <= index)
    barrier.open.push_back({*count, isCounted, isReduced, 0, 0, {}});
  Meeting &meeting = barrier.open[index];
  if (isReduced != meeting.isReduced) {
    giveUpAtBarrier(effect.op, "a reduction meets another use of the barrier");
    return;
  }
  if (*count != meeting.count) {
    giveUpAtBarrier(effect.op, "warps come to the barrier with several counts");
    return;
  }
  meeting.arriving.join(order.release(warp));
  meeting.here |= 1u << warp;
  meeting.isCounted |= isCounted;
  WarpRun &who = warps[warp];
  if (effect.kind == EventKind::BarrierSync) {
    meeting.waiting |= 1u << warp;
    who.status = WarpRun::AtBarrier;
    who.op = effect.op;
  }
  auto isFull = [](const Meeting &meeting) {
    return meeting.isCounted &&
           llvm::popcount(meeting.here) * int64_t(warpSize) >= meeting.count;
  };
  while (!barrier.open.empty() && isFull(barrier.open.front()))
    release(barrier);
}

/// Lets those go who wait; the barrier may be used again.
void Run::release(Barrier &barrier) {
  Meeting meeting = std::move(barrier.open.front());
  barrier.open.pop_front();
  for (unsigned warp = 0; warp < warps.size(); ++warp)
    if (meeting.waiting >> warp & 1) {
      warps[warp].status = WarpRun::Ready;
      ++warps[warp].syncs;
      warps[warp].waited = ~0u;
      order.acquire(warp, meeting.arriving);
      joinLanes(warp, ~0u);
      learn(warp, meeting.arriving.order);
    }
  barrier.last = meeting.arriving.order;
  ++barrier.numOver;
}

/// Barriers of the block end when all warps that have not ended are there.
void Run::releaseBarriers() {
  uint32_t alive = 0;
  for (unsigned warp = 0; warp < warps.size(); ++warp)
    if (warps[warp].status != WarpRun::Done)
      alive |= 1u << warp;
  for (auto &[number, barrier] : barriers)
    if (alive != 0 && !barrier.open.empty() &&
        barrier.open.front().waiting == alive)
      release(barrier);
}
