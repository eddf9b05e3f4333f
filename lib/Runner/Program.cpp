//===- Program.cpp - Programs compiled into this process ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "tmem/Runner/Runner.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::tmem;

/// What host code may call: launches, and MLIR's printing where it is
/// installed.
static SmallVector<std::string> getLibraries(const RunnerOptions &options) {
  SmallVector<std::string> libraries = {options.getRuntimeLibrary()};
  if (options.mlirLibraryDir.empty())
    return libraries;
  for (StringRef name : {"libmlir_c_runner_utils.so", "libmlir_runner_utils.so",
                         "libmlir_float16_utils.so"}) {
    llvm::SmallString<128> path(options.mlirLibraryDir);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      libraries.push_back(path.str().str());
  }
  return libraries;
}

Program::Program() = default;
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const RunnerOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto level = llvm::CodeGenOpt::getLevel(options.optLevel);
  builder->setCodeGenOptLevel(*level);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();

  ExecutionEngineOptions engineOptions;
  auto optimize = makeOptimizingTransformer(options.optLevel, /*sizeLevel=*/0,
                                            machine->get());
  SmallVector<std::string> libraries = getLibraries(options);
  SmallVector<StringRef> paths(libraries.begin(), libraries.end());
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = level;
  engineOptions.sharedLibPaths = paths;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  // The optimizer needs a machine of its own: the engine takes its one.
  auto engineMachine = builder->createTargetMachine();
  if (!engineMachine)
    return engineMachine.takeError();
  auto engine =
      ExecutionEngine::create(module, engineOptions, std::move(*engineMachine));
  if (!engine)
    return engine.takeError();

  std::unique_ptr<Program> program(new Program());
  program->engine = std::move(*engine);
  program->options = options;
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(options.entry);
  program->hasResult =
      !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType());
  if (auto compiled = program->engine->lookupPacked(options.entry); !compiled)
    return compiled.takeError();
  return program;
}

int Program::run() {
  // Loads the modules of the kernels.
  engine->initialize();
  int32_t result = 0;
  void *results[] = {&result};
  llvm::cantFail(engine->invokePacked(options.entry,
                                      hasResult ? MutableArrayRef(results)
                                                : MutableArrayRef<void *>()));
  return result;
}
