//===- Scene.h - Where in a picture squares are -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_SCENE_H
#define TMEM_LIB_PICTURE_SCENE_H

#include "Model.h"

namespace mlir::tmem::picture {

/// A rectangle of the picture, in pixels.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

/// One grid: TMEM, or the registers of one warpgroup. A line is a TMEM lane, or
/// the thread whose warp reaches the slab with this lane; a position is a unit
/// of the line.
struct Panel {
  Side side = Side::Memory;
  unsigned warpgroup = 0;
  double x = 0;
  double unitWidth = 0;
  int64_t firstUnit = 0;
  int64_t endUnit = 0;

  double getX(int64_t unit) const { return x + (unit - firstUnit) * unitWidth; }
  double getWidth() const { return (endUnit - firstUnit) * unitWidth; }
};

/// The grids of a picture. Slabs stand a little apart.
struct Scene {
  static constexpr double slabGap = 3;

  const Model &model;
  llvm::SmallVector<Panel, 4> panels;
  double top = 0;
  double lineHeight = 0;
  /// The tile, which explains colours.
  Box tile;
  double width = 0;

  /// Lays the grids out from `left` on.
  Scene(const Model &model, double left);

  unsigned getFirstLine() const { return model.firstSlab * 32; }
  unsigned getEndLine() const { return model.endSlab * 32; }
  double getY(unsigned line) const;
  double getBottom() const { return getY(getEndLine() - 1) + lineHeight; }
  const Panel *find(Side side, unsigned warpgroup = 0) const;
  /// The index of a square in its table; none where no warp is.
  std::optional<int64_t> getIndex(const Panel &panel, unsigned line,
                                  int64_t unit) const;
  /// The line and panel of a register.
  unsigned getLine(unsigned warp, unsigned thread) const {
    return model.tables.getSlabLane(warp) + thread;
  }
  Box getBox(const Panel &panel, unsigned firstLine, unsigned endLine,
             int64_t firstUnit, int64_t endUnit) const;
};

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_SCENE_H
