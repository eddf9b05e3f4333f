//===- Order.cpp - What happens before what in a run ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Waits, fences, barriers
//===----------------------------------------------------------------------===//

void RunOrder::wait(unsigned warp, AccessKind kind) {
  Carried &has = warps[warp].has;
  Clock &done = kind == AccessKind::Load ? has.loads : has.stores;
  done.at[warp] = has.order.at[warp];
}

void RunOrder::fenceBefore(unsigned warp) {
  Carried &has = warps[warp].has;
  has.ledLoads.at[warp] = has.loads.at[warp];
  has.ledStores.at[warp] = has.stores.at[warp];
  has.fences.at[warp] = has.order.at[warp];
}

void RunOrder::fenceAfter(unsigned warp) {
  Warp &who = warps[warp];
  who.tookLoads.join(who.has.ledLoads);
  who.tookStores.join(who.has.ledStores);
  who.tookFences.join(who.has.fences);
}

/// From here on it is complete; earlier loads may not be.
void RunOrder::finish(unsigned warp, unsigned root, uint32_t number) {
  for (Access &access : llvm::reverse(accesses[root]))
    if (access.actor == warp && access.number == number) {
      access.finished = mark(warp);
      return;
    }
}

Carried RunOrder::release(unsigned warp) {
  mark(warp);
  return warps[warp].has;
}

/// A commit comes after what the warp did, but makes only the tensor core's
/// accesses known; it has the fence before in it (PTX ISA, tcgen05.commit).
Carried RunOrder::commit(unsigned warp, uint32_t lanes) {
  mark(warp);
  Carried carried;
  carried.order = warps[warp].has.order;
  committed[warp] |= lanes;
  for (auto it = issuers.lower_bound({warp, 0});
       it != issuers.end() && it->first.first == warp; ++it)
    if (lanes >> it->first.second & 1)
      carried.stores.at[it->second] = carried.ledStores.at[it->second] =
          carried.order.at[it->second];
  return carried;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Each lane that issues is an actor; past as many as there are, they are taken
/// to be one.
unsigned RunOrder::getIssuer(unsigned warp, unsigned lane) {
  auto [it, isNew] = issuers.try_emplace({warp, lane}, maxWarps + warp);
  auto first = issuers.lower_bound({warp, 0});
  bool isFirst = first == it && (std::next(it) == issuers.end() ||
                                 std::next(it)->first.first != warp);
  if (isNew && !isFirst && numIssuers < numOtherLanes)
    it->second = 2 * maxWarps + numIssuers++;
  return it->second;
}

Missing RunOrder::getCompletion(const Access &before) const {
  uint32_t lanes = committed[before.warp];
  return lanes != 0 && !(lanes >> before.lane & 1) ? Missing::Issuer
                                                   : Missing::Completion;
}

/// Whether an access was complete before what `warp` does now.
bool RunOrder::isWaitedFor(const Access &before, unsigned warp) const {
  const Carried &has = warps[warp].has;
  const Clock &waited =
      before.kind == AccessKind::Load ? has.loads : has.stores;
  return waited.at[before.actor] >= before.number ||
         (before.finished != 0 &&
          has.order.at[before.actor] >= before.finished);
}

/// The newest load of a warp stands for its earlier ones, a store for
/// everything that it comes after; but a load whose registers are followed may
/// be complete before an earlier one is.
bool RunOrder::standsFor(const Access &now, const Access &before) const {
  if (isTensor(now.kind))
    return false;
  if (now.kind == AccessKind::Store)
    return true;
  return before.actor == now.actor && before.kind == AccessKind::Load &&
         (!now.isFollowed || isWaitedFor(before, now.warp));
}

/// What is missing between an access and the next one, by `warp`.
std::optional<Missing> RunOrder::findMissing(const Access &before,
                                             unsigned warp) const {
  const Warp &who = warps[warp];
  bool loads = before.kind == AccessKind::Load;
  const Clock &led = loads ? who.has.ledLoads : who.has.ledStores;
  const Clock &took = loads ? who.tookLoads : who.tookStores;
  auto knows = [&](const Clock &clock) {
    return clock.at[before.actor] >= before.number;
  };
  auto isBehind = [&](const Clock &clock) {
    return before.finished != 0 && clock.at[before.actor] >= before.finished;
  };
  if (before.actor == warp)
    return isWaitedFor(before, warp) ? std::nullopt
                                     : std::optional(Missing::OwnWait);
  if (isTensor(before.kind))
    return knows(took) ? std::nullopt : std::optional(getCompletion(before));
  if (knows(took) || isBehind(who.tookFences))
    return std::nullopt;
  if (knows(led) || isBehind(who.has.fences))
    return Missing::FenceAfter;
  if (isWaitedFor(before, warp))
    return Missing::FenceBefore;
  return knows(who.has.order) ? Missing::Wait : Missing::Barrier;
}

void RunOrder::check(const Access &before, const Access &now, unsigned warp) {
  if ((isRead(before.kind) && isRead(now.kind)) ||
      (isTensor(before.kind) && before.actor == now.actor))
    return;
  if (std::optional<Missing> missing = findMissing(before, warp))
    report.findings.push_back(
        describeAccess(*missing, before.kind, now.op, before.op));
}

uint32_t RunOrder::access(unsigned warp, AccessKind kind, unsigned root,
                          const Cells &cells, Operation *op, unsigned lane,
                          bool isFollowed) {
  unsigned actor = isTensor(kind) ? getIssuer(warp, lane) : warp;
  Access now{cells, actor, kind, 0, op, warp, lane, isFollowed};
  if (auto it = freed.find(root); it != freed.end())
    report.findings.push_back(describeFreed(op, it->second));
  auto &list = accesses[root];
  for (Access &before : list) {
    if (!before.cells.intersects(cells))
      continue;
    // One is enough: others of this access have the same cause.
    if (!isFaulty())
      check(before, now, warp);
    if (standsFor(now, before))
      before.cells.subtract(cells);
  }
  llvm::erase_if(list,
                 [](const Access &access) { return access.cells.isEmpty(); });
  now.number = ++warps[warp].has.order.at[now.actor];
  list.push_back(now);
  return now.number;
}

void RunOrder::free(unsigned warp, unsigned root, Operation *op) {
  const Warp &who = warps[warp];
  for (const Access &before : accesses[root]) {
    if (isWaitedFor(before, warp))
      continue;
    Missing missing = Missing::Barrier;
    if (before.actor == warp)
      missing = Missing::OwnWait;
    else if (isTensor(before.kind))
      missing = getCompletion(before);
    else if (who.has.order.at[before.actor] >= before.number)
      missing = Missing::Wait;
    report.findings.push_back(
        describeFree(missing, before.kind, op, before.op));
    break;
  }
  accesses[root].clear();
  freed[root] = op;
}
