//===- Runner.h - Programs with kernels, compiled and run -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_RUNNER_RUNNER_H
#define TMEM_RUNNER_RUNNER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace mlir {
class ExecutionEngine;

namespace tmem {

/// Where kernels run.
enum class RunMode {
  Emulated,       ///< On the host.
  DeviceEmulated, ///< On an NVIDIA GPU without Tensor Memory.
  Native          ///< On a GPU that has it.
};

struct RunnerOptions {
  RunMode mode = RunMode::Emulated;
  /// The chip whose Tensor Memory is modelled, or compiled for.
  std::string chip = "sm_100a";
  /// The GPU that emulates, for RunMode::DeviceEmulated.
  std::string gpuChip = "sm_75";
  /// The host function to run: it has no arguments and returns nothing or i32.
  std::string entry = "main";
  /// For a program that runAndReport runs: the entry may have arguments.
  bool takesArguments = false;
  /// For writeObject, whose programs have nothing to report assertions of host
  /// code to.
  bool isAhead = false;
  /// Folder of the run-time libraries of this project.
  std::string libraryDir;
  /// Folder of MLIR's libmlir_runner_utils and its like; may be empty.
  std::string mlirLibraryDir;
  /// Of the host code, emulated kernels included: 0 to 3.
  unsigned optLevel = 2;
  std::string ptxas;

  /// The library that the program's kernels are launched through.
  std::string getRuntimeLibrary() const;
};

/// Lowers host code and kernels to the LLVM dialect, in place. What is emulated
/// asserts that its accesses are in the bounds of memrefs. Emits diagnostics.
LogicalResult lowerProgram(ModuleOp module, const RunnerOptions &options);

/// How programs run under libtmem_emulation_runtime.so, from the next launch
/// on; what is not given stays as the environment, or an earlier call, has it.
struct EmulationSettings {
  std::optional<uint64_t> seed;     ///< The order of warps; 0 is round robin.
  std::optional<bool> race;         ///< Report accesses that nothing orders.
  std::optional<uint64_t> maxSteps; ///< Backward branches of a thread.
  std::optional<unsigned> threads;  ///< Host threads that emulate CTAs.
};
llvm::Error configureEmulation(const RunnerOptions &options,
                               const EmulationSettings &settings);

/// The NVIDIA GPU of this machine, as libtmem_cuda_runtime.so finds it.
struct GPU {
  std::string name;
  std::string chip; ///< "sm_90", "sm_100a"
  bool hasTensorMemory;
};
llvm::Expected<GPU> findGPU(const RunnerOptions &options);

/// What a report says of one operation. Strings are empty where there is none.
struct RunRemark {
  std::string message;
  std::string operation; ///< As the source spells it.
  std::string file;
  unsigned line = 0, column = 0; ///< From 1 on; 0 where they are not known.
};

/// How a run ended.
struct RunReport {
  enum Status {
    Ran,        ///< The entry function returned.
    Fault,      ///< A kernel or host code did what it may not.
    Unusable,   ///< A launch or the set-up cannot be used.
    Interrupted ///< Program::setInterrupt ended it.
  };
  Status status = Ran;
  int32_t result = 0; ///< What the entry returned, 0 when it has no result.
  std::string text;   ///< All that follows, for people; ends in a newline.
  RunRemark error;
  std::vector<RunRemark> notes;
  std::string kernel; ///< Empty for what is of no kernel's run.
  std::array<uint32_t, 3> block = {0, 0, 0};
  std::optional<std::array<uint32_t, 3>> thread;
};

/// A lowered program, compiled into this process.
class Program {
public:
  /// `module` has been through lowerProgram.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(ModuleOp module, const RunnerOptions &options);
  ~Program();

  /// Runs the entry function. Returns its result, 0 when it has none. A fault
  /// of an emulated kernel ends the process.
  int run();

  /// Runs the entry function on the calling OS thread, emulated kernels
  /// included, with a pointer to each argument that it takes after lowering.
  /// What would end the process, a fault or a signal that host code causes, is
  /// returned; what was under way is abandoned with its memory. One program
  /// runs at a time in a process; others wait.
  RunReport runAndReport(const EmulationSettings &settings = {},
                         MutableArrayRef<void *> arguments = {});

  /// While it is set, runs end: at the next backward branch of a kernel that
  /// the emulator looks at, or the next launch. Safe in a signal handler and
  /// from any OS thread, as long as the program lives.
  void setInterrupt(bool interrupt);

private:
  Program();
  /// Errors that LLVM reports and goes on after are appended to `errors`.
  static llvm::Expected<std::unique_ptr<Program>>
  make(ModuleOp module, const RunnerOptions &options,
       std::shared_ptr<std::string> errors);

  std::unique_ptr<ExecutionEngine> engine;
  RunnerOptions options;
  bool hasResult = false;
  bool isBroken = false; ///< Loading its modules has failed.
  int interruptFlag = 0; ///< Accessed atomically alone.
};

/// Writes a lowered program as an object file for any machine of the host's
/// architecture, with a C `main` that runs the entry function. It is to be
/// linked with the run-time library alone.
LogicalResult writeObject(ModuleOp module, const RunnerOptions &options,
                          llvm::raw_pwrite_stream &stream);

} // namespace tmem
} // namespace mlir

#endif // TMEM_RUNNER_RUNNER_H
