//===- Binary.h - What a module's binary says of itself ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_CUDA_BINARY_H
#define TMEM_LIB_EXECUTIONENGINE_CUDA_BINARY_H

#include <cstddef>
#include <string>
#include <vector>

namespace tmem::cuda {

enum class BinaryKind {
  Cubin,
  FatBinary,
  Ptx,
  Emulation, ///< For libtmem_emulation_runtime.so.
  Bitcode,   ///< LLVM's, of gpu-module-to-binary{format=offload}.
  Unknown
};

struct BinaryInfo {
  BinaryKind kind = BinaryKind::Unknown;
  /// 90 for sm_90, with 'a' or 'f' behind it or nothing; 0 when unknown.
  int arch = 0;
  char suffix = 0;
  /// Kernels of a cubin or of PTX.
  std::vector<std::string> kernels;
  /// Of an emulated module.
  std::string moduleName;

  std::string getChip() const; ///< "sm_100a"
  /// Whether its chip has Tensor Memory: families 10.x and 11.x.
  bool isTensorMemoryChip() const;
  /// Whether a device of this compute capability can run it, as far as known.
  bool runsOn(int major, int minor) const;
};

/// Reads the first `size` bytes at `data`, or with size 0 up to the end that
/// the format gives.
BinaryInfo readBinary(const void *data, size_t size);

} // namespace tmem::cuda

#endif // TMEM_LIB_EXECUTIONENGINE_CUDA_BINARY_H
