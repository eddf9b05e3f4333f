//===- SignalStack.cpp - A stack for signal handlers ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignalStack.h"
#include <cstdint>
#include <cstring>
#include <ucontext.h>

using namespace mlir::tmem;

SignalStack::SignalStack() {
  // Handlers format a report.
  constexpr size_t size = 128 * 1024;
  stack_t current;
  if (sigaltstack(nullptr, &current) != 0 ||
      (!(current.ss_flags & SS_DISABLE) && current.ss_size >= size))
    return;
  memory.reset(new char[size]);
  before = current;
  stack_t stack;
  memset(&stack, 0, sizeof(stack));
  stack.ss_sp = memory.get();
  stack.ss_size = size;
  if (sigaltstack(&stack, nullptr) != 0)
    memory.reset();
}

SignalStack::~SignalStack() {
  if (memory)
    sigaltstack(&before, nullptr);
}

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
  // the stack pointer and no memory is not of anybody else.
  constexpr uintptr_t frame = 1 << 20;
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  uintptr_t pointer = getStackPointer(context);
  return pointer > frame && address >= pointer - frame &&
         address < pointer + frame;
}
