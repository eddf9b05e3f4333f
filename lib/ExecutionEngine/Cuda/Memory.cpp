//===- Memory.cpp - Memory of the device and of the host ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Errors.h"
#include "Export.h"
#include <map>
#include <set>

using namespace tmem::cuda;

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

/// Allocations that have to be freed by cuMemFree.
namespace {
struct PlainAllocations {
  std::mutex mutex;
  std::set<CUdeviceptr> pointers;
};
} // namespace
static PlainAllocations &getPlain() {
  static auto &plain = *new PlainAllocations;
  return plain;
}

static void checkAllocation(CUresult result, const char *call, uint64_t size) {
  if (result == CUDA_SUCCESS)
    return;
  size_t free = 0, total = 0;
  std::string text = format("%s of %llu bytes", call, (unsigned long long)size);
  if (result == CUDA_ERROR_OUT_OF_MEMORY &&
      getDriver().cuMemGetInfo(&free, &total) == CUDA_SUCCESS)
    text += format(", with %zu of %zu bytes free", free, total);
  check(result, text);
}

static CUdeviceptr allocatePlain(uint64_t size, bool isHostShared) {
  CUdeviceptr pointer = 0;
  if (isHostShared)
    checkAllocation(
        getDriver().cuMemAllocManaged(&pointer, size, MemAttachGlobal),
        "cuMemAllocManaged", size);
  else
    checkAllocation(getDriver().cuMemAlloc(&pointer, size), "cuMemAlloc", size);
  std::lock_guard<std::mutex> lock(getPlain().mutex);
  getPlain().pointers.insert(pointer);
  return pointer;
}

TMEM_EXPORT void *mgpuMemAlloc(uint64_t size, CUstream stream,
                               bool isHostShared) {
  if (size == 0)
    return nullptr;
  ScopedContext context;
  auto allocate = getDriver().cuMemAllocAsync;
  if (isHostShared || !allocate || !getDriver().cuMemFreeAsync ||
      !context.device.getAttribute(MemoryPoolsSupported))
    return reinterpret_cast<void *>(allocatePlain(size, isHostShared));
  CUdeviceptr pointer = 0;
  checkAllocation(allocate(&pointer, size, stream), "cuMemAllocAsync", size);
  return reinterpret_cast<void *>(pointer);
}

TMEM_EXPORT void mgpuMemFree(void *memory, CUstream stream) {
  if (!memory)
    return;
  ScopedContext context;
  auto pointer = reinterpret_cast<CUdeviceptr>(memory);
  bool plain = false;
  {
    std::lock_guard<std::mutex> lock(getPlain().mutex);
    plain = getPlain().pointers.erase(pointer) != 0;
  }
  if (plain)
    TMEM_CUDA(cuMemFree, pointer);
  else
    TMEM_CUDA(cuMemFreeAsync, pointer, stream);
}

TMEM_EXPORT void mgpuMemcpy(void *to, void *from, size_t size,
                            CUstream stream) {
  ScopedContext context;
  check(getDriver().cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to),
                                  reinterpret_cast<CUdeviceptr>(from), size,
                                  stream),
        format("cuMemcpyAsync of %zu bytes", size));
}

TMEM_EXPORT void mgpuMemset32(void *to, uint32_t value, size_t count,
                              CUstream stream) {
  ScopedContext context;
  TMEM_CUDA(cuMemsetD32Async, reinterpret_cast<CUdeviceptr>(to), value, count,
            stream);
}

TMEM_EXPORT void mgpuMemset16(void *to, uint16_t value, size_t count,
                              CUstream stream) {
  ScopedContext context;
  TMEM_CUDA(cuMemsetD16Async, reinterpret_cast<CUdeviceptr>(to), value, count,
            stream);
}

//===----------------------------------------------------------------------===//
// Registered host memory
//===----------------------------------------------------------------------===//

namespace {
/// How often a pointer was registered: programs register each view of a buffer,
/// which the driver refuses.
struct Registrations {
  std::mutex mutex;
  std::map<void *, unsigned> counts;
};

/// The head of a ranked memref; sizes and strides follow.
struct MemRef {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizes[1];
};
} // namespace

static Registrations &getRegistrations() {
  static auto &registrations = *new Registrations;
  return registrations;
}

TMEM_EXPORT void mgpuMemHostRegister(void *pointer, uint64_t size) {
  ScopedContext context;
  if (size == 0)
    return;
  std::lock_guard<std::mutex> lock(getRegistrations().mutex);
  unsigned &count = getRegistrations().counts[pointer];
  if (count++ != 0)
    return;
  check(getDriver().cuMemHostRegister(pointer, size, 0),
        format("cuMemHostRegister of %llu bytes", (unsigned long long)size));
}

TMEM_EXPORT void mgpuMemHostUnregister(void *pointer) {
  ScopedContext context;
  std::lock_guard<std::mutex> lock(getRegistrations().mutex);
  auto found = getRegistrations().counts.find(pointer);
  if (found == getRegistrations().counts.end() || --found->second != 0)
    return;
  getRegistrations().counts.erase(found);
  TMEM_CUDA(cuMemHostUnregister, pointer);
}

/// The bytes of a dense memref.
static uint64_t getBytes(int64_t rank, const MemRef &memref,
                         int64_t elementBytes) {
  int64_t elements = 1;
  const int64_t *sizes = memref.sizes, *strides = sizes + rank;
  for (int64_t i = rank; i-- > 0; elements *= sizes[i])
    if (sizes[i] > 1 && strides[i] != elements)
      setupError(format("gpu.host_register: expected a dense memref, but got "
                        "stride %lld in dimension %lld in place of %lld",
                        (long long)strides[i], (long long)i,
                        (long long)elements));
  return uint64_t(elements) * uint64_t(elementBytes);
}

TMEM_EXPORT void mgpuMemHostRegisterMemRef(int64_t rank, MemRef *memref,
                                           int64_t elementBytes) {
  mgpuMemHostRegister(memref->aligned + memref->offset * elementBytes,
                      getBytes(rank, *memref, elementBytes));
}

TMEM_EXPORT void mgpuMemHostUnregisterMemRef(int64_t, MemRef *memref,
                                             int64_t elementBytes) {
  mgpuMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}
