//===- Signals.h - Faults that the machine finds ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H

namespace tmem::emulation {

/// Turns SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT of emulated threads into
/// reports of faults, from the first call on; signals of other code go where
/// they went.
void catchSignals();

/// Before a report is handed to who may jump out of it: what this OS thread
/// does next is no longer part of the report.
void endHandling();

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SIGNALS_H
