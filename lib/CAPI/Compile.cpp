//===- Compile.cpp - Compiling kernels from C -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Prepare.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "tmem-c/Runner.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Target/Chips.h"
#include <string>
#include <vector>

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

intptr_t tmemGetNumChips(void) { return getChips().size(); }

MlirStringRef tmemGetChipName(intptr_t position) {
  if (position < 0 || position >= tmemGetNumChips())
    return wrap(StringRef());
  return wrap(getChips()[position].name);
}

//===----------------------------------------------------------------------===//
// Binaries
//===----------------------------------------------------------------------===//

namespace {

struct Kernel {
  std::string name;
  TMemKernelResources resources;
};

struct Binary {
  std::string name, data;
  bool isPTX;
  std::vector<Kernel> kernels;
};

using Binaries = std::vector<Binary>;

} // namespace

static int64_t getNumber(DictionaryAttr properties, StringRef name) {
  auto number = properties.getAs<IntegerAttr>(name);
  return number ? number.getInt() : 0;
}

/// What tmem-assemble has noted of each kernel.
static std::vector<Kernel> readKernels(gpu::ObjectAttr object) {
  std::vector<Kernel> kernels;
  DictionaryAttr properties = object.getProperties();
  auto notes =
      properties ? properties.getAs<DictionaryAttr>("ptxas") : DictionaryAttr();
  if (!notes)
    return kernels;
  for (NamedAttribute note : notes) {
    auto numbers = dyn_cast<DictionaryAttr>(note.getValue());
    if (!numbers)
      continue;
    TMemKernelResources resources = {};
    resources.registers = getNumber(numbers, "registers");
    resources.spillStoreBytes = getNumber(numbers, "spill_stores");
    resources.spillLoadBytes = getNumber(numbers, "spill_loads");
    resources.stackBytes = getNumber(numbers, "stack");
    resources.sharedBytes = getNumber(numbers, "shared");
    kernels.push_back({note.getName().str(), resources});
  }
  return kernels;
}

static Binaries readBinaries(ModuleOp module) {
  Binaries binaries;
  module.walk([&](gpu::BinaryOp op) {
    for (Attribute attr : op.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      binaries.push_back(
          {op.getName().str(), object.getObject().getValue().str(),
           object.getFormat() == gpu::CompilationTarget::Assembly,
           readKernels(object)});
    }
  });
  return binaries;
}

static TMemToCubinOptions &fill(const TMemCompileOptions *from,
                                TMemToCubinOptions &options) {
  if (!from)
    return options;
  options.chip = getString(from->chip, "sm_100a");
  options.format = from->ptxOnly ? "isa" : "bin";
  options.optLevel = from->optLevel == 0 ? 3 : from->optLevel;
  options.ptxas = getString(from->ptxas, "");
  return options;
}

TMemBinaries tmemCompile(MlirModule module, const TMemCompileOptions *options) {
  OwningOpRef<ModuleOp> copy = copyModule(module);
  if (!copy)
    return TMemBinaries{nullptr};
  TMemToCubinOptions pipelineOptions;
  PassManager manager(copy->getContext());
  buildTMemToCubinPipeline(manager, fill(options, pipelineOptions));
  if (failed(runWithoutErrors(manager, *copy)))
    return TMemBinaries{nullptr};
  return TMemBinaries{new Binaries(readBinaries(*copy))};
}

void tmemBinariesDestroy(TMemBinaries binaries) {
  delete static_cast<Binaries *>(binaries.ptr);
}

static const Binary *find(TMemBinaries binaries, intptr_t position) {
  if (position < 0 || position >= tmemBinariesGetNum(binaries))
    return nullptr;
  return &(*static_cast<Binaries *>(binaries.ptr))[position];
}

intptr_t tmemBinariesGetNum(TMemBinaries binaries) {
  return binaries.ptr ? static_cast<Binaries *>(binaries.ptr)->size() : 0;
}

MlirStringRef tmemBinariesGetName(TMemBinaries binaries, intptr_t position) {
  const Binary *binary = find(binaries, position);
  return wrap(binary ? StringRef(binary->name) : StringRef());
}

MlirStringRef tmemBinariesGetData(TMemBinaries binaries, intptr_t position) {
  const Binary *binary = find(binaries, position);
  return wrap(binary ? StringRef(binary->data) : StringRef());
}

bool tmemBinariesIsPTX(TMemBinaries binaries, intptr_t position) {
  const Binary *binary = find(binaries, position);
  return binary && binary->isPTX;
}

intptr_t tmemBinariesGetNumKernels(TMemBinaries binaries, intptr_t position) {
  const Binary *binary = find(binaries, position);
  return binary ? binary->kernels.size() : 0;
}

bool tmemBinariesGetKernel(TMemBinaries binaries, intptr_t position,
                           intptr_t kernel, TMemKernelResources *resources) {
  if (!resources || kernel < 0 ||
      kernel >= tmemBinariesGetNumKernels(binaries, position))
    return false;
  const Kernel &found = find(binaries, position)->kernels[kernel];
  *resources = found.resources;
  resources->name = wrap(StringRef(found.name));
  return true;
}
