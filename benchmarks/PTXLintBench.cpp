//===- PTXLintBench.cpp - How fast PTX is read and linted -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSource.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tmem/Pipelines/Pipelines.h"
#include "tmem/Target/PTX.h"
#include "tmem/Target/PTXLint.h"
#include <benchmark/benchmark.h>

using namespace mlir;

/// The PTX of the round trip, or nothing.
static std::string compileKernel() {
  MLIRContext &context = tmem::getBenchmarkContext();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(tmem::getRoundTripKernel(), &context);
  PassManager manager(&context);
  tmem::TMemToCubinOptions options;
  options.format = "isa";
  tmem::buildTMemToCubinPipeline(manager, options);
  if (!module || failed(manager.run(*module)))
    return "";
  std::string text;
  module->walk([&](gpu::BinaryOp binary) {
    text = cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject().str();
  });
  return text;
}

/// A module of the kernel again and again, about as large as asked for.
static std::string repeatKernel(size_t size) {
  std::string kernel = compileKernel();
  size_t start = kernel.find(".visible");
  if (start == std::string::npos)
    return "";
  std::string text = kernel.substr(0, start);
  while (text.size() < size)
    text.append(kernel, start);
  return text;
}

static void BM_PTXLint(benchmark::State &state) {
  std::string text = repeatKernel(state.range(0) << 20);
  for (auto _ : state) {
    llvm::Expected<tmem::PTXModule> module = tmem::parsePTX(text);
    if (!module) {
      llvm::consumeError(module.takeError());
      return state.SkipWithError("the PTX is not read");
    }
    benchmark::DoNotOptimize(tmem::lintPTX(*module));
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_PTXLint)->Arg(2)->Arg(20)->Unit(benchmark::kMillisecond);
