//===- Panels.cpp - Blocks and what they are called -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

//===----------------------------------------------------------------------===//
// What a block holds
//===----------------------------------------------------------------------===//

/// "; bits 0–15" where not all parts of a cell or register are meant.
static std::string describeBits(const Model &model, const NumberSet &parts) {
  unsigned count = model.tables.unitsPerWord;
  if (parts.get().size() == count)
    return "";
  NumberSet bits;
  for (int64_t part : parts.get())
    for (unsigned bit = 0; bit < 32 / count; ++bit)
      bits.insert(part * (32 / count) + bit);
  return "; " + bits.describe("bit");
}

/// "element (3, 7)", "rows 0–7; columns 0–63", "indices 0–1; 0–7; 4".
static std::string describeElements(const Contents &contents) {
  auto parts = llvm::map_range(
      contents.tile, [](const NumberSet &set) { return set.describe(); });
  if (llvm::all_of(contents.tile, [](const auto &set) { return set.isOne(); }))
    return "element (" + llvm::join(parts, ", ") + ")";
  if (contents.tile.size() == 2)
    return "element " + contents.tile[0].describe("row") + "; " +
           contents.tile[1].describe("column");
  return "element indices " + llvm::join(parts, "; ");
}

std::string mlir::tmem::picture::describe(const Model &model,
                                          const Contents &contents) {
  llvm::SmallVector<std::string, 4> lines;
  if (!contents.lanes.isEmpty())
    lines.push_back("TMEM " + contents.lanes.describe("lane") + "; " +
                    contents.columns.describe("column") +
                    describeBits(model, contents.cellParts));
  if (contents.tile.front().isEmpty())
    lines.push_back("no element");
  else
    lines.push_back(describeElements(contents));
  if (!contents.warps.isEmpty()) {
    NumberSet warps;
    for (int64_t warp : contents.warps.get())
      warps.insert(model.tables.getWarpNumber(warp));
    lines.push_back(warps.describe("warp") + "; " +
                    contents.threads.describe("lane") + "; " +
                    contents.words.describe("register") +
                    describeBits(model, contents.wordParts));
  }
  if (!contents.issues.isEmpty())
    lines.push_back(contents.issues.describe("issue"));
  return llvm::join(lines, "\n");
}

//===----------------------------------------------------------------------===//
// Names in blocks
//===----------------------------------------------------------------------===//

using Name = llvm::SmallVector<std::string, 2>;
using Names = llvm::SmallVector<Name, 5>;

/// Names for a set of elements, the most telling first; equally many for all
/// sets.
static Names getElementNames(const Contents &contents) {
  auto parts = llvm::map_range(
      contents.tile, [](const NumberSet &set) { return set.describe(); });
  std::string plain = llvm::join(parts, ", ");
  if (contents.tile.size() != 2)
    return {{"(" + plain + ")"}, {plain}};
  Name lines = {contents.tile[0].describe(), contents.tile[1].describe()};
  if (contents.tile[0].isOne() && contents.tile[1].isOne())
    return {{"(" + plain + ")"},
            {"(" + plain + ")"},
            {"(" + plain + ")"},
            {plain},
            lines};
  std::string rows = contents.tile[0].describe("row");
  std::string columns = contents.tile[1].describe("column");
  return {{rows + ", " + columns},
          {rows, columns},
          {"(" + plain + ")"},
          {plain},
          lines};
}

static Names getNames(const Model &model, PictureColor color,
                      const Contents &contents) {
  auto makeNames = [](const NumberSet &set, llvm::StringRef noun) {
    return Names{{set.describe(noun)},
                 {noun.str() + "s", set.describe()},
                 {set.describe()}};
  };
  switch (color) {
  case PictureColor::Element:
    return getElementNames(contents);
  case PictureColor::Warp: {
    NumberSet warps;
    for (int64_t warp : contents.warps.get())
      warps.insert(model.tables.getWarpNumber(warp));
    return makeNames(warps, "warp");
  }
  case PictureColor::Lane:
    return makeNames(contents.threads, "lane");
  case PictureColor::Register:
    return makeNames(contents.words, "register");
  case PictureColor::Issue:
    return makeNames(contents.issues, "issue");
  }
  llvm_unreachable("not a colour");
}

