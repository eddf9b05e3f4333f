//===- Settings.h - Seed, race mode, bounds ---------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SETTINGS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SETTINGS_H

#include <cstdint>

namespace tmem::emulation {

struct Settings {
  uint64_t seed;
  uint64_t maxSteps; ///< Backward branches of one thread.
  uint32_t threads;  ///< OS threads, never 0.
  bool race;
};

/// What was set, or the environment gives. A value of the environment that
/// cannot be read is a set-up error.
Settings getSettings();

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SETTINGS_H
