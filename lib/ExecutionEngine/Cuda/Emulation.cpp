//===- Emulation.cpp - Memory and faults of emulated kernels --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with the device library in it wants a slot of Tensor Memory for each
// CTA that runs, and a place to say what went wrong.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "Launch.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace tmem::cuda;
using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

/// Seconds until a kernel counts as one that never ends; 0 for no bound.
static double getTimeout() {
  const char *text = getenv("TMEM_CUDA_TIMEOUT");
  if (!text || !*text)
    return 60;
  char *end = nullptr;
  double seconds = strtod(text, &end);
  if (*end || !(seconds >= 0))
    setupError(
        format("TMEM_CUDA_TIMEOUT: expected seconds, but got '%s'", text));
  return seconds;
}

/// Nanoseconds that a warp waits for another, or for columns, until it reports
/// a deadlock: well before the kernel as a whole runs out of time.
static uint64_t getPatience() {
  double timeout = getTimeout();
  double seconds = timeout == 0 ? 2 : std::min(2.0, timeout / 4);
  return uint64_t(seconds * 1e9);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// CTAs of a launch that can be resident at a time.
static uint32_t countSlots(const Launch &launch, const Device &device) {
  int perProcessor = 0;
  TMEM_CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor, &perProcessor,
            launch.kernel.function, int(launch.getNumThreads()),
            size_t(launch.sharedBytes));
  uint64_t resident = uint64_t(std::max(perProcessor, 1)) *
                      uint64_t(device.getAttribute(MultiprocessorCount));
  uint64_t wanted = 1;
  for (int64_t size : launch.grid)
    wanted = std::min(wanted * uint64_t(size), resident);
  return uint32_t(wanted);
}

/// With fewer slots than CTAs some of these wait: where memory is short, that
/// is better than nothing.
static void growSlots(EmulationMemory &memory, uint32_t wanted,
                      CUstream stream) {
  if (memory.numSlots >= wanted)
    return;
  if (memory.slots)
    TMEM_CUDA(cuMemFree, memory.slots);
  memory.slots = 0;
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  for (uint32_t count = wanted; count && !memory.slots; count /= 2) {
    result = getDriver().cuMemAlloc(&memory.slots, count * sizeof(DeviceSlot));
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
      break;
    memory.numSlots = count;
  }
  check(result, format("cuMemAlloc of %zu bytes for Tensor Memory",
                       sizeof(DeviceSlot)));
  static_assert(sizeof(DeviceSlot) % 4 == 0, "expected whole words");
  TMEM_CUDA(cuMemsetD32Async, memory.slots, 0,
            memory.numSlots * (sizeof(DeviceSlot) / 4), stream);
}

static void makeRecord(EmulationMemory &memory) {
  if (memory.fault)
    return;
  void *record = nullptr;
  TMEM_CUDA(cuMemHostAlloc, &record, sizeof(DeviceFault), MemHostDeviceMap);
  memset(record, 0, sizeof(DeviceFault));
  TMEM_CUDA(cuMemHostGetDevicePointer, &memory.deviceFault, record, 0);
  memory.fault = static_cast<DeviceFault *>(record);
}

void tmem::cuda::prepareEmulation(const Launch &launch, Device &device) {
  EmulationMemory &memory = device.emulation;
  growSlots(memory, countSlots(launch, device), launch.stream);
  makeRecord(memory);
  DeviceGlobals globals = {};
  globals.slots = reinterpret_cast<DeviceSlot *>(memory.slots);
  globals.numSlots = memory.numSlots;
  globals.fault = reinterpret_cast<DeviceFault *>(memory.deviceFault);
  globals.first = ~uint64_t(0);
  globals.patience = getPatience();
  // In the stream of the launch: others do not wait for it.
  TMEM_CUDA(cuMemcpyAsync, launch.kernel.module->globals,
            reinterpret_cast<CUdeviceptr>(&globals), sizeof(globals),
            launch.stream);
}

//===----------------------------------------------------------------------===//
// The end of a kernel
//===----------------------------------------------------------------------===//

/// Waits without a bound in the driver: a kernel may never end.
static CUresult waitFor(const Launch &launch) {
  using Clock = std::chrono::steady_clock;
  double timeout = getTimeout();
  Clock::time_point begin = Clock::now();
  auto pause = std::chrono::microseconds(1);
  for (;;) {
    CUresult result = getDriver().cuStreamQuery(launch.stream);
    if (result != CUDA_ERROR_NOT_READY)
      return result;
    std::chrono::duration<double> elapsed = Clock::now() - begin;
    if (timeout != 0 && elapsed.count() > timeout)
      kernelError(format("kernel %s has not ended after %g s and may wait for "
                         "ever; TMEM_CUDA_TIMEOUT sets this bound in seconds, "
                         "0 takes it away",
                         launch.kernel.name.c_str(), timeout));
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(1000));
  }
}

void tmem::cuda::finishEmulation(const Launch &launch, Device &device) {
  CUresult result = waitFor(launch);
  const DeviceFault &fault = *device.emulation.fault;
  // The device has written it before it trapped.
  if (const_cast<const volatile uint32_t &>(fault.kind) != FaultNone)
    reportFault(fault, launch.kernel.name);
  if (result != CUDA_SUCCESS)
    kernelError("kernel " + launch.kernel.name + ": " + describeResult(result));
}
