//===- EmulationTestUtils.h - Kernels written in C++ ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unit tests drive the emulation library by its C ABI: a kernel is a function
// that each GPU thread calls, and a fault comes back as a report.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_UNITTESTS_EXECUTIONENGINE_EMULATIONTESTUTILS_H
#define TMEM_UNITTESTS_EXECUTIONENGINE_EMULATIONTESTUTILS_H

#include "StaticSite.h"
#include "tmem/ExecutionEngine/Emulation.h"
#include "tmem/ExecutionEngine/Runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <array>
#include <functional>
#include <string>
#include <vector>

extern "C" {
void *mgpuModuleLoad(void *data, size_t size);
void *mgpuModuleLoadJIT(void *data, int level);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t smem, void *stream, void **params,
                             void **extra);
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *pointer, void *stream);
void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream);
void mgpuMemset32(void *to, unsigned value, size_t count, void *stream);
void mgpuMemset16(void *to, unsigned short value, size_t count, void *stream);
}

/// The operation `op` at kernel.mlir:<line>:3.
#define AT(op, line)                                                           \
  ([]() -> const TMemEmuSite * {                                               \
    static const tmem::emulation::test::StaticSite site(op, "kernel.mlir",     \
                                                        line, 3);              \
    return &site;                                                              \
  }())

namespace tmem::emulation::test {

using Body = std::function<void(TMemEmuThread *)>;

struct Launch {
  std::array<uint32_t, 3> cluster = {0, 0, 0}; ///< Zeros for none.
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {128, 1, 1};
  uint32_t staticShared = 64, dynamicShared = 0;
  uint64_t seed = 0;
  bool race = false;
  uint32_t threads = 1; ///< OS threads; faults are only caught on one.
  uint64_t maxSteps = 1000000000;
  uint32_t columns = 512, exclusiveColumns = 512;

