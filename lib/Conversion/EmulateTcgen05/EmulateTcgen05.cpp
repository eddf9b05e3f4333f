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

/// One run of the pass. All modules are rewritten, each as a copy, before
/// anything changes.
class Emulation {
public:
  Emulation(Mode mode, const Chip *wanted) : mode(mode), wanted(wanted) {}

  LogicalResult rewrite(gpu::GPUModuleOp original);
  void finish();

private:
  const Chip *getChip(gpu::GPUModuleOp module);
  unsigned countSites(Operation *destination);

  struct Work {
    gpu::GPUModuleOp original;
    OwningOpRef<ModuleOp> holder; ///< Owns the copy.
    ModuleState state;
  };

  Mode mode;
  const Chip *wanted;
  std::vector<std::unique_ptr<Work>> works;
  llvm::DenseMap<Operation *, llvm::StringSet<>> usedNames;
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
    if (!isValid)
      return signalPassFailure();
    emulation.finish();
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
/// turns into inline assembly.
static LogicalResult lowerInlinePTX(gpu::GPUModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateNVVMToLLVMConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalOp<NVVM::InlinePtxOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Sites that a module has, or is to get: of earlier runs and modules.
unsigned Emulation::countSites(Operation *destination) {
  unsigned count = 0;
  for (Operation &op : destination->getRegion(0).front())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      count += symbol.getName().starts_with("__tmem_emu_site_");
  for (const std::unique_ptr<Work> &work : works)
    if (work->original->getParentOp() == destination)
      count += work->state.sites.size();
  return count;
}

LogicalResult Emulation::rewrite(gpu::GPUModuleOp original) {
  auto host = original->getParentOfType<ModuleOp>();
  if (failed(verifyLaunches(host, original)))
    return failure();
  auto work = std::make_unique<Work>();
  work->original = original;
  work->holder = ModuleOp::create(original.getLoc());
  ModuleState &state = work->state;
  state.module = original.clone();
  work->holder->push_back(state.module);
  state.chip = getChip(original);
  state.isHost = mode != Mode::Device;
  state.firstSite = countSites(state.isHost ? host.getOperation() : original);
  works.push_back(std::move(work));
  if (failed(verifyDialects(state)) ||
      (state.hasInlinePTX && failed(lowerInlinePTX(state.module))))
    return failure();
  if (state.isHost)
    nameForHost(state, host, usedNames[host]);
  if (failed(rewriteModule(state)))
    return failure();
  return state.isHost ? verifyDeclarations(state, host) : success();
}

void Emulation::finish() {
  llvm::MapVector<Operation *, SmallVector<std::string>> kernels;
  for (const std::unique_ptr<Work> &work : works) {
    if (!work->state.isHost) {
      replaceDeviceModule(work->state, work->original);
      continue;
    }
    auto host = work->original->getParentOfType<ModuleOp>();
    llvm::append_range(kernels[host], moveToHost(work->state, work->original,
                                                 host, mode == Mode::Both));
  }
  for (auto &[host, names] : kernels)
    addRegistration(cast<ModuleOp>(host), names);
}
