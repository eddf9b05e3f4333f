//===- Run.cpp - Running kernels on the emulator from C -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Prepare.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "tmem-c/Runner.h"
#include "tmem/ExecutionEngine/Runtime.h"
#include "tmem/Runner/Runner.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

namespace {

struct LoadedProgram {
  std::unique_ptr<Program> program;
  std::vector<ArgumentType> arguments;
  std::vector<std::string> modules; ///< Of gpu, as the emulator knows them.
  RunnerOptions options;

  ~LoadedProgram();
};

} // namespace

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The folder that this library was loaded from.
static std::string getOwnFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&tmemProgramCreate), &info) ||
      !info.dli_fname)
    return "";
  return llvm::sys::path::parent_path(info.dli_fname).str();
}

static RunnerOptions readOptions(const TMemRunOptions *from) {
  TMemRunOptions none = {};
  const TMemRunOptions &given = from ? *from : none;
  RunnerOptions options;
  options.chip = getString(given.chip, "sm_100a");
  options.entry = getString(given.entry, "main");
  options.libraryDir = getString(given.libraryDir, getOwnFolder());
  options.mlirLibraryDir =
      getString(given.mlirLibraryDir, TMEM_MLIR_LIBRARY_DIR);
  options.optLevel = given.optLevel == 0 ? 2 : given.optLevel;
  options.takesArguments = true;
  return options;
}

static LogicalResult checkOptions(const RunnerOptions &options, Location loc) {
  if (options.optLevel > 3)
    return emitError(loc) << "expected an optimization level from 1 to 3, but "
                             "got "
                          << options.optLevel;
  // MLIR's engine prints what it does not find, and goes on.
  if (!llvm::sys::fs::exists(options.getRuntimeLibrary()))
    return emitError(loc) << "expected the run-time library "
                          << options.getRuntimeLibrary()
                          << ", but there is no such file";
  return success();
}

/// The emulator tells kernels apart by the names of their modules, and a
/// process may load many programs: each module gets a name of its own.
static LogicalResult nameModules(ModuleOp module,
                                 std::vector<std::string> &names) {
  static std::atomic<uint64_t> count = 0;
  PassManager manager(module.getContext());
  manager.addPass(createGpuKernelOutliningPass());
  if (failed(manager.run(module)))
    return failure();
  SymbolTable table(module);
  for (auto op : llvm::to_vector(module.getOps<gpu::GPUModuleOp>())) {
    std::string name;
    do
      name = (op.getName() + ".program" + Twine(count++)).str();
    while (table.lookup(name));
    if (failed(table.rename(op, name)))
      return failure();
    names.push_back(std::move(name));
  }
  return success();
}

/// Reads the types before they are lowered.
static LogicalResult readArguments(ModuleOp module, LoadedProgram &program) {
  auto function = dyn_cast_if_present<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, program.options.entry));
  // That there is no function is for lowerProgram to say.
  if (!function)
    return success();
  for (Type type : function.getArgumentTypes()) {
    FailureOr<ArgumentType> argument =
        ArgumentType::read(type, [&] { return emitError(function.getLoc()); });
    if (failed(argument))
      return failure();
    program.arguments.push_back(std::move(*argument));
  }
  return success();
}

/// Functions of the C library that do not come back: they end the process, or
/// the thread, put another program in its place, or send what does so. That
/// abort and failed assertions do not either, a run reports as a fault.
static constexpr StringLiteral endingFunctions[] = {
    // ISO C and POSIX.
    "exit", "_exit", "_Exit", "quick_exit", "thrd_exit", "pthread_exit",
    "pthread_cancel", "daemon",
    // <err.h> and <error.h>.
    "err", "errx", "verr", "verrx", "errc", "verrc", "error", "error_at_line",
    // <unistd.h>.
    "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe",
    "execveat", "fexecve",
    // <signal.h>.
    "raise", "kill", "killpg", "tgkill", "pthread_kill", "sigqueue",
    "pthread_sigqueue"};

/// The process is the caller's.
static LogicalResult checkCallees(ModuleOp module) {
  for (StringRef name : endingFunctions) {
    auto callee =
        dyn_cast_if_present<FunctionOpInterface>(module.lookupSymbol(name));
    if (callee && callee.isExternal())
      return emitError(callee.getLoc())
             << "expected host code that returns, but got the function @"
             << name << ", which can end the process";
  }
  return success();
}

