//===- LayoutAlgebraCompose.cpp - Index maps and composition --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "Modes.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

// Which axis stands for the indices does not matter.
static constexpr Axis indexAxis = Axis::TLane;

Layout detail::toLayout(const IndexMap &map) {
  Layout layout;
  for (const IndexMode &mode : map.modes)
    layout.modes.push_back({mode.extent, mode.stride, indexAxis});
  if (map.offset != 0)
    layout.offsets.push_back({map.offset, indexAxis});
  return layout;
}

IndexMap detail::toIndexMap(const Layout &layout) {
  IndexMap map;
  for (const Mode &mode : layout.modes)
    map.modes.push_back({mode.extent, mode.stride});
  map.offset = getOffset(layout, indexAxis);
  return map;
}

int64_t IndexMap::getNumIndices() const {
  return toLayout(*this).getNumElements();
}

int64_t IndexMap::apply(int64_t index) const {
  return at(toLayout(*this).getCoordinates(index), indexAxis);
}

std::pair<int64_t, int64_t> IndexMap::getRange() const {
  return toLayout(*this).getRange(indexAxis);
}

void IndexMap::print(llvm::raw_ostream &os) const {
  os << '(';
  llvm::interleaveComma(modes, os,
                        [&](const IndexMode &mode) { os << mode.extent; });
  os << ") : (";
  llvm::interleaveComma(modes, os,
                        [&](const IndexMode &mode) { os << mode.stride; });
  os << ')';
  if (offset != 0)
    os << " + " << offset;
}

std::optional<Violation> mlir::tmem::verifyIndexMap(const IndexMap &map) {
  return verifyLayout(toLayout(map));
}

IndexMap mlir::tmem::canonicalize(const IndexMap &map) {
  return toIndexMap(canonicalize(toLayout(map)));
}

IndexMap mlir::tmem::getIdentity(int64_t size) { return {{{size, 1}}, 0}; }

//===----------------------------------------------------------------------===//
// Composition digit by digit
//===----------------------------------------------------------------------===//

// An index is a number in the digits of the outer layout, and a step of the
// inner map adds a number. As long as no digit of the sum carries, each step
// adds to the place what it would add to the first place. A step that carries
// evenly, like steps of 2 in digits of 4, is cut in two there.

namespace {
/// `extent` steps that add `digits`, innermost digit first.
struct Piece {
  int64_t extent;
  llvm::SmallVector<int64_t, 4> digits;
};

class DigitComposer {
public:
  /// Both verify, and the range of `inner` are indices of `outer`.
  DigitComposer(const Layout &outer, const IndexMap &inner)
      : outer(outer), modes(getMergedModes(outer)), inner(inner) {
    std::reverse(modes.begin(), modes.end());
  }

  std::optional<Layout> compose();

private:
  llvm::SmallVector<int64_t, 4> getDigits(int64_t index) const;
  std::optional<Piece> takePiece(int64_t &extent, int64_t &stride) const;
  bool splitMode(const IndexMode &mode, llvm::SmallVectorImpl<Mode> &result);
  std::optional<Mode> getMode(const Piece &piece, int64_t sign) const;
  bool carries() const;

  const Layout &outer;
  llvm::SmallVector<Mode, 4> modes; ///< Of `outer`, innermost first.
  const IndexMap &inner;
  /// The smallest and the largest sum in each digit.
  llvm::SmallVector<int64_t, 4> low, high;
};
} // namespace

llvm::SmallVector<int64_t, 4> DigitComposer::getDigits(int64_t index) const {
  llvm::SmallVector<int64_t, 4> digits;
  for (const Mode &mode : modes) {
    digits.push_back(index % mode.extent);
    index /= mode.extent;
  }
  return digits;
}

/// Takes off as many steps of `stride`, a positive number, as do not carry.
/// Nothing if the rest does not go on evenly.
std::optional<Piece> DigitComposer::takePiece(int64_t &extent,
                                              int64_t &stride) const {
  Piece piece = {extent, getDigits(stride)};
  // Digits that all steps fit into.
  auto fits = [&](unsigned i) {
    return (extent - 1) * piece.digits[i] < modes[i].extent;
  };
  auto indices = llvm::seq<unsigned>(0, modes.size());
  if (llvm::all_of(indices, fits)) {
    extent = 1;
    return piece;
  }
  // Else a single digit that fills up evenly.
  if (llvm::count(piece.digits, 0) + 1 != int64_t(modes.size()))
    return std::nullopt;
  unsigned i = llvm::find_if(piece.digits, [](int64_t d) { return d != 0; }) -
               piece.digits.begin();
  piece.extent = modes[i].extent / piece.digits[i];
  if (modes[i].extent % piece.digits[i] != 0 || extent % piece.extent != 0)
    return std::nullopt;
  extent /= piece.extent;
  stride *= piece.extent;
  return piece;
}

