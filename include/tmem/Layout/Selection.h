//===- Selection.h - The cheapest instructions for a transfer ---*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// selectAtom plans a transfer with every atom, ranks what is legal by its cost
// and gives a reason for each atom that was not chosen.
//
// Costs compare in this order:
//   1. issues: tcgen05 instructions of the hardware. 16x32bx2 counts twice,
//      since ptxas makes two of each (NativeImage::issuesInSASS).
//   2. moves: an instruction names adjacent registers in ascending order, so a
//      vector whose words do not follow each other within an issue has to be
//      put in order: one move for each word that is not right behind the one
//      before. An estimate: the compiler may keep the vector in the other order
//      and pay nothing, or pay at another place.
//   3. registers: 32-bit words of the thread's vector. All atoms of one
//   transfer
//      have equally many; they differ where the register layout is inferred.
//   4. the order of AtomShape, then without packing before with it.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_SELECTION_H
#define TMEM_LAYOUT_SELECTION_H

#include "tmem/Layout/Planner.h"
#include <string>

namespace mlir::tmem {

/// No instruction has more 32-bit registers (PTX ISA, "tcgen05.ld": .x128 of
/// 32x32b, 16x64b and 16x32bx2, .x64 of 16x128b, .x32 of 16x256b).
inline constexpr unsigned maxIssueRegisters = 128;

/// What may be chosen from.
struct SelectionOptions {
  /// 32-bit registers that one instruction may have in a lane.
  unsigned maxRegistersPerIssue = maxIssueRegisters;
  /// The shapes that may be chosen; none means all.
  llvm::SmallVector<AtomShape, 5> shapes = {};
  /// The repetition counts to build from, where the atom is named; none means
  /// all that are legal.
  llvm::SmallVector<unsigned, 8> repeats = {};
  /// The only packing that may be chosen, if there is one.
  std::optional<Packing> packing = std::nullopt;
  /// 16x32bx2: where the second access starts, if that is given.
  std::optional<Cell> split = std::nullopt;

  bool isAllowed(AtomShape shape) const;
};

struct TransferCost {
  unsigned issues = 0;    ///< Instructions of the hardware, of each warp.
  unsigned moves = 0;     ///< 32-bit registers of a thread to put in order.
  unsigned registers = 0; ///< 32-bit registers of a thread's vector.

  bool operator==(const TransferCost &other) const {
    return issues == other.issues && moves == other.moves &&
           registers == other.registers;
  }
  bool operator<(const TransferCost &other) const;
};

TransferCost getCost(const TransferPlan &plan);

/// An atom that moves the tile. Its counts are those that the plan uses, the
/// largest first.
struct SelectionCandidate {
  Atom atom;
  TransferPlan plan;
  TransferCost cost;
};

/// Why an atom was not chosen.
struct SelectionReason {
  enum class Kind : uint8_t {
    Illegal,          ///< It breaks `rule`; the message is the planner's.
    Costlier,         ///< It is legal, and costs more.
    TooManyRegisters, ///< Its smallest instruction has too many registers.
    Excluded,         ///< The options leave it out.
  };
  AtomShape shape;
  Packing packing;
  Kind kind;
  std::optional<Rule> rule;
  /// In the style of diagnostics. Where the tile itself is well formed, that of
  /// an illegal atom names an element.
  std::string message;
  /// The places that the message of an illegal atom names.
  std::optional<Misfit> misfit = std::nullopt;
};

struct SelectionResult {
  /// The cheapest first; none when nothing is legal.
  llvm::SmallVector<SelectionCandidate, 2> candidates;
  /// One for each atom but the cheapest candidate, in the fixed order.
  llvm::SmallVector<SelectionReason, 9> reasons;

  bool isFound() const { return !candidates.empty(); }
};

/// Tries every shape, with all repetition counts that the options allow, and
/// elements of at most 16 bits also packed. As planTransfer gives the fewest
/// issues of a shape, the cheapest candidate has the fewest that exist.
SelectionResult selectAtom(const Transfer &transfer,
                           const SelectionOptions &options = {});

/// The reasons in their order, those against several atoms that say the same of
/// each together.
llvm::SmallVector<llvm::SmallVector<const SelectionReason *, 5>, 9>
groupReasons(llvm::ArrayRef<SelectionReason> reasons);

/// The atoms of one group of `total` reasons: "16x64b, pack", "16x64b;
/// 16x128b", or "every atom".
std::string describeAtoms(llvm::ArrayRef<const SelectionReason *> group,
                          size_t total);

/// What to name instead of an atom that does not move a tile to its registers,
/// for which it breaks `rule`: "these registers fit 32x32b, x64", or "these
/// registers fit no atom". Empty if the rule is not about where elements are.
std::string describeAlternative(const Transfer &transfer, Rule rule,
                                const SelectionOptions &options = {});

/// "32x32b, x64, x32, pack".
std::string describeAtom(const Atom &atom);

/// "unpack" and the like; empty without packing.
llvm::StringRef stringifyPacking(Packing packing);

/// "illegal", "costlier", "registers" or "excluded".
llvm::StringRef stringifyReasonKind(SelectionReason::Kind kind);

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_SELECTION_H
