//===- WarpOps.cpp - Shuffles, votes and reductions -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync"
// and "bar.warp.sync". Lanes of the mask that have exited are not waited for.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Meetings.h"
#include "Reduce.h"

using namespace tmem::emulation;

/// What a shuffle gives for a lane that is not there to be read: undefined in
/// PTX, and here no number that a kernel means.
static constexpr uint32_t undefinedValue = 0xdeadbeef;

//===----------------------------------------------------------------------===//
// One group, all lanes there
//===----------------------------------------------------------------------===//

/// The lane that a shuffle reads, and in bit 32 whether that is in range.
static uint64_t getShuffleSource(uint32_t kind, uint32_t lane, uint32_t offset,
                                 uint32_t clamp) {
  uint32_t segment = clamp >> 8 & 31;
  uint32_t maxLane = (lane & segment) | (clamp & 31 & ~segment);
  uint32_t minLane = lane & segment;
  offset &= 31;
  int32_t source = 0;
  bool inRange = false;
  switch (kind) {
  case TMemEmuShuffleUp:
    source = int32_t(lane) - int32_t(offset);
    inRange = source >= int32_t(maxLane);
    break;
  case TMemEmuShuffleDown:
    source = lane + offset;
    inRange = source <= int32_t(maxLane);
    break;
  case TMemEmuShuffleBfly:
    source = lane ^ offset;
    inRange = source <= int32_t(maxLane);
    break;
  default:
    source = minLane | (offset & ~segment);
    inRange = source <= int32_t(maxLane);
    break;
  }
  return inRange ? uint64_t(source) | uint64_t(1) << 32 : lane;
}

/// `extra` is the offset, and from bit 32 the clamp operand.
static void completeShuffle(Warp &warp, const Group &group) {
  forEachBit(group.arrived, [&](uint32_t lane) {
    Thread &thread = *warp.threads[lane];
    uint64_t source = getShuffleSource(group.key, lane, uint32_t(thread.extra),
                                       thread.extra >> 32);
    uint32_t from = source & 31;
    uint32_t value = group.arrived >> from & 1
                         ? uint32_t(warp.threads[from]->value)
                         : undefinedValue;
    thread.result = (source >> 32 << 32) | value;
  });
}

/// Lanes of a group for whose value `fn` holds.
template <typename Fn>
static uint32_t getLanes(const Warp &warp, const Group &group, Fn fn) {
  uint32_t lanes = 0;
  forEachBit(group.arrived, [&](uint32_t lane) {
    lanes |= uint32_t(fn(warp.threads[lane]->value)) << lane;
  });
  return lanes;
}

static void setResults(Warp &warp, const Group &group, uint64_t result) {
  forEachBit(group.arrived,
             [&](uint32_t lane) { warp.threads[lane]->result = result; });
}

static void completeVote(Warp &warp, const Group &group) {
  uint32_t yes = getLanes(warp, group, [](uint64_t v) { return v != 0; });
  switch (group.key) {
  case TMemEmuVoteAny:
    return setResults(warp, group, yes != 0);
  case TMemEmuVoteAll:
    return setResults(warp, group, yes == group.arrived);
  case TMemEmuVoteUni:
    return setResults(warp, group, yes == 0 || yes == group.arrived);
  default:
    return setResults(warp, group, yes);
  }
}

static void completeMatch(Warp &warp, const Group &group) {
  forEachBit(group.arrived, [&](uint32_t lane) {
    Thread &thread = *warp.threads[lane];
    uint32_t same =
        getLanes(warp, group, [&](uint64_t v) { return v == thread.value; });
    bool all = same == group.arrived;
    if (group.key == 0)
      thread.result = same;
    else
      thread.result = all ? same | uint64_t(1) << 32 : 0;
  });
}

