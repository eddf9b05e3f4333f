//===- Threads.cpp - Yield, exit, trap, timers ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Faults.h"
#include <chrono>

using namespace tmem::emulation;

[[noreturn]] static void reportEndless(const Thread &thread, const Site *site) {
  std::string message = format(
      "the kernel never ends: this thread has taken %llu backward "
      "branches; raise max_steps (of a program, tmem-run --max-steps, or "
      "TMEM_EMULATION_MAX_STEPS) if that is meant",
      static_cast<unsigned long long>(thread.steps));
  const Launch &launch = *thread.cta->launch;
  if (launch.getNumClusters() > launch.settings.threads)
    message += format(", or TMEM_EMULATION_THREADS above %u if blocks wait for "
                      "each other",
                      launch.settings.threads);
  fault(thread, site, message);
}

void tmemEmuYield(TMemEmuThread *t, const TMemEmuSite *site) {
  Thread &thread = getThread(t);
  Cta &cta = *thread.cta;
  thread.steps += thread.quantum - thread.fuel;
  if (thread.steps >= cta.launch->settings.maxSteps)
    reportEndless(thread, site);
  checkInterrupt(&thread, site);
  cta.refill(thread);
  // A loop that does more than test an mbarrier may end by itself.
  if (!thread.polled)
    cta.cluster->idlePolls = 0;
  thread.polled = false;
  cta.yield(thread);
}

void tmemEmuExit(TMemEmuThread *t, const TMemEmuSite *) {
  longjmp(getThread(t).exitPoint, 1);
}

void tmemEmuTrap(TMemEmuThread *t, const TMemEmuSite *site) {
  fault(getThread(t), site, "the kernel has executed a trap");
}

void tmemEmuAssertFail(TMemEmuThread *t, const TMemEmuSite *site,
                       const char *message, const char *file, uint32_t line,
                       const char *) {
  std::string text = message ? message : "?", op = "cf.assert";
  // A check of the compiler: the operation stands before a separator.
  size_t separator = text.find('\x1f');
  if (separator == std::string::npos) {
    text = "assertion failed: " + text;
  } else {
    op = text.substr(0, separator);
    text = text.substr(separator + 1);
  }
  // Where the assertion is: known to the compiler, or else to who calls.
  uint32_t column = site ? site->column : 0;
  if (site && site->file) {
    file = tmemEmuGetFile(site);
    line = site->line;
  }
  NewSite place(op, file, line, column);
  fault(getThread(t), place.get(), text);
}

/// Nanoseconds of a clock.
template <typename Clock> static uint64_t getTime() {
  auto time = Clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

uint64_t tmemEmuReadTimer(TMemEmuThread *, uint32_t which) {
  return which == 0 ? getTime<std::chrono::steady_clock>()
                    : getTime<std::chrono::system_clock>();
}
