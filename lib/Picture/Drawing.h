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
/// What the colours mean: the tile itself, or samples.
void drawLegend(const Scene &scene, const Coloring &coloring, Canvas &canvas);
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

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_DRAWING_H
