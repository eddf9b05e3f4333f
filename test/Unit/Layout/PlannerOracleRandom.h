//===- PlannerOracleRandom.h - Random cases, near misses --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is drawn from a seed: legal transfers, the same with something changed,
// and layouts at random.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLERANDOM_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLERANDOM_H

#include "PlannerOracleCases.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::tmem::oracle {

inline constexpr AtomShape allShapes[] = {
    AtomShape::S32x32b, AtomShape::S16x64b, AtomShape::S16x128b,
    AtomShape::S16x256b, AtomShape::S16x32bx2};

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

/// Changes one thing of a case. The result may be legal all the same.
class Mutator {
public:
  Mutator(Random &random, Case &c) : random(random), c(c) {}

  void mutate() {
    static constexpr void (Mutator::*const ways[])() = {
        &Mutator::changeStride, &Mutator::swapModes,    &Mutator::swapStrides,
        &Mutator::changeAxis,   &Mutator::shift,        &Mutator::changeExtent,
        &Mutator::changeRepeat, &Mutator::changeShape,  &Mutator::changePacking,
        &Mutator::addReplica,   &Mutator::dropReplica,  &Mutator::resizeVector,
        &Mutator::changeScope,  &Mutator::changeBits,   &Mutator::turn,
        &Mutator::changeRows,   &Mutator::changeStride, &Mutator::swapStrides,
        &Mutator::shift};
    (this->*ways[random.between(0, int64_t(std::size(ways)) - 1)])();
  }

private:
  Layout &anyLayout() {
    if (random.oneIn(2))
      return c.registers;
    return c.memory[random.between(0, int64_t(c.memory.size()) - 1)];
  }
  Mode &anyMode(Layout &layout) {
    return layout.modes[random.between(0, int64_t(layout.modes.size()) - 1)];
  }
  Axis anyAxis(const Layout &layout) {
    if (&layout != &c.registers)
      return random.oneIn(2) ? Axis::TLane : Axis::TCol;
    bool byTid = llvm::any_of(
        layout.modes, [](const Mode &mode) { return mode.axis == Axis::Tid; });
    if (random.oneIn(2))
      return Axis::Reg;
    return byTid ? Axis::Tid : random.oneIn(4) ? Axis::Warp : Axis::Lane;
  }

  void changeStride() {
    int64_t &stride = anyMode(anyLayout()).stride;
    switch (random.between(0, 3)) {
    case 0:
      stride *= 2;
      break;
    case 1:
      stride = stride / 2;
      break;
    case 2:
      stride += random.pick({-1, 1});
      break;
    default:
      stride = int64_t(1) << random.between(0, 6);
    }
  }

  void swapModes() {
    Layout &layout = anyLayout();
    std::swap(anyMode(layout), anyMode(layout));
  }

  void swapStrides() {
    Layout &layout = anyLayout();
    Mode &a = anyMode(layout), &b = anyMode(layout);
    std::swap(a.stride, b.stride);
    if (random.oneIn(2))
      std::swap(a.axis, b.axis);
  }

  void changeAxis() {
    Layout &layout = anyLayout();
    anyMode(layout).axis = anyAxis(layout);
  }

  void shift() {
    Layout &layout = anyLayout();
    Axis axis = anyAxis(layout);
    int64_t by = random.pick({-1, 1, 1, 2, 8, 16, 16, 32});
    if (axis == Axis::TCol)
      by = random.pick({-2, -1, 1, 1, 2, 4, 8});
    layout.offsets.push_back({by, axis});
  }

  void changeExtent() {
    bool everywhere = random.oneIn(2), doubles = random.oneIn(2);
    Layout &layout = anyLayout();
    scale(layout, doubles);
    if (everywhere)
      scale(&layout == &c.registers ? c.memory[0] : c.registers, doubles);
    if (everywhere && !c.tileShape.empty())
      c.tileShape = {countElements(c.registers)};
  }
  void scale(Layout &layout, bool doubles) {
    int64_t &extent = anyMode(layout).extent;
    extent = doubles ? extent * 2 : std::max<int64_t>(1, extent / 2);
  }

