//===- SignalStack.h - A stack for signal handlers --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_RUNNER_SIGNALSTACK_H
#define TMEM_LIB_RUNNER_SIGNALSTACK_H

#include <csignal>
#include <memory>

namespace mlir::tmem {

/// While it lives, the calling OS thread has a stack for handlers with
/// SA_ONSTACK: one that runs over its own stack has no room for them there.
class SignalStack {
public:
  SignalStack();
  SignalStack(const SignalStack &) = delete;
  ~SignalStack();

private:
  std::unique_ptr<char[]> memory; ///< Null where the thread had one.
  stack_t before;
};

/// Whether an access that caused a signal was beyond the end of the stack of
/// the code that it interrupted; false where that is not known.
bool isStackOverflow(const siginfo_t &info, const void *context);

} // namespace mlir::tmem

#endif // TMEM_LIB_RUNNER_SIGNALSTACK_H
