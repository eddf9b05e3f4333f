//===- RegisterInferenceOrder.cpp - The canonical order of words ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterInferenceDetail.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

static int64_t get(const Coordinates &place, Axis axis) {
  return place[static_cast<unsigned>(axis)];
}

/// All coordinates on an axis, ascending.
static llvm::SmallVector<int32_t, 0> getCoordinatesOn(const Layout &layout,
                                                      Axis axis) {
  llvm::SmallVector<int32_t, 0> all = {
      int32_t(get(layout.getCoordinates(0), axis))};
  for (const Mode &mode : layout.modes) {
    if (mode.axis != axis || mode.stride == 0)
      continue;
    size_t before = all.size();
    for (int64_t i = 1; i < mode.extent; ++i)
      for (size_t j = 0; j < before; ++j)
        all.push_back(all[j] + i * mode.stride);
  }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  return all;
}

SlabFootprint::SlabFootprint(const Layout &layout, unsigned elementBits) {
  for (int32_t lane : getCoordinatesOn(layout, Axis::TLane))
    lanes |= uint32_t(1) << lane % 32;
  firstLane = layout.getRange(Axis::TLane).first;
  for (int64_t place : getCoordinatesOn(layout, Axis::TCol)) {
    hasHighHalves |= elementBits < 32 && place * elementBits % 32 >= 16;
    int32_t first = place * elementBits / 32;
    int32_t last = ((place + 1) * elementBits - 1) / 32;
    for (int32_t column = first; column <= last; ++column)
      if (columns.empty() || columns.back() < column)
        columns.push_back(column);
  }
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

unsigned detail::getNumWarps(const MemoryTile &tile) {
  switch (tile.scope.kind) {
  case ScopeKind::Warp:
    return 1;
  case ScopeKind::Warpgroup:
    return 4;
  case ScopeKind::CTA:
    return tile.numWarps;
  }
  llvm_unreachable("not a scope");
}

CanonicalOrder::CanonicalOrder(const MemoryTile &tile,
                               const TransferTables &tables, AtomShape shape,
                               Packing packing)
    : tile(tile), tables(tables), shape(shape), packing(packing),
      image(getNativeImage(shape)),
      numWarpgroups(std::max(1u, getNumWarps(tile) / 4)) {
  for (const Layout &layout : tile.memory) {
    // Replicas go up then, so that what is left is the lowest place.
    Layout first = canonicalize(layout);
    first.replicas.clear();
    pieces.push_back({first, SlabFootprint(first, tile.elementBits), {}, {}});
  }
  makeImage();
}

/// Inverts the image: getLaneCell and getWordCell without packing, which
/// doubles the columns.
void CanonicalOrder::makeImage() {
  unsigned numLanes = shape == AtomShape::S16x32bx2 ? 16 : 32;
  for (unsigned lane = 0; lane < numLanes; ++lane)
    for (unsigned word = 0; word < image.wordsPerRepeat; ++word) {
      Cell cell = getLaneCell(shape, Packing::None, lane) +
                  getWordCell(shape, Packing::None, word);
      imagePlaces[cell.lane][cell.column] = {lane, word};
    }
}

unsigned CanonicalOrder::getColumnsPerImage() const {
  return image.columnsPerRepeat * (packing == Packing::None ? 1 : 2);
}

std::string CanonicalOrder::getElementAt(const Piece &piece,
                                         int32_t column) const {
  llvm::ArrayRef<Unit> units =
      tables.getCell({piece.footprint.firstLane, column});
  return "element " + tables.getName(units[findAnchor(units).value_or(0)]);
}

Violation CanonicalOrder::describeTouched(const Piece &piece,
                                          int32_t startColumn, Cell cell,
                                          const Twine &what) const {
  Cell first = {piece.footprint.firstLane, startColumn};
  llvm::ArrayRef<Unit> units = tables.getCell(first);
  Misfit misfit = {tables.getElement(units[findAnchor(units).value_or(0)]),
                   first, std::nullopt, cell};
  return makeViolation(Rule::T3,
                       image.name + ".x1 at column " + Twine(startColumn) +
                           " from " + getElementAt(piece, startColumn) +
                           " on would touch " + getCellName(cell) + ", " + what,
                       misfit);
}

/// Which halves of the slabs the piece takes, whole ones.
std::optional<Violation> CanonicalOrder::checkLanes(Piece &piece) const {
  uint32_t lanes = piece.footprint.lanes, needed = 0;
  piece.usesHalf[0] = image.rows == 32 || (lanes & 0xffff) != 0;
  piece.usesHalf[1] = image.rows == 32 || lanes >> 16 != 0;
  for (unsigned half = 0; half < 2; ++half)
    if (piece.usesHalf[half])
      needed |= 0xffffu << 16 * half;
  uint32_t missing = needed & ~lanes;
  if (!missing)
    return std::nullopt;
  int64_t lane = 0;
  while (!(missing >> lane & 1))
    ++lane;
  int32_t column = piece.footprint.columns.front();
  lane += piece.footprint.firstLane / 32 * 32;
  return describeTouched(piece, column, {lane, column},
                         "which holds no element");
}

/// Checks that the image of columns number `first` on, of a share that ends
/// before number `end`, is whole.
std::optional<Violation> CanonicalOrder::checkImage(const Piece &piece,
                                                    int64_t first,
                                                    int64_t end) const {
  const auto &columns = piece.footprint.columns;
  for (unsigned i = 0; i < getColumnsPerImage(); ++i) {
    int32_t expected = columns[first] + i;
    bool isTaken =
        first + i < int64_t(columns.size()) && columns[first + i] == expected;
    if (isTaken && first + i < end)
      continue;
    return describeTouched(piece, columns[first],
                           {piece.footprint.firstLane, expected},
                           isTaken ? "which is not of its share of the columns"
                                   : "which holds no element");
  }
  return std::nullopt;
}

std::optional<Violation> CanonicalOrder::cutColumns(Piece &piece) const {
  const auto &columns = piece.footprint.columns;
  int64_t numShares = getNumShares(), perShare = columns.size() / numShares;
  if (perShare * numShares != int64_t(columns.size()))
    return makeViolation(
        Rule::T5, "expected columns in " + Twine(numShares) +
                      " equal shares for the warpgroups and the accesses of " +
                      image.name + ", but got " + Twine(columns.size()) +
                      " columns up to " + getElementAt(piece, columns.back()));
  piece.rankOf.assign(columns.back() + 1, -1);
  int64_t perImage = getColumnsPerImage();
  for (int64_t rank = 0; rank < int64_t(columns.size()); ++rank) {
    int64_t share = rank / perShare, inShare = rank % perShare;
    if (inShare % perImage == 0)
      if (auto violation = checkImage(piece, rank, (share + 1) * perShare))
        return violation;
    piece.rankOf[columns[rank]] = rank;
    piece.columns.push_back(
        {unsigned(share / numColumnRegions), unsigned(share % numColumnRegions),
         unsigned(inShare / perImage), unsigned(inShare % perImage)});
  }
  return std::nullopt;
}

/// An element of 64 bits is two cells, which must be two words of one lane.
std::optional<Violation> CanonicalOrder::checkWideElements() const {
  if (tile.elementBits != 64 || image.columnsPerRepeat == 1)
    return std::nullopt;
  ImagePlace low = imagePlaces[0][0], high = imagePlaces[0][1];
  if (low.lane == high.lane && high.word == low.word + 1)
    return std::nullopt;
  const Piece &piece = pieces.front();
  return makeViolation(
      Rule::T2, image.name + " puts the two cells of " +
                    getElementAt(piece, piece.footprint.columns.front()) +
                    " in registers of two lanes");
}

/// Packing moves the low halves of cells.
std::optional<Violation> CanonicalOrder::checkLowHalves(unsigned index) const {
  const Piece &piece = pieces[index];
  if (packing == Packing::None || !piece.footprint.hasHighHalves)
    return std::nullopt;
  int64_t element = 0, firstBit = 0;
  Coordinates place;
  for (;; ++element) {
    place = piece.layout.getCoordinates(element);
    firstBit = get(place, Axis::TCol) * tile.elementBits;
    if (firstBit % 32 >= 16)
      break;
  }
  Cell cell = {get(place, Axis::TLane), firstBit / 32};
  if (index == 1)
    element += pieces[0].layout.getNumElements();
  return makeViolation(
      Rule::T2,
      "element " + tables.getName(element * tables.unitsPerElement) +
          " is in bits " + Twine(firstBit % 32) + " to " +
          Twine(firstBit % 32 + tile.elementBits - 1) + " of " +
          getCellName(cell) + ", but " + stringifyPacking(packing) +
          " moves bits 0 to 15 of a cell",
      {element, cell, std::nullopt, std::nullopt});
}

std::optional<Violation> CanonicalOrder::cut() {
  if (auto violation = checkWideElements())
    return violation;
  for (unsigned index = 0; index < pieces.size(); ++index)
    if (auto violation = checkLowHalves(index))
      return violation;
  for (Piece &piece : pieces)
    if (auto violation = checkLanes(piece))
      return violation;
  if (shape == AtomShape::S16x32bx2 && pieces.size() == 1) {
    regionsAreHalves = pieces[0].usesHalf[0] && pieces[0].usesHalf[1];
    numColumnRegions = regionsAreHalves ? 1 : 2;
  }
  for (Piece &piece : pieces) {
    if (auto violation = cutColumns(piece))
      return violation;
    imagesPerHalf = std::max(imagesPerHalf, piece.columns.back().image + 1);
  }
  return std::nullopt;
}

bool CanonicalOrder::keepGaps() {
  bool changed = false;
  int64_t perImage = getColumnsPerImage();
  for (Piece &piece : pieces) {
    int64_t perShare = piece.columns.size() / getNumShares();
    for (auto [rank, column] : llvm::enumerate(piece.columns)) {
      const auto &columns = piece.footprint.columns;
      int64_t distance =
          columns[rank - column.column] - columns[rank / perShare * perShare];
      if (distance % perImage != 0)
        return false;
      changed |= column.image != distance / perImage;
      column.image = distance / perImage;
      imagesPerHalf = std::max(imagesPerHalf, column.image + 1);
    }
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

RegisterSlot CanonicalOrder::getSlot(unsigned index, int64_t element) const {
  const Piece &piece = pieces[index];
  Coordinates place = piece.layout.getCoordinates(element);
  int64_t bits = tile.elementBits, lane = get(place, Axis::TLane);
  int64_t firstBit = get(place, Axis::TCol) * bits;
  const Column &column = piece.columns[piece.rankOf[firstBit / 32]];
  unsigned halfWidth = packing == Packing::None ? 1 : 2;
  unsigned half = image.rows == 16 && lane % 32 >= 16;
  unsigned region = pieces.size() == 2 ? index : column.region;
  int64_t row = lane % image.rows;
  ImagePlace in = imagePlaces[row][column.column / halfWidth];
  int64_t word = column.image * image.wordsPerRepeat + in.word;
  if (regionsAreHalves)
    region = half;
  else if (half && piece.usesHalf[0])
    word += imagesPerHalf * image.wordsPerRepeat;
  int64_t bit = word * 32 + firstBit % 32 + column.column % halfWidth * 16;
  int64_t slab = tile.scope.kind == ScopeKind::Warp ? 0 : lane / 32;
  return {128 * column.warpgroup + 32 * slab + 16 * region + in.lane,
          bit / bits};
}
