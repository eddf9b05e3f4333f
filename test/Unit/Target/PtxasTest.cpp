//===- PtxasTest.cpp - Finding and running ptxas --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most tests run a script in ptxas's place, in a folder with a blank in its
// name; those that need the real one are skipped where there is none.
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace mlir::tmem;

namespace {
constexpr char version[] =
    "echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0";

class PtxasTest : public ::testing::Test {
protected:
  void SetUp() override {
    for (const char *name :
         {"TMEM_PTXAS", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "PATH"}) {
      const char *value = getenv(name);
      saved[name] = value ? value : "";
      unsetenv(name);
    }
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tmem ptxas", folder));
  }

  void TearDown() override {
    for (auto &[name, value] : saved)
      setenv(name.c_str(), value.c_str(), 1);
    llvm::sys::fs::remove_directories(folder);
  }

  /// A ptxas that runs shell code, which sees the option at its place in $1...
  std::string makeScript(llvm::StringRef directory, llvm::StringRef code) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, directory);
    EXPECT_FALSE(llvm::sys::fs::create_directories(path));
    llvm::sys::path::append(path, "ptxas");
    std::error_code ec;
    llvm::raw_fd_ostream os(path, ec);
    EXPECT_FALSE(ec);
    // The last two arguments are the files.
    os << "#!/bin/sh\nif [ \"$1\" = --version ]; then " << version
       << "; fi\nfor a; do output=$input; input=$a; done\n"
       << code << "\n";
    os.close();
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all);
    return path.str().str();
  }

  llvm::Expected<AssembledPTX> assemble(llvm::StringRef code) {
    llvm::Expected<Ptxas> ptxas = Ptxas::find(makeScript("a b", code));
    if (!ptxas)
      return ptxas.takeError();
    return ptxas->assemble("some text", "sm_100a", 2, {"--extra", "x y"});
  }

  static std::string errorOf(llvm::Error error) {
    return llvm::toString(std::move(error));
  }

  llvm::SmallString<128> folder;
  std::map<std::string, std::string> saved;
};

std::string findPath(llvm::StringRef path = "") {
  llvm::Expected<Ptxas> ptxas = Ptxas::find(path);
  return ptxas ? ptxas->getPath().str()
               : "error: " + llvm::toString(ptxas.takeError());
}
} // namespace

//===----------------------------------------------------------------------===//
// The log
//===----------------------------------------------------------------------===//

TEST(PtxasLog, Kernels) {
  auto kernels = parsePtxasLog(R"(ptxas info    : 10 bytes gmem
ptxas info    : Compiling entry function 'early' for 'sm_100a'
ptxas info    : Function properties for early
    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 8 bytes cumulative stack size, 2052 bytes smem, 380 bytes cmem[0]
ptxas info    : Compile time = 26.431 ms
ptxas info    : Function properties for helper
    99 bytes stack frame, 98 bytes spill stores, 97 bytes spill loads
ptxas info    : Compiling entry function 'k' for 'sm_100a'
ptxas info    : Used 123 registers
)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "early");
  EXPECT_EQ(kernels[0].registers, 32u);
  EXPECT_EQ(kernels[0].barriers, 1u);
  EXPECT_EQ(kernels[0].stackBytes, 8u);
  EXPECT_EQ(kernels[0].spillStoreBytes, 12u);
  EXPECT_EQ(kernels[0].spillLoadBytes, 16u);
  EXPECT_EQ(kernels[0].sharedBytes, 2052u);
  EXPECT_EQ(kernels[1].name, "k");
  EXPECT_EQ(kernels[1].registers, 123u);
}

