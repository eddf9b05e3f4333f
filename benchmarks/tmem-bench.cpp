//===- tmem-bench.cpp - How long planning and lowering take ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything is measured in one run, so that ratios hold on a busy machine: the
// growth of verification and lowering with the number of transfers, and their
// share of a small kernel's compile time beside LLVM's and ptxas's.

#include "KernelSource.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Layout/Planner.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/Support/TargetSelect.h"
#include <benchmark/benchmark.h>
#include <limits>
#include <malloc.h>
#include <map>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Planner
//===----------------------------------------------------------------------===//

/// The 128x128 accumulator of a warpgroup, row by thread.
static void BM_PlanX128(benchmark::State &state) {
  tmem::Layout memory, registers;
  memory.modes = {{128, 1, tmem::Axis::TLane}, {128, 1, tmem::Axis::TCol}};
  registers.modes = {{128, 1, tmem::Axis::Tid}, {128, 1, tmem::Axis::Reg}};
  int64_t shape[] = {128, 128};
  tmem::Transfer transfer{tmem::Direction::Load, memory,       registers, shape,
                          /*elementBits=*/32,
                          /*vectorSize=*/128,    tmem::Scope{}};
  tmem::Atom atom{tmem::AtomShape::S32x32b, {128}, tmem::Packing::None};
  for (auto _ : state) {
    tmem::PlanResult plan = tmem::planTransfer(transfer, atom);
    if (!std::holds_alternative<tmem::TransferPlan>(plan))
      state.SkipWithError("no plan");
    benchmark::DoNotOptimize(plan);
  }
}
BENCHMARK(BM_PlanX128)->Unit(benchmark::kMicrosecond);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Runs what `build` puts into a pipeline on a fresh copy of the kernel.
static void runOnCopies(benchmark::State &state, StringRef source,
                        llvm::function_ref<void(OpPassManager &)> prepare,
                        llvm::function_ref<void(OpPassManager &)> measure) {
  MLIRContext &context = tmem::getBenchmarkContext();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  PassManager before(&context), manager(&context);
  manager.enableVerifier(false);
  prepare(before);
  measure(manager);
  if (!module || failed(before.run(*module)))
    return state.SkipWithError("the kernel does not compile");
  // One run to grow the heap: page faults would count for the largest kernels
  // alone, and growth would look worse than linear.
  OwningOpRef<ModuleOp> first = module->clone();
  if (failed(manager.run(*first)))
    return state.SkipWithError("the kernel does not compile");
  first = nullptr;
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> copy = module->clone();
    state.ResumeTiming();
    if (failed(manager.run(*copy)))
      return state.SkipWithError("the kernel does not compile");
    state.PauseTiming();
    copy = nullptr;
    state.ResumeTiming();
  }
}

static void BM_Verify(benchmark::State &state) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      tmem::makeTransferKernel(state.range(0)), &tmem::getBenchmarkContext());
  for (auto _ : state)
    if (!module || failed(verify(*module)))
      return state.SkipWithError("the kernel does not verify");
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Verify)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

static void BM_LowerToNVVM(benchmark::State &state) {
  runOnCopies(
      state, tmem::makeTransferKernel(state.range(0)), [](OpPassManager &) {},
      [](OpPassManager &manager) {
        manager.nest<gpu::GPUModuleOp>().addPass(
            tmem::createConvertTMemToNVVM());
      });
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_LowerToNVVM)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2.0)
    ->Complexity(benchmark::oN);

static void addSelectAtoms(OpPassManager &manager) {
  manager.nest<gpu::GPUModuleOp>().addPass(tmem::createTMemSelectAtoms());
}

/// A tile that fills TMEM, with every atom to choose from: all of the pass.
static void BM_SelectLargestTile(benchmark::State &state) {
  runOnCopies(
      state, tmem::getLargestTileKernel(), [](OpPassManager &) {},
      addSelectAtoms);
}
BENCHMARK(BM_SelectLargestTile)->Unit(benchmark::kMillisecond);

static void BM_SelectAtoms(benchmark::State &state) {
  runOnCopies(
      state, tmem::makeUnselectedKernel(state.range(0)), [](OpPassManager &) {},
      addSelectAtoms);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_SelectAtoms)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2.0)
    ->Complexity(benchmark::oN);

static void BM_CheckHazards(benchmark::State &state) {
  runOnCopies(
      state, tmem::makeTransferKernel(state.range(0)), [](OpPassManager &) {},
      [](OpPassManager &manager) {
        tmem::TMemCheckHazardsOptions options;
        options.report = "warning";
        manager.addPass(tmem::createTMemCheckHazards(options));
      });
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_CheckHazards)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

