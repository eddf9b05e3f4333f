//===- TensorMaps.cpp - Descriptors of the bulk tensor copies -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Errors.h"
#include "Export.h"

using namespace tmem::cuda;

constexpr int64_t maxRank = 5;

/// Bytes of an element by CUtensorMapDataType: u8, u16, u32, s32, u64, s64,
/// f16, f32, f64, bf16, and f32 and two of tf32 with variants.
static constexpr int64_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2,
                                           4, 8, 2, 4, 4, 4};

TMEM_EXPORT void
mgpuTensorMapEncodeTiled(TensorMap *map, int type, uint32_t rank, void *address,
                         const uint64_t *sizes, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *elementStrides,
                         int interleave, int swizzle, int promotion, int fill) {
  ScopedContext context;
  if (!getDriver().cuTensorMapEncodeTiled)
    setupError("the NVIDIA driver is too old: it has no "
               "cuTensorMapEncodeTiled");
  TMEM_CUDA(cuTensorMapEncodeTiled, map, type, rank, address, sizes, strides,
            box, elementStrides, interleave, swizzle, promotion, fill);
}

/// `descriptor` is a ranked memref: two pointers, the offset, sizes, strides.
/// The driver counts dimensions from the innermost one. The caller owns the
/// map, in memory of the device.
TMEM_EXPORT void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                                 int type, int interleave,
                                                 int swizzle, int promotion,
                                                 int fill, int64_t *boxSizes) {
  constexpr int numTypes = sizeof(elementBytes) / sizeof(elementBytes[0]);
  if (rank < 1 || rank > maxRank)
    setupError(format("tensor map: expected a rank from 1 to 5, but got %lld",
                      (long long)rank));
  if (type < 0 || type >= numTypes)
    setupError(format("tensor map: expected an element type from 0 to %d, but "
                      "got %d",
                      numTypes - 1, type));
  auto *fields = static_cast<int64_t *>(descriptor);
  const int64_t *sizes = fields + 3, *strides = sizes + rank;
  uint64_t mapSizes[maxRank] = {}, mapStrides[maxRank] = {};
  uint32_t box[maxRank] = {}, elementStrides[maxRank] = {};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dimension = rank - 1 - i;
    mapSizes[i] = uint64_t(sizes[dimension]);
    box[i] = uint32_t(boxSizes[dimension]);
    elementStrides[i] = 1;
    if (dimension > 0)
      mapStrides[i] = uint64_t(strides[dimension - 1] * elementBytes[type]);
  }
  TensorMap map = {};
  mgpuTensorMapEncodeTiled(
      &map, type, uint32_t(rank), reinterpret_cast<void *>(fields[1]), mapSizes,
      mapStrides, box, elementStrides, interleave, swizzle, promotion, fill);
  ScopedContext context;
  CUdeviceptr onDevice = 0;
  TMEM_CUDA(cuMemAlloc, &onDevice, sizeof(map));
  TMEM_CUDA(cuMemcpyAsync, onDevice, reinterpret_cast<CUdeviceptr>(&map),
            sizeof(map), nullptr);
  TMEM_CUDA(cuStreamSynchronize, nullptr);
  return reinterpret_cast<void *>(onDevice);
}
