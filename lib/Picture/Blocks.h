//===- Blocks.h - Rectangles of one colour ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_BLOCKS_H
#define TMEM_LIB_PICTURE_BLOCKS_H

#include "Colors.h"
#include "Names.h"
#include "Scene.h"

namespace mlir::tmem::picture {

/// Squares that hold no element, and those that the colour says nothing about.
inline constexpr int64_t emptyKey = -1;
inline constexpr int64_t unknownKey = -2;

/// Which squares look the same: those with equal keys. Rows and columns of the
/// tile, lanes and registers are taken together in bands.
struct Coloring {
  PictureColor color = PictureColor::Element;
  int64_t rowBand = 1;
  int64_t columnBand = 1;
  int64_t band = 1; ///< Of lanes or registers.
  /// Too many blocks, however wide bands are: squares are drawn one by one.
  bool isDense = false;

  /// The bands with which a scene stays legible and its picture small.
  static Coloring choose(const Scene &scene, PictureColor color);

  int64_t getKey(const Model &model, const Square &square) const;
  /// How many keys there are, from 0 on.
  int64_t getNumKeys(const Model &model) const;
  Color getColor(const Model &model, int64_t key) const;
};

/// A rectangle of squares with one key, within one slab of one grid.
struct Block {
  unsigned firstLine = 0;
  unsigned endLine = 0;
  int64_t firstUnit = 0;
  int64_t endUnit = 0;
  int64_t key = 0;
};

/// Cuts a grid into blocks, from top to bottom and from left to right. Lines
/// without a warp have none.
std::vector<Block> findBlocks(const Scene &scene, const Panel &panel,
                              const Coloring &coloring);

/// All that the squares of a block hold.
struct Contents {
  NumberSet lanes, columns, cellParts;
  NumberSet warps, threads, words, wordParts;
  NumberSet issues;
  llvm::SmallVector<NumberSet, 4> tile; ///< For each dimension.
};

Contents getContents(const Scene &scene, const Panel &panel,
                     const Block &block);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_BLOCKS_H
