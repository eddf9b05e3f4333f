//===- Layout.cpp - Layouts of tiles in TMEM and registers ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Layout.h"
#include "Modes.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral axisNames[numAxes] = {
    "tlane", "tcol", "warp", "lane", "reg", "tid"};

llvm::StringRef mlir::tmem::stringifyAxis(Axis axis) {
  return axisNames[static_cast<unsigned>(axis)];
}

std::optional<Axis> mlir::tmem::symbolizeAxis(llvm::StringRef name) {
  for (unsigned i = 0; i < numAxes; ++i)
    if (axisNames[i] == name)
      return static_cast<Axis>(i);
  return std::nullopt;
}

static bool isMemoryAxis(Axis axis) {
  return axis == Axis::TLane || axis == Axis::TCol;
}

static int64_t &at(Coordinates &coordinates, Axis axis) {
  return coordinates[static_cast<unsigned>(axis)];
}

/// True when `predicate` holds for the axis of every part of the layout.
static bool allAxes(const Layout &layout,
                    llvm::function_ref<bool(Axis)> predicate) {
  auto holds = [&](const auto &part) { return predicate(part.axis); };
  return llvm::all_of(layout.modes, holds) &&
         llvm::all_of(layout.replicas, holds) &&
         llvm::all_of(layout.offsets, holds);
}

bool Layout::usesAxis(Axis axis) const {
  return !allAxes(*this, [&](Axis other) { return other != axis; });
}

bool Layout::isMemoryLayout() const { return allAxes(*this, isMemoryAxis); }

bool Layout::isRegisterLayout() const {
  return allAxes(*this, [](Axis axis) { return !isMemoryAxis(axis); });
}

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

static int64_t multiplyExtents(llvm::ArrayRef<Mode> modes) {
  int64_t product = 1;
  for (const Mode &mode : modes)
    product *= mode.extent;
  return product;
}

int64_t Layout::getNumElements() const { return multiplyExtents(modes); }

int64_t Layout::getNumReplicas() const { return multiplyExtents(replicas); }

Coordinates Layout::getCoordinates(int64_t element) const {
  Coordinates place = {};
  for (const AxisOffset &offset : offsets)
    at(place, offset.axis) += offset.value;
  for (const Mode &mode : llvm::reverse(modes)) {
    at(place, mode.axis) += element % mode.extent * mode.stride;
    element /= mode.extent;
  }
  return place;
}

llvm::SmallVector<Coordinates, 1> Layout::getReplicaOffsets() const {
  llvm::SmallVector<Coordinates, 1> result(1, Coordinates{});
  for (const Mode &replica : replicas) {
    llvm::SmallVector<Coordinates, 1> next;
    next.reserve(result.size() * replica.extent);
    for (const Coordinates &base : result)
      for (int64_t i = 0; i < replica.extent; ++i) {
        next.push_back(base);
        at(next.back(), replica.axis) += i * replica.stride;
      }
    result = std::move(next);
  }
  return result;
}

std::pair<int64_t, int64_t> Layout::getRange(Axis axis) const {
  int64_t low = 0, high = 0;
  for (const AxisOffset &offset : offsets)
    if (offset.axis == axis) {
      low += offset.value;
      high += offset.value;
    }
  auto extend = [&](const Mode &mode) {
    if (mode.axis == axis)
      (mode.stride < 0 ? low : high) += (mode.extent - 1) * mode.stride;
  };
  llvm::for_each(modes, extend);
  llvm::for_each(replicas, extend);
  return {low, high};
}

