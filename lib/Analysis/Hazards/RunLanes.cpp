//===- RunLanes.cpp - What lanes of a warp know of a run ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane that waits for an mbarrier says nothing to the other lanes of its warp
// until they meet: behind the wait of one lane, the others may arrive too
// early. So what lanes know is kept by groups that have done the same since
// they met.
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// By name: what only looks like it costs a finding, and makes none.
static bool isNamedForWarps(Operation *op) {
  StringRef text = op->getName().getStringRef();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    text = call.getIntrin();
  else if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    text = assembly.getAsmString();
  static constexpr StringRef parts[] = {"sync",           "shuffle",  "rotate",
                                        "ballot",         "subgroup", "matrix",
                                        "nvvm.inline_ptx"};
  return llvm::any_of(parts,
                      [&](StringRef part) { return text.contains(part); });
}

/// Whether lanes of a warp that execute an operation wait for each other.
bool Run::makesLanesMeet(Operation *op) {
  auto [it, isNew] = meeting.try_emplace(op, false);
  if (isNew)
    it->second = isNamedForWarps(op) ||
                 llvm::any_of(effects[op], [](const Effect &effect) {
                   return effect.isAligned;
                 });
  return it->second;
}

/// The lanes that execute something now know their own steps and `order`, too.
void Run::learn(unsigned warp, const Clock &order) {
  WarpRun &who = warps[warp];
  uint32_t lanes = who.stack.back().lanes;
  for (size_t i = 0, count = who.groups.size(); i < count; ++i) {
    uint32_t rest = who.groups[i].lanes & ~lanes;
    if ((who.groups[i].lanes & lanes) == 0)
      continue;
    // Lanes that have ended make no group.
    if ((rest & who.alive) != 0) {
      LanesOrder other = who.groups[i];
      other.lanes = rest;
      who.groups.push_back(other);
      who.groups[i].lanes &= lanes;
    }
    Steps &known = who.groups[i].known;
    for (unsigned step = 0; step < warps.size(); ++step)
      known[step] = std::max(known[step], order.at[step]);
    known[warp] = this->order.getOrder(warp).at[warp];
  }
}

/// They know together what each of them knew.
void Run::joinLanes(unsigned warp, uint32_t lanes) {
  auto &groups = warps[warp].groups;
  if (groups.size() == 1)
    return;
  LanesOrder joined{lanes};
  for (LanesOrder &group : groups) {
    if ((group.lanes & lanes) == 0)
      continue;
    for (auto [all, own] : llvm::zip(joined.known, group.known))
      all = std::max(all, own);
    group.lanes &= ~lanes;
  }
  llvm::erase_if(groups,
                 [](const LanesOrder &group) { return group.lanes == 0; });
  groups.push_back(joined);
}

bool Run::hasSeen(const Phase &over, const LanesOrder &group) const {
  for (unsigned other = 0; other < warps.size(); ++other)
    if (over.seen[other] != 0 && group.known[other] >= over.seen[other])
      return true;
  return false;
}

/// Whether a wait has seen the end of a phase before what the warp does now, in
/// any order of warps and lanes.
bool Run::hasSeen(const Phase &over, unsigned warp) const {
  uint32_t lanes = warps[warp].stack.back().lanes;
  return llvm::all_of(warps[warp].groups, [&](const LanesOrder &group) {
    return (group.lanes & lanes) == 0 || hasSeen(over, group);
  });
}

/// Whether a phase is over before what the warp does now, in any order of warps
/// and lanes. Only a wait says so of a commit.
bool Run::isBehindEnd(const Phase &over, unsigned warp) const {
  uint32_t lanes = warps[warp].stack.back().lanes;
  return llvm::all_of(warps[warp].groups, [&](const LanesOrder &group) {
    if ((group.lanes & lanes) == 0 || hasSeen(over, group))
      return true;
    bool isBehind = !over.hasCommit;
    for (unsigned other = 0; other < warps.size(); ++other)
      isBehind &= group.known[other] >= over.carried.order.at[other];
    return isBehind;
  });
}
