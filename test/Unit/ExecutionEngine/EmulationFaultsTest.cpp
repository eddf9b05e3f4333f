//===- EmulationFaultsTest.cpp - How runs end, and what they print --------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <unistd.h>

using namespace tmem::emulation::test;
using ::testing::ExitedWithCode;

namespace {

/// Runs a kernel without a handler: the process ends.
void runToTheEnd(const Launch &launch, const Body &body,
                 const std::function<void()> &before = {}) {
  static const StaticSite site("llvm.func", "kernel.mlir", 1, 1);
  static const Body *current;
  static TMemEmuKernel kernel = {};
  current = &body;
  kernel.module = "death";
  kernel.name = "k";
  kernel.entry = [](TMemEmuThread *thread, void **) { (*current)(thread); };
  kernel.site = &site;
  kernel.staticSharedBytes = launch.staticShared;
  kernel.columns = kernel.exclusiveColumns = 512;
  tmemEmuRegister(&kernel);
  tmemEmulationSetThreads(launch.threads);
  tmemEmulationSetSeed(launch.seed);
  tmemEmulationSetRaceMode(launch.race);
  tmemEmulationSetMaxSteps(launch.maxSteps);
  if (before)
    before();
  mgpuLaunchKernel(&kernel, launch.grid[0], launch.grid[1], launch.grid[2],
                   launch.block[0], launch.block[1], launch.block[2], 0,
                   nullptr, nullptr, nullptr, 0);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST(EmulationFaultsDeathTest, PrintsAndExits) {
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *t) {
                            if (getTid(t) == 70)
                              tmemEmuTrap(t, AT("llvm.intr.trap", 20));
                          }),
              ExitedWithCode(1),
              "^kernel.mlir:20:3: llvm.intr.trap: error: the kernel has "
              "executed a trap \\[kernel k, block 0,0,0, thread 70,0,0\\]\n$");
  EXPECT_EXIT(mgpuModuleLoad(nullptr, 0), ExitedWithCode(2), "error: ");
}

TEST(EmulationFaultsDeathTest, OneReportOfManyThreads) {
  Launch launch;
  launch.grid = {64, 1, 1};
  launch.threads = 4;
  EXPECT_EXIT(runToTheEnd(launch,
                          [](TMemEmuThread *t) {
                            tmemEmuTrap(t, AT("llvm.intr.trap", 20));
                          }),
              ExitedWithCode(1), "^kernel.mlir[^\n]*\n$");
}

TEST(EmulationFaultsDeathTest, UnknownLocation) {
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *t) {
                            static const StaticSite nowhere("nvvm.exit",
                                                            nullptr, 0, 0);
                            tmemEmuTrap(t, &nowhere);
                          }),
              ExitedWithCode(1), "^<unknown location>: nvvm.exit: error: ");
}

TEST(EmulationFaultsDeathTest, KeepsWhatWasPrinted) {
  // Both streams go to the same place, so that the order shows.
  EXPECT_EXIT(runToTheEnd(
                  Launch::ofThreads(1),
                  [](TMemEmuThread *t) {
                    int32_t value = 42;
                    tmemEmuPrintf(t, "value %d;", &value);
                    tmemEmuTrap(t, AT("llvm.intr.trap", 20));
                  },
                  [] { dup2(2, 1); }),
              ExitedWithCode(1), "^value 42;kernel.mlir:20:3");
}

TEST(EmulationFaults, Assert) {
  EXPECT_THAT(run(Launch(),
                  [](TMemEmuThread *t) {
                    if (getTid(t) == 5)
                      tmemEmuAssertFail(t, AT("cf.assert", 20), "x > 0",
                                        "file.mlir", 17, "kernel");
                  }),
              isFault("kernel.mlir:20:3: cf.assert: error: assertion failed: x "
                      "> 0 [kernel body, block 0,0,0, thread 5,0,0]"));
}

TEST(EmulationFaults, AssertOfACheck) {
  EXPECT_THAT(run(Launch(),
                  [](TMemEmuThread *t) {
                    tmemEmuAssertFail(t, AT("cf.assert", 20),
                                      "memref.load\x1fmessage", "file.mlir", 17,
                                      "kernel");
                  }),
              isFault("kernel.mlir:20:3: memref.load: error: message [kernel "
                      "body, block 0,0,0, thread 0,0,0]"));
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

TEST(EmulationFaultsDeathTest, WildPointer) {
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *t) {
                            if (getTid(t) == 33)
                              *reinterpret_cast<volatile int *>(0x40) = 1;
                          }),
              ExitedWithCode(1),
              "^kernel.mlir:1:1: llvm.func: error: access to address 0x40, "
              "where there is no memory: .*thread 33,0,0\\]");
}

