//===- Streams.cpp - Streams and events -----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Export.h"

using namespace tmem::cuda;

TMEM_EXPORT CUstream mgpuStreamCreate() {
  ScopedContext context;
  CUstream stream = nullptr;
  TMEM_CUDA(cuStreamCreate, &stream, StreamNonBlocking);
  return stream;
}

TMEM_EXPORT void mgpuStreamDestroy(CUstream stream) {
  ScopedContext context;
  TMEM_CUDA(cuStreamDestroy, stream);
}

TMEM_EXPORT void mgpuStreamSynchronize(CUstream stream) {
  ScopedContext context;
  TMEM_CUDA(cuStreamSynchronize, stream);
}

TMEM_EXPORT void mgpuStreamWaitEvent(CUstream stream, CUevent event) {
  ScopedContext context;
  TMEM_CUDA(cuStreamWaitEvent, stream, event, 0);
}

TMEM_EXPORT CUevent mgpuEventCreate() {
  ScopedContext context;
  CUevent event = nullptr;
  TMEM_CUDA(cuEventCreate, &event, EventDisableTiming);
  return event;
}

TMEM_EXPORT void mgpuEventDestroy(CUevent event) {
  ScopedContext context;
  TMEM_CUDA(cuEventDestroy, event);
}

TMEM_EXPORT void mgpuEventSynchronize(CUevent event) {
  ScopedContext context;
  TMEM_CUDA(cuEventSynchronize, event);
}

TMEM_EXPORT void mgpuEventRecord(CUevent event, CUstream stream) {
  ScopedContext context;
  TMEM_CUDA(cuEventRecord, event, stream);
}
