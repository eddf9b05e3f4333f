//===- GenerateCode.cpp - From lowered gpu.modules to binaries ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "tmem/Target/CodeGeneration.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMGENERATECODE
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

namespace {

/// A gpu.module for one of its targets; it is gone once it is a binary.
struct Job {
  Location loc;
  std::string name;
};

class GenerateCodePass
    : public tmem::impl::TMemGenerateCodeBase<GenerateCodePass> {
public:
  using Base::Base;

  void runOnOperation() override {
    if (format != "isa" && format != "bin") {
      emitError(getOperation().getLoc())
          << "expected the format isa or bin, but got " << format;
      return signalPassFailure();
    }
    if (!chip.empty())
      attachTarget();
    SmallVector<Job> jobs = findJobs();
    size_t numBegun = 0;
    auto errors = std::make_shared<std::string>();
    bool isDone = false;
    std::optional<std::string> crash = runGuarded([&] {
      isDone = succeeded(generate([&](llvm::Module &module) {
        collectErrors(module.getContext(), errors);
        ++numBegun;
      }));
    });
    if (crash)
      *errors += *crash;
    if (!errors->empty())
      report(jobs, numBegun, *errors);
    if (!isDone || !errors->empty())
      signalPassFailure();
  }

private:
  void attachTarget() {
    constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";
    auto target = NVVM::NVVMTargetAttr::get(&getContext(), optLevel, triple,
                                            chip, features);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      llvm::SetVector<Attribute> targets;
      if (ArrayAttr known = module.getTargetsAttr())
        targets.insert(known.begin(), known.end());
      targets.insert(target);
      module.setTargetsAttr(
          ArrayAttr::get(&getContext(), targets.getArrayRef()));
    }
  }

  /// In the order in which they are compiled.
  SmallVector<Job> findJobs() {
    SmallVector<Job> jobs;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      if (ArrayAttr targets = module.getTargetsAttr())
        jobs.append(targets.size(), {module.getLoc(), module.getName().str()});
    return jobs;
  }

  LogicalResult generate(function_ref<void(llvm::Module &)> begin) {
    SmallVector<Attribute> libraries;
    if (!library.empty())
      libraries.push_back(StringAttr::get(&getContext(), library));
    std::optional<SymbolTable> table;
    auto getTable = [&]() -> SymbolTable * {
      if (!table)
        table.emplace(getOperation());
      return &*table;
    };
    gpu::TargetOptions options("", libraries, "", "",
                               format == "isa"
                                   ? gpu::CompilationTarget::Assembly
                                   : gpu::CompilationTarget::Binary,
                               getTable, begin);
    return gpu::transformGpuModulesToBinaries(getOperation(), nullptr, options);
  }

  void report(ArrayRef<Job> jobs, size_t numBegun, StringRef text) {
    auto [first, rest] = text.split('\n');
    InFlightDiagnostic diag = numBegun == 0 || numBegun > jobs.size()
                                  ? emitError(getOperation().getLoc())
                                  : emitError(jobs[numBegun - 1].loc)
                                        << "'gpu.module' op @"
                                        << jobs[numBegun - 1].name << ": ";
    diag << "expected code that LLVM can compile, but got: " << first.trim();
    SmallVector<StringRef> lines;
    rest.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      diag.attachNote() << line;
  }
};

} // namespace
