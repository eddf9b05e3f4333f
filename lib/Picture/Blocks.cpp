//===- Blocks.cpp - Rectangles of one colour ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::picture;

/// More blocks than this are taken together, as far as colours still differ.
static constexpr size_t maxBlocks = 800;

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

int64_t Coloring::getKey(const Model &model, const Square &square) const {
  if (square.unit == emptyUnit)
    return emptyKey;
  switch (color) {
  case PictureColor::Element: {
    int64_t element = model.tables.getElement(square.unit);
    int64_t columns = model.getTileColumns();
    return element / columns / rowBand * llvm::divideCeil(columns, columnBand) +
           element % columns / columnBand;
  }
  case PictureColor::Warp:
    return square.warp < 0 ? unknownKey : square.warp;
  case PictureColor::Lane:
    return square.thread < 0 ? unknownKey : square.thread / band;
  case PictureColor::Register:
    return square.word < 0 ? unknownKey : square.word / band;
  case PictureColor::Issue:
    return square.issue < 0 ? unknownKey : square.issue;
  }
  llvm_unreachable("not a colour");
}

int64_t Coloring::getNumKeys(const Model &model) const {
  switch (color) {
  case PictureColor::Element:
    return llvm::divideCeil(model.getTileRows(), rowBand) *
           llvm::divideCeil(model.getTileColumns(), columnBand);
  case PictureColor::Warp:
    return model.tables.numWarps;
  case PictureColor::Lane:
    return llvm::divideCeil(int64_t(warpSize), band);
  case PictureColor::Register:
    return llvm::divideCeil(model.tables.words, band);
  case PictureColor::Issue:
    return model.getPlan()->issues.size();
  }
  llvm_unreachable("not a colour");
}

/// The place of one of `count` steps between 0 and 1.
static double getPart(int64_t index, int64_t count) {
  return count < 2 ? 0.4 : double(index) / (count - 1);
}

