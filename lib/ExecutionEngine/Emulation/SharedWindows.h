//===- SharedWindows.h - Where shared memory lies ---------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared pointers have 32 bits, as NVPTX keeps them, so that the windows of
// CTAs lie below 4 GiB: in a zone of addresses that is reserved once, each with
// addresses behind it that cannot be accessed.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDWINDOWS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDWINDOWS_H

#include "Support.h"
#include <cstdint>

namespace tmem::emulation {

/// Shared memory of one CTA at most (compute capability 10.x, 227 KiB).
constexpr uint32_t maxSharedBytes = 232448;

/// From one window to the next: what a CTA can have, and room to notice a
/// pointer that runs away.
constexpr uint64_t sharedWindowStride = TMEM_EMU_SHARED_WINDOW;

struct SharedZone {
  uint64_t begin, size;
  uint32_t numWindows;
};

const SharedZone &getSharedZone();

/// The address of a window.
uint64_t getSharedWindow(uint32_t number);

/// Makes the first bytes of a window accessible, and fills them with a pattern:
/// shared memory is not initialised.
void openSharedWindow(uint32_t number, uint64_t bytes);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SHAREDWINDOWS_H
