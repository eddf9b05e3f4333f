//===- LayoutAlgebraInverse.cpp - From places back to elements ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "LayoutAlgebraSets.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Digits of places
//===----------------------------------------------------------------------===//

std::optional<int64_t> PlaceMap::lookUp(const Coordinates &place) const {
  Coordinates rest;
  for (unsigned i = 0; i < numAxes; ++i) {
    if (place[i] < first[i] || place[i] > last[i])
      return std::nullopt;
    rest[i] = place[i] - first[i];
  }
  int64_t element = offset;
  for (const Digit &digit : digits) {
    int64_t &distance = at(rest, digit.axis);
    int64_t steps = std::min(distance / digit.stride, digit.extent - 1);
    distance -= steps * digit.stride;
    element += steps * digit.weight;
  }
  if (rest != Coordinates{})
    return std::nullopt;
  return element;
}

/// The digits of all modes that move, in any order, counted upwards from the
/// smallest coordinates.
static PlaceMap getModeDigits(const Layout &layout) {
  PlaceMap map;
  int64_t weight = 1;
  for (const Mode &mode : llvm::reverse(layout.modes)) {
    // A mode that goes down is one that goes up from its far end.
    int64_t step = mode.stride < 0 ? -weight : weight;
    if (mode.stride < 0)
      map.offset += (mode.extent - 1) * weight;
    if (mode.extent > 1 && mode.stride != 0)
      map.digits.push_back(
          {mode.extent, std::abs(mode.stride), step, mode.axis});
    weight *= mode.extent;
  }
  for (unsigned i = 0; i < numAxes; ++i)
    std::tie(map.first[i], map.last[i]) = layout.getRange(static_cast<Axis>(i));
  return map;
}

/// By axis, largest stride first.
static void sortDigits(PlaceMap &map) {
  auto key = [](const PlaceMap::Digit &digit) {
    return std::make_tuple(digit.axis, -digit.stride, digit.weight,
                           digit.extent);
  };
  llvm::sort(map.digits,
             [&](const PlaceMap::Digit &a, const PlaceMap::Digit &b) {
               return key(a) < key(b);
             });
}

/// The digits of modes and replicas. Replicas move the place and not the
/// element.
static PlaceMap getDigits(const Layout &layout) {
  PlaceMap map = getModeDigits(layout);
  for (unsigned i = 0; i < numAxes; ++i) {
    Axis axis = static_cast<Axis>(i);
    for (const IndexMode &step : simplify(getSteps(layout.replicas, axis)))
      map.digits.push_back({step.extent, step.stride, 0, axis});
  }
  sortDigits(map);
  return map;
}

/// Taking as many of the largest step as fit finds every sum if each step is
/// beyond the reach of the smaller ones (then there is one way), or a multiple
/// of each (then steps that are left out of the larger one could be put in).
static bool isFoundGreedily(llvm::ArrayRef<PlaceMap::Digit> digits) {
  int64_t reach = 0, previous = 1;
  bool divides = true;
  std::optional<Axis> axis;
  for (const PlaceMap::Digit &digit : llvm::reverse(digits)) {
    if (digit.axis != axis) {
      axis = digit.axis;
      reach = 0;
      previous = 1;
      divides = true;
    }
    divides &= digit.stride % previous == 0;
    if (!divides && digit.stride <= reach)
      return false;
    reach += (digit.extent - 1) * digit.stride;
    previous = digit.stride;
  }
  return true;
}

std::optional<PlaceMap> mlir::tmem::getRightInverse(const Layout &layout,
                                                    std::string *reason) {
  if (!verifies(layout, reason))
    return std::nullopt;
  PlaceMap map = getDigits(layout);
  if (isFoundGreedily(map.digits))
    return map;
  return refuse(reason, "expected strides of an axis that divide each other or "
                        "lie beyond the reach of smaller ones, but got strides "
                        "that interleave");
}

std::optional<PlaceMap> mlir::tmem::getLeftInverse(const Layout &layout,
                                                   std::string *reason) {
  std::optional<PlaceMap> map = getRightInverse(layout, reason);
  if (map && isInjective(layout) != Decision::Yes)
    return refuse(reason, "expected an injective layout, but got a place of "
                          "two elements");
  return map;
}

//===----------------------------------------------------------------------===//
// Inverses of boxes
//===----------------------------------------------------------------------===//

static std::nullopt_t refuseGap(std::string *reason, Axis axis) {
  return refuse(reason, "expected one element at every place of the box, but "
                        "got gaps or overlaps along " +
                            Twine(stringifyAxis(axis)));
}

/// Steps that fill an interval, each number once, are digits of a number: the
/// smallest is 1, and each is as large as all below it together.
static bool appendBoxModes(llvm::ArrayRef<PlaceMap::Digit> digits,
                           llvm::SmallVectorImpl<IndexMode> &modes) {
  int64_t size = 1;
  for (const PlaceMap::Digit &digit : llvm::reverse(digits)) {
    if (digit.stride != size)
      return false;
    size *= digit.extent;
  }
  for (const PlaceMap::Digit &digit : digits)
    modes.push_back({digit.extent, digit.weight});
  return true;
}

std::optional<IndexMap> mlir::tmem::invert(const Layout &layout,
                                           llvm::ArrayRef<Axis> axes,
                                           std::string *reason) {
  if (!verifies(layout, reason))
    return std::nullopt;
  for (const Mode &mode : layout.modes)
    if (mode.extent > 1 && mode.stride == 0)
      return refuse(reason, "expected an injective layout, but got a mode of "
                            "stride 0");
  PlaceMap map = getDigits(layout);
  IndexMap result = {{}, map.offset};
  for (unsigned i = 0; i < axes.size(); ++i) {
    Axis axis = axes[i];
    if (llvm::is_contained(axes.take_front(i), axis))
      return refuse(reason, "expected each axis once, but got " +
                                Twine(stringifyAxis(axis)) + " again");
    llvm::SmallVector<PlaceMap::Digit, 4> digits;
    llvm::copy_if(map.digits, std::back_inserter(digits),
                  [&](const PlaceMap::Digit &d) { return d.axis == axis; });
    if (!appendBoxModes(digits, result.modes))
      return refuseGap(reason, axis);
  }
  for (const PlaceMap::Digit &digit : map.digits)
    if (!llvm::is_contained(axes, digit.axis))
      return refuse(reason, "expected every axis that the layout moves along, "
                            "but got none for " +
                                Twine(stringifyAxis(digit.axis)));
  if (result.modes.empty())
    result.modes.push_back({1, 0});
  return canonicalize(result);
}

std::optional<IndexMap> mlir::tmem::invert(const IndexMap &map,
                                           std::string *reason) {
  Layout layout = toLayout(map);
  if (!verifies(layout, reason))
    return std::nullopt;
  auto [low, high] = map.getRange();
  if (low != 0 || high != map.getNumIndices() - 1)
    return refuse(reason, "expected a map onto indices 0 to " +
                              Twine(map.getNumIndices() - 1) + ", but got " +
                              Twine(low) + " to " + Twine(high));
  return invert(layout, {layout.modes.front().axis}, reason);
}
