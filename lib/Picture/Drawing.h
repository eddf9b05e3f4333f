//===- Drawing.h - The parts of a picture -----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_DRAWING_H
#define TMEM_LIB_PICTURE_DRAWING_H

#include "Blocks.h"
#include "Canvas.h"

namespace mlir::tmem::picture {

/// The colours of text, lines and page, in light and in dark surroundings.
llvm::StringRef getStyle();

/// The words over a picture, line by line.
struct Headings {
  std::string title;
  std::string answer; ///< What was chosen, or that nothing was; or empty.
  llvm::SmallVector<std::string, 4> layouts;
};
Headings getHeadings(const Model &model);

/// "TMEM lanes 0–31; columns 0–63" and so on, on one line each.
std::string describe(const Model &model, const Contents &contents);

/// The squares of all grids; with `hasTitles` each block has its own.
void drawBlocks(const Scene &scene, const Coloring &coloring, bool hasTitles,
                Canvas &canvas);
/// The squares of one grid as an image of each slab; with `hasTitles` tiles of
/// it have some.
void drawDense(const Scene &scene, const Panel &panel, const Coloring &coloring,
               bool hasTitles, Canvas &canvas);
/// What the colours mean: the tile itself, or samples.
void drawLegend(const Scene &scene, const Coloring &coloring, Canvas &canvas);
/// How far down that reaches.
double getLegendBottom(const Scene &scene, const Coloring &coloring);
/// Headings, frames and numbers of all grids, and what is between them.
void drawAxes(const Scene &scene, Canvas &canvas);
/// Outlines of what each issue moves, and brackets under the grids. Returns how
/// far down these reach.
double drawIssues(const Scene &scene, bool hasOutlines, Canvas &canvas);

/// The reason whose places are marked in a picture of a refused transfer.
const SelectionReason *findMarked(const PictureRequest &request);
/// "1: the element (1, 0) in Tensor Memory, 2: ..."
std::string describeMarks(const Model &model, const SelectionReason &reason);
/// Rings around the places of a misfit, with these numbers.
void drawMisfit(const Scene &scene, const SelectionReason &reason,
                Canvas &canvas);

/// Rings around the element that the request marks, in the tile (where colours
/// are those of the tile), in TMEM and in registers.
void drawMarked(const Scene &scene, PictureColor color, Canvas &canvas);
/// "element (8, 70): TMEM lane 72, column 6; warp 2, lane 8, register 6; ..."
std::string describeMarked(const Model &model);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_DRAWING_H
