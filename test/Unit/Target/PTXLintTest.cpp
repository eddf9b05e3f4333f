//===- PTXLintTest.cpp - Reads before the wait ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;

namespace {
PTXModule parseModule(llvm::StringRef text) {
  llvm::Expected<PTXModule> module = parsePTX(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return {};
}

/// The kernel's body starts on line 1, after `functions`.
std::string makeModule(const std::string &body,
                       const std::string &functions = "") {
  return functions + ".version 8.8 .target sm_100a .visible .entry k() {" +
         body + "\n}\n";
}

/// "read %a 3 from 2, ...": the faults of a kernel.
std::string faultsOf(const std::string &text) {
  PTXModule module = parseModule(text);
  std::string result;
  for (const PTXFault &fault : lintPTX(module).faults)
    result +=
        (result.empty() ? "" : ", ") +
        std::string(fault.kind == PTXFault::EarlyRead ? "read " : "write ") +
        fault.reg.str() + " " + std::to_string(fault.line) + " from " +
        std::to_string(fault.sourceLine);
  return result;
}

std::string faultsOfBody(const std::string &body) {
  return faultsOf(makeModule(body));
}

std::string remarksOf(const std::string &body) {
  std::string text = makeModule(body);
  PTXModule module = parseModule(text);
  std::string result;
  for (const PTXRemark &remark : lintPTX(module).remarks)
    result +=
        (remark.kind == PTXRemark::NeverWaited ? "unwaited " : "predicated ") +
        std::to_string(remark.line) + ";";
  return result;
}

#define LD "tcgen05.ld.sync.aligned.32x32b.x2.b32 "
#define ST "tcgen05.st.sync.aligned.32x32b.x2.b32 "
#define WAIT "tcgen05.wait::ld.sync.aligned;"
} // namespace

//===----------------------------------------------------------------------===//
// Straight line
//===----------------------------------------------------------------------===//

TEST(PTXLint, Clean) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t]; " WAIT " add.s32 %c, %a, %b;"),
            "");
  EXPECT_EQ(faultsOfBody("add.s32 %c, %a, %b; " LD "{%a, %b}, [%t]; " WAIT),
            "");
}

TEST(PTXLint, CopyBeforeWait) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nmov.b64 %c, {%a, %b};\n" WAIT),
            "read %a 2 from 1, read %b 2 from 1");
}

TEST(PTXLint, Messages) {
  std::string text = makeModule(LD "{%a, %b}, [%t];\nmov.b32 %c, %b;" WAIT);
  PTXModule module = parseModule(text);
  PTXLintResult result = lintPTX(module);
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].str(),
            "line 2: register %b is read before its wait (loaded at line 1) in "
            "'k'");
}

TEST(PTXLint, OtherRegistersAreFree) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nadd.s32 %t, %t, %c;\n" WAIT), "");
}

TEST(PTXLint, EachRegisterOnceAnInstruction) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nmul.lo.s32 %c, %a, %a;\n" WAIT),
            "read %a 2 from 1");
}

TEST(PTXLint, AnyPlaceOfAnOperandReads) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nst.shared.b32 [%a], %c;" WAIT),
            "read %a 2 from 1");
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n" ST "[%t], {%c, %b};" WAIT),
            "read %b 2 from 1");
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n" LD "{%c, %d}, [%a];" WAIT),
            "read %a 2 from 1");
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\ncall (%c), f, (%b);" WAIT),
            "read %b 2 from 1");
}

TEST(PTXLint, StoreOfWaitedRegisters) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n" WAIT ST "[%t], {%a, %b};"
                            "tcgen05.wait::st.sync.aligned;"),
            "");
}

TEST(PTXLint, StoreWaitIsNoLoadWait) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\ntcgen05.wait::st.sync.aligned;\n"
                            "mov.b32 %c, %a;"),
            "read %a 3 from 1");
}

TEST(PTXLint, WriteBeforeWait) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nmov.b32 %a, 0;\n" WAIT),
            "write %a 2 from 1");
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n" LD "{%b, %c}, [%t];\n" WAIT),
            "write %b 2 from 1");
}

TEST(PTXLint, AllDestinationsOfLoadForms) {
  EXPECT_EQ(faultsOfBody("tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 "
                         "{%a, %b}, %m, [%t];\nmov.b32 %c, %m;" WAIT),
            "read %m 2 from 1");
  EXPECT_EQ(faultsOfBody("tcgen05.ld.spcompress.sync.aligned.32x32b.x4.max."
                         "sp::2:4.f32.b2 {%i}, {%a, %b}, [%t];\n"
                         "mov.b32 %c, %i; mov.b32 %c, %b;" WAIT),
            "read %i 2 from 1, read %b 2 from 1");
}

TEST(PTXLint, NearestLoadAboveIsNamed) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];" WAIT "\n" LD
                            "{%a, %b}, [%t];\nmov.b32 %c, %a;\n" WAIT "\n" LD
                            "{%a, %b}, [%t];" WAIT),
            "read %a 3 from 2");
}

TEST(PTXLint, EmptyInlineAssembly) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n// begin inline asm\n"
                            "// end inline asm\n" WAIT "mov.b32 %c, %a;"),
            "");
}

TEST(PTXLint, InnerRegisterOfTheSameName) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n"
                            "{ .reg .b32 %a; mov.b32 %a, 0; }\n" WAIT),
            "");
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

TEST(PTXLint, OnePathWithoutWait) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n@%p bra L;\n" WAIT
                            "\nL: mov.b32 %c, %a;"),
            "read %a 4 from 1");
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n@%p bra L;\n" WAIT
                            "bra M;\nL: " WAIT "\nM: mov.b32 %c, %a;"),
            "");
}

