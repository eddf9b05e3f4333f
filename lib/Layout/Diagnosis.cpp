//===- Diagnosis.cpp - Why there is no plan -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One word of one warp is a strip (of 16x32bx2: one half of its lanes). Where a
// strip stands in TMEM is what its first element says; then every other element
// is either where the native image puts it or to blame. If all of them are, the
// strips disagree with each other, or cannot be cut into issues.
//
//===----------------------------------------------------------------------===//

#include "Diagnosis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

namespace {
/// A register word in one warp, and which lanes of it.
struct Strip {
  unsigned word, warp, firstLane;
};

/// Where a strip stands: its position, as its first element has it.
struct Reference {
  bool isKnown = false;
  bool isExact = false; ///< All bits of the strip are where they belong.
  Cell origin;
  RegisterPlace anchor = {}; ///< Where the first element is.
};

class Diagnosis {
public:
  Diagnosis(const Matcher &matcher, const Transfer &transfer, const Atom &atom)
      : matcher(matcher), tables(matcher.getTables()), transfer(transfer),
        atom(atom), image(getNativeImage(atom.shape)),
        stripLanes(matcher.isSplit() ? 16 : 32),
        references(tables.words * tables.numWarps * (32 / stripLanes)) {}

  std::optional<Violation> findForeignSlab() const;
  std::optional<Violation> findWrongElement();

private:
  std::optional<Violation> findMisplaced();
  std::optional<Violation> findMissing() const;
  std::optional<Violation> findWrongStart() const;
  std::optional<Violation> findDivergence() const;

  Reference &getReference(const Strip &strip) {
    unsigned perWarp = 32 / stripLanes;
    return references[(strip.word * tables.numWarps + strip.warp) * perWarp +
                      strip.firstLane / stripLanes];
  }
  const Reference &getReference(const Strip &strip) const {
    return const_cast<Diagnosis *>(this)->getReference(strip);
  }
  /// Calls `fn` until it returns true.
  void forEachStrip(llvm::function_ref<bool(const Strip &)> fn) const;
  Strip getStrip(const RegisterPlace &place) const {
    return {place.word, place.warp, place.lane / stripLanes * stripLanes};
  }

  std::vector<uint8_t> getSlabsInMemory() const;
  std::vector<uint8_t> getSlabsInRegisters() const;
  Violation describeForeignSlab(Unit unit, uint8_t slabs) const;

  bool isExact(const Strip &strip, Cell origin) const;
  llvm::ArrayRef<Cell> findOrigins(const RegisterPlace &place);
  std::optional<Violation> setReference(const RegisterPlace &place);
  std::optional<Violation> checkPlace(const RegisterPlace &place);
  MemoryPlace getExpected(const RegisterPlace &place, Cell origin) const;

  std::optional<Violation> findMissingIn(const Strip &strip, Cell origin) const;
  std::optional<Violation> describeEmptyStrip(const Strip &strip) const;
  std::optional<Violation> checkLane(const RegisterPlace &place,
                                     Cell origin) const;
  std::optional<Violation> checkFirstStrip(const Strip &strip,
                                           int64_t pitch) const;
  std::optional<Violation> checkSecondStrip(const Strip &strip,
                                            Cell split) const;

  std::string getName(const Reference &reference) const {
    return tables.getName(getUnit(reference.anchor));
  }
  Unit getUnit(const RegisterPlace &place) const {
    return tables.getWord(place.warp, place.lane, place.word)[place.unit];
  }
  std::string describe(const RegisterPlace &place) const;
  /// Counts as the layout does: elements, not words.
  unsigned getSlot(unsigned word, unsigned unit) const {
    return (word * tables.unitsPerWord + unit) / tables.unitsPerElement;
  }
  std::string describeBits(unsigned unit) const;
  Misfit::Slot getMisfitSlot(const RegisterPlace &place) const {
    return {place.warp, place.lane, getSlot(place.word, place.unit)};
  }
  Misfit getMisfit(const RegisterPlace &place, Cell cell,
                   std::optional<Cell> expected = std::nullopt) const {
    return {tables.getElement(getUnit(place)), cell, getMisfitSlot(place),
            expected};
  }
  Violation describeMisplaced(Rule rule, const RegisterPlace &place,
                              const Twine &agent,
                              std::optional<Cell> expected) const;
  std::string describeAllowedLanes(const RegisterPlace &place) const;

