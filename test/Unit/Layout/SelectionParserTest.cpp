//===- SelectionParserTest.cpp - Layouts from text ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseLayout.h"
#include "PlannerOracleRandom.h"
#include "tmem/Layout/LayoutParser.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mlir::tmem;
using mlir::tmem::test::print;

namespace {

/// What a text parses to, or "position: message [rule]".
std::string parse(llvm::StringRef text) {
  auto result = parseMemoryText(text);
  if (auto *layout = std::get_if<Layout>(&result))
    return print(*layout);
  if (auto *name = std::get_if<DatapathName>(&result))
    return name->letter + std::to_string(name->half);
  const ParseError &error = std::get<ParseError>(result);
  return std::to_string(error.position) + ": " + error.message +
         (error.rule ? " [" + getRuleId(*error.rule).str() + "]" : "");
}

std::string parseTile(llvm::StringRef text) {
  auto result = parseTileText(text);
  if (auto *error = std::get_if<ParseError>(&result))
    return std::to_string(error->position) + ": " + error->message;
  const TileText &tile = std::get<TileText>(result);
  std::string shape;
  for (int64_t size : tile.shape)
    shape += std::to_string(size) + " ";
  return shape + std::to_string(tile.elementBits) + " " + tile.elementType;
}

TEST(SelectionParser, WhatIsPrinted) {
  for (llvm::StringRef text :
       {"(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)",
        "(32, 4) : (1@tlane, 1@tcol) + (8@tcol) * (4 : 32@tlane)",
        "(4) : (-1@reg) + (3@reg, 32@tid)", "(1) : (0@tlane)",
        "(8) : (1@tcol) * (2 : 16@tlane, 3 : -8@tcol)"}) {
    EXPECT_EQ(parse(text), text.str());
    EXPECT_EQ(parse("#tmem.layout<" + text.str() + ">"), text.str());
  }
}

TEST(SelectionParser, AsTheAttributeIsWritten) {
  EXPECT_EQ(parse(" ( 0x10,2 ):( 1 @tlane , - 64@tlane)+(64@tlane) "),
            "(16, 2) : (1@tlane, -64@tlane) + (64@tlane)");
  // Either suffix may come first.
  EXPECT_EQ(parse("(2) : (1@reg) * (2 : 4@reg) + (1@reg)"),
            "(2) : (1@reg) + (1@reg) * (2 : 4@reg)");
  EXPECT_EQ(parse("#tmem.datapath<B>"), "B0");
  EXPECT_EQ(parse(" #tmem.datapath < F , half = 1 > "), "F1");
}

TEST(SelectionParser, EveryRandomLayoutReadsBack) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    oracle::Case c = oracle::makeRandomCase(seed);
    for (const Layout &layout : {c.memory.front(), c.registers})
      if (!verifyLayout(layout)) {
        auto result = parseLayoutText(print(layout));
        auto *read = std::get_if<Layout>(&result);
        ASSERT_TRUE(read) << print(layout);
        EXPECT_EQ(*read, layout) << print(layout);
      }
  }
}

TEST(SelectionParser, ErrorsNameTheSetAndThePlace) {
  EXPECT_EQ(parse(""), "0: expected '(', but got the end");
  EXPECT_EQ(parse("tlane"), "0: expected '(', but got tlane");
  EXPECT_EQ(parse("(x)"), "1: expected an integer, but got x");
  EXPECT_EQ(parse("(1 2)"), "3: expected ',' or ')', but got 2");
  EXPECT_EQ(parse("(1)"), "3: expected ':', but got the end");
  EXPECT_EQ(parse("(1) : (1)"), "8: expected '@', but got )");
  EXPECT_EQ(parse("(64) : (1@row)"), "10: expected tlane, tcol, warp, lane, "
                                     "reg or tid, but got row [L5]");
  EXPECT_EQ(parse("(64) : (1 @ tlane)"),
            "11: expected an axis right after '@', but got a space");
  EXPECT_EQ(parse("(64) : (1@tlane) + (1@tlane) + (1@tcol)"),
            "29: expected the end, but got +");
  EXPECT_EQ(parse("(64) : (1@tlane) * (2)"), "21: expected ':', but got )");
  EXPECT_EQ(parse("#tmem.layout<(64) : (1@tlane)"),
            "29: expected '>', but got the end");
  EXPECT_EQ(parse("#tmem.layouts<(64) : (1@tlane)>"),
            "0: expected '(', but got #");
  EXPECT_EQ(parse("(99999999999999999999) : (1@reg)"),
            "1: expected an integer of at most 63 bits, but got "
            "99999999999999999999");
  EXPECT_EQ(parse("(1) : (1@\xff\x01)"),
            "9: expected tlane, tcol, warp, lane, reg or tid, but got \\FF "
            "[L5]");
  EXPECT_EQ(parse("#tmem.datapath<7>"),
            "15: expected a datapath from A to G, but got 7");
  EXPECT_EQ(parse("#tmem.datapath<F, full = 1>"),
            "18: expected half, but got full");
}

