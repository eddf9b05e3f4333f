//===- Colors.cpp - Colours that all eyes can tell apart ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Colors.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace mlir::tmem::picture;

static constexpr double pi = 3.14159265358979323846;

std::string Color::getText() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (uint8_t part : {red, green, blue}) {
    text += digits[part >> 4];
    text += digits[part & 15];
  }
  return text;
}

/// The light of one part of a colour (sRGB, IEC 61966-2-1).
static double getLight(uint8_t part) {
  double value = part / 255.0;
  return value <= 0.04045 ? value / 12.92
                          : std::pow((value + 0.055) / 1.055, 2.4);
}

static uint8_t getPart(double light) {
  double value = light <= 0.0031308 ? 12.92 * light
                                    : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return uint8_t(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

double Color::getLuminance() const {
  return 0.2126 * getLight(red) + 0.7152 * getLight(green) +
         0.0722 * getLight(blue);
}

bool Color::isLight() const {
  // Black has (L + 0.05) / 0.05, white 1.05 / (L + 0.05).
  double lightness = getLuminance() + 0.05;
  return lightness * lightness > 0.05 * 1.05;
}

/// Linear light of a colour in OKLab (Ottosson, 2020).
static std::array<double, 3> getLight(double lightness, double a, double b) {
  double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// The colour, with as much less chroma as sRGB has room for.
static Color getColor(double lightness, double a, double b) {
  std::array<double, 3> light = getLight(lightness, a, b);
  for (double part = 1; part > 0; part -= 0.02) {
    light = getLight(lightness, a * part, b * part);
    if (std::all_of(light.begin(), light.end(),
                    [](double value) { return value >= 0 && value <= 1; }))
      break;
  }
  return {getPart(light[0]), getPart(light[1]), getPart(light[2])};
}

Color mlir::tmem::picture::getTileColor(double down, double across) {
  double lightness = 0.88 - 0.42 * down;
  return getColor(lightness, 0.01 + 0.11 * std::sin(pi * across),
                  -0.13 + 0.25 * across);
}

Color mlir::tmem::picture::getCategoryColor(unsigned index) {
  static constexpr Color colors[numCategories] = {
      {0x56, 0xb4, 0xe9}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73},
      {0xf0, 0xe4, 0x42}, {0x00, 0x72, 0xb2}, {0xd5, 0x5e, 0x00},
      {0xcc, 0x79, 0xa7}, {0x99, 0x99, 0x99}};
  return colors[index % numCategories];
}

Color mlir::tmem::picture::getScaleColor(double at) {
  // In OKLab: lightness rises evenly, hue turns as in matplotlib's viridis.
  at = std::clamp(at, 0.0, 1.0);
  double hue = (300 - 190 * at) / 180 * pi;
  double chroma = 0.11 + 0.07 * at;
  return getColor(0.36 + 0.56 * at, chroma * std::cos(hue),
                  chroma * std::sin(hue));
}