void mlir::tmem::forEachElement(
    const Layout &layout,
    llvm::function_ref<void(int64_t, const Coordinates &)> fn) {
  llvm::SmallVector<Mode, 4> modes = getMergedModes(layout);
  llvm::SmallVector<int64_t, 8> digits(modes.size(), 0);
  Coordinates place = layout.getCoordinates(0);
  int64_t numElements = layout.getNumElements();
  for (int64_t element = 0; element < numElements; ++element) {
    fn(element, place);
    // Count up as an odometer does: digits that are full go back to zero.
    for (unsigned i = modes.size(); i-- > 0;) {
      const Mode &mode = modes[i];
      if (++digits[i] < mode.extent) {
        at(place, mode.axis) += mode.stride;
        break;
      }
      digits[i] = 0;
      at(place, mode.axis) -= (mode.extent - 1) * mode.stride;
    }
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Layout::print(llvm::raw_ostream &os) const {
  auto printPlace = [&](int64_t value, Axis axis) {
    os << value << '@' << stringifyAxis(axis);
  };
  os << '(';
  llvm::interleaveComma(modes, os, [&](const Mode &m) { os << m.extent; });
  os << ") : (";
  llvm::interleaveComma(modes, os,
                        [&](const Mode &m) { printPlace(m.stride, m.axis); });
  os << ')';
  if (!offsets.empty()) {
    os << " + (";
    llvm::interleaveComma(
        offsets, os, [&](const AxisOffset &o) { printPlace(o.value, o.axis); });
    os << ')';
  }
  if (!replicas.empty()) {
    os << " * (";
    llvm::interleaveComma(replicas, os, [&](const Mode &m) {
      os << m.extent << " : ";
      printPlace(m.stride, m.axis);
    });
    os << ')';
  }
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static constexpr int64_t limit = int64_t(1) << 31;

static bool isInLimits(int64_t value) {
  return -limit < value && value < limit;
}

static std::optional<Violation> verifyExtents(const Layout &layout) {
  if (layout.modes.empty())
    return Violation{Rule::L2, "expected at least one extent, but got none"};
  int64_t product = 1;
  for (llvm::ArrayRef<Mode> modes : {llvm::ArrayRef<Mode>(layout.modes),
                                     llvm::ArrayRef<Mode>(layout.replicas)})
    for (const Mode &mode : modes) {
      if (mode.extent < 1)
        return Violation{Rule::L1,
                         ("expected an extent of at least 1, but got " +
                          llvm::Twine(mode.extent))
                             .str()};
      if (mode.extent >= limit || (product *= mode.extent) >= limit)
        return Violation{Rule::L3,
                         "expected extents and replica counts whose product is "
                         "less than 2^31, but got more"};
    }
  return std::nullopt;
}

static std::optional<Violation> verifySteps(const Layout &layout) {
  auto check = [](llvm::StringRef what,
                  int64_t value) -> std::optional<Violation> {
    if (isInLimits(value))
      return std::nullopt;
    return Violation{Rule::L4,
                     ("expected " + what + " between -2^31 and 2^31, but got " +
                      llvm::Twine(value))
                         .str()};
  };
  for (llvm::ArrayRef<Mode> modes : {llvm::ArrayRef<Mode>(layout.modes),
                                     llvm::ArrayRef<Mode>(layout.replicas)})
    for (const Mode &mode : modes)
      if (auto violation = check("a stride", mode.stride))
        return violation;
  // The sum must keep to the limits as well: it is what the canonical form has.
  Coordinates sums = {};
  for (const AxisOffset &offset : layout.offsets) {
    if (auto violation = check("an offset", offset.value))
      return violation;
    at(sums, offset.axis) += offset.value;
    if (auto violation = check("offsets of an axis", at(sums, offset.axis)))
      return violation;
  }
  return std::nullopt;
}

static std::optional<Violation> verifyAxes(const Layout &layout) {
  if (!layout.isMemoryLayout() && !layout.isRegisterLayout())
    return Violation{Rule::L5, "expected axes of memory or axes of registers, "
                               "but got both"};
  if (layout.usesAxis(Axis::Tid) &&
      (layout.usesAxis(Axis::Warp) || layout.usesAxis(Axis::Lane)))
    return Violation{
        Rule::L6, "expected threads by tid or by warp and lane, but got both"};
  return std::nullopt;
}

std::optional<Violation> mlir::tmem::verifyLayout(const Layout &layout) {
  if (auto violation = verifyExtents(layout))
    return violation;
  if (auto violation = verifySteps(layout))
    return violation;
  return verifyAxes(layout);
}

std::optional<Violation>
mlir::tmem::verifyTileShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return Violation{Rule::V1, "expected at least one dimension, but got none"};
  for (int64_t size : shape)
    if (size < 1)
      return Violation{Rule::V1, "expected dimensions of at least 1, but got " +
                                     std::to_string(size)};
  int64_t product = 1;
  for (int64_t size : shape)
    if (size >= limit || (product *= size) >= limit)
      return Violation{Rule::L3,
                       "expected a tile of less than 2^31 elements, but got " +
                           describeShape(shape)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The canonical form
//===----------------------------------------------------------------------===//

Axis detail::getNeutralAxis(const Layout &layout) {
  return layout.isMemoryLayout() ? Axis::TLane : Axis::Reg;
}

void detail::appendMerged(llvm::SmallVectorImpl<Mode> &modes, Mode mode) {
  if (!modes.empty() && modes.back().axis == mode.axis &&
      modes.back().stride == mode.extent * mode.stride) {
    mode.extent *= modes.back().extent;
    modes.pop_back();
  }
  modes.push_back(mode);
}

llvm::SmallVector<Mode, 4> detail::getMergedModes(const Layout &layout) {
  llvm::SmallVector<Mode, 4> merged;
  for (Mode mode : layout.modes) {
    if (mode.extent == 1)
      continue;
    if (mode.stride == 0)
      mode.axis = getNeutralAxis(layout);
    appendMerged(merged, mode);
  }
  return merged;
}

void detail::addOffset(Layout &layout, Axis axis, int64_t value) {
  auto sameAxis = [&](const AxisOffset &offset) { return offset.axis == axis; };
  for (const AxisOffset &offset :
       llvm::make_filter_range(layout.offsets, sameAxis))
    value += offset.value;
  llvm::erase_if(layout.offsets, sameAxis);
  if (value != 0)
    layout.offsets.push_back({value, axis});
  llvm::sort(layout.offsets, [](const AxisOffset &a, const AxisOffset &b) {
    return a.axis < b.axis;
  });
}

void detail::ensureMode(Layout &layout, Axis axis) {
  if (layout.modes.empty())
    layout.modes.push_back({1, 0, axis});
}

/// Unit and stationary replicas add no place; one that goes down is one that
/// goes up from its far end.
static void simplifyReplicas(Layout &layout) {
  llvm::erase_if(layout.replicas, [](const Mode &replica) {
    return replica.extent == 1 || replica.stride == 0;
  });
  for (Mode &replica : layout.replicas) {
    int64_t reach = (replica.extent - 1) * replica.stride;
    int64_t offset = reach;
    for (const AxisOffset &other : layout.offsets)
      offset += other.axis == replica.axis ? other.value : 0;
    if (replica.stride > 0 || !isInLimits(reach) || !isInLimits(offset))
      continue;
    replica.stride = -replica.stride;
    layout.offsets.push_back({reach, replica.axis});
  }
}

static void sortReplicas(Layout &layout) {
  llvm::sort(layout.replicas, [](const Mode &a, const Mode &b) {
    return std::make_tuple(a.axis, -a.stride, a.extent) <
           std::make_tuple(b.axis, -b.stride, b.extent);
  });
  llvm::SmallVector<Mode, 1> merged;
  for (const Mode &replica : layout.replicas)
    appendMerged(merged, replica);
  layout.replicas = std::move(merged);
}

/// Names threads by tid. A warp and a lane are one thread number as long as the
/// lane is one of the warp's.
static void useThreadNumbers(Layout &layout) {
  auto [low, high] = layout.getRange(Axis::Lane);
  if (low < 0 || high > 31)
    return;
  bool fits = true;
  auto convert = [&](auto &part, int64_t value) -> int64_t {
    if (part.axis == Axis::Warp)
      value *= 32;
    if (part.axis == Axis::Warp || part.axis == Axis::Lane)
      part.axis = Axis::Tid;
    fits &= isInLimits(value);
    return value;
  };
  Layout result = layout;
  for (Mode &mode : result.modes)
    mode.stride = convert(mode, mode.stride);
  for (Mode &replica : result.replicas)
    replica.stride = convert(replica, replica.stride);
  for (AxisOffset &offset : result.offsets)
    offset.value = convert(offset, offset.value);
  if (fits)
    layout = std::move(result);
}

/// One offset an axis, none that is zero, in the order of axes.
static void mergeOffsets(Layout &layout) {
  llvm::SmallVector<AxisOffset, 2> offsets = std::move(layout.offsets);
  layout.offsets.clear();
  for (const AxisOffset &offset : offsets)
    addOffset(layout, offset.axis, offset.value);
}

Layout mlir::tmem::canonicalize(const Layout &layout) {
  Layout result = layout;
  // What does not move anything has no say in how threads are named.
  result.modes = getMergedModes(layout);
  simplifyReplicas(result);
  mergeOffsets(result);
  useThreadNumbers(result);
  sortReplicas(result);
  result.modes = getMergedModes(result);
  ensureMode(result, getNeutralAxis(layout));
  mergeOffsets(result);
  return result;
}
