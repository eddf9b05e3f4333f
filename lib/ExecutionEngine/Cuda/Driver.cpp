//===- Driver.cpp - NVIDIA's driver, opened at run time -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Device.h"
#include "Errors.h"
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace tmem::cuda;

namespace {
/// The driver, or why there is none.
struct Opened {
  Driver driver = {};
  std::string reason;
  Opened();

private:
  bool bind(void *library);
};
} // namespace

/// `reason` stays empty when all is well.
Opened::Opened() {
  const char *chosen = getenv("TMEM_CUDA_DRIVER");
  const char *file = chosen && *chosen ? chosen : "libcuda.so.1";
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    reason = format("no NVIDIA driver (%s)", error ? error : file);
    return;
  }
  if (!bind(library))
    return;
  if (CUresult result = driver.cuInit(0)) {
    const char *name = nullptr, *text = nullptr;
    driver.cuGetErrorName(result, &name);
    driver.cuGetErrorString(result, &text);
    reason = format("%s: cuInit: %s (%s)",
                    result == CUDA_ERROR_NO_DEVICE ? "no NVIDIA GPU"
                                                   : "no NVIDIA GPU to use",
                    name ? name : "error", text ? text : "unknown");
  }
}

bool Opened::bind(void *library) {
#define TMEM_CUDA_BIND(NAME, SYMBOL, PARAMETERS)                               \
  driver.NAME = reinterpret_cast<decltype(driver.NAME)>(dlsym(library, SYMBOL));
#define TMEM_CUDA_REQUIRE(NAME, SYMBOL, PARAMETERS)                            \
  if (!driver.NAME)                                                            \
    reason = "the NVIDIA driver is too old: it has no " SYMBOL;
  TMEM_CUDA_FUNCTIONS(TMEM_CUDA_BIND)
  TMEM_CUDA_OPTIONAL_FUNCTIONS(TMEM_CUDA_BIND)
  TMEM_CUDA_FUNCTIONS(TMEM_CUDA_REQUIRE)
#undef TMEM_CUDA_REQUIRE
#undef TMEM_CUDA_BIND
  return reason.empty();
}

const Driver *tmem::cuda::openDriver(std::string &reason) {
  // Never destroyed: programs may use it from their own destructors.
  static const Opened &opened = *new Opened;
  reason = opened.reason;
  return reason.empty() ? &opened.driver : nullptr;
}

const Driver &tmem::cuda::getDriver() {
  std::string reason;
  if (const Driver *driver = openDriver(reason))
    return *driver;
  setupError(reason + "; " + runOnHost);
}

std::string tmem::cuda::describeResult(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  getDriver().cuGetErrorName(result, &name);
  getDriver().cuGetErrorString(result, &text);
  if (!name)
    return format("error %d", result);
  return format("%s (%s)", name, text ? text : "no description");
}

/// Whether a kernel that ran is to blame.
static bool isKernelError(CUresult result) {
  return result == CUDA_ERROR_ILLEGAL_ADDRESS ||
         result == CUDA_ERROR_LAUNCH_TIMEOUT || result == CUDA_ERROR_ASSERT ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
          result <= CUDA_ERROR_LAUNCH_FAILED);
}

void tmem::cuda::check(CUresult result, const std::string &call) {
  // Modules are unloaded by destructors of the program, which may run after the
  // driver's own: nothing is left to do then.
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED)
    return;
  std::string text = call + ": " + describeResult(result);
  if (!isKernelError(result))
    setupError(text);
  std::string kernel = getLastKernel();
  kernelError(
      kernel.empty() ? text : text + "; the kernel launched last is " + kernel);
}
