//===- PlannerOracleMessages.h - What rejections say ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds the words of a rejection against the layouts: what a message says of an
// element, a register or a cell must be so.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMESSAGES_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMESSAGES_H

#include "PlannerOracleMaps.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

namespace mlir::tmem::oracle {

/// Reads all numbers of a message from `key` on; none when it is not there.
inline std::vector<int64_t> numbersAfter(const std::string &message,
                                         const std::string &key) {
  std::vector<int64_t> numbers;
  size_t i = message.find(key);
  if (i == std::string::npos)
    return numbers;
  for (i += key.size(); i < message.size();) {
    char *end = nullptr;
    numbers.push_back(std::strtoll(&message[i], &end, 10));
    if (end == &message[i])
      numbers.pop_back();
    i = std::max(i + 1, size_t(end - message.data()));
  }
  return numbers;
}

/// The number of the element at `indices` of the tile, or nothing.
inline std::optional<int64_t> elementAt(const Case &c,
                                        llvm::ArrayRef<int64_t> indices) {
  int64_t element = 0;
  if (indices.size() != c.tileShape.size())
    return std::nullopt;
  for (auto [index, extent] : llvm::zip(indices, c.tileShape)) {
    if (index < 0 || index >= extent)
      return std::nullopt;
    element = element * extent + index;
  }
  return element;
}

inline bool isInCell(const Case &c, int64_t element, int64_t lane,
                     int64_t column) {
  int64_t each = countElements(c.memory[0]);
  bool found = false;
  forEachPlace(c.memory[element / each], element / each * each,
               [&](int64_t other, const Coordinates &place) {
                 int64_t first = at(place, Axis::TCol) * c.bits / 32;
                 int64_t last = ((at(place, Axis::TCol) + 1) * c.bits - 1) / 32;
                 found |= other == element && at(place, Axis::TLane) == lane &&
                          column >= first && column <= last;
               });
  return found;
}

/// The elements in a slot of a thread, where a warp is meant by its number.
inline std::vector<int64_t> elementsIn(const Case &c, int64_t slot,
                                       int64_t warp, int64_t lane) {
  if (c.scope.kind == ScopeKind::Warp)
    warp = warp == c.scope.warp ? 0 : -1;
  std::vector<int64_t> elements;
  forEachPlace(c.registers, 0, [&](int64_t element, const Coordinates &place) {
    if (threadOf(place) == lanesPerWarp * warp + lane &&
        at(place, Axis::Reg) == slot)
      elements.push_back(element);
  });
  return elements;
}

/// Checks what a message says of the element that it names: "element (1, 2) is
/// in TMEM lane 3, column 4, and in register 5 of warp 6, lane 7", "which
/// 32x32b puts in register 5 of warp 6, lane 7, where no element is".
inline std::string checkPlaces(const Case &c, int64_t element,
                               const std::string &message) {
  std::vector<int64_t> cell = numbersAfter(message, " is in TMEM lane ");
  if (!cell.empty() && !isInCell(c, element, cell[0], cell[1]))
    return "wrong about TMEM";
  std::vector<int64_t> taken = numbersAfter(message, ", and in register ");
  if (!taken.empty() &&
      !llvm::is_contained(elementsIn(c, taken[0], taken[1], taken[2]), element))
    return "wrong about the register";
  std::vector<int64_t> empty = numbersAfter(message, " puts in register ");
  if (!empty.empty() && llvm::StringRef(message).ends_with("no element is") &&
      !elementsIn(c, empty[0], empty[1], empty[2]).empty())
    return "calls a taken register empty";
  return "";
}

/// Checks every "element (1, 2)" of a message.
inline std::string checkElements(const Case &c, const std::string &message) {
  const std::string key = "element (";
  for (size_t i = message.find(key); i != std::string::npos;
       i = message.find(key, i + 1)) {
    std::vector<int64_t> numbers = numbersAfter(message.substr(i), key);
    if (numbers.size() < c.tileShape.size())
      return "names an element of another rank";
    numbers.resize(c.tileShape.size());
    std::optional<int64_t> element = elementAt(c, numbers);
    if (!element)
      return "names an element outside of the tile";
    std::string wrong =
        i == 0 ? checkPlaces(c, *element, message) : std::string();
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

/// Whether an element stands at a coordinate that a range is about.
inline bool standsAt(const Case &c, int64_t element, int64_t value,
                     const std::string &message) {
  auto isAbout = [&](const char *what) {
    return llvm::StringRef(message).contains(what);
  };
  bool inMemory = isAbout("TMEM lanes") || isAbout("columns");
  int64_t each = inMemory ? countElements(c.memory[0]) : element + 1;
  const Layout &layout = inMemory ? c.memory[element / each] : c.registers;
  bool found = false;
  forEachPlace(layout, 0, [&](int64_t other, const Coordinates &place) {
    int64_t is = isAbout("TMEM lanes")       ? at(place, Axis::TLane)
                 : isAbout("columns")        ? at(place, Axis::TCol)
                 : isAbout("register slots") ? at(place, Axis::Reg)
                 : isAbout("threads")        ? at(place, Axis::Tid)
                 : isAbout("warps")          ? at(place, Axis::Warp)
                                             : at(place, Axis::Lane);
    found |= other == element % each && is == value;
  });
  return found;
}

/// Checks "expected lanes 0 to 31, but got 32 for element (1, 2)".
inline std::string checkRange(const Case &c, const std::string &message) {
  std::vector<int64_t> most = numbersAfter(message, " 0 to ");
  std::vector<int64_t> found = numbersAfter(message, "but got ");
  std::vector<int64_t> indices = numbersAfter(message, "element (");
  if (most.empty() || found.empty() || indices.empty())
    return "names no range";
  if (found[0] >= 0 && found[0] <= most[0])
    return "refuses a value in range";
  bool isSo = standsAt(c, *elementAt(c, indices), found[0], message);
  return isSo ? "" : "is wrong about the value";
}

/// Checks "would touch TMEM lane 1, column 2, which holds no element".
inline std::string checkTouchedCell(const Case &c, const std::string &message) {
  std::vector<int64_t> cell = numbersAfter(message, "would touch TMEM lane ");
  if (cell.empty())
    return "";
  Maps maps;
  buildMaps(c, maps);
  bool isOutside = cell[1] < 0 || cell[1] >= maps.columns;
  return isOutside || isEmpty(maps.cell(cell[0], cell[1]))
             ? ""
             : "calls a taken cell empty";
}

/// What is wrong with the words of a rejection; empty when nothing is.
inline std::string checkMessage(const Case &c, const Violation &violation) {
  const std::string &message = violation.message;
  std::string wrong;
  if (message.empty())
    return "empty message";
  if (message.back() == '.')
    wrong = "ends in a full stop";
  else if (violation.rule == Rule::T1 &&
           !llvm::StringRef(message).starts_with("element ("))
    wrong = "names no element";
  if (wrong.empty())
    wrong = checkElements(c, message);
  if (wrong.empty())
    wrong = checkTouchedCell(c, message);
  bool isRange = llvm::StringRef(message).contains(" 0 to ") &&
                 (violation.rule == Rule::R2 || violation.rule == Rule::R3 ||
                  violation.rule == Rule::V4 || violation.rule == Rule::V5);
  if (wrong.empty() && isRange)
    wrong = checkRange(c, message);
  return wrong.empty() ? "" : "the message " + wrong + ": " + message;
}

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLEMESSAGES_H
