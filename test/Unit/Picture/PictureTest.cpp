//===- PictureTest.cpp - What pictures are of, and what they refuse -------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Picture/Picture.h"
#include "../Layout/ParseLayout.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;
using namespace mlir::tmem::test;

namespace {

/// The transfer of `rows` rows, one a thread.
PictureRequest getRequest(int64_t columns = 4) {
  PictureRequest request;
  std::string n = std::to_string(columns);
  request.tileShape = {128, columns};
  request.elementType = "f32";
  request.memory = {parseLayout("(128, " + n + ") : (1@tlane, 1@tcol)")};
  request.registers =
      RegisterTile{parseLayout("(128, " + n + ") : (1@tid, 1@reg)"), columns};
  SelectionResult result =
      selectAtom({request.direction, request.memory, request.registers->layout,
                  request.tileShape, 32, columns, request.scope});
  request.chosen = result.candidates.front();
  request.reasons.append(result.reasons.begin(), result.reasons.end());
  return request;
}

std::string getError(const PictureRequest &request) {
  PictureResult svg = renderSVG(request), html = renderHTML(request);
  auto *error = std::get_if<PictureError>(&svg);
  auto *other = std::get_if<PictureError>(&html);
  if (!error || !other)
    return "";
  EXPECT_EQ(error->message, other->message);
  return (error->rule ? getRuleId(*error->rule).str() + ": " : "") +
         error->message;
}

std::string draw(const PictureRequest &request) {
  PictureResult result = renderSVG(request);
  return std::get<std::string>(result);
}

/// docs/Pictures.md quotes this.
PictureResult drawLayout(const Layout &layout) {
  PictureRequest request;
  request.tileShape = {64, 128};
  request.elementType = "f32";
  request.memory = {layout};
  PictureResult picture = renderSVG(request);
  if (auto *error = std::get_if<PictureError>(&picture))
    llvm::errs() << error->message << '\n';
  return picture;
}

TEST(PictureTest, DrawsALayoutAlone) {
  PictureResult svg =
      drawLayout(parseLayout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)"));
  ASSERT_TRUE(std::holds_alternative<std::string>(svg));
  EXPECT_NE(std::get<std::string>(svg).find("64x128xf32 in Tensor Memory"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(PictureTest, WantsALayout) {
  PictureRequest request;
  request.tileShape = {4, 4};
  EXPECT_EQ(getError(request), "expected a memory layout, a register layout or "
                               "both, but got none");
}

TEST(PictureTest, WantsATile) {
  PictureRequest request = getRequest();
  request.tileShape = {};
  EXPECT_EQ(getError(request),
            "V1: expected at least one dimension, but got none");
  request.tileShape = {128, 0};
  EXPECT_EQ(getError(request),
            "V1: expected dimensions of at least 1, but got 0");
  request.tileShape = {128, -4};
  EXPECT_EQ(getError(request),
            "V1: expected dimensions of at least 1, but got -4");
  request.tileShape = {1 << 20, 1 << 20, 1 << 20, 1 << 20};
  EXPECT_EQ(getError(request),
            "L3: expected a tile of less than 2^31 elements, but got "
            "1048576x1048576x1048576x1048576");
}

TEST(PictureTest, WantsElementsThatFitCells) {
  PictureRequest request = getRequest();
  for (unsigned bits : {0u, 1u, 33u, 128u}) {
    request.elementBits = bits;
    EXPECT_EQ(getError(request),
              "V2: expected elements of 4, 8, 16, 32 or 64 bits, but got " +
                  std::to_string(bits));
  }
}

TEST(PictureTest, WantsLayoutsOfTheTile) {
  PictureRequest request = getRequest();
  request.memory[0] = parseLayout("(128, 8) : (1@tlane, 1@tcol)");
  EXPECT_EQ(getError(request),
            "V3: expected a memory layout of 512 elements, but got 1024");
  request = getRequest();
  request.registers->layout = parseLayout("(128, 4) : (2@tid, 1@reg)");
  EXPECT_TRUE(llvm::StringRef(getError(request)).starts_with("R2: "));
  request = getRequest();
  std::swap(request.memory[0], request.registers->layout);
  EXPECT_TRUE(llvm::StringRef(getError(request)).starts_with("L5: "));
  request = getRequest();
  request.memory.append(2, request.memory[0]);
  EXPECT_EQ(getError(request), "expected one memory layout, or two of a split "
                               "transfer, but got 3");
}

TEST(PictureTest, WantsThePlanOfTheTransfer) {
  std::string message = "expected a plan of this transfer, but got one that "
                        "moves something else";
  PictureRequest request = getRequest(4);
  request.chosen = getRequest(8).chosen;
  EXPECT_EQ(getError(request), message);
  // One that moves as many elements to other places.
  request = getRequest(4);
  std::swap(request.chosen->plan.issues[0].words[0],
            request.chosen->plan.issues[0].words[1]);
  EXPECT_EQ(getError(request), message);
  request = getRequest(4);
  request.chosen->plan.issues[0].column = 1 << 20;
  EXPECT_EQ(getError(request), message);
  request.memory.clear();
  EXPECT_EQ(getError(request),
            "expected no plan for one layout alone, but got one");
}

TEST(PictureTest, WantsWhatItColoursBy) {
  PictureRequest request = getRequest();
  request.chosen.reset();
  EXPECT_EQ(getError(request), "");
  request.color = PictureColor::Issue;
  EXPECT_EQ(getError(request), "expected a transfer with a plan to colour by "
                               "issue, but got one without");
  PictureRequest alone = request;
  alone.memory.clear();
  EXPECT_EQ(getError(alone), "expected a transfer with a plan to colour by "
                             "issue, but got the register layout alone");
  request.registers.reset();
  EXPECT_EQ(getError(request), "expected a transfer with a plan to colour by "
                               "issue, but got the memory layout alone");
  request.color = PictureColor::Lane;
  EXPECT_EQ(getError(request), "expected registers in the picture to colour by "
                               "lane, but got the memory layout alone");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(PictureTest, EscapesText) {
  PictureRequest request = getRequest();
  request.title = "</svg><script>\"&'\x01\xff\xe2\x80\x93";
  std::string expected = "&lt;/svg&gt;&lt;script&gt;&quot;&amp;&#39;"
                         "\xef\xbf\xbd\xef\xbf\xbd\xe2\x80\x93";
  EXPECT_NE(draw(request).find("<title>" + expected + "</title>"),
            std::string::npos);
  PictureResult page = renderHTML(request);
  const std::string &html = std::get<std::string>(page);
  EXPECT_NE(html.find("<h1>" + expected + "</h1>"), std::string::npos);
  EXPECT_EQ(html.find(request.title), std::string::npos);
}

TEST(PictureTest, NamesColours) {
  for (PictureColor color :
       {PictureColor::Element, PictureColor::Warp, PictureColor::Lane,
        PictureColor::Register, PictureColor::Issue})
    EXPECT_EQ(symbolizePictureColor(stringifyPictureColor(color)), color);
  EXPECT_EQ(symbolizePictureColor("colour"), std::nullopt);
}

TEST(PictureTest, IsTheSameEveryTime) {
  PictureRequest request = getRequest(64);
  EXPECT_EQ(draw(request), draw(request));
  EXPECT_EQ(std::get<std::string>(renderHTML(request)),
            std::get<std::string>(renderHTML(request)));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST(PictureTest, StaysSmall) {
  // All of TMEM, once with elements of 4 bits, so that there are 8 in a cell.
  PictureRequest request = getRequest(512);
  EXPECT_LT(draw(request).size(), 200000u);
  request = PictureRequest();
  request.tileShape = {128, 4096};
  request.elementBits = 4;
  request.memory = {parseLayout("(128, 4096) : (1@tlane, 1@tcol)")};
  EXPECT_LT(draw(request).size(), 200000u);
  PictureResult page = renderHTML(request);
  EXPECT_LT(std::get<std::string>(page).size(), 500000u);
}

TEST(PictureTest, TakesTheSmallestTile) {
  PictureRequest request;
  request.tileShape = {1};
  request.memory = {parseLayout("(1) : (1@tlane) + (127@tlane, 511@tcol)")};
  std::string picture = draw(request);
  EXPECT_NE(picture.find("TMEM lane 127; column 511\nelement (0)"),
            std::string::npos);
  request.elementBits = 64;
  request.memory = {parseLayout("(1) : (1@tlane)")};
  EXPECT_NE(draw(request).find("TMEM lane 0; columns 0–1\nelement (0)"),
            std::string::npos);
}

TEST(PictureTest, ShowsReplicas) {
  PictureRequest request;
  request.tileShape = {32, 2};
  request.memory = {
      parseLayout("(32, 2) : (1@tlane, 1@tcol) * (4 : 32@tlane)")};
  std::string picture = draw(request);
  size_t count = 0;
  for (size_t at = picture.find("element rows 0–3; columns 0<");
       at != std::string::npos;
       at = picture.find("element rows 0–3; columns 0<", at + 1))
    ++count;
  // Bands of 4 rows and of one column, in each of the four slabs.
  EXPECT_EQ(count, 0u);
  for (const char *lanes : {"0–3", "32–35", "64–67", "96–99"})
    EXPECT_NE(picture.find(std::string("TMEM lanes ") + lanes +
                           "; column 0\nelement rows 0–3; column 0"),
              std::string::npos);
}

} // namespace
