//===- Support.h - Text for messages ----------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_SUPPORT_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_SUPPORT_H

#include <cstdint>
#include <string>
#include <vector>

// The C ABI is what the library exports; all else is hidden.
#pragma GCC visibility push(default)
#include "tmem/ExecutionEngine/Emulation.h"
#include "tmem/ExecutionEngine/Runtime.h"
#pragma GCC visibility pop

/// For what runs on the way to a switch of fibers: after it, the processor
/// predicts each return wrongly.
#define TMEM_ALWAYS_INLINE inline __attribute__((always_inline))

namespace tmem::emulation {

using Site = TMemEmuSite;

/// A site that is in no compiled program.
class NewSite {
public:
  /// `file` may be null.
  NewSite(const std::string &op, const char *file, uint32_t line,
          uint32_t column);
  const Site *get() const { return memory.data(); }

private:
  std::vector<Site> memory; ///< The first one is it, then come its strings.
};

constexpr uint32_t warpSize = 32;
constexpr uint32_t maxWarps = 32; ///< Of a CTA: 1024 threads.
constexpr uint32_t fullMask = 0xffffffff;

/// As printf.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// "lane 3", "lanes 0 to 15 and 17" for the bits of `mask`.
std::string describeLanes(uint32_t mask);
/// The same for warps.
std::string describeWarps(uint32_t mask);

/// "0x00200010 (lane 32, column 16)" for an address of Tensor Memory.
std::string describeAddress(uint32_t address);

/// Whether `value` is a power of two from `low` to `high`.
constexpr bool isPowerOfTwo(uint64_t value, uint64_t low, uint64_t high) {
  return value >= low && value <= high && (value & (value - 1)) == 0;
}

constexpr uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The lowest set bit of a mask that has one.
inline uint32_t getLowest(uint32_t mask) { return __builtin_ctz(mask); }
inline uint32_t count(uint32_t mask) { return __builtin_popcount(mask); }

/// The first set bit of a mask after bit `last`, or else the first one.
inline uint32_t getNextBit(uint32_t mask, uint32_t last) {
  uint32_t after = mask & ~((2u << last) - 1);
  return getLowest(after ? after : mask);
}

/// Calls `fn(index)` for each set bit, lowest first.
template <typename Fn> void forEachBit(uint32_t mask, Fn fn) {
  for (; mask; mask &= mask - 1)
    fn(getLowest(mask));
}

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_SUPPORT_H
