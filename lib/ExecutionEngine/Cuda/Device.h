//===- Device.h - The GPU that kernels run on -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_DEVICE_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_DEVICE_H

#include "Driver.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include <mutex>

namespace tmem::cuda {

/// Memory for emulated kernels, made when the first of them is launched.
struct EmulationMemory {
  CUdeviceptr slots = 0;
  uint32_t numSlots = 0;
  emulation::DeviceFault *fault = nullptr;
  CUdeviceptr deviceFault = 0;
  std::mutex mutex; ///< Emulated kernels run one after the other.
};

struct Device {
  CUdevice device;
  CUcontext context;
  std::string name; ///< "NVIDIA H200"
  int major, minor;
  EmulationMemory emulation;

  int getAttribute(int attribute) const;
};

/// The device that mgpuSetDefaultDevice chose in this thread, or the first.
Device &getDevice();

/// Makes its context current while it lives.
struct ScopedContext {
  ScopedContext();
  ~ScopedContext();
  Device &device;
};

/// The kernel that was launched last, for errors that a later call reports.
void setLastKernel(const std::string &name);
std::string getLastKernel();

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_DEVICE_H
