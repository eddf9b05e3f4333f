//===- LayoutAlgebra.h - Calculating with layouts ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equality, composition, inverses, restriction, footprints and dimensions of
// layouts. Canonical forms, windows and permutations are in Layout.h,
// conversions from and to other notations in LayoutConversions.h.
//
// All of it rests on one fact: a mode and a replica move along one axis. So the
// places of a layout are a product, over the axes, of sets of numbers
// { d1 * s1 + d2 * s2 + ... : 0 <= di < extent i }, and most questions are
// answered axis by axis from the strides. Times are in modes (of which at most
// 31 are not unit modes) unless a comment says elements.
//
// No function asserts on bad input. A layout that does not verify
// (verifyLayout), an index out of range or sizes that do not match give
// nothing, or Decision::Unknown; where `reason` is given, it then says why.
// (Members of a struct want what verifies, as those of Layout do.)
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_LAYOUTALGEBRA_H
#define TMEM_LAYOUT_LAYOUTALGEBRA_H

#include "tmem/Layout/Layout.h"
#include "llvm/ADT/BitVector.h"
#include <string>

namespace mlir::tmem {

/// The answer to a question about sets of places. It is exact where it is Yes
/// or No. Unknown takes a layout that no tile in TMEM or in registers has:
/// strides that neither divide each other nor stay below 2^24 times their
/// greatest common divisor, and more than 2^20 places on the axis.
enum class Decision : uint8_t { No, Yes, Unknown };

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

/// Do both layouts put every element at the same set of places? Unlike
/// canonical forms this is exact with replicas too, and names of threads make
/// no difference: tid is 32 * warp + lane where lanes are 0 to 31. A memory and
/// a register layout differ. Linear in modes; sets of replicas whose strides do
/// not divide each other are enumerated.
Decision haveSamePlaces(const Layout &a, const Layout &b);

//===----------------------------------------------------------------------===//
// Index maps and composition
//===----------------------------------------------------------------------===//

/// One digit of an index: `extent` steps of `stride`.
struct IndexMode {
  int64_t extent;
  int64_t stride;

  bool operator==(const IndexMode &other) const {
    return extent == other.extent && stride == other.stride;
  }
};

/// A map from indices to indices. The index is split over the extents (last
/// fastest), each digit times its stride is added to `offset`. The same limits
/// hold as for a layout (rules L1 to L4).
struct IndexMap {
  llvm::SmallVector<IndexMode, 4> modes;
  int64_t offset = 0;

  bool operator==(const IndexMap &other) const {
    return modes == other.modes && offset == other.offset;
  }

  /// The size of the index space that it maps from.
  int64_t getNumIndices() const;
  /// Where an index goes. Wants 0 <= index < getNumIndices().
  int64_t apply(int64_t index) const;
  /// The smallest and the largest index that it maps to.
  std::pair<int64_t, int64_t> getRange() const;

