//===- Program.cpp - Programs compiled into this process ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assertions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "tmem/Runner/Runner.h"
#include "tmem/Target/CodeGeneration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
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

/// The function of the module whose name the C library has, too, so that
/// lowering had to find another one: "free" of "free_0". Empty if there is
/// none.
static StringRef findTakenName(ModuleOp module, StringRef name) {
  auto [base, number] = name.rsplit('_');
  bool isNumbered = !number.empty() && llvm::all_of(number, llvm::isDigit);
  bool isTaken =
      isNumbered && module.lookupSymbol(base) &&
      llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(base.str());
  return isTaken ? base : "";
}

/// Functions that code calls, but that neither it nor a loaded library defines.
/// The engine would print them, and tell nobody.
static llvm::Error checkSymbols(ModuleOp module,
                                const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    if (llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name))
      continue;
    StringRef taken = findTakenName(module, name);
    if (!taken.empty())
      return llvm::createStringError("expected no function " + taken +
                                     " in the module, whose code calls that of "
                                     "the C library, but got one");
    return llvm::createStringError(
        "expected a function " + name +
        " in the module or a library of the process, but got none");
  }
  return llvm::Error::success();
}

static std::vector<std::string> getCallees(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !function.hasExternalWeakLinkage())
      names.push_back(function.getName().str());
  return names;
}

llvm::Expected<std::unique_ptr<Program>>
Program::make(ModuleOp module, const RunnerOptions &options,
              std::shared_ptr<std::string> errors) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
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
  std::vector<std::string> callees;
  auto transform = [&](llvm::Module *module) {
    collectErrors(module->getContext(), errors);
    llvm::Error error = optimize(module);
    callees = getCallees(*module);
    return error;
  };
  SmallVector<std::string> libraries = getLibraries(options);
  SmallVector<StringRef> paths(libraries.begin(), libraries.end());
  engineOptions.transformer = transform;
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
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner(hostAssertionName)] = {
        llvm::orc::ExecutorAddr::fromPtr(&reportHostAssertion),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    return symbols;
  });
  llvm::erase(callees, hostAssertionName);
  if (llvm::Error error = checkSymbols(module, callees))
    return error;

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

llvm::Expected<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const RunnerOptions &options) {
  auto errors = std::make_shared<std::string>();
  std::optional<llvm::Expected<std::unique_ptr<Program>>> program;
  std::optional<std::string> crash =
      runGuarded([&] { program.emplace(make(module, options, errors)); });
  if (crash)
    *errors += *crash;
  if (errors->empty())
    return std::move(*program);
  if (program)
    llvm::consumeError(program->takeError());
  return llvm::createStringError("expected code that LLVM can compile, but "
                                 "got: " +
                                 StringRef(*errors).rtrim());
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
