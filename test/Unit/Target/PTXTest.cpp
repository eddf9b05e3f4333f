//===- PTXTest.cpp - Reading PTX ------------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/PTX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlir::tmem;

namespace {
/// Holds the text that the module points into.
struct Parsed {
  explicit Parsed(std::string source) : text(std::move(source)) {
    llvm::Expected<PTXModule> result = parsePTX(text);
    if (result) {
      module = std::move(*result);
      return;
    }
    llvm::handleAllErrors(result.takeError(), [&](const PTXError &e) {
      error = std::to_string(e.getLine()) + ": " + e.getMessage().str();
    });
  }

  const PTXFunction &kernel() const { return module.functions.front(); }
  const PTXInstruction &at(unsigned i) const {
    return kernel().instructions[i];
  }

  std::string names(llvm::ArrayRef<unsigned> regs) const {
    return llvm::join(
        llvm::map_range(
            regs,
            [&](unsigned reg) { return kernel().getRegisterName(reg).str(); }),
        " ");
  }
  std::string defs(unsigned i) const { return names(kernel().getDefs(at(i))); }
  std::string uses(unsigned i) const { return names(kernel().getUses(at(i))); }
  std::vector<unsigned> successors(unsigned block) const {
    auto &list = kernel().blocks[block].successors;
    return {list.begin(), list.end()};
  }

  std::string text;
  PTXModule module;
  std::string error;
};

const std::string header = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/// The body starts on line 5.
Parsed parseBody(const std::string &body) {
  return Parsed(header + ".visible .entry k() {\n" + body + "\n}\n");
}

/// What one instruction writes and reads, "a b <- c".
std::string flowOf(const std::string &instruction) {
  Parsed parsed = parseBody(instruction);
  if (!parsed.error.empty())
    return parsed.error;
  return parsed.defs(0) + " <- " + parsed.uses(0);
}

using Blocks = std::vector<unsigned>;
} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(PTX, Header) {
  Parsed p(".version 9.0\n.target sm_100a, debug\n.address_size 64\n");
  EXPECT_EQ(p.error, "");
  EXPECT_EQ(p.module.version, "9.0");
  EXPECT_EQ(p.module.target, "sm_100a");
  EXPECT_TRUE(p.module.functions.empty());
}

TEST(PTX, NotPTX) {
  EXPECT_EQ(Parsed("").error, "1: expected a .version directive, as every PTX "
                              "module has one");
  EXPECT_EQ(Parsed("\x7f"
                   "ELF")
                .error,
            "1: expected a directive, but got '\\7F'");
  EXPECT_EQ(Parsed("\nhello").error,
            "2: expected a directive, but got 'hello'");
}

TEST(PTX, Functions) {
  Parsed p(header + R"(
.extern .func (.param .b32 r) ext (.param .b32 a) ;
.func (.reg .b32 %out) dev (.reg .b32 %in, .param .b64 q) .noreturn
{ mov.b32 %out, %in; ret; }
.weak .entry k ( .param .u64 .ptr .align 1 a, .param .b32 b )
.maxntid 128, 1, 1
.minnctapersm 1
.pragma "nounroll";
{ ret; }
)");
  ASSERT_EQ(p.error, "");
  ASSERT_EQ(p.module.functions.size(), 2u);
  const PTXFunction &dev = p.module.functions[0];
  EXPECT_EQ(dev.name, "dev");
  EXPECT_FALSE(dev.isKernel);
  EXPECT_EQ(dev.line, 6u);
  EXPECT_EQ(dev.getNumRegisters(), 2u);
  EXPECT_EQ(p.module.functions[1].name, "k");
  EXPECT_TRUE(p.module.functions[1].isKernel);
}

TEST(PTX, ModuleDirectives) {
  Parsed p(header + R"(
.file 1 "/a dir/k \"x\" /* */ }.cu", 17, 42
.file 2 "b.cu"
.global .align 4 .b8 table[8] = {1, 2, {3}, 4};
.extern .shared .align 16 .b8 smem[];
.const .f32 c = 0f3F800000;
.pragma "} not a brace {";
.alias one, two;
.unknown thing
.visible .entry k() { ret; }
.section .debug_info
{
$L__label:
.b8 1
.b32 .debug_abbrev
.b64 $L__a-$L__b
}
@@DWARF .section .debug_line, "", @progbits
# 1 "old.cu"
)");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.module.functions.size(), 1u);
}

