//===- StackOverflow.h - Signals of a stack that is full --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_RUNNER_STACKOVERFLOW_H
#define TMEM_LIB_RUNNER_STACKOVERFLOW_H

#include <csignal>

namespace mlir::tmem {

/// Finds the end of the calling thread's stack, before any handler asks.
void findStackEnd();

/// Whether an access that caused a signal was beyond the end of the stack of
/// the code that it interrupted; false where that is not known.
bool isStackOverflow(const siginfo_t &info, const void *context);

} // namespace mlir::tmem

#endif // TMEM_LIB_RUNNER_STACKOVERFLOW_H
