//===- LayoutWindows.cpp - Dimensions and windows of a layout -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modes.h"
#include "tmem/Layout/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

/// The product of a shape, or nothing when there is no such tile.
static std::optional<int64_t> multiplyShape(llvm::ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    if (size < 1 || llvm::MulOverflow(product, size, product))
      return std::nullopt;
  return product;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Moves modes that make up the innermost `size` elements from the end of
/// `modes` to the end of `dim`, innermost first.
static bool takeInnermost(int64_t size, llvm::SmallVectorImpl<Mode> &modes,
                          llvm::SmallVectorImpl<Mode> &dim) {
  while (size > 1) {
    Mode &mode = modes.back();
    int64_t taken = std::min(size, mode.extent);
    if (size % taken != 0 || mode.extent % taken != 0)
      return false;
    dim.push_back({taken, mode.stride, mode.axis});
    size /= taken;
    mode.extent /= taken;
    mode.stride *= taken;
    if (mode.extent == 1)
      modes.pop_back();
  }
  return true;
}

std::optional<Layout>
mlir::tmem::splitModes(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                       llvm::SmallVectorImpl<unsigned> &modesPerDim) {
  if (multiplyShape(shape) != layout.getNumElements())
    return std::nullopt;
  llvm::SmallVector<Mode, 4> rest = getMergedModes(layout), inwards;
  modesPerDim.assign(shape.size(), 0);
  for (unsigned dim = shape.size(); dim-- > 0;) {
    unsigned before = inwards.size();
    if (!takeInnermost(shape[dim], rest, inwards))
      return std::nullopt;
    modesPerDim[dim] = inwards.size() - before;
  }
  Layout result = layout;
  result.modes.assign(inwards.rbegin(), inwards.rend());
  if (result.modes.empty() && !shape.empty())
    modesPerDim[0] = 1;
  ensureMode(result, getNeutralAxis(layout));
  return result;
}

std::optional<Layout>
mlir::tmem::permute(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<unsigned> permutation) {
  llvm::SmallVector<unsigned, 4> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<unsigned>(0, shape.size())))
    return std::nullopt;
  llvm::SmallVector<unsigned, 4> modesPerDim;
  std::optional<Layout> split = splitModes(layout, shape, modesPerDim);
  if (!split)
    return std::nullopt;
  Layout result = *split;
  result.modes.clear();
  for (unsigned dim : permutation) {
    auto first = split->modes.begin();
    for (unsigned i = 0; i < dim; ++i)
      first += modesPerDim[i];
    result.modes.append(first, first + modesPerDim[dim]);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// A window is taken by looking at each of its elements. No tile in TMEM has as
// many as this.
static constexpr int64_t maxWindow = int64_t(1) << 20;

static Coordinates subtract(Coordinates a, const Coordinates &b) {
  for (unsigned i = 0; i < numAxes; ++i)
    a[i] -= b[i];
  return a;
}

/// The stride of a mode whose one step goes to `place` from the origin. Nothing
/// when it moves along two axes.
static std::optional<Mode> getStep(const Coordinates &place, Axis neutral) {
  Mode step = {1, 0, neutral};
  for (unsigned i = 0; i < numAxes; ++i) {
    if (place[i] == 0)
      continue;
    if (step.stride != 0)
      return std::nullopt;
    step = {1, place[i], static_cast<Axis>(i)};
  }
  return step;
}

/// True when the modes map every element below `size` as `place` does, counted
/// from element 0.
static bool isMapOf(const Layout &candidate, PlaceFn place) {
  bool same = true;
  Coordinates origin = place(0);
  forEachElement(candidate, [&](int64_t element, const Coordinates &got) {
    same = same && subtract(place(element), origin) == got;
  });
  return same;
}

/// How many multiples of `run` lie in line with the first two, from 0 on.
static int64_t countSteps(int64_t size, int64_t run, const Mode &step,
                          PlaceFn place) {
  Coordinates expected = place(0);
  int64_t count = 0;
  do {
    ++count;
    expected[static_cast<unsigned>(step.axis)] += step.stride;
  } while (count * run < size && place(count * run) == expected);
  return count;
}

std::optional<llvm::SmallVector<Mode, 4>>
detail::findModes(int64_t size, Axis neutral, PlaceFn place) {
  if (size > maxWindow)
    return std::nullopt;
  Layout found;
  for (int64_t run = 1; run < size; run *= found.modes.back().extent) {
    auto step = getStep(subtract(place(run), place(0)), neutral);
    if (!step)
      return std::nullopt;
    step->extent = countSteps(size, run, *step, place);
    if (size % (step->extent * run) != 0)
      return std::nullopt;
    found.modes.push_back(*step);
  }
  std::reverse(found.modes.begin(), found.modes.end());
  if (!isMapOf(found, place))
    return std::nullopt;
  return found.modes;
}

static void shift(Layout &layout, const Coordinates &distance) {
  for (unsigned i = 0; i < numAxes; ++i)
    if (distance[i] != 0)
      addOffset(layout, static_cast<Axis>(i), distance[i]);
}

/// Dimension by dimension: each adds its own part to the coordinates.
static std::optional<Layout> sliceDims(const Layout &split,
                                       llvm::ArrayRef<unsigned> modesPerDim,
                                       llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> offsets,
                                       llvm::ArrayRef<int64_t> sizes) {
  Axis neutral = getNeutralAxis(split);
  Layout result = split;
  result.modes.clear();
  const Mode *first = split.modes.begin();
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    Layout part;
    part.modes.assign(first, first + modesPerDim[dim]);
    first += modesPerDim[dim];
    if (sizes[dim] != shape[dim]) {
      shift(result, part.getCoordinates(offsets[dim]));
      auto modes = findModes(sizes[dim], neutral, [&](int64_t i) {
        return part.getCoordinates(offsets[dim] + i);
      });
      if (!modes)
        return std::nullopt;
      part.modes = std::move(*modes);
    }
    result.modes.append(part.modes);
  }
  ensureMode(result, neutral);
  return result;
}

