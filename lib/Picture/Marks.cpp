//===- Marks.cpp - Places that a picture points at ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

const SelectionReason *
mlir::tmem::picture::findMarked(const PictureRequest &request) {
  const auto *reason = llvm::find_if(request.reasons, [](const auto &other) {
    return other.misfit && (other.misfit->cell || other.misfit->slot);
  });
  return reason == request.reasons.end() ? nullptr : reason;
}

namespace {
/// A number in a circle, by its centre.
struct Badge {
  double x, y;
  llvm::StringRef number;
};

/// The rings of one misfit.
class Marker {
public:
  Marker(const Scene &scene, Canvas &canvas) : scene(scene), canvas(canvas) {}

  void draw(const Misfit &misfit);

private:
  /// The part of a cell that an element has, or all of it.
  std::optional<Box> findCell(Cell cell, std::optional<int64_t> element) const;
  std::optional<Box> findSlot(const Misfit::Slot &slot) const;
  void drawRing(const Box &box, llvm::StringRef style);
  void drawBadge(const Badge &badge);
  void connect(const Badge &from, const Box &to, llvm::StringRef style);

  const Scene &scene;
  Canvas &canvas;
};
} // namespace

std::optional<Box> Marker::findCell(Cell cell,
                                    std::optional<int64_t> element) const {
  const Panel *panel = scene.find(Side::Memory);
  const TransferTables &tables = scene.model.tables;
  if (!panel || cell.lane < scene.getFirstLine() ||
      cell.lane >= scene.getEndLine())
    return std::nullopt;
  int64_t first = cell.column * tables.unitsPerWord;
  int64_t end = first + tables.unitsPerWord;
  // The image may reach outside of what is shown.
  if (first < panel->firstUnit || end > panel->endUnit)
    return std::nullopt;
  for (int64_t unit = first; element && unit < end; ++unit) {
    Unit held = tables.memory[*scene.getIndex(*panel, cell.lane, unit)];
    if (held != emptyUnit && tables.getElement(held) == *element)
      return scene.getBox(*panel, cell.lane, cell.lane + 1, unit, unit + 1);
  }
  return scene.getBox(*panel, cell.lane, cell.lane + 1, first, end);
}

std::optional<Box> Marker::findSlot(const Misfit::Slot &slot) const {
  const TransferTables &tables = scene.model.tables;
  const Panel *panel = scene.find(Side::Registers, slot.warp / 4);
  int64_t unit = slot.slot * tables.unitsPerElement;
  if (!panel || unit >= panel->endUnit)
    return std::nullopt;
  unsigned line = scene.getLine(slot.warp, slot.lane);
  return scene.getBox(*panel, line, line + 1, unit,
                      unit + tables.unitsPerElement);
}

/// Small squares get a ring around them that can be seen.
void Marker::drawRing(const Box &box, llvm::StringRef style) {
  double width = std::max(box.width, 10.0), height = std::max(box.height, 10.0);
  Box ring = {box.x - (width - box.width) / 2,
              box.y - (height - box.height) / 2, width, height};
  canvas.rect(ring, "class=\"halo\" rx=\"3\"");
  canvas.rect(ring, ("class=\"mark " + style + "\" rx=\"3\"").str());
}

/// A number in a circle, right of a ring.
void Marker::drawBadge(const Badge &badge) {
  canvas.raw("<circle cx=\"" + formatPixels(badge.x) + "\" cy=\"" +
             formatPixels(badge.y) + "\" r=\"8\" class=\"badge\"/>\n");
  canvas.text(badge.x, badge.y + 4, badge.number, "number");
}

/// From the badge straight out of the grid, then over to the registers.
void Marker::connect(const Badge &from, const Box &to, llvm::StringRef style) {
  const Panel &memory = scene.panels.front();
  double bend = std::max(from.x + 8, memory.x + memory.getWidth() + 4);
  std::string data =
      "M" + formatPixels(from.x + 8) + " " + formatPixels(from.y) + "H" +
      formatPixels(bend) + "L" + formatPixels(bend + 90) + " " +
      formatPixels(to.y + to.height / 2) + "H" + formatPixels(to.x - 5);
  canvas.path(data, ("class=\"mark " + style + "\"").str());
}

static Badge getBadge(const Box &box, llvm::StringRef number) {
  return {box.x + box.width / 2 + std::max(box.width / 2, 5.0) + 10,
          box.y + box.height / 2, number};
}

void Marker::draw(const Misfit &misfit) {
  std::optional<Box> cell, slot, expected;
  if (misfit.cell)
    cell = findCell(*misfit.cell, misfit.element);
  if (misfit.slot)
    slot = findSlot(*misfit.slot);
  if (misfit.expected && misfit.expected != misfit.cell)
    expected = findCell(*misfit.expected, std::nullopt);
  Badge cellBadge = getBadge(cell.value_or(Box()), "1");
  Badge slotBadge = getBadge(slot.value_or(Box()), "2");
  Badge expectedBadge = getBadge(expected.value_or(Box()), "3");
  // Side by side where one would hide the other.
  if (std::abs(cellBadge.x - expectedBadge.x) < 17 &&
      std::abs(cellBadge.y - expectedBadge.y) < 17)
    expectedBadge.x += 20;
  if (cell && slot)
    connect(cellBadge, *slot, "is");
  if (expected && slot)
    connect(expectedBadge, *slot, "wanted");
  for (const auto &box : {cell, slot})
    if (box)
      drawRing(*box, "is");
  if (expected)
    drawRing(*expected, "wanted");
  for (auto [box, badge] : {std::pair(cell, cellBadge),
                            {slot, slotBadge},
                            {expected, expectedBadge}})
    if (box)
      drawBadge(badge);
}

void mlir::tmem::picture::drawMisfit(const Scene &scene,
                                     const SelectionReason &reason,
                                     Canvas &canvas) {
  Marker(scene, canvas).draw(*reason.misfit);
}

std::string mlir::tmem::picture::describeMarks(const Model &model,
                                               const SelectionReason &reason) {
  const Misfit &misfit = *reason.misfit;
  std::string element = "the element";
  if (misfit.element)
    element += " " + model.tables.getName(*misfit.element *
                                          model.tables.unitsPerElement);
  std::string text;
  auto add = [&](bool isThere, llvm::StringRef what) {
    if (isThere)
      text += (text.empty() ? "" : ", ") + what.str();
  };
  bool hasSlot = misfit.slot && misfit.element;
  add(misfit.cell.has_value(), "1: " + element + " in Tensor Memory");
  add(hasSlot, std::string("2: its register"));
  add(misfit.slot && !hasSlot, std::string("2: a register without an element"));
  add(misfit.expected && misfit.expected != misfit.cell,
      "3: the cell that " + stringifyAtomShape(reason.shape).str() +
          (misfit.slot ? " moves to this register" : " would touch"));
  return text;
}
