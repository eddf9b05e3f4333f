//===- Random.h - Pseudo-random choices of a CTA ----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_RANDOM_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_RANDOM_H

#include <cstdint>

namespace tmem::emulation {

/// A counter and a mixing function: the same on every machine.
class Random {
public:
  void seed(uint64_t seed, uint64_t cta) {
    state = mix(seed) + mix(cta * 2 + 1);
  }
  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15); }

  static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
    return value ^ (value >> 32);
  }

private:
  uint64_t state = 0;
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_RANDOM_H
