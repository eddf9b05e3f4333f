//===- LayoutConversionsCute.cpp - Layouts and nested shape:stride --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "Modes.h"
#include "tmem/Layout/LayoutConversions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printDims(const CuteLayout &layout, int64_t IndexMode::*member,
                      llvm::raw_ostream &os) {
  os << '(';
  llvm::interleave(
      layout.dims, os,
      [&](const llvm::SmallVector<IndexMode, 4> &modes) {
        if (modes.size() != 1)
          os << '(';
        llvm::interleave(
            modes, os, [&](const IndexMode &mode) { os << mode.*member; }, ",");
        if (modes.size() != 1)
          os << ')';
      },
      ",");
  os << ')';
}

void CuteLayout::print(llvm::raw_ostream &os) const {
  printDims(*this, &IndexMode::extent, os);
  os << ':';
  printDims(*this, &IndexMode::stride, os);
}

namespace {
/// A nested tuple read from left to right: its integers, each with the top
/// level mode that it is in, and its form, the text without integers.
struct Tuple {
  llvm::SmallVector<std::pair<unsigned, int64_t>, 8> integers;
  std::string form;
};
} // namespace

/// Reads an integer, perhaps marked as static: 8, _8, -1.
static bool readInteger(StringRef &text, int64_t &value) {
  text.consume_front("_");
  return !text.consumeInteger(10, value);
}

/// Reads a tuple without recursion, so that any nesting may come.
static bool readTuple(StringRef &text, Tuple &tuple) {
  unsigned depth = 0, top = 0;
  do {
    text = text.ltrim();
    if (text.consume_front("(")) {
      ++depth;
      tuple.form += '(';
      continue;
    }
    int64_t value;
    if (!readInteger(text, value))
      return false;
    tuple.integers.push_back({top, value});
    tuple.form += '0';
    for (text = text.ltrim(); depth > 0 && text.consume_front(")");
         text = text.ltrim()) {
      --depth;
      tuple.form += ')';
    }
    if (depth == 0)
      return true;
    if (!text.consume_front(","))
      return false;
    tuple.form += ',';
    top += depth == 1;
  } while (true);
}

