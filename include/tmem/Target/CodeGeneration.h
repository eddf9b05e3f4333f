//===- CodeGeneration.h - LLVM where it may fail ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM ends the process for code that a target does not have: an error of a
// context prints and exits, a fatal error aborts, and some code crashes it. In
// the process of somebody else these have to come back.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_CODEGENERATION_H
#define TMEM_TARGET_CODEGENERATION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace mlir::tmem {

/// Appends the errors that LLVM reports of modules in `context`, a line each,
/// as long as that lives; code generation goes on after one.
void collectErrors(llvm::LLVMContext &context,
                   std::shared_ptr<std::string> errors);

/// Calls `generate` and returns nothing, or why LLVM has not come to its end: a
/// fatal error, or a crash. What was under way is then abandoned, with its
/// memory and its locks: `generate` is to work on objects of its own, and to
/// hand on what it made as its last step.
///
/// For as long as any OS thread is in here, signals of crashes come to LLVM's
/// CrashRecoveryContext, which hands on those of other threads; LLVM's handler
/// of fatal errors is set, and none afterwards.
std::optional<std::string> runGuarded(llvm::function_ref<void()> generate);

} // namespace mlir::tmem

#endif // TMEM_TARGET_CODEGENERATION_H
