//===- Lowering.h - The parts that pipelines share --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PIPELINES_LOWERING_H
#define TMEM_LIB_PIPELINES_LOWERING_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;

namespace tmem {

/// What host code checks as it runs.
struct HostChecks {
  bool bounds = false;
  /// The function that assertions call where they fail; empty is abort.
  StringRef handler = {};
};

/// Wide tiles in chunks: the options of tmem-tile-transfers, or zeros.
struct Chunking {
  unsigned columns;
  unsigned maxLiveRegisters;
};

/// Everything inside a gpu.module to LLVM and NVVM.
void addDeviceLowering(OpPassManager &module, StringRef chip, Chunking chunking,
                       bool checkBounds = false);

/// Compiles gpu.modules of LLVM and NVVM operations for a chip with Tensor
/// Memory (their own targets' when empty), to checked PTX or a cubin.
void addAssembly(OpPassManager &manager, StringRef chip, StringRef format,
                 unsigned optLevel, StringRef ptxas);

/// Compiles gpu.modules for any NVIDIA GPU, with a library of LLVM bitcode.
void addDeviceBinary(OpPassManager &manager, StringRef chip, StringRef library);

/// Host code, with launches of gpu.binary kernels, to LLVM.
void addHostLowering(OpPassManager &manager, HostChecks checks = {});

} // namespace tmem
} // namespace mlir

#endif // TMEM_LIB_PIPELINES_LOWERING_H