  const Matcher &matcher;
  const TransferTables &tables;
  const Transfer &transfer;
  const Atom &atom;
  const NativeImage &image;
  unsigned stripLanes;
  std::vector<Reference> references;
  /// By unit, warp, lane and unit of the word.
  std::map<std::tuple<Unit, unsigned, unsigned, unsigned>,
           llvm::SmallVector<Cell, 1>>
      origins;
};
} // namespace

//===----------------------------------------------------------------------===//
// Words for places
//===----------------------------------------------------------------------===//

std::string Diagnosis::describe(const RegisterPlace &place) const {
  return ("register " + Twine(getSlot(place.word, place.unit)) + " of warp " +
          Twine(tables.getWarpNumber(place.warp)) + ", lane " +
          Twine(place.lane))
      .str();
}

std::string Diagnosis::describeBits(unsigned unit) const {
  unsigned bits = 32 / tables.unitsPerWord;
  return ("bits " + Twine(unit * bits) + " to " + Twine(unit * bits + bits - 1))
      .str();
}

/// `agent` says who puts which cell there; `expected` is it, if it is one.
Violation Diagnosis::describeMisplaced(Rule rule, const RegisterPlace &place,
                                       const Twine &agent,
                                       std::optional<Cell> expected) const {
  Unit unit = getUnit(place);
  auto places = tables.findInMemory(unit);
  auto mine = llvm::find_if(places, [&](const MemoryPlace &other) {
    return tables.isCellOfSlab(place.warp, other.cell);
  });
  return makeViolation(rule,
                       "element " + tables.getName(unit) + " is in " +
                           getCellName(mine->cell) + ", and in " +
                           describe(place) + ", but " + agent + " there",
                       getMisfit(place, mine->cell, expected));
}

//===----------------------------------------------------------------------===//
// T4: slabs
//===----------------------------------------------------------------------===//

/// For each element, one bit for each slab in which it stands.
std::vector<uint8_t> Diagnosis::getSlabsInMemory() const {
  std::vector<uint8_t> slabs(tables.numElements, 0);
  for (int64_t lane = 0; lane < numTMemLanes; ++lane)
    for (int64_t column = 0; column < tables.columns; ++column)
      for (Unit unit : tables.getCell({lane, column}))
        if (unit != emptyUnit)
          slabs[tables.getElement(unit)] |= 1 << lane / 32;
  return slabs;
}

/// For each element, one bit for each slab that a warp with the element
/// reaches.
std::vector<uint8_t> Diagnosis::getSlabsInRegisters() const {
  std::vector<uint8_t> slabs(tables.numElements, 0);
  for (unsigned warp = 0; warp < tables.numWarps; ++warp)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned word = 0; word < tables.words; ++word)
        for (Unit unit : tables.getWord(warp, lane, word))
          if (unit != emptyUnit)
            slabs[tables.getElement(unit)] |= 1
                                              << tables.getSlabLane(warp) / 32;
  return slabs;
}

/// `slabs` are those that the element's warps do not find it in, or that no
/// warp with the element reaches.
Violation Diagnosis::describeForeignSlab(Unit unit, uint8_t slabs) const {
  auto isForeign = [&](int64_t lane) { return slabs >> lane / 32 & 1; };
  for (const RegisterPlace &place : tables.findInRegisters(unit)) {
    int64_t lane = tables.getSlabLane(place.warp);
    Cell cell = tables.findInMemory(unit).front().cell;
    if (isForeign(lane))
      return makeViolation(Rule::T4,
                           "element " + tables.getName(unit) + " is in " +
                               getCellName(cell) + ", and in " +
                               describe(place) + ", which reaches TMEM lanes " +
                               Twine(lane) + " to " + Twine(lane + 31),
                           getMisfit(place, cell));
  }
  auto places = tables.findInMemory(unit);
  auto place = llvm::find_if(places, [&](const MemoryPlace &other) {
    return isForeign(other.cell.lane);
  });
  return makeViolation(Rule::T4,
                       "element " + tables.getName(unit) + " is in " +
                           getCellName(place->cell) +
                           ", but in registers of warps that do not "
                           "reach this lane",
                       {tables.getElement(unit), place->cell});
}

