//===- PlannerOracleMaps.h - What stands where, plainly ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The five native images written down again, the test's own form of a transfer,
// and the maps from every four bits of TMEM and of the registers to the element
// that they belong to. Nothing of lib/Layout is used.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMAPS_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMAPS_H

#include "tmem/Layout/Planner.h"
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace mlir::tmem::oracle {

//===----------------------------------------------------------------------===//
// The five images, as the PTX ISA describes them
//===----------------------------------------------------------------------===//

/// Where register `r` of lane `l` stands, relative to the address. 16x32bx2:
/// relative to the address of the lane's own region.
inline Cell image(AtomShape shape, int l, int r) {
  switch (shape) {
  case AtomShape::S32x32b:
    return {l, r};
  case AtomShape::S16x64b:
    return {l / 4 + 8 * (l % 2), (l / 2) % 2 + 2 * r};
  case AtomShape::S16x128b:
    return {l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)};
  case AtomShape::S16x256b:
    return {l / 4 + 8 * ((r / 2) % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)};
  case AtomShape::S16x32bx2:
    return {l % 16, r};
  }
  return {};
}

inline int wordsPerRepeat(AtomShape shape) {
  return shape == AtomShape::S16x256b   ? 4
         : shape == AtomShape::S16x128b ? 2
                                        : 1;
}

/// Cells from one side of the instruction's footprint to the other at x1; one
/// region's for 16x32bx2.
inline int columnsPerRepeat(AtomShape shape) {
  switch (shape) {
  case AtomShape::S16x64b:
    return 2;
  case AtomShape::S16x128b:
    return 4;
  case AtomShape::S16x256b:
    return 8;
  default:
    return 1;
  }
}

inline bool isRepeat(AtomShape shape, int64_t n) {
  int64_t most = 128 / wordsPerRepeat(shape);
  return n >= 1 && n <= most && (n & (n - 1)) == 0;
}

inline bool has16Rows(AtomShape shape) { return shape != AtomShape::S32x32b; }

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// A Transfer that owns its parts, and the atom to plan it with.
struct Case {
  Direction direction = Direction::Load;
  std::vector<Layout> memory;
  Layout registers;
  std::vector<int64_t> tileShape;
  unsigned bits = 32;
  int64_t vectorSize = 0;
  Scope scope;
  Atom atom{AtomShape::S32x32b, {1}, Packing::None, std::nullopt};

  Transfer transfer() const {
    return {direction, memory, registers, tileShape, bits, vectorSize, scope};
  }
};

inline const char *axisName(Axis axis) {
  static const char *const names[] = {"tlane", "tcol", "warp",
                                      "lane",  "reg",  "tid"};
  return names[unsigned(axis)];
}

inline std::string toString(const Layout &layout) {
  std::ostringstream extents, strides, rest;
  const char *separator = "";
  for (const Mode &mode : layout.modes) {
    extents << separator << mode.extent;
    strides << separator << mode.stride << '@' << axisName(mode.axis);
    separator = ", ";
  }
  for (const Mode &replica : layout.replicas)
    rest << " * (" << replica.extent << " : " << replica.stride << '@'
         << axisName(replica.axis) << ')';
  for (const AxisOffset &offset : layout.offsets)
    rest << " + (" << offset.value << '@' << axisName(offset.axis) << ')';
  return "(" + extents.str() + ") : (" + strides.str() + ")" + rest.str();
}

inline std::string toString(const Atom &atom) {
  static const char *const shapes[] = {"32x32b", "16x64b", "16x128b", "16x256b",
                                       "16x32bx2"};
  static const char *const packings[] = {"", ", pack", ", unpack"};
  std::ostringstream os;
  os << shapes[unsigned(atom.shape)];
  for (unsigned n : atom.repeats)
    os << ", x" << n;
  os << packings[unsigned(atom.packing)];
  if (atom.split)
    os << ", split " << atom.split->lane << " lanes " << atom.split->column
       << " columns";
  return os.str();
}

