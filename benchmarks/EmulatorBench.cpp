//===- EmulatorBench.cpp - How fast emulated kernels run ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSource.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tmem/Runner/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include <benchmark/benchmark.h>

using namespace mlir;

static tmem::RunnerOptions getOptions() {
  tmem::RunnerOptions options;
  options.libraryDir = TMEM_LIBRARY_DIR;
  options.mlirLibraryDir = TMEM_MLIR_LIBRARY_DIR;
  return options;
}

static std::unique_ptr<tmem::Program> compile(StringRef source) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, &tmem::getBenchmarkContext());
  if (!module || failed(tmem::lowerProgram(*module, getOptions())))
    return nullptr;
  auto program = tmem::Program::compile(*module, getOptions());
  if (program)
    return std::move(*program);
  llvm::errs() << llvm::toString(program.takeError()) << "\n";
  return nullptr;
}

/// Runs a kernel of `iterations` x64 stores and loads; reports cells a second.
static void runTransfers(benchmark::State &state, unsigned numCTAs,
                         unsigned iterations,
                         const tmem::EmulationSettings &settings) {
  auto program = compile(tmem::makeEmulatorProgram(numCTAs, iterations));
  if (!program)
    return state.SkipWithError("the kernel does not compile");
  if (llvm::Error error = tmem::configureEmulation(getOptions(), settings))
    return state.SkipWithError(llvm::toString(std::move(error)).c_str());
  for (auto _ : state)
    if (program->run())
      return state.SkipWithError("the kernel does not run");
  state.SetItemsProcessed(state.iterations() * int64_t(numCTAs) * iterations *
                          128 * 64 * 2);
}

/// One CTA; items are cells moved.
static void BM_Emulator(benchmark::State &state) {
  tmem::EmulationSettings settings;
  settings.threads = 1;
  runTransfers(state, /*numCTAs=*/1, /*iterations=*/1000, settings);
}
BENCHMARK(BM_Emulator)->Unit(benchmark::kMillisecond)->UseRealTime();

static void BM_EmulatorRaceMode(benchmark::State &state) {
  tmem::EmulationSettings settings;
  settings.threads = 1;
  settings.race = true;
  runTransfers(state, /*numCTAs=*/1, /*iterations=*/1000, settings);
}
BENCHMARK(BM_EmulatorRaceMode)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A grid of 64 CTAs on so many threads of the host.
static void BM_EmulatorThreads(benchmark::State &state) {
  tmem::EmulationSettings settings;
  settings.threads = state.range(0);
  runTransfers(state, /*numCTAs=*/64, /*iterations=*/100, settings);
}
BENCHMARK(BM_EmulatorThreads)
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// 8192 CTAs of 128 threads that allocate, move one tile, and free.
static void BM_EmulatorGrid(benchmark::State &state) {
  runTransfers(state, /*numCTAs=*/8192, /*iterations=*/1,
               tmem::EmulationSettings());
}
BENCHMARK(BM_EmulatorGrid)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The example without its lines of output.
static std::string getSilentRoundTrip() {
  std::string source = tmem::getRoundTripKernel(), text;
  for (StringRef line : llvm::split(source, '\n'))
    if (!line.contains("vector.print"))
      text += (line + "\n").str();
  return text;
}

/// From source to the checked result.
static void BM_EmulatorRoundTrip(benchmark::State &state) {
  std::string source = getSilentRoundTrip();
  if (llvm::Error error = tmem::configureEmulation(getOptions(), {}))
    return state.SkipWithError(llvm::toString(std::move(error)).c_str());
  for (auto _ : state) {
    auto program = compile(source);
    if (!program || program->run())
      return state.SkipWithError("the example does not run");
  }
}
BENCHMARK(BM_EmulatorRoundTrip)->Unit(benchmark::kMillisecond)->UseRealTime();