  /// "(4, 8) : (8, 1) + 3".
  void print(llvm::raw_ostream &os) const;
};

/// Rules L1 to L4, as verifyLayout has them.
std::optional<Violation> verifyIndexMap(const IndexMap &map);

/// Unit modes dropped, those of stride 0 kept, contiguous ones merged. Equal
/// for two maps exactly when they map every index to the same one.
IndexMap canonicalize(const IndexMap &map);

/// The identity on `size` indices.
IndexMap getIdentity(int64_t size);

/// The layout whose element i is element inner(i) of `outer`, with its
/// replicas. Nothing when `inner` leaves the elements of `outer`, or when the
/// result is no layout: the elements lie at no constant strides. Exact; linear
/// in modes where the steps of `inner` carry from digit to digit of `outer`
/// evenly or not at all. Else the elements are looked at, at most 2^20 of them.
std::optional<Layout> compose(const Layout &outer, const IndexMap &inner,
                              std::string *reason = nullptr);

/// The map i -> outer(inner(i)); as above.
std::optional<IndexMap> compose(const IndexMap &outer, const IndexMap &inner,
                                std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// Injectivity and inverses
//===----------------------------------------------------------------------===//

/// Does no place hold two elements? (Replicas of one element may coincide.)
/// Sorts strides, and enumerates the places of an axis only where three or more
/// modes interleave.
Decision isInjective(const Layout &layout);

/// Finds elements by their places: the coordinate on each axis is divided by
/// strides, largest first, and each quotient times a weight is added up.
struct PlaceMap {
  struct Digit {
    int64_t extent; ///< At most extent - 1 steps are taken.
    int64_t stride; ///< On the axis, positive.
    int64_t weight; ///< What a step adds to the element.
    Axis axis;
  };

  llvm::SmallVector<Digit, 4> digits; ///< By axis, and largest stride first.
  Coordinates first = {};             ///< The smallest coordinates.
  Coordinates last = {};              ///< The largest coordinates.
  int64_t offset = 0;                 ///< The element of all digits zero.

  /// An element at the place (of the axes of the layout), or nothing where no
  /// element is.
  std::optional<int64_t> lookUp(const Coordinates &place) const;
};

/// A map from every place of the layout to an element that stands there, the
/// only one if the layout is injective. Nothing when strides on an axis
/// interleave: one is neither beyond the reach of all smaller ones nor a
/// multiple of each of them (and they of each other).
std::optional<PlaceMap> getRightInverse(const Layout &layout,
                                        std::string *reason = nullptr);

/// The same where the layout is injective, nothing where it is not: lookUp then
/// gives back the element of each of its places.
std::optional<PlaceMap> getLeftInverse(const Layout &layout,
                                       std::string *reason = nullptr);

/// The inverse of a layout whose places fill a box, each with one element: maps
/// the row-major index in the box of `axes` (last fastest, each counted from
/// its smallest coordinate) to the element. `axes` names every axis the layout
/// moves along, once. Exact: with compose, what it gives is a left and a right
/// inverse, and nothing is given only when there is none.
std::optional<IndexMap> invert(const Layout &layout, llvm::ArrayRef<Axis> axes,
                               std::string *reason = nullptr);

/// The inverse of a bijection of 0 .. getNumIndices() - 1. Exact.
std::optional<IndexMap> invert(const IndexMap &map,
                               std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// Restriction
//===----------------------------------------------------------------------===//

/// A part of a layout: which elements, in rising order, and where they are.
struct Restriction {
  IndexMap elements; ///< From the part's elements to those of the whole.
  Layout layout;     ///< Of the part.
};

/// The elements that stand at a coordinate from `low` to `high` - 1 on an axis,
/// with those of their places that lie there. Nothing when there are none, or
/// when the part is no layout: elements at no constant strides, or in different
/// replicas. Exact; linear in modes where the part cuts digits to intervals,
/// else the elements are looked at, at most 2^20 of them.
std::optional<Restriction> restrictToRange(const Layout &layout, Axis axis,
                                           int64_t low, int64_t high,
                                           std::string *reason = nullptr);

/// What one warp, below 2^31, holds of a register layout (by tid, or by warp
/// and lane). The part is by lane and reg.
std::optional<Restriction> restrictToWarp(const Layout &layout, int64_t warp,
                                          std::string *reason = nullptr);

/// What warps 4 * warpgroup to 4 * warpgroup + 3 hold. The part counts warps
/// from the first of these.
std::optional<Restriction> restrictToWarpgroup(const Layout &layout,
                                               int64_t warpgroup,
                                               std::string *reason = nullptr);

/// What lies in TMEM lanes `low` to `high` - 1 of a memory layout, at the lanes
/// where it was.
std::optional<Restriction> restrictToLanes(const Layout &layout, int64_t low,
                                           int64_t high,
                                           std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

/// How many coordinates there are on an axis from the smallest to the largest;
/// 1 where the layout does not move, 0 for one that does not verify.
/// (Layout::getRange says from where.)
int64_t getCosize(const Layout &layout, Axis axis);

/// The bits of TMEM that a tile occupies: each of `lanes` times each of
/// `units`, the runs of 4 bits along a lane. (Cell c is units 8c to 8c + 7.)
struct Footprint {
  llvm::BitVector lanes;
  llvm::BitVector units;

  /// The bits of TMEM that are occupied.
  int64_t getNumBits() const;
  /// The columns of 32-bit cells of which some bit is occupied.
  llvm::BitVector getColumns() const;
  /// The first and the last TMEM lane, the first and the last column.
  std::pair<int64_t, int64_t> getLaneRange() const;
  std::pair<int64_t, int64_t> getColumnRange() const;

  /// True when each bit of the other is one of this.
  bool contains(const Footprint &other) const;
  /// True when some bit belongs to both. Low and high halves of a cell do not
  /// overlap; see sharesCellWith.
  bool overlaps(const Footprint &other) const;
  /// True when some cell has bits of both.
  bool sharesCellWith(const Footprint &other) const;
};

/// The footprint of a memory layout with elements of `elementBits`, in time
/// linear in modes times columns. Rules L1 to L5, V2, and V4 and V5: the box is
/// that of the largest TMEM of any chip.
std::optional<Violation>
getFootprint(const Layout &layout, unsigned elementBits, Footprint &footprint);

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// A layout with the dimensions of its tile. Elements are numbered row-major,
/// so dimensions may be regrouped freely: the layout stays.
struct ShapedLayout {
  llvm::SmallVector<int64_t, 4> shape;
  Layout layout;
};

/// Stands for the one size that follows from the others.
inline constexpr int64_t inferredSize = -1;

/// The sizes, of which one may be inferredSize, if they multiply to `total`.
std::optional<llvm::SmallVector<int64_t, 4>>
resolveSizes(llvm::ArrayRef<int64_t> sizes, int64_t total,
             std::string *reason = nullptr);

/// The same elements under other dimensions, one of which may be inferredSize.
std::optional<ShapedLayout> reshape(const ShapedLayout &tile,
                                    llvm::ArrayRef<int64_t> shape,
                                    std::string *reason = nullptr);

/// Makes `count` dimensions from `first` on one dimension (of size 1 for none).
std::optional<ShapedLayout> groupDims(const ShapedLayout &tile, unsigned first,
                                      unsigned count,
                                      std::string *reason = nullptr);

/// Makes one dimension several, outermost first, one size may be inferredSize.
std::optional<ShapedLayout> ungroupDim(const ShapedLayout &tile, unsigned dim,
                                       llvm::ArrayRef<int64_t> sizes,
                                       std::string *reason = nullptr);

/// Splits, reorders and groups dimensions by a pattern as in einops:
/// "(a b) c -> b (c a)". `sizes` gives those of named factors; one factor of
/// each dimension follows from the others. Rules E1 to E3.
std::optional<Violation>
rearrange(const ShapedLayout &tile, llvm::StringRef pattern,
          llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> sizes,
          ShapedLayout &result);

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

/// Draws which elements stand where: a line for each `block` TMEM lanes (or
/// threads), a field for each `block` columns (or registers), with the first
/// element (by number) that has a place there, or a dot. Prints nothing, and is
/// false, for more than 64 lines or fields. Linear in elements and replicas,
/// at most 2^20 of them.
///
///   tlane\tcol  0      16     32     48
///   0           0,0    0,16   0,32   0,48
///   16          16,0   16,16  16,32  16,48
bool printPicture(const ShapedLayout &tile, llvm::raw_ostream &os,
                  int64_t block = 16);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_LAYOUTALGEBRA_H
