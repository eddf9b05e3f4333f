//===- LayoutAlgebra.cpp - Equality and injectivity of layouts ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/LayoutAlgebra.h"
#include "LayoutAlgebraDetail.h"
#include "LayoutAlgebraSets.h"
#include "Modes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

int64_t detail::getOffset(const Layout &layout, Axis axis) {
  int64_t sum = 0;
  for (const AxisOffset &offset : layout.offsets)
    sum += offset.axis == axis ? offset.value : 0;
  return sum;
}

void detail::addOffsets(Layout &layout, const Coordinates &distance) {
  for (unsigned i = 0; i < numAxes; ++i)
    if (distance[i] != 0)
      addOffset(layout, static_cast<Axis>(i), distance[i]);
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

// Both sides are places of element 0 plus what the digits add. So two layouts
// are equal when the smallest places of element 0 are, the digits add the same,
// and the replicas, counted from the smallest, are the same set.

/// Strides of warps below this stay in the limits of tid.
static constexpr int64_t maxWarpStride = int64_t(1) << 26;
/// No layout by tid reaches this many warps.
static constexpr int64_t maxWarpReach = int64_t(1) << 57;

/// Names threads by tid, going beyond rule L4 if need be. Nothing when no
/// layout by tid is the same: a lane is none of a warp, or warps lie farther
/// apart than any tid.
static std::optional<Layout> useThreadNumbers(Layout layout) {
  layout.modes = getMergedModes(layout);
  auto [firstLane, lastLane] = layout.getRange(Axis::Lane);
  auto [firstWarp, lastWarp] = layout.getRange(Axis::Warp);
  if (firstLane < 0 || lastLane > 31 || lastWarp - firstWarp >= maxWarpReach)
    return std::nullopt;
  for (const Mode &mode : layout.modes)
    if (mode.axis == Axis::Warp && std::abs(mode.stride) >= maxWarpStride)
      return std::nullopt;
  auto convert = [](Axis &axis, int64_t &value) {
    if (axis == Axis::Warp)
      value *= 32;
    if (axis == Axis::Warp || axis == Axis::Lane)
      axis = Axis::Tid;
  };
  for (Mode &mode : layout.modes)
    convert(mode.axis, mode.stride);
  for (Mode &replica : layout.replicas)
    convert(replica.axis, replica.stride);
  for (AxisOffset &offset : layout.offsets)
    convert(offset.axis, offset.value);
  return layout;
}

/// The smallest coordinate of element 0 on an axis.
static int64_t getStart(const Layout &layout, Axis axis) {
  int64_t start = getOffset(layout, axis);
  for (const Mode &replica : layout.replicas)
    if (replica.axis == axis && replica.stride < 0)
      start += (replica.extent - 1) * replica.stride;
  return start;
}

static bool usesWarpsAndLanes(const Layout &layout) {
  return layout.usesAxis(Axis::Warp) || layout.usesAxis(Axis::Lane);
}

static Decision compare(const Layout &a, const Layout &b) {
  if (getMergedModes(a) != getMergedModes(b))
    return Decision::No;
  Decision result = Decision::Yes;
  for (unsigned i = 0; i < numAxes; ++i) {
    Axis axis = static_cast<Axis>(i);
    if (getStart(a, axis) != getStart(b, axis))
      return Decision::No;
    Decision same =
        areEqual(getSteps(a.replicas, axis), getSteps(b.replicas, axis));
    if (same == Decision::No)
      return same;
    if (same == Decision::Unknown)
      result = same;
  }
  return result;
}

Decision mlir::tmem::haveSamePlaces(const Layout &a, const Layout &b) {
  if (verifyLayout(a) || verifyLayout(b))
    return Decision::Unknown;
  if (a.isMemoryLayout() != b.isMemoryLayout() ||
      a.getNumElements() != b.getNumElements())
    return Decision::No;
  if (usesWarpsAndLanes(a) && b.usesAxis(Axis::Tid))
    return haveSamePlaces(b, a);
  if (!a.usesAxis(Axis::Tid) || !usesWarpsAndLanes(b))
    return compare(a, b);
  std::optional<Layout> other = useThreadNumbers(b);
  return other ? compare(a, *other) : Decision::No;
}

//===----------------------------------------------------------------------===//
// Injectivity
//===----------------------------------------------------------------------===//

Decision mlir::tmem::isInjective(const Layout &layout) {
  if (verifyLayout(layout))
    return Decision::Unknown;
  for (const Mode &mode : layout.modes)
    if (mode.extent > 1 && mode.stride == 0)
      return Decision::No;
  Decision result = Decision::Yes;
  for (unsigned i = 0; i < numAxes; ++i) {
    Axis axis = static_cast<Axis>(i);
    Decision distinct = areDistinct(getSteps(layout.modes, axis),
                                    getSteps(layout.replicas, axis));
    if (distinct == Decision::No)
      return distinct;
    if (distinct == Decision::Unknown)
      result = distinct;
  }
  return result;
}

int64_t mlir::tmem::getCosize(const Layout &layout, Axis axis) {
  if (verifyLayout(layout))
    return 0;
  auto [low, high] = layout.getRange(axis);
  return high - low + 1;
}
