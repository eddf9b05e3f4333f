//===- Module.h - Modules and their kernels ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_MODULE_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_MODULE_H

#include "Binary.h"
#include "Driver.h"
#include <map>
#include <mutex>

namespace tmem::cuda {

struct Module;

/// What mgpuModuleGetFunction returns.
struct Kernel {
  std::string name;
  CUfunction function;
  Module *module;
};

/// What mgpuModuleLoad returns.
struct Module {
  CUmodule module = nullptr;
  BinaryInfo info;
  /// Where the device library has its DeviceGlobals, or 0: then the module is
  /// not emulated.
  CUdeviceptr globals = 0;
  std::mutex mutex;
  std::map<std::string, Kernel> kernels;
};

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_MODULE_H
