//===- tmem-run.cpp - Runs programs with tmem kernels ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seeds.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "tmem/InitAll.h"
#include "tmem/Runner/Runner.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tmem;
namespace cl = llvm::cl;

enum class Where { CPU, CUDA };

static cl::OptionCategory category("Options of tmem-run");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<kernel.mlir>"),
                                      cl::cat(category));
static cl::opt<std::string>
    entryName("entry", cl::init("main"), cl::cat(category),
              cl::desc("The host function to run (default: main)"));
static cl::opt<Where> where(
    "on", cl::init(Where::CPU), cl::cat(category),
    cl::desc("Where kernels run (default: cpu)"),
    cl::values(clEnumValN(Where::CPU, "cpu", "emulated on this machine's CPU"),
               clEnumValN(Where::CUDA, "cuda",
                          "on the NVIDIA GPU: as they are when it has Tensor "
                          "Memory, else emulated")));
static cl::opt<std::string>
    chip("chip", cl::init("sm_100a"), cl::cat(category),
         cl::desc("The chip to model (default: sm_100a)"));
static cl::opt<std::string>
    gpuChip("gpu-chip", cl::cat(category),
            cl::desc("With --on=cuda: the GPU to compile for, such as sm_90 or "
                     "sm_100a; by default that of this machine"));
static cl::opt<bool>
    race("race", cl::cat(category),
         cl::desc("Report accesses of two warps that nothing orders"));
static cl::opt<uint64_t>
    seed("seed", cl::init(0), cl::cat(category),
         cl::desc("The order of warps (default: 0, round robin)"));
static cl::opt<uint64_t> seeds("seeds", cl::init(0), cl::cat(category),
                               cl::desc("Run so many orders, from --seed on"));
static cl::opt<uint64_t>
    maxSteps("max-steps", cl::init(0), cl::cat(category),
             cl::desc("Backward branches that a thread may take"));
static cl::opt<unsigned>
    numThreads("host-threads", cl::init(0), cl::cat(category),
               cl::desc("Threads of the host that emulate CTAs"));
static cl::opt<unsigned>
    optLevel("O", cl::Prefix, cl::init(2), cl::cat(category),
             cl::desc("Optimization level, 0 to 3, of host "
                      "code and emulated kernels"));
static cl::opt<bool> timing("time", cl::cat(category),
                            cl::desc("Say what took how long"));
static cl::opt<std::string> objectFile(
    "emit-object", cl::cat(category), cl::value_desc("file"),
    cl::desc("Write an object file with a C main instead of running; "
             "link it with the run-time library"));

static cl::opt<bool>
    printGPU("print-gpu", cl::cat(category),
             cl::desc("Name the NVIDIA GPU of this machine and what it can do, "
                      "and stop"));

static constexpr llvm::StringLiteral overview =
    "Compiles a program of host code and tmem (or nvvm) kernels and runs it.\n"
    "Exit status: 0 ran clean; 1 a fault was found, or the program returned "
    "something\nelse than 0; 2 the input or the set-up cannot be used.\n";

static int fail(const Twine &message) {
  llvm::errs() << "tmem-run: error: " << message << "\n";
  return Unusable;
}

/// The folder of the run-time libraries, beside that of this program.
static std::string getLibraryDir(const char *program) {
  std::string path = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&getLibraryDir));
  llvm::SmallString<128> dir(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(path)));
  llvm::sys::path::append(dir, "lib");
  return dir.str().str();
}

/// What to compile for, from the options and the GPU of this machine.
static int chooseGPU(RunnerOptions &options) {
  options.mode = RunMode::DeviceEmulated;
  options.gpuChip = gpuChip;
  if (gpuChip.empty()) {
    auto gpu = findGPU(options);
    if (!gpu)
      return fail(llvm::toString(gpu.takeError()));
    options.gpuChip = gpu->chip;
  }
  if (findChip(options.gpuChip)) {
    options.mode = RunMode::Native;
    options.chip = options.gpuChip;
  }
  return Clean;
}

static int printFoundGPU(RunnerOptions &options) {
  options.mode = RunMode::DeviceEmulated;
  auto gpu = findGPU(options);
  if (!gpu)
    return fail(llvm::toString(gpu.takeError()));
  llvm::outs() << gpu->name << ", " << gpu->chip << ": "
               << (gpu->hasTensorMemory ? "has Tensor Memory" : "emulates")
               << "\n";
  return Clean;
}