TEST(EmulationFaultsDeathTest, OtherThreadsToo) {
  Launch launch;
  launch.grid = {8, 1, 1};
  launch.threads = 4;
  EXPECT_EXIT(runToTheEnd(launch,
                          [](TMemEmuThread *t) {
                            if (t->special[TMemEmuCtaidX] == 6)
                              *reinterpret_cast<volatile int *>(0x40) = 1;
                          }),
              ExitedWithCode(1), "block 6,0,0, thread 0,0,0");
}

__attribute__((noinline)) uint64_t recurse(volatile uint64_t *depth) {
  if (*depth > 1000000)
    return 0;
  volatile uint64_t here[64] = {*depth};
  ++*depth;
  return recurse(depth) + here[*depth % 64];
}

TEST(EmulationFaultsDeathTest, StackOverflow) {
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *t) {
                            volatile uint64_t depth = 0;
                            if (getTid(t) == 99)
                              recurse(&depth);
                          }),
              ExitedWithCode(1),
              "stack overflow: expected a thread to use less than 256 KiB.*"
              "thread 99,0,0");
}

TEST(EmulationFaultsDeathTest, Division) {
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *) {
                            volatile int zero = 0;
                            volatile int result = 1 / zero;
                            (void)result;
                            // Where a division by zero has a result.
                            raise(SIGFPE);
                          }),
              ExitedWithCode(1), "integer division by zero");
}

TEST(EmulationFaultsDeathTest, PastTheWindow) {
  // Without the call that compiled code makes.
  EXPECT_EXIT(runToTheEnd(Launch(),
                          [](TMemEmuThread *t) {
                            *getShared<volatile int>(t, 8192) = 1;
                          }),
              ExitedWithCode(1),
              "out of bounds: access at offset 8192 of shared memory, of which "
              "the block has 64 bytes");
}

