//===- InitAll.h - All of tmem at once --------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_INITALL_H
#define TMEM_INITALL_H

namespace mlir {
class DialectRegistry;

namespace tmem {

/// The tmem dialect with its lowering and translation interfaces, and those of
/// MLIR that make PTX of a lowered gpu.module.
void registerAllDialects(DialectRegistry &registry);

/// All passes and pipelines.
void registerAllPasses();

} // namespace tmem
} // namespace mlir

#endif // TMEM_INITALL_H
