//===- Pairs.cpp - tcgen05.alloc and dealloc of a pair of CTAs ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.alloc", "CTA Pair" and "Issue Granularity": one warp of
// each CTA executes the operation, and the first may wait for the second. Both
// have the same columns. That they meet there orders nothing else between them.
//
//===----------------------------------------------------------------------===//

#include "Pairs.h"
#include "Allocation.h"
#include "Faults.h"

using namespace tmem::emulation;

static const char *getName(AlignedOp op) {
  return op == AlignedOp::Alloc ? "tcgen05.alloc" : "tcgen05.dealloc";
}

static AlignedOp getOp(const Warp &warp) { return warp.meeting.operands.op; }

static void removeFirst(std::vector<Warp *> &queue) {
  queue.erase(queue.begin());
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

[[noreturn]] static void reportExitedPeer(const Warp &warp, const Site *site,
                                          const Cta &peer) {
  fault(
      *warp.threads[0], site,
      format("%s with .cta_group::2 waits for the peer, %s, which has exited: "
             "expected one warp of each block of the pair to execute it",
             getName(getOp(warp)), describeCta(peer).c_str()));
}

void tmem::emulation::reportWaitingPeer(const Cta &exited) {
  const Cta *peer = exited.cluster->getPeer(exited);
  if (!peer)
    return;
  for (const std::vector<Warp *> *queue :
       {&peer->pairAllocs, &peer->pairDeallocs})
    if (!queue->empty())
      reportExitedPeer(*queue->front(), queue->front()->blockedSite, exited);
}

static std::string describeBlocked(const Warp &warp) {
  Cta &cta = *warp.cta;
  const Cta &peer = *cta.cluster->getPeer(cta);
  AlignedOp op = getOp(warp);
  bool hasCome =
      !(op == AlignedOp::Alloc ? peer.pairAllocs : peer.pairDeallocs).empty();
  if (!hasCome)
    return format("waiting here for %s of the peer, %s", getName(op),
                  describeCta(peer).c_str());
  return describeWaitForColumns(warp);
}

/// The warp waits in a queue of its CTA until the operation is done.
static void enqueue(Warp &warp, const Site *site, std::vector<Warp *> &queue) {
  Cta &cta = *warp.cta;
  Cta &peer = *cta.cluster->getPeer(cta);
  if (peer.hasExited())
    reportExitedPeer(warp, site, peer);
  warp.blockedSite = site;
  warp.blockedOn = warp.meeting.operands.count;
  warp.describeBlocked = describeBlocked;
  queue.push_back(&warp);
}

/// Both warps have to ask for the same.
static void checkAgreement(const Warp &warp, const Warp &other) {
  const Operands &mine = warp.meeting.operands;
  const Operands &theirs = other.meeting.operands;
  const char *name = getName(mine.op);
  std::string who = describeCta(*other.cta);
  std::string problem;
  if (mine.count != theirs.count)
    problem = format("expected the same number of columns in both blocks of "
                     "the pair, but got %u, and %u in %s",
                     mine.count, theirs.count, who.c_str());
  else if (mine.address != theirs.address)
    problem =
        format("expected the same address in both blocks of the pair, but "
               "got %s, and %s in %s",
               describeAddress(mine.address).c_str(),
               describeAddress(theirs.address).c_str(), who.c_str());
  else if ((mine.flags ^ theirs.flags) & TMemEmuExclusive)
    problem = format(
        "expected .exclusive in both blocks of the pair or in "
        "none, but got it in one, and not in %s",
        describeCta(*(theirs.flags & TMemEmuExclusive ? warp : other).cta)
            .c_str());
  if (!problem.empty())
    fault(*warp.threads[0], warp.blockedSite, problem,
          {{other.blockedSite, std::string(name) + " of " + who}});
}

//===----------------------------------------------------------------------===//
// alloc
//===----------------------------------------------------------------------===//

/// Allocates in both CTAs, if both have come and columns are free.
static bool tryAllocatePair(Cta &cta, Cta &peer) {
  Warp &first = *cta.pairAllocs.front(), &second = *peer.pairAllocs.front();
  const Operands &operands = first.meeting.operands;
  uint64_t choice = chooseColumns(cta);
  bool exclusive = operands.flags & TMemEmuExclusive;
  Allocation *mine = cta.tensor.allocate(operands.count, exclusive, choice);
  if (!mine)
    return false;
  // Nothing else can have columns in one CTA alone: the same are free in both.
  Allocation *theirs = peer.tensor.allocate(operands.count, exclusive, choice);
  if (!theirs || theirs->base != mine->base)
    fault(cta, first.blockedSite, "the blocks of a pair have other columns");
  finishAlloc(first, first.blockedSite, operands, *mine);
  finishAlloc(second, second.blockedSite, second.meeting.operands, *theirs);
  for (Warp *warp : {&first, &second})
    unblock(*warp);
  return true;
}

static void serveAllocs(Cta &cta, Cta &peer) {
  while (!cta.pairAllocs.empty() && !peer.pairAllocs.empty() &&
         tryAllocatePair(cta, peer)) {
    removeFirst(cta.pairAllocs);
    removeFirst(peer.pairAllocs);
  }
}

bool tmem::emulation::allocatePair(Warp &warp, const Site *site) {
  Cta &cta = *warp.cta;
  Cta &peer = *cta.cluster->getPeer(cta);
  enqueue(warp, site, cta.pairAllocs);
  size_t position = cta.pairAllocs.size();
  if (peer.pairAllocs.size() >= position)
    checkAgreement(warp, *peer.pairAllocs[position - 1]);
  serveAllocs(cta, peer);
  return !warp.blockedSite;
}

//===----------------------------------------------------------------------===//
// dealloc
//===----------------------------------------------------------------------===//

/// The peer's alloc may still be going on there when it is done here.
static void checkPeerAlloc(const Warp &warp, const Site *site,
                           const Allocation &allocation) {
  const Thread &thread = *warp.threads[0];
  Cta &peer = *warp.cta->cluster->getPeer(*warp.cta);
  const Allocation *theirs = findByBase(peer, allocation.base);
  if (!theirs)
    fault(thread, site, "the blocks of a pair have other columns");
  uint32_t id = peer.warps[theirs->warp].id;
  if (warp.clocks.order.at[id] < theirs->epoch)
    fault(thread, site,
          format("dealloc is not ordered after the alloc of the peer, %s: "
                 "execute a barrier of the cluster between alloc and dealloc",
                 describeCta(peer).c_str()),
          {{theirs->site, "allocated here by " + describeCta(peer)}});
}

bool tmem::emulation::deallocatePair(Warp &warp, const Site *site) {
  Cta &cta = *warp.cta;
  Cta &peer = *cta.cluster->getPeer(cta);
  Allocation &mine = beginDealloc(warp, site, warp.meeting.operands);
  checkPeerAlloc(warp, site, mine);
  mine.freeing = site;
  enqueue(warp, site, cta.pairDeallocs);
  if (peer.pairDeallocs.empty())
    return false;
  Warp &other = *peer.pairDeallocs.front();
  checkAgreement(warp, other);
  Allocation &theirs = *findByBase(peer, mine.base);
  cta.tensor.deallocate(mine, site);
  peer.tensor.deallocate(theirs, other.blockedSite);
  removeFirst(cta.pairDeallocs);
  removeFirst(peer.pairDeallocs);
  for (Warp *done : {&warp, &other})
    unblock(*done);
  serveAllocs(cta, peer);
  return true;
}
