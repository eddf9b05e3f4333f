//===- Cuda.h - The GPU that programs would run on ----------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libtmem_cuda_runtime.so exports beside the `mgpu*` functions that
// `gpu-to-llvm` calls. The library opens NVIDIA's driver when it is first used.
// The environment sets:
//
//   TMEM_CUDA_DRIVER   the driver to open, by default libcuda.so.1
//   TMEM_CUDA_TIME     1: print the time of each launch on the device
//   TMEM_CUDA_TIMEOUT  seconds that an emulated kernel may take, by default 60;
//                      0 for no bound
//   TMEM_CUDA_STACK    bytes of stack for each thread: kernels that recurse
//   need
//                      more than the driver's default
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
