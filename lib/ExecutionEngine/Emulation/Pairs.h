//===- Pairs.h - tcgen05.alloc and dealloc of a pair of CTAs ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_PAIRS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_PAIRS_H

#include "Support.h"

namespace tmem::emulation {

class Cta;
struct Warp;

/// alloc or dealloc with .cta_group::2, which a warp has arrived at. Returns
/// whether the warp may go on: the peer's warp was there, and for an alloc
/// there were columns. Otherwise it is woken then.
bool allocatePair(Warp &warp, const Site *site);
bool deallocatePair(Warp &warp, const Site *site);

/// Faults if a warp of the peer waits for this CTA, which has exited.
void reportWaitingPeer(const Cta &exited);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_PAIRS_H
