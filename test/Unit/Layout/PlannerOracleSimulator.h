//===- PlannerOracleSimulator.h - Executes a transfer plan ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the issues of a plan on made-up data, with the oracle's images, and
// compares every bit of the destination with the layouts.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLESIMULATOR_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLESIMULATOR_H

#include "PlannerOracle.h"

namespace mlir::tmem::oracle {

class Simulator {
public:
  Simulator(const Case &c, const TransferPlan &plan) : c(c), plan(plan) {
    buildMaps(c, maps);
  }

  /// What is wrong with the plan; empty when nothing is.
  std::string run() {
    checkFrame();
    for (const Issue &issue : plan.issues)
      checkIssue(issue);
    if (!wrong.empty())
      return wrong;
    fill();
    for (const Issue &issue : plan.issues)
      for (unsigned warp = 0; warp < maps.warps; ++warp)
        execute(issue, warp);
    if (isStore())
      compareMemory();
    else
      compareRegisters();
    return wrong;
  }

private:
  /// A cell or a register word, a value for each four bits of it: any move of
  /// fewer bits than an element's would show.
  using Word = std::array<uint32_t, 8>;

  bool isStore() const { return c.direction == Direction::Store; }
  bool isPacked() const { return plan.packing != Packing::None; }
  unsigned countWords(const Issue &issue) const {
    return issue.repeat * wordsPerRepeat(plan.shape);
  }

  void require(bool holds, const char *what) {
    if (!holds && wrong.empty())
      wrong = what;
  }

  void checkFrame() {
    bool twoRegions = plan.shape == AtomShape::S16x32bx2;
    require(plan.shape == c.atom.shape, "another shape than asked");
    require(plan.packing == c.atom.packing, "another packing than asked");
    require(plan.numWarps == maps.warps, "wrong number of warps");
    require(plan.vectorWords == maps.words, "wrong number of vector words");
    require(!plan.issues.empty(), "no issues");
    require(twoRegions || plan.split == Cell{0, 0}, "split of one region");
    require(!twoRegions || isLegalSplit(), "split out of range");
    require(!c.atom.split || plan.split == *c.atom.split,
            "another split than asked");
  }

  bool isLegalSplit() const {
    Cell split = plan.split;
    return (split.lane == 0 || split.lane == 16) && split.column >= 0 &&
           split.column <= 511 && split != Cell{0, 0} &&
           !(isPacked() && split.column % 2);
  }

  void checkIssue(const Issue &issue) {
    auto &repeats = c.atom.repeats;
    require(std::find(repeats.begin(), repeats.end(), issue.repeat) !=
                repeats.end(),
            "another repeat than asked");
    require(issue.half == 0 || (issue.half == 1 && has16Rows(plan.shape)),
            "wrong half of the slab");
    require(issue.words.size() == countWords(issue), "wrong number of words");
    for (unsigned word : issue.words)
      require(word < maps.words, "word outside of the vector");
  }

  /// Distinct for distinct tags; half of the values are negative.
  static uint32_t valueOf(uint32_t tag) { return (tag + 1) * 2654435761u; }

  Word valuesOf(const Bits &bits) {
    Word word;
    for (int i = 0; i < 8; ++i)
      word[i] = valueOf(bits[i] == nobody ? freshTag++ : bits[i]);
    return word;
  }
  Word garbage() { return valuesOf(emptyBits()); }

  /// Puts the tile into the source and garbage into everything else.
  void fill() {
    for (const Bits &bits : maps.memory)
      memory.push_back(isStore() ? garbage() : valuesOf(bits));
    for (const Bits &bits : maps.registers)
      registers.push_back(isStore() ? valuesOf(bits) : garbage());
    writes.assign(isStore() ? memory.size() : registers.size(), 0);
  }

  Cell addressOf(const Issue &issue, unsigned warp, int lane) const {
    Cell address{maps.slabLane(warp) + 16 * int64_t(issue.half),
                 issue.column + plan.columnsPerWarpgroup * (warp / 4)};
    bool second = plan.shape == AtomShape::S16x32bx2 && lane >= 16;
    return second ? address + plan.split : address;
  }

  void execute(const Issue &issue, unsigned warp) {
    for (int lane = 0; lane < lanesPerWarp; ++lane)
      for (unsigned r = 0; r < countWords(issue); ++r) {
        Cell offset = image(plan.shape, lane, int(r));
        int64_t thread = warp * lanesPerWarp + lane;
        int64_t word = thread * maps.words + issue.words[r];
        if (isPacked())
          offset.column *= 2;
        move(addressOf(issue, warp, lane) + offset, maps.slabLane(warp), word);
      }
  }

  void move(Cell cell, int64_t slab, int64_t word) {
    for (int half = 0; half < (isPacked() ? 2 : 1); ++half, ++cell.column) {
      bool inside = cell.lane >= slab && cell.lane < slab + lanesPerWarp &&
                    cell.column >= 0 && cell.column < maps.columns;
      require(inside, "access outside of the slab or the tile's columns");
      if (!inside)
        return;
      require(!isEmpty(maps.cell(cell.lane, cell.column)),
              "access to a cell of no element");
      int64_t index = cell.lane * maps.columns + cell.column;
      if (isStore())
        write(memory[index], registers[word], half, index);
      else
        read(memory[index], registers[word], half, word);
    }
  }

  void read(const Word &cell, Word &word, int half, int64_t index) {
    if (!isPacked())
      word = cell;
    else
      std::copy(cell.begin(), cell.begin() + 4, word.begin() + 4 * half);
    writes[index] += half == 0;
  }

  void write(Word &cell, const Word &word, int half, int64_t index) {
    ++writes[index];
    if (!isPacked()) {
      cell = word;
      return;
    }
    cell = garbage();
    std::copy(word.begin() + 4 * half, word.begin() + 4 * half + 4,
              cell.begin());
  }

  void compareMemory() {
    for (size_t i = 0; i < memory.size(); ++i)
      compare(maps.memory[i], memory[i], writes[i]);
  }
  void compareRegisters() {
    for (size_t i = 0; i < registers.size(); ++i)
      compare(maps.registers[i], registers[i], writes[i]);
  }

  void compare(const Bits &expected, const Word &found, int times) {
    require(times == (isEmpty(expected) ? 0 : 1),
            "a destination is not written once");
    for (int i = 0; i < 8; ++i)
      require(expected[i] == nobody || found[i] == valueOf(expected[i]),
              "wrong data");
  }

  const Case &c;
  const TransferPlan &plan;
  Maps maps;
  std::vector<Word> memory, registers;
  std::vector<int> writes; ///< To each destination.
  uint32_t freshTag = 1u << 31;
  std::string wrong;
};

inline std::string simulate(const Case &c, const TransferPlan &plan) {
  return Simulator(c, plan).run();
}

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLESIMULATOR_H