std::optional<Violation> Diagnosis::findForeignSlab() const {
  if (tables.slabsAgree)
    return std::nullopt;
  std::vector<uint8_t> memory = getSlabsInMemory();
  std::vector<uint8_t> registers = getSlabsInRegisters();
  bool isLoad = transfer.direction == Direction::Load;
  for (int64_t element = 0; element < tables.numElements; ++element) {
    // A load gives every copy in registers its element, a store every place in
    // memory.
    uint8_t foreign = isLoad ? registers[element] & ~memory[element]
                             : memory[element] & ~registers[element];
    if (foreign)
      return describeForeignSlab(
          element * tables.unitsPerElement,
          isLoad ? foreign : foreign | (registers[element] & ~memory[element]));
  }
  tables.slabsAgree = true;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// T1, T2: elements within a strip
//===----------------------------------------------------------------------===//

MemoryPlace Diagnosis::getExpected(const RegisterPlace &place,
                                   Cell origin) const {
  unsigned unitsPerCell = tables.unitsPerWord / matcher.getNumHalves();
  Cell cell = origin + Cell{tables.getSlabLane(place.warp), 0} +
              matcher.getLaneOffset(place.lane, place.unit / unitsPerCell);
  return {cell, place.unit % unitsPerCell};
}

bool Diagnosis::isExact(const Strip &strip, Cell origin) const {
  for (unsigned lane = strip.firstLane; lane < strip.firstLane + stripLanes;
       ++lane) {
    RegisterPlace place = {strip.warp, lane, strip.word, 0};
    Cell first = getExpected(place, origin).cell;
    Cell last = first + Cell{0, matcher.getNumHalves() - 1};
    if (!tables.isCellOfSlab(strip.warp, first) ||
        !tables.isCellOfSlab(strip.warp, last) ||
        !matcher.matches(tables.getWord(strip.warp, lane, strip.word),
                         tables.getCell(first).data()))
      return false;
  }
  return true;
}

/// The lanes of the slab at which the image can put a lane's words.
std::string Diagnosis::describeAllowedLanes(const RegisterPlace &place) const {
  llvm::SmallVector<std::string, 4> lanes;
  for (int64_t lane = 0; lane < 32; ++lane)
    if (matcher.isWordLane(lane))
      lanes.push_back(
          std::to_string(getExpected(place, Cell{lane, 0}).cell.lane));
  return "TMEM lane " + llvm::join(lanes, " or ");
}

/// Elements with many replicas have as many origins, for every register of a
/// thread the same ones.
llvm::ArrayRef<Cell> Diagnosis::findOrigins(const RegisterPlace &place) {
  constexpr size_t maxKept = 128;
  auto key =
      std::make_tuple(getUnit(place), place.warp, place.lane, place.unit);
  auto it = origins.find(key);
  if (it != origins.end())
    return it->second;
  if (origins.size() == maxKept)
    origins.clear();
  return origins[key] = matcher.findOrigins(place.warp, place.lane, place.word,
                                            place.unit);
}

/// Lets an element say where its strip stands; with replicas, so that the strip
/// is right, if there is such a place.
std::optional<Violation> Diagnosis::setReference(const RegisterPlace &place) {
  Strip strip = getStrip(place);
  Reference &reference = getReference(strip);
  llvm::ArrayRef<Cell> origins = findOrigins(place);
  if (origins.empty()) {
    Unit unit = getUnit(place);
    auto places = tables.findInMemory(unit);
    return makeViolation(
        Rule::T2,
        "element " + tables.getName(unit) + " is in " +
            describeBits(places.front().unit) + " of " +
            getCellName(places.front().cell) + ", but in " +
            describeBits(place.unit) + " of its word in " + describe(place) +
            (matcher.isPacked() ? ", of two packed cells" : ""),
        getMisfit(place, places.front().cell));
  }
  auto exact = llvm::find_if(
      origins, [&](Cell origin) { return isExact(strip, origin); });
  reference.isKnown = true;
  reference.isExact = exact != origins.end();
  reference.origin = reference.isExact ? *exact : origins.front();
  reference.anchor = place;
  if (!reference.isExact && !matcher.isWordLane(reference.origin.lane))
    return describeMisplaced(
        Rule::T1, place, image.name + " puts " + describeAllowedLanes(place),
        std::nullopt);
  return std::nullopt;
}

std::optional<Violation> Diagnosis::checkPlace(const RegisterPlace &place) {
  const Reference &reference = getReference(getStrip(place));
  if (!reference.isKnown)
    return setReference(place);
  if (reference.isExact)
    return std::nullopt;
  MemoryPlace expected = getExpected(place, reference.origin);
  Unit unit = getUnit(place);
  if (tables.isCellOfSlab(place.warp, expected.cell)) {
    llvm::ArrayRef<Unit> units = tables.getCell(expected.cell);
    if (units[expected.unit] == unit)
      return std::nullopt;
    if (llvm::is_contained(units, unit))
      return makeViolation(
          Rule::T2,
          "element " + tables.getName(unit) + " is in " +
              describeBits(llvm::find(units, unit) - units.begin()) + " of " +
              getCellName(expected.cell) + ", but " + image.name + " puts " +
              describeBits(expected.unit) + " into " + describe(place),
          getMisfit(place, expected.cell));
  }
  return describeMisplaced(Rule::T1, place,
                           image.name + " puts " + getCellName(expected.cell),
                           expected.cell);
}

/// The first element, in row-major order, that is not where its strip wants it.
std::optional<Violation> Diagnosis::findMisplaced() {
  for (Unit unit = 0; unit < tables.numElements * tables.unitsPerElement;
       ++unit)
    for (const RegisterPlace &place : tables.findInRegisters(unit))
      if (auto violation = checkPlace(place))
        return violation;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// T1, T2, T3, T5: what a strip lacks
//===----------------------------------------------------------------------===//

void Diagnosis::forEachStrip(llvm::function_ref<bool(const Strip &)> fn) const {
  for (unsigned word = 0; word < tables.words; ++word)
    for (unsigned warp = 0; warp < tables.numWarps; ++warp)
      for (unsigned lane = 0; lane < warpSize; lane += stripLanes)
        if (fn({word, warp, lane}))
          return;
}

/// A unit that is empty in the register, but whose bits the image moves.
std::optional<Violation> Diagnosis::checkLane(const RegisterPlace &place,
                                              Cell origin) const {
  MemoryPlace expected = getExpected(place, origin);
  if (!tables.isCellOfSlab(place.warp, expected.cell) ||
      isEmpty(tables.getCell(expected.cell)))
    return makeViolation(
        Rule::T3,
        image.name + " of " + describe(place) + " would touch " +
            getCellName(expected.cell) + ", which holds no element",
        {std::nullopt, std::nullopt, getMisfitSlot(place), expected.cell});
  Unit unit = tables.getCell(expected.cell)[expected.unit];
  if (unit == emptyUnit)
    return std::nullopt;
  bool isPart = !isEmpty(tables.getWord(place.warp, place.lane, place.word));
  return makeViolation(
      isPart ? Rule::T2 : Rule::T1,
      "element " + tables.getName(unit) + " is in " +
          getCellName(expected.cell) + ", which " + image.name + " puts in " +
          describe(place) + ", where no element is",
      {tables.getElement(unit), expected.cell, std::nullopt, std::nullopt});
}

std::optional<Violation> Diagnosis::findMissingIn(const Strip &strip,
                                                  Cell origin) const {
  for (unsigned lane = strip.firstLane; lane < strip.firstLane + stripLanes;
       ++lane)
    for (unsigned unit = 0; unit < tables.unitsPerWord; ++unit) {
      RegisterPlace place = {strip.warp, lane, strip.word, unit};
      if (getUnit(place) != emptyUnit)
        continue;
      if (auto violation = checkLane(place, origin))
        return violation;
    }
  return std::nullopt;
}

/// A strip with no element at all is wrong if the word has one elsewhere.
std::optional<Violation>
Diagnosis::describeEmptyStrip(const Strip &strip) const {
  for (unsigned warp = 0; warp < tables.numWarps; ++warp)
    for (unsigned lane = 0; lane < warpSize; lane += stripLanes)
      if (getReference({strip.word, warp, lane}).isKnown)
        return makeViolation(
            warp == strip.warp ? Rule::T3 : Rule::T5,
            "expected elements in register " + Twine(getSlot(strip.word, 0)) +
                " of every warp, as in warp " +
                Twine(tables.getWarpNumber(warp)) + ", but got none in lanes " +
                Twine(strip.firstLane) + " to " +
                Twine(strip.firstLane + stripLanes - 1) + " of warp " +
                Twine(tables.getWarpNumber(strip.warp)),
            {std::nullopt, std::nullopt,
             getMisfitSlot({strip.warp, strip.firstLane, strip.word, 0}),
             std::nullopt});
  return std::nullopt;
}

std::optional<Violation> Diagnosis::findMissing() const {
  std::optional<Violation> violation;
  forEachStrip([&](const Strip &strip) {
    const Reference &reference = getReference(strip);
    if (reference.isKnown) {
      if (!reference.isExact)
        violation = findMissingIn(strip, reference.origin);
      return violation.has_value();
    }
    violation = describeEmptyStrip(strip);
    return violation.has_value();
  });
  return violation;
}

//===----------------------------------------------------------------------===//
// T5, T6, S2, S3: how strips stand to each other
//===----------------------------------------------------------------------===//

std::optional<Violation> Diagnosis::findWrongStart() const {
  std::optional<Violation> violation;
  forEachStrip([&](const Strip &strip) {
    const Reference &reference = getReference(strip);
    if (!reference.isKnown || matcher.isWordLane(reference.origin.lane))
      return false;
    const RegisterPlace &anchor = reference.anchor;
    violation = describeIllegalStart(atom.shape, reference.origin.lane,
                                     "element " + getName(reference));
    violation->misfit =
        getMisfit(anchor, getExpected(anchor, reference.origin).cell);
    return true;
  });
  return violation;
}

std::optional<Violation> Diagnosis::checkFirstStrip(const Strip &strip,
                                                    int64_t pitch) const {
  const Reference &first = getReference({strip.word, 0, 0});
  const Reference &reference = getReference(strip);
  Cell expected = first.origin + Cell{0, pitch * (strip.warp / 4)};
  if (reference.origin == expected)
    return std::nullopt;
  Cell cell = getExpected(reference.anchor, expected).cell;
  return describeMisplaced(
      Rule::T5, reference.anchor,
      "the issue that moves this register of warp 0 puts " + getCellName(cell),
      cell);
}

std::optional<Violation> Diagnosis::checkSecondStrip(const Strip &strip,
                                                     Cell split) const {
  const Reference &first = getReference({strip.word, strip.warp, 0});
  const Reference &second = getReference(strip);
  Cell got = second.origin - first.origin;
  if (got == split)
    return std::nullopt;
  Rule rule = atom.split ? Rule::S3 : Rule::T1;
  return makeViolation(
      rule,
      "element " + getName(second) + " is " + Twine(got.lane) + " lanes and " +
          Twine(got.column) + " columns after element " + getName(first) +
          ", but the second access of 16x32bx2 starts " + Twine(split.lane) +
          " lanes and " + Twine(split.column) + " columns after the first",
      getMisfit(second.anchor, getExpected(second.anchor, second.origin).cell));
}

std::optional<Violation> Diagnosis::findDivergence() const {
  std::optional<int64_t> pitch;
  std::optional<Cell> split = atom.split;
  std::optional<Violation> violation;
  forEachStrip([&](const Strip &strip) {
    const Reference &reference = getReference(strip);
    if (!reference.isKnown)
      return false;
    if (strip.firstLane == 0) {
      if (strip.warp >= 4 && !pitch)
        pitch = reference.origin.column -
                getReference({strip.word, 0, 0}).origin.column;
      violation = checkFirstStrip(strip, pitch.value_or(0));
      return violation.has_value();
    }
    if (!split) {
      split =
          reference.origin - getReference({strip.word, strip.warp, 0}).origin;
      if (!isLegalSplit(*split, atom.packing))
        violation = describeIllegalSplit(*split, atom.packing);
    }
    if (!violation)
      violation = checkSecondStrip(strip, *split);
    return violation.has_value();
  });
  return violation;
}

/// What is wrong with words, before any issue is thought of.
std::optional<Violation> Diagnosis::findWrongElement() {
  if (auto violation = findMisplaced())
    return violation;
  if (auto violation = findMissing())
    return violation;
  if (auto violation = findWrongStart())
    return violation;
  return findDivergence();
}

Violation detail::explainFailure(const Matcher &matcher,
                                 const Transfer &transfer, const Atom &atom,
                                 const std::optional<Gap> &gap) {
  Diagnosis diagnosis(matcher, transfer, atom);
  if (auto violation = diagnosis.findForeignSlab())
    return *violation;
  // A load is cut only when all words fit: then no element is out of place.
  bool allFit = gap && transfer.direction == Direction::Load;
  if (!allFit)
    if (auto violation = diagnosis.findWrongElement())
      return *violation;
  if (gap)
    if (auto violation = explainGap(matcher, atom, *gap))
      return *violation;
  return makeViolation(Rule::T7, "no choice among replicas lets " +
                                     stringifyAtomShape(atom.shape) +
                                     " move every element once");
}
