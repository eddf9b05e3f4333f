//===- DeviceGpu.h - A GPU of OS threads for the device library -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the sources of the device library on the host: each lane is an OS
// thread, and warps meet as those of a GPU do.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICEGPU_H
#define TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICEGPU_H

#include "StaticSite.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tmem::emulation::test {

struct KernelSite : StaticSite {
  KernelSite(const char *op, uint32_t line)
      : StaticSite(op, "kernel.mlir", line, 7) {}
};

struct Settings {
  uint32_t threads = 32, blocks = 1, slots = 1;
  uint32_t columns = 512, exclusiveColumns = 512;
};

/// Memory as the CUDA run-time library provides it.
class Gpu {
public:
  explicit Gpu(uint32_t numSlots = 1);

  /// Runs a kernel between enter and leave. `body` gets the thread and its
  /// index in the block. Returns the kind of the fault.
  DeviceFaultKind
  run(const Settings &settings,
      const std::function<void(TMemEmuThread *, uint32_t)> &body);

  const DeviceFault &getFault() const { return *fault; }
  DeviceSlot &getSlot(uint32_t index) { return slots[index]; }

private:
  std::vector<DeviceSlot> slots;
  std::unique_ptr<DeviceFault> fault;
};

/// The index of the block that a thread belongs to.
uint32_t getBlockIndex();
/// All threads of a block.
void syncThreads();

} // namespace tmem::emulation::test

#endif // TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICEGPU_H
