//===- FakeCudaDriver.cpp - A driver for tests of the CUDA library --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for libcuda.so.1 through TMEM_CUDA_DRIVER. Device memory is that of
// the host and kernels do nothing. The environment says how it behaves:
//
//   FAKE_CUDA_CAPABILITY  major * 10 + minor; 90 by default
//   FAKE_CUDA_DEVICES     how many; 1 by default
//   FAKE_CUDA_FAIL        "cuMemAlloc_v2:2": what this function returns
//   FAKE_CUDA_EMULATED    modules have the global of the device library, and
//                         kernels end in a fault of this kind, or 0
//   FAKE_CUDA_HANG        kernels never end
//
// It writes each launch to stdout.
//
//===----------------------------------------------------------------------===//

#include "tmem/ExecutionEngine/DeviceState.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tmem::emulation;

#define DRIVER extern "C" __attribute__((visibility("default"))) int
#define FAIL_AS_TOLD                                                           \
  if (int result = getFailure(__func__))                                       \
  return result

static int getNumber(const char *variable, int otherwise) {
  const char *text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

static int getFailure(const char *function) {
  const char *text = getenv("FAKE_CUDA_FAIL");
  const char *colon = text ? strchr(text, ':') : nullptr;
  if (!colon || strlen(function) != size_t(colon - text) ||
      strncmp(text, function, strlen(function)) != 0)
    return 0;
  return atoi(colon + 1);
}

static DeviceGlobals globals;
static int sticky = 0;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

DRIVER cuInit(unsigned) {
  FAIL_AS_TOLD;
  return 0;
}
DRIVER cuDeviceGetCount(int *count) {
  *count = getNumber("FAKE_CUDA_DEVICES", 1);
  return 0;
}
DRIVER cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}
DRIVER cuDeviceGetName(char *name, int size, int) {
  snprintf(name, size_t(size), "NVIDIA Fake");
  return 0;
}
DRIVER cuDeviceGetAttribute(int *value, int attribute, int) {
  int capability = getNumber("FAKE_CUDA_CAPABILITY", 90);
  switch (attribute) {
  case 1:
  case 2:
  case 3:
    *value = 1024;
    return 0;
  case 4:
    *value = 64;
    return 0;
  case 5:
    *value = 2147483647;
    return 0;
  case 6:
  case 7:
    *value = 65535;
    return 0;
  case 16:
    *value = 4;
    return 0;
  case 75:
    *value = capability / 10;
    return 0;
  case 76:
    *value = capability % 10;
    return 0;
  case 97:
    *value = 232448;
    return 0;
  case 115:
    *value = 1;
    return 0;
  default:
    return 1;
  }
}
DRIVER cuDevicePrimaryCtxRetain(void **context, int) {
  FAIL_AS_TOLD;
  *context = &globals;
  return 0;
}
DRIVER cuCtxSetLimit(int limit, size_t bytes) {
  FAIL_AS_TOLD;
  printf("limit %d: %zu\n", limit, bytes);
  return 0;
}
DRIVER cuCtxPushCurrent_v2(void *) { return 0; }
DRIVER cuCtxPopCurrent_v2(void **) { return 0; }
DRIVER cuGetErrorName(int result, const char **name) {
  *name = result == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == 100 ? "CUDA_ERROR_NO_DEVICE"
          : result == 500 ? "CUDA_ERROR_NOT_FOUND"
          : result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : result == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                          : "CUDA_ERROR_SOMETHING";
  return 0;
}
DRIVER cuGetErrorString(int result, const char **text) {
  *text = result == 2 ? "out of memory" : "fake text";
  return 0;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

DRIVER cuModuleLoadDataEx(void **module, const void *data, unsigned, int *,
                          void **values) {
  if (int result = getFailure(__func__)) {
    snprintf(static_cast<char *>(values[0]), 100, "ptxas says no");
    return result;
  }
  *module = const_cast<void *>(data);
  return 0;
}
DRIVER cuModuleUnload(void *) {
  FAIL_AS_TOLD;
  return 0;
}
DRIVER cuModuleGetFunction(void **function, void *, const char *name) {
  if (strcmp(name, "missing") == 0)
    return 500;
  *function = strdup(name);
  return 0;
}
DRIVER cuModuleGetGlobal_v2(void **pointer, size_t *size, void *,
                            const char *name) {
  if (!getenv("FAKE_CUDA_EMULATED") ||
      strcmp(name, TMEM_EMU_DEVICE_GLOBAL) != 0)
    return 500;
  *pointer = &globals;
  *size = sizeof(globals);
  return 0;
}
DRIVER cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 0 ? 512 : attribute == 1 ? 1000 : 64;
  return 0;
}
DRIVER cuFuncSetAttribute(void *, int, int value) {
  printf("shared memory: %d bytes\n", value);
  return 0;
}
DRIVER cuFuncGetParamInfo(void *, size_t index, size_t *, size_t *) {
  return index < 2 ? 0 : 1;
}
DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *, int,
                                                   size_t) {
  *blocks = 2;
  return 0;
}

