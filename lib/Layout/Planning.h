//===- Planning.h - Planning in tables that are filled ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_PLANNING_H
#define TMEM_LIB_LAYOUT_PLANNING_H

#include "TransferTables.h"

namespace mlir::tmem::detail {

/// Checks what can be said of an atom before the layouts are looked at. Rules
/// A1 to A4 and S2.
std::optional<Violation> checkAtom(const Transfer &transfer, const Atom &atom);

/// The rest of planTransfer, for tables of this transfer: to plan one transfer
/// with many atoms, they are filled once.
PlanResult planInTables(const Transfer &transfer, const Atom &atom,
                        const TransferTables &tables);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_PLANNING_H
