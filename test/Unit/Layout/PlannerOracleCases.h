//===- PlannerOracleCases.h - Makes cases for the planner -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Legal transfers, built from the bits of a native image: a list of issues is
// chosen and written down as two layouts.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLECASES_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLECASES_H

#include "PlannerOracle.h"
#include <random>
#include <tuple>

namespace mlir::tmem::oracle {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  /// Both ends included. Not std::uniform_int_distribution, which differs from
  /// one standard library to the next.
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool oneIn(int64_t n) { return between(1, n) == 1; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[between(0, int64_t(from.size()) - 1)];
  }
  int64_t pick(std::initializer_list<int64_t> from) {
    return pick(std::vector<int64_t>(from));
  }
  template <typename T> void shuffle(std::vector<T> &all) {
    for (size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[between(0, int64_t(i) - 1)]);
  }

private:
  std::mt19937_64 engine;
};

//===----------------------------------------------------------------------===//
// Other ways to write the same layouts
//===----------------------------------------------------------------------===//

/// Merges neighbouring modes that go on in one another: all, none or some.
inline void mergeModes(Random &random, Layout &layout) {
  int64_t how = random.between(0, 2);
  for (size_t i = 1; i < layout.modes.size();) {
    const Mode low = layout.modes[i];
    Mode &high = layout.modes[i - 1];
    bool fits = high.axis == low.axis && high.stride == low.extent * low.stride;
    if (!fits || how == 0 || (how == 1 && random.oneIn(2))) {
      ++i;
      continue;
    }
    high = {high.extent * low.extent, low.stride, low.axis};
    layout.modes.erase(layout.modes.begin() + i);
  }
}

inline void addUnits(Random &random, Layout &layout, Axis axis) {
  Mode unit{1, random.between(-70, 70), axis};
  if (random.oneIn(8))
    layout.modes.insert(layout.modes.begin() +
                            random.between(0, int64_t(layout.modes.size())),
                        unit);
  if (random.oneIn(20))
    layout.replicas.push_back(unit);
  if (layout.modes.empty())
    layout.modes.push_back(unit);
}

/// One offset for each axis; now and then as they came.
inline void mergeOffsets(Random &random, Layout &layout) {
  if (random.oneIn(10))
    return;
  std::array<int64_t, numAxes> sums{};
  for (const AxisOffset &offset : layout.offsets)
    sums[unsigned(offset.axis)] += offset.value;
  layout.offsets.clear();
  for (unsigned axis = 0; axis < numAxes; ++axis)
    if (sums[axis])
      layout.offsets.push_back({sums[axis], Axis(axis)});
}

inline void chooseTileShape(Random &random, Case &c) {
  int64_t size = countElements(c.registers);
  c.tileShape = {size};
  if (c.memory.size() == 2)
    c.tileShape = {2, size / 2};
  int64_t rows = int64_t(1) << random.between(1, 6);
  if (c.tileShape.back() % rows || random.oneIn(4))
    return;
  c.tileShape.back() /= rows;
  c.tileShape.insert(c.tileShape.end() - 1, rows);
}

inline void finishRandomly(Random &random, Case &c) {
  for (Layout &layout : c.memory) {
    mergeModes(random, layout);
    addUnits(random, layout, Axis::TCol);
    mergeOffsets(random, layout);
  }
  mergeModes(random, c.registers);
  addUnits(random, c.registers, Axis::Reg);
  mergeOffsets(random, c.registers);
  chooseTileShape(random, c);
}

//===----------------------------------------------------------------------===//
// Legal cases
//===----------------------------------------------------------------------===//

/// A digit of the element index and what one step of it means on both sides. A
/// digit that moves nothing on one side becomes a replica on the other.
struct Digit {
  int64_t extent;
  int64_t lane = 0;   ///< TMEM lanes
  int64_t column = 0; ///< elements
  int64_t thread = 0;
  int64_t slot = 0;         ///< elements
  bool isReplica = false;   ///< On both sides.
  bool choosesWord = false; ///< Wants a stride in the thread's vector.
  bool isFree = false;      ///< Its memory steps may go backwards.

  bool isMode() const {
    return !isReplica && (lane || column) && (thread || slot);
  }
};

/// What a generated case is to be like.
struct Recipe {
  AtomShape shape;
  Packing packing;
  unsigned bits;
  Direction direction;
  Scope scope;
  unsigned warps; ///< Of a CTA.
  unsigned repeat;
  int64_t maxWords = 16; ///< Of the thread, about.
  /// Replicas among the columns and the words of an issue: legal or not.
  bool mixesReplicas = false;
};

