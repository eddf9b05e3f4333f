//===- Election.cpp - The lane that elect.sync names ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Election.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Looks at one kernel.
static constexpr size_t maxLooks = 64;

unsigned Election::getLane(uint32_t mask) {
  return lanes.try_emplace(mask, llvm::countr_zero(mask)).first->second;
}

uint32_t Election::getNamed() const {
  uint32_t named = 0;
  for (auto [mask, lane] : lanes)
    named |= 1u << lane;
  return named;
}

void Elections::keep(const Election &election, const LaneClasses &classes) {
  looks.push_back({election.getNamed(), classes});
  named |= looks.back().named;
  taken.insert(election.lanes);
  if (!op)
    op = election.op;
  for (auto [mask, lane] : election.lanes)
    masks.insert(mask);
}

/// Whether looks for other lanes have not told two apart. What sets a lane
/// apart in the looks that are for it may be the election alone.
bool Elections::areAlike(unsigned a, unsigned b) const {
  bool isCompared = false;
  for (const Look &look : looks) {
    if ((look.named >> a & 1) || (look.named >> b & 1))
      continue;
    isCompared = true;
    if (look.classes[a] != look.classes[b])
      return false;
  }
  return isCompared;
}

/// Whether some look was for the lane, or for one that is alike.
bool Elections::isCovered(unsigned lane) const {
  if (named >> lane & 1)
    return true;
  for (unsigned other = 0; other < warpSize; ++other)
    if ((named >> other & 1) && areAlike(other, lane))
      return true;
  return false;
}

/// Null for one that there was.
std::optional<Election> Elections::take(Election election) {
  if (taken.count(election.lanes))
    return std::nullopt;
  isCutShort |= looks.size() >= maxLooks;
  if (isCutShort)
    return std::nullopt;
  return election;
}

/// The lane for each mask that has it.
std::optional<Election> Elections::tryAll(unsigned lane) {
  Election election;
  election.op = op;
  for (uint32_t mask : masks)
    election.lanes[mask] = mask >> lane & 1 ? lane : llvm::countr_zero(mask);
  return take(std::move(election));
}

/// Masks that differ may name any two lanes: of those that are alike, the same
/// one or another.
std::optional<Election> Elections::combine() {
  // Of lanes that are alike, one for each mask.
  uint32_t candidates = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    size_t numAlike = 0;
    for (unsigned other = 0; other < lane; ++other)
      numAlike += (candidates >> other & 1) && areAlike(other, lane);
    if (numAlike < masks.size())
      candidates |= 1u << lane;
  }
  std::vector<Election> ways(1);
  ways.front().op = op;
  for (uint32_t mask : masks) {
    std::vector<Election> longer;
    for (const Election &way : ways)
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if ((candidates & mask) >> lane & 1) {
          longer.push_back(way);
          longer.back().lanes[mask] = lane;
        }
    ways = std::move(longer);
    if (ways.size() > maxLooks) {
      isCutShort = true;
      return std::nullopt;
    }
  }
  for (const Election &way : ways)
    if (std::optional<Election> next = take(way))
      return next;
  return std::nullopt;
}

std::optional<Election> Elections::findNext() {
  uint32_t members = 0;
  for (uint32_t mask : masks)
    members |= mask;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((members >> lane & 1) && !isCovered(lane))
      if (std::optional<Election> next = tryAll(lane))
        return next;
  if (masks.size() > 1)
    return combine();
  return std::nullopt;
}