inline std::string toString(const Case &c) {
  static const char *const scopes[] = {"warp", "warpgroup", "cta"};
  std::ostringstream os;
  os << (c.direction == Direction::Load ? "load" : "store") << " atom<"
     << toString(c.atom) << "> scope(" << scopes[unsigned(c.scope.kind)];
  if (c.scope.kind == ScopeKind::Warp)
    os << ' ' << c.scope.warp;
  os << ") bits " << c.bits << " vectorSize " << c.vectorSize << " tile ";
  for (size_t i = 0; i < c.tileShape.size(); ++i)
    os << (i ? "x" : "") << c.tileShape[i];
  for (const Layout &layout : c.memory)
    os << "\n  memory    " << toString(layout);
  os << "\n  registers " << toString(c.registers) << '\n';
  return os.str();
}

//===----------------------------------------------------------------------===//
// Maps: which bits of which element stand where
//===----------------------------------------------------------------------===//

/// The bits of a cell or a register word, four at a time: the element's number
/// times its size plus the place in the element; -1 for bits of no element.
/// Every width is a multiple of four bits.
using Bits = std::array<int32_t, 8>;
constexpr int32_t nobody = -1;

inline Bits emptyBits() {
  Bits bits;
  bits.fill(nobody);
  return bits;
}
inline bool isEmpty(const Bits &bits) { return bits == emptyBits(); }
inline bool isHighHalfEmpty(const Bits &bits) {
  return std::all_of(bits.begin() + 4, bits.end(),
                     [](int32_t tag) { return tag == nobody; });
}

/// Columns that some chip has.
constexpr int64_t maxColumns = 576;
constexpr int64_t lanesPerWarp = 32;
/// Words that a thread's vector may have.
constexpr int64_t maxWords = 1024;

struct Maps {
  int64_t columns = 0; ///< One past the last cell of the layout.
  int64_t words = 0;   ///< Of the thread's vector.
  unsigned warps = 1;
  unsigned firstSlab = 0;
  std::vector<Bits> memory;    ///< [lane][column]
  std::vector<Bits> registers; ///< [warp][lane][word]

  const Bits &cell(int64_t lane, int64_t column) const {
    return memory[lane * columns + column];
  }
  const Bits &word(int64_t thread, int64_t k) const {
    return registers[thread * words + k];
  }
  int64_t slabLane(unsigned warp) const {
    return lanesPerWarp * ((firstSlab + warp) % 4);
  }
};

inline int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}
inline int64_t countElements(const Layout &layout) {
  int64_t product = 1;
  for (const Mode &mode : layout.modes)
    product *= mode.extent;
  return product;
}

inline Coordinates firstPlace(const Layout &layout, int64_t element) {
  Coordinates place{};
  for (size_t i = layout.modes.size(); i-- > 0;) {
    const Mode &mode = layout.modes[i];
    place[unsigned(mode.axis)] += element % mode.extent * mode.stride;
    element /= mode.extent;
  }
  for (const AxisOffset &offset : layout.offsets)
    place[unsigned(offset.axis)] += offset.value;
  return place;
}

/// What each replica adds to the first place.
inline std::vector<Coordinates> replicaSteps(const Layout &layout) {
  std::vector<Coordinates> all{Coordinates{}};
  for (const Mode &replica : layout.replicas) {
    std::vector<Coordinates> more;
    for (Coordinates step : all)
      for (int64_t i = 0; i < replica.extent; ++i) {
        more.push_back(step);
        step[unsigned(replica.axis)] += replica.stride;
      }
    all = more;
  }
  return all;
}

inline int64_t at(const Coordinates &place, Axis axis) {
  return place[unsigned(axis)];
}
inline int64_t threadOf(const Coordinates &place) {
  return at(place, Axis::Tid) + lanesPerWarp * at(place, Axis::Warp) +
         at(place, Axis::Lane);
}

/// Calls fn(element, place) for every place of every element.
template <typename Fn>
void forEachPlace(const Layout &layout, int64_t firstElement, Fn fn) {
  std::vector<Coordinates> steps = replicaSteps(layout);
  for (int64_t i = 0, e = countElements(layout); i < e; ++i) {
    Coordinates first = firstPlace(layout, i);
    for (const Coordinates &step : steps) {
      Coordinates place = first;
      for (unsigned axis = 0; axis < numAxes; ++axis)
        place[axis] += step[axis];
      fn(firstElement + i, place);
    }
  }
}

