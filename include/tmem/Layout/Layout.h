//===- Layout.h - Layouts of tiles in TMEM and registers --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout maps the elements of a tile to coordinates on named axes. The tile's
// row-major element index is split over the extents of the modes (last
// fastest); each digit times its stride is added on the mode's axis. Replicas
// say where else an element stands, offsets shift the whole layout.
//
//   (64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_LAYOUT_H
#define TMEM_LAYOUT_LAYOUT_H

#include "tmem/Layout/Rules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::tmem {

/// The axes of TMEM (lanes; columns, counted in elements) and of registers
/// (warp, lane of the warp, element slot of the thread's vector, and
/// tid = 32 * warp + lane).
enum class Axis : uint8_t { TLane, TCol, Warp, Lane, Reg, Tid };
inline constexpr unsigned numAxes = 6;

llvm::StringRef stringifyAxis(Axis axis);
std::optional<Axis> symbolizeAxis(llvm::StringRef name);

/// One digit of the element index, or one replica: `extent` steps of `stride`
/// on `axis`.
struct Mode {
  int64_t extent;
  int64_t stride;
  Axis axis;

  bool operator==(const Mode &other) const {
    return extent == other.extent && stride == other.stride &&
           axis == other.axis;
  }
};

/// A shift of the whole layout along one axis.
struct AxisOffset {
  int64_t value;
  Axis axis;

  bool operator==(const AxisOffset &other) const {
    return value == other.value && axis == other.axis;
  }
};

inline llvm::hash_code hash_value(const Mode &mode) {
  return llvm::hash_combine(mode.extent, mode.stride, mode.axis);
}
inline llvm::hash_code hash_value(const AxisOffset &offset) {
  return llvm::hash_combine(offset.value, offset.axis);
}

/// A coordinate on every axis, indexed by Axis.
using Coordinates = std::array<int64_t, numAxes>;

struct Layout {
  llvm::SmallVector<Mode, 4> modes;
  llvm::SmallVector<Mode, 1> replicas;
  llvm::SmallVector<AxisOffset, 2> offsets;

  bool operator==(const Layout &other) const {
    return modes == other.modes && replicas == other.replicas &&
           offsets == other.offsets;
  }

  /// The number of elements: the product of the extents.
  int64_t getNumElements() const;
  /// The number of places of each element: the product of the replica counts.
  int64_t getNumReplicas() const;

  /// The first place of an element (every replica digit zero).
  Coordinates getCoordinates(int64_t element) const;
  /// What each replica adds to the first place, the zero of the first included.
  llvm::SmallVector<Coordinates, 1> getReplicaOffsets() const;

  /// The smallest and the largest coordinate on an axis over all places.
  std::pair<int64_t, int64_t> getRange(Axis axis) const;
  bool usesAxis(Axis axis) const;
  /// True when modes, replicas and offsets use memory axes alone.
  bool isMemoryLayout() const;
  /// True when modes, replicas and offsets use register axes alone.
  bool isRegisterLayout() const;

  /// "(64, 2) : (1@tlane, 1@tcol) + (16@tlane) * (4 : 32@tlane, 2 : 8@tcol)".
  void print(llvm::raw_ostream &os) const;
};

/// Checks what can be said of a layout alone: rules L1 to L6 (L2: at least one
/// mode; L5: not both kinds of axes). The other functions want a layout that
/// verifies: then no sum or product in them overflows.
std::optional<Violation> verifyLayout(const Layout &layout);

/// Checks the shape of a tile: rule V1, and L3, as a layout has as many
/// elements as its tile. Until then no product of the shape is known to be a
/// number.
std::optional<Violation> verifyTileShape(llvm::ArrayRef<int64_t> shape);

/// Calls `fn` with every element and its first place, in row-major order. Takes
/// constant time per element, however many modes there are.
void forEachElement(const Layout &layout,
                    llvm::function_ref<void(int64_t, const Coordinates &)> fn);

/// The canonical form: unit modes and replicas dropped, modes that do not move
/// put on one axis (tlane or reg), tid for 32 * warp + lane where the lanes are
/// 0 to 31, contiguous modes merged, replicas made to go upwards, sorted and
/// merged, offsets sorted, one per axis and none that is zero. A layout of one
/// element keeps one mode. For layouts that verify:
///   - it has the same places for every element, and verifies;
///   - two layouts of one kind and without replicas have equal canonical forms
///     exactly when they map every element to the same place;
///   - with replicas equal forms mean the same, but not the other way round:
///     sets of places that are sums in several ways are not brought together,
///     and neither is a shift that modes and replicas could share.
/// Threads keep warp and lane where tid's strides would break rule L4.
Layout canonicalize(const Layout &layout);

/// The same map over modes that refine `shape`: each dimension is a whole run
/// of modes, whose lengths go to `modesPerDim`. Nothing when there is no such
/// list of modes: an extent would have to be split unevenly.
std::optional<Layout> splitModes(const Layout &layout,
                                 llvm::ArrayRef<int64_t> shape,
                                 llvm::SmallVectorImpl<unsigned> &modesPerDim);

/// The layout of a window of a tile of `shape`: `sizes` elements from
/// `offsets` in each dimension. Nothing when the window is no layout: its
/// elements lie at no constant strides. (Also nothing for a window that cuts a
/// dimension to more than 2^20 elements, which no tile in TMEM has.)
std::optional<Layout> slice(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> offsets,
                            llvm::ArrayRef<int64_t> sizes);

/// The layout of the tile with its dimensions reordered: dimension i of the
/// result is dimension permutation[i] of `shape`. Nothing when splitModes has
/// nothing.
std::optional<Layout> permute(const Layout &layout,
                              llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<unsigned> permutation);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_LAYOUT_H
