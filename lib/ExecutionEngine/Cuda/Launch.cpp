//===- Launch.cpp - Launching kernels -------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Errors.h"
#include "Export.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tmem::cuda;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static int getAttribute(const Kernel &kernel, int attribute) {
  int value = 0;
  TMEM_CUDA(cuFuncGetAttribute, &value, attribute, kernel.function);
  return value;
}

static void checkRange(const Launch &launch, const char *what, int64_t value,
                       int64_t most) {
  if (value < 1 || value > most)
    setupError(format("kernel %s: expected %s from 1 to %lld, but got %lld",
                      launch.kernel.name.c_str(), what, (long long)most,
                      (long long)value));
}

static void checkDimensions(const Launch &launch, const Device &device) {
  static const char *const grid[] = {"a grid size in x", "a grid size in y",
                                     "a grid size in z"};
  static const char *const block[] = {"a block size in x", "a block size in y",
                                      "a block size in z"};
  for (int i = 0; i < 3; ++i) {
    checkRange(launch, grid[i], launch.grid[i],
               device.getAttribute(MaxGridDimX + i));
    checkRange(launch, block[i], launch.block[i],
               device.getAttribute(MaxBlockDimX + i));
  }
  checkRange(launch, "threads in a block", launch.getNumThreads(),
             device.getAttribute(MaxThreadsPerBlock));
  int64_t most = getAttribute(launch.kernel, FunctionMaxThreads);
  if (launch.getNumThreads() > most)
    setupError(
        format("kernel %s: expected at most %lld threads in a block, as it was "
               "compiled for and with its %d registers, but got %lld",
               launch.kernel.name.c_str(), (long long)most,
               getAttribute(launch.kernel, FunctionRegisters),
               (long long)launch.getNumThreads()));
}

/// More than 48 KiB of dynamic shared memory has to be asked for.
static void allowSharedMemory(const Launch &launch, const Device &device) {
  int64_t most = device.getAttribute(MaxSharedPerBlockOptin);
  int64_t fixed = getAttribute(launch.kernel, FunctionSharedBytes);
  if (launch.sharedBytes < 0 || fixed + launch.sharedBytes > most)
    setupError(format("kernel %s: expected at most %lld bytes of shared "
                      "memory, but got %lld static and %lld dynamic ones",
                      launch.kernel.name.c_str(), (long long)most,
                      (long long)fixed, (long long)launch.sharedBytes));
  if (launch.sharedBytes > 0)
    check(getDriver().cuFuncSetAttribute(launch.kernel.function,
                                         FunctionMaxDynamicShared,
                                         int(launch.sharedBytes)),
          format("cuFuncSetAttribute: %lld bytes of dynamic shared memory for "
                 "kernel %s",
                 (long long)launch.sharedBytes, launch.kernel.name.c_str()));
}

/// Clusters of more than 8 CTAs, which not every GPU has, have to be asked for.
static void allowClusters(const Launch &launch) {
  const int64_t *size = launch.cluster;
  if (size[0] * size[1] * size[2] > 8)
    check(getDriver().cuFuncSetAttribute(launch.kernel.function,
                                         FunctionLargeClusters, 1),
          format("cuFuncSetAttribute: clusters of %lld blocks for kernel %s",
                 (long long)(size[0] * size[1] * size[2]),
                 launch.kernel.name.c_str()));
}

