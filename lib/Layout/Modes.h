//===- Modes.h - Lists of modes, for the layout algebra ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_LAYOUT_MODES_H
#define TMEM_LIB_LAYOUT_MODES_H

#include "tmem/Layout/Layout.h"

namespace mlir::tmem::detail {

/// The axis that stands where none matters: tlane in a memory layout, reg in a
/// register layout.
Axis getNeutralAxis(const Layout &layout);

/// The modes with unit extents dropped, those of stride 0 put on the neutral
/// axis, and contiguous neighbours merged. They are the same for any two
/// layouts whose first places agree element by element: the last mode is the
/// longest run of equal steps from element 0 on, and so on outwards.
llvm::SmallVector<Mode, 4> getMergedModes(const Layout &layout);

/// Appends a mode, merging it with the one before if that continues it.
void appendMerged(llvm::SmallVectorImpl<Mode> &modes, Mode mode);

/// Adds one more offset on an axis, keeping one offset an axis.
void addOffset(Layout &layout, Axis axis, int64_t value);

using PlaceFn = llvm::function_ref<Coordinates(int64_t)>;

/// The one list of merged modes that maps i to place(i) - place(0), i < size:
/// the last mode is the longest run of equal steps, and so on outwards. Nothing
/// when there is none, or for more than 2^20 elements: it looks at each.
std::optional<llvm::SmallVector<Mode, 4>> findModes(int64_t size, Axis neutral,
                                                    PlaceFn place);

/// A layout has at least one mode, or it could not be written down.
void ensureMode(Layout &layout, Axis axis);

} // namespace mlir::tmem::detail

#endif // TMEM_LIB_LAYOUT_MODES_H