  Launch with(uint64_t newSeed) const {
    Launch launch = *this;
    launch.seed = newSeed;
    return launch;
  }
  static Launch racing() {
    Launch launch;
    launch.race = true;
    return launch;
  }
  /// A cluster of `size` CTAs, of a warp each.
  static Launch ofCluster(uint32_t size) {
    Launch launch = ofThreads(32);
    launch.cluster = {size, 1, 1};
    launch.grid = {size, 1, 1};
    return launch;
  }
  static Launch ofThreads(uint32_t count) {
    Launch launch;
    launch.block = {count, 1, 1};
    return launch;
  }
};

/// What a fault says; status 0 is none.
struct Report {
  int status = 0;
  std::string text;
};

inline std::ostream &operator<<(std::ostream &os, const Report &report) {
  return os << "status " << report.status << ": " << report.text;
}

/// Calls `fn` and takes the report of a fault or an error of the set-up.
Report catchReport(const std::function<void()> &fn);

/// Runs a kernel to its end or its first fault.
Report run(const Launch &launch, const Body &body);

/// No fault, in whatever order: with several seeds, with and without race mode.
void expectClean(const Body &body, Launch launch = Launch());

/// The same fault in whatever order, in the same modes.
void expectFault(const Body &body, const std::string &message,
                 Launch launch = Launch());

/// Matches a report of status 1 that has `text` in it.
inline auto isFault(const std::string &text) {
  return ::testing::AllOf(
      ::testing::Field("status", &Report::status, 1),
      ::testing::Field("text", &Report::text, ::testing::HasSubstr(text)));
}
inline auto isSetupError(const std::string &text) {
  return ::testing::AllOf(
      ::testing::Field("status", &Report::status, 2),
      ::testing::Field("text", &Report::text, ::testing::HasSubstr(text)));
}
inline auto isClean() { return ::testing::Field("status", &Report::status, 0); }

inline uint32_t getTid(TMemEmuThread *t) { return t->special[TMemEmuTidX]; }
inline uint32_t getLane(TMemEmuThread *t) { return t->special[TMemEmuLaneid]; }
inline uint32_t getWarp(TMemEmuThread *t) { return t->special[TMemEmuWarpid]; }

/// Shared memory of the CTA as an array.
template <typename T> T *getShared(TMemEmuThread *t, uint32_t offset = 0) {
  return reinterpret_cast<T *>(t->sharedBegin + offset);
}

constexpr uint32_t fullMask = 0xffffffff;

//===----------------------------------------------------------------------===//
// Pieces of kernels
//===----------------------------------------------------------------------===//

/// What a backward branch is compiled to.
inline void countStep(TMemEmuThread *t, const TMemEmuSite *site) {
  if (--t->fuel <= 0)
    tmemEmuYield(t, site);
}

/// bar.sync of all of the CTA.
inline void sync(TMemEmuThread *t, const TMemEmuSite *site) {
  tmemEmuBarrier(t, site, 0, 0, TMemEmuBarrierAligned, 0);
}
/// A barrier between the fences that Tensor Memory needs.
inline void fencedSync(TMemEmuThread *t, const TMemEmuSite *site) {
  tmemEmuFence(t, site, TMemEmuFenceBefore);
  sync(t, site);
  tmemEmuFence(t, site, TMemEmuFenceAfter);
}

/// Warp 0 allocates before `body(address)` and frees after it, with barriers
/// between. The slot is at offset 0 of shared memory.
template <typename Fn>
void withColumns(TMemEmuThread *t, uint32_t columns, Fn body) {
  if (getWarp(t) == 0)
    tmemEmuAlloc(t, AT("tcgen05.alloc", 10), getShared<uint32_t>(t), columns,
                 0);
  fencedSync(t, AT("bar.sync", 11));
  tmemEmuSharedAccess(t, AT("ld.shared", 12), t->sharedBegin, 4, 0);
  uint32_t address = *getShared<uint32_t>(t);
  body(address);
  fencedSync(t, AT("bar.sync", 98));
  if (getWarp(t) == 0)
    tmemEmuDealloc(t, AT("tcgen05.dealloc", 99), address, columns, 0);
}

inline uint32_t getRank(TMemEmuThread *t) {
  return t->special[TMemEmuClusterCtarank];
}

/// barrier.cluster.arrive, with TMemEmuClusterFlags, and wait.
inline void syncCluster(TMemEmuThread *t, uint32_t flags = 0) {
  tmemEmuClusterBarrier(t, AT("barrier.cluster.arrive", 50), flags);
  tmemEmuClusterBarrier(t, AT("barrier.cluster.wait", 51), TMemEmuClusterWait);
}

/// The slab of the thread's warp.
inline uint32_t getSlab(TMemEmuThread *t) { return getWarp(t) % 4 * 32 << 16; }

/// 32x32b accesses of the whole slab from a column on.
inline void store(TMemEmuThread *t, const TMemEmuSite *site, uint32_t address,
                  uint32_t count, const uint32_t *words) {
  tmemEmuStore(t, site, TMemEmu32x32b, count, 0, address + getSlab(t), 0,
               words);
}
inline uint64_t load(TMemEmuThread *t, const TMemEmuSite *site,
                     uint32_t address, uint32_t count, uint32_t *words) {
  return tmemEmuLoad(t, site, TMemEmu32x32b, count, 0, address + getSlab(t), 0,
                     words);
}
/// Writes each cell of a range of columns, and waits.
inline void fill(TMemEmuThread *t, uint32_t address, uint32_t count,
                 uint32_t value) {
  std::array<uint32_t, 128> words;
  words.fill(value);
  store(t, AT("tcgen05.st", 13), address, count, words.data());
  tmemEmuWaitStore(t, AT("tcgen05.wait::st", 14));
}

} // namespace tmem::emulation::test

#endif // TMEM_UNITTESTS_EXECUTIONENGINE_EMULATIONTESTUTILS_H
