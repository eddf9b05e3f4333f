//===- PNGTest.cpp - Pixels as a file for pictures ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PNG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlir::tmem::picture;

namespace {

/// What zlib reads in a stream of bytes that were stored.
std::string readBack(const std::string &bytes) {
  llvm::SmallVector<uint8_t, 0> result;
  llvm::Error error = llvm::compression::zlib::decompress(
      llvm::arrayRefFromStringRef(storeInZlib(bytes)), result, bytes.size());
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return std::string(result.begin(), result.end());
}

TEST(PNGTest, StoresBytes) {
  if (!llvm::compression::zlib::isAvailable())
    GTEST_SKIP() << "LLVM was built without zlib";
  for (size_t size : {1u, 2u, 0xfffeu, 0xffffu, 0x10000u, 0x30001u}) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i)
      bytes += char(i * i % 251);
    EXPECT_EQ(readBack(bytes), bytes);
  }
}

TEST(PNGTest, StoresNothing) {
  EXPECT_EQ(llvm::toHex(storeInZlib("")), "7801010000FFFF00000001");
}

TEST(PNGTest, HasAPaletteWithATransparentFirstColor) {
  std::string file = encodePNG({2, 1, {0, 1}, {Color{1, 2, 3}}});
  EXPECT_EQ(llvm::toHex(llvm::StringRef(file).take_front(33)),
            "89504E470D0A1A0A0000000D49484452"
            "00000002000000010803000000C3FC8FB8");
  size_t palette = file.find("PLTE");
  EXPECT_EQ(file.substr(palette + 4, 6), std::string("\0\0\0\1\2\3", 6));
  EXPECT_EQ(file.substr(file.find("tRNS") + 4, 1), std::string("\0", 1));
}

} // namespace
