//===- CudaBinaryTest.cpp - What binaries say of themselves ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/ExecutionEngine/Cuda/Binary.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <cstring>

using namespace tmem::cuda;

namespace {

/// A cubin of symbols and strings alone, laid out as ptxas does.
std::string makeCubin(uint32_t flags, char abi, const std::string &note) {
  std::string strings("\0first\0helper\0second\0", 21);
  strings += note;
  std::string file(64, '\0');
  file.replace(0, 4,
               "\x7f"
               "ELF");
  file[8] = abi;
  auto put = [&](size_t at, auto value) {
    memcpy(&file[at], &value, sizeof(value));
  };
  put(18, uint16_t(190)); // The machine.
  put(48, flags);
  size_t stringsAt = file.size();
  file += strings;
  size_t symbolsAt = file.size();
  auto addSymbol = [&](uint32_t name, char info, char other) {
    std::string symbol(24, '\0');
    memcpy(&symbol[0], &name, 4);
    symbol[4] = info;
    symbol[5] = other;
    file += symbol;
  };
  addSymbol(0, 0, 0);
  addSymbol(1, 0x12, 0x10);  // first, an entry point
  addSymbol(7, 0x12, 0);     // helper, a function
  addSymbol(14, 0x12, 0x10); // second
  size_t sectionsAt = file.size();
  auto addSection = [&](uint32_t type, uint64_t offset, uint64_t size) {
    std::string section(64, '\0');
    memcpy(&section[4], &type, 4);
    memcpy(&section[24], &offset, 8);
    memcpy(&section[32], &size, 8);
    if (type == 2)
      section[40] = 1; // Its strings are section 1.
    file += section;
  };
  addSection(0, 0, 0);
  addSection(3, stringsAt, strings.size());
  addSection(2, symbolsAt, sectionsAt - symbolsAt);
  put(40, uint64_t(sectionsAt));
  put(58, uint16_t(64));
  put(60, uint16_t(3));
  return file;
}

using Names = std::vector<std::string>;

TEST(CudaBinary, ReadsCubins) {
  std::string file = makeCubin(0x06005a04, 8, "-arch sm_90a ");
  BinaryInfo info = readBinary(file.data(), file.size());
  EXPECT_EQ(info.kind, BinaryKind::Cubin);
  EXPECT_EQ(info.getChip(), "sm_90a");
  EXPECT_EQ(info.kernels, (Names{"first", "second"}));
  EXPECT_FALSE(info.isTensorMemoryChip());
  // The same without a size.
  EXPECT_EQ(readBinary(file.data(), 0).kernels, (Names{"first", "second"}));
  // The architecture of ABI version 7, and no note.
  file = makeCubin(0x0005004b, 7, "");
  EXPECT_EQ(readBinary(file.data(), file.size()).getChip(), "sm_75");
}

TEST(CudaBinary, ReadsCutOffCubins) {
  std::string file = makeCubin(0x06006402, 8, "-arch sm_100f ");
  EXPECT_EQ(readBinary(file.data(), file.size()).getChip(), "sm_100f");
  for (size_t size = 4; size < file.size(); ++size) {
    std::string part = file.substr(0, size);
    BinaryInfo info = readBinary(part.data(), part.size());
    EXPECT_LE(info.kernels.size(), 2u);
  }
}

TEST(CudaBinary, ReadsPtx) {
  std::string text = "// A comment\n\n.version 8.8\n.target sm_103f, debug\n"
                     ".visible .entry a_1$x(.param .b32 p)\n{ ret; }\n"
                     ".func helper() { ret; }\n.entry b{ret;}";
  BinaryInfo info = readBinary(text.data(), text.size());
  EXPECT_EQ(info.kind, BinaryKind::Ptx);
  EXPECT_EQ(info.getChip(), "sm_103f");
  EXPECT_TRUE(info.isTensorMemoryChip());
  EXPECT_EQ(info.kernels, (Names{"a_1$x", "b"}));
}

TEST(CudaBinary, KnowsOtherKinds) {
  EXPECT_EQ(readBinary("\x50\xed\x55\xba\1\0\x10\0", 8).kind,
            BinaryKind::FatBinary);
  EXPECT_EQ(readBinary("BC\xc0\xde", 4).kind, BinaryKind::Bitcode);
  EXPECT_EQ(readBinary("", 1).kind, BinaryKind::Unknown);
  EXPECT_EQ(readBinary("// no more", 10).kind, BinaryKind::Unknown);
  // An ELF file for another machine.
  std::string file = makeCubin(0, 8, "");
  file[18] = 62;
  EXPECT_EQ(readBinary(file.data(), file.size()).kind, BinaryKind::Unknown);
  BinaryInfo info = readBinary("tmem-emulation:mod\0rest", 23);
  EXPECT_EQ(info.kind, BinaryKind::Emulation);
  EXPECT_EQ(info.moduleName, "mod");
}

TEST(CudaBinary, KnowsWhereItRuns) {
  auto runs = [](BinaryKind kind, int arch, char suffix, int device) {
    BinaryInfo info;
    info.kind = kind;
    info.arch = arch;
    info.suffix = suffix;
    return info.runsOn(device / 10, device % 10);
  };
  BinaryKind cubin = BinaryKind::Cubin, ptx = BinaryKind::Ptx;
  EXPECT_TRUE(runs(cubin, 80, 0, 86));
  EXPECT_FALSE(runs(cubin, 86, 0, 80));
  EXPECT_FALSE(runs(cubin, 80, 0, 90));
  EXPECT_TRUE(runs(ptx, 80, 0, 90));
  EXPECT_FALSE(runs(ptx, 90, 'a', 100));
  EXPECT_TRUE(runs(cubin, 100, 'f', 103));
  EXPECT_FALSE(runs(cubin, 100, 'a', 103));
  EXPECT_FALSE(runs(ptx, 100, 'f', 110));
  EXPECT_TRUE(runs(BinaryKind::FatBinary, 0, 0, 75));
}

} // namespace
