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

/// Receives what would be printed to stderr, and the exit status: 1 for a fault
/// of a kernel, 2 for a launch or a set-up that is unusable.
typedef void (*TMemEmulationFaultHandler)(const char *text, int status);

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
