//===- Export.h - What the library exports ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_EXPORT_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_EXPORT_H

#pragma GCC visibility push(default)
#include "tmem/ExecutionEngine/Cuda.h"
#pragma GCC visibility pop

/// The rest is hidden.
#define TMEM_EXPORT extern "C" __attribute__((visibility("default")))

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_EXPORT_H
