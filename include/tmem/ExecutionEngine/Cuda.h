//===- Cuda.h - The GPU that programs would run on ----------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libtmem_cuda_runtime.so exports beside the `mgpu*` functions that
// `gpu-to-llvm` calls. The library opens NVIDIA's driver when it is first used.
// It looks for libcuda.so.1, or for the file that the environment variable
// TMEM_CUDA_DRIVER names.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_CUDA_H
#define TMEM_EXECUTIONENGINE_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

/// The compute capability and name of the GPU that kernels would run on.
/// Returns 0 for success. Without a driver or a GPU it returns 1, and `name`
/// gets the reason. `size` is that of `name` in bytes; neither prints nor ends
/// the process.
int tmemCudaGetCapability(int *major, int *minor, char *name, int size);

#ifdef __cplusplus
}
#endif

#endif // TMEM_EXECUTIONENGINE_CUDA_H