/// 64-bit elements need words r and r + 1 of a lane in neighbouring cells.
inline bool canBeLegal(AtomShape shape, Packing packing, unsigned bits) {
  if (packing != Packing::None)
    return bits <= 16;
  return bits < 64 ||
         (shape != AtomShape::S16x64b && shape != AtomShape::S16x128b);
}

/// Builds one legal case.
class LegalCase {
public:
  LegalCase(Random &random, const Recipe &recipe)
      : random(random), recipe(recipe), repeat(recipe.repeat),
        isBroadcast(!isStore() && random.oneIn(12)) {}

  Case build() {
    if (recipe.mixesReplicas || random.oneIn(3))
      addRun();
    else
      addWordDigits(recipe.repeat);
    addElementDigits();
    addLaneDigits();
    addColumnDigits();
    addWarpDigits();
    assignWords();
    return assemble();
  }

private:
  bool isPacked() const { return recipe.packing != Packing::None; }
  bool isStore() const { return recipe.direction == Direction::Store; }
  bool isCTA() const { return recipe.scope.kind == ScopeKind::CTA; }
  bool hasTwoRegions() const { return recipe.shape == AtomShape::S16x32bx2; }
  int64_t toElements(int64_t cells) const { return cells * 32 / recipe.bits; }
  /// Columns of an element, of a packed word, in cells.
  int64_t granule() const { return isPacked() || recipe.bits == 64 ? 2 : 1; }

  void addCellDigit(int64_t extent, Cell step, int64_t thread,
                    bool choosesWord) {
    Digit digit{extent, step.lane, toElements(step.column), thread};
    digit.choosesWord = choosesWord;
    if (choosesWord)
      words *= extent;
    digits.push_back(digit);
  }

  /// The image's step for a bit of the lane or of the word.
  Cell scaled(Cell step) const {
    return isPacked() ? Cell{step.lane, 2 * step.column} : step;
  }

  void addWordDigits(unsigned repeat) {
    int count = int(repeat) * wordsPerRepeat(recipe.shape);
    // The low bit of the word is the high half of a 64-bit element.
    for (int bit = recipe.bits == 64 ? 2 : 1; bit < count; bit *= 2)
      addCellDigit(2, scaled(image(recipe.shape, 0, bit)), 0, true);
    columns = int64_t(repeat) * columnsPerRepeat(recipe.shape);
    columns *= isPacked() ? 2 : 1;
  }

  /// Adjacent images, over digits that need not be those of an issue: of six
  /// columns in (2, 3) an x2 takes the first two, then one of each half.
  void addRun() {
    bool isWide = recipe.bits == 64 && wordsPerRepeat(recipe.shape) == 1;
    repeat = isWide ? 2 : 1;
    addWordDigits(repeat);
    int64_t length = repeat;
    while (hasRoom(2) && !random.oneIn(4)) {
      int64_t extent = hasRoom(3) ? random.between(2, 3) : 2;
      if (recipe.mixesReplicas && random.oneIn(2))
        addReplica(extent);
      else
        addCellDigit(extent, {0, columns}, 0, true);
      bool hasMemory = digits.back().column;
      columns *= hasMemory ? extent : 1;
      length *= hasMemory ? extent : 1;
    }
    while (length % (2 * repeat) == 0 && !random.oneIn(3))
      repeat *= 2;
  }

  /// A replica in memory, in the registers or, of its own on each side, both.
  void addReplica(int64_t extent) {
    int64_t sides = random.between(0, 2);
    Digit digit{extent, 0, sides ? toElements(columns) : 0};
    digit.choosesWord = sides != 1;
    digit.isReplica = true;
    words *= extent;
    digits.push_back(digit);
  }

  /// Elements inside of a word, all of them or some.
  void addElementDigits() {
    if (recipe.bits > 16)
      return;
    int64_t fit = (isPacked() ? 16 : 32) / recipe.bits;
    int64_t step = fit > 2 && random.oneIn(4) ? 2 : 1;
    int64_t most = fit / step;
    int64_t extent = random.oneIn(2) ? most : random.between(1, most);
    insideWord = random.oneIn(4) ? fit - 1 - (extent - 1) * step : 0;
    digits.push_back({extent, 0, step, 0, step});
    if (isPacked())
      digits.push_back({2, 0, toElements(1), 0, 16 / recipe.bits});
  }

  void addLaneDigits() {
    for (int bit = 1; bit < 32; bit *= 2)
      if (bit < 16 || !hasTwoRegions())
        addCellDigit(2, scaled(image(recipe.shape, bit, 0)), bit, false);
  }

