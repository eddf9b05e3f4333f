//===- Registry.cpp - Kernels that can be launched ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Faults.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

using namespace tmem::emulation;

namespace {

/// A kernel and copies of its names: code that was unloaded may leave its entry
/// behind.
struct Entry {
  std::string module, name, place;
  const TMemEmuKernel *kernel;
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
};

Registry &getRegistry() {
  // Constructors of other libraries register kernels, in any order.
  static Registry &registry = *new Registry;
  return registry;
}

std::string getPlace(const Site *site) {
  if (!site || !site->file)
    return "an unknown location";
  return format("%s:%u:%u", tmemEmuGetFile(site), site->line, site->column);
}

} // namespace

void tmemEmuRegister(const TMemEmuKernel *kernel) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  Entry added = {kernel->module, kernel->name, getPlace(kernel->site), kernel};
  // The same kernel, compiled again: the code of before may be gone.
  for (Entry &entry : registry.entries)
    if (entry.module == added.module && entry.name == added.name &&
        entry.place == added.place) {
      entry.kernel = kernel;
      return;
    }
  registry.entries.push_back(std::move(added));
}

void tmemEmulationForgetKernels() {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.entries.clear();
}

void tmemEmulationForgetModule(const char *module) {
  if (!module)
    return;
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  auto isOfModule = [&](const Entry &entry) { return entry.module == module; };
  registry.entries.erase(std::remove_if(registry.entries.begin(),
                                        registry.entries.end(), isOfModule),
                         registry.entries.end());
}

/// An error may not hold the lock.
static std::vector<Entry> copyEntries() {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.entries;
}

Module tmem::emulation::readModule(const char *data, size_t size) {
  constexpr size_t prefix = sizeof(TMEM_EMU_BINARY_PREFIX) - 1;
  if (data && size >= prefix &&
      memcmp(data, TMEM_EMU_BINARY_PREFIX, prefix) == 0)
    return {true,
            std::string(data + prefix, strnlen(data + prefix, size - prefix))};
  if (copyEntries().empty())
    setupError("this module was never emulated: run emulate-tcgen05 on it, or "
               "run it on a GPU with libtmem_cuda_runtime.so");
  return {false, ""};
}

/// "kernels of module m: a, b", in the order of registration.
static std::string listKernels(const std::vector<Entry> &entries,
                               const Module &module) {
  std::string names;
  for (const Entry &entry : entries)
    if (!module.isOurs || entry.module == module.name)
      names += (names.empty() ? "" : ", ") + entry.name;
  return names.empty() ? "there are none" : "there are " + names;
}

const TMemEmuKernel &tmem::emulation::findKernel(const Module &module,
                                                 const char *name) {
  std::vector<Entry> entries = copyEntries();
  const Entry *found = nullptr;
  for (const Entry &entry : entries) {
    if (entry.name != name || (module.isOurs && entry.module != module.name))
      continue;
    if (found)
      setupError(format("two kernels are named %s: %s of module %s at %s and "
                        "of module %s at %s; give them different names",
                        name, name, found->module.c_str(), found->place.c_str(),
                        entry.module.c_str(), entry.place.c_str()));
    found = &entry;
  }
  if (!found)
    setupError(
        format("no kernel is named %s%s: %s", name,
               module.isOurs ? (" in module " + module.name).c_str() : "",
               listKernels(entries, module).c_str()));
  return *found->kernel;
}
