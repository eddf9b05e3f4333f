//===- TransferTables.cpp - Where a tile's bits are -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds come first: nothing is allocated or walked before the layout is known
// to stay within TMEM or the vector, whatever its extents and strides.
//
//===----------------------------------------------------------------------===//

#include "TransferTables.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

std::string detail::getElementName(int64_t element,
                                   llvm::ArrayRef<int64_t> tileShape) {
  llvm::SmallVector<std::string, 4> indices;
  for (int64_t size : llvm::reverse(tileShape)) {
    indices.push_back(std::to_string(element % size));
    element /= size;
  }
  return "(" + llvm::join(llvm::reverse(indices), ", ") + ")";
}

std::string TransferTables::getName(Unit unit) const {
  return getElementName(getElement(unit), tileShape);
}

static int64_t get(const Coordinates &place, Axis axis) {
  return place[static_cast<unsigned>(axis)];
}

/// Calls `fn` with the places of an element, of which `layout` is one piece.
static void forEachPlace(const Piece &piece, int64_t element,
                         llvm::function_ref<void(const Coordinates &)> fn) {
  Coordinates first = piece.layout.getCoordinates(element);
  for (const Coordinates &offset : piece.replicaOffsets) {
    Coordinates place = first;
    for (unsigned i = 0; i < numAxes; ++i)
      place[i] += offset[i];
    fn(place);
  }
}

llvm::SmallVector<MemoryPlace, 4>
TransferTables::findInMemory(Unit unit) const {
  const Piece *piece = pieces.begin();
  while (piece + 1 != pieces.end() && piece[1].firstUnit <= unit)
    ++piece;
  int64_t element = getElement(unit - piece->firstUnit);
  int64_t half = unit % unitsPerElement;
  llvm::SmallVector<MemoryPlace, 4> places;
  forEachPlace(*piece, element, [&](const Coordinates &place) {
    int64_t at = get(place, Axis::TCol) * unitsPerElement + half;
    places.push_back({{get(place, Axis::TLane), at / unitsPerWord},
                      unsigned(at % unitsPerWord)});
  });
  return places;
}

static int64_t getThread(const Coordinates &place) {
  return get(place, Axis::Tid) + warpSize * get(place, Axis::Warp) +
         get(place, Axis::Lane);
}

llvm::SmallVector<RegisterPlace, 4>
TransferTables::findInRegisters(Unit unit) const {
  llvm::SmallVector<RegisterPlace, 4> places;
  forEachPlace(registerPiece, getElement(unit), [&](const Coordinates &place) {
    int64_t at =
        get(place, Axis::Reg) * unitsPerElement + unit % unitsPerElement;
    unsigned thread = getThread(place);
    places.push_back({thread / warpSize, thread % warpSize,
                      unsigned(at / unitsPerWord),
                      unsigned(at % unitsPerWord)});
  });
  return places;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
struct Range {
  int64_t low, high;
};

struct Outlier {
  int64_t element, value;
};
} // namespace

/// The first element with a place outside of a range, of which there must be
/// one. Found digit by digit, so that the size of the tile does not matter.
static Outlier findOutlier(const Layout &layout, Axis axis, Range range) {
  // What is reached with the digits so far, whatever the others are.
  auto [low, high] = layout.getRange(axis);
  int64_t element = 0;
  for (const Mode &mode : layout.modes) {
    int64_t step = mode.axis == axis ? mode.stride : 0;
    int64_t reach = (mode.extent - 1) * step, digit = 0;
    low -= std::min<int64_t>(reach, 0);
    high -= std::max<int64_t>(reach, 0);
    if (low >= range.low && high <= range.high)
      digit = step > 0 ? (range.high - high) / step + 1
                       : (low - range.low) / -step + 1;
    low += digit * step;
    high += digit * step;
    element = element * mode.extent + digit;
  }
  return {element, low < range.low ? low : high};
}

