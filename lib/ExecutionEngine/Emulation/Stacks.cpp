//===- Stacks.cpp - Stacks of fibers --------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"
#include "Faults.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tmem::emulation;

Stack tmem::emulation::allocateStack(size_t index) {
  static const size_t page = sysconf(_SC_PAGESIZE);
  size_t usable = alignTo(stackBytes, page);
  void *memory = mmap(nullptr, page + usable, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0)
    setupError(format("out of memory for the stack of a thread (%zu KiB): %s; "
                      "set TMEM_EMULATION_THREADS to fewer OS threads",
                      stackBytes / 1024, strerror(errno)));
  // An odd number of cache lines apart, within a page.
  size_t colour = index * 5 * 64 % 4096;
  char *guard = static_cast<char *>(memory);
  return {guard, guard + page, guard + page + usable - colour};
}
