//===- Errors.cpp - How the process ends in an error ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

using namespace tmem::cuda;

const char tmem::cuda::runOnHost[] =
    "run on the CPU instead: load libtmem_emulation_runtime.so in place of "
    "this library (tmem-run --on=cpu)";

std::string tmem::cuda::format(const char *pattern, ...) {
  va_list args, again;
  va_start(args, pattern);
  va_copy(again, args);
  int size = vsnprintf(nullptr, 0, pattern, args);
  va_end(args);
  std::string text(size > 0 ? size : 0, '\0');
  vsnprintf(&text[0], text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

/// Without destructors: other threads may still use what those would free.
[[noreturn]] static void stop(const std::string &text, int status) {
  fflush(stdout);
  fputs(text.c_str(), stderr);
  fflush(stderr);
  _exit(status);
}

void tmem::cuda::setupError(const std::string &message) {
  stop("tmem cuda: error: " + message + "\n", 2);
}

void tmem::cuda::kernelError(const std::string &message) {
  stop("tmem cuda: error: " + message + "\n", 1);
}

void tmem::cuda::reportFault(const emulation::DeviceFault &fault,
                             const std::string &kernel) {
  // What is not emulated may be right.
  bool isUnsupported = fault.kind == emulation::FaultGroupOfTwo ||
                       fault.kind == emulation::FaultChipColumns;
  stop(describeFault(fault, kernel), isUnsupported ? 2 : 1);
}
