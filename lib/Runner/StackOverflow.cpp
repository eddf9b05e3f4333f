//===- StackOverflow.cpp - Signals of a stack that is full ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackOverflow.h"
#include <cstdint>
#include <pthread.h>
#include <ucontext.h>

using namespace mlir::tmem;

/// The lowest address of this thread's stack, or 0. Reads the process's memory
/// map, so once, and not in a handler.
static uintptr_t getStackEnd() {
  static thread_local uintptr_t end = [] {
    pthread_attr_t attributes;
    void *lowest = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return uintptr_t(0);
    if (pthread_attr_getstack(&attributes, &lowest, &size) != 0)
      lowest = nullptr;
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<uintptr_t>(lowest);
  }();
  return end;
}

void mlir::tmem::findStackEnd() { (void)getStackEnd(); }

/// Of the interrupted code, or 0.
static uintptr_t getStackPointer(const void *context) {
  [[maybe_unused]] auto &machine =
      static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return machine.gregs[REG_RSP];
#elif defined(__aarch64__)
  return machine.sp;
#else
  return 0;
#endif
}

bool mlir::tmem::isStackOverflow(const siginfo_t &info, const void *context) {
  bool isAccess = info.si_signo == SIGSEGV || info.si_signo == SIGBUS;
  if (!isAccess || info.si_code <= 0) // Or sent by a process.
    return false;
  // A frame may be large, and its end is touched first; what is that near to
  // the stack pointer and no memory is not of anybody else. A handler that was
  // there first may have raised the signal anew, on a stack of its own.
  constexpr uintptr_t frame = 1 << 20;
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  const uintptr_t ends[] = {getStackPointer(context), getStackEnd()};
  for (uintptr_t pointer : ends)
    if (pointer > frame && address >= pointer - frame &&
        address < pointer + frame)
      return true;
  return false;
}