/// 6,000, 60,000 and 120,000 operations.
static void BM_PlanColumns(benchmark::State &state) {
  runOnCopies(
      state, tmem::makeBufferKernel(state.range(0)), [](OpPassManager &) {},
      [](OpPassManager &manager) {
        manager.addPass(tmem::createTMemPlanColumns());
      });
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_PlanColumns)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

static void BM_InsertWaits(benchmark::State &state, StringRef shape) {
  runOnCopies(
      state, tmem::makeReadKernel(state.range(0), shape),
      [](OpPassManager &) {},
      [](OpPassManager &manager) {
        manager.addPass(tmem::createTMemInsertWaits());
      });
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_InsertWaits, row, "row")
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(BM_InsertWaits, blocks, "blocks")
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(BM_InsertWaits, loops, "loops")
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

//===----------------------------------------------------------------------===//
// Shares of a small kernel
//===----------------------------------------------------------------------===//

static void BM_RoundTripOurPasses(benchmark::State &state) {
  runOnCopies(
      state, tmem::getRoundTripKernel(), [](OpPassManager &) {},
      [](OpPassManager &manager) {
        manager.nest<gpu::GPUModuleOp>().addPass(
            tmem::createConvertTMemToNVVM());
      });
}
BENCHMARK(BM_RoundTripOurPasses)->Unit(benchmark::kMillisecond);

static void addPipeline(OpPassManager &manager, StringRef format) {
  tmem::TMemToCubinOptions options;
  options.format = format.str();
  tmem::buildTMemToCubinPipeline(manager, options);
}

/// MLIR's and LLVM's part: all that leads to PTX.
static void BM_RoundTripToPTX(benchmark::State &state) {
  runOnCopies(
      state, tmem::getRoundTripKernel(), [](OpPassManager &) {},
      [](OpPassManager &manager) { addPipeline(manager, "isa"); });
}
BENCHMARK(BM_RoundTripToPTX)->Unit(benchmark::kMillisecond);

/// The check of the PTX, and ptxas.
static void BM_RoundTripAssemble(benchmark::State &state) {
  runOnCopies(
      state, tmem::getRoundTripKernel(),
      [](OpPassManager &manager) { addPipeline(manager, "isa"); },
      [](OpPassManager &manager) {
        manager.addPass(tmem::createTMemAssemble());
      });
}
BENCHMARK(BM_RoundTripAssemble)->Unit(benchmark::kMillisecond);

//===----------------------------------------------------------------------===//
// Ratios
//===----------------------------------------------------------------------===//

namespace {
/// Prints the ratios that matter below the table.
class RatioReporter : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (run.run_type == Run::RT_Iteration)
        times[getName(run)] = {run.GetAdjustedCPUTime(),
                               run.GetAdjustedRealTime()};
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    print("verify, 10,000 transfers to 1,000", "BM_Verify/10000",
          "BM_Verify/1000", &Times::cpu);
    print("lower, 10,000 transfers to 1,000", "BM_LowerToNVVM/10000",
          "BM_LowerToNVVM/1000", &Times::cpu);
    print("select, 10,000 transfers to 1,000", "BM_SelectAtoms/10000",
          "BM_SelectAtoms/1000", &Times::cpu);
    print("plan columns, 10,000 branches to 1,000", "BM_PlanColumns/10000",
          "BM_PlanColumns/1000", &Times::cpu);
    print("round trip, our passes to all that leads to PTX",
          "BM_RoundTripOurPasses", "BM_RoundTripToPTX", &Times::real);
    print("emulator, race mode off to on", "BM_EmulatorRaceMode", "BM_Emulator",
          &Times::real);
    // ptxas is another process: its time is real time only.
    print("round trip, our passes to PTX check and ptxas",
          "BM_RoundTripOurPasses", "BM_RoundTripAssemble", &Times::real);
  }

private:
  struct Times {
    double cpu, real;
  };

  /// The benchmark and its argument, without its settings.
  static std::string getName(const Run &run) {
    const benchmark::BenchmarkName &name = run.run_name;
    return name.args.empty() ? name.function_name
                             : name.function_name + "/" + name.args;
  }

  void print(const char *what, const std::string &a, const std::string &b,
             double Times::*time) {
    if (times.count(a) && times.count(b))
      GetOutputStream() << "ratio: " << what << ": "
                        << times[a].*time / (times[b].*time) << "\n";
  }

  std::map<std::string, Times> times;
};
} // namespace

int main(int argc, char **argv) {
  // What a benchmark frees stays with the process, for its next iteration.
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}
