//===- Assertions.h - Assertions of host code -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_RUNNER_ASSERTIONS_H
#define TMEM_LIB_RUNNER_ASSERTIONS_H

#include <cstdint>

namespace mlir::tmem {

/// The name by which compiled host code calls reportHostAssertion.
inline constexpr char hostAssertionName[] = "__tmem_host_assertion";

/// Leaves a run, or ends the process with the status of a fault. A line or
/// column of 0 is not known.
[[noreturn]] void reportHostAssertion(const char *message,
                                      const char *operation, const char *file,
                                      uint32_t line, uint32_t column);

} // namespace mlir::tmem

#endif // TMEM_LIB_RUNNER_ASSERTIONS_H
