//===- GrowthBench.cpp - How passes grow with the operations --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each pass on kernels of about 1,000, 10,000 and 100,000 operations, of every
// shape of control flow. Larger kernels lie in slower memory, so that even a
// walk takes more than ten times for ten times the operations: verification and
// canonicalization of the same kernels stand beside each pass.

#include "GrowthKernels.h"
#include "KernelSource.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Transforms/Passes.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using tmem::Flow;
using tmem::Steps;

namespace {

using AddPasses = void (*)(OpPassManager &);

struct MeasuredPass {
  const char *name;
  Steps steps;
  AddPasses measure;           ///< Null for the verifier.
  AddPasses prepare = nullptr; ///< Not measured.
  int64_t mostOps = 100'000;   ///< Larger kernels are left out.
};

struct NamedFlow {
  const char *name;
  Flow flow;
};

} // namespace

/// What comes before emulation.
static void lowerToNVVM(OpPassManager &manager) {
  OpPassManager &module = manager.nest<gpu::GPUModuleOp>();
  module.addPass(tmem::createConvertTMemToNVVM());
  module.addPass(createSCFToControlFlowPass());
  module.addPass(createConvertVectorToLLVMPass());
  module.addPass(createConvertGpuOpsToNVVMOps());
  module.addPass(createConvertIndexToLLVMPass());
  module.addPass(createReconcileUnrealizedCastsPass());
}

static const MeasuredPass passes[] = {
    {"verify", Steps::Placed, nullptr},
    {"canonicalize", Steps::Placed,
     [](OpPassManager &manager) {
       manager.addPass(createCanonicalizerPass());
     }},
    {"tmem-insert-waits", Steps::Direct,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemInsertWaits());
     }},
    {"tmem-plan-columns", Steps::Buffered,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemPlanColumns());
     }},
    {"tmem-check-hazards", Steps::Placed,
     [](OpPassManager &manager) {
       tmem::TMemCheckHazardsOptions options;
       options.report = "warning";
       manager.addPass(tmem::createTMemCheckHazards(options));
     }},
    {"tmem-select-atoms", Steps::Unselected,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemSelectAtoms());
     }},
    {"tmem-tile-transfers", Steps::Wide,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemTileTransfers({/*columns=*/4, 0}));
     }},
    {"tmem-fold-load-reduce", Steps::Reduced,
     [](OpPassManager &manager) {
       manager.nest<gpu::GPUModuleOp>().addPass(
           tmem::createTMemFoldLoadReduce({/*chip=*/"sm_103a"}));
     }},
    {"convert-tmem-to-nvvm", Steps::Placed,
     [](OpPassManager &manager) {
       manager.nest<gpu::GPUModuleOp>().addPass(
           tmem::createConvertTMemToNVVM());
     }},
    {"emulate-tcgen05", Steps::Placed,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createEmulateTcgen05({"host", "sm_100a"}));
     },
     lowerToNVVM},
};

static const NamedFlow flows[] = {
    {"line", Flow::Line},           {"loops", Flow::Loops},
    {"pipelined", Flow::Pipelined}, {"blocks", Flow::Blocks},
    {"nested", Flow::Nested},
};

/// Printing what a pass remarks on would cost more than finding it.
static LogicalResult printErrors(Diagnostic &diagnostic) {
  return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
}

static OwningOpRef<ModuleOp> makeModule(const MeasuredPass &pass, Flow flow,
                                        unsigned count) {
  MLIRContext &context = tmem::getBenchmarkContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      tmem::makeGrowthKernel(pass.steps, flow, count),
      ParserConfig(&context, /*verifyAfterParse=*/false));
  PassManager manager(&context);
  manager.enableVerifier(false);
  if (pass.prepare)
    pass.prepare(manager);
  if (module && failed(manager.run(*module)))
    return nullptr;
  return module;
}

static int64_t countOps(OwningOpRef<ModuleOp> module) {
  int64_t count = 0;
  if (module)
    module->walk([&](Operation *) { ++count; });
  return count;
}

/// A module of about so many operations when the pass begins.
static OwningOpRef<ModuleOp> makeModuleOfSize(const MeasuredPass &pass,
                                              Flow flow, int64_t ops) {
  constexpr unsigned sample = 1024;
  int64_t perStep =
      std::max<int64_t>(1, (countOps(makeModule(pass, flow, 2 * sample)) -
                            countOps(makeModule(pass, flow, sample))) /
                               sample);
  return makeModule(pass, flow, ops / perStep);
}

static void measureVerifier(benchmark::State &state, ModuleOp module) {
  for (auto _ : state)
    if (failed(verify(module)))
      return state.SkipWithError("the kernel does not verify");
}

static void measurePass(benchmark::State &state, const MeasuredPass &pass,
                        ModuleOp module) {
  PassManager manager(module->getContext());
  manager.enableVerifier(false);
  pass.measure(manager);
  // Once to grow the heap.
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(manager.run(*copy)))
    return state.SkipWithError("the pass fails");
  for (auto _ : state) {
    state.PauseTiming();
    copy = nullptr;
    copy = module.clone();
    state.ResumeTiming();
    if (failed(manager.run(*copy)))
      return state.SkipWithError("the pass fails");
  }
}

static void measure(benchmark::State &state, const MeasuredPass &pass,
                    Flow flow) {
  ScopedDiagnosticHandler handler(&tmem::getBenchmarkContext(), printErrors);
  OwningOpRef<ModuleOp> module = makeModuleOfSize(pass, flow, state.range(0));
  if (!module)
    return state.SkipWithError("the kernel does not compile");
  int64_t ops = 0;
  module->walk([&](Operation *) { ++ops; });
  state.counters["ops"] = ops;
  if (pass.measure)
    measurePass(state, pass, *module);
  else
    measureVerifier(state, *module);
}

/// Registered as growth/PASS/FLOW/OPS.
static const bool isRegistered = [] {
  for (const MeasuredPass &pass : passes)
    for (const NamedFlow &flow : flows) {
      // MLIR's own takes the square of their number there.
      if (flow.flow == Flow::Nested && StringRef(pass.name) == "canonicalize")
        continue;
      std::string name = std::string("growth/") + pass.name + "/" + flow.name;
      auto *entry = benchmark::RegisterBenchmark(
          name.c_str(), [&pass, &flow](benchmark::State &state) {
            measure(state, pass, flow.flow);
          });
      entry->Unit(benchmark::kMillisecond)->MinTime(0.1);
      for (int64_t ops = 1000; ops <= pass.mostOps; ops *= 10)
        entry->Arg(ops);
    }
  return true;
}();
