//===- Colors.h - Colours that all eyes can tell apart ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_PICTURE_COLORS_H
#define TMEM_LIB_PICTURE_COLORS_H

#include <cstdint>
#include <string>

namespace mlir::tmem::picture {

/// An sRGB colour.
struct Color {
  uint8_t red, green, blue;

  /// "#56b4e9".
  std::string getText() const;
  /// The relative luminance of WCAG 2, 0 to 1.
  double getLuminance() const;
  /// True where black text has more contrast than white (either then has at
  /// least 4.5 to 1, which WCAG 2 asks for).
  bool isLight() const;
};

/// A colour for two numbers from 0 to 1: `down` makes it darker, `across` turns
/// it from blue over purple to orange. Eyes without red or green receptors see
/// the latter go from blue to yellow.
Color getTileColor(double down, double across);

/// One of the eight colours of Okabe and Ito, black replaced by grey.
Color getCategoryColor(unsigned index);
inline constexpr unsigned numCategories = 8;

/// From dark blue over green to yellow, evenly lighter; `at` is 0 to 1.
Color getScaleColor(double at);

} // namespace mlir::tmem::picture

#endif // TMEM_LIB_PICTURE_COLORS_H
