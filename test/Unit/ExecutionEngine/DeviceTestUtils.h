//===- DeviceTestUtils.h - Kernels that drive the device library *- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICETESTUTILS_H
#define TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICETESTUTILS_H

#include "DeviceGpu.h"
#include "gtest/gtest.h"
#include <string>

namespace tmem::emulation::test {

inline const KernelSite allocSite("tcgen05.alloc", 10),
    secondAllocSite("tcgen05.alloc", 12), deallocSite("tcgen05.dealloc", 11),
    secondDeallocSite("tcgen05.dealloc", 13), relinquishSite("relinquish", 14),
    loadSite("tcgen05.ld", 20), storeSite("tcgen05.st", 21),
    otherSite("tcgen05.st", 24), waitSite("tcgen05.wait", 22),
    useSite("llvm.add", 25);

/// The operations as a kernel has them, with the sites above.
struct Thread {
  TMemEmuThread *thread;
  uint32_t index;

  void alloc(uint32_t columns, uint32_t flags = 0,
             const TMemEmuSite &site = allocSite, uint32_t *slot = nullptr) {
    static uint32_t ignored;
    tmemEmuAlloc(thread, &site, slot ? slot : &ignored, columns, flags);
  }
  void dealloc(uint32_t address, uint32_t columns, uint32_t flags = 0,
               const TMemEmuSite &site = deallocSite) {
    tmemEmuDealloc(thread, &site, address, columns, flags);
  }
  void relinquish(uint32_t flags = 0) {
    tmemEmuRelinquish(thread, &relinquishSite, flags);
  }
  uint64_t load(uint32_t address, uint32_t count = 1,
                uint32_t shape = TMemEmu32x32b, uint32_t flags = 0,
                int64_t offset = 0) {
    uint32_t words[129];
    return tmemEmuLoad(thread, &loadSite, shape, count, flags, address, offset,
                       words);
  }
  void store(uint32_t address, uint32_t count = 1,
             uint32_t shape = TMemEmu32x32b, uint32_t flags = 0,
             int64_t offset = 0, const TMemEmuSite &site = storeSite) {
    uint32_t words[128] = {};
    tmemEmuStore(thread, &site, shape, count, flags, address, offset, words);
  }
  void waitLoad() { tmemEmuWaitLoad(thread, &waitSite); }
  void waitStore() { tmemEmuWaitStore(thread, &waitSite); }
};

class DeviceTest : public ::testing::Test {
protected:
  Gpu gpu;
  Settings settings;

  template <typename Fn> DeviceFaultKind run(Fn body) {
    return gpu.run(settings, [&](TMemEmuThread *thread, uint32_t index) {
      Thread t = {thread, index};
      body(t);
    });
  }
  /// With 64 columns allocated around it by warp 0, and waits at the end.
  template <typename Fn> DeviceFaultKind runAllocated(Fn body) {
    return run([&](Thread &t) {
      if (t.index < 32)
        t.alloc(64);
      syncThreads();
      body(t);
      t.waitStore();
      t.waitLoad();
      syncThreads();
      if (t.index < 32)
        t.dealloc(0, 64);
    });
  }
  std::string getOp() { return gpu.getFault().site.op; }
  uint32_t getLine() { return gpu.getFault().site.line; }
  uint32_t getNoteLine() { return gpu.getFault().note.line; }
  uint32_t getValue(int index) { return gpu.getFault().values[index]; }
};

} // namespace tmem::emulation::test

#endif // TMEM_TEST_UNIT_EXECUTIONENGINE_DEVICETESTUTILS_H
