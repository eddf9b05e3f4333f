//===- Clocks.h - What is ordered before what -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks of the warps of a CTA. A warp's own component counts its
// releases; an event of warp w at count n is ordered before what warp v does
// when v's clock has at least n for w. Warps and not threads: what one lane
// releases holds for its warp, so that no order is ever overlooked.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H

#include "Support.h"

namespace tmem::emulation {

struct VectorClock {
  uint32_t at[maxWarps] = {};

  void join(const VectorClock &other) {
    for (uint32_t i = 0; i < maxWarps; ++i)
      at[i] = at[i] < other.at[i] ? other.at[i] : at[i];
  }
};

/// What a barrier carries from those who arrive to those who leave.
struct SyncClock {
  VectorClock order;
  VectorClock tensor; ///< What was published for Tensor Memory.
};

/// The clocks of one warp. Accesses of Tensor Memory have one of their own: the
/// tcgen05 fences publish and acquire it, and barriers only carry it (PTX ISA,
/// "tcgen05 Memory Consistency Model").
struct WarpClocks {
  VectorClock order;
  VectorClock tensor;
  VectorClock published; ///< By fence::before_thread_sync.
  VectorClock carried;   ///< For the next fence::after_thread_sync.

  void reset(uint32_t warp) {
    *this = WarpClocks();
    order.at[warp] = tensor.at[warp] = 1;
  }

  void release(uint32_t warp, SyncClock &to) {
    to.order.join(order);
    to.tensor.join(published);
    to.tensor.join(carried);
    ++order.at[warp];
  }
  void acquire(const SyncClock &from) {
    order.join(from.order);
    carried.join(from.tensor);
  }

  void fenceBefore(uint32_t warp) {
    published.join(tensor);
    ++tensor.at[warp];
  }
  void fenceAfter() { tensor.join(carried); }
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H