Color Coloring::getColor(const Model &model, int64_t key) const {
  int64_t count = getNumKeys(model);
  if (color == PictureColor::Element) {
    int64_t across = llvm::divideCeil(model.getTileColumns(), columnBand);
    return getTileColor(getPart(key / across, count / across),
                        getPart(key % across, across));
  }
  bool isNominal = color == PictureColor::Warp || color == PictureColor::Issue;
  if (isNominal && count <= numCategories)
    return getCategoryColor(key);
  return getScaleColor(getPart(key, count));
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

/// A power of two that cuts `size` into about `parts`.
static int64_t getBand(int64_t size, int64_t parts) {
  return llvm::PowerOf2Ceil(llvm::divideCeil(size, parts));
}

/// Is there room for "(31, 7)" in each square?
static bool fitsNames(const Scene &scene) {
  const Model &model = scene.model;
  if (scene.lineHeight < 12)
    return false;
  size_t length = 2;
  for (int64_t extent : model.request.tileShape)
    length += std::to_string(extent - 1).size() + 1;
  for (const Panel &panel : scene.panels)
    if (panel.unitWidth * model.tables.unitsPerElement < length * 5.0)
      return false;
  return true;
}

/// Takes more together; false when hardly anything could be told apart then.
static bool coarsen(const Model &model, Coloring &coloring) {
  int64_t rows = model.getTileRows(), columns = model.getTileColumns();
  switch (coloring.color) {
  case PictureColor::Element:
    // The dimension that is cut finer.
    if (columns / coloring.columnBand >= rows / coloring.rowBand) {
      coloring.columnBand *= 2;
      return columns / coloring.columnBand >= 2;
    }
    coloring.rowBand *= 2;
    return rows / coloring.rowBand >= 2;
  case PictureColor::Lane:
    coloring.band *= 2;
    return coloring.band < warpSize;
  case PictureColor::Register:
    coloring.band *= 2;
    return coloring.band < model.tables.words;
  case PictureColor::Warp:
  case PictureColor::Issue:
    return false;
  }
  llvm_unreachable("not a colour");
}

Coloring Coloring::choose(const Scene &scene, PictureColor color) {
  const Model &model = scene.model;
  Coloring coloring{color};
  if (color == PictureColor::Element && !fitsNames(scene)) {
    coloring.rowBand = getBand(model.getTileRows(), 8);
    coloring.columnBand = getBand(model.getTileColumns(), 8);
  }
  if (color == PictureColor::Register)
    coloring.band = getBand(model.tables.words, 16);
  Coloring coarse = coloring;
  do {
    size_t blocks = 0;
    for (const Panel &panel : scene.panels)
      blocks += findBlocks(scene, panel, coarse).size();
    if (blocks <= maxBlocks)
      return coarse;
  } while (coarsen(model, coarse));
  coloring.isDense = true;
  return coloring;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The empty rest of a cell whose first part holds an element is drawn with it
/// where nobody could tell them apart.
static bool isDrawnWithCell(const Scene &scene, const Panel &panel,
                            int64_t unit, int64_t key) {
  constexpr double visible = 2; // Pixels.
  return key == emptyKey && panel.unitWidth < visible &&
         unit % scene.model.tables.unitsPerWord != 0;
}

/// The runs of equal keys in one line, as blocks of this line.
static std::vector<Block> findRuns(const Scene &scene, const Panel &panel,
                                   const Coloring &coloring, unsigned line) {
  std::vector<Block> runs;
  for (int64_t unit = panel.firstUnit; unit < panel.endUnit; ++unit) {
    std::optional<int64_t> index = scene.getIndex(panel, line, unit);
    if (!index)
      return {};
    int64_t key =
        coloring.getKey(scene.model, scene.model.getSquare(panel.side, *index));
    if (!runs.empty() &&
        (runs.back().key == key || isDrawnWithCell(scene, panel, unit, key)))
      runs.back().endUnit = unit + 1;
    else
      runs.push_back({line, line + 1, unit, unit + 1, key});
  }
  return runs;
}

std::vector<Block> mlir::tmem::picture::findBlocks(const Scene &scene,
                                                   const Panel &panel,
                                                   const Coloring &coloring) {
  std::vector<Block> blocks;
  // The blocks that reach down to the line before, from left to right.
  std::vector<size_t> open;
  for (unsigned line = scene.getFirstLine(); line < scene.getEndLine();
       ++line) {
    if (line % 32 == 0)
      open.clear();
    std::vector<size_t> next;
    auto above = open.begin();
    for (const Block &run : findRuns(scene, panel, coloring, line)) {
      while (above != open.end() && blocks[*above].firstUnit < run.firstUnit)
        ++above;
      if (above != open.end() && blocks[*above].firstUnit == run.firstUnit &&
          blocks[*above].endUnit == run.endUnit &&
          blocks[*above].key == run.key) {
        blocks[*above].endLine = line + 1;
        next.push_back(*above);
        continue;
      }
      next.push_back(blocks.size());
      blocks.push_back(run);
    }
    open = std::move(next);
  }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

static void add(NumberSet &set, int64_t number) {
  if (number >= 0)
    set.insert(number);
}

Contents mlir::tmem::picture::getContents(const Scene &scene,
                                          const Panel &panel,
                                          const Block &block) {
  const Model &model = scene.model;
  Contents contents;
  contents.tile.resize(model.request.tileShape.size());
  for (unsigned line = block.firstLine; line < block.endLine; ++line)
    for (int64_t unit = block.firstUnit; unit < block.endUnit; ++unit) {
      Square square =
          model.getSquare(panel.side, *scene.getIndex(panel, line, unit));
      add(contents.lanes, square.lane);
      add(contents.columns, square.column);
      if (square.unit != emptyUnit || block.key == emptyKey)
        add(contents.cellParts, square.cellPart);
      add(contents.warps, square.warp);
      add(contents.threads, square.thread);
      add(contents.words, square.word);
      add(contents.wordParts, square.wordPart);
      add(contents.issues, square.issue);
      if (square.unit == emptyUnit)
        continue;
      for (auto [dim, index] : llvm::enumerate(model.getTileIndex(square.unit)))
        contents.tile[dim].insert(index);
    }
  for (NumberSet *set :
       {&contents.lanes, &contents.columns, &contents.cellParts,
        &contents.warps, &contents.threads, &contents.words,
        &contents.wordParts, &contents.issues})
    set->close();
  for (NumberSet &set : contents.tile)
    set.close();
  return contents;
}
