//===- Deadlock.cpp - Why no thread can run -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cta.h"
#include "Faults.h"
#include "Meetings.h"

using namespace tmem::emulation;

namespace {

/// Lanes of warps that wait at one place for one thing.
struct Waiters {
  const Site *site;
  std::string what;
  uint32_t warps = 0;
  uint32_t lanes = 0; ///< Of the last of them.
  bool whole = true;  ///< All live lanes of each.

  std::string describe() const {
    std::string who = describeWarps(warps);
    if (!whole)
      who = describeLanes(lanes) + " of " + who;
    return who + " " + what;
  }
};

} // namespace

/// What one lane that cannot run does, to follow "lanes 0 to 3 ".
static std::string describeWait(const Warp &warp, const Thread &thread) {
  if (warp.blockedSite)
    return warp.describeBlocked(warp);
  switch (thread.wait) {
  case Wait::Warp:
    return "waiting here for the other lanes of the warp";
  case Wait::Group:
    return "waiting here for the other lanes of the member mask";
  case Wait::Cluster:
    return "waiting here for the cluster barrier";
  case Wait::MBarrier:
    return describeMBarrierWait(thread);
  case Wait::Nothing:
    break;
  }
  return "running";
}

static const Site *getWaitSite(const Warp &warp, const Thread &thread) {
  return warp.blockedSite ? warp.blockedSite : thread.site;
}

/// Who waits where; threads that only poll count as waiting.
static std::vector<Waiters> findWaiters(const Cta &cta, uint32_t onlyWarps) {
  std::vector<Waiters> all;
  forEachBit(onlyWarps & cta.liveWarps, [&](uint32_t w) {
    const Warp &warp = cta.warps[w];
    size_t firstOfWarp = all.size();
    forEachBit(warp.live, [&](uint32_t lane) {
      const Thread &thread = *warp.threads[lane];
      const Site *site = getWaitSite(warp, thread);
      std::string what = describeWait(warp, thread);
      for (size_t i = firstOfWarp; i < all.size(); ++i)
        if (all[i].site == site && all[i].what == what) {
          all[i].lanes |= 1u << lane;
          return;
        }
      all.push_back({site, what, 1u << w, 1u << lane, true});
    });
    for (size_t i = firstOfWarp; i < all.size(); ++i)
      all[i].whole = all[i].lanes == warp.live;
  });
  // Whole warps that wait for the same make one line.
  std::vector<Waiters> merged;
  for (const Waiters &waiters : all) {
    bool found = false;
    for (Waiters &other : merged)
      if (waiters.whole && other.whole && other.site == waiters.site &&
          other.what == waiters.what) {
        other.warps |= waiters.warps;
        found = true;
        break;
      }
    if (!found)
      merged.push_back(waiters);
  }
  return merged;
}

static std::vector<Note> makeNotes(const std::vector<Waiters> &all,
                                   size_t first) {
  constexpr size_t maxNotes = 16;
  std::vector<Note> notes;
  for (size_t i = first; i < all.size() && notes.size() < maxNotes; ++i)
    notes.push_back({all[i].site, all[i].describe()});
  return notes;
}

/// Lanes that a warp's meeting or group waits for.
[[noreturn]] static void reportMissing(const Cta &cta, const Warp &warp,
                                       const Site *site, uint32_t arrived,
                                       uint32_t missing) {
  std::string where;
  if (uint32_t gone = missing & ~warp.live)
    where += format(", %s %s exited", describeLanes(gone).c_str(),
                    count(gone) == 1 ? "has" : "have");
  std::vector<Note> notes;
  for (const Waiters &waiters : findWaiters(cta, warp.getBit()))
    if (uint32_t lanes = waiters.lanes & missing)
      notes.push_back({waiters.site, describeLanes(lanes) + " of warp " +
                                         std::to_string(warp.index) + " " +
                                         waiters.what});
  for (const Note &note : makeNotes(findWaiters(cta, ~warp.getBit()), 0))
    notes.push_back(note);
  fault(*warp.threads[getLowest(arrived)], site,
        format("missing lanes: %s of warp %u wait%s for %s, and no thread of "
               "the block can run%s",
               describeLanes(arrived).c_str(), warp.index,
               count(arrived) == 1 ? "s" : "", describeLanes(missing).c_str(),
               where.c_str()),
        notes);
}

void Cta::reportStuck(Cta &cta) {
  forEachBit(cta.liveWarps, [&](uint32_t w) {
    const Warp &warp = cta.warps[w];
    const Meeting &meeting = warp.meeting;
    if (meeting.arrived)
      reportMissing(cta, warp, meeting.site, meeting.arrived,
                    warp.existing & ~meeting.arrived);
  });
  forEachBit(cta.liveWarps, [&](uint32_t w) {
    const Warp &warp = cta.warps[w];
    if (warp.numGroups) {
      const Group &group = warp.groups[0];
      reportMissing(cta, warp, group.site, group.arrived,
                    group.mask & warp.existing & ~group.arrived);
    }
  });
  std::vector<Waiters> all = findWaiters(cta, fullMask);
  const Warp &warp = cta.warps[getLowest(all[0].warps)];
  uint32_t lane = getLowest(all[0].lanes);
  fault(*warp.threads[lane], all[0].site,
        "deadlock: no thread of the block can run, with " + all[0].describe(),
        makeNotes(all, 1));
}
