//===- SelectionDetail.h - What selections have in common -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_SELECTIONDETAIL_H
#define TMEM_LIB_LAYOUT_SELECTIONDETAIL_H

#include "TransferTables.h"
#include "tmem/Layout/Selection.h"
#include <variant>

namespace mlir::tmem::detail {

/// An atom without its repetition counts.
struct AtomKind {
  AtomShape shape;
  Packing packing;
};

/// All kinds to try for a transfer, in the fixed order.
llvm::SmallVector<AtomKind, 10> getAtomKinds(Direction direction,
                                             unsigned elementBits,
                                             const SelectionOptions &options);

/// Makes the atom of a kind with all counts, or says why the options do not
/// allow it.
std::variant<Atom, SelectionReason> makeAtom(AtomKind kind,
                                             const SelectionOptions &options);

using CandidateResult = std::variant<SelectionCandidate, SelectionReason>;

/// Plans a transfer whose two sides stand in `tables`.
CandidateResult tryAtom(const Transfer &transfer, const Atom &atom,
                        const TransferTables &tables);

SelectionReason makeIllegal(AtomKind kind, Violation violation);

/// Orders candidates by cost, then in the fixed order.
bool isBetter(const SelectionCandidate &a, const SelectionCandidate &b);

/// Why `loser` was not chosen, which comes after `winner`.
SelectionReason explainCost(const SelectionCandidate &loser,
                            const SelectionCandidate &winner);

void sortReasons(llvm::SmallVectorImpl<SelectionReason> &reasons);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_SELECTIONDETAIL_H
