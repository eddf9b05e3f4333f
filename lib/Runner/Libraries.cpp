//===- Libraries.cpp - The run-time libraries, spoken to directly ---------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"
#include "tmem/ExecutionEngine/Cuda.h"
#include "tmem/ExecutionEngine/Runtime.h"
#include "tmem/Target/Chips.h"

using namespace mlir;
using namespace mlir::tmem;

llvm::Expected<llvm::sys::DynamicLibrary>
mlir::tmem::loadRuntimeLibrary(const RunnerOptions &options) {
  std::string error;
  auto library = llvm::sys::DynamicLibrary::getLibrary(
      options.getRuntimeLibrary().c_str(), &error);
  if (!library.isValid())
    return llvm::createStringError("cannot load the run-time library: " +
                                   error);
  return library;
}

llvm::Error mlir::tmem::configureEmulation(const RunnerOptions &options,
                                           const EmulationSettings &settings) {
  auto library = loadRuntimeLibrary(options);
  if (!library)
    return library.takeError();
  auto setSeed = GET_SYMBOL(*library, tmemEmulationSetSeed);
  auto setRace = GET_SYMBOL(*library, tmemEmulationSetRaceMode);
  auto setMaxSteps = GET_SYMBOL(*library, tmemEmulationSetMaxSteps);
  auto setThreads = GET_SYMBOL(*library, tmemEmulationSetThreads);
  if (!setSeed || !setRace || !setMaxSteps || !setThreads)
    return llvm::createStringError(
        "expected a library that emulates, but got " +
        options.getRuntimeLibrary());
  if (settings.seed)
    setSeed(*settings.seed);
  if (settings.race)
    setRace(*settings.race);
  if (settings.maxSteps)
    setMaxSteps(*settings.maxSteps);
  if (settings.threads)
    setThreads(*settings.threads);
  return llvm::Error::success();
}

llvm::Expected<GPU> mlir::tmem::findGPU(const RunnerOptions &options) {
  auto library = loadRuntimeLibrary(options);
  if (!library)
    return library.takeError();
  auto getCapability = GET_SYMBOL(*library, tmemCudaGetCapability);
  int major = 0, minor = 0;
  char name[256] = "";
  if (!getCapability)
    return llvm::createStringError("expected a library for GPUs, but got " +
                                   options.getRuntimeLibrary());
  // Where there is no GPU, the name is the reason.
  if (getCapability(&major, &minor, name, sizeof(name)))
    return llvm::createStringError(Twine(name) + "; run with --on=cpu");
  GPU gpu{name, ("sm_" + Twine(major) + Twine(minor)).str(), false};
  if (!findChip(gpu.chip + "a"))
    return gpu;
  gpu.chip += "a";
  gpu.hasTensorMemory = true;
  return gpu;
}
