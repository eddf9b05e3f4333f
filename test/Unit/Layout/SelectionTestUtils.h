//===- SelectionTestUtils.h - Tiles and expectations ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_SELECTIONTESTUTILS_H
#define TMEM_TEST_UNIT_LAYOUT_SELECTIONTESTUTILS_H

#include "PlannerTestUtils.h"
#include "tmem/Layout/RegisterInference.h"

namespace mlir::tmem::test {

/// A MemoryTile that owns its parts.
struct TileCase {
  llvm::SmallVector<Layout, 2> memory;
  llvm::SmallVector<int64_t, 4> shape;
  unsigned bits = 32;
  Scope scope = {};
  unsigned numWarps = 4;
  Direction direction = Direction::Load;

  TileCase(llvm::StringRef text, llvm::ArrayRef<int64_t> shape, unsigned bits)
      : memory{parseLayout(text)}, shape(shape), bits(bits) {}
  TileCase(const Layout &layout, llvm::ArrayRef<int64_t> shape, unsigned bits)
      : memory{layout}, shape(shape), bits(bits) {}

  TileCase in(ScopeKind kind, unsigned warp = 0, unsigned warps = 4) const {
    TileCase result = *this;
    result.scope = {kind, warp};
    result.numWarps = warps;
    return result;
  }
  TileCase splitWith(llvm::StringRef text) const {
    TileCase result = *this;
    result.memory.push_back(parseLayout(text));
    return result;
  }
  MemoryTile get() const {
    return {memory, shape, bits, scope, numWarps, direction};
  }
};

/// 128 rows.
inline TileCase getTile(int64_t columns, unsigned bits = 32) {
  return TileCase(
      Layout{{{128, 1, Axis::TLane}, {columns, 1, Axis::TCol}}, {}, {}},
      {128, columns}, bits);
}

/// 64 rows in one half of each slab.
inline TileCase getHalfTile(int64_t columns, unsigned half,
                            unsigned bits = 32) {
  Layout layout{
      {{4, 32, Axis::TLane}, {16, 1, Axis::TLane}, {columns, 1, Axis::TCol}},
      {},
      {}};
  if (half)
    layout.offsets.push_back({16, Axis::TLane});
  return TileCase(layout, {64, columns}, bits);
}

/// The transfer of a tile with inferred registers.
inline TransferCase withRegisters(const TileCase &tile,
                                  const RegisterTile &registers) {
  TransferCase transfer("(1) : (0@tlane)", "(1) : (0@reg)", tile.shape,
                        tile.bits, registers.vectorSize);
  transfer.memory.assign(tile.memory.begin(), tile.memory.end());
  transfer.registers = registers.layout;
  transfer.scope = tile.scope;
  transfer.direction = tile.direction;
  return transfer;
}

/// True when the issues take the words of the vector one after the other.
inline bool keepsWordOrder(const TransferPlan &plan) {
  std::vector<std::pair<unsigned, unsigned>> runs;
  for (const Issue &issue : plan.issues) {
    for (size_t i = 1; i < issue.words.size(); ++i)
      if (issue.words[i] != issue.words[0] + i)
        return false;
    runs.push_back({issue.words.front(), unsigned(issue.words.size())});
  }
  std::sort(runs.begin(), runs.end());
  unsigned next = 0;
  for (auto [first, count] : runs) {
    if (first != next)
      return false;
    next += count;
  }
  return next == plan.vectorWords;
}

/// Executes the plan of an inferred candidate, and that of the store with the
/// same atom.
inline void checkInferred(const TileCase &tile,
                          const InferredCandidate &inferred,
                          bool hasGaps = false) {
  const SelectionCandidate &choice = inferred.choice;
  SCOPED_TRACE(describeAtom(choice.atom) + " with " +
               print(inferred.registers.layout));
  TransferCase load = withRegisters(tile, inferred.registers);
  Executor(load, choice.plan).run();
  EXPECT_EQ(choice.cost.moves, 0u);
  EXPECT_TRUE(hasGaps || keepsWordOrder(choice.plan));
  Atom atom = choice.atom;
  if (atom.packing == Packing::Pack)
    atom.packing = Packing::Unpack;
  if (load.memory.front().replicas.empty()) {
    TransferPlan store = expectPlan(load.stored(), atom);
    EXPECT_EQ(printIssues(store), printIssues(choice.plan));
  }
}

/// The candidate of an atom, or nothing.
inline const InferredCandidate *find(const InferenceResult &result,
                                     llvm::StringRef shape,
                                     Packing packing = Packing::None) {
  for (const InferredCandidate &candidate : result.candidates)
    if (candidate.choice.atom.shape == *symbolizeAtomShape(shape) &&
        candidate.choice.atom.packing == packing)
      return &candidate;
  return nullptr;
}

inline std::string printReasons(llvm::ArrayRef<SelectionReason> reasons) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const SelectionReason &reason : reasons) {
    os << describeAtom({reason.shape, {}, reason.packing}) << ": "
       << stringifyReasonKind(reason.kind) << ": " << reason.message;
    if (reason.rule)
      os << " [" << getRuleId(*reason.rule) << ']';
    os << '\n';
  }
  return text;
}

} // namespace mlir::tmem::test

#endif // TMEM_TEST_UNIT_LAYOUT_SELECTIONTESTUTILS_H
