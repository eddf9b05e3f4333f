//===- CudaRuntimeTest.cpp - Tests of the CUDA run-time library -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against FakeCudaDriver.cpp, each test in a process of its own.
//
//===----------------------------------------------------------------------===//

#include "tmem/ExecutionEngine/Cuda.h"
#include "tmem/ExecutionEngine/DeviceState.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>
#include <functional>

using namespace tmem::emulation;

extern "C" {
void *mgpuModuleLoad(void *data, size_t size);
void *mgpuModuleLoadJIT(void *data, int optLevel);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t shared, void *stream,
                      void **params, void **extra, size_t numParams);
void mgpuStreamSynchronize(void *stream);
void *mgpuMemAlloc(uint64_t size, void *stream, bool isHostShared);
void mgpuMemFree(void *memory, void *stream);
void mgpuMemset32(void *to, uint32_t value, size_t count, void *stream);
void mgpuMemHostRegisterMemRef(int64_t rank, void *memref, int64_t size);
void mgpuMemHostUnregisterMemRef(int64_t rank, void *memref, int64_t size);
void mgpuSetDefaultDevice(int32_t device);
}

namespace {

const char ptx90[] = "//\n// Made by hand\n//\n.version 8.0\n"
                     ".target sm_90\n.address_size 64\n"
                     ".visible .entry first(.param .u64 p) { ret; }\n"
                     ".visible .entry second() { ret; }\n";
const char ptx100a[] = ".version 8.8\n.target sm_100a\n.address_size 64\n"
                       ".visible .entry first() { ret; }\n";

void useDriver(const char *variable = nullptr, const char *value = nullptr) {
  setenv("TMEM_CUDA_DRIVER", TMEM_FAKE_CUDA_DRIVER, 1);
  if (variable)
    setenv(variable, value, 1);
}

void *load(const char *data) {
  return mgpuModuleLoad(const_cast<char *>(data), strlen(data) + 1);
}

/// Launches `first` on one CTA of one warp.
void launch(intptr_t grid = 1, intptr_t block = 32, int32_t shared = 0,
            size_t numParams = 2) {
  void *function = mgpuModuleGetFunction(load(ptx90), "first");
  mgpuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, nullptr, nullptr,
                   nullptr, numParams);
}

/// What `body` prints on stderr, and how the process ends.
void expectExit(int status, const std::string &pattern,
                const std::function<void()> &body) {
  EXPECT_EXIT(
      {
        if (!freopen("/dev/null", "w", stdout))
          _exit(3);
        body();
        _exit(0);
      },
      ::testing::ExitedWithCode(status), pattern);
}

/// What `body` prints on stdout.
void expectOutput(const std::string &expected,
                  const std::function<void()> &body) {
  EXPECT_EXIT(
      {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        body();
        fflush(stdout);
        _exit(0);
      },
      ::testing::ExitedWithCode(0), expected);
}

//===----------------------------------------------------------------------===//
// Drivers and devices
//===----------------------------------------------------------------------===//

TEST(CudaRuntime, SaysThatThereIsNoDriver) {
  expectExit(2,
             "tmem cuda: error: no NVIDIA driver .*/nowhere/libcuda.*; run on "
             "the CPU instead: load libtmem_emulation_runtime.so .*--on=cpu",
             [] {
               setenv("TMEM_CUDA_DRIVER", "/nowhere/libcuda.so", 1);
               load(ptx90);
             });
}

TEST(CudaRuntime, SaysThatALibraryIsNoDriver) {
  expectExit(2, "the NVIDIA driver is too old: it has no cu", [] {
    setenv("TMEM_CUDA_DRIVER", "libc.so.6", 1);
    load(ptx90);
  });
}

TEST(CudaRuntime, SaysThatThereIsNoDevice) {
  expectExit(2, "no NVIDIA GPU: cuInit: CUDA_ERROR_NO_DEVICE .*run on the CPU",
             [] {
               useDriver("FAKE_CUDA_FAIL", "cuInit:100");
               load(ptx90);
             });
  expectExit(2, "no NVIDIA GPU; run on the CPU", [] {
    useDriver("FAKE_CUDA_DEVICES", "0");
    load(ptx90);
  });
  expectExit(2, "expected a device from 0 to 0, but got 3", [] {
    useDriver();
    mgpuSetDefaultDevice(3);
    load(ptx90);
  });
}

TEST(CudaRuntime, TellsTheCapability) {
  expectOutput("0 9.0 NVIDIA Fake", [] {
    useDriver();
    int major = 0, minor = 0;
    char name[64];
    int result = tmemCudaGetCapability(&major, &minor, name, sizeof(name));
    printf("%d %d.%d %s", result, major, minor, name);
  });
  expectOutput("1 no NVIDIA dr$", [] {
    setenv("TMEM_CUDA_DRIVER", "/nowhere", 1);
    int major = 0, minor = 0;
    char name[13];
    int result = tmemCudaGetCapability(&major, &minor, name, sizeof(name));
    printf("%d %s", result, name);
  });
}