  void changeRepeat() {
    c.atom.repeats = {unsigned(1) << random.between(0, 5)};
    if (random.oneIn(10))
      c.atom.repeats = {unsigned(random.pick({0, 3, 6, 128, 256}))};
  }
  void changeShape() {
    c.atom.shape = AtomShape(random.between(0, 4));
    c.atom.split = std::nullopt;
  }

  void changePacking() {
    if (random.oneIn(3))
      c.direction = Direction(1 - unsigned(c.direction));
    else
      c.atom.packing = Packing(random.between(0, 2));
  }

  void addReplica() {
    Layout &layout = anyLayout();
    Axis axis = anyAxis(layout);
    layout.replicas.push_back({2, int64_t(1) << random.between(0, 7), axis});
  }
  void dropReplica() {
    Layout &layout = anyLayout();
    if (!layout.replicas.empty())
      layout.replicas.pop_back();
  }

  void resizeVector() {
    c.vectorSize += random.pick({-2, -1, 1, 2});
    c.vectorSize = std::max<int64_t>(1, c.vectorSize);
  }

  void changeScope() {
    if (random.oneIn(2))
      c.scope.warp = unsigned(random.between(0, 3));
    if (c.scope.kind != ScopeKind::Warp || random.oneIn(3))
      c.scope.kind = ScopeKind(random.between(0, 2));
  }

  void changeBits() {
    static const std::vector<unsigned> all{4, 8, 16, 32, 64};
    c.bits = random.pick(all);
  }

  /// One mode of one side backwards.
  void turn() {
    Layout &layout = anyLayout();
    Mode &mode = anyMode(layout);
    layout.offsets.push_back({(mode.extent - 1) * mode.stride, mode.axis});
    mode.stride = -mode.stride;
  }

  /// Row steps of the other accumulator data paths: 16 rows for 32 and back.
  void changeRows() {
    for (Layout &layout : c.memory)
      for (Mode &mode : layout.modes)
        if (mode.axis == Axis::TLane && random.oneIn(2))
          mode.stride = mode.stride == 16   ? 32
                        : mode.stride == 32 ? 16
                                            : mode.stride;
  }

  Random &random;
  Case &c;
};

//===----------------------------------------------------------------------===//
// Random cases
//===----------------------------------------------------------------------===//

/// Bits of a box of lanes and columns (threads and slots) in any order: one
/// element in each place, seldom where an image would put it.
inline Layout randomBox(Random &random, int laneBits, int columnBits,
                        Axis laneAxis, Axis columnAxis) {
  Layout layout;
  for (int bit = 0; bit < laneBits; ++bit)
    layout.modes.push_back({2, int64_t(1) << bit, laneAxis});
  for (int bit = 0; bit < columnBits; ++bit)
    layout.modes.push_back({2, int64_t(1) << bit, columnAxis});
  for (int swaps = int(random.between(0, 8)); swaps > 0; --swaps)
    std::swap(layout.modes[random.between(0, laneBits + columnBits - 1)],
              layout.modes[random.between(0, laneBits + columnBits - 1)]);
  return layout;
}

inline Case randomBoxes(Random &random, const Recipe &recipe) {
  Case c;
  c.direction = recipe.direction;
  c.bits = recipe.bits;
  c.scope = recipe.scope;
  c.atom = {recipe.shape, {recipe.repeat}, recipe.packing};
  int warpBits = recipe.scope.kind == ScopeKind::Warp ? 0 : 2;
  int columnBits = int(random.between(1, 3));
  int fewer = has16Rows(recipe.shape) && warpBits == 0 ? 1 : 0;
  c.memory = {randomBox(random, 5 + warpBits - fewer, columnBits + fewer,
                        Axis::TLane, Axis::TCol)};
  c.registers =
      randomBox(random, 5 + warpBits, columnBits, Axis::Tid, Axis::Reg);
  if (warpBits == 0)
    c.memory[0].offsets.push_back(
        {lanesPerWarp * recipe.scope.warp, Axis::TLane});
  c.vectorSize = int64_t(1) << columnBits;
  finishRandomly(random, c);
  return c;
}

