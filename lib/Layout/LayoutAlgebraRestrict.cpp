//===- LayoutAlgebraRestrict.cpp - Parts of a layout by place -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "Modes.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>
#include <vector>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Intervals of digits
//===----------------------------------------------------------------------===//

namespace {
/// The digits of a mode or a replica that may be in the range.
struct Interval {
  int64_t first, last, stride;

  int64_t getLow() const { return stride * (stride < 0 ? last : first); }
  int64_t getHigh() const { return stride * (stride < 0 ? first : last); }
};

/// The digits whose sum is in a range of an axis, cut down to intervals.
class DigitBox {
public:
  DigitBox(const Layout &layout, Axis axis, int64_t low, int64_t high);

  /// True when the sums are in the range exactly when the digits are in the
  /// intervals.
  bool isExact() const { return sumLow >= low && sumHigh <= high; }
  bool isEmpty() const {
    return llvm::any_of(intervals,
                        [](const Interval &i) { return i.first > i.last; });
  }
  /// Of modes, then of replicas.
  llvm::ArrayRef<Interval> get() const { return intervals; }

private:
  bool tighten();

  int64_t low, high;       ///< The range, both included.
  int64_t sumLow, sumHigh; ///< Of the digits in the intervals.
  llvm::SmallVector<Interval, 8> intervals;
};
} // namespace

/// Takes off digits that are out of range whatever the others are.
bool DigitBox::tighten() {
  bool changed = false;
  for (Interval &interval : intervals) {
    if (interval.stride == 0)
      continue;
    // The sums of the others, and what this digit must add at most and at
    // least.
    sumLow -= interval.getLow();
    sumHigh -= interval.getHigh();
    int64_t most = high - sumLow, least = low - sumHigh;
    if (interval.stride < 0)
      std::swap(most, least);
    int64_t first = std::max(interval.first,
                             llvm::divideCeilSigned(least, interval.stride));
    int64_t last =
        std::min(interval.last, llvm::divideFloorSigned(most, interval.stride));
    changed |= first != interval.first || last != interval.last;
    interval.first = first;
    interval.last = last;
    if (first > last)
      return false;
    sumLow += interval.getLow();
    sumHigh += interval.getHigh();
  }
  return changed;
}

DigitBox::DigitBox(const Layout &layout, Axis axis, int64_t low, int64_t high)
    : low(low), high(high) {
  auto add = [&](const Mode &mode) {
    bool moves = mode.axis == axis && mode.extent > 1;
    intervals.push_back({0, mode.extent - 1, moves ? mode.stride : 0});
  };
  llvm::for_each(layout.modes, add);
  llvm::for_each(layout.replicas, add);
  std::tie(sumLow, sumHigh) = layout.getRange(axis);
  // Strides that nest take two rounds; others may creep on, and are looked at
  // element by element instead.
  for (int round = 0; round < 64 && tighten(); ++round)
    ;
}

