//===- ColorsTest.cpp - Colours that all eyes can tell apart --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Colors.h"
#include "Names.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace mlir::tmem::picture;

namespace {

struct Light {
  double red, green, blue;
};

double getLight(uint8_t part) {
  double value = part / 255.0;
  return value <= 0.04045 ? value / 12.92
                          : std::pow((value + 0.055) / 1.055, 2.4);
}

/// What eyes without one kind of receptors see (Machado et al., 2009, severity
/// 1): protanopia, deuteranopia, tritanopia; and all of it.
Light see(Color color, unsigned eyes) {
  static constexpr double matrices[4][3][3] = {
      {{0.152286, 1.052583, -0.204868},
       {0.114503, 0.786281, 0.099216},
       {-0.003882, -0.048116, 1.051998}},
      {{0.367322, 0.860646, -0.227968},
       {0.280085, 0.672501, 0.047413},
       {-0.011820, 0.042940, 0.968881}},
      {{1.255528, -0.076749, -0.178779},
       {-0.078411, 0.930809, 0.147602},
       {0.004733, 0.691367, 0.303900}},
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double in[3] = {getLight(color.red), getLight(color.green),
                  getLight(color.blue)};
  double out[3] = {};
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 3; ++column)
      out[row] += matrices[eyes][row][column] * in[column];
  return {std::max(out[0], 0.0), std::max(out[1], 0.0), std::max(out[2], 0.0)};
}

/// The distance of two colours in OKLab; 0.02 is just noticeable.
double getDistance(Light a, Light b) {
  auto toLab = [](Light c, double lab[3]) {
    double l = std::cbrt(0.4122214708 * c.red + 0.5363325363 * c.green +
                         0.0514459929 * c.blue);
    double m = std::cbrt(0.2119034982 * c.red + 0.6806995451 * c.green +
                         0.1073969566 * c.blue);
    double s = std::cbrt(0.0883024619 * c.red + 0.2817188376 * c.green +
                         0.6299787005 * c.blue);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
  };
  double x[3], y[3];
  toLab(a, x);
  toLab(b, y);
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

void expectDistinct(Color a, Color b, double distance) {
  for (unsigned eyes = 0; eyes < 4; ++eyes)
    EXPECT_GT(getDistance(see(a, eyes), see(b, eyes)), distance)
        << a.getText() << " and " << b.getText() << " for eyes " << eyes;
}

TEST(ColorsTest, CategoriesDiffer) {
  for (unsigned i = 0; i < numCategories; ++i)
    for (unsigned j = 0; j < i; ++j)
      expectDistinct(getCategoryColor(i), getCategoryColor(j), 0.05);
}

TEST(ColorsTest, NeighboursInTheTileDiffer) {
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      Color color = getTileColor(row / 7.0, column / 7.0);
      if (row < 7)
        expectDistinct(color, getTileColor((row + 1) / 7.0, column / 7.0),
                       0.03);
      if (column < 7)
        expectDistinct(color, getTileColor(row / 7.0, (column + 1) / 7.0),
                       0.01);
    }
}

TEST(ColorsTest, ScalesGetLighter) {
  for (unsigned i = 0; i < 16; ++i) {
    Color color = getScaleColor(i / 16.0), next = getScaleColor((i + 1) / 16.0);
    EXPECT_LT(color.getLuminance(), next.getLuminance());
    expectDistinct(color, next, 0.02);
  }
}

TEST(ColorsTest, TextHasContrast) {
  std::vector<Color> colors;
  for (unsigned i = 0; i < numCategories; ++i)
    colors.push_back(getCategoryColor(i));
  for (unsigned i = 0; i <= 32; ++i) {
    colors.push_back(getScaleColor(i / 32.0));
    for (unsigned j = 0; j <= 32; ++j)
      colors.push_back(getTileColor(i / 32.0, j / 32.0));
  }
  for (Color color : colors) {
    double lightness = color.getLuminance() + 0.05;
    EXPECT_GE(color.isLight() ? lightness / 0.05 : 1.05 / lightness, 4.5)
        << color.getText();
  }
}

TEST(ColorsTest, TextIsHexadecimal) {
  EXPECT_EQ((Color{0x00, 0x9e, 0xf3}.getText()), "#009ef3");
}

//===----------------------------------------------------------------------===//
// Names of sets
//===----------------------------------------------------------------------===//

std::string describe(std::initializer_list<int64_t> numbers) {
  NumberSet set;
  for (int64_t number : numbers)
    set.insert(number);
  set.close();
  return set.describe();
}

TEST(NamesTest, DescribesSets) {
  EXPECT_EQ(describe({7}), "7");
  EXPECT_EQ(describe({2, 1, 0, 1}), "0–2");
  EXPECT_EQ(describe({0, 1, 8, 9}), "0–1, 8–9");
  EXPECT_EQ(describe({0, 4, 8, 12}), "0, 4, 8, 12");
  EXPECT_EQ(describe({0, 4, 8, 12, 16}), "0, 4, …, 16");
  EXPECT_EQ(describe({0, 1, 4, 5, 8, 9, 12, 13, 16, 17}), "0–1, 4–5, …, 16–17");
  EXPECT_EQ(describe({0, 2, 5, 9, 20}), "0, 2, 5, 9, 20");
  EXPECT_EQ(describe({0, 2, 5, 9, 14, 20, 27, 35, 44}),
            "0, 2, 5, 9, 14, 20, 27, 35, …");
}

TEST(NamesTest, WrapsText) {
  EXPECT_EQ(wrapText("aa bb cc", 5).size(), 2u);
  EXPECT_EQ(wrapText("aa bb cc", 5)[0], "aa bb");
  EXPECT_EQ(wrapText("", 5).size(), 0u);
  EXPECT_EQ(wrapText("aaaaaaaa b", 5)[0], "aaaaaaaa");
  EXPECT_EQ(countCharacters("0–2 …"), 5u);
}

} // namespace
