//===- HostInterface.cpp - The calls of gpu-to-llvm -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same functions as MLIR's libmlir_cuda_runtime.so. Memory is the host's,
// and every call is done when it returns.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Launch.h"
#include "Registry.h"
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_set>

using namespace tmem::emulation;

#define TMEM_EXPORT extern "C" __attribute__((visibility("default")))

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

TMEM_EXPORT void *mgpuModuleLoad(void *data, size_t size) {
  return new Module(readModule(static_cast<const char *>(data), size));
}

TMEM_EXPORT void *mgpuModuleLoadJIT(void *data, int) {
  // Assembly ends in a null character, and so does the name of a module.
  const char *text = static_cast<const char *>(data);
  return new Module(readModule(text, text ? strlen(text) : 0));
}

TMEM_EXPORT void mgpuModuleUnload(void *module) {
  delete static_cast<Module *>(module);
}

TMEM_EXPORT void *mgpuModuleGetFunction(void *module, const char *name) {
  const TMemEmuKernel &kernel =
      findKernel(*static_cast<const Module *>(module), name);
  return const_cast<TMemEmuKernel *>(&kernel);
}

static const TMemEmuKernel &getKernel(void *function) {
  return *static_cast<const TMemEmuKernel *>(function);
}

// MLIR's host code does not say how many arguments a launch with clusters has.
TMEM_EXPORT void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                                         intptr_t clusterY, intptr_t clusterZ,
                                         intptr_t gridX, intptr_t gridY,
                                         intptr_t gridZ, intptr_t blockX,
                                         intptr_t blockY, intptr_t blockZ,
                                         int32_t smem, void *, void **params,
                                         void **) {
  const TMemEmuKernel &kernel = getKernel(function);
  launchKernel(kernel, Dimensions{clusterX, clusterY, clusterZ},
               {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, smem, params,
               kernel.numParams);
}

TMEM_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t smem, void *,
                                  void **params, void **, size_t numParams) {
  launchKernel(getKernel(function), std::nullopt, {gridX, gridY, gridZ},
               {blockX, blockY, blockZ}, smem, params, numParams);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// Nothing is ever outstanding: handles only have to be other than null.
static char handle;

TMEM_EXPORT void *mgpuStreamCreate() { return &handle; }
TMEM_EXPORT void mgpuStreamDestroy(void *) {}
TMEM_EXPORT void mgpuStreamSynchronize(void *) {}
TMEM_EXPORT void mgpuStreamWaitEvent(void *, void *) {}
TMEM_EXPORT void *mgpuEventCreate() { return &handle; }
TMEM_EXPORT void mgpuEventDestroy(void *) {}
TMEM_EXPORT void mgpuEventSynchronize(void *) {}
TMEM_EXPORT void mgpuEventRecord(void *, void *) {}
TMEM_EXPORT void mgpuSetDefaultDevice(int32_t) {}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

/// What mgpuMemAlloc has given out.
struct DeviceMemory {
  std::mutex mutex;
  std::unordered_set<void *> live;

  static DeviceMemory &get() {
    static DeviceMemory &memory = *new DeviceMemory;
    return memory;
  }
};

} // namespace

TMEM_EXPORT void *mgpuMemAlloc(uint64_t bytes, void *, bool) {
  constexpr size_t alignment = 256; // As cuMemAlloc.
  void *pointer = nullptr;
  if (bytes > SIZE_MAX / 2 ||
      posix_memalign(&pointer, alignment, bytes ? bytes : 1) != 0)
    setupError(format("out of memory: expected to allocate %llu bytes",
                      static_cast<unsigned long long>(bytes)));
  DeviceMemory &memory = DeviceMemory::get();
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.live.insert(pointer);
  return pointer;
}

TMEM_EXPORT void mgpuMemFree(void *pointer, void *) {
  if (!pointer)
    return;
  DeviceMemory &memory = DeviceMemory::get();
  memory.mutex.lock();
  bool isKnown = memory.live.erase(pointer) != 0;
  memory.mutex.unlock();
  if (!isKnown)
    setupError(format("mgpuMemFree: expected a pointer that mgpuMemAlloc "
                      "returned and that is not freed yet, but got %p",
                      pointer));
  free(pointer);
}

TMEM_EXPORT void mgpuMemcpy(void *destination, void *source, size_t bytes,
                            void *) {
  memmove(destination, source, bytes);
}

TMEM_EXPORT void mgpuMemset32(void *destination, unsigned value, size_t count,
                              void *) {
  unsigned *words = static_cast<unsigned *>(destination);
  for (size_t i = 0; i < count; ++i)
    words[i] = value;
}

TMEM_EXPORT void mgpuMemset16(void *destination, unsigned short value,
                              size_t count, void *) {
  unsigned short *words = static_cast<unsigned short *>(destination);
  for (size_t i = 0; i < count; ++i)
    words[i] = value;
}

// Kernels reach all memory of the host.
TMEM_EXPORT void mgpuMemHostRegister(void *, uint64_t) {}
TMEM_EXPORT void mgpuMemHostUnregister(void *) {}
TMEM_EXPORT void mgpuMemHostRegisterMemRef(int64_t, void *, int64_t) {}
TMEM_EXPORT void mgpuMemHostUnregisterMemRef(int64_t, void *, int64_t) {}
