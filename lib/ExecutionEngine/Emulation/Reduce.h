//===- Reduce.h - Minimum and maximum of f32 --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_REDUCE_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_REDUCE_H

#include <cstdint>

namespace tmem::emulation {

/// PTX's min and max of f32 (PTX ISA, "min", "max"), on bits: -0 is below +0; a
/// NaN loses to a number, or with .NaN wins; the NaN that results is
/// 0x7fffffff.
struct FloatReduction {
  bool isMax, abs, nan;

  static constexpr uint32_t canonicalNaN = 0x7fffffff;
  static constexpr bool isNaN(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
  }

  /// The reduction of one value.
  constexpr uint32_t begin(uint32_t value) const {
    if (isNaN(value))
      return canonicalNaN;
    return abs ? value & 0x7fffffff : value;
  }

  constexpr uint32_t add(uint32_t sum, uint32_t value) const {
    value = begin(value);
    if (isNaN(sum) || isNaN(value)) {
      if (nan)
        return canonicalNaN;
      return isNaN(sum) ? value : sum;
    }
    // Keys that order as the numbers do, -0 before +0.
    bool less = getKey(value) < getKey(sum);
    return less != isMax ? value : sum;
  }

private:
  static constexpr uint32_t getKey(uint32_t bits) {
    return bits >> 31 ? ~bits : bits | 0x80000000;
  }
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_REDUCE_H
