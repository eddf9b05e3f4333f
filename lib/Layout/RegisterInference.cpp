//===- RegisterInference.cpp - Register layouts for tiles -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modes of the register layout are those of the memory layout, each cut
// where its elements stop going on in one direction.
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/RegisterInference.h"
#include "RegisterInferenceDetail.h"
#include "SelectionDetail.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// From places to a layout
//===----------------------------------------------------------------------===//

namespace {
/// Writes the places of a canonical order down as a layout.
class LayoutFitter {
public:
  LayoutFitter(const CanonicalOrder &order, const TransferTables &tables,
               llvm::StringRef name)
      : order(order), tables(tables), name(name) {}

  std::variant<Layout, Violation> fit();

private:
  /// Elements `step` apart, counted from the first.
  struct Line {
    unsigned piece;
    int64_t firstElement, step, extent;
  };
  std::optional<Violation> fitLine(const Line &line);
  std::optional<Violation> checkSums(llvm::ArrayRef<Line> lines) const;
  RegisterSlot getStep(const Line &line, int64_t index) const {
    return order.getSlot(line.piece, line.firstElement + index * line.step) -
           order.getSlot(line.piece, line.firstElement);
  }
  Violation describe(const Line &line, int64_t index) const;

  const CanonicalOrder &order;
  const TransferTables &tables;
  llvm::StringRef name;
  Layout layout; ///< Its modes the last first, while they are found.
};
} // namespace

Violation LayoutFitter::describe(const Line &line, int64_t index) const {
  int64_t element = line.firstElement + index * line.step;
  RegisterSlot slot = order.getSlot(line.piece, element);
  if (line.piece == 1)
    element += order.getLayout(0).getNumElements();
  return makeViolation(
      Rule::T1,
      "element " + tables.getName(element * tables.unitsPerElement) +
          " would be in register " + Twine(slot.slot) + " of warp " +
          Twine(slot.thread / 32) + ", lane " + Twine(slot.thread % 32) +
          ", and no extents and strides put the tile in the order of " + name);
}

static std::optional<Mode> getMode(int64_t extent, RegisterSlot step) {
  if (step.thread != 0 && step.slot != 0)
    return std::nullopt;
  if (step.thread != 0)
    return Mode{extent, step.thread, Axis::Tid};
  return Mode{extent, step.slot, Axis::Reg};
}

/// Adds the modes of a line: the longest run in one direction, then the runs of
/// such runs. Only so long runs can be: a shorter one would go on.
std::optional<Violation> LayoutFitter::fitLine(const Line &line) {
  int64_t unit = 1;
  llvm::SmallVector<RegisterSlot, 16> known = {{}};
  while (unit < line.extent) {
    int64_t count = line.extent / unit, length = 1;
    RegisterSlot step = getStep(line, unit);
    auto isNext = [&](int64_t i) {
      return getStep(line, i * unit) ==
             RegisterSlot{i * step.thread, i * step.slot};
    };
    while (length < count && isNext(length))
      ++length;
    std::optional<Mode> mode = getMode(length, step);
    if (count % length != 0 || !mode)
      return describe(line, (count % length != 0 ? length : 1) * unit);
    layout.modes.push_back(*mode);
    // Every element between must follow.
    for (int64_t i = unit; i < length * unit; ++i) {
      RegisterSlot inner = known[i % unit],
                   outer = {i / unit * step.thread, i / unit * step.slot};
      known.push_back(inner + outer);
      if (!(getStep(line, i) == known.back()))
        return describe(line, i);
    }
    unit *= length;
  }
  return std::nullopt;
}

/// The lines of an axis may carry into one another, as the ranks of columns 0,
/// 2, 3 and 5 do: a layout has to be right for elements of several lines, too.
std::optional<Violation>
LayoutFitter::checkSums(llvm::ArrayRef<Line> lines) const {
  if (lines.size() < 2)
    return std::nullopt;
  llvm::SmallVector<std::pair<int64_t, RegisterSlot>, 0> sums = {{0, {}}};
  for (const Line &line : lines)
    for (size_t before = sums.size(), i = before; i < before * line.extent; ++i)
      sums.push_back({sums[i % before].first + i / before * line.step,
                      sums[i % before].second + getStep(line, i / before)});
  for (auto &[element, expected] : sums)
    if (!(getStep({0, 0, 1, 0}, element) == expected))
      return describe({0, 0, 1, 0}, element);
  return std::nullopt;
}

