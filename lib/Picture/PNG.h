//===- PNG.h - Pixels as a file for pictures --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_PNG_H
#define TMEM_LIB_PICTURE_PNG_H

#include "Colors.h"
#include <string>
#include <vector>

namespace mlir::tmem::picture {

/// Pixels by their number in a palette, line by line.
struct Pixels {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> numbers;
  /// The colour of each number but 0, which is transparent; at most 255.
  std::vector<Color> palette;
};

/// The bytes of a PNG file with a palette (PNG specification, third edition).
/// As small as zlib makes it; stored as it is where LLVM has no zlib.
std::string encodePNG(const Pixels &pixels);

/// A zlib stream without compression: RFC 1950 and 1951.
std::string storeInZlib(const std::string &bytes);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_PNG_H
