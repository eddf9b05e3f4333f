//===- Election.h - The lane that elect.sync names --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any lane of the mask, but each time the same one for the same mask (PTX ISA,
// elect.sync). So a kernel with elections is looked at for one lane after the
// other, as far as it tells lanes apart: it has to be right for each.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_ELECTION_H
#define TMEM_LIB_ANALYSIS_HAZARDS_ELECTION_H

#include "tmem/Analysis/Hazards.h"
#include <map>
#include <optional>
#include <set>

namespace mlir::tmem::hazards {

/// For one look at a kernel: by mask, the lane that is named. Masks that come
/// up are added, with their lowest lane.
struct Election {
  std::map<uint32_t, unsigned> lanes;
  Operation *op = nullptr; ///< The first one that was met.

  unsigned getLane(uint32_t mask);
  uint32_t getNamed() const;
};

/// Lanes that a kernel treats alike have the same number.
using LaneClasses = std::array<unsigned, warpSize>;

/// The looks at a kernel, and what they have told apart.
class Elections {
public:
  /// To be called with what each look has come to.
  void keep(const Election &election, const LaneClasses &classes);
  /// What to look at next; nothing where that is all.
  std::optional<Election> findNext();
  /// Whether there would have been more.
  bool hasTooMany() const { return isCutShort; }
  Operation *getOp() const { return op; }

private:
  struct Look {
    uint32_t named;
    LaneClasses classes;
  };
  bool areAlike(unsigned a, unsigned b) const;
  bool isCovered(unsigned lane) const;
  std::optional<Election> tryAll(unsigned lane);
  std::optional<Election> combine();
  std::optional<Election> take(Election election);

  std::vector<Look> looks;
  Operation *op = nullptr;
  std::set<uint32_t> masks;
  uint32_t named = 0; ///< Lanes that some look is for.
  std::set<std::map<uint32_t, unsigned>> taken;
  bool isCutShort = false;
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_ELECTION_H
