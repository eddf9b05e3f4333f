//===- Signals.cpp - Faults that the machine finds ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "Cluster.h"
#include "Faults.h"
#include "SharedWindows.h"
#include "Stacks.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <unistd.h>

using namespace tmem::emulation;

static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static constexpr size_t numSignals = sizeof(signals) / sizeof(signals[0]);
static struct sigaction previous[numSignals];
/// Whether this OS thread is in the middle of a report.
static thread_local bool handling = false;

/// What an access to a wrong address means.
static std::string describeAccess(const Cta &cta, uint64_t address) {
  auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  for (const Thread *thread : cta.threads) {
    uint64_t guard = reinterpret_cast<uintptr_t>(thread->stackGuard);
    uint64_t begin = reinterpret_cast<uintptr_t>(thread->stackBegin);
    if (address >= guard && address < begin)
      return format("stack overflow: expected a thread to use less than %zu "
                    "KiB of local memory",
                    stackBytes / 1024);
  }
  const SharedZone &zone = getSharedZone();
  if (address - zone.begin < zone.size)
    return format("out of bounds: access at offset %lld of shared memory, "
                  "of which the block has %llu bytes",
                  static_cast<long long>(address - cta.sharedBegin),
                  number(cta.sharedBytes));
  return format("access to address %#llx, where there is no memory: expected "
                "a pointer to memory that the host has allocated",
                number(address));
}

static std::string describeSignal(const Cta &cta, int signal,
                                  const siginfo_t *info) {
  uint64_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  switch (signal) {
  case SIGFPE:
    return "integer division by zero, or its overflow";
  case SIGABRT:
    return "the kernel has aborted";
  case SIGILL:
    return "the kernel has executed a trap or an illegal instruction";
  default:
    // So the kernel reports what no address can be; it does not say which.
    if (info->si_code == SI_KERNEL)
      return "access to an address that no memory can have: expected a pointer "
             "to memory that the host has allocated";
    return describeAccess(cta, address);
  }
}

/// Hands a signal that no emulated thread has caused to who had it before.
static void forward(int signal, siginfo_t *info, void *context) {
  size_t index = 0;
  while (index + 1 < numSignals && signals[index] != signal)
    ++index;
  const struct sigaction &action = previous[index];
  if (action.sa_flags & SA_SIGINFO)
    return action.sa_sigaction(signal, info, context);
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
    return action.sa_handler(signal);
  // The instruction runs again, and ends the process as it would have.
  struct sigaction standard;
  memset(&standard, 0, sizeof(standard));
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
}

/// Nothing after a report runs, so that functions which are not safe in a
/// signal handler are no danger to what was interrupted.
static void handle(int signal, siginfo_t *info, void *context) {
  Thread *active = getActiveThread();
  if (!active)
    return forward(signal, info, context);
  if (handling)
    _exit(1);
  handling = true;
  const Thread &thread = *active;
  std::vector<Note> notes;
  if (thread.site)
    notes.push_back({thread.site, "where the thread last waited"});
  fault(thread, thread.cta->getKernel().site,
        describeSignal(*thread.cta, signal, info), notes);
}

void tmem::emulation::endHandling() { handling = false; }

void tmem::emulation::catchSignals() {
  handling = false;
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < numSignals; ++i)
      sigaction(signals[i], &action, &previous[i]);
  });
}
