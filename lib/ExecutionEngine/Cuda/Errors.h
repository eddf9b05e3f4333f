//===- Errors.h - How the process ends in an error --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_ERRORS_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_ERRORS_H

#include <cstdint>
#include <string>

namespace tmem::emulation {
struct DeviceFault;
} // namespace tmem::emulation

namespace tmem::cuda {

/// As printf.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// What to run instead, for the end of a message.
extern const char runOnHost[];

/// Prints "tmem cuda: error: message" and ends the process with status 2.
[[noreturn]] void setupError(const std::string &message);
/// The same with status 1, for what a kernel did wrong.
[[noreturn]] void kernelError(const std::string &message);

/// Prints the record of a fault as the emulation on the host does, and ends the
/// process with status 1, or 2 for what is not emulated.
[[noreturn]] void reportFault(const emulation::DeviceFault &fault,
                              const std::string &kernel);
/// Its text, of several lines.
std::string describeFault(const emulation::DeviceFault &fault,
                          const std::string &kernel);

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_ERRORS_H