/// The whole window at once, where modes do not follow the dimensions.
static std::optional<Layout> sliceElements(const Layout &layout,
                                           llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<int64_t> offsets,
                                           llvm::ArrayRef<int64_t> sizes) {
  Layout modesOnly;
  modesOnly.modes = layout.modes;
  auto place = [&](int64_t i) {
    int64_t element = 0, pitch = 1;
    for (unsigned dim = shape.size(); dim-- > 0; pitch *= shape[dim]) {
      element += (offsets[dim] + i % sizes[dim]) * pitch;
      i /= sizes[dim];
    }
    return modesOnly.getCoordinates(element);
  };
  Axis neutral = getNeutralAxis(layout);
  auto modes = findModes(*multiplyShape(sizes), neutral, place);
  if (!modes)
    return std::nullopt;
  Layout result = layout;
  result.modes = std::move(*modes);
  shift(result, place(0));
  ensureMode(result, neutral);
  return result;
}

std::optional<Layout> mlir::tmem::slice(const Layout &layout,
                                        llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<int64_t> offsets,
                                        llvm::ArrayRef<int64_t> sizes) {
  if (multiplyShape(shape) != layout.getNumElements() ||
      offsets.size() != shape.size() || sizes.size() != shape.size())
    return std::nullopt;
  for (auto [size, offset, extent] : llvm::zip(sizes, offsets, shape))
    if (size < 1 || offset < 0 || offset > extent || size > extent - offset)
      return std::nullopt;
  llvm::SmallVector<unsigned, 4> modesPerDim;
  if (auto split = splitModes(layout, shape, modesPerDim))
    return sliceDims(*split, modesPerDim, shape, offsets, sizes);
  return sliceElements(layout, shape, offsets, sizes);
}