static uint32_t combine(uint32_t kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case TMemEmuReduceAdd:
    return a + b;
  case TMemEmuReduceUMin:
    return a < b ? a : b;
  case TMemEmuReduceUMax:
    return a > b ? a : b;
  case TMemEmuReduceSMin:
    return int32_t(a) < int32_t(b) ? a : b;
  case TMemEmuReduceSMax:
    return int32_t(a) > int32_t(b) ? a : b;
  case TMemEmuReduceAnd:
    return a & b;
  case TMemEmuReduceOr:
    return a | b;
  default:
    return a ^ b;
  }
}

/// The key is the kind, and from bit 8 abs and nan.
static void completeRedux(Warp &warp, const Group &group) {
  uint32_t kind = group.key & 0xff;
  bool isFloat = kind == TMemEmuReduceFMin || kind == TMemEmuReduceFMax;
  FloatReduction reduction = {kind == TMemEmuReduceFMax,
                              (group.key >> 8 & 1) != 0,
                              (group.key >> 9 & 1) != 0};
  uint32_t first = getLowest(group.arrived);
  uint32_t result = warp.threads[first]->value;
  if (isFloat)
    result = reduction.begin(result);
  forEachBit(group.arrived & (group.arrived - 1), [&](uint32_t lane) {
    uint32_t value = warp.threads[lane]->value;
    result =
        isFloat ? reduction.add(result, value) : combine(kind, result, value);
  });
  setResults(warp, group, result);
}

/// Any lane of the mask, but the same one each time; where that one has exited,
/// the next one.
static void completeElect(Warp &warp, const Group &group) {
  uint32_t rest = group.mask;
  if (uint64_t seed = warp.cta->launch->settings.seed) {
    uint64_t number = Random::mix(Random::mix(seed) + group.mask);
    for (uint64_t i = number % uint32_t(__builtin_popcount(rest)); i != 0; --i)
      rest &= rest - 1;
  }
  uint32_t behind = group.arrived & -(rest & -rest);
  uint32_t leader = getLowest(behind ? behind : group.arrived);
  setResults(warp, group, leader);
  warp.threads[leader]->result |= uint64_t(1) << 32;
}

void tmem::emulation::completeGroup(Warp &warp, const Group &group) {
  switch (group.op) {
  case GroupOp::Shuffle:
    return completeShuffle(warp, group);
  case GroupOp::Vote:
    return completeVote(warp, group);
  case GroupOp::Elect:
    return completeElect(warp, group);
  case GroupOp::Match:
    return completeMatch(warp, group);
  case GroupOp::Redux:
    return completeRedux(warp, group);
  case GroupOp::WarpSync:
  case GroupOp::Barrier:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

uint64_t tmemEmuShuffle(TMemEmuThread *thread, const TMemEmuSite *site,
                        uint32_t kind, uint32_t mask, uint32_t value,
                        uint32_t offset, uint32_t clamp) {
  return meet(getThread(thread), site, GroupOp::Shuffle, kind, mask, value,
              offset | uint64_t(clamp) << 32);
}

uint32_t tmemEmuVote(TMemEmuThread *thread, const TMemEmuSite *site,
                     uint32_t kind, uint32_t mask, uint32_t predicate) {
  return meet(getThread(thread), site, GroupOp::Vote, kind, mask,
              predicate != 0);
}

uint64_t tmemEmuElect(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t mask) {
  return meet(getThread(thread), site, GroupOp::Elect, 0, mask, 0);
}

uint64_t tmemEmuMatch(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t all, uint32_t mask, uint64_t value) {
  return meet(getThread(thread), site, GroupOp::Match, all != 0, mask, value);
}

uint32_t tmemEmuRedux(TMemEmuThread *thread, const TMemEmuSite *site,
                      uint32_t kind, uint32_t mask, uint32_t value,
                      uint32_t abs, uint32_t nan) {
  uint64_t key = kind | uint64_t(abs != 0) << 8 | uint64_t(nan != 0) << 9;
  return meet(getThread(thread), site, GroupOp::Redux, key, mask, value);
}

void tmemEmuWarpSync(TMemEmuThread *thread, const TMemEmuSite *site,
                     uint32_t mask) {
  meet(getThread(thread), site, GroupOp::WarpSync, 0, mask, 0);
}