TEST(SelectionParser, L1_L2_L3_L4_L5_L6_LayoutsAreVerified) {
  auto endsIn = [](llvm::StringRef text, llvm::StringRef rule) {
    return llvm::StringRef(parse(text)).ends_with("[" + rule.str() + "]");
  };
  EXPECT_TRUE(endsIn("(0) : (1@reg)", "L1"));
  EXPECT_TRUE(endsIn("() : ()", "L2"));
  EXPECT_EQ(parse(" (1, 2) : (1@reg)"),
            "1: expected as many strides as the 2 extents, but got 1 [L2]");
  EXPECT_TRUE(endsIn("(65536, 65536) : (1@reg, 1@reg)", "L3"));
  EXPECT_TRUE(endsIn("(1) : (4294967296@reg)", "L4"));
  EXPECT_TRUE(endsIn("(1, 1) : (1@reg, 1@tlane)", "L5"));
  EXPECT_TRUE(endsIn("(1, 1) : (1@tid, 1@lane)", "L6"));
}

TEST(SelectionParser, Tiles) {
  EXPECT_EQ(parseTile("64x128xf32"), "64 128 32 f32");
  EXPECT_EQ(parseTile(" 2x64x8xbf16 "), "2 64 8 16 bf16");
  EXPECT_EQ(parseTile("1xf8E4M3FN"), "1 8 f8E4M3FN");
  EXPECT_EQ(parseTile("1xf4E2M1FN"), "1 4 f4E2M1FN");
  EXPECT_EQ(parseTile("16xui4"), "16 4 ui4");
  EXPECT_EQ(parseTile("16xi64"), "16 64 i64");
  EXPECT_EQ(parseTile("f32"), "0: expected a tile such as 64x128xf32, but got "
                              "f32");
  EXPECT_EQ(parseTile("64x0xf32"),
            "3: expected a static size of at least 1, but got 0");
  EXPECT_EQ(parseTile("64x?xf32"), "3: expected an element type of 4, 8, 16, "
                                   "32 or 64 bits, such as f32, but got ?");
  EXPECT_EQ(parseTile("64x99999999999999999999xf32"),
            "3: expected a size of at most 63 bits, but got "
            "99999999999999999999");
  for (llvm::StringRef type : {"f8", "f24", "i24", "i032", "f6E2M3FN", "f",
                               "index", "tf32", "f32x", "i8 x"})
    EXPECT_TRUE(
        llvm::StringRef(parseTile("64x" + type.str())).contains(": expected "))
        << type.str();
}

//===----------------------------------------------------------------------===//
// Bad input
//===----------------------------------------------------------------------===//

std::string mutate(oracle::Random &random, std::string text) {
  static const std::string alphabet =
      "(){}<>:,@+-*#x= 0123456789tlanecorgwid.\"\\/\n\t";
  for (int64_t i = random.between(1, 4); i > 0; --i) {
    size_t at = random.between(0, int64_t(text.size()));
    char c = random.oneIn(10)
                 ? char(random.between(0, 255))
                 : alphabet[random.between(0, int64_t(alphabet.size()) - 1)];
    switch (random.between(0, 4)) {
    case 0:
      text.insert(at, 1, c);
      break;
    case 1:
      text.erase(std::min(at, text.size()), random.between(1, 5));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.insert(at, text.substr(at / 2, random.between(1, 30)));
      break;
    default:
      if (at < text.size())
        text[at] = c;
    }
  }
  return text;
}

/// Whatever the text: a layout that verifies, or an error within the text.
TEST(SelectionParser, BadInputIsRefused) {
  oracle::Random random(1);
  int layouts = 0, errors = 0;
  const char *const seeds[] = {
      "#tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>",
      "(32, 4) : (1@tlane, 1@tcol) + (8@tcol) * (4 : 32@tlane)",
      "(4, 2) : (32@warp, -1@reg) * (2 : 4@reg, 2 : 8@reg) + (3@reg)",
      "#tmem.datapath<F, half = 1>"};
  for (int i = 0; i < 50000; ++i) {
    std::string text = mutate(random, seeds[i % 4]);
    auto result = parseMemoryText(text);
    if (auto *layout = std::get_if<Layout>(&result)) {
      EXPECT_FALSE(verifyLayout(*layout)) << text;
      EXPECT_EQ(parse(print(*layout)), print(*layout));
      ++layouts;
    } else if (auto *error = std::get_if<ParseError>(&result)) {
      EXPECT_LE(error->position, text.size()) << text;
      EXPECT_TRUE(llvm::StringRef(error->message).contains("expected "))
          << text;
      ++errors;
    }
    auto tile = parseTileText(mutate(random, "64x128xf8E4M3FN"));
    if (auto *error = std::get_if<ParseError>(&tile)) {
      EXPECT_FALSE(error->message.empty());
    }
  }
  EXPECT_GE(layouts, 500);
  EXPECT_GE(errors, 10000);
}

TEST(SelectionParser, LongTextsTakeLinearTime) {
  std::string text = "(";
  for (int i = 0; i < 100000; ++i)
    text += "1, ";
  EXPECT_EQ(parse(text), "300001: expected an integer, but got the end");
  EXPECT_TRUE(llvm::StringRef(parse(std::string(100000, '(')))
                  .starts_with("1: expected an integer, but got ("));
  // A message does not repeat the whole text.
  EXPECT_LT(parse("(" + std::string(100000, 'x')).size(), 100u);
  EXPECT_LT(parse("(" + std::string(100000, '9')).size(), 120u);
}

} // namespace
