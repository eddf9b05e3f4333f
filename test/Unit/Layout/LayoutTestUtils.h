//===- LayoutTestUtils.h - Layouts by enumeration ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of a layout, written down once more element by element, and
// random small layouts to compare with it.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_LAYOUTTESTUTILS_H
#define TMEM_TEST_UNIT_LAYOUT_LAYOUTTESTUTILS_H

#include "ParseLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace mlir::tmem::test {

/// All places of one element.
using Places = std::set<Coordinates>;
using Index = llvm::SmallVector<int64_t, 4>;

inline Places addToAll(const Places &places, Axis axis,
                       llvm::ArrayRef<int64_t> choices) {
  Places result;
  for (Coordinates place : places)
    for (int64_t choice : choices) {
      Coordinates moved = place;
      moved[static_cast<unsigned>(axis)] += choice;
      result.insert(moved);
    }
  return result;
}

inline int64_t multiply(llvm::ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

inline Index delinearize(int64_t element, llvm::ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
    index[dim] = element % shape[dim];
  return index;
}

inline int64_t linearize(llvm::ArrayRef<int64_t> index,
                         llvm::ArrayRef<int64_t> shape) {
  int64_t element = 0;
  for (auto [i, size] : llvm::zip(index, shape))
    element = element * size + i;
  return element;
}

inline std::vector<Places> enumerate(const Layout &layout) {
  Index extents;
  for (const Mode &mode : layout.modes)
    extents.push_back(mode.extent);
  std::vector<Places> result;
  for (int64_t e = 0, n = multiply(extents); e < n; ++e) {
    Places places = {Coordinates{}};
    for (auto [mode, digit] : llvm::zip(layout.modes, delinearize(e, extents)))
      places = addToAll(places, mode.axis, {digit * mode.stride});
    for (const AxisOffset &offset : layout.offsets)
      places = addToAll(places, offset.axis, {offset.value});
    for (const Mode &replica : layout.replicas) {
      Index steps;
      for (int64_t i = 0; i < replica.extent; ++i)
        steps.push_back(i * replica.stride);
      places = addToAll(places, replica.axis, steps);
    }
    result.push_back(places);
  }
  return result;
}

/// Names threads by warp and lane.
inline std::vector<Places> normalizeThreads(std::vector<Places> elements) {
  for (Places &places : elements) {
    Places normal;
    for (Coordinates place : places) {
      int64_t &tid = place[static_cast<unsigned>(Axis::Tid)];
      int64_t lane = (tid % 32 + 32) % 32;
      place[static_cast<unsigned>(Axis::Lane)] += lane;
      place[static_cast<unsigned>(Axis::Warp)] += (tid - lane) / 32;
      tid = 0;
      normal.insert(place);
    }
    places = normal;
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Is there a layout?
//===----------------------------------------------------------------------===//

inline Coordinates getDistance(const Places &from, const Places &to) {
  Coordinates distance = *to.begin();
  for (unsigned axis = 0; axis < numAxes; ++axis)
    distance[axis] -= (*from.begin())[axis];
  return distance;
}

/// Tries every way to write the number of elements as a product: the strides
/// follow. (Each element's smallest place moves as all of its places do.)
inline bool isSomeLayout(llvm::ArrayRef<Places> places, int64_t inner = 1) {
  int64_t size = places.size();
  if (inner == size)
    return true;
  for (int64_t extent = 2; inner * extent <= size; ++extent) {
    if (size % (inner * extent) != 0)
      continue;
    Coordinates step = getDistance(places[0], places[inner]);
    bool straight = llvm::count(step, 0) >= long(numAxes) - 1;
    for (int64_t e = 0; e < inner * extent && straight; ++e) {
      Coordinates distance = getDistance(places[e % inner], places[e]);
      for (unsigned axis = 0; axis < numAxes; ++axis)
        straight &= distance[axis] == e / inner * step[axis];
    }
    if (straight && isSomeLayout(places, inner * extent))
      return true;
  }
  return false;
}

/// True when a layout has a run of modes for each dimension: each dimension
/// alone is a layout, and together they add up.
inline bool followsDims(llvm::ArrayRef<Places> places,
                        llvm::ArrayRef<int64_t> shape) {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<Places> line;
    Index index(shape.size(), 0);
    for (index[dim] = 0; index[dim] < shape[dim]; ++index[dim])
      line.push_back(places[linearize(index, shape)]);
    if (!isSomeLayout(line))
      return false;
  }
  for (size_t e = 0; e < places.size(); ++e) {
    Coordinates sum = {};
    Index index = delinearize(e, shape);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      Index alone(shape.size(), 0);
      alone[dim] = index[dim];
      Coordinates part =
          getDistance(places[0], places[linearize(alone, shape)]);
      for (unsigned axis = 0; axis < numAxes; ++axis)
        sum[axis] += part[axis];
    }
    if (sum != getDistance(places[0], places[e]))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Random layouts
//===----------------------------------------------------------------------===//

class LayoutGenerator {
public:
  explicit LayoutGenerator(unsigned seed) : random(seed) {}

  int maxReplicas = 2;
  std::vector<int64_t> strides = {-4, -1, 0, 1, 2, 3, 4, 6, 8, 16, 32};

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }

  Layout get(int64_t maxElements = 64) {
    static const std::vector<std::vector<Axis>> kinds = {
        {Axis::TLane, Axis::TCol},
        {Axis::Warp, Axis::Lane, Axis::Reg},
        {Axis::Tid, Axis::Reg}};
    const auto &axes = kinds[pick(0, 2)];
    auto pickMode = [&](int64_t maxExtent) -> Mode {
      return {pick(1, maxExtent), strides[pick(0, strides.size() - 1)],
              axes[pick(0, axes.size() - 1)]};
    };
    Layout layout;
    int64_t size = 1;
    for (int64_t n = pick(1, 4); n > 0; --n) {
      layout.modes.push_back(
          pickMode(std::min<int64_t>(4, maxElements / size)));
      size *= layout.modes.back().extent;
    }
    for (int64_t n = pick(-2, 2); n > 0; --n)
      layout.offsets.push_back({pick(-2, 5), axes[pick(0, axes.size() - 1)]});
    for (int64_t n = pick(-2, maxReplicas); n > 0 && maxReplicas > 0; --n)
      layout.replicas.push_back(pickMode(3));
    return layout;
  }

  /// Any dimensions of so many elements.
  Index getShape(int64_t size) {
    Index shape;
    while (size > 1 && shape.size() < 3) {
      Index divisors;
      for (int64_t d = 1; d <= size; ++d)
        if (size % d == 0)
          divisors.push_back(d);
      shape.push_back(divisors[pick(0, divisors.size() - 1)]);
      size /= shape.back();
    }
    shape.push_back(size);
    return shape;
  }

  std::pair<Index, Index> getWindow(llvm::ArrayRef<int64_t> shape) {
    Index offsets, sizes;
    for (int64_t size : shape) {
      offsets.push_back(pick(0, size - 1));
      sizes.push_back(pick(1, size - offsets.back()));
    }
    return {offsets, sizes};
  }

  llvm::SmallVector<unsigned, 4> getPermutation(unsigned size) {
    llvm::SmallVector<unsigned, 4> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }

private:
  std::mt19937_64 random;
};

} // namespace mlir::tmem::test

#endif // TMEM_TEST_UNIT_LAYOUT_LAYOUTTESTUTILS_H
