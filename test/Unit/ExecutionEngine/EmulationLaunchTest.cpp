//===- EmulationLaunchTest.cpp - Modules, launches and memory -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"

using namespace tmem::emulation::test;

namespace {

uint32_t numRuns;

void countRuns(TMemEmuThread *, void **) { ++numRuns; }

const StaticSite site("llvm.func", "kernel.mlir", 5, 1);

/// A kernel that only counts its threads.
TMemEmuKernel makeKernel(const char *module, const char *name) {
  TMemEmuKernel kernel = {};
  kernel.module = module;
  kernel.name = name;
  kernel.entry = countRuns;
  kernel.site = &site;
  kernel.sharedAlignment = 16;
  kernel.chip = "sm_100a";
  kernel.columns = kernel.exclusiveColumns = 512;
  return kernel;
}

void *loadModule(std::string binary) {
  return mgpuModuleLoad(binary.data(), binary.size());
}

class EmulationLaunch : public ::testing::Test {
protected:
  void SetUp() override {
    tmemEmulationForgetKernels();
    tmemEmulationSetThreads(1);
    tmemEmulationSetSeed(0);
    tmemEmulationSetRaceMode(0);
    numRuns = 0;
  }

  Report launch(std::array<int64_t, 3> grid, std::array<int64_t, 3> block,
                int32_t shared = 0, uint64_t numParams = 0) {
    tmemEmuRegister(&kernel);
    void *function = mgpuModuleGetFunction(
        loadModule(TMEM_EMU_BINARY_PREFIX "m"), kernel.name);
    return catchReport([&] {
      mgpuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                       block[2], shared, nullptr, nullptr, nullptr, numParams);
    });
  }

  TMemEmuKernel kernel = makeKernel("m", "k");
};

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST_F(EmulationLaunch, NeverEmulated) {
  EXPECT_THAT(catchReport([] { loadModule("\177ELF cubin"); }),
              isSetupError("tmem emulation: error: this module was never "
                           "emulated: run emulate-tcgen05"));
  EXPECT_THAT(catchReport([] { mgpuModuleLoad(nullptr, 0); }),
              isSetupError("never emulated"));
  char text[] = "// PTX";
  EXPECT_THAT(catchReport([&] { mgpuModuleLoadJIT(text, 2); }),
              isSetupError("never emulated"));
}

TEST_F(EmulationLaunch, MissingKernel) {
  TMemEmuKernel other = makeKernel("m", "l"), third = makeKernel("n", "x");
  for (const TMemEmuKernel *each : {&kernel, &other, &third})
    tmemEmuRegister(each);
  EXPECT_THAT(
      catchReport([] {
        mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "m"), "x");
      }),
      isSetupError("no kernel is named x in module m: there are k, l\n"));
  EXPECT_THAT(catchReport([] {
                mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "o"),
                                      "x");
              }),
              isSetupError("no kernel is named x in module o: there are none"));
  EXPECT_THAT(
      catchReport([] { mgpuModuleGetFunction(loadModule("cubin"), "y"); }),
      isSetupError("no kernel is named y: there are k, l, x\n"));
}

TEST_F(EmulationLaunch, ForgetsOneModule) {
  TMemEmuKernel other = makeKernel("n", "k");
  tmemEmuRegister(&kernel);
  tmemEmuRegister(&other);
  tmemEmulationForgetModule(nullptr);
  tmemEmulationForgetModule("absent");
  tmemEmulationForgetModule("m");
  EXPECT_THAT(catchReport([] {
                mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "m"),
                                      "k");
              }),
              isSetupError("no kernel is named k in module m: there are none"));
  EXPECT_EQ(mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "n"), "k"),
            &other);
}

TEST_F(EmulationLaunch, FindsKernels) {
  TMemEmuKernel other = makeKernel("n", "k"), third = makeKernel("n", "x");
  for (const TMemEmuKernel *each : {&kernel, &other, &third})
    tmemEmuRegister(each);
  EXPECT_EQ(mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "m"), "k"),
            &kernel);
  EXPECT_EQ(mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "n"), "k"),
            &other);
  // A cubin does not say which module it is.
  EXPECT_EQ(mgpuModuleGetFunction(loadModule("cubin"), "x"), &third);
  char name[] = TMEM_EMU_BINARY_PREFIX "n";
  void *module = mgpuModuleLoadJIT(name, 2);
  EXPECT_EQ(mgpuModuleGetFunction(module, "x"), &third);
  mgpuModuleUnload(module);
}