/// Checks that all places lie in a range on an axis.
static std::optional<Violation> checkRange(Rule rule, const Twine &what,
                                           const Layout &layout, Axis axis,
                                           Range range, int64_t firstElement,
                                           llvm::ArrayRef<int64_t> tileShape) {
  auto [low, high] = layout.getRange(axis);
  if (low >= range.low && high <= range.high)
    return std::nullopt;
  Outlier outlier = findOutlier(layout, axis, range);
  return makeViolation(
      rule, "expected " + what + " " + Twine(range.low) + " to " +
                Twine(range.high) + ", but got " + Twine(outlier.value) +
                " for element " +
                getElementName(firstElement + outlier.element, tileShape));
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

/// What one step on each axis adds to a position in a table.
using Pitches = std::array<int64_t, numAxes>;

static int64_t dot(const Coordinates &place, const Pitches &pitches) {
  int64_t sum = 0;
  for (unsigned i = 0; i < numAxes; ++i)
    sum += place[i] * pitches[i];
  return sum;
}

namespace {
/// A unit that finds another one where it belongs.
struct Collision {
  Unit unit;
  int64_t position;
};

/// Walks one replica of a layout over a table.
class Filler {
public:
  Filler(const Layout &layout, const Pitches &pitches);

  /// Enters every element at `offset` from its first place.
  std::optional<Collision> fill(int64_t offset, Unit firstUnit,
                                unsigned unitsPerElement,
                                std::vector<Unit> &table) const;

private:
  struct Digit {
    int64_t extent, step;
  };
  llvm::SmallVector<Digit, 8> outer;
  Digit inner = {1, 0};
  int64_t origin;
};
} // namespace

Filler::Filler(const Layout &layout, const Pitches &pitches)
    : origin(dot(layout.getCoordinates(0), pitches)) {
  for (const Mode &mode : layout.modes)
    if (mode.extent > 1)
      outer.push_back(
          {mode.extent, mode.stride * pitches[unsigned(mode.axis)]});
  if (!outer.empty())
    inner = outer.pop_back_val();
}

std::optional<Collision> Filler::fill(int64_t offset, Unit unit,
                                      unsigned unitsPerElement,
                                      std::vector<Unit> &table) const {
  llvm::SmallVector<int64_t, 8> digits(outer.size(), 0);
  int64_t position = origin + offset;
  while (true) {
    for (int64_t i = 0; i < inner.extent; ++i)
      for (unsigned half = 0; half < unitsPerElement; ++half, ++unit) {
        Unit &entry = table[position + i * inner.step + half];
        if (entry != emptyUnit && entry != unit)
          return Collision{unit, position + i * inner.step + half};
        entry = unit;
      }
    unsigned level = outer.size();
    while (true) {
      if (level-- == 0)
        return std::nullopt;
      if (++digits[level] < outer[level].extent)
        break;
      digits[level] = 0;
      position -= (outer[level].extent - 1) * outer[level].step;
    }
    position += outer[level].step;
  }
}

/// Enters a piece in all its places.
static std::optional<Collision> fillPiece(const Piece &piece,
                                          const Pitches &pitches,
                                          unsigned unitsPerElement,
                                          std::vector<Unit> &table) {
  Filler filler(piece.layout, pitches);
  for (const Coordinates &offset : piece.replicaOffsets)
    if (auto collision = filler.fill(dot(offset, pitches), piece.firstUnit,
                                     unitsPerElement, table))
      return collision;
  return std::nullopt;
}

// More replicas than places in TMEM or in a CTA's registers, counted once each.
static constexpr size_t maxReplicas = size_t(1) << 20;

/// What replicas add to a first place, each place once. Nothing when there are
/// more than can be.
static std::optional<llvm::SmallVector<Coordinates, 1>>
findReplicaOffsets(const Layout &layout) {
  llvm::SmallVector<Coordinates, 1> offsets(1, Coordinates{});
  for (const Mode &replica : layout.replicas) {
    if (replica.extent == 1 || replica.stride == 0)
      continue;
    if (replica.extent > int64_t(maxReplicas / offsets.size()))
      return std::nullopt;
    size_t before = offsets.size();
    for (int64_t i = 1; i < replica.extent; ++i)
      for (size_t j = 0; j < before; ++j) {
        offsets.push_back(offsets[j]);
        offsets.back()[unsigned(replica.axis)] += i * replica.stride;
      }
    if (before == 1)
      continue;
    llvm::sort(offsets);
    offsets.erase(llvm::unique(offsets), offsets.end());
  }
  return offsets;
}

/// " in 4 places each", where there are replicas.
static std::string getPlaces(const Layout &layout) {
  if (layout.replicas.empty())
    return "";
  return " in " + std::to_string(layout.getNumReplicas()) + " places each";
}

/// Finds the places of a layout, if no more than `capacity`.
static std::optional<Violation> makePiece(const Layout &layout, Unit firstUnit,
                                          Rule rule, const Twine &what,
                                          int64_t capacity, Piece &piece) {
  auto offsets = findReplicaOffsets(layout);
  if (!offsets || layout.getNumElements() * int64_t(offsets->size()) > capacity)
    return makeViolation(rule, "expected at most " + Twine(capacity) +
                                   " elements and replicas in " + what +
                                   ", but got " +
                                   Twine(layout.getNumElements()) +
                                   " elements" + getPlaces(layout));
  piece = {layout, firstUnit, std::move(*offsets)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::optional<Violation> checkElementBits(unsigned bits) {
  if (llvm::is_contained({4u, 8u, 16u, 32u, 64u}, bits))
    return std::nullopt;
  return makeViolation(
      Rule::V2,
      "expected elements of 4, 8, 16, 32 or 64 bits, but got " + Twine(bits));
}

static void setUnits(unsigned bits, TransferTables &tables) {
  tables.elementBits = bits;
  tables.unitsPerWord = bits < 32 ? 32 / bits : 1;
  tables.unitsPerElement = bits == 64 ? 2 : 1;
}

static std::optional<Violation>
checkMemoryLayout(const Layout &layout, int64_t firstElement,
                  int64_t expectedElements, const TransferTables &tables) {
  if (auto violation = verifyLayout(layout))
    return violation;
  if (!layout.isMemoryLayout())
    return makeViolation(Rule::L5, "expected a memory layout, but got the axes "
                                   "of a register layout");
  if (layout.getNumElements() != expectedElements)
    return makeViolation(
        Rule::V3, "expected a memory layout of " + Twine(expectedElements) +
                      " elements, but got " + Twine(layout.getNumElements()));
  if (auto violation =
          checkRange(Rule::V4, "TMEM lanes", layout, Axis::TLane,
                     {0, numTMemLanes - 1}, firstElement, tables.tileShape))
    return violation;
  int64_t columns = int64_t(getMaxColumns()) * 32 / tables.elementBits;
  return checkRange(Rule::V5, "columns (tcol)", layout, Axis::TCol,
                    {0, columns - 1}, firstElement, tables.tileShape);
}

static Violation describeSharedCell(const Collision &collision,
                                    const TransferTables &tables) {
  int64_t lane = collision.position / tables.lanePitch;
  int64_t column = collision.position % tables.lanePitch / tables.unitsPerWord;
  return makeViolation(Rule::V6,
                       "elements " +
                           tables.getName(tables.memory[collision.position]) +
                           " and " + tables.getName(collision.unit) +
                           " share bits of TMEM lane " + Twine(lane) +
                           ", column " + Twine(column));
}

/// Once all layouts are within bounds.
static std::optional<Violation> fillMemory(llvm::ArrayRef<Layout> layouts,
                                           TransferTables &tables) {
  // The extra units keep the lanes of a column out of each other's cache sets.
  tables.lanePitch = tables.columns * tables.unitsPerWord + 16;
  tables.memory.assign(numTMemLanes * tables.lanePitch, emptyUnit);
  Pitches pitches = {};
  pitches[unsigned(Axis::TLane)] = tables.lanePitch;
  pitches[unsigned(Axis::TCol)] = tables.unitsPerElement;
  int64_t capacity = numTMemLanes * tables.columns * tables.unitsPerWord /
                     tables.unitsPerElement;
  Unit firstUnit = 0;
  for (const Layout &layout : layouts) {
    Piece &piece = tables.pieces.emplace_back();
    if (auto violation = makePiece(layout, firstUnit, Rule::V6,
                                   "the columns of the view", capacity, piece))
      return violation;
    firstUnit += layout.getNumElements() * tables.unitsPerElement;
    if (auto collision =
            fillPiece(piece, pitches, tables.unitsPerElement, tables.memory))
      return describeSharedCell(*collision, tables);
  }
  return std::nullopt;
}

std::optional<Violation> detail::buildMemory(llvm::ArrayRef<Layout> layouts,
                                             llvm::ArrayRef<int64_t> tileShape,
                                             unsigned elementBits,
                                             TransferTables &tables) {
  if (auto violation = checkElementBits(elementBits))
    return violation;
  if (auto violation = verifyTileShape(tileShape))
    return violation;
  setUnits(elementBits, tables);
  tables.tileShape = tileShape;
  tables.numElements = llvm::product_of(tileShape);
  // An uneven tile has no halves, so no layout covers one.
  int64_t perPiece = tables.numElements / layouts.size();
  if (perPiece * int64_t(layouts.size()) != tables.numElements)
    perPiece = 0;
  for (auto [index, layout] : llvm::enumerate(layouts)) {
    int64_t firstElement = index * perPiece;
    if (auto violation =
            checkMemoryLayout(layout, firstElement, perPiece, tables))
      return violation;
    tables.columns =
        std::max(tables.columns, getNumColumns(layout, elementBits));
  }
  return fillMemory(layouts, tables);
}

int64_t mlir::tmem::getNumColumns(const Layout &layout, unsigned elementBits) {
  int64_t last = layout.getRange(Axis::TCol).second;
  return llvm::divideCeil((last + 1) * elementBits, 32);
}

std::optional<Violation>
mlir::tmem::verifyMemoryTile(const Layout &layout,
                             llvm::ArrayRef<int64_t> tileShape,
                             unsigned elementBits) {
  TransferTables tables;
  return buildMemory(layout, tileShape, elementBits, tables);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static unsigned getMaxWarps(const Transfer &transfer) {
  switch (transfer.scope.kind) {
  case ScopeKind::Warp:
    return 1;
  case ScopeKind::Warpgroup:
    return 4;
  case ScopeKind::CTA:
    return transfer.numWarps ? transfer.numWarps : 32;
  }
  llvm_unreachable("not a scope");
}

static std::optional<Violation> checkVector(int64_t vectorSize,
                                            unsigned elementBits) {
  int64_t maxSize = maxVectorWords * 32 / elementBits;
  if (vectorSize >= 1 && vectorSize <= maxSize)
    return std::nullopt;
  return makeViolation(Rule::R6, "expected a vector of 1 to " + Twine(maxSize) +
                                     " elements, but got " + Twine(vectorSize));
}

static std::optional<Violation>
checkThreads(const Layout &layout, unsigned maxWarps,
             llvm::ArrayRef<int64_t> tileShape) {
  auto check = [&](llvm::StringRef what, Axis axis, int64_t count) {
    return checkRange(Rule::R2, what, layout, axis, {0, count - 1}, 0,
                      tileShape);
  };
  if (auto violation = check("lanes", Axis::Lane, warpSize))
    return violation;
  if (auto violation = check("warps of the scope", Axis::Warp, maxWarps))
    return violation;
  return check("threads of the scope", Axis::Tid, maxWarps * warpSize);
}

static std::optional<Violation>
checkRegisterLayout(const Transfer &transfer, const TransferTables &tables) {
  const Layout &layout = transfer.registers;
  if (auto violation = verifyLayout(layout))
    return violation;
  if (!layout.isRegisterLayout())
    return makeViolation(Rule::L5, "expected a register layout, but got the "
                                   "axes of a memory layout");
  if (layout.getNumElements() != tables.numElements)
    return makeViolation(
        Rule::R1, "expected a register layout of " + Twine(tables.numElements) +
                      " elements, but got " + Twine(layout.getNumElements()));
  if (auto violation =
          checkThreads(layout, getMaxWarps(transfer), tables.tileShape))
    return violation;
  if (auto violation = checkVector(transfer.vectorSize, transfer.elementBits))
    return violation;
  return checkRange(Rule::R3, "register slots", layout, Axis::Reg,
                    {0, transfer.vectorSize - 1}, 0, tables.tileShape);
}

static Violation describeSharedSlot(const Collision &collision,
                                    const TransferTables &tables) {
  int64_t thread = collision.position / tables.threadPitch;
  int64_t slot =
      collision.position % tables.threadPitch / tables.unitsPerElement;
  return makeViolation(
      Rule::R4, "elements " +
                    tables.getName(tables.registers[collision.position]) +
                    " and " + tables.getName(collision.unit) +
                    " share register " + Twine(slot) + " of warp " +
                    Twine(tables.getWarpNumber(thread / warpSize)) + ", lane " +
                    Twine(thread % warpSize));
}

std::optional<Violation> detail::buildRegisters(const Transfer &transfer,
                                                TransferTables &tables) {
  if (auto violation = checkRegisterLayout(transfer, tables))
    return violation;
  const Layout &layout = transfer.registers;
  tables.slabsAgree = false;
  tables.numWarps = getMaxWarps(transfer);
  if (transfer.scope.kind == ScopeKind::CTA && !transfer.numWarps)
    tables.numWarps = layout.getRange(Axis::Tid).second / warpSize +
                      layout.getRange(Axis::Warp).second + 1;
  if (transfer.scope.kind == ScopeKind::Warp)
    tables.firstSlab = transfer.scope.warp % 4;
  int64_t slots = layout.getRange(Axis::Reg).second + 1;
  tables.words = llvm::divideCeil(slots * transfer.elementBits, 32);
  tables.threadPitch = tables.words * tables.unitsPerWord;
  int64_t numThreads = int64_t(tables.numWarps) * warpSize;
  if (auto violation =
          makePiece(layout, 0, Rule::R4, "the registers of the scope",
                    numThreads * slots, tables.registerPiece))
    return violation;
  tables.registers.assign(numThreads * tables.threadPitch, emptyUnit);
  Pitches pitches = {};
  pitches[unsigned(Axis::Tid)] = tables.threadPitch;
  pitches[unsigned(Axis::Lane)] = tables.threadPitch;
  pitches[unsigned(Axis::Warp)] = tables.threadPitch * warpSize;
  pitches[unsigned(Axis::Reg)] = tables.unitsPerElement;
  if (auto collision = fillPiece(tables.registerPiece, pitches,
                                 tables.unitsPerElement, tables.registers))
    return describeSharedSlot(*collision, tables);
  return std::nullopt;
}
