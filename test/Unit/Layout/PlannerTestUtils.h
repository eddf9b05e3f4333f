//===- PlannerTestUtils.h - Transfers for tests -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every plan that a test gets is executed, nibble by nibble, with the formulas
// of the PTX ISA rather than with the table under test.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERTESTUTILS_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERTESTUTILS_H

#include "ParseLayout.h"
#include "tmem/Layout/Planner.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>
#include <vector>

namespace mlir::tmem::test {

struct TransferCase {
  llvm::SmallVector<Layout, 1> memory;
  Layout registers;
  llvm::SmallVector<int64_t, 4> shape;
  unsigned bits = 32;
  int64_t vectorSize = 0;
  Scope scope = {};
  Direction direction = Direction::Load;

  TransferCase(llvm::StringRef memoryText, llvm::StringRef registerText,
               llvm::ArrayRef<int64_t> shape, unsigned bits, int64_t vectorSize)
      : memory{parseLayout(memoryText)}, registers(parseLayout(registerText)),
        shape(shape), bits(bits), vectorSize(vectorSize) {}

  TransferCase in(ScopeKind kind, unsigned warp = 0) const {
    TransferCase result = *this;
    result.scope = {kind, warp};
    return result;
  }
  TransferCase stored() const {
    TransferCase result = *this;
    result.direction = Direction::Store;
    return result;
  }
  TransferCase splitWith(llvm::StringRef secondText) const {
    TransferCase result = *this;
    result.memory.push_back(parseLayout(secondText));
    return result;
  }
  Transfer get() const {
    return {direction, memory, registers, shape, bits, vectorSize, scope};
  }
};

/// 128 rows, one a thread: what the tests spoil.
inline TransferCase getRows(int64_t columns) {
  std::string n = std::to_string(columns);
  return TransferCase("(128, " + n + ") : (1@tlane, 1@tcol)",
                      "(128, " + n + ") : (1@tid, 1@reg)", {128, columns}, 32,
                      columns);
}

inline TransferCase withRegisters(TransferCase transfer, llvm::StringRef text,
                                  int64_t vectorSize = 0) {
  transfer.registers = parseLayout(text);
  if (vectorSize != 0)
    transfer.vectorSize = vectorSize;
  return transfer;
}

inline TransferCase withMemory(TransferCase transfer, llvm::StringRef text) {
  transfer.memory.front() = parseLayout(text);
  return transfer;
}

inline Atom atom(llvm::StringRef shape, llvm::ArrayRef<unsigned> repeats,
                 Packing packing = Packing::None) {
  return {*symbolizeAtomShape(shape),
          llvm::SmallVector<unsigned, 1>(repeats.begin(), repeats.end()),
          packing};
}

/// All repetition counts that the shape has.
inline Atom anyRepeat(llvm::StringRef shape, Packing packing = Packing::None) {
  Atom result = atom(shape, {}, packing);
  for (unsigned n = 1; isLegalRepeat(result.shape, n); n *= 2)
    result.repeats.push_back(n);
  return result;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// (PTX ISA, "Matrix fragments".) Lanes 16 to 31 of 16x32bx2: without the
/// immediate.
inline Cell getPTXCell(AtomShape shape, int64_t l, int64_t r) {
  switch (shape) {
  case AtomShape::S32x32b:
    return {l, r};
  case AtomShape::S16x64b:
    return {l / 4 + 8 * (l % 2), l / 2 % 2 + 2 * r};
  case AtomShape::S16x128b:
    return {l / 4 + 8 * (r % 2), l % 4 + 4 * (r / 2)};
  case AtomShape::S16x256b:
    return {l / 4 + 8 * (r / 2 % 2), r % 2 + 2 * (l % 4) + 8 * (r / 4)};
  case AtomShape::S16x32bx2:
    return {l % 16, r};
  }
  return {};
}

/// What stands in 4 bits: 16 times the element, plus which 4 bits of it; or
/// nothing.
using Nibble = int64_t;
constexpr Nibble nothing = -1;

class Executor {
public:
  Executor(const TransferCase &transfer, const TransferPlan &plan)
      : transfer(transfer), plan(plan), columns(0),
        words((transfer.vectorSize * transfer.bits + 31) / 32) {
    for (const Layout &layout : transfer.memory)
      columns = std::max(columns, getNumColumns(layout, transfer.bits));
    memory.assign(128 * columns * 8, nothing);
    registers.assign(plan.numWarps * 32 * words * 8, nothing);
    nibbleMoves.assign(memory.size(), 0);
    wordMoves.assign(plan.numWarps * 32 * words, 0);
    enterMemory();
    enterRegisters();
  }

  void run() {
    ASSERT_EQ(plan.vectorWords, words);
    for (const Issue &issue : plan.issues) {
      ASSERT_TRUE(isLegalRepeat(plan.shape, issue.repeat));
      ASSERT_EQ(issue.words.size(), getNumWords(plan.shape, issue.repeat));
      ASSERT_LE(issue.half, plan.shape == AtomShape::S32x32b ? 0u : 1u);
      for (unsigned warp = 0; warp < plan.numWarps; ++warp)
        for (int64_t lane = 0; lane < 32; ++lane)
          for (unsigned r = 0; r < issue.words.size(); ++r)
            move(issue, warp, lane, r);
    }
    checkAllMoved();
  }

private:
  /// Calls `fn` with every element and every place of it.
  template <typename Fn> static void forEachPlace(const Layout &layout, Fn fn) {
    auto list = layout.getReplicaOffsets();
    std::set<Coordinates> replicas(list.begin(), list.end());
    for (const Coordinates &replica : replicas)
      for (int64_t e = 0; e < layout.getNumElements(); ++e) {
        Coordinates place = layout.getCoordinates(e);
        for (unsigned i = 0; i < numAxes; ++i)
          place[i] += replica[i];
        fn(e, place);
      }
  }

  void enterMemory() {
    int64_t nibbles = transfer.bits / 4, firstElement = 0;
    for (const Layout &layout : transfer.memory) {
      forEachPlace(layout, [&](int64_t e, const Coordinates &place) {
        for (int64_t k = 0; k < nibbles; ++k)
          memory[place[0] * columns * 8 + place[1] * nibbles + k] =
              (firstElement + e) * 16 + k;
      });
      firstElement += layout.getNumElements();
    }
  }

  void enterRegisters() {
    int64_t nibbles = transfer.bits / 4;
    forEachPlace(transfer.registers, [&](int64_t e, const Coordinates &place) {
      int64_t thread = place[5] + 32 * place[2] + place[3];
      for (int64_t k = 0; k < nibbles; ++k)
        registers[thread * words * 8 + place[4] * nibbles + k] = e * 16 + k;
    });
  }

  Cell getCell(const Issue &issue, unsigned warp, int64_t lane, unsigned r,
               unsigned half) const {
    bool packed = plan.packing != Packing::None;
    Cell cell = getPTXCell(plan.shape, lane, r);
    cell.column = packed ? 2 * cell.column + half : cell.column;
    if (plan.shape == AtomShape::S16x32bx2 && lane >= 16)
      cell = cell + plan.split;
    cell.lane += 32 * ((transfer.scope.warp + warp) % 4) + 16 * issue.half;
    cell.column += issue.column + plan.columnsPerWarpgroup * (warp / 4);
    return cell;
  }

  void move(const Issue &issue, unsigned warp, int64_t lane, unsigned r) {
    bool packed = plan.packing != Packing::None;
    int64_t word = (warp * 32 + lane) * words + issue.words[r];
    ++wordMoves[word];
    for (unsigned half = 0; half < (packed ? 2 : 1); ++half) {
      Cell cell = getCell(issue, warp, lane, r, half);
      ASSERT_TRUE(cell.lane >= 0 && cell.lane < 128 && cell.column >= 0 &&
                  cell.column < columns);
      int64_t from = (cell.lane * columns + cell.column) * 8;
      EXPECT_TRUE(std::any_of(&memory[from], &memory[from] + 8,
                              [](Nibble n) { return n != nothing; }))
          << "empty cell " << cell.lane << ", " << cell.column;
      for (int64_t n = 0; n < (packed ? 4 : 8); ++n, ++from) {
        ASSERT_EQ(memory[from], registers[word * 8 + half * 4 + n])
            << "warp " << warp << " lane " << lane << " word "
            << issue.words[r];
        ++nibbleMoves[from];
      }
    }
  }

  void checkAllMoved() {
    if (transfer.direction == Direction::Load) {
      for (size_t i = 0; i < registers.size(); ++i)
        if (registers[i] != nothing)
          ASSERT_EQ(wordMoves[i / 8], 1) << "word " << i / 8;
      return;
    }
    for (size_t i = 0; i < memory.size(); ++i)
      if (memory[i] != nothing)
        ASSERT_EQ(nibbleMoves[i], 1) << "cell " << i / 8;
  }

  const TransferCase &transfer;
  const TransferPlan &plan;
  int64_t columns, words;
  std::vector<Nibble> memory, registers;
  std::vector<int> nibbleMoves, wordMoves;
};

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

/// Plans and executes a transfer. Returns an empty plan on failure.
inline TransferPlan expectPlan(const TransferCase &transfer, const Atom &atom) {
  PlanResult result = planTransfer(transfer.get(), atom);
  if (const auto *violation = std::get_if<Violation>(&result)) {
    ADD_FAILURE() << getRuleId(violation->rule).str() << ": "
                  << violation->message;
    return {};
  }
  TransferPlan plan = std::get<TransferPlan>(result);
  Executor(transfer, plan).run();
  return plan;
}

/// A load and a store of one case, with one list of issues.
inline TransferPlan expectRoundTrip(const TransferCase &transfer, Atom atom) {
  TransferPlan load = expectPlan(transfer, atom);
  if (atom.packing == Packing::Pack)
    atom.packing = Packing::Unpack;
  TransferPlan store = expectPlan(transfer.stored(), atom);
  EXPECT_EQ(load.issues.size(), store.issues.size());
  return load;
}

inline void expectRefused(const TransferCase &transfer, const Atom &atom,
                          Rule rule, llvm::StringRef message) {
  PlanResult result = planTransfer(transfer.get(), atom);
  const auto *violation = std::get_if<Violation>(&result);
  ASSERT_TRUE(violation) << "a plan, but expected " << getRuleId(rule).str();
  EXPECT_EQ(getRuleId(violation->rule).str(), getRuleId(rule).str());
  EXPECT_EQ(violation->message, message.str());
}

/// The issues in short: "x64 at half 0, column 0: 0 1 2 ...", words as runs.
inline std::string printIssues(const TransferPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Issue &issue : plan.issues) {
    os << 'x' << issue.repeat << " h" << issue.half << " c" << issue.column
       << ':';
    for (size_t i = 0, end; i < issue.words.size(); i = end) {
      for (end = i + 1; end < issue.words.size() &&
                        issue.words[end] == issue.words[end - 1] + 1;)
        ++end;
      os << ' ' << issue.words[i];
      if (end - i > 1)
        os << '-' << issue.words[end - 1];
    }
    os << '\n';
  }
  return text;
}

} // namespace mlir::tmem::test

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERTESTUTILS_H