std::variant<Layout, Violation> LayoutFitter::fit() {
  // Modes that go on in one another are one line, which may be cut elsewhere.
  Layout memory = canonicalize(order.getLayout(0));
  int64_t step = 1;
  // Images add what lanes and columns do, so that each axis stands alone.
  llvm::SmallVector<Line, 8> lanes, columns;
  for (const Mode &mode : llvm::reverse(memory.modes)) {
    Line line = {0, 0, step, mode.extent};
    if (auto violation = fitLine(line))
      return *violation;
    (mode.axis == Axis::TLane ? lanes : columns).push_back(line);
    step *= mode.extent;
  }
  for (llvm::ArrayRef<Line> lines : {llvm::ArrayRef(lanes), {columns}})
    if (auto violation = checkSums(lines))
      return *violation;
  RegisterSlot first = order.getSlot(0, 0);
  if (order.getNumPieces() == 2) {
    RegisterSlot second = order.getSlot(1, 0) - first;
    std::optional<Mode> mode = getMode(2, second);
    if (!mode)
      return describe({1, 0, 1, 1}, 0);
    layout.modes.push_back(*mode);
  }
  std::reverse(layout.modes.begin(), layout.modes.end());
  layout.offsets.push_back({first.slot, Axis::Reg});
  layout.offsets.push_back({first.thread, Axis::Tid});
  return layout;
}

//===----------------------------------------------------------------------===//
// Canonical layouts
//===----------------------------------------------------------------------===//

std::optional<Violation> mlir::tmem::verifyNumWarps(unsigned numWarps) {
  if (numWarps >= 1 && numWarps <= 32 && (numWarps <= 4 || numWarps % 4 == 0))
    return std::nullopt;
  return makeViolation(Rule::R2,
                       "expected 1 to 4 warps in the scope, or a multiple of 4 "
                       "up to 32, but got " +
                           Twine(numWarps));
}

/// Replicas in other slabs are in the registers of other warps. The warps of
/// the scope may reach fewer slabs than there are replicas.
static void addSlabReplicas(const MemoryTile &tile, Layout &layout) {
  if (tile.scope.kind == ScopeKind::Warp)
    return;
  int64_t numThreads = 32 * getNumWarps(tile);
  for (const Mode &replica : canonicalize(tile.memory.front()).replicas) {
    if (replica.axis != Axis::TLane || replica.stride % 32 != 0)
      continue;
    int64_t room = numThreads - 1 - layout.getRange(Axis::Tid).second;
    Mode mode = {replica.extent, replica.stride, Axis::Tid};
    mode.extent = std::min(mode.extent, 1 + room / mode.stride);
    if (mode.extent > 1)
      layout.replicas.push_back(mode);
  }
}

/// As many elements as there are, or else whole words.
static int64_t getVectorSize(const MemoryTile &tile, const Layout &layout) {
  int64_t slots = layout.getRange(Axis::Reg).second + 1;
  int64_t places = layout.getNumElements() * layout.getNumReplicas();
  if (places == slots * 32 * getNumWarps(tile) || tile.elementBits >= 32)
    return slots;
  return llvm::alignTo(slots, 32 / tile.elementBits);
}

std::variant<RegisterTile, Violation>
detail::inferInTables(const MemoryTile &tile, const TransferTables &tables,
                      AtomShape shape, Packing packing) {
  CanonicalOrder order(tile, tables, shape, packing);
  if (auto violation = order.cut())
    return *violation;
  llvm::StringRef name = stringifyAtomShape(shape);
  auto fitted = LayoutFitter(order, tables, name).fit();
  if (std::holds_alternative<Violation>(fitted) && order.keepGaps()) {
    auto withGaps = LayoutFitter(order, tables, name).fit();
    if (std::holds_alternative<Layout>(withGaps))
      fitted = std::move(withGaps);
  }
  if (auto *violation = std::get_if<Violation>(&fitted))
    return *violation;
  RegisterTile registers{canonicalize(std::get<Layout>(fitted)), 0};
  addSlabReplicas(tile, registers.layout);
  registers.layout = canonicalize(registers.layout);
  registers.vectorSize = getVectorSize(tile, registers.layout);
  return registers;
}

/// The TMEM lanes that the warps of a scope reach, the last one included.
static std::pair<int64_t, int64_t> getReachedLanes(const MemoryTile &tile) {
  int64_t first =
      tile.scope.kind == ScopeKind::Warp ? tile.scope.warp % 4 * 32 : 0;
  int64_t slabs = std::min(getNumWarps(tile), 4u);
  return {first, first + slabs * 32 - 1};
}

static Violation describeUnreached(const MemoryTile &tile,
                                   const TransferTables &tables, Unit unit,
                                   Cell cell) {
  auto [first, last] = getReachedLanes(tile);
  unsigned numWarps = getNumWarps(tile);
  std::string warps = tile.scope.kind == ScopeKind::Warp
                          ? "warp " + std::to_string(tile.scope.warp % 4)
                          : describeCount(numWarps, "warp");
  return makeViolation(
      Rule::T4,
      "element " + tables.getName(unit) + " is in " + getCellName(cell) +
          ", but " + warps + (numWarps == 1 ? " reaches" : " reach") +
          " TMEM lanes " + Twine(first) + " to " + Twine(last),
      {tables.getElement(unit), cell, std::nullopt, std::nullopt});
}

