//===- Meetings.cpp - Operations of several lanes -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meetings.h"
#include "Faults.h"

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Aligned operations
//===----------------------------------------------------------------------===//

void tmem::emulation::reportDivergence(Thread &thread, const Site *site) {
  const Meeting &meeting = thread.warp->meeting;
  fault(
      thread, site,
      format("divergent warp: lane %u of warp %u executes this while %s of "
             "the warp wait%s at another .aligned operation: expected all "
             "32 lanes to execute the same one",
             thread.lane, thread.warp->index,
             describeLanes(meeting.arrived).c_str(),
             count(meeting.arrived) == 1 ? "s" : ""),
      {{meeting.site, describeLanes(meeting.arrived) + " wait" +
                          (count(meeting.arrived) == 1 ? "s" : "") + " here"}});
}

/// What differs first between the operands of two lanes, as "its address".
static std::string describeDifference(const Operands &first,
                                      const Operands &other, uint32_t firstLane,
                                      uint32_t lane) {
  bool columns = first.op == AlignedOp::Alloc || first.op == AlignedOp::Dealloc;
  if (first.address != other.address)
    return format("expected the same address in all lanes, but lane %u has %s "
                  "and lane %u has %s",
                  firstLane, describeAddress(first.address).c_str(), lane,
                  describeAddress(other.address).c_str());
  if (first.count != other.count && columns)
    return format("expected the same number of columns in all lanes, but lane "
                  "%u has %u and lane %u has %u",
                  firstLane, first.count, lane, other.count);
  if (first.offset != other.offset)
    return format("expected the same %s in all lanes, but lane %u has %#llx "
                  "and lane %u has %#llx",
                  first.op == AlignedOp::Alloc ? "destination" : "immediate",
                  firstLane, static_cast<unsigned long long>(first.offset),
                  lane, static_cast<unsigned long long>(other.offset));
  return format("expected the same operation in all lanes, but lanes %u and "
                "%u differ in their operands",
                firstLane, lane);
}

void tmem::emulation::reportDisagreement(Thread &thread, const Site *site,
                                         const Operands &operands) {
  const Meeting &meeting = thread.warp->meeting;
  fault(thread, site,
        describeDifference(meeting.operands, operands,
                           getLowest(meeting.arrived), thread.lane));
}

void tmem::emulation::reportExited(Thread &thread, const Site *site) {
  const Warp &warp = *thread.warp;
  if (warp.existing != fullMask)
    fault(thread, site,
          format("missing lanes: expected all 32 lanes of warp %u, but the "
                 "warp has only %s: launch a multiple of 32 threads",
                 warp.index, describeLanes(warp.existing).c_str()));
  uint32_t gone = ~warp.live;
  fault(thread, site,
        format("missing lanes: expected all 32 lanes of warp %u, but %s %s "
               "exited",
               warp.index, describeLanes(gone).c_str(),
               count(gone) == 1 ? "has" : "have"));
}

//===----------------------------------------------------------------------===//
// Member masks
//===----------------------------------------------------------------------===//

/// The open group that a lane joins, made if there is none.
static uint32_t findGroup(Thread &thread, const Site *site, GroupOp op,
                          uint64_t key, uint32_t mask) {
  Warp &warp = *thread.warp;
  for (uint32_t i = 0; i < warp.numGroups; ++i) {
    const Group &group = warp.groups[i];
    if (group.op != op)
      continue;
    if (group.mask == mask && group.key == key)
      return i;
    // Each waits for the other, and none will come.
    bool waitsForUs = group.mask & thread.getBit();
    if (group.mask != mask && waitsForUs && (group.arrived & mask))
      fault(thread, site,
            format("expected the same member mask in all lanes that it names, "
                   "but lane %u has 0x%08x and %s 0x%08x",
                   thread.lane, mask,
                   describeLanes(group.arrived & mask).c_str(), group.mask),
            {{group.site, describeLanes(group.arrived) + " arrived here"}});
  }
  // At most one for each lane: a lane waits in one group.
  warp.groups[warp.numGroups] = {op, mask, key, 0, site};
  return warp.numGroups++;
}

static void removeGroup(Warp &warp, uint32_t index) {
  warp.groups[index] = warp.groups[--warp.numGroups];
}

/// Does the work of a group that is complete. Returns whether its lanes go on.
static bool finishGroup(Thread &thread, Warp &warp, const Group &group) {
  if (group.op == GroupOp::Barrier)
    return arriveAtBarrier(thread, warp, group.site, group.key & 0xff,
                           group.key >> 8 & 0xffff, group.key >> 24);
  completeGroup(warp, group);
  return true;
}

uint64_t tmem::emulation::meet(Thread &thread, const Site *site, GroupOp op,
                               uint64_t key, uint32_t mask, uint64_t value,
                               uint64_t extra) {
  Warp &warp = *thread.warp;
  if (!(mask & thread.getBit()))
    fault(thread, site,
          format("expected a member mask with the lane that names it, but "
                 "lane %u has 0x%08x",
                 thread.lane, mask));
  thread.value = value;
  thread.extra = extra;
  uint32_t index = findGroup(thread, site, op, key, mask);
  Group &open = warp.groups[index];
  open.arrived |= thread.getBit();
  if (open.arrived != (mask & warp.live)) {
    thread.cta->block(thread, Wait::Group, site);
    return thread.result;
  }
  Group group = open;
  removeGroup(warp, index);
  if (finishGroup(thread, warp, group))
    thread.cta->wake(warp, group.arrived);
  else
    thread.cta->block(thread, Wait::Warp, site);
  return thread.result;
}

//===----------------------------------------------------------------------===//
// Exit
//===----------------------------------------------------------------------===//

/// Completes the groups that only waited for threads that exited.
static void updateGroups(Thread &thread, Warp &warp) {
  for (uint32_t i = 0; i < warp.numGroups;) {
    Group group = warp.groups[i];
    if (group.arrived != (group.mask & warp.live)) {
      ++i;
      continue;
    }
    removeGroup(warp, i);
    if (finishGroup(thread, warp, group))
      thread.cta->wake(warp, group.arrived);
  }
}

/// The same for an aligned operation, of which only barriers allow it.
static void updateMeeting(Thread &thread, Warp &warp) {
  Meeting &meeting = warp.meeting;
  if (!meeting.arrived || meeting.arrived != warp.live)
    return;
  const Operands &operands = meeting.operands;
  if (!canMissLanes(operands.op))
    reportExited(*warp.threads[getLowest(meeting.arrived)], meeting.site);
  meeting.arrived = 0;
  if (operands.op == AlignedOp::ClusterBarrier ||
      arriveAtBarrier(thread, warp, meeting.site, operands.address,
                      operands.count, operands.flags))
    thread.cta->wake(warp, warp.live);
}

void tmem::emulation::exitThread(Thread &thread) {
  Cta &cta = *thread.cta;
  Warp &warp = *thread.warp;
  warp.live &= ~thread.getBit();
  warp.runnable &= ~thread.getBit();
  if (!warp.runnable)
    cta.runnableWarps &= ~warp.getBit();
  cta.cluster->idlePolls = 0;
  if (!warp.live) {
    cta.liveWarps &= ~warp.getBit();
    recordEnd(warp);
  }
  updateGroups(thread, warp);
  updateMeeting(thread, warp);
  updateBarriers(thread, /*warpEnded=*/!warp.live);
  if (cta.hasExited())
    cta.finish();
}
