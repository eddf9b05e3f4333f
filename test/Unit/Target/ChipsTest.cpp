//===- ChipsTest.cpp - Tests of the table of chips ------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/Chips.h"
#include <gtest/gtest.h>
#include <set>

using namespace mlir::tmem;

TEST(Chips, NamesAreDistinctAndFound) {
  std::set<std::string> names;
  for (const Chip &chip : getChips()) {
    EXPECT_TRUE(names.insert(chip.name.str()).second) << chip.name.str();
    EXPECT_EQ(findChip(chip.name), &chip);
  }
  EXPECT_EQ(names.size(), 8u);
}

TEST(Chips, OthersHaveNoTensorMemory) {
  for (const char *name : {"", "sm_100", "sm_90a", "sm_101a", "sm_120a"})
    EXPECT_EQ(findChip(name), nullptr) << name;
}

TEST(Chips, WhatLLVMDoesNotKnowGoesThroughAChipThatItKnows) {
  for (const Chip &chip : getChips()) {
    const Chip *known = findChip(chip.llvmTarget);
    ASSERT_NE(known, nullptr) << chip.name.str();
    EXPECT_TRUE(known->isKnownToLLVM()) << chip.name.str();
    EXPECT_GE(chip.ptxVersion, known->ptxVersion) << chip.name.str();
  }
  EXPECT_FALSE(findChip("sm_107a")->isKnownToLLVM());
  EXPECT_FALSE(findChip("sm_107f")->isKnownToLLVM());
}

TEST(Chips, Columns) {
  for (const Chip &chip : getChips()) {
    EXPECT_EQ(chip.columns, 512u) << chip.name.str();
    EXPECT_GE(chip.exclusiveColumns, chip.columns) << chip.name.str();
    EXPECT_EQ(chip.exclusiveColumns % 32, 0u) << chip.name.str();
  }
  EXPECT_EQ(findChip("sm_107f")->exclusiveColumns, 576u);
  EXPECT_EQ(getMaxColumns(), 576u);
  EXPECT_EQ(getMaxPlainColumns(), 512u);
}

TEST(Chips, ReducingLoads) {
  EXPECT_FALSE(findChip("sm_100a")->hasLoadReduce);
  EXPECT_TRUE(findChip("sm_103f")->hasLoadReduce);
  EXPECT_TRUE(findChip("sm_110a")->hasLoadReduce);
  for (const Chip &chip : getChips())
    EXPECT_EQ(chip.hasLoadCompress, chip.name == "sm_107a") << chip.name.str();
}

TEST(Chips, PTXVersions) {
  EXPECT_EQ(findChip("sm_100a")->ptxVersion, 88u);
  EXPECT_EQ(findChip("sm_110f")->ptxVersion, 90u);
  EXPECT_EQ(findChip("sm_107a")->ptxVersion, 94u);
}