TEST_F(EmulationLaunch, TwoKernelsOfOneName) {
  TMemEmuKernel other = makeKernel("n", "k");
  tmemEmuRegister(&kernel);
  tmemEmuRegister(&other);
  EXPECT_THAT(
      catchReport([] { mgpuModuleGetFunction(loadModule("cubin"), "k"); }),
      isSetupError("two kernels are named k: k of module m at kernel.mlir:5:1 "
                   "and of module n at kernel.mlir:5:1"));
}

TEST_F(EmulationLaunch, TwoModulesOfOneName) {
  const StaticSite elsewhere("llvm.func", "other.mlir", 7, 1);
  TMemEmuKernel other = makeKernel("m", "k");
  other.site = &elsewhere;
  tmemEmuRegister(&kernel);
  tmemEmuRegister(&other);
  EXPECT_THAT(catchReport([] {
                mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "m"),
                                      "k");
              }),
              isSetupError("two kernels are named k"));
}

TEST_F(EmulationLaunch, CompiledAgain) {
  // The code of before may be gone.
  TMemEmuKernel again = makeKernel("m", "k");
  tmemEmuRegister(&kernel);
  tmemEmuRegister(&again);
  EXPECT_EQ(mgpuModuleGetFunction(loadModule(TMEM_EMU_BINARY_PREFIX "m"), "k"),
            &again);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST_F(EmulationLaunch, Grid) {
  EXPECT_THAT(launch({2, 3, 4}, {8, 1, 1}), isClean());
  EXPECT_EQ(numRuns, 192u);
  EXPECT_THAT(
      launch({0, 1, 1}, {1, 1, 1}),
      isSetupError("launch of k (kernel.mlir:5:1): expected a grid of 1 "
                   "to 2147483647 in x, but got 0"));
  EXPECT_THAT(launch({1, 65536, 1}, {1, 1, 1}),
              isSetupError("a grid of 1 to 65535 in y, but got 65536"));
  EXPECT_THAT(launch({1, 1, -1}, {1, 1, 1}), isSetupError("in z, but got -1"));
  EXPECT_THAT(launch({int64_t(1) << 31, 1, 1}, {1, 1, 1}),
              isSetupError("in x, but got 2147483648"));
}

TEST_F(EmulationLaunch, Block) {
  EXPECT_THAT(launch({1, 1, 1}, {4, 4, 64}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {1024, 1, 1}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {1025, 1, 1}),
              isSetupError("expected a block of 1 to 1024 in x, but got 1025"));
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 65}),
              isSetupError("a block of 1 to 64 in z, but got 65"));
  EXPECT_THAT(launch({1, 1, 1}, {0, 1, 1}), isSetupError("in x, but got 0"));
  EXPECT_THAT(
      launch({1, 1, 1}, {32, 33, 1}),
      isSetupError("expected at most 1024 threads in a block, but got 1056"));
}

TEST_F(EmulationLaunch, RequiredAndMaximalThreads) {
  kernel.requiredThreads[0] = 128;
  kernel.requiredThreads[1] = kernel.requiredThreads[2] = 1;
  EXPECT_THAT(launch({1, 1, 1}, {128, 1, 1}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {64, 2, 1}),
              isSetupError("expected blocks of 128,1,1 threads as its reqntid "
                           "says, but got 64,2,1"));
  kernel.requiredThreads[1] = kernel.requiredThreads[2] = 0;
  EXPECT_THAT(launch({1, 1, 1}, {128, 1, 1}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {128, 2, 1}), isSetupError("reqntid"));
  kernel.requiredThreads[0] = 0;
  kernel.maxThreads = 128;
  EXPECT_THAT(launch({1, 1, 1}, {64, 2, 1}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {129, 1, 1}),
              isSetupError("expected at most 128 threads in a block as its "
                           "maxntid says, but got 129"));
}

