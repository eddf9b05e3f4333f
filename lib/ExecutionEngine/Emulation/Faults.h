//===- Faults.h - Reports of faults -----------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fault ends the process with status 1 and one report on stderr; an error of
// the set-up ends it with status 2.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_FAULTS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_FAULTS_H

#include "Support.h"
#include <vector>

namespace tmem::emulation {

struct Thread;
class Cta;

/// A second place that a report points at.
struct Note {
  const Site *site;
  std::string text;
};

/// What a kernel did wrong, found in the call of `thread` at `site`.
[[noreturn]] void fault(const Thread &thread, const Site *site,
                        const std::string &message,
                        const std::vector<Note> &notes = {});

/// A fault of a CTA that is of no one thread.
[[noreturn]] void fault(const Cta &cta, const Site *site,
                        const std::string &message,
                        const std::vector<Note> &notes = {});

/// What this library does not emulate, though the hardware may do it.
[[noreturn]] void unsupported(const Thread &thread, const Site *site,
                              const std::string &message);

/// Ends the launch if it is to be interrupted; `thread` is null before it runs.
void checkInterrupt(const Thread *thread, const Site *site);

/// A launch or a module that cannot be used.
[[noreturn]] void setupError(const std::string &message);

/// "[kernel k, block 0,0,0, thread 1,0,0]".
std::string describePlace(const Thread &thread);

/// Forgets a report that did not end the process, before the next launch.
void resetReports();

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_FAULTS_H