  /// A column step past everything so far.
  int64_t nextColumns(int64_t extent) {
    int64_t step = (columns + granule() - 1) / granule() * granule();
    if (random.oneIn(4))
      step += granule() * random.between(1, 3);
    columns += step * (extent - 1);
    return step;
  }

  /// What makes several issues, two regions and several warpgroups, in any
  /// order.
  void addColumnDigits() {
    std::vector<int> kinds{0, 1, 1, 2, 3, 4};
    random.shuffle(kinds);
    for (int kind : kinds)
      addColumnDigit(kind);
  }

  void addColumnDigit(int kind) {
    if (kind == 0 && hasTwoRegions())
      addSplit();
    if (kind == 1)
      addIssues();
    if (kind == 2 && isCTA() && !isBroadcast && recipe.warps > 4)
      addWarpgroups();
    if (kind == 3 && random.oneIn(8) && hasRoom(2))
      addRegisterReplica();
    if (kind == 4 && random.oneIn(8))
      addMemoryReplica();
  }

  bool hasRoom(int64_t times) const {
    return words * times * granule() <= recipe.maxWords;
  }

  void addSplit() {
    bool byLane = random.oneIn(2), byColumn = !byLane || random.oneIn(3);
    Digit digit{2, byLane ? 16 : 0, 0, 16};
    if (byLane && byColumn && random.oneIn(2))
      columns += digit.column = granule() * random.between(1, 4);
    else if (byColumn)
      digit.column = nextColumns(2);
    digit.column = toElements(digit.column);
    usesBothHalves = byLane;
    mustSplit = byLane && byColumn;
    splitDigit = digits.size();
    digits.push_back(digit);
  }

  void addIssues() {
    if (!usesBothHalves && has16Rows(recipe.shape) && hasRoom(2) &&
        !hasTwoRegions() && random.oneIn(3)) {
      addCellDigit(2, {16, 0}, 0, true);
      usesBothHalves = true;
    }
    int64_t extent = random.between(1, 3);
    while (extent > 1 && !hasRoom(extent))
      --extent;
    if (extent == 1)
      return;
    addCellDigit(extent, {0, nextColumns(extent)}, 0, true);
    digits.back().isFree = true;
  }

  /// Warpgroups read other columns, or the same ones.
  void addWarpgroups() {
    Digit digit{recipe.warps / 4, 0, 0, 128};
    if (isStore() || !random.oneIn(3))
      digit.column = toElements(nextColumns(digit.extent));
    digit.isFree = true;
    digits.push_back(digit);
  }

  void addRegisterReplica() {
    words *= 2;
    Digit digit{2};
    digit.choosesWord = true;
    digits.push_back(digit);
  }

  void addMemoryReplica() {
    digits.push_back({2, 0, toElements(nextColumns(2))});
  }

  void addWarpDigits() {
    if (recipe.scope.kind == ScopeKind::Warp)
      return;
    int64_t warps = isCTA() ? recipe.warps : 4;
    if (!isBroadcast) {
      digits.push_back({std::min<int64_t>(warps, 4), 32, 0, 32});
      return;
    }
    // Every slab holds the tile; any number of warps, 6 too, can read it.
    if (isCTA())
      warps = random.between(1, 9);
    digits.push_back({4, 32});
    digits.push_back({warps, 0, 0, 32});
  }

  /// Gives every digit that chooses a word its place in the vector, in any
  /// order and with gaps.
  void assignWords() {
    std::vector<Digit *> choosers;
    for (Digit &digit : digits)
      if (digit.choosesWord)
        choosers.push_back(&digit);
    if (!random.oneIn(3))
      random.shuffle(choosers);
    int64_t step = recipe.bits == 64 ? 2 : 1;
    for (Digit *digit : choosers) {
      digit->slot = step * 32 / recipe.bits;
      step *= digit->extent;
      if (random.oneIn(12))
        step += recipe.bits == 64 ? 2 : 1;
    }
    vectorWords = step;
  }

  Case assemble() {
    chooseSplit();
    orderDigits();
    usesTid = random.oneIn(2);
    Case c;
    c.direction = recipe.direction;
    c.bits = recipe.bits;
    c.scope = recipe.scope;
    c.atom = {recipe.shape, {repeat}, recipe.packing};
    makeLayouts(c);
    addOffsets(c);
    finishRandomly(random, c);
    return c;
  }

  /// The step to the second region may lead, as two memory layouts.
  void chooseSplit() {
    if (!hasTwoRegions() || (!mustSplit && random.oneIn(3)))
      return;
    isSplit = true;
    std::swap(digits[0], digits[splitDigit]);
  }