static bool fits(const Name &name, const Box &box, double size) {
  for (const std::string &line : name)
    if (getTextWidth(line, size) + 4 > box.width)
      return false;
  return name.size() * (size + 2) <= box.height + 1;
}

namespace {
/// A block with its place, and the names it may get.
struct NamedBlock {
  Box box;
  Names names;
  bool isOnLight;
};
} // namespace

static void drawName(const NamedBlock &block, size_t form, double size,
                     Canvas &canvas) {
  std::string style = block.isOnLight ? "on-light" : "on-dark";
  if (size < 11)
    style += " small";
  const Name &name = block.names[form];
  double y = block.box.y + block.box.height / 2 -
             (name.size() - 1) * (size + 2) / 2 + size * 0.35;
  for (const std::string &line : name) {
    canvas.text(block.box.x + block.box.width / 2, y, line, style);
    y += size + 2;
  }
}

/// Draws names of the first form for which all blocks have room, if there is
/// one.
static void drawNames(llvm::ArrayRef<NamedBlock> blocks, Canvas &canvas) {
  if (blocks.empty())
    return;
  for (double size : {11.0, 9.0})
    for (size_t form = 0; form < blocks.front().names.size(); ++form) {
      if (!llvm::all_of(blocks, [&](const NamedBlock &block) {
            return fits(block.names[form], block.box, size);
          }))
        continue;
      for (const NamedBlock &block : blocks)
        drawName(block, form, size, canvas);
      return;
    }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The part of a block in which its name stands: outlines of issues cut through
/// one that several issues move.
static Box getNameBox(const Scene &scene, const Panel &panel,
                      const Block &block) {
  auto getIssue = [&](unsigned line, int64_t unit) {
    return scene.model.getSquare(panel.side, *scene.getIndex(panel, line, unit))
        .issue;
  };
  auto issue = getIssue(block.firstLine, block.firstUnit);
  unsigned endLine = block.firstLine + 1;
  int64_t endUnit = block.firstUnit + 1;
  while (endUnit < block.endUnit && getIssue(block.firstLine, endUnit) == issue)
    ++endUnit;
  while (endLine < block.endLine && getIssue(endLine, block.firstUnit) == issue)
    ++endLine;
  return scene.getBox(panel, block.firstLine, endLine, block.firstUnit,
                      endUnit);
}

/// Draws a block; one that has room for words is added to `named`.
static void drawBlock(const Scene &scene, const Panel &panel,
                      const Block &block, const Coloring &coloring,
                      bool hasTitles, std::vector<NamedBlock> &named,
                      Canvas &canvas) {
  const Model &model = scene.model;
  Box box = scene.getBox(panel, block.firstLine, block.endLine, block.firstUnit,
                         block.endUnit);
  bool isTiny = box.width < 10 || box.height < 10;
  Contents contents;
  if (hasTitles || !isTiny)
    contents = getContents(scene, panel, block);
  std::string title = hasTitles ? describe(model, contents) : "";
  if (block.key < 0)
    return canvas.rect(
        box, block.key == emptyKey ? "class=\"empty\"" : "class=\"unknown\"",
        title);
  Color color = coloring.getColor(model, block.key);
  canvas.rect(box, "fill=\"" + color.getText() + "\"", title);
  if (!isTiny)
    named.push_back({getNameBox(scene, panel, block),
                     getNames(model, coloring.color, contents),
                     color.isLight()});
}

void mlir::tmem::picture::drawBlocks(const Scene &scene,
                                     const Coloring &coloring, bool hasTitles,
                                     Canvas &canvas) {
  for (const Panel &panel : scene.panels) {
    std::string name = panel.side == Side::Memory ? "memory" : "registers";
    if (coloring.isDense) {
      canvas.openGroup("class=\"blocks dense " + name + "\"");
      drawDense(scene, panel, coloring, hasTitles, canvas);
      canvas.closeGroup();
      continue;
    }
    std::vector<Block> blocks = findBlocks(scene, panel, coloring);
    // Thin lines between blocks, where these are large enough.
    bool isFine = blocks.size() > 600;
    canvas.openGroup("class=\"blocks " + name + (isFine ? " fine\"" : "\""));
    std::vector<NamedBlock> named;
    for (const Block &block : blocks)
      drawBlock(scene, panel, block, coloring, hasTitles, named, canvas);
    drawNames(named, canvas);
    canvas.closeGroup();
  }
}
