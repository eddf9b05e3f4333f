//===- Lower.cpp - Programs with kernels to the LLVM dialect --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assertions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Runner/Runner.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tmem;

static std::string getLibrary(const RunnerOptions &options, StringRef name) {
  llvm::SmallString<128> path(options.libraryDir);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::string RunnerOptions::getRuntimeLibrary() const {
  return getLibrary(*this, mode == RunMode::Emulated
                               ? "libtmem_emulation_runtime.so"
                               : "libtmem_cuda_runtime.so");
}

/// The entry is looked at before anything is lowered: afterwards types are
/// gone.
static LogicalResult verifyEntry(ModuleOp module,
                                 const RunnerOptions &options) {
  StringRef name = options.entry;
  Operation *entry = SymbolTable::lookupSymbolIn(module, name);
  auto function = dyn_cast_if_present<FunctionOpInterface>(entry);
  if (!function || function.isExternal())
    return emitError(module.getLoc())
           << "expected a function @" << name << " to run, but got "
           << (entry ? "another operation of that name" : "none");
  ArrayRef<Type> results = function.getResultTypes();
  bool hasResult = !results.empty() && !isa<LLVM::LLVMVoidType>(results[0]);
  if (function.getNumArguments() != 0 && !options.takesArguments)
    return emitError(function.getLoc())
           << "expected no arguments of @" << name << ", but got "
           << function.getNumArguments();
  if (results.size() > 1 || (hasResult && !results[0].isInteger(32)))
    return emitError(function.getLoc())
           << "expected @" << name << " to return nothing or an i32, but got "
           << results;
  return success();
}

static void buildPipeline(OpPassManager &manager,
                          const RunnerOptions &options) {
  TMemEmulateOptions emulate;
  emulate.chip = options.chip;
  emulate.ptxas = options.ptxas;
  emulate.gpuChip = options.gpuChip;
  switch (options.mode) {
  case RunMode::Emulated:
    emulate.mode = "host";
    break;
  case RunMode::DeviceEmulated:
    emulate.mode = "device";
    emulate.library = getLibrary(options, "libtmem_emulation_device.bc");
    break;
  case RunMode::Native:
    emulate.mode = "none";
    break;
  }
  emulate.checkBounds = options.mode == RunMode::Emulated;
  if (options.mode == RunMode::Emulated && !options.isAhead)
    emulate.assertionHandler = hostAssertionName;
  buildTMemEmulatePipeline(manager, emulate);
}

LogicalResult mlir::tmem::lowerProgram(ModuleOp module,
                                       const RunnerOptions &options) {
  if (failed(verifyEntry(module, options)))
    return failure();
  PassManager manager(module.getContext());
  buildPipeline(manager, options);
  return runWithoutErrors(manager, module);
}
