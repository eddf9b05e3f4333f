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
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
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

/// The module again and again from its first function on, about as large as
/// asked for.
static std::string repeat(llvm::StringRef module, llvm::StringRef function,
                          size_t size) {
  size_t start = module.find(function);
  if (start == llvm::StringRef::npos)
    return "";
  std::string text = module.take_front(start).str();
  while (text.size() < size)
    text += module.drop_front(start);
  return text;
}

/// What the lint's tests have for the output of another compiler.
static std::string readTest(llvm::StringRef name) {
  auto buffer =
      llvm::MemoryBuffer::getFile(TMEM_PTX_LINT_TESTS "/" + name.str());
  return buffer ? (*buffer)->getBuffer().str() : "";
}

//===----------------------------------------------------------------------===//
// Kernels of many loads
//===----------------------------------------------------------------------===//

namespace {
/// Writes one kernel, each load into registers of its own.
class Writer {
public:
  explicit Writer(unsigned numRegisters) {
    os << ".version 8.8\n.target sm_100a\n.address_size 64\n"
          ".visible .entry k()\n{\n\t.reg .pred %p<"
       << numRegisters << ">;\n\t.reg .b32 %r<" << numRegisters << ">;\n";
  }

  void list(unsigned first, unsigned count) {
    for (unsigned i = 0; i != count; ++i)
      os << (i == 0 ? "{%r" : ", %r") << first + i;
    os << '}';
  }
  void load(unsigned first, unsigned count) {
    os << "\ttcgen05.ld.sync.aligned.32x32b.x" << count << ".b32 ";
    list(first, count);
    os << ", [%r1];\n";
  }
  void use(unsigned first) {
    os << "\tadd.s32 \t%r0, %r" << first << ", %r" << first + 1 << ";\n";
  }
  std::string finish() {
    os << "\tret;\n}\n";
    return std::move(text);
  }

private:
  std::string text;

public:
  llvm::raw_string_ostream os{text};
};
} // namespace

static constexpr char waitLoad[] = "\ttcgen05.wait::ld.sync.aligned;\n";

/// Load, wait, store, wait: long lists of registers, and nothing in flight.
static std::string makeWaited(unsigned count) {
  Writer writer(2 + 32 * count);
  for (unsigned i = 0; i != count; ++i) {
    writer.load(2 + 32 * i, 32);
    writer.os << waitLoad << "\ttcgen05.st.sync.aligned.32x32b.x32.b32 [%r1], ";
    writer.list(2 + 32 * i, 32);
    writer.os << ";\n\ttcgen05.wait::st.sync.aligned;\n";
  }
  return writer.finish();
}

/// All loads, one wait, all uses.
static std::string makePending(unsigned count) {
  Writer writer(2 + 4 * count);
  for (unsigned i = 0; i != count; ++i)
    writer.load(2 + 4 * i, 4);
  writer.os << waitLoad;
  for (unsigned i = 0; i != count; ++i)
    writer.use(2 + 4 * i);
  return writer.finish();
}

/// Each load in a branch of its own, each use too, and no wait: every load is
/// in flight at every use.
static std::string makeBranches(unsigned count) {
  Writer writer(2 + 4 * count);
  for (unsigned i = 0; i != count; ++i) {
    writer.os << "\t@%p" << i << " bra \t$L" << i << ";\n";
    writer.load(2 + 4 * i, 4);
    writer.os << "$L" << i << ":\n";
  }
  for (unsigned i = 0; i != count; ++i) {
    writer.os << "\t@%p" << i << " bra \t$M" << i << ";\n";
    writer.use(2 + 4 * i);
    writer.os << "$M" << i << ":\n";
  }
  return writer.finish();
}

/// Load, wait and use under one predicate, which each has of its own.
static std::string makePredicates(unsigned count) {
  Writer writer(2 + 4 * count);
  for (unsigned i = 0; i != count; ++i) {
    writer.os << "\tsetp.lt.s32 \t%p" << i << ", %r1, " << i << ";\n\t@%p" << i;
    writer.load(2 + 4 * i, 4);
    writer.os << "\t@%p" << i << waitLoad << "\t@%p" << i;
    writer.use(2 + 4 * i);
  }
  return writer.finish();
}

//===----------------------------------------------------------------------===//
// Benchmarks
//===----------------------------------------------------------------------===//

static void lint(benchmark::State &state, llvm::StringRef text) {
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

/// Texts of this project's output, and in the manner of others, in MiB.
static void BM_PTXLint(benchmark::State &state) {
  lint(state, repeat(compileKernel(), ".visible", state.range(0) << 20));
}
static void BM_PTXLintTritonStyle(benchmark::State &state) {
  lint(state,
       repeat(readTest("triton-style.ptx"), ".visible", state.range(0) << 20));
}
static void BM_PTXLintCuTeStyle(benchmark::State &state) {
  lint(state,
       repeat(readTest("cute-style.ptx"), ".func", state.range(0) << 20));
}
BENCHMARK(BM_PTXLint)->Arg(2)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PTXLintTritonStyle)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PTXLintCuTeStyle)->Arg(20)->Unit(benchmark::kMillisecond);

/// One kernel of so many loads.
template <std::string (&make)(unsigned)>
static void BM_PTXLintLoads(benchmark::State &state) {
  lint(state, make(state.range(0)));
}
BENCHMARK(BM_PTXLintLoads<makeWaited>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PTXLintLoads<makePending>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PTXLintLoads<makeBranches>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PTXLintLoads<makePredicates>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