TEST(PTX, CommentsAndLines) {
  Parsed p = parseBody("// mov.b32 %a, 0;\n/* \n } */ mov.b32 %b, 0; ret;\n"
                       "\t// begin inline asm\n\t// end inline asm");
  ASSERT_EQ(p.error, "");
  ASSERT_EQ(p.kernel().instructions.size(), 2u);
  EXPECT_EQ(p.at(0).line, 7u);
  EXPECT_EQ(p.at(1).line, 7u);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(PTX, Operands) {
  EXPECT_EQ(flowOf("add.s32 %a, %b, 1;"), "%a <- %b");
  EXPECT_EQ(flowOf("mov.b64 %a, {%b, %c};"), "%a <- %b %c");
  EXPECT_EQ(flowOf("mov.b64 {%a, _}, %b;"), "%a <- %b");
  EXPECT_EQ(flowOf("ld.global.v2.b32 {%a, %b}, [%c+-8];"), "%a %b <- %c");
  EXPECT_EQ(flowOf("st.global.b32 [%a+0x1E-5], %b;"), " <- %a %b");
  EXPECT_EQ(flowOf("setp.lt.s32 %p|%q, %a, %b;"), "%p %q <- %a %b");
  EXPECT_EQ(flowOf("selp.b32 %a, 1.5e-3, 0f3F800000, !%p;"), "%a <- %p");
  EXPECT_EQ(flowOf("@!%p mov.u32 %a, %tid.x;"), "%a <- %p");
  EXPECT_EQ(flowOf("mov.u64 %a, symbol;"), "%a <- ");
  EXPECT_EQ(flowOf("mov.b32 %a, %v.x;"), "%a <- %v");
  EXPECT_EQ(flowOf("tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [t, {%x, %y}];"),
            "%a %b %c %d <- %x %y");
  EXPECT_EQ(flowOf("ld.global.b32 %a, arr[4];"), "%a <- ");
  EXPECT_EQ(flowOf("mov.b32 %a, (.s64) 3 + 4;"), "%a <- ");
  EXPECT_EQ(flowOf("ld .param .b32 %a, [p];"), "%a <- ");
}

TEST(PTX, NoDestination) {
  EXPECT_EQ(flowOf("bar.sync %a, %b;"), " <- %a %b");
  EXPECT_EQ(flowOf("bar.red.popc.u32 %a, %b, %p;"), "%a <- %b %p");
  EXPECT_EQ(flowOf("barrier.cta.sync.aligned %a;"), " <- %a");
  EXPECT_EQ(flowOf("nanosleep.u32 %a;"), " <- %a");
  EXPECT_EQ(flowOf("red.global.add.s32 [%a], %b;"), " <- %a %b");
  EXPECT_EQ(flowOf("atom.global.add.s32 %a, [%b], %c;"), "%a <- %b %c");
  EXPECT_EQ(flowOf("mbarrier.arrive.shared.b64 _, [%a], %b;"), " <- %a %b");
}

TEST(PTX, Tcgen05) {
  EXPECT_EQ(flowOf("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%a, %b}, [%c + 4];"),
            "%a %b <- %c");
  EXPECT_EQ(flowOf("tcgen05.ld.sync.aligned.32x32b.x1.b32 %a, [%c];"),
            "%a <- %c");
  EXPECT_EQ(flowOf("tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%a, %b}, "
                   "%m, [%c];"),
            "%a %b %m <- %c");
  EXPECT_EQ(flowOf("tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.max."
                   "sp::2:4.f32.b2 {%i}, {%a, %b}, %m, [%c];"),
            "%i %a %b %m <- %c");
  EXPECT_EQ(flowOf("tcgen05.st.sync.aligned.32x32b.x2.b32 [%c], {%a, %b};"),
            " <- %c %a %b");
  EXPECT_EQ(flowOf("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32;"),
            " <- %a");
  EXPECT_EQ(flowOf("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
                   "[%a], %n;"),
            " <- %a %n");
  EXPECT_EQ(
      flowOf("tcgen05.mma.cta_group::1.kind::f16 [%d], [%a], %b, %i, %p;"),
      " <- %d %a %b %i %p");
}

TEST(PTX, Opcodes) {
  Parsed p = parseBody("tcgen05.wait::ld.sync.aligned;\n"
                       "ld .param /* x */ .b32 %a, [q];");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.at(0).opcode, "tcgen05.wait::ld.sync.aligned");
  EXPECT_EQ(p.at(1).opcode, "ld.param.b32");
  EXPECT_EQ(p.at(1).line, 6u);
}

