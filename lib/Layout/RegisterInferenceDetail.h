//===- RegisterInferenceDetail.h - Canonical places -------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout's modes each move on one axis, so without replicas the cells that it
// takes are a product: some lanes by some columns. That makes the cut into
// images simple: the lanes are whole halves of a slab, or no 16-row shape moves
// them, and the columns fall into runs as wide as an image.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_REGISTERINFERENCEDETAIL_H
#define TMEM_LIB_LAYOUT_REGISTERINFERENCEDETAIL_H

#include "TransferTables.h"
#include "tmem/Layout/RegisterInference.h"

namespace mlir::tmem::detail {

/// Where one layout of a tile stands, replicas left out.
struct SlabFootprint {
  uint32_t lanes = 0; ///< One bit for each lane of a slab that some slab takes.
  int64_t firstLane = 0;                 ///< Of TMEM.
  llvm::SmallVector<int32_t, 0> columns; ///< Of cells, ascending.
  /// An element stands in bits 16 to 31 of a cell.
  bool hasHighHalves = false;
  SlabFootprint(const Layout &layout, unsigned elementBits);
};

/// A place in the registers of a scope: the thread, and the element slot of its
/// vector.
struct RegisterSlot {
  int64_t thread = 0;
  int64_t slot = 0;

  RegisterSlot operator+(RegisterSlot other) const {
    return {thread + other.thread, slot + other.slot};
  }
  RegisterSlot operator-(RegisterSlot other) const {
    return {thread - other.thread, slot - other.slot};
  }
  bool operator==(RegisterSlot other) const {
    return thread == other.thread && slot == other.slot;
  }
};

/// Says where each element of a tile is in the canonical order of a shape.
class CanonicalOrder {
public:
  CanonicalOrder(const MemoryTile &tile, const TransferTables &tables,
                 AtomShape shape, Packing packing);

  /// Cuts the tile into images. Everything else wants that done without a
  /// violation.
  std::optional<Violation> cut();
  /// Numbers words by columns, those left out included. False when nothing is
  /// left out, or no whole images.
  bool keepGaps();

  /// Where element `element` of layout `piece` is.
  RegisterSlot getSlot(unsigned piece, int64_t element) const;

  const Layout &getLayout(unsigned piece) const { return pieces[piece].layout; }
  unsigned getNumPieces() const { return pieces.size(); }

private:
  /// What a column that the tile takes is part of.
  struct Column {
    unsigned warpgroup = 0;
    unsigned region = 0; ///< Of 16x32bx2.
    unsigned image = 0;  ///< Among the images of its half of a slab.
    unsigned column = 0; ///< Of the image, in cells.
  };
  struct Piece {
    Layout layout; ///< Without replicas.
    SlabFootprint footprint;
    llvm::SmallVector<int32_t, 0> rankOf; ///< By column: its number, or -1.
    llvm::SmallVector<Column, 0> columns; ///< By number.
    bool usesHalf[2] = {false, false};
  };

  unsigned getColumnsPerImage() const;
  unsigned getNumShares() const { return numWarpgroups * numColumnRegions; }
  std::optional<Violation> checkWideElements() const;
  std::optional<Violation> checkLowHalves(unsigned index) const;
  std::optional<Violation> checkLanes(Piece &piece) const;
  std::optional<Violation> cutColumns(Piece &piece) const;
  std::optional<Violation> checkImage(const Piece &piece, int64_t first,
                                      int64_t end) const;
  Violation describeTouched(const Piece &piece, int32_t startColumn, Cell cell,
                            const llvm::Twine &what) const;
  std::string getElementAt(const Piece &piece, int32_t column) const;
  void makeImage();

  const MemoryTile &tile;
  const TransferTables &tables;
  AtomShape shape;
  Packing packing;
  const NativeImage &image;
  unsigned numWarpgroups;
  /// How many regions of 16x32bx2 divide the columns: 2 or, where they are
  /// halves of a slab or two layouts, 1.
  unsigned numColumnRegions = 1;
  bool regionsAreHalves = false;
  unsigned imagesPerHalf = 0;
  llvm::SmallVector<Piece, 2> pieces;
  /// The lane and word of each cell of an image: [row][column].
  struct ImagePlace {
    unsigned lane = 0, word = 0;
  };
  ImagePlace imagePlaces[32][8];
};

/// How many warps a scope has.
unsigned getNumWarps(const MemoryTile &tile);

/// The canonical register layout of an atom, for a memory side that stands in
/// `tables`.
std::variant<RegisterTile, Violation>
inferInTables(const MemoryTile &tile, const TransferTables &tables,
              AtomShape shape, Packing packing);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_REGISTERINFERENCEDETAIL_H
