//===- Module.cpp - Modules and their kernels -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "Device.h"
#include "Errors.h"
#include "Export.h"
#include <algorithm>

using namespace tmem::cuda;
using tmem::emulation::DeviceGlobals;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Refuses what no driver can load.
static void checkKind(const BinaryInfo &info) {
  switch (info.kind) {
  case BinaryKind::Emulation:
    setupError(format("module %s was rewritten for the emulator on the CPU; "
                      "run it with libtmem_emulation_runtime.so (tmem-run "
                      "--on=cpu), or compile with "
                      "emulate-tcgen05{mode=device}",
                      info.moduleName.c_str()));
  case BinaryKind::Bitcode:
    setupError("expected a cubin, a fat binary or PTX, but got LLVM bitcode: "
               "use gpu-module-to-binary{format=bin}");
  case BinaryKind::Unknown:
    setupError("expected a cubin, a fat binary or PTX, but got something else "
               "in gpu.binary");
  default:
    return;
  }
}

static void checkCapability(const BinaryInfo &info, const Device &device) {
  if (info.runsOn(device.major, device.minor))
    return;
  std::string advice =
      info.isTensorMemoryChip()
          ? std::string("compile with emulate-tcgen05{mode=device}, or ") +
                runOnHost
          : format("compile for sm_%d%d", device.major, device.minor);
  setupError(format("the module needs compute capability %d.%d (%s); this is "
                    "an %s, %d.%d: %s",
                    info.arch / 10, info.arch % 10, info.getChip().c_str(),
                    device.name.c_str(), device.major, device.minor,
                    advice.c_str()));
}

/// The driver compiles PTX; `log` gets what its assembler says.
static CUresult load(CUmodule *module, const void *data, int optLevel,
                     std::string &log) {
  log.assign(8192, '\0');
  int options[] = {JitErrorLog, JitErrorLogBytes, JitOptLevel};
  void *values[] = {&log[0], reinterpret_cast<void *>(log.size() - 1),
                    reinterpret_cast<void *>(intptr_t(optLevel))};
  CUresult result = getDriver().cuModuleLoadDataEx(
      module, data, optLevel < 0 ? 2 : 3, options, values);
  log.resize(log.find('\0'));
  return result;
}

static void findGlobals(Module &module) {
  size_t size = 0;
  CUdeviceptr globals = 0;
  CUresult result = getDriver().cuModuleGetGlobal(
      &globals, &size, module.module, TMEM_EMU_DEVICE_GLOBAL);
  if (result == CUDA_ERROR_NOT_FOUND)
    return;
  check(result, "cuModuleGetGlobal of " TMEM_EMU_DEVICE_GLOBAL);
  if (size != sizeof(DeviceGlobals))
    setupError("the module was linked with a libtmem_emulation_device.bc of "
               "another version: compile it again");
  module.globals = globals;
}

static Module *loadModule(const void *data, size_t size, int optLevel) {
  auto *module = new Module;
  module->info = readBinary(data, size);
  checkKind(module->info);
  ScopedContext context;
  checkCapability(module->info, context.device);
  std::string log;
  CUresult result = load(&module->module, data, optLevel, log);
  check(result,
        log.empty() ? "cuModuleLoadDataEx" : "cuModuleLoadDataEx: " + log);
  findGlobals(*module);
  return module;
}

TMEM_EXPORT Module *mgpuModuleLoad(void *data, size_t size) {
  return loadModule(data, size, /*optLevel=*/-1);
}

TMEM_EXPORT Module *mgpuModuleLoadJIT(void *data, int optLevel) {
  return loadModule(data, /*size=*/0, std::min(std::max(optLevel, 0), 4));
}

TMEM_EXPORT void mgpuModuleUnload(Module *module) {
  ScopedContext context;
  TMEM_CUDA(cuModuleUnload, module->module);
  delete module;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// What the driver knows, for binaries that this library cannot read.
static std::vector<std::string> listFunctions(CUmodule module) {
  const Driver &driver = getDriver();
  std::vector<std::string> names;
  uint32_t count = 0;
  if (!driver.cuModuleGetFunctionCount || !driver.cuModuleEnumerateFunctions ||
      !driver.cuFuncGetName ||
      driver.cuModuleGetFunctionCount(&count, module) != CUDA_SUCCESS)
    return names;
  std::vector<CUfunction> functions(count);
  if (driver.cuModuleEnumerateFunctions(functions.data(), count, module))
    return names;
  for (CUfunction function : functions) {
    const char *name = nullptr;
    if (driver.cuFuncGetName(&name, function) == CUDA_SUCCESS && name)
      names.push_back(name);
  }
  return names;
}

[[noreturn]] static void reportMissing(const Module &module, const char *name) {
  std::vector<std::string> names = module.info.kernels.empty()
                                       ? listFunctions(module.module)
                                       : module.info.kernels;
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string &kernel : names)
    list += (list.empty() ? "" : ", ") + kernel;
  setupError(format("the module has no kernel %s; it has %s", name,
                    list.empty() ? "none" : list.c_str()));
}

TMEM_EXPORT Kernel *mgpuModuleGetFunction(Module *module, const char *name) {
  std::lock_guard<std::mutex> lock(module->mutex);
  auto found = module->kernels.find(name);
  if (found != module->kernels.end())
    return &found->second;
  ScopedContext context;
  CUfunction function = nullptr;
  CUresult result =
      getDriver().cuModuleGetFunction(&function, module->module, name);
  if (result == CUDA_ERROR_NOT_FOUND)
    reportMissing(*module, name);
  check(result, format("cuModuleGetFunction of %s", name));
  Kernel kernel = {name, function, module};
  return &module->kernels.emplace(name, std::move(kernel)).first->second;
}
