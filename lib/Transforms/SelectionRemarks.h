//===- SelectionRemarks.h - What tmem-select-atoms says ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_SELECTIONREMARKS_H
#define TMEM_LIB_TRANSFORMS_SELECTIONREMARKS_H

#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/RegisterInference.h"

namespace mlir::tmem {

/// Says that no atom moves the tile: a note for each shape.
void emitNothingLegal(TransferOpInterface op,
                      ArrayRef<SelectionReason> reasons);

/// Says that no canonical layout has vectors as long as the operation's.
void emitNoVectorSize(TransferOpInterface op,
                      ArrayRef<InferredCandidate> candidates);

/// Says that the register layout of `other` is not legal for `op`, whose
/// vectors meet, nor is any other that was tried.
void emitNoMeeting(TransferOpInterface op, TransferOpInterface other,
                   LayoutAttr registers, ArrayRef<SelectionReason> reasons);

/// What was chosen for a transfer.
struct Explanation {
  const SelectionCandidate &choice;
  int64_t columns; ///< From the base of the view to the plan's column 0.
  bool namedAtom;
  LayoutAttr registers;            ///< That were inferred, or null.
  TransferOpInterface registersOf; ///< Whose they are, or null.
  ArrayRef<SelectionReason> reasons;
  const SelectionCandidate *cheaper; ///< Than the atom that is named, or null.
};

void emitExplanation(TransferOpInterface op, const Explanation &explanation);

/// Remarks that `op` and `other`, loads whose vectors meet, name different
/// register layouts.
void emitOtherRegisters(TransferOpInterface op, TransferOpInterface other);

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_SELECTIONREMARKS_H