inline Recipe randomRecipe(Random &random, AtomShape shape) {
  static const std::vector<unsigned> widths{4, 8, 16, 16, 32, 32, 32, 64};
  Recipe recipe;
  recipe.shape = shape;
  recipe.direction = Direction(random.between(0, 1));
  recipe.packing = Packing::None;
  if (random.oneIn(3))
    recipe.packing =
        recipe.direction == Direction::Load ? Packing::Pack : Packing::Unpack;
  do
    recipe.bits = random.pick(widths);
  while (!canBeLegal(shape, recipe.packing, recipe.bits));
  int64_t scope = random.between(0, 9);
  recipe.scope.kind = scope < 5   ? ScopeKind::Warp
                      : scope < 8 ? ScopeKind::Warpgroup
                                  : ScopeKind::CTA;
  recipe.scope.warp = unsigned(random.between(0, 3));
  recipe.warps = unsigned(random.pick({1, 2, 4, 8, 8, 8, 8, 12}));
  recipe.maxWords = scope < 5 ? 16 : 8;
  int64_t most = recipe.maxWords / 2 / wordsPerRepeat(shape);
  do
    recipe.repeat = 1u << random.between(0, 3);
  while (recipe.repeat > 1 && recipe.repeat > most);
  // A 64-bit element is two words.
  if (recipe.bits == 64 && wordsPerRepeat(shape) == 1)
    recipe.repeat = std::max(recipe.repeat, 2u);
  return recipe;
}

/// Other repeats, from which the same words can or cannot be put together.
inline void mixRepeats(Random &random, Case &c) {
  unsigned n = c.atom.repeats[0];
  switch (random.between(0, 3)) {
  case 0:
    c.atom.repeats = {n, 2 * n};
    break;
  case 1:
    c.atom.repeats = {4 * n, 2 * n, n};
    break;
  case 2:
    c.atom.repeats = {1, 2, 4, 8};
    break;
  default:
    c.atom.repeats = {2 * n, std::max(1u, n / 2)};
  }
}

/// Gives the immediate of 16x32bx2: the distance of the views, the other half
/// of the slab, or something near.
inline void giveSplit(Random &random, Case &c) {
  std::array<int64_t, numAxes> distance{};
  for (const AxisOffset &offset : c.memory.back().offsets)
    distance[unsigned(offset.axis)] += offset.value;
  for (const AxisOffset &offset : c.memory.front().offsets)
    distance[unsigned(offset.axis)] -= offset.value;
  Cell split{distance[unsigned(Axis::TLane)],
             distance[unsigned(Axis::TCol)] * c.bits / 32};
  if (c.memory.size() == 1)
    split = {16, 0};
  if (random.oneIn(3))
    split.column += random.between(-2, 2);
  c.atom.split = split;
}

/// The case of a seed: a legal one for two in five, a near miss for two, and
/// replicas or boxes at random for the rest.
inline Case makeRandomCase(uint64_t seed) {
  Random random(seed);
  Recipe recipe = randomRecipe(random, allShapes[seed % 5]);
  int64_t kind = random.between(0, 9);
  if (kind == 9)
    return randomBoxes(random, recipe);
  recipe.mixesReplicas = kind == 8;
  Case c = LegalCase(random, recipe).build();
  if (random.oneIn(recipe.mixesReplicas ? 2 : 4))
    mixRepeats(random, c);
  if (recipe.shape == AtomShape::S16x32bx2 && random.oneIn(3))
    giveSplit(random, c);
  if (kind >= 4 && kind < 8)
    for (int64_t i = random.pick({1, 1, 1, 2}); i > 0; --i)
      Mutator(random, c).mutate();
  return c;
}

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLERANDOM_H