TEST(PtxasLog, AnyText) {
  EXPECT_TRUE(parsePtxasLog("").empty());
  EXPECT_TRUE(parsePtxasLog("ptxas info : Used 3 registers\n").empty());
  EXPECT_EQ(parsePtxasLog("Compiling entry function 'k").size(), 1u);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

TEST_F(PtxasTest, SearchOrder) {
  std::string onPath = makeScript("path", "");
  std::string inRoot = makeScript("root/bin", "");
  std::string inHome = makeScript("home/bin", "");
  std::string named = makeScript("named", "");
  std::string given = makeScript("given", "");
  std::string base = folder.str().str();
  setenv("PATH", (base + "/none:" + base + "/path").c_str(), 1);
  EXPECT_EQ(findPath(), onPath);
  setenv("CUDA_ROOT", (base + "/root").c_str(), 1);
  setenv("CUDA_PATH", (base + "/none").c_str(), 1);
  EXPECT_EQ(findPath(), inRoot);
  setenv("CUDA_HOME", (base + "/home").c_str(), 1);
  EXPECT_EQ(findPath(), inHome);
  setenv("TMEM_PTXAS", named.c_str(), 1);
  EXPECT_EQ(findPath(), named);
  EXPECT_EQ(findPath(given), given);
}

TEST_F(PtxasTest, NamedButMissing) {
  std::string other = makeScript("home/bin", "");
  setenv("CUDA_HOME", (folder + "/home").str().c_str(), 1);
  EXPECT_EQ(findPath("/no/ptxas"),
            "error: ptxas not found; searched /no/ptxas; install the CUDA "
            "Toolkit (13.0 or later) or set TMEM_PTXAS");
  setenv("TMEM_PTXAS", "/no/other", 1);
  EXPECT_EQ(findPath(),
            "error: ptxas not found; searched /no/other; install the CUDA "
            "Toolkit (13.0 or later) or set TMEM_PTXAS");
  // A folder is no executable.
  EXPECT_NE(findPath(folder).find("not found"), std::string::npos);
}

TEST_F(PtxasTest, Missing) {
  setenv("CUDA_HOME", "/no/cuda", 1);
  setenv("PATH", "/no/bin", 1);
  EXPECT_EQ(findPath().find("error: ptxas not found; searched "
                            "/no/cuda/bin/ptxas, PATH"),
            0u);
}

TEST_F(PtxasTest, Fallback) {
  setenv("CUDA_HOME", "/no/cuda", 1);
  setenv("PATH", "/no/bin", 1);
  std::string path = makeScript("a b", "");
  llvm::Expected<Ptxas> ptxas = Ptxas::find("", path);
  ASSERT_TRUE(bool(ptxas));
  EXPECT_EQ(ptxas->getPath(), path);
}

TEST_F(PtxasTest, NotPtxas) {
  std::string path = makeScript("a b", "");
  std::error_code ec;
  llvm::raw_fd_ostream(path, ec) << "#!/bin/sh\necho hello $1\n";
  EXPECT_EQ(findPath(path), "error: expected '" + path +
                                "' to be ptxas, but --version printed 'hello "
                                "--version'");
}

TEST_F(PtxasTest, Version) {
  llvm::Expected<Ptxas> ptxas = Ptxas::find(makeScript("a b", ""));
  ASSERT_TRUE(bool(ptxas));
  EXPECT_EQ(ptxas->getVersion(), "13.0.88");
}

TEST_F(PtxasTest, Chips) {
  llvm::Expected<Ptxas> ptxas = Ptxas::find(makeScript(
      "a b", "echo \"--gpu-name <gpu name> (-arch)\n Allowed values for this "
             "option:  'compute_100','lto_100','sm_100',\n 'sm_100a'.\n "
             "Default value:  'sm_75'.\n--other 'sm_1'\""));
  ASSERT_TRUE(bool(ptxas));
  llvm::Expected<std::vector<std::string>> chips = ptxas->getChips();
  ASSERT_TRUE(bool(chips));
  EXPECT_EQ(*chips, (std::vector<std::string>{"sm_100", "sm_100a"}));
  EXPECT_TRUE(llvm::cantFail(ptxas->knowsChip("sm_100a")));
  EXPECT_FALSE(llvm::cantFail(ptxas->knowsChip("sm_1")));
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

TEST_F(PtxasTest, Assemble) {
  auto result =
      assemble("echo \"$@\"; echo \"Compiling entry function 'k'\" >&2"
               "; while read -r l || [ \"$l\" ]; do "
               "printf \"<$l>\"; done <\"$input\" >\"$output\"");
  ASSERT_TRUE(bool(result)) << errorOf(result.takeError());
  EXPECT_EQ(result->cubin, "<some text>");
  EXPECT_EQ(result->log.find("-v -arch=sm_100a -O2 --extra x y -o "), 0u)
      << result->log;
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "k");
}

TEST_F(PtxasTest, Failure) {
  auto result =
      assemble("echo \"ptxas $input, line 3; error   : bad\"; exit 255");
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(errorOf(result.takeError()),
            "ptxas 13.0.88 failed for sm_100a:\nptxas line 3; error   : bad");
}

TEST_F(PtxasTest, Crash) {
  auto result = assemble("kill -9 $$");
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(errorOf(result.takeError()).find("running '"), 0u);
}

TEST_F(PtxasTest, RemovesTemporaryFiles) {
  std::string kept = (folder + "/names").str();
  auto result = assemble("echo \"$input\" >'" + kept +
                         "'; echo \"$output\" >>'" + kept + "'");
  ASSERT_TRUE(bool(result)) << errorOf(result.takeError());
  auto buffer = llvm::MemoryBuffer::getFile(kept);
  ASSERT_TRUE(bool(buffer));
  auto [input, rest] = (*buffer)->getBuffer().split('\n');
  EXPECT_TRUE(input.ends_with(".ptx"));
  EXPECT_FALSE(llvm::sys::fs::exists(input));
  EXPECT_TRUE(rest.trim().ends_with(".cubin"));
  EXPECT_FALSE(llvm::sys::fs::exists(rest.trim()));
}

//===----------------------------------------------------------------------===//
// The real one
//===----------------------------------------------------------------------===//

namespace {
constexpr char kernel[] = R"(.version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  .shared .align 4 .b32 slot[16];
  mov.b32 %r3, slot;
  ld.shared.b32 %r0, [%r3];
  ld.param.b64 %rd0, [out];
  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0];
  tcgen05.wait::ld.sync.aligned;
  st.global.b32 [%rd0], %r1;
  ret;
}
)";
} // namespace

TEST(PtxasReal, Assemble) {
  llvm::Expected<Ptxas> ptxas = Ptxas::find();
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  if (!llvm::cantFail(ptxas->knowsChip("sm_100a")))
    GTEST_SKIP() << "this ptxas does not know sm_100a";
  llvm::Expected<AssembledPTX> result = ptxas->assemble(kernel, "sm_100a");
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(llvm::StringRef(result->cubin).take_front(4), "\x7f"
                                                          "ELF");
  ASSERT_EQ(result->kernels.size(), 1u);
  EXPECT_EQ(result->kernels[0].name, "k");
  EXPECT_GT(result->kernels[0].registers, 0u);
  EXPECT_GE(result->kernels[0].sharedBytes, 64u);
  EXPECT_EQ(result->kernels[0].spillStoreBytes, 0u);

  auto error = ptxas->assemble(llvm::StringRef(kernel).drop_back(4), "sm_100a");
  ASSERT_FALSE(bool(error));
  std::string message = llvm::toString(error.takeError());
  EXPECT_NE(message.find("line "), std::string::npos);
  EXPECT_EQ(message.find("/tmem-"), std::string::npos) << message;
}