/// Writes the element's bits from bit group `position` of `line` on. False when
/// they belong to another element already.
inline bool claim(Bits *line, int64_t position, int64_t element,
                  unsigned groups) {
  for (unsigned i = 0; i < groups; ++i, ++position) {
    int32_t &tag = line[position / 8][position % 8];
    int32_t mine = int32_t(element * groups + i);
    if (tag != nobody && tag != mine)
      return false;
    tag = mine;
  }
  return true;
}

/// Fills maps.memory. Returns what is wrong, or nothing.
inline const char *mapMemory(const Case &c, Maps &maps) {
  bool inLanes = true, inColumns = true, injective = true;
  int64_t groups = c.bits / 4, each = countElements(c.tileShape);
  each /= int64_t(c.memory.size());
  for (const Layout &layout : c.memory)
    forEachPlace(layout, 0, [&](int64_t, const Coordinates &place) {
      int64_t lane = at(place, Axis::TLane), column = at(place, Axis::TCol);
      inLanes &= lane >= 0 && lane < 4 * lanesPerWarp;
      inColumns &= column >= 0 && (column + 1) * c.bits <= maxColumns * 32;
      maps.columns = std::max(maps.columns, ((column + 1) * groups + 7) / 8);
    });
  if (!inLanes || !inColumns)
    return inLanes ? "column out of range" : "lane out of range";
  maps.memory.assign(4 * lanesPerWarp * maps.columns, emptyBits());
  for (size_t half = 0; half < c.memory.size(); ++half)
    forEachPlace(c.memory[half], half * each,
                 [&](int64_t element, const Coordinates &place) {
                   Bits *line =
                       &maps.memory[at(place, Axis::TLane) * maps.columns];
                   injective &= claim(line, at(place, Axis::TCol) * groups,
                                      element, groups);
                 });
  return injective ? nullptr : "two elements in one cell";
}

/// Fills maps.registers. Returns what is wrong, or nothing.
inline const char *mapRegisters(const Case &c, Maps &maps) {
  static constexpr int64_t scopeThreads[] = {32, 128, 1024};
  int64_t threads = scopeThreads[unsigned(c.scope.kind)], last = 0;
  int64_t groups = c.bits / 4;
  bool inThreads = true, inVector = true, injective = true;
  forEachPlace(c.registers, 0, [&](int64_t, const Coordinates &place) {
    int64_t thread = threadOf(place), lane = at(place, Axis::Lane);
    int64_t slot = at(place, Axis::Reg);
    inThreads &=
        thread >= 0 && thread < threads && lane >= 0 && lane < lanesPerWarp;
    inVector &= slot >= 0 && slot < c.vectorSize;
    last = std::max(last, thread);
  });
  if (!inThreads || !inVector)
    return inThreads ? "slot out of range" : "thread out of range";
  if (c.scope.kind == ScopeKind::CTA)
    threads = (last / lanesPerWarp + 1) * lanesPerWarp;
  maps.warps = threads / lanesPerWarp;
  maps.words = (c.vectorSize * groups + 7) / 8;
  if (maps.words > maxWords)
    return "vector too large";
  maps.registers.assign(threads * maps.words, emptyBits());
  forEachPlace(c.registers, 0, [&](int64_t element, const Coordinates &place) {
    Bits *line = &maps.registers[threadOf(place) * maps.words];
    injective &= claim(line, at(place, Axis::Reg) * groups, element, groups);
  });
  return injective ? nullptr : "two elements in one slot";
}

/// Fills the maps. Returns what is wrong, or nothing.
inline const char *buildMaps(const Case &c, Maps &maps) {
  int64_t size = countElements(c.tileShape), split = c.memory.size();
  for (const Layout &layout : c.memory)
    if (countElements(layout) * split != size)
      return "memory layout of another size";
  if (countElements(c.registers) != size)
    return "register layout of another size";
  maps.firstSlab = c.scope.kind == ScopeKind::Warp ? c.scope.warp : 0;
  if (const char *wrong = mapMemory(c, maps))
    return wrong;
  return mapRegisters(c, maps);
}

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMAPS_H
