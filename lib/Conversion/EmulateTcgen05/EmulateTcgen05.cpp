//===- EmulateTcgen05.cpp - Kernels without Tensor Memory -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tmem/Conversion/Passes.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_EMULATETCGEN05
#include "tmem/Conversion/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::emulate;

namespace {

enum class Mode { Host, Device, Both };

/// One run of the pass. All modules are rewritten in place, or as a copy where
/// the original is needed, before anything is done that cannot be undone.
class Emulation {
public:
  Emulation(Mode mode, const Chip *wanted) : mode(mode), wanted(wanted) {}

  LogicalResult rewrite(gpu::GPUModuleOp original);
  void undo();
  void finish();

private:
  const Chip *getChip(gpu::GPUModuleOp module);
  StringAttr nameSites(Operation *destination);

  struct Work {
    gpu::GPUModuleOp original;
    OwningOpRef<gpu::GPUModuleOp> copy; ///< If it is that which is rewritten.
    ModuleState state;
  };
  LogicalResult lowerInlinePTX(Work &work);

  Mode mode;
  const Chip *wanted;
  std::vector<std::unique_ptr<Work>> works;

  /// Of the symbols where a module goes, also of those to come.
  struct Names {
    llvm::StringSet<> used;
    unsigned numTables = 0; ///< Of sites.
  };
  Names &getNames(Operation *destination);
  llvm::DenseMap<Operation *, Names> names;
};

struct EmulateTcgen05 : public tmem::impl::EmulateTcgen05Base<EmulateTcgen05> {
  using Base::Base;

  void runOnOperation() override {
    Mode parsedMode;
    const Chip *wanted = nullptr;
    if (failed(parseOptions(parsedMode, wanted)))
      return signalPassFailure();
    SmallVector<gpu::GPUModuleOp> modules;
    getOperation()->walk([&](gpu::GPUModuleOp module) {
      modules.push_back(module);
      return WalkResult::skip();
    });
    Emulation emulation(parsedMode, wanted);
    bool isValid = true;
    for (gpu::GPUModuleOp module : modules)
      isValid &= succeeded(emulation.rewrite(module));
    if (isValid)
      return emulation.finish();
    emulation.undo();
    signalPassFailure();
  }

private:
  LogicalResult parseOptions(Mode &parsedMode, const Chip *&wanted);
};

} // namespace

LogicalResult EmulateTcgen05::parseOptions(Mode &parsedMode,
                                           const Chip *&wanted) {
  if (mode == "host")
    parsedMode = Mode::Host;
  else if (mode == "device")
    parsedMode = Mode::Device;
  else if (mode == "both")
    parsedMode = Mode::Both;
  else
    return emitError(getOperation()->getLoc())
           << "expected host, device or both, but got " << mode;
  if (chip.empty())
    return success();
  wanted = findChip(chip);
  if (!wanted)
    return emitError(getOperation()->getLoc())
           << "expected a chip of " << getChipNames() << ", but got " << chip;
  return success();
}

const Chip *Emulation::getChip(gpu::GPUModuleOp module) {
  if (wanted)
    return wanted;
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute attr : targets)
      if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
        if (const Chip *found = findChip(target.getChip()))
          return found;
  return &getChips().front();
}

/// nvvm.inline_ptx numbers its operands in ways of its own, which upstream
/// turns into inline assembly. That cannot be undone.
LogicalResult Emulation::lowerInlinePTX(Work &work) {
  ModuleState &state = work.state;
  if (!work.copy) {
    work.copy = work.original.clone();
    state.module = *work.copy;
  }
  RewritePatternSet patterns(state.module.getContext());
  populateNVVMToLLVMConversionPatterns(patterns);
  ConversionTarget target(*state.module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalOp<NVVM::InlinePtxOp>();
  if (failed(applyPartialConversion(state.module, target, std::move(patterns))))
    return failure();
  return collectOps(state);
}

Emulation::Names &Emulation::getNames(Operation *destination) {
  auto [it, isNew] = names.try_emplace(destination);
  if (isNew)
    for (Operation &op : destination->getRegion(0).front())
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        it->second.used.insert(symbol.getName());
  return it->second;
}

StringAttr Emulation::nameSites(Operation *destination) {
  Names &known = getNames(destination);
  std::string name;
  do
    name = ("__tmem_emu_sites_" + Twine(known.numTables++)).str();
  while (!known.used.insert(name).second);
  return StringAttr::get(destination->getContext(), name);
}

LogicalResult Emulation::rewrite(gpu::GPUModuleOp original) {
  auto host = original->getParentOfType<ModuleOp>();
  if (failed(verifyLaunches(host, original)))
    return failure();
  works.push_back(std::make_unique<Work>());
  Work &work = *works.back();
  work.original = original;
  if (mode == Mode::Both)
    work.copy = original.clone();
  ModuleState &state = work.state;
  state.module = work.copy ? *work.copy : original;
  state.chip = getChip(original);
  state.isHost = mode != Mode::Device;
  state.siteTable = nameSites(state.isHost ? host.getOperation() : original);
  if (failed(collectOps(state)) ||
      (state.hasInlinePTX && failed(lowerInlinePTX(work))))
    return failure();
  if (state.isHost)
    nameForHost(state, host, getNames(host).used);
  if (failed(rewriteModule(state)))
    return failure();
  return state.isHost ? verifyDeclarations(state, host) : success();
}

void Emulation::undo() {
  for (const std::unique_ptr<Work> &work : works)
    work->state.journal.undo();
}

void Emulation::finish() {
  struct Host {
    explicit Host(Operation *op) : symbols(op) {}
    SymbolTable symbols;
    SmallVector<std::string> kernels;
  };
  llvm::MapVector<Operation *, std::unique_ptr<Host>> hosts;
  for (const std::unique_ptr<Work> &work : works) {
    finishModule(work->state);
    if (!work->state.isHost) {
      finishDeviceModule(work->state);
      if (work->copy) {
        OpBuilder(work->original).insert(work->copy.release());
        work->original.erase();
      }
      continue;
    }
    auto module = work->original->getParentOfType<ModuleOp>();
    std::unique_ptr<Host> &host = hosts[module];
    if (!host)
      host = std::make_unique<Host>(module);
    llvm::append_range(host->kernels, moveToHost(work->state, host->symbols));
    if (mode != Mode::Both)
      addBinary(work->state, work->original, host->symbols);
  }
  for (auto &[module, host] : hosts)
    addRegistration(host->symbols, host->kernels);
}