/// What the command line says of the emulation.
static EmulationSettings getSettings() {
  EmulationSettings settings;
  if (seed.getNumOccurrences())
    settings.seed = seed;
  if (race.getNumOccurrences())
    settings.race = race;
  if (maxSteps.getNumOccurrences())
    settings.maxSteps = maxSteps;
  if (numThreads.getNumOccurrences())
    settings.threads = numThreads;
  return settings;
}

static bool isConfigured() {
  return seed.getNumOccurrences() || race.getNumOccurrences() ||
         maxSteps.getNumOccurrences() || numThreads.getNumOccurrences() ||
         seeds.getNumOccurrences();
}

static int writeObjectFile(ModuleOp module, const RunnerOptions &options) {
  std::string error;
  auto file = openOutputFile(objectFile, &error);
  if (!file)
    return fail(error);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  if (failed(writeObject(module, options, stream)))
    return Unusable;
  file->os() << stream.str();
  file->keep();
  return Clean;
}

/// Host code that fails (an assertion, an access of no memory) ends the program
/// like a fault; the library reports those of kernels itself.
static void reportSignal(int signal) {
  std::fflush(stdout);
  llvm::errs() << "tmem-run: error: host code was ended by signal " << signal
               << ", " << strsignal(signal) << "\n";
  _exit(FoundFault);
}

static void catchSignals() {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
    std::signal(signal, reportSignal);
}

/// Runs under one seed, or many.
static int runProgram(Program &program, const RunnerOptions &options) {
  catchSignals();
  if (!seeds.getNumOccurrences())
    return program.run() ? FoundFault : Clean;
  return runSeeds(seed, seeds, [&](uint64_t value) {
    EmulationSettings settings;
    settings.seed = value;
    llvm::cantFail(configureEmulation(options, settings));
    return program.run() ? ReturnedOther : Clean;
  });
}

static int compileAndRun(ModuleOp module, const RunnerOptions &options,
                         TimingScope &total) {
  TimingScope lowering = total.nest("lower to LLVM");
  if (failed(lowerProgram(module, options)))
    return Unusable;
  lowering.stop();
  if (!objectFile.empty())
    return writeObjectFile(module, options);
  if (options.mode == RunMode::Emulated)
    if (llvm::Error error = configureEmulation(options, getSettings()))
      return fail(llvm::toString(std::move(error)));
  TimingScope compiling = total.nest("compile");
  auto program = Program::compile(module, options);
  if (!program)
    return fail(llvm::toString(program.takeError()));
  compiling.stop();
  TimingScope running = total.nest("run");
  return runProgram(**program, options);
}

static int runFile(const RunnerOptions &options, DialectRegistry &registry) {
  DefaultTimingManager manager;
  manager.setEnabled(timing);
  manager.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  TimingScope total = manager.getRootScope();
  TimingScope parsing = total.nest("parse");
  std::string error;
  auto buffer = openInputFile(inputFile, &error);
  if (!buffer)
    return fail(error);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return Unusable;
  parsing.stop();
  return compileAndRun(*module, options, total);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  // Errors of its own would end in the exit status of a fault.
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return Unusable;
  if (seeds.getNumOccurrences() && seeds == 0)
    return fail("expected at least one seed, but got --seeds=0");
  if (optLevel > 3)
    return fail("expected an optimization level from 0 to 3, but got " +
                Twine(optLevel));
  if (maxSteps.getNumOccurrences() && maxSteps == 0)
    return fail("expected at least one branch, but got --max-steps=0");
  if (where == Where::CUDA && isConfigured())
    return fail(
        "expected --on=cpu with --seed, --seeds, --race, --max-steps and "
        "--host-threads");
  if (!objectFile.empty() && isConfigured())
    return fail("expected no --emit-object with --seed, --seeds, --race, "
                "--max-steps and --host-threads: the program reads "
                "TMEM_EMULATION_SEED and its like when it runs");
  if (where == Where::CPU && !gpuChip.empty())
    return fail("expected --on=cuda with --gpu-chip");
  RunnerOptions options;
  options.chip = chip;
  options.entry = entryName;
  options.libraryDir = getLibraryDir(argv[0]);
  options.mlirLibraryDir = TMEM_MLIR_LIBRARY_DIR;
  options.optLevel = optLevel;
  options.isAhead = !objectFile.empty();
  if (printGPU)
    return printFoundGPU(options);
  if (inputFile.empty())
    return fail("expected a file to run, but got none");
  if (where == Where::CUDA)
    if (int status = chooseGPU(options))
      return status;

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  mlir::tmem::registerAllDialects(registry);
  return runFile(options, registry);
}
