//===- CodeGeneration.cpp - LLVM where it may fail ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/CodeGeneration.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace mlir::tmem;

namespace {
struct ErrorCollector : llvm::DiagnosticHandler {
  explicit ErrorCollector(std::shared_ptr<std::string> errors)
      : errors(std::move(errors)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return false;
    llvm::raw_string_ostream os(*errors);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os << '\n';
    return true;
  }

  std::shared_ptr<std::string> errors;
};
} // namespace

void mlir::tmem::collectErrors(llvm::LLVMContext &context,
                               std::shared_ptr<std::string> errors) {
  context.setDiagnosticHandler(
      std::make_unique<ErrorCollector>(std::move(errors)));
}

/// Of the guarded call of this OS thread.
static thread_local std::string *fatalError = nullptr;

static void takeFatalError(void *, const char *reason, bool) {
  llvm::CrashRecoveryContext *recovery =
      llvm::CrashRecoveryContext::GetCurrent();
  if (!recovery || !fatalError) {
    // As without a handler: the caller aborts.
    llvm::errs() << "LLVM ERROR: " << reason << '\n';
    return;
  }
  *fatalError = reason;
  recovery->HandleExit(1);
}

namespace {
/// What is of the whole process, while any OS thread needs it.
class ProcessGuard {
public:
  ProcessGuard() {
    std::lock_guard<std::mutex> lock(mutex);
    if (numUsers++ != 0)
      return;
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(takeFatalError);
  }
  ProcessGuard(const ProcessGuard &) = delete;
  ~ProcessGuard() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--numUsers != 0)
      return;
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }

private:
  static std::mutex mutex;
  static unsigned numUsers;
};

std::mutex ProcessGuard::mutex;
unsigned ProcessGuard::numUsers = 0;
} // namespace

std::optional<std::string>
mlir::tmem::runGuarded(llvm::function_ref<void()> generate) {
  ProcessGuard guard;
  std::string reason;
  std::string *outer = fatalError;
  fatalError = &reason;
  llvm::CrashRecoveryContext recovery;
  bool isDone = recovery.RunSafely(generate);
  fatalError = outer;
  if (isDone)
    return std::nullopt;
  return reason.empty() ? "a crash of LLVM" : reason;
}
