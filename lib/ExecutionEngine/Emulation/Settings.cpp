//===- Settings.cpp - Seed, race mode, bounds -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include "Faults.h"
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

using namespace tmem::emulation;

static constexpr uint32_t maxOSThreads = 4096;

namespace {

/// What an embedding program has set.
struct Overrides {
  std::optional<uint64_t> seed, race, maxSteps, threads;
};

std::mutex mutex;
Overrides overrides;

/// A number from the environment, or `otherwise`.
uint64_t readVariable(const char *name, uint64_t otherwise, uint64_t low,
                      uint64_t high) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  uint64_t value = strtoull(text, &end, 10);
  // strtoull takes signs and blanks.
  bool digits = *text >= '0' && *text <= '9' && !*end;
  if (!digits || value < low || value > high)
    setupError(format("%s: expected a number from %llu to %llu, but got '%s'",
                      name, static_cast<unsigned long long>(low),
                      static_cast<unsigned long long>(high), text));
  return value;
}

uint32_t countProcessors() {
  uint32_t count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

} // namespace

Settings tmem::emulation::getSettings() {
  // An error may not hold the lock.
  mutex.lock();
  Overrides set = overrides;
  mutex.unlock();
  auto get = [](std::optional<uint64_t> value, const char *name,
                uint64_t otherwise, uint64_t low, uint64_t high) {
    return value ? *value : readVariable(name, otherwise, low, high);
  };
  Settings settings;
  settings.seed = get(set.seed, "TMEM_EMULATION_SEED", 0, 0, UINT64_MAX);
  settings.race = get(set.race, "TMEM_EMULATION_RACE", 0, 0, 1);
  settings.maxSteps =
      get(set.maxSteps, "TMEM_EMULATION_MAX_STEPS", 100000000, 1, INT64_MAX);
  uint64_t threads =
      get(set.threads, "TMEM_EMULATION_THREADS", 0, 0, maxOSThreads);
  settings.threads = threads == 0 ? countProcessors() : threads;
  return settings;
}

/// Sets one of them.
static void set(std::optional<uint64_t> Overrides::*which, uint64_t value) {
  std::lock_guard<std::mutex> lock(mutex);
  overrides.*which = value;
}

void tmemEmulationSetSeed(uint64_t seed) { set(&Overrides::seed, seed); }

void tmemEmulationSetRaceMode(int enabled) {
  set(&Overrides::race, enabled != 0);
}

void tmemEmulationSetMaxSteps(uint64_t steps) {
  set(&Overrides::maxSteps, std::clamp<uint64_t>(steps, 1, INT64_MAX));
}

void tmemEmulationSetThreads(uint32_t threads) {
  set(&Overrides::threads, std::min(threads, maxOSThreads));
}
