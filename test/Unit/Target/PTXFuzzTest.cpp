//===- PTXFuzzTest.cpp - Any text gives a result or an error --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTXLint.h"
#include "tmem/Target/PTXRewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::tmem;

namespace {
/// One of everything that the reader treats in its own way.
constexpr llvm::StringLiteral seed = R"(//
.version 8.8
.target sm_100a, debug
.address_size 64
.file 1 "a \"b\".cu", 12, 34
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) ;
.global .align 1 .b8 str[3] = {104, 101, 0};
.func (.reg .b32 %o) f (.reg .b32 %i) { mov.b32 %o, %i; ret; }
.visible .entry k(.param .u64 .ptr .align 1 k0, .param .u32 k1)
.maxntid 128, 1, 1
.pragma "nounroll";
{
  .reg .pred %p<4>;
  .reg .b32 %r<40>; .reg .b64 %rd<9>;
  .local .align 8 .b8 depot[8];
  .loc 1 9 3, function_name $L__info+3, inlined_at 1 20 5
  ld.param.b32 %r1, [k1];
  tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r2, %r3, %r4, %r5}, [%r1 + 0x10];
  mov.b64 %rd1, {%r2, %r3}; /* early */ setp.gt.f32 %p1|%p2, 1.5e-3, 0f3F800000;
  @!%p1 bra $L1;
  $T: .branchtargets $L1, $L2,
    $L3;
  brx.idx %r1, $T;
$L1: // begin inline asm
  { .reg .pred P1; WAIT: mbarrier.try_wait.shared::cta.b64 P1, [%r1], %r2;
    @P1 bra DONE; bra WAIT; DONE: }
  // end inline asm
  tcgen05.wait::ld.sync.aligned;
  bra.uni $L1;
$L2:
  { // callseq 0, 0
  .param .b32 param0;
  st.param.b32 [param0], %r2;
  call.uni (retval0), f, (param0, %r3);
  }
  tcgen05.ld.spcompress.sync.aligned.32x32b.x4.max.sp::2:4.f32.b2 {%r9}, {%r7, %r8}, [%r1];
  @%p1 tcgen05.wait::ld.sync.aligned;
  trap;
$L3: ret;
}
.section .debug_info { .b8 1
$L__x: .b64 $L__y-$L__x }
)";

/// Everything that takes the text; the results only need to exist.
void readText(llvm::StringRef text) {
  if (auto rewritten = setPTXTarget(text, 94, "sm_107a"))
    EXPECT_GE(rewritten->size() + 64, text.size());
  else
    llvm::consumeError(rewritten.takeError());

  llvm::Expected<PTXModule> module = parsePTX(text);
  if (!module) {
    unsigned lines = text.count('\n') + 1;
    llvm::handleAllErrors(module.takeError(), [&](const PTXError &e) {
      EXPECT_GE(e.getLine(), 1u);
      EXPECT_LE(e.getLine(), lines);
      EXPECT_FALSE(e.getMessage().empty());
    });
    return;
  }
  for (const PTXFunction &function : module->functions) {
    EXPECT_LT(function.exitBlock, function.blocks.size());
    countTcgen05(function);
  }
  lintPTX(*module);
}

class Mutator {
public:
  explicit Mutator(unsigned number) : random(number) {}

  size_t pick(size_t count) { return random() % count; }

  void mutate(std::string &text) {
    size_t at = pick(text.size() + 1);
    size_t length = std::min(pick(30), text.size() - at);
    switch (pick(5)) {
    case 0: // A byte of any kind.
      text.insert(at, 1, char(random()));
      break;
    case 1: // Punctuation, where it does most.
      text.insert(at, 1, "{}()[];:,@!.\"/*%$_<>\n0a"[pick(22)]);
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(pick(text.size() + 1), text.substr(at, length));
      break;
    case 4:
      if (at < text.size())
        text[at] = char(random());
      break;
    }
  }

private:
  std::mt19937 random;
};
} // namespace

TEST(PTXFuzz, SeedIsRead) {
  llvm::Expected<PTXModule> module = parsePTX(seed);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  EXPECT_EQ(module->functions.size(), 2u);
  PTXLintResult result = lintPTX(*module);
  EXPECT_FALSE(result.faults.empty());
  EXPECT_FALSE(result.remarks.empty());
}

TEST(PTXFuzz, Truncations) {
  for (size_t length = 0; length <= seed.size(); ++length) {
    // On the heap, so that a sanitizer sees a read behind the end.
    std::vector<char> text(seed.begin(), seed.begin() + length);
    readText({text.data(), text.size()});
  }
}

TEST(PTXFuzz, Mutations) {
  for (unsigned number = 0; number != 20000; ++number) {
    Mutator mutator(number);
    std::string text = seed.str();
    for (size_t count = mutator.pick(8) + 1; count != 0; --count)
      mutator.mutate(text);
    readText(text);
  }
}

TEST(PTXFuzz, Noise) {
  for (unsigned number = 0; number != 200; ++number) {
    Mutator mutator(number);
    std::string text;
    for (size_t count = mutator.pick(400); count != 0; --count)
      mutator.mutate(text);
    readText(text);
    readText(".version 8.8 .entry k() {" + text + "}");
  }
}

TEST(PTXFuzz, DeepAndLong) {
  const std::string open = ".version 8.8 .entry k() { ";
  for (char c : llvm::StringRef("{}()[];:,@!.\"/*%$_<>\n0a#")) {
    std::string text(1 << 20, c);
    readText(text);
    readText(open + text);
    readText(open + "mov.b32 %r1, " + text);
    readText(open + ".reg .b32 %r" + text);
  }
  readText(open + "mov.b32 %r, %r" + std::string(1 << 20, '1') + "; }");
  // An opcode in many parts; registers that only declarations name.
  std::string parts, families;
  for (unsigned i = 0; i != 1 << 18; ++i)
    parts += " .a";
  for (unsigned i = 0; i != 1 << 12; ++i)
    families += ".reg .b32 %a" + std::to_string(i) + "x<4000000000>; ";
  readText(open + "ld" + parts + " %r1, [%r2]; }");
  readText(open + families + "}");
}
