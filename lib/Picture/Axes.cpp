//===- Axes.cpp - Frames and numbers of a picture's grids -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "tmem/Layout/Wording.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

//===----------------------------------------------------------------------===//
// Columns and registers
//===----------------------------------------------------------------------===//

/// Numbers over the cells or registers of a grid, as many as there is room for.
static void drawColumnNumbers(const Scene &scene, const Panel &panel,
                              Canvas &canvas) {
  int64_t parts = scene.model.tables.unitsPerWord;
  double width = panel.unitWidth * parts;
  int64_t first = panel.firstUnit / parts, last = panel.endUnit / parts - 1;
  int64_t step = 1;
  while (step * width < 30)
    step *= 2;
  double y = scene.top - 8;
  // Over the middle of wide columns, else from the left edge on.
  double shift = width >= 20 ? width / 2 : 0;
  llvm::StringRef style = width >= 20 ? "tick middle" : "tick";
  int64_t number = first;
  double end = 0;
  for (; number <= last; number = number / step * step + step) {
    std::string text = std::to_string(number);
    double x = panel.getX(number * parts) + shift;
    // The first number may stand close to the first round one.
    if (x < end)
      continue;
    canvas.text(x, y, text, style);
    end = x + getTextWidth(text, 11) + 6;
  }
  std::string text = std::to_string(last);
  double x = panel.x + panel.getWidth();
  if (shift == 0 && x - getTextWidth(text, 11) > end)
    canvas.text(x, y, text, "tick end");
}

//===----------------------------------------------------------------------===//
// Lanes and threads
//===----------------------------------------------------------------------===//

/// The numbers of a slab's lines: all, every eighth and the last, or the first
/// and the last.
static void drawLineNumbers(const Scene &scene, const Panel &panel,
                            unsigned slab, Canvas &canvas) {
  unsigned step = scene.lineHeight >= 12 ? 1 : scene.lineHeight >= 8 ? 8 : 32;
  for (unsigned line = 0; line < 32; ++line) {
    bool isLast = line == 31;
    if (line % step != 0 && !isLast)
      continue;
    unsigned number = panel.side == Side::Memory ? slab * 32 + line : line;
    double y = scene.getY(slab * 32 + line);
    // The baseline: in the middle of high lines, else at the slab's edges.
    y += scene.lineHeight >= 8 ? scene.lineHeight / 2 + 4
         : isLast              ? scene.lineHeight
                               : 9;
    canvas.text(panel.x - 8, y, std::to_string(number), "tick end");
  }
}

static void drawSlab(const Scene &scene, const Panel &panel, unsigned slab,
                     Canvas &canvas) {
  unsigned line = slab * 32;
  if (!scene.getIndex(panel, line, panel.firstUnit))
    return;
  Box box =
      scene.getBox(panel, line, line + 32, panel.firstUnit, panel.endUnit);
  canvas.rect(box, "class=\"frame\"");
  drawLineNumbers(scene, panel, slab, canvas);
  const TransferTables &tables = scene.model.tables;
  std::string name =
      panel.side == Side::Memory
          ? "slab " + std::to_string(slab)
          : "warp " + std::to_string(tables.getWarpNumber(
                          panel.warpgroup * 4 + slab - tables.firstSlab));
  canvas.text(panel.x - 34, box.y + box.height / 2 + 4, name, "end name");
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static std::string describeGrid(const Scene &scene, const Panel &panel) {
  const Model &model = scene.model;
  if (panel.side == Side::Memory)
    return "lanes × columns";
  if (model.tables.getNumWarpgroups() > 1)
    return "warpgroup " + std::to_string(panel.warpgroup);
  return "threads × registers";
}

static void drawGrid(const Scene &scene, const Panel &panel, Canvas &canvas) {
  llvm::StringRef title =
      panel.side == Side::Memory ? "Tensor Memory" : "Registers";
  canvas.text(panel.x, scene.top - 46, title, "title");
  canvas.text(panel.x, scene.top - 28, describeGrid(scene, panel), "note");
  canvas.text(panel.x - 8, scene.top - 8, "lane", "tick end");
  drawColumnNumbers(scene, panel, canvas);
  for (unsigned slab = scene.model.firstSlab; slab < scene.model.endSlab;
       ++slab)
    drawSlab(scene, panel, slab, canvas);
}

/// An arrow between TMEM and registers for each warp, with the instructions.
static void drawArrows(const Scene &scene, Canvas &canvas) {
  const Model &model = scene.model;
  const TransferPlan *plan = model.getPlan();
  if (!plan)
    return;
  const Panel &memory = scene.panels[0], &registers = scene.panels[1];
  bool isLoad = model.request.direction == Direction::Load;
  double left = memory.x + memory.getWidth() + 12, right = registers.x - 84;
  double middle = (left + right) / 2;
  std::string name = plan->issues.size() == 1
                         ? "." + stringifyAtomShape(plan->shape).str() + ".x" +
                               std::to_string(plan->issues.front().repeat)
                         : describeCount(plan->issues.size(), "issue");
  canvas.text(middle, scene.top - 8, isLoad ? "tcgen05.ld" : "tcgen05.st",
              "code middle");
  for (unsigned slab = model.firstSlab; slab < model.endSlab; ++slab) {
    if (!scene.getIndex(registers, slab * 32, 0))
      continue;
    double y = scene.getY(slab * 32) + scene.lineHeight * 16;
    canvas.text(middle, y - 8, name, "code middle");
    canvas.line(left, y, right, y, "class=\"arrow\"");
    double tip = isLoad ? right : left, back = isLoad ? tip - 8 : tip + 8;
    canvas.path("M" + formatPixels(tip) + " " + formatPixels(y) + "L" +
                    formatPixels(back) + " " + formatPixels(y - 5) + "V" +
                    formatPixels(y + 5) + "Z",
                "class=\"head\"");
  }
}

void mlir::tmem::picture::drawAxes(const Scene &scene, Canvas &canvas) {
  for (const Panel &panel : scene.panels)
    drawGrid(scene, panel, canvas);
  drawArrows(scene, canvas);
}