/// The steps of a piece as a mode of the result: along one axis.
std::optional<Mode> DigitComposer::getMode(const Piece &piece,
                                           int64_t sign) const {
  Mode result = {piece.extent, 0, getNeutralAxis(outer)};
  Coordinates step = {};
  for (auto [digit, mode] : llvm::zip(piece.digits, modes))
    at(step, mode.axis) += sign * digit * mode.stride;
  for (unsigned i = 0; i < numAxes; ++i) {
    if (step[i] == 0)
      continue;
    if (result.stride != 0)
      return std::nullopt;
    result = {piece.extent, step[i], static_cast<Axis>(i)};
  }
  return result;
}

/// Appends the pieces of a mode, innermost first, and counts up their digits.
bool DigitComposer::splitMode(const IndexMode &mode,
                              llvm::SmallVectorImpl<Mode> &result) {
  int64_t extent = mode.extent, stride = std::abs(mode.stride);
  while (extent > 1) {
    std::optional<Piece> piece = takePiece(extent, stride);
    if (!piece)
      return false;
    std::optional<Mode> part = getMode(*piece, mode.stride < 0 ? -1 : 1);
    if (!part)
      return false;
    result.push_back(*part);
    auto &bound = mode.stride < 0 ? low : high;
    for (auto [sum, digit] : llvm::zip(bound, piece->digits))
      sum += (piece->extent - 1) * (mode.stride < 0 ? -digit : digit);
  }
  return true;
}

bool DigitComposer::carries() const {
  for (auto [least, most, mode] : llvm::zip(low, high, modes))
    if (least < 0 || most >= mode.extent)
      return true;
  return false;
}

std::optional<Layout> DigitComposer::compose() {
  low = high = getDigits(inner.offset);
  llvm::SmallVector<Mode, 4> inwards;
  for (const IndexMode &mode : llvm::reverse(inner.modes))
    if (!splitMode(mode, inwards))
      return std::nullopt;
  if (carries())
    return std::nullopt;
  Layout result = outer;
  result.modes.assign(inwards.rbegin(), inwards.rend());
  Layout modesOnly;
  modesOnly.modes = outer.modes;
  addOffsets(result, modesOnly.getCoordinates(inner.offset));
  return result;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// Looks at each element.
static std::optional<Layout> composeElements(const Layout &outer,
                                             const IndexMap &inner) {
  Layout modesOnly;
  modesOnly.modes = outer.modes;
  Layout indices = toLayout(inner);
  auto place = [&](int64_t i) {
    return modesOnly.getCoordinates(at(indices.getCoordinates(i), indexAxis));
  };
  auto modes = findModes(inner.getNumIndices(), getNeutralAxis(outer), place);
  if (!modes)
    return std::nullopt;
  Layout result = outer;
  result.modes = std::move(*modes);
  addOffsets(result, place(0));
  return result;
}

std::optional<Layout> mlir::tmem::compose(const Layout &outer,
                                          const IndexMap &inner,
                                          std::string *reason) {
  if (!verifies(outer, reason) || !verifies(toLayout(inner), reason))
    return std::nullopt;
  auto [low, high] = inner.getRange();
  if (low < 0 || high >= outer.getNumElements())
    return refuse(reason, "expected indices 0 to " +
                              Twine(outer.getNumElements() - 1) +
                              " of the outer map, but got " + Twine(low) +
                              " to " + Twine(high));
  std::optional<Layout> result = DigitComposer(outer, inner).compose();
  if (!result)
    result = composeElements(outer, inner);
  if (!result)
    return refuse(reason, "expected elements at constant strides, but got "
                          "steps that carry unevenly from digit to digit");
  result->modes = getMergedModes(*result);
  ensureMode(*result, getNeutralAxis(outer));
  if (!verifies(*result, reason))
    return std::nullopt;
  return result;
}

std::optional<IndexMap> mlir::tmem::compose(const IndexMap &outer,
                                            const IndexMap &inner,
                                            std::string *reason) {
  std::optional<Layout> result = compose(toLayout(outer), inner, reason);
  if (!result)
    return std::nullopt;
  return toIndexMap(*result);
}
