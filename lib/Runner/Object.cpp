//===- Object.cpp - Programs compiled ahead of time -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tmem/Runner/Runner.h"
#include "tmem/Target/CodeGeneration.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::tmem;

/// Of the architecture's baseline: the object may run on another machine.
static std::unique_ptr<llvm::TargetMachine> createMachine(unsigned optLevel,
                                                          std::string &error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, /*CPU=*/"", /*Features=*/"", {}, llvm::Reloc::PIC_, std::nullopt,
      *llvm::CodeGenOpt::getLevel(optLevel)));
}

/// The C function that a linker expects, around the entry function.
static void addMain(llvm::Module &module, StringRef entry) {
  llvm::Function *function = module.getFunction(entry);
  function->setName("tmem_program_" + entry);
  // Another entry leaves a function of that name behind.
  if (llvm::Function *other = module.getFunction("main"))
    other->setName("tmem_program_main");
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *i32 = builder.getInt32Ty();
  auto *main =
      llvm::Function::Create(llvm::FunctionType::get(i32, false),
                             llvm::Function::ExternalLinkage, "main", module);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", main));
  llvm::Value *result = builder.CreateCall(function);
  if (result->getType()->isVoidTy())
    result = builder.getInt32(0);
  else // An exit status has 8 bits; what is not zero has to stay so.
    result = builder.CreateZExt(builder.CreateIsNotNull(result), i32);
  builder.CreateRet(result);
}

static LogicalResult writeUnguarded(ModuleOp module,
                                    const RunnerOptions &options,
                                    std::shared_ptr<std::string> errors,
                                    llvm::raw_pwrite_stream &stream) {
  std::string error;
  auto machine = createMachine(options.optLevel, error);
  if (!machine)
    return emitError(module.getLoc()) << "no code for this machine: " << error;
  llvm::LLVMContext context;
  collectErrors(context, std::move(errors));
  std::unique_ptr<llvm::Module> program =
      translateModuleToLLVMIR(module, context);
  if (!program)
    return failure();
  ExecutionEngine::setupTargetTripleAndDataLayout(program.get(), machine.get());
  addMain(*program, options.entry);
  if (llvm::Error failure = makeOptimizingTransformer(
          options.optLevel, /*sizeLevel=*/0, machine.get())(program.get()))
    return emitError(module.getLoc()) << llvm::toString(std::move(failure));
  llvm::legacy::PassManager manager;
  if (machine->addPassesToEmitFile(manager, stream, /*DwoOut=*/nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return emitError(module.getLoc()) << "no object files for this machine";
  manager.run(*program);
  return success();
}

LogicalResult mlir::tmem::writeObject(ModuleOp module,
                                      const RunnerOptions &options,
                                      llvm::raw_pwrite_stream &stream) {
  auto errors = std::make_shared<std::string>();
  LogicalResult result = failure();
  std::optional<std::string> crash = runGuarded(
      [&] { result = writeUnguarded(module, options, errors, stream); });
  if (crash)
    *errors += *crash;
  if (errors->empty())
    return result;
  return emitError(module.getLoc())
         << "expected code that LLVM can compile, but got: "
         << StringRef(*errors).rtrim();
}
