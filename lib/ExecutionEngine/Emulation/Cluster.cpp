//===- Cluster.cpp - The CTAs that one scheduler runs ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Faults.h"
#include "Meetings.h"
#include "SharedWindows.h"
#include <new>

using namespace tmem::emulation;
using boost::context::fiber;

static thread_local Cluster *activeCluster = nullptr;
static thread_local Cluster *abandonedCluster = nullptr;

Thread *tmem::emulation::getActiveThread() {
  return activeCluster ? activeCluster->current : nullptr;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Round robin: behind the warp whose turn it was, or from the first one on.
Warp *Cluster::findNextWarp() const {
  uint32_t begin = firstCta;
  if (turn) {
    Cta &cta = *turn->cta;
    uint32_t after = cta.runnableWarps & ~((2u << turn->index) - 1);
    if (after)
      return &cta.warps[getLowest(after)];
    begin = cta.rank + 1;
  }
  uint32_t numCtas = ctas.size();
  for (uint32_t i = 0; i < numCtas; ++i) {
    uint32_t rank = begin + i;
    Cta &cta = *ctas[rank < numCtas ? rank : rank - numCtas];
    if (cta.runnableWarps)
      return &cta.warps[getLowest(cta.runnableWarps)];
  }
  return nullptr;
}

Warp *Cluster::pickRandomWarp() {
  uint32_t total = 0;
  for (const Cta *cta : ctas)
    total += count(cta->runnableWarps);
  if (total == 0)
    return nullptr;
  uint32_t skip = random.next() % total;
  Cta *const *cta = ctas.data();
  for (; skip >= count((*cta)->runnableWarps); ++cta)
    skip -= count((*cta)->runnableWarps);
  uint32_t rest = (*cta)->runnableWarps;
  for (; skip; --skip)
    rest &= rest - 1;
  Warp &warp = (*cta)->warps[getLowest(rest)];
  warp.lastLane = random.next() % warpSize;
  return &warp;
}

/// Time passes until the tensor core of some CTA has done more.
bool Cluster::advanceToCommit() {
  for (Cta *cta : ctas)
    if (cta->liveWarps && cta->tensorCore.isBusy()) {
      cta->tensorCore.advanceToCommit(*cta);
      return true;
    }
  return false;
}

/// Gives the turn to a warp that has a lane to run, if there is one.
bool Cluster::startTurn() {
  for (Cta *cta : ctas)
    if (cta->tensorCore.isBusy())
      cta->tensorCore.advance(*cta);
  auto findWarp = [&] {
    return launch->settings.seed == 0 ? findNextWarp() : pickRandomWarp();
  };
  Warp *next = findWarp();
  while (!next && advanceToCommit())
    next = findWarp();
  if (!next)
    return false;
  turn = next;
  turn->turn = fullMask;
  return true;
}

void Cluster::preempt(Thread &self) {
  if (random.next() % 4 != 0)
    return;
  self.warp->turn = 0;
  wait(self);
}

bool Cluster::isLive() const {
  for (const Cta *cta : ctas)
    if (cta->liveWarps)
      return true;
  return false;
}

void Cluster::finish(Thread &self) {
  exitThread(self);
  Thread *next = pick();
  if (!next && isLive())
    reportStuck();
  leaving = &self.context;
  current = next;
  fiber previous = std::move(next ? next->context : main).resume();
  // Whoever runs the CTA next may do so in another cluster.
  self.cluster->enter(std::move(previous));
}

//===----------------------------------------------------------------------===//
// One cluster of a grid
//===----------------------------------------------------------------------===//

void Cluster::run(const Launch &newLaunch, uint64_t linearIndex, uint32_t sm) {
  launch = &newLaunch;
  uint64_t rest = linearIndex;
  for (int i = 0; i < 3; ++i) {
    uint32_t size = launch->grid[i] / launch->cluster[i];
    index[i] = i == 2 ? rest : rest % size;
    rest /= size;
  }
  random.seed(launch->settings.seed, linearIndex);
  turn = nullptr;
  current = nullptr;
  idlePolls = firstCta = 0;
  barrier = ClusterBarrier();
  barrier.numLive = launch->getNumThreads() * ctas.size();
  memoryClock = SyncClock();
  issuers = Issuers();
  ctaGroup = 0;
  ctaGroupSite = nullptr;
  for (uint32_t rank = 0; rank < ctas.size(); ++rank) {
    ctas[rank]->sm = sm * ctas.size() + rank;
    ctas[rank]->prepare(*this, rank);
  }
  activeCluster = this;
  switchTo(*pick(), main);
  activeCluster = nullptr;
}

void Cluster::abandon() {
  if (activeCluster)
    abandonedCluster = activeCluster;
  activeCluster = nullptr;
}

Cluster *Cluster::takeAbandoned() {
  Cluster *cluster = abandonedCluster;
  abandonedCluster = nullptr;
  if (!cluster)
    return nullptr;
  for (Cta *cta : cluster->ctas)
    cta->remakeFibers();
  new (&cluster->main) fiber();
  return cluster;
}

Cta *Cluster::findOwner(uint64_t address) const {
  for (Cta *cta : ctas)
    if (address - cta->sharedBegin < sharedWindowStride)
      return cta;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string tmem::emulation::describeCta(const Cta &cta) {
  return format("block %u,%u,%u", cta.index[0], cta.index[1], cta.index[2]);
}

std::string tmem::emulation::describeWarp(const Cta &from, uint32_t id) {
  const Warp &warp = from.cluster->getWarp(id);
  std::string text = "warp " + std::to_string(warp.index);
  return warp.cta == &from ? text : text + " of " + describeCta(*warp.cta);
}
