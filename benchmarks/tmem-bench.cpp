//===- tmem-bench.cpp - How long planning and lowering take ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything is measured in one run, so that ratios hold on a busy machine: the
// growth of verification and lowering with the number of transfers, and their
// share of a small kernel's compile time beside LLVM's and ptxas's.

#include "GrowthBench.h"
#include "KernelSource.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Conversion/Passes.h"
#include "tmem/Layout/Planner.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/Support/TargetSelect.h"
#include <benchmark/benchmark.h>
#include <cmath>
#include <limits>
#include <malloc.h>
#include <map>
#include <sys/mman.h>

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
        add(getName(run), run);
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    printGrowth();
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
    double real;
    double verifier; ///< Of the same module, where it is measured beside.
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

  /// Of repetitions the least counts.
  void add(const std::string &name, const Run &run) {
    auto verifier = run.counters.find("verify_ms");
    Times now{run.GetAdjustedRealTime(),
              verifier == run.counters.end() ? 0 : verifier->second.value};
    auto [it, isNew] = times.try_emplace(name, now);
    it->second = {std::min(it->second.real, now.real),
                  std::min(it->second.verifier, now.verifier)};
  }

  /// How much longer a pass takes for ten times the operations, beside how much
  /// longer the verifier takes on the same modules, and canonicalization on
  /// kernels with the same control flow.
  void printGrowth() {
    for (const auto &[name, larger] : times) {
      auto [rest, ops] = StringRef(name).rsplit('/');
      unsigned count;
      if (!rest.consume_front("growth/") || ops.getAsInteger(10, count))
        continue;
      auto [pass, flow] = rest.split('/');
      double own = getGrowth(pass, flow, count, &Times::real);
      if (own == 0)
        continue;
      GetOutputStream() << "growth: " << rest.str() << ", " << count / 10
                        << " to " << count << " operations: " << round(own);
      if (pass != "verify")
        GetOutputStream() << ", verify: "
                          << round(getGrowth(pass, flow, count,
                                             &Times::verifier));
      double other = getGrowth("canonicalize", flow, count, &Times::real);
      if (other != 0 && pass != "canonicalize")
        GetOutputStream() << ", canonicalize: " << round(other);
      GetOutputStream() << "\n";
    }
  }

  static double round(double ratio) { return std::round(ratio * 10) / 10; }

  /// 0 if not measured.
  double getGrowth(StringRef pass, StringRef flow, unsigned count,
                   double Times::*time) {
    auto getName = [&](unsigned ops) {
      return ("growth/" + pass + "/" + flow + "/" + Twine(ops)).str();
    };
    auto less = times.find(getName(count / 10)),
         more = times.find(getName(count));
    if (less == times.end() || more == times.end())
      return 0;
    return more->second.*time / less->second.*time;
  }

  std::map<std::string, Times> times;
};
} // namespace

/// What a benchmark frees stays with the process, for its next iteration. And
/// the heap is in large pages, as it is by itself where the kernel's setting
/// for these is "always": with small ones, large modules would be measured by
/// how the processor finds their pages.
static void setUpHeap() {
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  // Reserved, not used: pages come when they are written to.
  constexpr size_t reserved = size_t(2) << 30, largePage = size_t(2) << 20;
  void *memory = malloc(reserved);
  if (!memory)
    return;
  size_t begin = llvm::alignTo(reinterpret_cast<size_t>(memory), largePage);
  madvise(reinterpret_cast<void *>(begin), reserved - largePage, MADV_HUGEPAGE);
  free(memory);
}

/// Takes the options that are not the library's out of the arguments.
static void parseOptions(int &argc, char **argv) {
  char **end = std::remove_if(argv + 1, argv + argc, [](StringRef argument) {
    return argument == "--warm-caches";
  });
  tmem::areCachesWarm = end != argv + argc;
  argc = end - argv;
}

int main(int argc, char **argv) {
  setUpHeap();
  parseOptions(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}