TEST(PTX, Calls) {
  Parsed p = parseBody(R"({ // callseq 0, 0
.param .b32 param0;
.param .align 16 .b8 param1[16];
.param .b32 retval0;
st.param.b32 [param0], %a;
call.uni (retval0),
  callee,
  (
    param0,
    param1
  );
ld.param.b32 %b, [retval0];
} // callseq 0
proto: .callprototype (.param .b32 _) _ (.param .b64 _);
call (%c), %f, (%d, %e), proto;
call plain;)");
  ASSERT_EQ(p.error, "");
  ASSERT_EQ(p.kernel().instructions.size(), 5u);
  EXPECT_EQ(p.defs(1) + "|" + p.uses(1), "|");
  EXPECT_EQ(p.defs(3), "%c");
  EXPECT_EQ(p.uses(3), "%f %d %e");
  ASSERT_EQ(p.kernel().calls.size(), 3u);
  EXPECT_EQ(p.kernel().calls[0].callee, "callee");
  EXPECT_EQ(p.kernel().calls[2].callee, "plain");
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

TEST(PTX, Registers) {
  Parsed p = parseBody(".reg .b32 %r<3>, x, y; .reg .v4 .f32 w; .reg .pred q;\n"
                       "mov.b32 x, y;\n"
                       "mov.b32 %r2, undeclared;\n"
                       "{ .reg .b32 x; mov.b32 x, %r2; { mov.b32 %r1, x; } }\n"
                       "@q mov.b32 x, x;");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.uses(1), "");
  const PTXFunction &k = p.kernel();
  unsigned outer = k.getDefs(p.at(0))[0], inner = k.getDefs(p.at(2))[0];
  EXPECT_NE(outer, inner);
  EXPECT_EQ(k.getUses(p.at(3))[0], inner);
  EXPECT_EQ(k.getDefs(p.at(4))[0], outer);
  EXPECT_EQ(p.uses(4), "q x");
  EXPECT_TRUE(p.at(4).isPredicated);
}

TEST(PTX, RegisterFamilies) {
  // `z1<3>` ends with z12, and x01 is not how `x<20>` spells x1.
  Parsed p = parseBody(".reg .b32 x<20>, z1<3>;\n"
                       "add.s32 x12, x19, x20; add.s32 z12, z13, x01;");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.uses(0), "x19");
  EXPECT_EQ(p.defs(1), "z12");
  EXPECT_EQ(p.uses(1), "");
}

TEST(PTX, LabelsOfBlocks) {
  Parsed p = parseBody(R"(.reg .pred %p<2>;
{ .reg .pred P; WAIT: @P bra DONE; bra WAIT; DONE: }
{ .reg .pred P; WAIT: @P bra DONE; bra WAIT; DONE: }
bra END; END: ret;)");
  ASSERT_EQ(p.error, "");
  // WAIT and DONE of each block; the last DONE is where `bra END` stands.
  EXPECT_EQ(p.kernel().blocks.size(), 7u);
  EXPECT_EQ(p.successors(0), (Blocks{1, 2}));
  EXPECT_EQ(p.successors(1), (Blocks{0}));
  EXPECT_EQ(p.successors(2), (Blocks{3, 4}));
  EXPECT_EQ(p.successors(3), (Blocks{2}));
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

TEST(PTX, Branches) {
  Parsed p = parseBody("@%p bra L1;\n"    // 0
                       "bra.uni L2;\n"    // 1
                       "L1: trap;\n"      // 2
                       "L2: @%p exit;\n"  // 3
                       "@%p ret;\n"       // 4
                       "mov.b32 %a, 0;"); // 5
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.kernel().exitBlock, 6u);
  EXPECT_EQ(p.successors(0), (Blocks{1, 2}));
  EXPECT_EQ(p.successors(1), (Blocks{3}));
  EXPECT_EQ(p.successors(2), (Blocks{}));
  EXPECT_EQ(p.successors(3), (Blocks{4, 6}));
  EXPECT_EQ(p.successors(4), (Blocks{5, 6}));
  EXPECT_EQ(p.successors(5), (Blocks{6}));
  EXPECT_EQ(p.successors(6), (Blocks{}));
}

