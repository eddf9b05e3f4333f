//===- Deadlock.cpp - Why no thread can run -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Faults.h"
#include "Meetings.h"
#include <algorithm>

using namespace tmem::emulation;

namespace {

/// Lanes of warps that wait at one place for one thing.
struct Waiters {
  const Cta *cta;
  const Site *site;
  std::string what;
  uint32_t warps = 0;
  uint32_t lanes = 0; ///< Of the last of them.
  bool whole = true;  ///< All live lanes of each.

  std::string describe() const {
    std::string who = describeWarps(warps);
    if (!whole)
      who = describeLanes(lanes) + " of " + who;
    if (cta->cluster->ctas.size() > 1)
      who += " of " + describeCta(*cta);
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
    return describeClusterWait(thread);
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

/// The lanes of a warp by what they wait for.
static std::vector<Waiters> findWaiters(const Warp &warp) {
  std::vector<Waiters> all;
  forEachBit(warp.live, [&](uint32_t lane) {
    const Thread &thread = *warp.threads[lane];
    const Site *site = getWaitSite(warp, thread);
    std::string what = describeWait(warp, thread);
    for (Waiters &waiters : all)
      if (waiters.site == site && waiters.what == what) {
        waiters.lanes |= 1u << lane;
        return;
      }
    all.push_back({warp.cta, site, what, warp.getBit(), 1u << lane});
  });
  for (Waiters &waiters : all)
    waiters.whole = waiters.lanes == warp.live;
  return all;
}

/// Who waits where in all of the cluster but one warp; threads that only poll
/// count as waiting.
static std::vector<Waiters> findOthers(const Cluster &cluster,
                                       const Warp *except) {
  std::vector<Waiters> merged;
  for (const Cta *cta : cluster.ctas)
    forEachBit(cta->liveWarps, [&](uint32_t w) {
      if (&cta->warps[w] == except)
        return;
      // Whole warps that wait for the same make one line.
      for (const Waiters &waiters : findWaiters(cta->warps[w])) {
        auto same = std::find_if(
            merged.begin(), merged.end(), [&](const Waiters &other) {
              return waiters.whole && other.whole && other.cta == cta &&
                     other.site == waiters.site && other.what == waiters.what;
            });
        if (same == merged.end())
          merged.push_back(waiters);
        else
          same->warps |= waiters.warps;
      }
    });
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

/// "block", or where there are several "cluster".
static const char *getScope(const Cluster &cluster) {
  return cluster.ctas.size() > 1 ? "cluster" : "block";
}

/// Lanes that a warp's meeting or group waits for.
[[noreturn]] static void reportMissing(const Warp &warp, const Site *site,
                                       uint32_t arrived, uint32_t missing) {
  const Cluster &cluster = *warp.cta->cluster;
  std::string where;
  if (uint32_t gone = missing & ~warp.live)
    where += format(", %s %s exited", describeLanes(gone).c_str(),
                    count(gone) == 1 ? "has" : "have");
  std::vector<Note> notes;
  for (const Waiters &waiters : findWaiters(warp))
    if (uint32_t lanes = waiters.lanes & missing)
      notes.push_back({waiters.site, describeLanes(lanes) + " of warp " +
                                         std::to_string(warp.index) + " " +
                                         waiters.what});
  for (const Note &note : makeNotes(findOthers(cluster, &warp), 0))
    notes.push_back(note);
  fault(*warp.threads[getLowest(arrived)], site,
        format("missing lanes: %s of warp %u wait%s for %s, and no thread of "
               "the %s can run%s",
               describeLanes(arrived).c_str(), warp.index,
               count(arrived) == 1 ? "s" : "", describeLanes(missing).c_str(),
               getScope(cluster), where.c_str()),
        notes);
}

template <typename Fn>
static void forEachLiveWarp(const Cluster &cluster, Fn fn) {
  for (const Cta *cta : cluster.ctas)
    forEachBit(cta->liveWarps, [&](uint32_t w) { fn(cta->warps[w]); });
}

void Cluster::reportStuck() const {
  forEachLiveWarp(*this, [](const Warp &warp) {
    const Meeting &meeting = warp.meeting;
    if (meeting.arrived)
      reportMissing(warp, meeting.site, meeting.arrived,
                    warp.existing & ~meeting.arrived);
  });
  forEachLiveWarp(*this, [](const Warp &warp) {
    if (!warp.numGroups)
      return;
    const Group &group = warp.groups[0];
    reportMissing(warp, group.site, group.arrived,
                  group.mask & warp.existing & ~group.arrived);
  });
  std::vector<Waiters> all = findOthers(*this, nullptr);
  const Warp &warp = all[0].cta->warps[getLowest(all[0].warps)];
  uint32_t lane = getLowest(all[0].lanes);
  fault(
      *warp.threads[lane], all[0].site,
      format("deadlock: no thread of the %s can run, with ", getScope(*this)) +
          all[0].describe(),
      makeNotes(all, 1));
}
