//===- Misfit.h - The places that a refusal is about ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LAYOUT_MISFIT_H
#define TMEM_LAYOUT_MISFIT_H

#include "tmem/Layout/NativeImages.h"

namespace mlir::tmem {

/// What the message of a refused transfer names, for tools that show it: which
/// element, where it is in TMEM and in registers, and which cell the atom would
/// move there. What the message does not name is left out.
struct Misfit {
  /// An element slot of a thread's vector.
  struct Slot {
    unsigned warp = 0; ///< Counted from the first warp of the scope.
    unsigned lane = 0;
    int64_t slot = 0; ///< In elements, as in a register layout.

    bool operator==(const Slot &other) const {
      return warp == other.warp && lane == other.lane && slot == other.slot;
    }
  };

  std::optional<int64_t> element = std::nullopt; ///< Its row-major number.
  std::optional<Cell> cell = std::nullopt;
  std::optional<Slot> slot = std::nullopt;
  std::optional<Cell> expected = std::nullopt;
};

} // namespace mlir::tmem

#endif // TMEM_LAYOUT_MISFIT_H
