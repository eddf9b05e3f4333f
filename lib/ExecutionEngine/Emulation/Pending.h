//===- Pending.h - Transfers that no wait has completed ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_PENDING_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_PENDING_H

#include "TensorMemory.h"
#include <vector>

namespace tmem::emulation {

class Cta;
struct Thread;
struct Warp;

/// What one tcgen05.ld or st accesses: a box, or two for 16x32bx2.
struct Access {
  const Site *site;
  bool store;
  uint32_t numBoxes;
  Box boxes[2];

  bool overlaps(const Access &other) const;
  bool overlaps(const Box &box) const;
};

/// Those of one warp since its last wait::ld and wait::st. A box that was
/// accessed twice from one place counts once.
struct PendingAccesses {
  std::vector<Access> loads, stores;

  void clear() {
    loads.clear();
    stores.clear();
  }
  void add(const Access &access);
};

/// Faults if a new access of `warp` meets pending ones of its cells.
void checkPending(const Thread &thread, const Warp &warp, const Access &access);

/// wait::ld or wait::st: the accesses are complete now.
void completePending(Warp &warp, bool stores);

/// Faults if an access of the CTA to `allocation` is pending.
void checkNothingPending(const Thread &thread, const Site *site,
                         const Allocation &allocation);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_PENDING_H
