//===- SharedWindows.cpp - Where shared memory lies -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedWindows.h"
#include "Faults.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

using namespace tmem::emulation;

static constexpr uint32_t maxWindows = 1024;
/// Two halves of an f32 that is no number, and a large negative integer.
static constexpr int garbageByte = 0xff;

/// Reserves `size` bytes of addresses below 4 GiB, or returns 0.
static uint64_t reserve(uint64_t size) {
  constexpr uint64_t step = uint64_t(1) << 24, end = uint64_t(1) << 32;
  for (uint64_t hint = 16 * step; hint + size <= end; hint += step) {
    void *wanted = reinterpret_cast<void *>(hint);
    void *memory =
        mmap(wanted, size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    if (memory == wanted)
      return hint;
    if (memory != MAP_FAILED)
      munmap(memory, size);
  }
  return 0;
}

static SharedZone makeZone() {
  for (uint32_t windows = maxWindows; windows > 0; windows /= 2)
    if (uint64_t begin = reserve(windows * sharedWindowStride))
      return {begin, windows * sharedWindowStride, windows};
  setupError("no addresses below 4 GiB are free for shared memory");
}

const SharedZone &tmem::emulation::getSharedZone() {
  static const SharedZone zone = makeZone();
  return zone;
}

uint64_t tmem::emulation::getSharedWindow(uint32_t number) {
  return getSharedZone().begin + number * sharedWindowStride;
}

void tmem::emulation::openSharedWindow(uint32_t number, uint64_t bytes) {
  // Bytes of each window that can be accessed. Every window has one user at a
  // time, so that entries need no lock.
  static std::vector<uint64_t> &open =
      *new std::vector<uint64_t>(getSharedZone().numWindows);
  static const uint64_t page = sysconf(_SC_PAGESIZE);
  char *begin = reinterpret_cast<char *>(getSharedWindow(number));
  uint64_t size = alignTo(bytes, page);
  if (size > open[number] && mprotect(begin, size, PROT_READ | PROT_WRITE) != 0)
    setupError("out of memory for shared memory");
  if (size < open[number])
    mprotect(begin + size, open[number] - size, PROT_NONE);
  open[number] = size;
  memset(begin, garbageByte, bytes);
}