/// Rule T4, whatever the registers: a load finds each element in a slab that a
/// warp of the scope reaches, a store reaches all places.
static std::optional<Violation> checkSlabs(const MemoryTile &tile,
                                           const TransferTables &tables) {
  auto [first, last] = getReachedLanes(tile);
  auto isReached = [&, first = first, last = last](const MemoryPlace &place) {
    return place.cell.lane >= first && place.cell.lane <= last;
  };
  // Mostly the ranges of the layouts tell.
  if (llvm::all_of(tile.memory, [&, first = first, last = last](auto &layout) {
        auto [low, high] = layout.getRange(Axis::TLane);
        return low >= first && high <= last;
      }))
    return std::nullopt;
  for (int64_t element = 0; element < tables.numElements; ++element) {
    Unit unit = element * tables.unitsPerElement;
    auto places = tables.findInMemory(unit);
    auto lost = llvm::find_if_not(places, isReached);
    bool isWrong = tile.direction == Direction::Load
                       ? llvm::none_of(places, isReached)
                       : lost != places.end();
    if (isWrong)
      return describeUnreached(tile, tables, unit, lost->cell);
  }
  return std::nullopt;
}

/// The memory side of a tile, checked.
static std::optional<Violation> buildTile(const MemoryTile &tile,
                                          TransferTables &tables) {
  if (tile.scope.kind == ScopeKind::CTA)
    if (auto violation = verifyNumWarps(tile.numWarps))
      return violation;
  if (auto violation =
          buildMemory(tile.memory, tile.tileShape, tile.elementBits, tables))
    return violation;
  return checkSlabs(tile, tables);
}

static std::optional<Violation> checkKind(const MemoryTile &tile,
                                          AtomKind kind) {
  if (tile.memory.size() == 2 && kind.shape != AtomShape::S16x32bx2)
    return makeViolation(Rule::A4,
                         "expected 16x32bx2 for a split transfer, but got " +
                             stringifyAtomShape(kind.shape));
  if (kind.packing != Packing::None && tile.elementBits > 16)
    return makeViolation(Rule::A3, "expected elements of at most 16 bits for " +
                                       stringifyPacking(kind.packing) +
                                       ", but got " + Twine(tile.elementBits));
  return std::nullopt;
}

std::variant<RegisterTile, Violation>
mlir::tmem::getCanonicalRegisters(const MemoryTile &tile, AtomShape shape,
                                  Packing packing) {
  TransferTables tables;
  if (auto violation = checkKind(tile, {shape, packing}))
    return *violation;
  if (auto violation = buildTile(tile, tables))
    return *violation;
  return inferInTables(tile, tables, shape, packing);
}

//===----------------------------------------------------------------------===//
// The cheapest one
//===----------------------------------------------------------------------===//

namespace {
/// Plans a tile with the canonical layouts of one kind of atom after another.
class Inference {
public:
  Inference(const MemoryTile &tile, const SelectionOptions &options)
      : tile(tile), options(options), malformed(buildTile(tile, tables)) {}

  void add(AtomKind kind);
  InferenceResult finish();

private:
  void addReason(SelectionReason reason) {
    result.reasons.push_back(std::move(reason));
  }

  const MemoryTile &tile;
  const SelectionOptions &options;
  TransferTables tables;
  std::optional<Violation> malformed;
  InferenceResult result;
};
} // namespace

void Inference::add(AtomKind kind) {
  auto atom = makeAtom(kind, options);
  if (auto *reason = std::get_if<SelectionReason>(&atom))
    return addReason(std::move(*reason));
  std::optional<Violation> violation =
      malformed ? malformed : checkKind(tile, kind);
  if (violation)
    return addReason(makeIllegal(kind, *violation));
  auto inferred = inferInTables(tile, tables, kind.shape, kind.packing);
  if (auto *none = std::get_if<Violation>(&inferred))
    return addReason(makeIllegal(kind, *none));
  RegisterTile &registers = std::get<RegisterTile>(inferred);
  Transfer transfer{tile.direction, tile.memory,      registers.layout,
                    tile.tileShape, tile.elementBits, registers.vectorSize,
                    tile.scope,     tile.numWarps};
  if (auto wrong = buildRegisters(transfer, tables))
    return addReason(makeIllegal(kind, *wrong));
  CandidateResult tried = tryAtom(transfer, std::get<Atom>(atom), tables);
  if (auto *reason = std::get_if<SelectionReason>(&tried))
    return addReason(std::move(*reason));
  result.candidates.push_back(
      {std::move(registers), std::move(std::get<SelectionCandidate>(tried))});
}

InferenceResult Inference::finish() {
  llvm::sort(result.candidates, [](const auto &a, const auto &b) {
    return isBetter(a.choice, b.choice);
  });
  for (const InferredCandidate &candidate :
       llvm::drop_begin(result.candidates, result.isFound()))
    addReason(explainCost(candidate.choice, result.candidates.front().choice));
  sortReasons(result.reasons);
  return std::move(result);
}

InferenceResult
mlir::tmem::inferRegisterLayout(const MemoryTile &tile,
                                std::optional<AtomShape> shape,
                                const SelectionOptions &options) {
  SelectionOptions mine = options;
  if (shape)
    mine.shapes = {*shape};
  Inference inference(tile, mine);
  for (AtomKind kind : getAtomKinds(tile.direction, tile.elementBits, mine))
    inference.add(kind);
  return inference.finish();
}
