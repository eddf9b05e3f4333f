//===- Allocation.h - Rules of tcgen05.alloc and dealloc --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_ALLOCATION_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_ALLOCATION_H

#include "Cluster.h"

namespace tmem::emulation {

/// All tcgen05 instructions of a kernel have one cta_group; `flags` are
/// TMemEmuAllocFlags.
void checkCtaGroup(const Thread &thread, const Site *site, uint32_t flags);

/// Checks the operands of an alloc that a warp has arrived at, and notes its
/// size.
void beginAlloc(Warp &warp, const Site *site, const Operands &operands);
/// The columns are the warp's: writes their address to the slot.
void finishAlloc(Warp &warp, const Site *site, const Operands &operands,
                 Allocation &allocation);

/// Where the free columns are taken from, by the seed.
uint64_t chooseColumns(Cta &cta);
/// What a warp that waits for columns waits for.
std::string describeWaitForColumns(const Warp &warp);

/// Checks a dealloc that a warp has arrived at, against all that its own CTA
/// does. Returns what is to be freed.
Allocation &beginDealloc(Warp &warp, const Site *site,
                         const Operands &operands);

/// The allocation of a CTA that has this base, which must be live, or null.
inline Allocation *findByBase(Cta &cta, uint32_t base) {
  Allocation *allocation = cta.tensor.find(base);
  return allocation && allocation->base == base ? allocation : nullptr;
}

/// A warp waits in this operation no more.
inline void unblock(Warp &warp) {
  warp.blockedSite = nullptr;
  warp.cta->wake(warp, warp.live);
}

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_ALLOCATION_H
