//===- PNG.cpp - Pixels as a file for pictures ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PNG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace mlir::tmem::picture;

static std::string getBytes(uint32_t number) {
  char bytes[4];
  llvm::support::endian::write32be(bytes, number);
  return std::string(bytes, 4);
}

//===----------------------------------------------------------------------===//
// Compression
//===----------------------------------------------------------------------===//

/// Of RFC 1950.
static uint32_t getAdler32(llvm::StringRef bytes) {
  uint32_t low = 1, high = 0;
  for (unsigned char byte : bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

std::string mlir::tmem::picture::storeInZlib(const std::string &bytes) {
  constexpr size_t longest = 0xffff;
  std::string stream("\x78\x01", 2);
  size_t at = 0;
  do {
    uint16_t size = std::min(longest, bytes.size() - at);
    char header[5] = {at + size == bytes.size()};
    llvm::support::endian::write16le(header + 1, size);
    llvm::support::endian::write16le(header + 3, ~size);
    stream.append(header, 5).append(bytes, at, size);
    at += size;
  } while (at < bytes.size());
  return stream + getBytes(getAdler32(bytes));
}

static std::string compress(const std::string &bytes) {
  if (!llvm::compression::zlib::isAvailable())
    return storeInZlib(bytes);
  llvm::SmallVector<uint8_t, 0> compressed;
  llvm::compression::zlib::compress(
      llvm::arrayRefFromStringRef(bytes), compressed,
      llvm::compression::zlib::BestSizeCompression);
  return std::string(compressed.begin(), compressed.end());
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

static void addChunk(std::string &file, llvm::StringRef name,
                     const std::string &data) {
  std::string body = name.str() + data;
  file += getBytes(data.size()) + body +
          getBytes(llvm::crc32(llvm::arrayRefFromStringRef(body)));
}

std::string mlir::tmem::picture::encodePNG(const Pixels &pixels) {
  // 8 bits a pixel, which are numbers of the palette.
  std::string header = getBytes(pixels.width) + getBytes(pixels.height) +
                       std::string("\x08\x03\0\0\0", 5);
  std::string palette(3, '\0');
  for (Color color : pixels.palette)
    palette += {char(color.red), char(color.green), char(color.blue)};
  // A zero before each line: no filter.
  std::string lines;
  for (uint32_t line = 0; line < pixels.height; ++line) {
    auto begin = pixels.numbers.begin() + size_t(line) * pixels.width;
    lines.append(1, '\0').append(begin, begin + pixels.width);
  }
  std::string file("\x89PNG\r\n\x1a\n", 8);
  addChunk(file, "IHDR", header);
  addChunk(file, "PLTE", palette);
  addChunk(file, "tRNS", std::string(1, '\0'));
  addChunk(file, "IDAT", compress(lines));
  addChunk(file, "IEND", "");
  return file;
}
