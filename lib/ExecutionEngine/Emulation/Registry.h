//===- Registry.h - Kernels that can be launched ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_REGISTRY_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_REGISTRY_H

#include "Support.h"

namespace tmem::emulation {

/// What mgpuModuleLoad returns: the module that a binary names, or for a cubin
/// all modules.
struct Module {
  bool isOurs;
  std::string name;
};

/// Reads a binary of `size` bytes.
Module readModule(const char *data, size_t size);

/// The kernel of a module. None, or more than one, is a set-up error.
const TMemEmuKernel &findKernel(const Module &module, const char *name);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_REGISTRY_H
