//===- Driver.h - NVIDIA's driver, opened at run time -----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few declarations of the driver's interface that this library needs: it
// builds and loads where there is no CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_DRIVER_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tmem::cuda {

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

enum : CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_LAUNCH_FAILED = 719
};

enum DeviceAttribute {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2, // Y and Z follow.
  MaxGridDimX = 5,  // Y and Z follow.
  MultiprocessorCount = 16,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  MaxSharedPerBlockOptin = 97,
  MemoryPoolsSupported = 115
};

enum FunctionAttribute {
  FunctionMaxThreads = 0,
  FunctionSharedBytes = 1,
  FunctionRegisters = 4,
  FunctionMaxDynamicShared = 8,
  FunctionLargeClusters = 14
};

enum ContextLimit { LimitStackBytes = 0 };

enum JitOption { JitErrorLog = 5, JitErrorLogBytes = 6, JitOptLevel = 7 };

enum {
  StreamNonBlocking = 1,
  EventDisableTiming = 2,
  MemAttachGlobal = 1,
  MemHostDeviceMap = 2
};

struct alignas(8) LaunchAttribute {
  uint32_t id;
  char padding[4];
  union {
    char bytes[64];
    struct {
      uint32_t x, y, z;
    } cluster;
    int32_t policy;
  } value;
};
enum { LaunchClusterDimension = 4, LaunchClusterPolicy = 5, PolicySpread = 1 };

struct LaunchConfig {
  uint32_t gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  LaunchAttribute *attributes;
  uint32_t numAttributes;
};

struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

// Each function with the name that the driver exports it under. The second list
// has those that older drivers lack.
// clang-format off
#define TMEM_CUDA_FUNCTIONS(F)                                                 \
  F(cuInit, "cuInit", (uint32_t))                                              \
  F(cuDeviceGetCount, "cuDeviceGetCount", (int *))                             \
  F(cuDeviceGet, "cuDeviceGet", (CUdevice *, int))                             \
  F(cuDeviceGetName, "cuDeviceGetName", (char *, int, CUdevice))               \
  F(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CUdevice))      \
  F(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice)) \
  F(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext))                      \
  F(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext *))                      \
  F(cuModuleLoadDataEx, "cuModuleLoadDataEx", (CUmodule *, const void *, uint32_t, int *, void **)) \
  F(cuModuleUnload, "cuModuleUnload", (CUmodule))                              \
  F(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *)) \
  F(cuModuleGetGlobal, "cuModuleGetGlobal_v2", (CUdeviceptr *, size_t *, CUmodule, const char *)) \
  F(cuFuncGetAttribute, "cuFuncGetAttribute", (int *, int, CUfunction))        \
  F(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction, int, int))          \
  F(cuLaunchKernel, "cuLaunchKernel", (CUfunction, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, CUstream, void **, void **)) \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *, CUfunction, int, size_t)) \
  F(cuStreamCreate, "cuStreamCreate", (CUstream *, uint32_t))                  \
  F(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream))                         \
  F(cuStreamSynchronize, "cuStreamSynchronize", (CUstream))                    \
  F(cuStreamQuery, "cuStreamQuery", (CUstream))                                \
  F(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream, CUevent, uint32_t))     \
  F(cuEventCreate, "cuEventCreate", (CUevent *, uint32_t))                     \
  F(cuEventDestroy, "cuEventDestroy_v2", (CUevent))                            \
  F(cuEventRecord, "cuEventRecord", (CUevent, CUstream))                       \
  F(cuEventSynchronize, "cuEventSynchronize", (CUevent))                       \
  F(cuEventElapsedTime, "cuEventElapsedTime", (float *, CUevent, CUevent))     \
  F(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                      \
  F(cuMemAllocManaged, "cuMemAllocManaged", (CUdeviceptr *, size_t, uint32_t)) \
  F(cuMemFree, "cuMemFree_v2", (CUdeviceptr))                                  \
  F(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *, size_t *))                     \
  F(cuMemcpyAsync, "cuMemcpyAsync", (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
  F(cuMemsetD32Async, "cuMemsetD32Async", (CUdeviceptr, uint32_t, size_t, CUstream)) \
  F(cuMemsetD16Async, "cuMemsetD16Async", (CUdeviceptr, uint16_t, size_t, CUstream)) \
  F(cuMemHostAlloc, "cuMemHostAlloc", (void **, size_t, uint32_t))             \
  F(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", (CUdeviceptr *, void *, uint32_t)) \
  F(cuMemHostRegister, "cuMemHostRegister_v2", (void *, size_t, uint32_t))     \
  F(cuMemHostUnregister, "cuMemHostUnregister", (void *))                      \
  F(cuGetErrorName, "cuGetErrorName", (CUresult, const char **))               \
  F(cuGetErrorString, "cuGetErrorString", (CUresult, const char **))
#define TMEM_CUDA_OPTIONAL_FUNCTIONS(F)                                        \
  F(cuMemAllocAsync, "cuMemAllocAsync", (CUdeviceptr *, size_t, CUstream))     \
  F(cuMemFreeAsync, "cuMemFreeAsync", (CUdeviceptr, CUstream))                 \
  F(cuCtxSetLimit, "cuCtxSetLimit", (int, size_t))                             \
  F(cuLaunchKernelEx, "cuLaunchKernelEx", (const LaunchConfig *, CUfunction, void **, void **)) \
  F(cuFuncGetParamInfo, "cuFuncGetParamInfo", (CUfunction, size_t, size_t *, size_t *)) \
  F(cuModuleGetFunctionCount, "cuModuleGetFunctionCount", (uint32_t *, CUmodule)) \
  F(cuModuleEnumerateFunctions, "cuModuleEnumerateFunctions", (CUfunction *, uint32_t, CUmodule)) \
  F(cuFuncGetName, "cuFuncGetName", (const char **, CUfunction))               \
  F(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled", (TensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *, const uint32_t *, int, int, int, int))
// clang-format on

/// The driver's functions. An optional one may be null.
struct Driver {
#define TMEM_CUDA_POINTER(NAME, SYMBOL, PARAMETERS) CUresult(*NAME) PARAMETERS;
  TMEM_CUDA_FUNCTIONS(TMEM_CUDA_POINTER)
  TMEM_CUDA_OPTIONAL_FUNCTIONS(TMEM_CUDA_POINTER)
#undef TMEM_CUDA_POINTER
};

/// Opens the driver once. Returns null and sets `reason` when it cannot.
const Driver *openDriver(std::string &reason);

/// The same; without a driver the process ends.
const Driver &getDriver();

/// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
std::string describeResult(CUresult result);

/// Ends the process unless a call succeeded: with status 1 for what a kernel
/// did wrong, 2 for the rest. `call` names the call and what it was for.
void check(CUresult result, const std::string &call);

/// Calls a function of the driver and checks it.
#define TMEM_CUDA(NAME, ...) check(getDriver().NAME(__VA_ARGS__), #NAME)

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_DRIVER_H
