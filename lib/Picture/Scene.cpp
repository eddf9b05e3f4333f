//===- Scene.cpp - Where in a picture squares are -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scene.h"
#include <algorithm>

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

// In pixels.
static constexpr double widestPanel = 400;
static constexpr double widestUnit = 48;
static constexpr double laneAxis = 72;   ///< Left of TMEM.
static constexpr double threadAxis = 84; ///< Left of registers.
static constexpr double tileWidth = 120; ///< At most, of the tile.
static constexpr double arrows = 100;    ///< Between TMEM and registers.

static double getLineHeight(unsigned slabs) {
  constexpr double heights[] = {14, 8, 5, 4};
  return heights[slabs - 1];
}

/// As wide as there is room for, of widths that keep edges sharp.
static double getUnitWidth(int64_t units) {
  constexpr double widths[] = {widestUnit, 36, 32, 28, 24, 20, 16,  14, 12,  10,
                               8,          7,  6,  5,  4,  3,  2.5, 2,  1.5, 1};
  for (double width : widths)
    if (units * width <= widestPanel)
      return width;
  return std::max(widestPanel / units, 0.25);
}

/// The tile keeps its proportions as far as they stay legible.
static Box getTileBox(const Model &model) {
  double rows = model.getTileRows(), columns = model.getTileColumns();
  double scale = std::min(tileWidth / columns, 300 / rows);
  return {0, 0, std::max(columns * scale, 40.0), std::max(rows * scale, 24.0)};
}

Scene::Scene(const Model &model, double left) : model(model) {
  const TransferTables &tables = model.tables;
  lineHeight = getLineHeight(model.endSlab - model.firstSlab);
  tile = getTileBox(model);
  tile.x = left + 34;
  double x = left + 34 + tileWidth + 14;
  auto add = [&](Side side, unsigned warpgroup, int64_t first, int64_t end) {
    Panel panel{side, warpgroup, x, getUnitWidth(end - first), first, end};
    x += panel.getWidth();
    panels.push_back(panel);
  };
  if (model.hasMemory()) {
    x += laneAxis;
    add(Side::Memory, 0, model.firstColumn * tables.unitsPerWord,
        model.endColumn * tables.unitsPerWord);
  }
  if (model.isTransfer())
    x += arrows;
  if (model.hasRegisters())
    for (unsigned group = 0; group < tables.getNumWarpgroups(); ++group) {
      x += threadAxis;
      add(Side::Registers, group, 0, tables.threadPitch);
    }
  width = x + left;
}

double Scene::getY(unsigned line) const {
  unsigned first = getFirstLine();
  return top + (line - first) * lineHeight +
         (line / 32 - model.firstSlab) * slabGap;
}

const Panel *Scene::find(Side side, unsigned warpgroup) const {
  for (const Panel &panel : panels)
    if (panel.side == side && panel.warpgroup == warpgroup)
      return &panel;
  return nullptr;
}

std::optional<int64_t> Scene::getIndex(const Panel &panel, unsigned line,
                                       int64_t unit) const {
  const TransferTables &tables = model.tables;
  if (panel.side == Side::Memory)
    return line * tables.lanePitch + unit;
  unsigned slab = line / 32;
  if (slab < tables.firstSlab)
    return std::nullopt;
  unsigned warp = panel.warpgroup * 4 + slab - tables.firstSlab;
  if (warp >= tables.numWarps)
    return std::nullopt;
  return (int64_t(warp) * warpSize + line % 32) * tables.threadPitch + unit;
}

Box Scene::getBox(const Panel &panel, unsigned firstLine, unsigned endLine,
                  int64_t firstUnit, int64_t endUnit) const {
  double y = getY(firstLine);
  return {panel.getX(firstUnit), y, (endUnit - firstUnit) * panel.unitWidth,
          getY(endLine - 1) + lineHeight - y};
}