TEST(CudaRuntime, SetsTheStack) {
  expectOutput("limit 0: 20000\nlaunch first", [] {
    useDriver("TMEM_CUDA_STACK", "20000");
    launch();
  });
  expectExit(2, "TMEM_CUDA_STACK: expected a number of bytes, but got '4k'",
             [] {
               useDriver("TMEM_CUDA_STACK", "4k");
               launch();
             });
  expectExit(2, "cuCtxSetLimit of the stack to 9 bytes: CUDA_ERROR_SOMETHING",
             [] {
               useDriver("TMEM_CUDA_STACK", "9");
               setenv("FAKE_CUDA_FAIL", "cuCtxSetLimit:1", 1);
               launch();
             });
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(CudaRuntime, RefusesTensorMemoryOnOtherDevices) {
  expectExit(2,
             "the module needs compute capability 10.0 \\(sm_100a\\); this is "
             "an NVIDIA Fake, 9.0: compile with "
             "emulate-tcgen05\\{mode=device\\}, or run on the CPU",
             [] {
               useDriver();
               load(ptx100a);
             });
  expectExit(2, "needs compute capability 9.0 .*, 7.5: compile for sm_75", [] {
    useDriver("FAKE_CUDA_CAPABILITY", "75");
    load(ptx90);
  });
  expectExit(0, "", [] {
    useDriver("FAKE_CUDA_CAPABILITY", "100");
    load(ptx100a);
    load(ptx90);
  });
}

TEST(CudaRuntime, RefusesWhatIsForTheCpu) {
  expectExit(2,
             "module kernels was rewritten for the emulator on the CPU; run it "
             "with libtmem_emulation_runtime.so",
             [] {
               useDriver();
               load(TMEM_EMU_BINARY_PREFIX "kernels");
             });
  expectExit(2, "expected a cubin, a fat binary or PTX, but got LLVM bitcode",
             [] {
               useDriver();
               load("BC\xc0\xde");
             });
  expectExit(2, "but got something else", [] {
    useDriver();
    load("hello");
  });
}

TEST(CudaRuntime, SaysWhatTheAssemblerSays) {
  expectExit(2, "cuModuleLoadDataEx: ptxas says no: CUDA_ERROR_SOMETHING", [] {
    useDriver("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:218");
    mgpuModuleLoadJIT(const_cast<char *>(ptx90), 3);
  });
}

TEST(CudaRuntime, UnloadsAfterTheDriverHasShutDown) {
  expectExit(0, "", [] {
    useDriver("FAKE_CUDA_FAIL", "cuModuleUnload:4");
    mgpuModuleUnload(load(ptx90));
  });
  expectExit(2, "cuModuleUnload: CUDA_ERROR_SOMETHING", [] {
    useDriver("FAKE_CUDA_FAIL", "cuModuleUnload:400");
    mgpuModuleUnload(load(ptx90));
  });
}

TEST(CudaRuntime, ListsKernels) {
  expectExit(2, "the module has no kernel missing; it has first, second", [] {
    useDriver();
    mgpuModuleGetFunction(load(ptx90), "missing");
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(CudaRuntime, Launches) {
  expectOutput("launch first 5,1,1 64,1,1 0\n", [] {
    useDriver();
    launch(5, 64);
  });
  expectOutput("shared memory: 100000 bytes\nlaunch first 1,1,1 32,1,1 100000",
               [] {
                 useDriver();
                 launch(1, 32, 100000);
               });
}

TEST(CudaRuntime, ChecksLimits) {
  expectExit(2,
             "kernel first: expected a grid size in x from 1 to 2147483647, "
             "but got 0",
             [] {
               useDriver();
               launch(0);
             });
  expectExit(2, "expected a block size in x from 1 to 1024, but got 2048", [] {
    useDriver();
    launch(1, 2048);
  });
  expectExit(2,
             "expected at most 512 threads in a block, .*with its 64 "
             "registers, but got 1024",
             [] {
               useDriver();
               launch(1, 1024);
             });
  expectExit(2,
             "expected at most 232448 bytes of shared memory, but got 1000 "
             "static and 232448 dynamic ones",
             [] {
               useDriver();
               launch(1, 32, 232448);
             });
  expectExit(2, "kernel first: expected 2 arguments, but got 3", [] {
    useDriver();
    launch(1, 32, 0, 3);
  });
}

TEST(CudaRuntime, NamesFailingCalls) {
  expectExit(2, "cuLaunchKernel of kernel first: CUDA_ERROR_SOMETHING", [] {
    useDriver("FAKE_CUDA_FAIL", "cuLaunchKernel:1");
    launch();
  });
  expectExit(1,
             "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS \\(fake text\\); "
             "the kernel launched last is first",
             [] {
               useDriver("FAKE_CUDA_FAIL", "cuStreamSynchronize:700");
               launch();
               mgpuStreamSynchronize(nullptr);
             });
}

TEST(CudaRuntime, PrintsTimes) {
  expectExit(0, "kernel first, grid 1,1,1, block 32,1,1: 1.250 ms", [] {
    useDriver("TMEM_CUDA_TIME", "1");
    launch();
  });
}

//===----------------------------------------------------------------------===//
// Emulated kernels
//===----------------------------------------------------------------------===//

TEST(CudaRuntime, GivesEmulatedKernelsSlots) {
  // 4 multiprocessors of 2 CTAs each, or the grid.
  expectOutput("slots 8, patience 2000000000", [] {
    useDriver("FAKE_CUDA_EMULATED", "0");
    launch(100);
  });
  expectOutput("slots 3, patience 1000000000", [] {
    useDriver("FAKE_CUDA_EMULATED", "0");
    setenv("TMEM_CUDA_TIMEOUT", "4", 1);
    launch(3);
  });
}

TEST(CudaRuntime, PrintsFaults) {
  expectExit(1,
             "^kernel.mlir:35:7: nvvm.tcgen05.st: error: the cell at lane 1, "
             "column 64 was never written \\[kernel first, block 3,0,0, thread "
             "40,0,0\\]\n<unknown location>: nvvm.tcgen05.alloc: note: "
             "allocated here\n$",
             [] {
               useDriver("FAKE_CUDA_EMULATED",
                         std::to_string(FaultNeverWritten).c_str());
               launch();
             });
  expectExit(2, "cta_group::2 needs a cluster of two", [] {
    useDriver("FAKE_CUDA_EMULATED", std::to_string(FaultGroupOfTwo).c_str());
    launch();
  });
}

TEST(CudaRuntime, HasATextForEachFault) {
  for (uint32_t kind = 1; kind < NumDeviceFaults; ++kind)
    expectExit(kind == FaultGroupOfTwo || kind == FaultChipColumns ? 2 : 1,
               "error: [^u]", [&] { // Not "unknown fault".
                 useDriver("FAKE_CUDA_EMULATED", std::to_string(kind).c_str());
                 launch();
               });
  expectExit(1, "unknown fault", [] {
    useDriver("FAKE_CUDA_EMULATED", std::to_string(NumDeviceFaults).c_str());
    launch();
  });
}

TEST(CudaRuntime, BoundsKernelsThatNeverEnd) {
  expectExit(1, "kernel first has not ended after 0.05 s", [] {
    useDriver("FAKE_CUDA_EMULATED", "0");
    setenv("FAKE_CUDA_HANG", "1", 1);
    setenv("TMEM_CUDA_TIMEOUT", "0.05", 1);
    launch();
  });
  expectExit(2, "TMEM_CUDA_TIMEOUT: expected seconds, but got 'soon'", [] {
    useDriver("FAKE_CUDA_EMULATED", "0");
    setenv("TMEM_CUDA_TIMEOUT", "soon", 1);
    launch();
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(CudaRuntime, SaysHowMuchMemoryIsFree) {
  expectExit(2,
             "cuMemAllocAsync of 123456 bytes, with 1000 of 4000 bytes free: "
             "CUDA_ERROR_OUT_OF_MEMORY \\(out of memory\\)",
             [] {
               useDriver("FAKE_CUDA_FAIL", "cuMemAllocAsync:2");
               mgpuMemAlloc(123456, nullptr, false);
             });
}

TEST(CudaRuntime, SetsAndFreesMemory) {
  expectOutput("7 7 0", [] {
    useDriver();
    auto *words = static_cast<uint32_t *>(mgpuMemAlloc(8, nullptr, true));
    mgpuMemset32(words, 7, 2, nullptr);
    printf("%u %u %d", words[0], words[1],
           mgpuMemAlloc(0, nullptr, false) != nullptr);
    mgpuMemFree(words, nullptr);
    mgpuMemFree(nullptr, nullptr);
  });
}

TEST(CudaRuntime, RegistersMemrefs) {
  // 2x3 of f32 from the fourth element on, twice.
  expectOutput("^register 24 bytes\nunregister\ndone", [] {
    useDriver();
    float data[16];
    int64_t memref[] = {int64_t(data), int64_t(data), 4, 2, 3, 3, 1};
    mgpuMemHostRegisterMemRef(2, memref, 4);
    mgpuMemHostRegisterMemRef(2, memref, 4);
    mgpuMemHostUnregisterMemRef(2, memref, 4);
    mgpuMemHostUnregisterMemRef(2, memref, 4);
    printf("done");
  });
  expectExit(2,
             "expected a dense memref, but got stride 8 in dimension 0 in "
             "place of 3",
             [] {
               useDriver();
               float data[16];
               int64_t memref[] = {int64_t(data), int64_t(data), 0, 2, 3, 8, 1};
               mgpuMemHostRegisterMemRef(2, memref, 4);
             });
}

} // namespace