TMemProgram tmemProgramCreate(MlirModule module,
                              const TMemRunOptions *options) {
  OwningOpRef<ModuleOp> copy = copyModule(module);
  if (!copy)
    return TMemProgram{nullptr};
  auto program = std::make_unique<LoadedProgram>();
  program->options = readOptions(options);
  if (failed(checkOptions(program->options, copy->getLoc())) ||
      failed(checkCallees(*copy)) || failed(readArguments(*copy, *program)) ||
      failed(nameModules(*copy, program->modules)) ||
      failed(lowerProgram(*copy, program->options)))
    return TMemProgram{nullptr};
  auto compiled = Program::compile(*copy, program->options);
  if (!compiled) {
    emitError(copy->getLoc()) << llvm::toString(compiled.takeError());
    return TMemProgram{nullptr};
  }
  program->program = std::move(*compiled);
  return TMemProgram{program.release()};
}

/// Its kernels are gone from the process; then so they are from the emulator.
LoadedProgram::~LoadedProgram() {
  program.reset();
  auto library = llvm::sys::DynamicLibrary::getLibrary(
      options.getRuntimeLibrary().c_str());
  if (!library.isValid())
    return;
  auto forget = reinterpret_cast<decltype(&tmemEmulationForgetModule)>(
      library.getAddressOfSymbol("tmemEmulationForgetModule"));
  for (const std::string &module : modules)
    if (forget)
      forget(module.c_str());
}

static LoadedProgram *unwrap(TMemProgram program) {
  return static_cast<LoadedProgram *>(program.ptr);
}

void tmemProgramDestroy(TMemProgram program) { delete unwrap(program); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

intptr_t tmemProgramGetNumArguments(TMemProgram program) {
  return program.ptr ? unwrap(program)->arguments.size() : -1;
}

void tmemProgramGetArgumentType(TMemProgram program, intptr_t position,
                                MlirStringCallback callback, void *userData) {
  if (callback && position >= 0 &&
      position < tmemProgramGetNumArguments(program))
    callback(wrap(StringRef(unwrap(program)->arguments[position].getText())),
             userData);
}

namespace {
/// A fault with what it points to.
struct OwnedFault : TMemFault {
  explicit OwnedFault(RunReport &&from);

  RunReport report;
  std::vector<TMemFaultRemark> remarks;
};
} // namespace

static_assert(unsigned(TMemRunInterrupted) == unsigned(RunReport::Interrupted));

static MlirStringRef toC(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

static TMemFaultRemark toC(const RunRemark &remark) {
  return {toC(remark.message), toC(remark.operation), toC(remark.file),
          remark.line, remark.column};
}

OwnedFault::OwnedFault(RunReport &&from)
    : TMemFault(), report(std::move(from)) {
  for (const RunRemark &note : report.notes)
    remarks.push_back(toC(note));
  text = toC(report.text);
  error = toC(report.error);
  numNotes = remarks.size();
  notes = remarks.data();
  kernel = toC(report.kernel);
  llvm::copy(report.block, block);
  hasThread = report.thread.has_value();
  if (hasThread)
    llvm::copy(*report.thread, thread);
}

static TMemRunResult toC(RunReport &&report) {
  TMemRunResult result = {TMemRunStatus(report.status), report.result, nullptr};
  if (report.status != RunReport::Ran)
    result.fault = new OwnedFault(std::move(report));
  return result;
}

static TMemRunResult makeUnusable(std::string message) {
  RunReport report;
  report.status = RunReport::Unusable;
  report.text = message + "\n";
  report.error.message = std::move(message);
  return toC(std::move(report));
}

void tmemFaultDestroy(TMemFault *fault) {
  delete static_cast<OwnedFault *>(fault);
}

void tmemProgramSetInterrupt(TMemProgram program, bool interrupt) {
  if (program.ptr)
    unwrap(program)->program->setInterrupt(interrupt);
}

TMemRunResult tmemProgramRun(TMemProgram program, intptr_t numArguments,
                             const TMemArgument *arguments,
                             const TMemRunSettings *settings) {
  if (!program.ptr)
    return makeUnusable("expected a program");
  LoadedProgram &loaded = *unwrap(program);
  Frame frame;
  std::string error;
  if (!frame.build(loaded.arguments, numArguments, arguments, error))
    return makeUnusable(std::move(error));
  EmulationSettings chosen;
  chosen.seed = settings ? settings->seed : 0;
  chosen.race = settings && settings->race;
  chosen.maxSteps =
      settings && settings->maxSteps ? settings->maxSteps : uint64_t(100000000);
  return toC(loaded.program->runAndReport(chosen, frame.getPointers()));
}
