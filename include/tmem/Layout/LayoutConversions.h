//===- LayoutConversions.h - Layouts in other notations ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts from and to two notations that others use: linear bases as Triton has
// them, and nested shape:stride as CuTe has it. Where there is no result,
// `reason` says why. No function asserts on bad input.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_LAYOUTCONVERSIONS_H
#define TMEM_LAYOUT_LAYOUTCONVERSIONS_H

#include "tmem/Layout/LayoutAlgebra.h"

namespace mlir::tmem {

//===----------------------------------------------------------------------===//
// Linear bases
//===----------------------------------------------------------------------===//

/// A map from places to elements that is linear over bits: the element at a
/// place is the exclusive or of the bases of the bits that are set in the
/// place's coordinates. All sizes are powers of two.
///
///   {register = [[0, 1], [0, 2]], lane = [[1, 0], ...], warp = [[32, 0]]}
struct LinearBases {
  /// The index of an element in each dimension of the tile.
  using Basis = llvm::SmallVector<int64_t, 2>;

  struct Input {
    Axis axis; ///< Not tid.
    /// Where each bit of the coordinate goes, lowest bit first. A zero basis is
    /// a bit that makes no difference: the element stands at both places.
    llvm::SmallVector<Basis, 8> bases;

    bool operator==(const Input &other) const {
      return axis == other.axis && bases == other.bases;
    }
  };

  llvm::SmallVector<Input, 3> inputs;
  llvm::SmallVector<int64_t, 4> shape; ///< Of the tile.

  bool operator==(const LinearBases &other) const {
    return inputs == other.inputs && shape == other.shape;
  }

  /// As above. The names of the axes are register, lane and warp, row and col.
  void print(llvm::raw_ostream &os) const;
};

/// Reads what print writes. `block = []` is read too, and left out.
std::optional<LinearBases> parseLinearBases(llvm::StringRef text,
                                            llvm::ArrayRef<int64_t> shape,
                                            std::string *reason = nullptr);

/// The layout of the tile, in canonical form; zero bases become replicas.
/// Exact: nothing exactly when no layout puts the elements at these places.
/// That is so unless each bit of the element comes from one bit of a place, and
/// each basis has at most one bit. Two bases with a bit in common need an
/// exclusive or, where a layout adds and would carry.
std::optional<Layout> fromLinearBases(const LinearBases &bases,
                                      std::string *reason = nullptr);

/// The linear bases of a layout with this shape: register, lane and warp for a
/// register layout, row and col for a memory layout. Exact: nothing exactly
/// when there are none, because a size or a stride is no power of two, places
/// do not start at 0, or a place below the largest has no element.
std::optional<LinearBases> toLinearBases(const Layout &layout,
                                         llvm::ArrayRef<int64_t> shape,
                                         std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// Nested shape:stride
//===----------------------------------------------------------------------===//

/// A map from nested coordinates to integers,
/// "((32,4),64):((65536,2097152),1)". The coordinate in a dimension is split
/// over its modes, first fastest; each digit times its stride is added up.
/// Deeper nesting makes no difference and is flattened.
struct CuteLayout {
  llvm::SmallVector<llvm::SmallVector<IndexMode, 4>, 2> dims;
  int64_t offset = 0; ///< Where it starts; not part of the text.

  bool operator==(const CuteLayout &other) const {
    return dims == other.dims && offset == other.offset;
  }

  void print(llvm::raw_ostream &os) const;
};

/// Reads "shape:stride", both an integer (8 or _8) or a tuple, of one form.
std::optional<CuteLayout> parseCuteLayout(llvm::StringRef text,
                                          std::string *reason = nullptr);

/// A tile in TMEM whose integers are addresses counted in elements: as lanes
/// are 2^16 cells of 32 bits apart in an address (PTX ISA, "Tensor Memory
/// Addressing"), they are 2^21 / elementBits elements apart. Nothing when a
/// mode moves along lanes and columns at once or columns run into lanes.
std::optional<ShapedLayout> fromCuteMemory(const CuteLayout &cute,
                                           unsigned elementBits,
                                           std::string *reason = nullptr);

/// The way back. Nothing for replicas, for modes that belong to several
/// dimensions, or columns that run into lanes.
std::optional<CuteLayout> toCuteMemory(const ShapedLayout &tile,
                                       unsigned elementBits,
                                       std::string *reason = nullptr);

/// A register layout from (thread, value) -> element, "((4,8),(2,2)):(...)".
/// Its integers number the elements of a tile of `shape` column-major (first
/// dimension fastest); modes of stride 0 become replicas. Nothing when it does
/// not hold every element, each equally often, or when modes belong to several
/// dimensions.
std::optional<ShapedLayout> fromCuteThreadValue(const CuteLayout &cute,
                                                llvm::ArrayRef<int64_t> shape,
                                                std::string *reason = nullptr);

/// The way back: a thread and a value mode. Nothing when threads or values do
/// not start at 0 or hold no element somewhere.
std::optional<CuteLayout> toCuteThreadValue(const ShapedLayout &tile,
                                            std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// Either, by its name
//===----------------------------------------------------------------------===//

/// Whether a text begins with the name of one of these notations: "linear:" or
/// "cute:".
bool namesNotation(llvm::StringRef text);

/// The memory layout of a tile of `shape` from "linear:{row = ..., col = ...}"
/// or "cute:(64,64):(65536,1)", whose integers are addresses counted in
/// elements of `elementBits` bits.
std::optional<Layout> parseMemoryNotation(llvm::StringRef text,
                                          llvm::ArrayRef<int64_t> shape,
                                          unsigned elementBits,
                                          std::string *reason = nullptr);

/// The register layout of a tile of `shape` from "linear:{register = ...,
/// lane = ..., warp = ...}" or "cute:(128,64):(1,128)", from (thread, value) to
/// the column-major number of the element.
std::optional<Layout> parseRegisterNotation(llvm::StringRef text,
                                            llvm::ArrayRef<int64_t> shape,
                                            std::string *reason = nullptr);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_LAYOUTCONVERSIONS_H