/// What a kernel with a fault of FAKE_CUDA_EMULATED writes.
static void writeFault(uint32_t kind) {
  DeviceFault &fault = *globals.fault;
  fault = {};
  fault.block[0] = 3;
  fault.thread[0] = 40;
  fault.values[0] = 1;
  fault.values[1] = 64;
  strcpy(fault.site.op, "nvvm.tcgen05.st");
  strcpy(fault.site.file, "kernel.mlir");
  fault.site.line = 35;
  fault.site.column = 7;
  strcpy(fault.note.op, "nvvm.tcgen05.alloc");
  fault.kind = kind;
}

DRIVER cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned shared, void *, void **,
                      void **) {
  FAIL_AS_TOLD;
  printf("launch %s %u,%u,%u %u,%u,%u %u\n", static_cast<char *>(function),
         gridX, gridY, gridZ, blockX, blockY, blockZ, shared);
  if (int kind = getNumber("FAKE_CUDA_EMULATED", 0)) {
    writeFault(uint32_t(kind));
    sticky = 719;
  }
  if (getenv("FAKE_CUDA_EMULATED"))
    printf("slots %u, patience %llu\n", globals.numSlots,
           (unsigned long long)globals.patience);
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

DRIVER cuStreamCreate(void **stream, unsigned) {
  *stream = &globals;
  return 0;
}
DRIVER cuStreamDestroy_v2(void *) { return 0; }
DRIVER cuStreamSynchronize(void *) {
  FAIL_AS_TOLD;
  return sticky;
}
DRIVER cuStreamQuery(void *) { return getenv("FAKE_CUDA_HANG") ? 600 : sticky; }
DRIVER cuStreamWaitEvent(void *, void *, unsigned) { return 0; }
DRIVER cuEventCreate(void **event, unsigned) {
  *event = &globals;
  return 0;
}
DRIVER cuEventDestroy_v2(void *) { return 0; }
DRIVER cuEventRecord(void *, void *) { return 0; }
DRIVER cuEventSynchronize(void *) { return 0; }
DRIVER cuEventElapsedTime(float *time, void *, void *) {
  *time = 1.25f;
  return 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

DRIVER cuMemAlloc_v2(void **pointer, size_t size) {
  FAIL_AS_TOLD;
  *pointer = malloc(size);
  return 0;
}
DRIVER cuMemAllocAsync(void **pointer, size_t size, void *) {
  FAIL_AS_TOLD;
  *pointer = malloc(size);
  return 0;
}
DRIVER cuMemAllocManaged(void **pointer, size_t size, unsigned) {
  *pointer = malloc(size);
  return 0;
}
DRIVER cuMemFree_v2(void *pointer) {
  free(pointer);
  return 0;
}
DRIVER cuMemFreeAsync(void *pointer, void *) {
  free(pointer);
  return 0;
}
DRIVER cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = 1000;
  *total = 4000;
  return 0;
}
DRIVER cuMemcpyAsync(void *to, const void *from, size_t size, void *) {
  FAIL_AS_TOLD;
  memcpy(to, from, size);
  return 0;
}
DRIVER cuMemsetD32Async(void *to, unsigned value, size_t count, void *) {
  for (size_t i = 0; i < count; ++i)
    static_cast<uint32_t *>(to)[i] = value;
  return 0;
}
DRIVER cuMemsetD16Async(void *to, unsigned short value, size_t count, void *) {
  for (size_t i = 0; i < count; ++i)
    static_cast<uint16_t *>(to)[i] = value;
  return 0;
}
DRIVER cuMemHostAlloc(void **pointer, size_t size, unsigned) {
  *pointer = malloc(size);
  return 0;
}
DRIVER cuMemHostGetDevicePointer_v2(void **device, void *host, unsigned) {
  *device = host;
  return 0;
}
DRIVER cuMemHostRegister_v2(void *, size_t size, unsigned) {
  printf("register %zu bytes\n", size);
  return 0;
}
DRIVER cuMemHostUnregister(void *) {
  printf("unregister\n");
  return 0;
}
