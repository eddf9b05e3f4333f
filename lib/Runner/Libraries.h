//===- Libraries.h - The run-time libraries, spoken to directly -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_RUNNER_LIBRARIES_H
#define TMEM_LIB_RUNNER_LIBRARIES_H

#include "tmem/Runner/Runner.h"
#include "llvm/Support/DynamicLibrary.h"

namespace mlir::tmem {

/// The same handle that the program gets: a library is in a process once.
llvm::Expected<llvm::sys::DynamicLibrary>
loadRuntimeLibrary(const RunnerOptions &options);

} // namespace mlir::tmem

/// `function` names the type as well as the symbol.
#define GET_SYMBOL(library, function)                                          \
  reinterpret_cast<decltype(&function)>((library).getAddressOfSymbol(#function))

#endif // TMEM_LIB_RUNNER_LIBRARIES_H
