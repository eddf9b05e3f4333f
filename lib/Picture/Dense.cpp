//===- Dense.cpp - Squares too many for blocks ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where colours alternate from square to square, blocks would make a document
// of megabytes. Then each slab of a grid is an image of one pixel a square,
// which is small, since layouts repeat themselves; titles belong to tiles of
// it.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "PNG.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

/// Of a slab, the lines of a tile; of a grid, the tiles across.
static constexpr unsigned linesOfTitle = 8;
static constexpr int64_t titlesAcross = 16;

/// Keys share numbers where there are more of them than the palette has: 0 is
/// empty, the last one is for squares that the colour says nothing about.
static constexpr int64_t maxKeyNumbers = 254;
static constexpr Color unknownColor{0x59, 0x63, 0x6e};

static int64_t getKeysPerNumber(const Model &model, const Coloring &coloring) {
  return llvm::divideCeil(coloring.getNumKeys(model), maxKeyNumbers);
}

static Pixels makePixels(const Scene &scene, const Panel &panel,
                         const Coloring &coloring, unsigned firstLine) {
  const Model &model = scene.model;
  int64_t share = getKeysPerNumber(model, coloring);
  Pixels pixels;
  pixels.width = panel.endUnit - panel.firstUnit;
  pixels.height = 32;
  for (int64_t key = 0; key < coloring.getNumKeys(model); key += share)
    pixels.palette.push_back(coloring.getColor(model, key));
  pixels.palette.push_back(unknownColor);
  uint8_t unknown = pixels.palette.size();
  for (unsigned line = firstLine; line < firstLine + 32; ++line)
    for (int64_t unit = panel.firstUnit; unit < panel.endUnit; ++unit) {
      int64_t index = *scene.getIndex(panel, line, unit);
      int64_t key = coloring.getKey(model, model.getSquare(panel.side, index));
      pixels.numbers.push_back(key == emptyKey     ? 0
                               : key == unknownKey ? unknown
                                                   : key / share + 1);
    }
  return pixels;
}

static void drawSlab(const Scene &scene, const Panel &panel,
                     const Coloring &coloring, unsigned line, Canvas &canvas) {
  Box box =
      scene.getBox(panel, line, line + 32, panel.firstUnit, panel.endUnit);
  canvas.rect(box, "class=\"empty\"");
  // Squares smaller than a pixel of the screen are averaged.
  llvm::StringRef style = panel.unitWidth < 1 ? "averaged" : "pixels";
  std::string file = encodePNG(makePixels(scene, panel, coloring, line));
  canvas.image(box, style, "data:image/png;base64," + llvm::encodeBase64(file));
}

static void drawTitles(const Scene &scene, const Panel &panel, unsigned line,
                       Canvas &canvas) {
  int64_t parts = scene.model.tables.unitsPerWord;
  int64_t step = llvm::alignTo(
      llvm::divideCeil(panel.endUnit - panel.firstUnit, titlesAcross), parts);
  for (unsigned end = line + 32; line < end; line += linesOfTitle)
    for (int64_t unit = panel.firstUnit; unit < panel.endUnit; unit += step) {
      // Not empty: what it says of halves of cells is of those that are not.
      Block tile{line, line + linesOfTitle, unit,
                 std::min(unit + step, panel.endUnit), unknownKey};
      canvas.rect(scene.getBox(panel, tile.firstLine, tile.endLine,
                               tile.firstUnit, tile.endUnit),
                  "class=\"titled\"",
                  describe(scene.model, getContents(scene, panel, tile)));
    }
}

void mlir::tmem::picture::drawDense(const Scene &scene, const Panel &panel,
                                    const Coloring &coloring, bool hasTitles,
                                    Canvas &canvas) {
  for (unsigned line = scene.getFirstLine(); line < scene.getEndLine();
       line += 32) {
    if (!scene.getIndex(panel, line, panel.firstUnit))
      continue;
    drawSlab(scene, panel, coloring, line, canvas);
    if (hasTitles)
      drawTitles(scene, panel, line, canvas);
  }
}