TEST(PTXLint, PredicatedWait) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n@%p " WAIT "\nmov.b32 %c, %a;"),
            "read %a 3 from 1");
  EXPECT_EQ(remarksOf(LD "{%a, %b}, [%t];\n@%p " WAIT "\n" WAIT),
            "predicated 2;");
  EXPECT_EQ(remarksOf("@%p " WAIT), "");
}

TEST(PTXLint, PredicatedLoad) {
  EXPECT_EQ(faultsOfBody("@%p " LD "{%a, %b}, [%t];\nmov.b32 %c, %a;\n" WAIT),
            "read %a 2 from 1");
}

TEST(PTXLint, WaitOutsideTheLoopOfItsLoad) {
  EXPECT_EQ(faultsOfBody("L:\n" LD "{%a, %b}, [%t];\n@%p bra L;\n" WAIT),
            "write %a 2 from 2, write %b 2 from 2");
}

TEST(PTXLint, PipelinedLoop) {
  // Two buffers: each is read after the wait that stands before the other load.
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\nL: " WAIT "\n" LD
                            "{%c, %d}, [%t];\nadd.s32 %s, %a, %b;\n" WAIT
                            "\n" LD "{%a, %b}, [%t];\nadd.s32 %s, %c, %d;\n"
                            "@%p bra L;\n" WAIT "\nadd.s32 %s, %a, %b;"),
            "");
  // The read of the next round's buffer comes too early around the loop.
  EXPECT_EQ(faultsOfBody("L: mov.b32 %s, %a;\n" WAIT "\n" LD
                         "{%a, %b}, [%t];\n@%p bra L;\n" WAIT),
            "read %a 1 from 3");
}

TEST(PTXLint, BranchTable) {
  EXPECT_EQ(faultsOfBody("T: .branchtargets A, B;\n" LD "{%a, %b}, [%t];\n"
                         "brx.idx %i, T;\nA: " WAIT
                         "mov.b32 %c, %a;\nret;\nB: mov.b32 %c, %b;\nret;"),
            "read %b 6 from 2");
}

TEST(PTXLint, SpinLoopsOfInlineAssembly) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n{ .reg .pred P; W: @P bra D; "
                            "bra W; D: }\nmov.b32 %c, %a;\n" WAIT
                            "{ .reg .pred P; W: @P bra D; bra W; D: }"
                            "mov.b32 %c, %a;"),
            "read %a 3 from 1");
}

TEST(PTXLint, UnreachableCode) {
  EXPECT_EQ(faultsOfBody("ret;\n" LD "{%a, %b}, [%t];\nmov.b32 %c, %a;"),
            "read %a 3 from 2");
}

TEST(PTXLint, NothingFollowsATrap) {
  EXPECT_EQ(remarksOf(LD "{%a, %b}, [%t];\ntrap;"), "");
}

TEST(PTXLint, NeverWaited) {
  EXPECT_EQ(faultsOfBody(LD "{%a, %b}, [%t];\n"), "");
  EXPECT_EQ(remarksOf(LD "{%a, %b}, [%t];\n@%p bra L;\nret;\nL: " WAIT),
            "unwaited 1;");
  EXPECT_EQ(remarksOf(LD "{%a, %b}, [%t];\n" WAIT), "");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(PTXLint, CallThatWaits) {
  const std::string body = LD "{%a, %b}, [%t];\ncall outer, ();\n"
                              "mov.b32 %c, %a;";
  const std::string inner = ".func inner() { " WAIT " ret; }";
  const std::string outer = ".func outer() { call inner; ret; }";
  EXPECT_EQ(faultsOf(makeModule(body, outer + inner)), "");
  EXPECT_EQ(faultsOf(makeModule(body, ".func outer();")), "read %a 3 from 1");
  EXPECT_EQ(faultsOf(makeModule(body, ".func outer() { @%p bra L; " WAIT
                                      " L: ret; }")),
            "read %a 3 from 1");
}

TEST(PTXLint, FunctionsAreSeparate) {
  std::string text = ".version 8.8 .target sm_100a\n"
                     ".func f() { " LD "{%a, %b}, [%t]; ret; }\n"
                     ".entry k() { mov.b32 %c, %a; ret; }";
  EXPECT_EQ(faultsOf(text), "");
}

//===----------------------------------------------------------------------===//
// Size and counts
//===----------------------------------------------------------------------===//

// All of them loop back, none waits: as many sets as loads, as large as they
// are many, unless the loops share theirs.
TEST(PTXLint, ManyOverlappingLoops) {
  std::string body;
  constexpr unsigned count = 20000;
  for (unsigned i = 0; i != count; ++i) {
    std::string n = std::to_string(i);
    body += "L" + n + ": " LD "{%a" + n + ", %b" + n + "}, [%t];\n@%p bra L" +
            std::to_string(i < 3 ? 0 : i - 3) + ";\n";
  }
  std::string text = makeModule(body);
  PTXModule module = parseModule(text);
  PTXLintResult result = lintPTX(module);
  EXPECT_EQ(result.faults.size(), 2 * count);
  EXPECT_EQ(result.remarks.size(), count);
}

TEST(PTXLint, Counts) {
  std::string text = makeModule(LD "{%a, %b}, [%t];" LD "{%c, %d}, [%t];" WAIT
                                   "tcgen05.future.thing %x; mov.b32 %a, 0;");
  PTXModule module = parseModule(text);
  std::map<std::string, unsigned> expected{
      {"tcgen05.ld.sync.aligned.32x32b.x2.b32", 2},
      {"tcgen05.wait::ld.sync.aligned", 1},
      {"tcgen05.future.thing", 1}};
  EXPECT_EQ(countTcgen05(module.functions.front()), expected);
}
