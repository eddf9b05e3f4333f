//===- SharedMemory.h - Accesses to shared memory ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDMEMORY_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDMEMORY_H

#include "Cluster.h"

namespace tmem::emulation {

/// Whether all of an access lies in the CTA's shared memory.
inline bool isInShared(const Cta &cta, uint64_t address, uint64_t bytes) {
  return bytes <= cta.sharedBytes &&
         address - cta.sharedBegin <= cta.sharedBytes - bytes;
}

/// For race mode: an access to bytes of the shared memory of `owner`.
void recordSharedAccess(const Thread &thread, const Site *site, Cta &owner,
                        uint64_t address, uint64_t bytes, uint32_t flags);

/// "offset 16 of shared memory", of which block unless it is the thread's own;
/// a number for an address elsewhere.
std::string describeSharedAddress(const Thread &thread, uint64_t address);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDMEMORY_H
