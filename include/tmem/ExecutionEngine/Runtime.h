//===- Runtime.h - Settings of the emulation library --------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that embeds libtmem_emulation_runtime.so may set. Environment
// variables give the values that nobody set. A change takes effect with the
// next launch. Plain C, free of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_EXECUTIONENGINE_RUNTIME_H
#define TMEM_EXECUTIONENGINE_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One line of a report: what is said of which operation. Strings are null
/// where there is none, or where it is not known.
typedef struct TMemEmulationRemark {
  const char *message;
  const char *operation; ///< As the source spells it, "nvvm.tcgen05.st".
  const char *file;
  uint32_t line, column; ///< From 1 on; 0 where they are not known.
} TMemEmulationRemark;

/// Why a launch does not go on. Lives as long as the call of the handler, and
/// what it points to, too.
typedef struct TMemEmulationReport {
  /// The exit status: 1 for a fault of a kernel, 2 for a launch or a set-up
  /// that is unusable, 3 for a launch that was interrupted.
  int status;
  const char *text; ///< All of it, as it would be printed to stderr.
  TMemEmulationRemark error;
  uint32_t numNotes;
  const TMemEmulationRemark *notes;
  const char *kernel; ///< Null before a kernel runs.
  uint32_t block[3];  ///< Of a kernel's fault.
  int hasThread;      ///< Whether it is the fault of one thread.
  uint32_t thread[3];
} TMemEmulationReport;

/// Receives what would be printed to stderr and end the process.
typedef void (*TMemEmulationFaultHandler)(const TMemEmulationReport *report);

/// Calls `handler` instead of printing and exiting; null restores that. It runs
/// on the stack of the emulated thread and must not return: it ends the
/// process, or jumps (longjmp) out of a launch on one OS thread, whose CTA is
/// then abandoned. One fault is reported for each launch.
void tmemEmulationSetFaultHandler(TMemEmulationFaultHandler handler);

/// Order of execution: 0 takes warps round robin, any other number picks them
/// pseudo-randomly, and always in the same way for the same number
/// (TMEM_EMULATION_SEED).
void tmemEmulationSetSeed(uint64_t seed);

/// Looks for accesses that nothing orders (TMEM_EMULATION_RACE=1).
void tmemEmulationSetRaceMode(int enabled);

/// Backward branches that a thread may take before its kernel counts as one
/// that never ends (TMEM_EMULATION_MAX_STEPS, 100,000,000).
void tmemEmulationSetMaxSteps(uint64_t steps);

/// A number that launches watch: when another than 0 is stored there, they end
/// with a report of status 3, at the next of the backward branches that are
/// looked at (each 256th of a thread at the latest). Storing it is safe in a
/// signal handler and from any OS thread. Null, as at first, to watch nothing.
void tmemEmulationWatchInterrupt(const int *flag);

/// OS threads that run the CTAs of a grid; 0 is one for each processor
/// (TMEM_EMULATION_THREADS).
void tmemEmulationSetThreads(uint32_t threads);

/// Forgets every kernel that was registered: for a program that unloads the
/// code they are in.
void tmemEmulationForgetKernels(void);

/// Forgets the kernels of one gpu.module alone. Ignores null.
void tmemEmulationForgetModule(const char *module);

#ifdef __cplusplus
}
#endif

#endif // TMEM_EXECUTIONENGINE_RUNTIME_H
