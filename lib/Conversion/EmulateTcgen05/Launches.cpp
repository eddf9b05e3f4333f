//===- Launches.cpp - Launches that cannot work ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

/// How many arguments of a kernel a value becomes when host code is lowered: a
/// memref its descriptor, or a bare pointer. Nothing if that is not known.
static std::optional<unsigned> getNumArguments(Type type, bool isBare) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return isBare ? 1 : 3 + 2 * memref.getRank();
  if (isa<UnrankedMemRefType>(type))
    return 2;
  if (type.isIntOrIndexOrFloat() || isa<VectorType>(type) ||
      LLVM::isCompatibleType(type))
    return 1;
  return std::nullopt;
}

static std::optional<unsigned> getNumArguments(gpu::LaunchFuncOp launch,
                                               bool isBare) {
  unsigned count = 0;
  for (Value operand : launch.getKernelOperands()) {
    std::optional<unsigned> some = getNumArguments(operand.getType(), isBare);
    if (!some)
      return std::nullopt;
    count += *some;
  }
  return count;
}

static std::string getKernelNames(gpu::GPUModuleOp module) {
  SmallVector<StringRef> names;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (isKernel(function))
      names.push_back(function.getName());
  return names.empty() ? "none" : "@" + llvm::join(names, ", @");
}

static LogicalResult verifyLaunch(gpu::LaunchFuncOp launch,
                                  gpu::GPUModuleOp module) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(launch.getKernelName());
  if (!kernel || !isKernel(kernel) || kernel.isExternal())
    return launch.emitOpError("expected a kernel of @")
           << module.getName() << " (" << getKernelNames(module)
           << "), but got @" << launch.getKernelName();
  std::optional<unsigned> count = getNumArguments(launch, /*isBare=*/false);
  std::optional<unsigned> bare = getNumArguments(launch, /*isBare=*/true);
  unsigned wanted = kernel.getNumArguments();
  if (!count || count == wanted || bare == wanted)
    return success();
  InFlightDiagnostic diag = launch.emitOpError("expected operands for the ")
                            << wanted << " arguments of @" << kernel.getName()
                            << ", but got operands for " << *count;
  diag.attachNote(kernel.getLoc()) << "the kernel";
  return diag;
}

LogicalResult mlir::tmem::emulate::verifyLaunches(ModuleOp host,
                                                  gpu::GPUModuleOp module) {
  WalkResult result = host.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch || launch.getKernelModuleName() != module.getNameAttr())
      return WalkResult::advance();
    return WalkResult(verifyLaunch(launch, module));
  });
  return failure(result.wasInterrupted());
}