TEST(PTX, BranchTables) {
  Parsed p = parseBody("T: .branchtargets A, B,\n A;\n"
                       "brx.idx %r, T;\n" // 0
                       "A: ret;\n"        // 1
                       "B: ret;");        // 2, exit 3, table 4
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.uses(0), "%r");
  EXPECT_EQ(p.successors(0), (Blocks{4}));
  EXPECT_EQ(p.successors(4), (Blocks{1, 2}));
}

TEST(PTX, EmptyBody) {
  Parsed p = parseBody("");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.kernel().blocks.size(), 1u);
  EXPECT_EQ(p.kernel().exitBlock, 0u);
}

TEST(PTX, LabelAtEnd) {
  Parsed p = parseBody("@%p bra E; mov.b32 %a, 0; E:");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.successors(0), (Blocks{1, 2}));
  EXPECT_EQ(p.kernel().exitBlock, 2u);
}

TEST(PTX, BodyDirectives) {
  Parsed p = parseBody(
      ".loc 1 2 3 mov.b32 %a, 0;\n"
      ".loc 2 29 11, function_name $L__info+4, inlined_at 1 20 5\nret;\n"
      ".pragma \"nounroll\"; .local .align 8 .b8\n depot[8];\n"
      ".unknown 1, \"x\"\n.unknown; mov.b32 %a, 0;");
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.kernel().instructions.size(), 3u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(PTX, Errors) {
  EXPECT_EQ(parseBody("bra NOWHERE;").error,
            "5: expected the label of an instruction, but got 'NOWHERE'");
  EXPECT_EQ(parseBody("A: brx.idx %r, A;").error,
            "5: expected the label of a .branchtargets list, but got 'A'");
  EXPECT_EQ(parseBody("T: .branchtargets\nA;").error,
            "6: expected the label of an instruction, but got 'A'");
  EXPECT_EQ(parseBody("A:\nA:").error,
            "6: expected one definition of the label 'A'");
  EXPECT_EQ(parseBody("{ A: ret; } bra A;").error,
            "5: expected the label of an instruction, but got 'A'");
  EXPECT_EQ(parseBody("bra;").error, "5: expected a label in this branch");
  EXPECT_EQ(parseBody("ret").error, "6: expected ';', but got '}'");
  EXPECT_EQ(parseBody("mov.b32 %a, 0\nret;").error,
            "6: expected ';', but got 'ret'");
  EXPECT_EQ(parseBody("mov.b32 %a, 0\n@%p ret;").error,
            "6: expected ';', but got '@'");
  EXPECT_EQ(parseBody("mov.b32 %a, 0\n{ ret; }").error,
            "6: expected ';', but got '{'");
  EXPECT_EQ(parseBody("mov.b32 %a, 0\nL: ret;").error,
            "6: expected ';', but got 'L'");
  EXPECT_EQ(parseBody("mov.b32 %a, {%b];").error,
            "5: expected matching brackets, but got ']'");
  EXPECT_EQ(parseBody("mov.b32 %a, {%b;").error,
            "5: expected '}' in this instruction");
  EXPECT_EQ(parseBody("@ ret;").error,
            "5: expected an instruction, but got ';'");
  EXPECT_EQ(parseBody("\n/* ").error,
            "6: expected '*/' at the end of a comment");
  EXPECT_EQ(parseBody("\n.pragma \"x\n").error,
            "6: expected '\"' at the end of a string");
  EXPECT_EQ(parseBody(".reg .b32 %r<x>;").error,
            "5: expected a number of registers, but got 'x'");
  EXPECT_EQ(parseBody("{").error,
            "4: expected '}' at the end of this function");
  EXPECT_EQ(parseBody("}").error, "6: expected a directive, but got '}'");
  EXPECT_EQ(parseBody(std::string(300, '{')).error,
            "5: expected at most 256 nested blocks");
  EXPECT_EQ(Parsed(header + ".entry k").error,
            "4: expected the body of a function or ';', but got the end of "
            "the text");
  EXPECT_EQ(Parsed(header + ".section .debug_info {\n\n").error,
            "4: expected the end of the group that starts here");
}
