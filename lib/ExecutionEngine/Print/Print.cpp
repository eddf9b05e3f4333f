//===- Print.cpp - What vector.print calls --------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that MLIR's lowering of vector.print calls, for programs that
// were compiled ahead of time: MLIR's own libmlir_c_runner_utils.so needs all
// of LLVM beside it.
//
//===----------------------------------------------------------------------===//

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

/// The value of the upper half of a float.
static float getFloat(uint16_t upperHalf) {
  uint32_t bits = uint32_t(upperHalf) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

extern "C" {
void printI64(int64_t value) { std::printf("%" PRId64, value); }
void printU64(uint64_t value) { std::printf("%" PRIu64, value); }
void printF32(float value) { std::printf("%g", value); }
void printF64(double value) { std::printf("%lg", value); }
void printBF16(uint16_t bits) { std::printf("%g", getFloat(bits)); }
void printString(const char *text) { std::fputs(text, stdout); }
void printOpen() { std::fputs("( ", stdout); }
void printClose() { std::fputs(" )", stdout); }
void printComma() { std::fputs(", ", stdout); }
void printNewline() { std::fputc('\n', stdout); }
}