/// Cuts modes and replicas to the intervals. Rising indices go to rising
/// elements, since a digit's interval keeps the order.
static Restriction cut(const Layout &layout,
                       llvm::ArrayRef<Interval> intervals) {
  Restriction result = {{}, layout};
  Coordinates start = {};
  auto cutMode = [&](Mode &mode) {
    at(start, mode.axis) += intervals.front().first * mode.stride;
    mode.extent = intervals.front().last - intervals.front().first + 1;
    intervals = intervals.drop_front();
  };
  int64_t weight = layout.getNumElements();
  for (Mode &mode : result.layout.modes) {
    weight /= mode.extent;
    result.elements.offset += intervals.front().first * weight;
    cutMode(mode);
    result.elements.modes.push_back({mode.extent, weight});
  }
  llvm::for_each(result.layout.replicas, cutMode);
  addOffsets(result.layout, start);
  return result;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static constexpr int64_t maxElements = int64_t(1) << 20;

/// Looks at each element of a layout without replicas on the axis.
static std::optional<Restriction> restrictElements(const Layout &layout,
                                                   Axis axis, int64_t low,
                                                   int64_t high,
                                                   std::string *reason) {
  if (layout.getNumElements() > maxElements)
    return refuse(reason, "expected at most " + Twine(maxElements) +
                              " elements where digits are cut unevenly");
  std::vector<int64_t> elements;
  forEachElement(layout, [&](int64_t element, const Coordinates &place) {
    if (low <= at(place, axis) && at(place, axis) <= high)
      elements.push_back(element);
  });
  if (elements.empty())
    return refuse(reason, "expected an element in the range, but got none");
  auto modes =
      findModes(elements.size(), Axis::TLane,
                [&](int64_t i) -> Coordinates { return {elements[i]}; });
  if (!modes)
    return refuse(reason, "expected elements at constant strides in the range, "
                          "but got none");
  Layout map;
  map.modes = *modes;
  Restriction result = {toIndexMap(map), {}};
  result.elements.offset = elements.front();
  if (result.elements.modes.empty())
    result.elements.modes.push_back({1, 0});
  std::optional<Layout> part = compose(layout, result.elements, reason);
  if (!part)
    return std::nullopt;
  result.layout = *part;
  return result;
}

static bool movesAlong(llvm::ArrayRef<Mode> modes, Axis axis) {
  return llvm::any_of(modes, [&](const Mode &mode) {
    return mode.axis == axis && mode.extent > 1 && mode.stride != 0;
  });
}

static void tidy(Restriction &part, Axis neutral) {
  part.elements = canonicalize(part.elements);
  part.layout.modes = getMergedModes(part.layout);
  ensureMode(part.layout, neutral);
  llvm::erase_if(part.layout.replicas,
                 [](const Mode &replica) { return replica.extent == 1; });
}

std::optional<Restriction> mlir::tmem::restrictToRange(const Layout &layout,
                                                       Axis axis, int64_t low,
                                                       int64_t high,
                                                       std::string *reason) {
  if (!verifies(layout, reason))
    return std::nullopt;
  auto [first, last] = layout.getRange(axis);
  if (low >= high || low > last || high <= first)
    return refuse(reason, "expected an element in the range, but got none");
  low = std::max(low, first);
  high = std::min(high - 1, last);
  DigitBox box(layout, axis, low, high);
  if (box.isEmpty())
    return refuse(reason, "expected an element in the range, but got none");
  std::optional<Restriction> part;
  if (box.isExact())
    part = cut(layout, box.get());
  else if (movesAlong(layout.replicas, axis))
    return refuse(reason, "expected a range with the same replicas of every "
                          "element");
  else
    part = restrictElements(layout, axis, low, high, reason);
  if (!part)
    return std::nullopt;
  tidy(*part, getNeutralAxis(layout));
  if (!verifies(part->layout, reason))
    return std::nullopt;
  return part;
}

//===----------------------------------------------------------------------===//
// Warps and lanes
//===----------------------------------------------------------------------===//

/// What `count` warps from `first` on hold; counts warps from there.
static std::optional<Restriction> restrictToWarps(const Layout &layout,
                                                  int64_t first, int64_t count,
                                                  std::string *reason) {
  if (!layout.isRegisterLayout())
    return refuse(reason, "expected a register layout, but got the axes of a "
                          "memory layout");
  bool byTid = layout.usesAxis(Axis::Tid);
  Axis axis = byTid ? Axis::Tid : Axis::Warp;
  int64_t size = byTid ? 32 : 1;
  auto part = restrictToRange(layout, axis, first * size,
                              (first + count) * size, reason);
  if (part)
    addOffset(part->layout, axis, -first * size);
  return part;
}

static bool isWarpNumber(int64_t number) {
  return number >= 0 && number < int64_t(1) << 31;
}

/// Names the threads of warp 0 by lane.
static void useLanes(Layout &layout) {
  auto rename = [](auto &part) {
    if (part.axis == Axis::Tid)
      part.axis = Axis::Lane;
  };
  llvm::for_each(layout.modes, rename);
  llvm::for_each(layout.replicas, rename);
  llvm::for_each(layout.offsets, rename);
}

std::optional<Restriction> mlir::tmem::restrictToWarp(const Layout &layout,
                                                      int64_t warp,
                                                      std::string *reason) {
  if (!isWarpNumber(warp))
    return refuse(reason,
                  "expected the number of a warp, but got " + Twine(warp));
  auto part = restrictToWarps(layout, warp, 1, reason);
  if (part)
    useLanes(part->layout);
  return part;
}

std::optional<Restriction>
mlir::tmem::restrictToWarpgroup(const Layout &layout, int64_t warpgroup,
                                std::string *reason) {
  if (!isWarpNumber(warpgroup))
    return refuse(reason, "expected the number of a warpgroup, but got " +
                              Twine(warpgroup));
  return restrictToWarps(layout, warpgroup * 4, 4, reason);
}

std::optional<Restriction> mlir::tmem::restrictToLanes(const Layout &layout,
                                                       int64_t low,
                                                       int64_t high,
                                                       std::string *reason) {
  if (!layout.isMemoryLayout())
    return refuse(reason, "expected a memory layout, but got the axes of a "
                          "register layout");
  return restrictToRange(layout, Axis::TLane, low, high, reason);
}
