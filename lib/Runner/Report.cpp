//===- Report.cpp - Programs that may fail without ending the process -----===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The emulation library calls a handler that may jump out of a launch on one OS
// thread; a signal that host code causes is left in the same way. Nothing that
// is jumped over has a destructor that matters: compiled code has none, and
// what the library had under way is abandoned, as its header says.
//
//===----------------------------------------------------------------------===//

#include "Assertions.h"
#include "Libraries.h"
#include "StackOverflow.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "tmem/ExecutionEngine/Runtime.h"
#include "tmem/ExecutionEngine/SignalStack.h"
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// What a run is left by
//===----------------------------------------------------------------------===//

/// The run of the process, under the lock.
static std::mutex runLock;
static sigjmp_buf afterRun;
static RunReport report;
/// Set on the OS thread that has the lock, while code of the program runs.
static thread_local volatile bool isRunning = false;

/// In a fork, the OS thread that had the lock is gone, unless it is this one.
static void renewAfterFork() {
  if (!isRunning)
    new (&runLock) std::mutex;
}

[[noreturn]] static void leave(RunReport::Status status) {
  report.status = status;
  isRunning = false;
  siglongjmp(afterRun, 1);
}

static std::string getString(const char *text) { return text ? text : ""; }

static RunRemark readRemark(const TMemEmulationRemark &remark) {
  return {getString(remark.message), getString(remark.operation),
          getString(remark.file), remark.line, remark.column};
}

static RunReport::Status readStatus(int status) {
  if (status == 1)
    return RunReport::Fault;
  return status == 3 ? RunReport::Interrupted : RunReport::Unusable;
}

static void takeFault(const TMemEmulationReport *found) {
  // A launch of another OS thread than the run's: as if there was no handler.
  if (!isRunning) {
    fputs(found->text, stderr);
    _Exit(found->status);
  }
  report.text = found->text;
  report.error = readRemark(found->error);
  for (const TMemEmulationRemark &note :
       llvm::ArrayRef(found->notes, found->numNotes))
    report.notes.push_back(readRemark(note));
  report.kernel = getString(found->kernel);
  llvm::copy(found->block, report.block.begin());
  if (found->hasThread)
    llvm::copy(found->thread, report.thread.emplace().begin());
  leave(readStatus(found->status));
}

void mlir::tmem::reportHostAssertion(const char *message, const char *operation,
                                     const char *file, uint32_t line,
                                     uint32_t column) {
  std::string place = file;
  if (line != 0)
    place += ":" + std::to_string(line) + ":" + std::to_string(column);
  std::string text = (place + (place.empty() ? "" : ": ") + operation +
                      ": error: " + message + " [host code]\n");
  if (!isRunning) {
    fflush(stdout);
    fputs(text.c_str(), stderr);
    _Exit(RunReport::Fault);
  }
  report.error = {message, operation, file, line, column};
  report.text = std::move(text);
  leave(RunReport::Fault);
}

static constexpr int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
static struct sigaction previous[std::size(signals)];

/// Hands a signal that no program has caused to who had it before.
static void forward(int signal, siginfo_t *info, void *context) {
  for (auto [number, action] : llvm::zip_equal(signals, previous)) {
    if (number != signal)
      continue;
    if (action.sa_flags & SA_SIGINFO)
      return action.sa_sigaction(signal, info, context);
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
      return action.sa_handler(signal);
    // The instruction runs again, and ends the process as it would have.
    sigaction(signal, &action, nullptr);
  }
}

static void takeSignal(int signal, siginfo_t *info, void *context) {
  if (!isRunning)
    return forward(signal, info, context);
  report.error.message =
      ("host code was ended by signal " + Twine(signal) + ", " +
       strsignal(signal) +
       (isStackOverflow(*info, context) ? ": stack overflow" : ""))
          .str();
  report.text = report.error.message + "\n";
  leave(RunReport::Fault);
}

/// Before the emulation library does the same, so that it sees the signals of
/// kernels first.
static void catchSignals() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = takeSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (auto [number, before] : llvm::zip_equal(signals, previous))
      sigaction(number, &action, &before);
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static RunReport makeUnusable(std::string message) {
  RunReport result;
  result.status = RunReport::Unusable;
  result.text = message + "\n";
  result.error.message = std::move(message);
  return result;
}

static RunReport makeError(llvm::Error error) {
  return makeUnusable(llvm::toString(std::move(error)));
}

/// Has launches watch a flag, or none.
static llvm::Error watchInterrupt(const RunnerOptions &options,
                                  const int *flag) {
  auto library = loadRuntimeLibrary(options);
  if (!library)
    return library.takeError();
  if (auto watch = GET_SYMBOL(*library, tmemEmulationWatchInterrupt))
    watch(flag);
  return llvm::Error::success();
}

/// One OS thread, which is the one that a handler can jump from.
static llvm::Error prepare(const RunnerOptions &options,
                           EmulationSettings settings, const int *interrupt) {
  auto library = loadRuntimeLibrary(options);
  if (!library)
    return library.takeError();
  auto setHandler = GET_SYMBOL(*library, tmemEmulationSetFaultHandler);
  if (!setHandler)
    return llvm::createStringError(
        "expected a library that emulates, but got " +
        options.getRuntimeLibrary());
  setHandler(takeFault);
  if (llvm::Error error = watchInterrupt(options, interrupt))
    return error;
  settings.threads = 1;
  return configureEmulation(options, settings);
}

/// Calls `fn` and returns true, or false where it was left. No variable of the
/// caller changes in between.
static bool call(llvm::function_ref<void()> fn) {
  if (sigsetjmp(afterRun, /*savemask=*/1) != 0)
    return false;
  isRunning = true;
  fn();
  isRunning = false;
  return true;
}

void Program::setInterrupt(bool interrupt) {
  __atomic_store_n(&interruptFlag, interrupt, __ATOMIC_RELAXED);
}

RunReport Program::runAndReport(const EmulationSettings &settings,
                                MutableArrayRef<void *> arguments) {
  static const int watchesForks =
      pthread_atfork(nullptr, nullptr, renewAfterFork);
  (void)watchesForks;
  std::lock_guard<std::mutex> lock(runLock);
  report = RunReport();
  if (isBroken)
    return makeUnusable("expected a program whose modules can be loaded");
  if (options.mode != RunMode::Emulated)
    return makeUnusable("expected a program that is emulated on the host");
  auto function = engine->lookupPacked(options.entry);
  if (!function)
    return makeError(function.takeError());
  catchSignals();
  findStackEnd();
  // Handlers format a report.
  ::tmem::SignalStack stack(128 * 1024);
  if (llvm::Error error = prepare(options, settings, &interruptFlag))
    return makeError(std::move(error));
  int32_t result = 0;
  SmallVector<void *> values(arguments.begin(), arguments.end());
  if (hasResult)
    values.push_back(&result);
  isBroken = !call([&] { engine->initialize(); });
  if (!isBroken)
    call([&] { (*function)(values.data()); });
  // The flag may not live as long as the library.
  llvm::cantFail(watchInterrupt(options, nullptr));
  report.result = result;
  fflush(stdout);
  return std::move(report);
}