  void orderDigits() {
    auto begin = digits.begin() + (isSplit ? 1 : 0);
    std::vector<Digit> rest(begin, digits.end());
    random.shuffle(rest);
    // Total orders: std::sort may do as it likes with equal digits.
    auto byMemory = [](const Digit &a, const Digit &b) {
      return std::tie(a.lane, a.column, a.thread, a.slot) >
             std::tie(b.lane, b.column, b.thread, b.slot);
    };
    auto byRegister = [](const Digit &a, const Digit &b) {
      return std::tie(a.thread, a.slot, a.lane, a.column) >
             std::tie(b.thread, b.slot, b.lane, b.column);
    };
    int64_t order = random.between(0, 3);
    if (order == 1)
      std::sort(rest.begin(), rest.end(), byMemory);
    if (order == 2)
      std::sort(rest.begin(), rest.end(), byRegister);
    for (Digit &digit : rest)
      digit.isReplica |= random.oneIn(60);
    std::copy(rest.begin(), rest.end(), begin);
  }

  Mode memoryMode(const Digit &digit) const {
    if (digit.lane)
      return {digit.extent, digit.lane, Axis::TLane};
    return {digit.extent, digit.column, Axis::TCol};
  }

  Mode registerMode(const Digit &digit) const {
    if (digit.slot)
      return {digit.extent, digit.slot, Axis::Reg};
    if (usesTid)
      return {digit.extent, digit.thread, Axis::Tid};
    if (digit.thread >= lanesPerWarp)
      return {digit.extent, digit.thread / lanesPerWarp, Axis::Warp};
    return {digit.extent, digit.thread, Axis::Lane};
  }

  /// `mode`, or the same steps from the far end.
  static Mode turned(Mode mode, bool backwards, Layout &layout) {
    if (!backwards)
      return mode;
    layout.offsets.push_back({(mode.extent - 1) * mode.stride, mode.axis});
    return {mode.extent, -mode.stride, mode.axis};
  }

  static void append(Layout &layout, const Mode &mode, bool isReplica) {
    if (isReplica)
      layout.replicas.push_back(mode);
    else
      layout.modes.push_back(mode);
  }

  void makeLayouts(Case &c) {
    Layout memory;
    for (size_t i = 0; i < digits.size(); ++i) {
      const Digit &digit = digits[i];
      bool isReplica = !digit.isMode(), both = random.oneIn(25);
      bool memoryOnly = digit.isFree && random.oneIn(6);
      if ((digit.lane || digit.column) && !(isSplit && i == 0))
        append(memory, turned(memoryMode(digit), both != memoryOnly, memory),
               isReplica);
      else
        both = false;
      if (digit.thread || digit.slot)
        append(c.registers, turned(registerMode(digit), both, c.registers),
               isReplica);
    }
    c.memory.assign(isSplit ? 2 : 1, memory);
  }

  void addOffsets(Case &c) {
    bool isHigh = has16Rows(recipe.shape) && !usesBothHalves && random.oneIn(2);
    int64_t lane = isHigh ? 16 : 0, column = 0, word = 0;
    if (recipe.scope.kind == ScopeKind::Warp)
      lane += lanesPerWarp * recipe.scope.warp;
    if (random.oneIn(3))
      column = random.between(1, 9) * (recipe.bits == 64 ? 2 : 1);
    if (random.oneIn(4))
      word = random.between(1, 3) * (recipe.bits == 64 ? 2 : 1);
    column = toElements(column) + insideWord;
    for (Layout &layout : c.memory) {
      layout.offsets.push_back({lane, Axis::TLane});
      layout.offsets.push_back({column, Axis::TCol});
    }
    c.registers.offsets.push_back({toElements(word) + insideWord, Axis::Reg});
    c.vectorSize =
        toElements(word + vectorWords + random.pick({0, 0, 0, 1, 2}));
    if (isSplit) {
      c.memory[1].offsets.push_back({digits[0].lane, Axis::TLane});
      c.memory[1].offsets.push_back({digits[0].column, Axis::TCol});
    }
  }

  Random &random;
  const Recipe &recipe;
  unsigned repeat;
  bool isBroadcast;
  std::vector<Digit> digits;
  int64_t words = 1;   ///< Per thread, gaps not counted.
  int64_t columns = 1; ///< Cells from the first to past the last.
  int64_t insideWord = 0;
  int64_t vectorWords = 1;
  size_t splitDigit = 0;
  bool usesBothHalves = false, mustSplit = false, isSplit = false;
  bool usesTid = true;
};

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLECASES_H
