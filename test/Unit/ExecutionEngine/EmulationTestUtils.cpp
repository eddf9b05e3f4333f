//===- EmulationTestUtils.cpp - Kernels written in C++ --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <csetjmp>

using namespace tmem::emulation::test;

namespace {

jmp_buf afterReport;
Report lastReport;

/// Leaves the launch; its CTA is abandoned.
void takeReport(const TMemEmulationReport *report) {
  lastReport = {report->status, report->text};
  longjmp(afterReport, 1);
}

void runBody(TMemEmuThread *thread, void **params) {
  (*static_cast<const Body *>(params[0]))(thread);
}

const StaticSite kernelSite("llvm.func", "kernel.mlir", 1, 1);

} // namespace

Report tmem::emulation::test::catchReport(const std::function<void()> &fn) {
  lastReport = Report();
  tmemEmulationSetFaultHandler(takeReport);
  if (setjmp(afterReport) == 0)
    fn();
  tmemEmulationSetFaultHandler(nullptr);
  return lastReport;
}

Report tmem::emulation::test::run(const Launch &launch, const Body &body) {
  tmemEmulationSetSeed(launch.seed);
  tmemEmulationSetRaceMode(launch.race);
  tmemEmulationSetThreads(launch.threads);
  tmemEmulationSetMaxSteps(launch.maxSteps);
  TMemEmuKernel kernel = {};
  kernel.module = "tests";
  kernel.name = "body";
  kernel.entry = runBody;
  kernel.site = &kernelSite;
  kernel.numParams = 1;
  kernel.staticSharedBytes = launch.staticShared;
  kernel.sharedAlignment = 16;
  kernel.chip = "sm_100a";
  kernel.columns = launch.columns;
  kernel.exclusiveColumns = launch.exclusiveColumns;
  tmemEmuRegister(&kernel);
  char binary[] = TMEM_EMU_BINARY_PREFIX "tests";
  void *module = mgpuModuleLoad(binary, sizeof(binary) - 1);
  void *function = mgpuModuleGetFunction(module, "body");
  mgpuModuleUnload(module);
  void *params[] = {const_cast<Body *>(&body)};
  return catchReport([&] {
    if (launch.cluster[0] != 0)
      return mgpuLaunchClusterKernel(
          function, launch.cluster[0], launch.cluster[1], launch.cluster[2],
          launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
          launch.block[1], launch.block[2], launch.dynamicShared, nullptr,
          params, nullptr);
    mgpuLaunchKernel(function, launch.grid[0], launch.grid[1], launch.grid[2],
                     launch.block[0], launch.block[1], launch.block[2],
                     launch.dynamicShared, nullptr, params, nullptr, 1);
  });
}

/// Seeds that a test tries: round robin, and some others.
static constexpr uint64_t numSeeds = 8;

void tmem::emulation::test::expectClean(const Body &body, Launch launch) {
  for (uint64_t seed = 0; seed < numSeeds; ++seed)
    for (bool race : {false, true}) {
      launch.seed = seed;
      launch.race = race;
      EXPECT_THAT(run(launch, body), isClean())
          << "seed " << seed << (race ? ", race mode" : "");
    }
}

void tmem::emulation::test::expectFault(const Body &body,
                                        const std::string &message,
                                        Launch launch) {
  for (uint64_t seed = 0; seed < numSeeds; ++seed)
    for (bool race : {false, true}) {
      launch.seed = seed;
      launch.race = race;
      EXPECT_THAT(run(launch, body), isFault(message))
          << "seed " << seed << (race ? ", race mode" : "");
    }
}