std::optional<CuteLayout> mlir::tmem::parseCuteLayout(StringRef text,
                                                      std::string *reason) {
  Tuple shape, stride;
  StringRef rest = text;
  bool isRead = readTuple(rest, shape) && (rest = rest.ltrim(), true) &&
                rest.consume_front(":") && readTuple(rest, stride) &&
                rest.trim().empty();
  if (!isRead)
    return refuse(reason, "expected shape:stride, each an integer or a tuple, "
                          "but got \"" +
                              rest.take_front(40) +
                              (rest.size() > 40 ? "...\"" : "\""));
  if (shape.form != stride.form)
    return refuse(reason, "expected a stride for each extent, but got tuples "
                          "of two forms");
  CuteLayout result;
  for (auto [extent, step] : llvm::zip(shape.integers, stride.integers)) {
    if (extent.first == result.dims.size())
      result.dims.emplace_back();
    result.dims.back().push_back({extent.second, step.second});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// How many elements lie between the addresses of two lanes.
static std::optional<int64_t> getLanePitch(unsigned elementBits,
                                           std::string *reason) {
  if (llvm::is_contained({4u, 8u, 16u, 32u, 64u}, elementBits))
    return (int64_t(1) << 21) / elementBits;
  return refuse(reason,
                "expected elements of 4, 8, 16, 32 or 64 bits, but got " +
                    Twine(elementBits));
}

/// The sizes of the dimensions. Nothing when a layout could not have them.
static std::optional<llvm::SmallVector<int64_t, 4>>
getShape(const CuteLayout &cute, std::string *reason) {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t product = 1;
  for (const auto &modes : cute.dims) {
    int64_t &size = shape.emplace_back(1);
    for (const IndexMode &mode : modes) {
      if (mode.extent < 1 || mode.extent >= int64_t(1) << 31 ||
          (product *= mode.extent) >= int64_t(1) << 31)
        return refuse(reason, "expected extents of at least 1 that multiply to "
                              "less than 2^31, but got " +
                                  Twine(mode.extent));
      size *= mode.extent;
    }
  }
  return shape;
}

/// Columns are the low part of an address.
static bool columnsFit(const Layout &layout, int64_t lanePitch,
                       std::string *reason) {
  auto [low, high] = layout.getRange(Axis::TCol);
  if (low >= 0 && high < lanePitch)
    return true;
  refuse(reason, "expected columns 0 to " + Twine(lanePitch - 1) +
                     ", but got " + Twine(low) + " to " + Twine(high));
  return false;
}

/// The stride on an axis of a step between addresses.
static std::optional<Mode>
getAddressMode(const IndexMode &mode, int64_t lanePitch, std::string *reason) {
  if (mode.extent == 1 || mode.stride == 0)
    return Mode{mode.extent, 0, Axis::TLane};
  if (mode.stride % lanePitch == 0)
    return Mode{mode.extent, mode.stride / lanePitch, Axis::TLane};
  if (-lanePitch < mode.stride && mode.stride < lanePitch)
    return Mode{mode.extent, mode.stride, Axis::TCol};
  return refuse(reason, "expected strides along lanes (multiples of " +
                            Twine(lanePitch) + ") or columns, but got " +
                            Twine(mode.stride));
}

std::optional<ShapedLayout> mlir::tmem::fromCuteMemory(const CuteLayout &cute,
                                                       unsigned elementBits,
                                                       std::string *reason) {
  std::optional<int64_t> lanePitch = getLanePitch(elementBits, reason);
  if (!lanePitch)
    return std::nullopt;
  auto shape = getShape(cute, reason);
  if (!shape)
    return std::nullopt;
  ShapedLayout result = {*shape, {}};
  for (const auto &modes : cute.dims)
    for (const IndexMode &mode : llvm::reverse(modes)) {
      auto part = getAddressMode(mode, *lanePitch, reason);
      if (!part)
        return std::nullopt;
      result.layout.modes.push_back(*part);
    }
  if (cute.offset < 0)
    return refuse(reason, "expected an offset of at least 0, but got " +
                              Twine(cute.offset));
  if (cute.offset >= *lanePitch)
    result.layout.offsets.push_back({cute.offset / *lanePitch, Axis::TLane});
  if (cute.offset % *lanePitch != 0)
    result.layout.offsets.push_back({cute.offset % *lanePitch, Axis::TCol});
  if (!verifies(result.layout, reason) ||
      !columnsFit(result.layout, *lanePitch, reason))
    return std::nullopt;
  return result;
}

/// The modes of each dimension, first fastest. `strides` says what a step of a
/// mode adds to the integer.
template <typename GetStride>
static void appendDims(const Layout &split,
                       llvm::ArrayRef<unsigned> modesPerDim,
                       GetStride getStride, CuteLayout &result) {
  llvm::ArrayRef<Mode> rest = split.modes;
  for (unsigned count : modesPerDim) {
    auto &dim = result.dims.emplace_back();
    for (const Mode &mode : llvm::reverse(rest.take_front(count)))
      dim.push_back({mode.extent, getStride(mode)});
    if (dim.empty())
      dim.push_back({1, 0});
    rest = rest.drop_front(count);
  }
}

std::optional<CuteLayout> mlir::tmem::toCuteMemory(const ShapedLayout &tile,
                                                   unsigned elementBits,
                                                   std::string *reason) {
  std::optional<int64_t> lanePitch = getLanePitch(elementBits, reason);
  if (!lanePitch || !verifies(tile.layout, reason))
    return std::nullopt;
  if (!tile.layout.isMemoryLayout() ||
      !canonicalize(tile.layout).replicas.empty())
    return refuse(reason, "expected a memory layout without replicas");
  if (!columnsFit(tile.layout, *lanePitch, reason))
    return std::nullopt;
  llvm::SmallVector<unsigned, 4> modesPerDim;
  auto split = splitModes(tile.layout, tile.shape, modesPerDim);
  if (!split)
    return refuse(reason, "expected modes that split between dimensions");
  if (!verifies(*split, reason))
    return std::nullopt;
  auto getStride = [&](const Mode &mode) {
    return mode.axis == Axis::TLane ? mode.stride * *lanePitch : mode.stride;
  };
  CuteLayout result;
  appendDims(*split, modesPerDim, getStride, result);
  result.offset = getOffset(tile.layout, Axis::TLane) * *lanePitch +
                  getOffset(tile.layout, Axis::TCol);
  return result;
}

//===----------------------------------------------------------------------===//
// Threads and values
//===----------------------------------------------------------------------===//

/// Reverses the order of dimensions: between row-major and column-major.
static std::optional<Layout> transpose(const Layout &layout,
                                       llvm::ArrayRef<int64_t> shape,
                                       std::string *reason) {
  if (shape.empty() && layout.getNumElements() == 1)
    return layout;
  llvm::SmallVector<unsigned, 4> order;
  for (unsigned dim = shape.size(); dim-- > 0;)
    order.push_back(dim);
  std::optional<Layout> result = permute(layout, shape, order);
  if (!result)
    return refuse(reason, "expected modes that split between dimensions");
  return result;
}

namespace {
/// A mode of the place for each `stride` elements.
struct ElementStep {
  int64_t stride;
  Mode place;
};
} // namespace

/// The steps of threads (or values) over elements. Those that stay are
/// replicas.
static void appendSteps(llvm::ArrayRef<IndexMode> modes, Axis axis,
                        llvm::SmallVectorImpl<ElementStep> &steps,
                        Layout &result) {
  int64_t weight = 1;
  for (const IndexMode &mode : modes) {
    Mode place = {mode.extent, weight, axis};
    weight *= mode.extent;
    if (mode.extent == 1)
      continue;
    if (mode.stride == 0)
      result.replicas.push_back(place);
    else
      steps.push_back({mode.stride, place});
  }
}

std::optional<ShapedLayout>
mlir::tmem::fromCuteThreadValue(const CuteLayout &cute,
                                llvm::ArrayRef<int64_t> shape,
                                std::string *reason) {
  if (cute.dims.size() != 2 || cute.offset != 0)
    return refuse(reason, "expected a mode of threads and a mode of values, "
                          "from 0 on");
  if (!getShape(cute, reason))
    return std::nullopt;
  Layout byColumns;
  llvm::SmallVector<ElementStep, 8> steps;
  appendSteps(cute.dims[0], Axis::Tid, steps, byColumns);
  appendSteps(cute.dims[1], Axis::Reg, steps, byColumns);
  llvm::sort(steps, [](const ElementStep &a, const ElementStep &b) {
    return a.stride < b.stride;
  });
  // Each element equally often: the steps are digits of its number.
  int64_t size = 1;
  for (const ElementStep &step : steps) {
    if (step.stride != size)
      return refuse(reason, "expected every element equally often, but got "
                            "gaps or overlaps at a stride of " +
                                Twine(step.stride));
    size *= step.place.extent;
    byColumns.modes.insert(byColumns.modes.begin(), step.place);
  }
  ensureMode(byColumns, Axis::Reg);
  llvm::SmallVector<int64_t, 4> reversed(llvm::reverse(shape));
  int64_t product = 1;
  for (int64_t dim : shape)
    if (dim < 1 || llvm::MulOverflow(product, dim, product))
      product = -1;
  if (product != size)
    return refuse(reason, "expected a shape of " + Twine(size) +
                              " elements, but got others");
  std::optional<Layout> layout = transpose(byColumns, reversed, reason);
  if (!layout)
    return std::nullopt;
  return ShapedLayout{{shape.begin(), shape.end()}, canonicalize(*layout)};
}

std::optional<CuteLayout>
mlir::tmem::toCuteThreadValue(const ShapedLayout &tile, std::string *reason) {
  if (!verifies(tile.layout, reason))
    return std::nullopt;
  if (!tile.layout.isRegisterLayout())
    return refuse(reason, "expected a register layout, but got the axes of a "
                          "memory layout");
  auto byColumns = transpose(canonicalize(tile.layout), tile.shape, reason);
  if (!byColumns)
    return std::nullopt;
  if (byColumns->getRange(Axis::Tid).first != 0 ||
      byColumns->getRange(Axis::Reg).first != 0)
    return refuse(reason, "expected threads and registers from 0 on");
  auto elements = invert(*byColumns, {Axis::Tid, Axis::Reg}, reason);
  if (!elements)
    return std::nullopt;
  if (elements->offset != 0)
    return refuse(reason, "expected strides that go upwards");
  llvm::SmallVector<unsigned, 2> modesPerDim;
  auto split = splitModes(
      toLayout(*elements),
      {getCosize(*byColumns, Axis::Tid), getCosize(*byColumns, Axis::Reg)},
      modesPerDim);
  if (!split)
    return refuse(reason, "expected modes that split between dimensions");
  CuteLayout result;
  appendDims(
      *split, modesPerDim, [](const Mode &mode) { return mode.stride; },
      result);
  return result;
}
