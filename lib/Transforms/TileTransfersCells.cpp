//===- TileTransfersCells.cpp - Which cells tiles share -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTransfersCells.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tmem/IR/ViewUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static SmallVector<CellRun, 1> getRuns(const llvm::BitVector &bits) {
  SmallVector<CellRun, 1> runs;
  for (int begin = bits.find_first(); begin >= 0;) {
    int end = bits.find_next_unset(begin);
    if (end < 0)
      end = bits.size();
    runs.push_back({begin, end});
    begin = end < int(bits.size()) ? bits.find_next(end) : -1;
  }
  return runs;
}

CellRuns::CellRuns(const Footprint &footprint)
    : lanes(getRuns(footprint.lanes)),
      columns(getRuns(footprint.getColumns())) {}

/// Goes from an address to what a constant is added to, any number of times.
std::pair<Value, int64_t> ViewPlaces::stripConstants(Value address) {
  SmallVector<std::pair<Value, int64_t>> added;
  while (!stripped.contains(address)) {
    auto add = address.getDefiningOp<arith::AddIOp>();
    APInt constant;
    Value rest;
    if (add && matchPattern(add.getRhs(), m_ConstantInt(&constant)))
      rest = add.getLhs();
    else if (add && matchPattern(add.getLhs(), m_ConstantInt(&constant)))
      rest = add.getRhs();
    if (!rest || constant.getBitWidth() > 32)
      stripped[address] = {address, 0};
    else {
      added.emplace_back(address, constant.getSExtValue());
      address = rest;
    }
  }
  std::pair<Value, int64_t> result = stripped.lookup(address);
  for (auto [value, distance] : llvm::reverse(added)) {
    result.second += distance;
    stripped[value] = result;
  }
  return result;
}

ViewPlaces::Place ViewPlaces::find(Value view) {
  if (auto it = places.find(view); it != places.end())
    return it->second;
  ViewBase base = getViewBase(view);
  Steps steps;
  for (auto [offset, cells] : base.steps)
    steps.emplace_back(offset.getAsOpaquePointer(), cells);
  auto [root, distance] = stripConstants(base.root);
  unsigned address =
      addresses
          .try_emplace({root.getAsOpaquePointer(), steps}, addresses.size())
          .first->second;
  // Addresses count lane * 2^16 + column; a column may be subtracted.
  int64_t column = int16_t(distance & 0xffff);
  return places[view] = {address, (distance - column) >> 16, column};
}

PlacedCells ViewPlaces::get(Value view, CellRuns cells) {
  Place place = find(view);
  for (CellRun &run : cells.lanes)
    run = {run.begin + place.lane, run.end + place.lane};
  for (CellRun &run : cells.columns)
    run = {run.begin + place.column, run.end + place.column};
  return {place.address, std::move(cells)};
}

PlacedCells ViewPlaces::get(Value view) {
  auto type = cast<ViewType>(view.getType());
  auto [it, isNew] = runs.try_emplace(type);
  if (isNew) {
    Footprint footprint;
    // A view that verifies has one. All cells are a safe answer, too.
    if (getFootprint(type.getExpandedLayout(), type.getElementBits(),
                     footprint)) {
      it->second.lanes = {{0, 128}};
      it->second.columns = {{0, 512}};
    } else {
      it->second = CellRuns(footprint);
    }
  }
  return get(view, it->second);
}

StringRef mlir::tmem::getOverlapAdvice(Value a, Value b) {
  if (getViewBase(a).root == getViewBase(b).root)
    return "use one dynamic offset for both windows, or offsets that are known";
  return "take both as windows of one view";
}

//===----------------------------------------------------------------------===//
// CellGrid
//===----------------------------------------------------------------------===//

void CellGrid::add(const PlacedCells &tile) {
  Borders &found = borders[tile.address];
  for (const CellRun &run : tile.cells.lanes)
    found.lanes.append({run.begin, run.end});
  for (const CellRun &run : tile.cells.columns)
    found.columns.append({run.begin, run.end});
}

void CellGrid::finish() {
  for (auto &entry : borders)
    for (SmallVector<int64_t> *list :
         {&entry.second.lanes, &entry.second.columns}) {
      llvm::sort(*list);
      list->erase(llvm::unique(*list), list->end());
    }
}

/// The numbers of the first piece of a run, and of the one behind the last.
static std::pair<uint64_t, uint64_t> getPieces(ArrayRef<int64_t> borders,
                                               const CellRun &run) {
  return {llvm::lower_bound(borders, run.begin) - borders.begin(),
          llvm::lower_bound(borders, run.end) - borders.begin()};
}

void CellGrid::forEachRegion(const PlacedCells &tile,
                             function_ref<void(CellRegion)> visit) const {
  const Borders &found = borders.find(tile.address)->second;
  for (const CellRun &lanes : tile.cells.lanes) {
    auto [firstLane, lastLane] = getPieces(found.lanes, lanes);
    for (const CellRun &columns : tile.cells.columns) {
      auto [firstColumn, lastColumn] = getPieces(found.columns, columns);
      for (uint64_t lane = firstLane; lane < lastLane; ++lane)
        for (uint64_t column = firstColumn; column < lastColumn; ++column)
          visit({tile.address, lane << 32 | column});
    }
  }
}
