//===- PTXRewriteTest.cpp - Another version and target --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXRewrite.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;

static std::string rewrite(llvm::StringRef text) {
  llvm::Expected<std::string> result = setPTXTarget(text, 94, "sm_107a");
  return result ? *result : "error: " + llvm::toString(result.takeError());
}

TEST(PTXRewrite, OnlyTheTwoNames) {
  EXPECT_EQ(rewrite("//\n.version 8.8\n.target sm_103f\n.address_size 64\n"),
            "//\n.version 9.4\n.target sm_107a\n.address_size 64\n");
}

TEST(PTXRewrite, KeepsOptions) {
  EXPECT_EQ(
      rewrite(".version 8.8\n.target sm_103f, texmode_independent, debug"),
      ".version 9.4\n.target sm_107a, texmode_independent, debug");
  EXPECT_EQ(rewrite(".version 8.8\n.target debug, sm_103f\n"),
            ".version 9.4\n.target debug, sm_107a\n");
}

TEST(PTXRewrite, OnlyTheFirst) {
  EXPECT_EQ(
      rewrite("// .version 1.0\n/* .target sm_10 */ .version\t8.8 .target "
              "sm_1\n.version 8.8\n.target sm_1 // .target sm_1"),
      "// .version 1.0\n/* .target sm_10 */ .version\t9.4 .target "
      "sm_107a\n.version 8.8\n.target sm_1 // .target sm_1");
}

TEST(PTXRewrite, TwoDigits) {
  llvm::Expected<std::string> result =
      setPTXTarget(".version 8.8 .target sm_1", 100, "sm_2");
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(*result, ".version 10.0 .target sm_2");
}

TEST(PTXRewrite, Errors) {
  EXPECT_EQ(rewrite("\n"), "error: line 2: expected a .version directive, but "
                           "got the end of the text");
  EXPECT_EQ(rewrite(".version x"),
            "error: line 1: expected a version, but got 'x'");
  EXPECT_EQ(rewrite(".version 8.8\n"),
            "error: line 2: expected a .target "
            "directive, but got the end of the text");
  EXPECT_EQ(rewrite(".version 8.8\n.target debug\n.address_size 64"),
            "error: line 3: expected the name of a chip, but got "
            "'.address_size'");
}