TEST_F(EmulationLaunch, Registers) {
  kernel.maxRegisters = 128;
  EXPECT_THAT(launch({1, 1, 1}, {512, 1, 1}), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {513, 1, 1}),
              isSetupError("expected at most 65536 registers in a block, but "
                           "544 threads of 128 registers take 69632"));
}

TEST_F(EmulationLaunch, SharedMemory) {
  kernel.staticSharedBytes = 1000;
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, 232448 - 1008), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, 232448 - 1007),
              isSetupError("expected at most 232448 bytes of shared memory, "
                           "but got 1000 static and 231441 dynamic ones"));
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, -1),
              isSetupError("1000 static and -1 dynamic"));
}

TEST_F(EmulationLaunch, Arguments) {
  kernel.numParams = 3;
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, 0, 3), isClean());
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}, 0, 2),
              isSetupError("expected 3 arguments, but got 2"));
}

TEST_F(EmulationLaunch, Clusters) {
  auto launchCluster = [&](int64_t x) {
    return catchReport([&] {
      mgpuLaunchClusterKernel(&kernel, x, 1, 1, 2, 1, 1, 1, 1, 1, 0, nullptr,
                              nullptr, nullptr);
    });
  };
  EXPECT_THAT(launchCluster(1), isClean());
  EXPECT_THAT(launchCluster(2), isClean());
  EXPECT_THAT(launchCluster(17), isSetupError("expected clusters of 1 to 16 "
                                              "blocks, but got 17,1,1"));
  EXPECT_THAT(launchCluster(-1), isSetupError("but got -1,1,1"));
  EXPECT_THAT(launchCluster(3), isSetupError("a multiple of 3 blocks in x"));
  kernel.clusterSize[0] = kernel.clusterSize[2] = 1;
  kernel.clusterSize[1] = 2;
  EXPECT_THAT(launchCluster(1),
              isSetupError("expected clusters of 1,2,1 blocks "
                           "as its cluster_dim says"));
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}),
              isSetupError("a multiple of 2 blocks in y"));
  EXPECT_THAT(launch({1, 4, 1}, {1, 1, 1}), isClean());
  kernel.clusterSize[0] = kernel.clusterSize[1] = kernel.clusterSize[2] = 0;
  kernel.maxClusterBlocks = 1;
  EXPECT_THAT(launchCluster(2), isSetupError("as its cluster_max_blocks says"));
}

TEST_F(EmulationLaunch, Columns) {
  kernel.columns = 48;
  EXPECT_THAT(launch({1, 1, 1}, {1, 1, 1}),
              isSetupError("expected a multiple of 32 columns up to 1024 for "
                           "chip sm_100a, but got 48"));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_F(EmulationLaunch, Memory) {
  auto *words = static_cast<uint32_t *>(mgpuMemAlloc(64, nullptr, false));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(words) % 256, 0u);
  mgpuMemset32(words, 0x12345678, 16, nullptr);
  EXPECT_EQ(words[15], 0x12345678u);
  mgpuMemset16(words, 0xabcd, 3, nullptr);
  EXPECT_EQ(words[0], 0xabcdabcdu);
  EXPECT_EQ(words[1], 0x1234abcdu);
  uint32_t host[16];
  mgpuMemcpy(host, words, 64, nullptr);
  EXPECT_EQ(host[1], 0x1234abcdu);
  EXPECT_THAT(catchReport([&] { mgpuMemFree(words, nullptr); }), isClean());
  EXPECT_THAT(catchReport([&] { mgpuMemFree(words, nullptr); }),
              isSetupError("mgpuMemFree: expected a pointer that mgpuMemAlloc "
                           "returned and that is not freed yet"));
  EXPECT_THAT(catchReport([&] { mgpuMemFree(nullptr, nullptr); }), isClean());
  EXPECT_THAT(
      catchReport([] { mgpuMemAlloc(uint64_t(1) << 60, nullptr, false); }),
      isSetupError("out of memory: expected to allocate 1152921504606846976 "
                   "bytes"));
  void *empty = mgpuMemAlloc(0, nullptr, false);
  EXPECT_NE(empty, nullptr);
  mgpuMemFree(empty, nullptr);
}

} // namespace