TEST(EmulationFaultsDeathTest, SignalsOfTheHost) {
  // Not ours: they end the process as they would without the library.
  EXPECT_EXIT(
      {
        runToTheEnd(Launch(), [](TMemEmuThread *) {});
        *reinterpret_cast<volatile int *>(0x40) = 1;
      },
      ::testing::KilledBySignal(SIGSEGV), "");
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST(EmulationFaults, SharedAccess) {
  auto kernel = [](int64_t offset, uint64_t bytes, uint32_t flags) {
    return [=](TMemEmuThread *t) {
      tmemEmuSharedAccess(t, AT("llvm.load", 20), t->sharedBegin + offset,
                          bytes, flags);
    };
  };
  constexpr uint32_t shared = TMemEmuAccessShared, write = TMemEmuAccessWrite;
  EXPECT_THAT(
      run(Launch(), kernel(64, 4, shared)),
      isFault("kernel.mlir:20:3: llvm.load: error: out of bounds: load of 4 "
              "bytes at offset 64 of shared memory: expected offsets below the "
              "64 bytes of shared memory of the block"));
  expectFault(kernel(61, 4, shared | write), "store of 4 bytes at offset 61");
  expectFault(kernel(-1, 1, shared), "load of 1 bytes at offset -1");
  expectFault(kernel(0, 65, shared), "of 65 bytes at offset 0");
  expectFault(kernel(64, 4, 0), "out of bounds");
  expectFault(kernel(256 * 1024, 4, 0),
              "in the shared memory of another block");
  expectFault(kernel(int64_t(1) << 40, 4, shared),
              "which is not in shared memory");
  // A generic pointer may point elsewhere.
  expectClean(kernel(int64_t(1) << 40, 4, 0));
  expectClean(kernel(60, 4, shared));
  expectClean(kernel(0, 64, 0));
}

TEST(EmulationFaults, NoSharedMemory) {
  Launch launch;
  launch.staticShared = 0;
  expectFault(
      [](TMemEmuThread *t) {
        EXPECT_EQ(t->sharedUnchecked, 0u);
        tmemEmuSharedAccess(t, AT("llvm.load", 20), t->sharedBegin, 4,
                            TMemEmuAccessShared);
      },
      "expected offsets below the 0 bytes", launch);
}

//===----------------------------------------------------------------------===//
// printf
//===----------------------------------------------------------------------===//

/// What a kernel of one thread prints.
template <typename Args>
std::string print(const char *format, const Args &args, int32_t expected) {
  ::testing::internal::CaptureStdout();
  EXPECT_THAT(run(Launch::ofThreads(1),
                  [&](TMemEmuThread *t) {
                    EXPECT_EQ(tmemEmuPrintf(t, format, &args), expected);
                  }),
              isClean());
  fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

TEST(EmulationPrintf, Conversions) {
  struct {
    int32_t a = -5;
    uint32_t b = 0xbeef;
    int64_t c = -6000000000;
    double d = 2.5;
    const char *e = "text";
    int32_t f = 'x';
    void *g = nullptr;
    double h = 1e-10;
    int32_t i = 8;
  } args;
  static_assert(offsetof(decltype(args), d) == 16);
  EXPECT_EQ(print("%d %x %ld %f|%s|%c %p %g %o %%\n", args, 9),
            "-5 beef -6000000000 2.500000|text|x (nil) 1e-10 10 %\n");
  EXPECT_EQ(print("%i %#X %lli %.1e%8s%3c %p %G %04o", args, 9),
            "-5 0XBEEF -6000000000 2.5e+00    text  x (nil) 1E-10 0010");
}

TEST(EmulationPrintf, WidthsAndLengths) {
  struct {
    int32_t width = 6, value = 42, precision = 2;
    double number = 3.14159;
    int64_t size = 1, j = 2;
    int32_t byte = 0x1ff, half = 0x1ffff;
  } args;
  EXPECT_EQ(print("[%*d][%.*f][%zu][%jd][%hhd][%hu]", args, 8),
            "[    42][3.14][1][2][-1][65535]");
  struct {
    int32_t value = 7;
  } one;
  EXPECT_EQ(print("[%-4d][%", one, 1), "[7   ][");
  EXPECT_EQ(print("%k|%d", one, 1), "%k|7");
  EXPECT_EQ(print("no arguments\n", one, 0), "no arguments\n");
}

TEST(EmulationTimers, Advance) {
  expectClean([](TMemEmuThread *t) {
    for (uint32_t which : {0, 1}) {
      uint64_t first = tmemEmuReadTimer(t, which);
      while (tmemEmuReadTimer(t, which) == first)
        countStep(t, AT("loop", 20));
      EXPECT_GT(tmemEmuReadTimer(t, which), first);
    }
  });
}

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

TEST(EmulationSettingsDeathTest, Environment) {
  // In a process where nobody has set them.
  auto getExitCode = [](const char *variables) {
    std::string command = "env GTEST_COLOR=no " + std::string(variables) +
                          " TMEM_EMULATION_CHILD=1 /proc/" +
                          std::to_string(getpid()) +
                          "/exe --gtest_filter=EmulationSettings.Child "
                          ">/dev/null 2>&1";
    return WEXITSTATUS(system(command.c_str()));
  };
  EXPECT_EQ(getExitCode(""), 0);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_SEED=18446744073709551615"), 0);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_RACE=1 TMEM_EMULATION_THREADS=3"), 0);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_MAX_STEPS=100"), 1);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_MAX_STEPS=0"), 2);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_SEED=one"), 2);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_SEED=-1"), 2);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_RACE=2"), 2);
  EXPECT_EQ(getExitCode("TMEM_EMULATION_THREADS=1x"), 2);
}

TEST(EmulationSettings, Child) {
  if (!getenv("TMEM_EMULATION_CHILD"))
    GTEST_SKIP() << "run by EmulationSettingsDeathTest.Environment";
  TMemEmuKernel kernel = {};
  kernel.name = "k";
  kernel.entry = [](TMemEmuThread *t, void **) {
    for (int i = 0; i < 200; ++i)
      countStep(t, AT("loop", 20));
    EXPECT_EQ(t->sharedUnchecked == 0,
              getenv("TMEM_EMULATION_RACE") != nullptr);
    if (const char *threads = getenv("TMEM_EMULATION_THREADS"))
      EXPECT_EQ(std::to_string(t->special[TMemEmuNsmid]), threads);
  };
  kernel.staticSharedBytes = 16;
  kernel.columns = kernel.exclusiveColumns = 512;
  mgpuLaunchKernel(&kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr, 0);
}

} // namespace
