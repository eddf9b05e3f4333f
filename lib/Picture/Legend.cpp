//===- Legend.cpp - What the colours of a picture mean --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

static constexpr int64_t maxSamples = 16;
static constexpr double sampleHeight = 20;

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

/// The numbers of the first and the last row and column.
static void drawTileNumbers(const Scene &scene, Canvas &canvas) {
  const Box &tile = scene.tile;
  int64_t rows = scene.model.getTileRows() - 1;
  int64_t columns = scene.model.getTileColumns() - 1;
  canvas.text(tile.x, tile.y - 6, "0", "tick");
  if (columns > 0)
    canvas.text(tile.x + tile.width, tile.y - 6, std::to_string(columns),
                "tick end");
  canvas.text(tile.x - 6, tile.y + 10, "0", "tick end");
  if (rows > 0)
    canvas.text(tile.x - 6, tile.y + tile.height - 2, std::to_string(rows),
                "tick end");
}

/// The tile, one rectangle for each band of rows and columns.
static void drawTile(const Scene &scene, const Coloring &coloring,
                     Canvas &canvas) {
  const Model &model = scene.model;
  const Box &tile = scene.tile;
  int64_t rows = model.getTileRows(), columns = model.getTileColumns();
  int64_t across = llvm::divideCeil(columns, coloring.columnBand);
  canvas.openGroup("class=\"blocks tile\"");
  for (int64_t key = 0, end = coloring.getNumKeys(model); key < end; ++key) {
    int64_t row = key / across * coloring.rowBand;
    int64_t column = key % across * coloring.columnBand;
    int64_t endRow = std::min(row + coloring.rowBand, rows);
    int64_t endColumn = std::min(column + coloring.columnBand, columns);
    canvas.rect({tile.x + column * tile.width / columns,
                 tile.y + row * tile.height / rows,
                 (endColumn - column) * tile.width / columns,
                 (endRow - row) * tile.height / rows},
                "fill=\"" + coloring.getColor(model, key).getText() + "\"");
  }
  canvas.closeGroup();
  canvas.rect(tile, "class=\"frame\"");
  drawTileNumbers(scene, canvas);
  if (model.request.tileShape.size() == 2)
    canvas.text(tile.x, tile.y + tile.height + 18, "blocks: rows, columns",
                "tick");
}

static std::string describeTile(const Model &model) {
  std::string text;
  for (int64_t extent : model.request.tileShape)
    text += (text.empty() ? "" : "×") + std::to_string(extent);
  llvm::StringRef type = model.request.elementType;
  return type.empty() ? text : text + " " + type.str();
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// What a key stands for.
static std::string getKeyName(const Model &model, const Coloring &coloring,
                              int64_t key) {
  NumberSet numbers;
  if (coloring.color == PictureColor::Warp)
    numbers.insert(model.tables.getWarpNumber(key));
  else
    for (int64_t i = 0; i < coloring.band; ++i)
      numbers.insert(key * coloring.band + i);
  return numbers.describe(stringifyPictureColor(coloring.color));
}

/// One sample for each key, or for every other one and so on of many.
static void drawSamples(const Scene &scene, const Coloring &coloring,
                        Canvas &canvas) {
  const Model &model = scene.model;
  int64_t count = coloring.getNumKeys(model);
  int64_t step = llvm::divideCeil(count, maxSamples);
  double x = scene.tile.x - 34, y = scene.tile.y;
  for (int64_t key = 0; key < count; key += step, y += sampleHeight) {
    canvas.rect({x, y, 14, 14}, "class=\"sample\" fill=\"" +
                                    coloring.getColor(model, key).getText() +
                                    "\"");
    canvas.text(x + 22, y + 11, getKeyName(model, coloring, key));
  }
}

double mlir::tmem::picture::getLegendBottom(const Scene &scene,
                                            const Coloring &coloring) {
  if (coloring.color == PictureColor::Element)
    return scene.tile.y + scene.tile.height + 24;
  int64_t count = coloring.getNumKeys(scene.model);
  int64_t step = llvm::divideCeil(count, maxSamples);
  return scene.tile.y + llvm::divideCeil(count, step) * sampleHeight;
}

void mlir::tmem::picture::drawLegend(const Scene &scene,
                                     const Coloring &coloring, Canvas &canvas) {
  double x = scene.tile.x, y = scene.tile.y - 28;
  if (coloring.color == PictureColor::Element) {
    canvas.text(x, y - 18, "Tile", "title");
    canvas.text(x, y, describeTile(scene.model), "note");
    return drawTile(scene, coloring, canvas);
  }
  x -= 34;
  canvas.text(x, y - 18, "Colours", "title");
  canvas.text(x, y, "by " + stringifyPictureColor(coloring.color).str(),
              "note");
  drawSamples(scene, coloring, canvas);
}