/// Older drivers do not tell how many parameters there are.
static void checkParameters(const Launch &launch) {
  auto getInfo = getDriver().cuFuncGetParamInfo;
  if (!getInfo)
    return;
  if (launch.numParams == unknownNumParams)
    return;
  size_t count = 0, offset = 0, size = 0;
  while (getInfo(launch.kernel.function, count, &offset, &size) == CUDA_SUCCESS)
    ++count;
  if (count != launch.numParams)
    setupError(format("kernel %s: expected %zu arguments, but got %zu",
                      launch.kernel.name.c_str(), count, launch.numParams));
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

namespace {
/// Times a launch on the device, with TMEM_CUDA_TIME=1.
class Timer {
public:
  explicit Timer(CUstream stream) : stream(stream) {
    const char *value = getenv("TMEM_CUDA_TIME");
    if (!value || strcmp(value, "0") == 0 || !*value)
      return;
    TMEM_CUDA(cuEventCreate, &begin, 0);
    TMEM_CUDA(cuEventCreate, &end, 0);
    TMEM_CUDA(cuEventRecord, begin, stream);
  }

  void stop() {
    if (begin)
      TMEM_CUDA(cuEventRecord, end, stream);
  }

  /// Waits for the kernel.
  void print(const Launch &launch) {
    if (!begin)
      return;
    TMEM_CUDA(cuEventSynchronize, end);
    float milliseconds = 0;
    TMEM_CUDA(cuEventElapsedTime, &milliseconds, begin, end);
    fprintf(stderr,
            "tmem cuda: kernel %s, grid %lld,%lld,%lld, block %lld,%lld,%lld: "
            "%.3f ms\n",
            launch.kernel.name.c_str(), (long long)launch.grid[0],
            (long long)launch.grid[1], (long long)launch.grid[2],
            (long long)launch.block[0], (long long)launch.block[1],
            (long long)launch.block[2], double(milliseconds));
    TMEM_CUDA(cuEventDestroy, begin);
    TMEM_CUDA(cuEventDestroy, end);
  }

private:
  CUstream stream;
  CUevent begin = nullptr, end = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static CUresult callDriver(const Launch &launch) {
  const Driver &driver = getDriver();
  uint32_t grid[3], block[3];
  for (int i = 0; i < 3; ++i) {
    grid[i] = uint32_t(launch.grid[i]);
    block[i] = uint32_t(launch.block[i]);
  }
  if (launch.cluster[0] == 0)
    return driver.cuLaunchKernel(launch.kernel.function, grid[0], grid[1],
                                 grid[2], block[0], block[1], block[2],
                                 uint32_t(launch.sharedBytes), launch.stream,
                                 launch.params, launch.extra);
  if (!driver.cuLaunchKernelEx)
    setupError("the NVIDIA driver is too old to launch clusters");
  LaunchAttribute attributes[2] = {};
  attributes[0].id = LaunchClusterDimension;
  attributes[0].value.cluster = {uint32_t(launch.cluster[0]),
                                 uint32_t(launch.cluster[1]),
                                 uint32_t(launch.cluster[2])};
  attributes[1].id = LaunchClusterPolicy;
  attributes[1].value.policy = PolicySpread;
  LaunchConfig config = {grid[0],
                         grid[1],
                         grid[2],
                         block[0],
                         block[1],
                         block[2],
                         uint32_t(launch.sharedBytes),
                         launch.stream,
                         attributes,
                         2};
  return driver.cuLaunchKernelEx(&config, launch.kernel.function, launch.params,
                                 launch.extra);
}

static void run(const Launch &launch) {
  ScopedContext context;
  checkDimensions(launch, context.device);
  allowSharedMemory(launch, context.device);
  allowClusters(launch);
  checkParameters(launch);
  setLastKernel(launch.kernel.name);
  bool emulated = launch.kernel.module->globals != 0;
  std::unique_lock<std::mutex> lock(context.device.emulation.mutex,
                                    std::defer_lock);
  if (emulated) {
    lock.lock();
    prepareEmulation(launch, context.device);
  }
  Timer timer(launch.stream);
  check(callDriver(launch), "cuLaunchKernel of kernel " + launch.kernel.name);
  timer.stop();
  if (emulated)
    finishEmulation(launch, context.device);
  timer.print(launch);
}

TMEM_EXPORT void mgpuLaunchKernel(Kernel *kernel, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t sharedBytes,
                                  CUstream stream, void **params, void **extra,
                                  size_t numParams) {
  run({*kernel,
       {0, 0, 0},
       {gridX, gridY, gridZ},
       {blockX, blockY, blockZ},
       sharedBytes,
       stream,
       params,
       extra,
       numParams});
}

TMEM_EXPORT void mgpuLaunchClusterKernel(Kernel *kernel, intptr_t clusterX,
                                         intptr_t clusterY, intptr_t clusterZ,
                                         intptr_t gridX, intptr_t gridY,
                                         intptr_t gridZ, intptr_t blockX,
                                         intptr_t blockY, intptr_t blockZ,
                                         int32_t sharedBytes, CUstream stream,
                                         void **params, void **extra) {
  Launch launch = {*kernel,
                   {clusterX, clusterY, clusterZ},
                   {gridX, gridY, gridZ},
                   {blockX, blockY, blockZ},
                   sharedBytes,
                   stream,
                   params,
                   extra,
                   unknownNumParams};
  for (int64_t size : launch.cluster)
    checkRange(launch, "a cluster size", size, 16);
  run(launch);
}
