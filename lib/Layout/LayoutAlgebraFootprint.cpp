//===- LayoutAlgebraFootprint.cpp - The bits of TMEM that a tile has ------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraSets.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

static constexpr unsigned bitsPerUnit = 4;
static constexpr unsigned unitsPerCell = 32 / bitsPerUnit;
static constexpr int64_t numTMemLanes = 128;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

// A footprint is a product, so two of them meet where lanes and units do. None
// is empty, so one contains the other where both of its factors do.

int64_t Footprint::getNumBits() const {
  return int64_t(lanes.count()) * units.count() * bitsPerUnit;
}

llvm::BitVector Footprint::getColumns() const {
  llvm::BitVector columns((units.size() + unitsPerCell - 1) / unitsPerCell);
  for (unsigned unit : units.set_bits())
    columns.set(unit / unitsPerCell);
  return columns;
}

std::pair<int64_t, int64_t> Footprint::getLaneRange() const {
  return {lanes.find_first(), lanes.find_last()};
}

std::pair<int64_t, int64_t> Footprint::getColumnRange() const {
  return {units.find_first() / int(unitsPerCell),
          units.find_last() / int(unitsPerCell)};
}

bool Footprint::contains(const Footprint &other) const {
  return !other.lanes.test(lanes) && !other.units.test(units);
}

bool Footprint::overlaps(const Footprint &other) const {
  return lanes.anyCommon(other.lanes) && units.anyCommon(other.units);
}

bool Footprint::sharesCellWith(const Footprint &other) const {
  return lanes.anyCommon(other.lanes) &&
         getColumns().anyCommon(other.getColumns());
}

//===----------------------------------------------------------------------===//
// The footprint of a layout
//===----------------------------------------------------------------------===//

static std::optional<Violation> checkRange(const Layout &layout, Axis axis,
                                           int64_t size, Rule rule) {
  auto [low, high] = layout.getRange(axis);
  if (low >= 0 && high < size)
    return std::nullopt;
  return Violation{rule, ("expected " + Twine(stringifyAxis(axis)) + " 0 to " +
                          Twine(size - 1) + ", but got " + Twine(low) + " to " +
                          Twine(high))
                             .str()};
}

static std::optional<Violation> check(const Layout &layout,
                                      unsigned elementBits) {
  if (!llvm::is_contained({4u, 8u, 16u, 32u, 64u}, elementBits))
    return Violation{Rule::V2,
                     ("expected elements of 4, 8, 16, 32 or 64 bits, but got " +
                      Twine(elementBits))
                         .str()};
  if (auto violation = verifyLayout(layout))
    return violation;
  if (!layout.isMemoryLayout())
    return Violation{Rule::L5, "expected a memory layout, but got the axes of "
                               "a register layout"};
  if (auto violation = checkRange(layout, Axis::TLane, numTMemLanes, Rule::V4))
    return violation;
  return checkRange(layout, Axis::TCol,
                    int64_t(getMaxColumns()) * 32 / elementBits, Rule::V5);
}

/// The coordinates on an axis, times `scale`.
static llvm::BitVector getMembers(const Layout &layout, Axis axis,
                                  int64_t scale, int64_t size) {
  llvm::BitVector members(size);
  members.set(layout.getRange(axis).first * scale);
  Steps steps = getSteps(layout.modes, axis);
  llvm::append_range(steps, getSteps(layout.replicas, axis));
  for (IndexMode &step : steps)
    step.stride *= scale;
  addSteps(members, steps);
  return members;
}

std::optional<Violation> mlir::tmem::getFootprint(const Layout &layout,
                                                  unsigned elementBits,
                                                  Footprint &footprint) {
  if (auto violation = check(layout, elementBits))
    return violation;
  int64_t unitsPerElement = elementBits / bitsPerUnit;
  footprint.lanes = getMembers(layout, Axis::TLane, 1, numTMemLanes);
  footprint.units = getMembers(layout, Axis::TCol, unitsPerElement,
                               int64_t(getMaxColumns()) * unitsPerCell);
  IndexMode unitsOfElement = {unitsPerElement, 1};
  addSteps(footprint.units, unitsOfElement);
  return std::nullopt;
}
