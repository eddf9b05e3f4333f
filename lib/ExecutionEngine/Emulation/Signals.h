//===- Signals.h - Faults that the machine finds ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H

#include <csignal>
#include <memory>

namespace tmem::emulation {

/// Turns SIGSEGV, SIGBUS, SIGFPE and SIGILL of emulated threads into reports of
/// faults, from the first call on; signals of other code go where they went.
void catchSignals();

/// While it lives, the OS thread that made it takes signals on a stack of their
/// own: that of an emulated thread may have overflowed.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();

private:
  std::unique_ptr<char[]> memory; ///< None when the OS thread had a stack.
  stack_t before;
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H
