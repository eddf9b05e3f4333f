//===- GrowthBench.cpp - How passes grow with the operations --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each pass on kernels of about 1,000, 10,000 and 100,000 operations, of every
// shape of control flow. What is compared are passes, not what surrounds them:
//
// - Each run gets a module that has just been read from bytecode, so that its
//   operations lie in memory in their order, as a compiler's do that reads a
//   file and creates them. Clones do not: they go where something of their size
//   was freed before, and then every walk waits for memory at each operation.
// - Every run begins with the module in memory and in no cache, whatever its
//   size: 100,000 operations take 25 MB and more. In caches, the smaller ones
//   alone would be, and the growth would be that of the processor's memory. The
//   pass itself is in the caches: it has just run on a small module. With
//   --warm-caches, modules are where reading them has left them.
// - The heap has grown and nothing is given back (tmem-bench.cpp), so that no
//   pages are faulted in. The modules are not verified between passes.
// - The least CPU time of many runs counts: what else the machine does, also to
//   caches that are shared, can only add to it.
//
// The verifier, which walks over all operations once, is measured on the same
// modules, and its growth stands beside that of each pass; with that of
// canonicalization of kernels of the same control flow.
//
// Left out are passes that look at symbols alone (tmem-align-shared-memory,
// tmem-require-block-size), and those in which LLVM or ptxas works
// (tmem-generate-code, tmem-assemble).

#include "GrowthBench.h"
#include "GrowthKernels.h"
#include "KernelSource.h"
#include "mlir/Bytecode/BytecodeWriter.h"
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
#include <limits>
#include <time.h>

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
};

struct NamedFlow {
  const char *name;
  Flow flow;
};

} // namespace

/// What comes before emulation, and before LLVM.
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
    {"tmem-plan-columns-barriers", Steps::Shared,
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
       manager.addPass(tmem::createTMemTileTransfers(
           {/*columns=*/4, /*maxLiveRegisters=*/64}));
     }},
    {"tmem-fold-load-reduce", Steps::Reduced,
     [](OpPassManager &manager) {
       manager.nest<gpu::GPUModuleOp>().addPass(
           tmem::createTMemFoldLoadReduce({/*chip=*/"sm_103a"}));
     }},
    {"tmem-check-target", Steps::Placed,
     [](OpPassManager &manager) {
       tmem::TMemCheckTargetOptions options;
       options.chip = "sm_100a";
       manager.addPass(tmem::createTMemCheckTarget(options));
     }},
    {"tmem-convert-float8", Steps::Truncated,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemConvertFloat8());
     }},
    {"convert-tmem-to-nvvm", Steps::Placed,
     [](OpPassManager &manager) {
       manager.nest<gpu::GPUModuleOp>().addPass(
           tmem::createConvertTMemToNVVM());
     }},
    {"tmem-check-code", Steps::Placed,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createTMemCheckCode());
     },
     lowerToNVVM},
    {"emulate-tcgen05", Steps::Placed,
     [](OpPassManager &manager) {
       manager.addPass(tmem::createEmulateTcgen05({"host", "sm_100a"}));
     },
     lowerToNVVM},
};

static const NamedFlow flows[] = {
    {"line", Flow::Line},           {"loops", Flow::Loops},
    {"pipelined", Flow::Pipelined}, {"blocks", Flow::Blocks},
    {"nested", Flow::Nested},       {"kernels", Flow::Kernels},
};

/// Printing what a pass remarks on would cost more than finding it.
static LogicalResult printErrors(Diagnostic &diagnostic) {
  return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
}

static OwningOpRef<ModuleOp> makeModule(const MeasuredPass &pass, Flow flow,
                                        unsigned count) {
  MLIRContext &context = tmem::getBenchmarkContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      tmem::makeGrowthKernels(pass.steps, flow, count),
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

/// Of the thread.
static double getCPUSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

bool mlir::tmem::areCachesWarm = false;

/// Leaves nothing in the caches but what it reads itself. To write would leave
/// work to whoever puts something else there.
static void emptyCaches() {
  constexpr size_t bytes = size_t(128) << 20, line = 64;
  static const std::vector<char> memory(bytes, 1);
  for (size_t i = 0; i < bytes; i += line)
    benchmark::DoNotOptimize(memory[i]);
}

namespace {
using Run = llvm::function_ref<LogicalResult(ModuleOp)>;

/// A module that is read anew for each run.
class Subject {
public:
  explicit Subject(ModuleOp module) : context(module.getContext()) {
    llvm::raw_string_ostream os(bytecode);
    if (failed(writeBytecodeToFile(module, os)))
      bytecode.clear();
  }

  OwningOpRef<ModuleOp> read() const {
    return parseSourceString<ModuleOp>(
        bytecode, ParserConfig(context, /*verifyAfterParse=*/false));
  }

private:
  MLIRContext *context;
  std::string bytecode;
};
} // namespace

/// The least CPU time of `run` on a module, of many times; nothing if it fails.
/// Before each, it runs on the small one.
static std::optional<double> measure(const Subject &subject,
                                     const Subject &small, Run run) {
  constexpr unsigned minRuns = 7, maxRuns = 30;
  constexpr double enough = 0.3;
  double least = std::numeric_limits<double>::max(), sum = 0;
  for (unsigned i = 0; i < minRuns || (i < maxRuns && sum < enough); ++i) {
    OwningOpRef<ModuleOp> module = subject.read(), first = small.read();
    if (!tmem::areCachesWarm)
      emptyCaches();
    if (!module || !first || failed(run(*first)))
      return std::nullopt;
    double start = getCPUSeconds();
    if (failed(run(*module)))
      return std::nullopt;
    double time = getCPUSeconds() - start;
    least = std::min(least, time);
    sum += time;
  }
  return least;
}

static void measure(benchmark::State &state, const MeasuredPass &pass,
                    Flow flow) {
  MLIRContext &context = tmem::getBenchmarkContext();
  ScopedDiagnosticHandler handler(&context, printErrors);
  constexpr int64_t fewOps = 100;
  OwningOpRef<ModuleOp> module = makeModuleOfSize(pass, flow, state.range(0)),
                        few = makeModuleOfSize(pass, flow, fewOps);
  if (!module || !few)
    return state.SkipWithError("the kernel does not compile");
  Subject subject(*module), small(*few);
  state.counters["ops"] = countOps(std::move(module));
  PassManager manager(&context);
  manager.enableVerifier(false);
  if (pass.measure)
    pass.measure(manager);
  std::optional<double> verifier =
      measure(subject, small, [](ModuleOp module) { return verify(module); });
  std::optional<double> time = verifier;
  if (pass.measure)
    time = measure(subject, small,
                   [&](ModuleOp module) { return manager.run(module); });
  if (!verifier || !time)
    return state.SkipWithError("the pass fails");
  state.counters["verify_ms"] = *verifier * 1e3;
  for (auto _ : state)
    state.SetIterationTime(*time);
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
      entry->Unit(benchmark::kMillisecond)->Iterations(1)->UseManualTime();
      for (int64_t ops : {1000, 10'000, 100'000})
        entry->Arg(ops);
    }
  return true;
}();
