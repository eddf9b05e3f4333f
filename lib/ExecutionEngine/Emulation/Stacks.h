//===- Stacks.h - Stacks of fibers ------------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_STACKS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_STACKS_H

#include <boost/context/stack_context.hpp>
#include <cstddef>

namespace tmem::emulation {

constexpr size_t stackBytes = 256 * 1024;

/// A stack and the guard page below it. Never given back: CTAs reuse theirs.
struct Stack {
  char *guard, *begin, *end;

  bool isInGuard(const void *address) const {
    return address >= guard && address < begin;
  }
};

/// Stack `index` of a CTA. Its usable end depends on the index, so that threads
/// at the same place of a kernel use different sets of the caches.
Stack allocateStack(size_t index);

/// Gives Boost.Context a part of a stack that is not its to free.
struct StackAllocator {
  char *begin, *end;

  boost::context::stack_context allocate() {
    boost::context::stack_context context;
    context.sp = end;
    context.size = end - begin;
    return context;
  }
  void deallocate(boost::context::stack_context &) {}
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_STACKS_H
