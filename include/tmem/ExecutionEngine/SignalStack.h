//===- SignalStack.h - A stack for signal handlers --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_SIGNALSTACK_H
#define TMEM_EXECUTIONENGINE_SIGNALSTACK_H

#include <csignal>
#include <cstddef>
#include <memory>

namespace tmem {

/// While it lives, the calling OS thread has a stack of at least `size` bytes
/// for handlers with SA_ONSTACK: one that runs over its own stack has no room
/// for them there.
class SignalStack {
public:
  explicit SignalStack(size_t size) {
    stack_t current;
    if (sigaltstack(nullptr, &current) != 0 ||
        (!(current.ss_flags & SS_DISABLE) && current.ss_size >= size))
      return;
    memory.reset(new char[size]);
    before = current;
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = size;
    if (sigaltstack(&stack, nullptr) != 0)
      memory.reset();
  }
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;
  ~SignalStack() {
    if (memory)
      sigaltstack(&before, nullptr);
  }

private:
  std::unique_ptr<char[]> memory; ///< Null where the thread had one.
  stack_t before;
};

} // namespace tmem

#endif // TMEM_EXECUTIONENGINE_SIGNALSTACK_H
