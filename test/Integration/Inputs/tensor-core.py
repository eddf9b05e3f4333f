#!/usr/bin/env python3
# ===- tensor-core.py - tcgen05.mma, cp and shift, end to end --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a module in which each kernel puts an image into shared memory and one into
Tensor Memory, lets the tensor core work on them, and gives all of Tensor Memory back;
the host compares it with what matrices.py has computed.

--form says how kernels name the instructions: operations of the nvvm dialect, calls of
LLVM's intrinsics, or inline PTX."""

import argparse
import struct
import sys

# No byte code beside the sources.
sys.dont_write_bytecode = True
from matrices import LANES, Copy, Mma, Shift, make_cases  # noqa: E402

# ===-----------------------------------------------------------------------===#
# Kernels
# ===-----------------------------------------------------------------------===#


def call_ptx(text, constraints, operands, types):
    return (
        f'llvm.inline_asm has_side_effects "{text}", "{constraints}" {operands}'
        f" : ({types}) -> ()"
    )


def emit_mma(case, form):
    number = ["f16", "tf32", "f8f6f4", "i8"].index(case.kind)
    scale = case.scale
    a = "%pa" if case.tensor_a else "%a"
    type_a = "!llvm.ptr<6>" if case.tensor_a else "i64"
    if form == "nvvm":
        scaled = " scale = %scale" if scale else ""
        return (
            f"nvvm.tcgen05.mma %pd, {a}, %b, %idesc, %acc{scaled}"
            f" {{kind = #nvvm.tcgen05_mma_kind<{case.kind}>, ctaGroup = #nvvm.cta_group<cta_1>}}"
            f" : (!llvm.ptr<6>, {type_a}, i64, i32, i1{', i64' if scale else ''})"
        )
    if form == "intrinsic":
        name = ("tensor" if case.tensor_a else "shared") + (".scale_d" if scale else "")
        return (
            f"%kind = llvm.mlir.constant({number} : i32) : i32\n"
            f"%group = llvm.mlir.constant(1 : i32) : i32\n"
            f"%use = llvm.mlir.constant(0 : i32) : i32\n"
            f'llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.{name}"(%pd, {a}, %b, %idesc, %acc,'
            f' {"%scale, " if scale else ""}%kind, %group, %use)'
            f" : (!llvm.ptr<6>, {type_a}, i64, i32, i1, {'i64, ' if scale else ''}i32, i32, i32) -> ()"
        )
    left = "[$1]" if case.tensor_a else "$1"
    tail = f", {scale}" if scale else ""
    text = (
        "{ .reg .pred p; setp.ne.b32 p, $4, 0; tcgen05.mma.cta_group::1.kind::"
        f"{case.kind} [$0], {left}, $2, $3, p{tail}; }}"
    )
    return "%acc32 = arith.extui %acc : i1 to i32\n" + call_ptx(
        text,
        f"r,{'r' if case.tensor_a else 'l'},l,r,r",
        f"%dd, {'%aa' if case.tensor_a else '%a'}, %b, %idesc, %acc32",
        f"i32, {'i32' if case.tensor_a else 'i64'}, i64, i32, i32",
    )


def emit_copy(case, form):
    shape, _, multicast = case.shape.partition(".")
    if form == "nvvm":
        name = multicast.replace("::", "_") or "none"
        return (
            f"nvvm.tcgen05.cp %pd, %a {{shape = #nvvm.tcgen05_cp_shape<shape_{shape}>,"
            f" multicast = #nvvm.tcgen05_cp_multicast<{name}>}}"
        )
    if form == "intrinsic":
        name = shape + ("_" + multicast.replace("::", "_") if multicast else "")
        return (
            f'llvm.call_intrinsic "llvm.nvvm.tcgen05.cp.{name}.cg1"(%pd, %a)'
            " : (!llvm.ptr<6>, i64) -> ()"
        )
    return call_ptx(
        f"tcgen05.cp.cta_group::1.{case.shape} [$0], $1;", "r,l", "%dd, %a", "i32, i64"
    )


def emit_shift(_, form):
    if form == "nvvm":
        return "nvvm.tcgen05.shift %pd : !llvm.ptr<6>"
    if form == "intrinsic":
        return (
            'llvm.call_intrinsic "llvm.nvvm.tcgen05.shift.down.cg1"(%pd)'
            " : (!llvm.ptr<6>) -> ()"
        )
    return call_ptx("tcgen05.shift.cta_group::1.down [$0];", "r", "%dd", "i32")


COMMITS = {
    "nvvm": "nvvm.tcgen05.commit %done : !llvm.ptr<3>",
    "intrinsic": 'llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.shared.cg1"(%done)'
    " : (!llvm.ptr<3>) -> ()",
    "ptx": call_ptx(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];",
        "r",
        "%done32",
        "i32",
    ),
}

KERNEL = """
    gpu.func @NAME(%image: !words, %before: !words, %out: !words, %size: index,
                   %columns: index, %a0: i64, %b0: i64, %idesc: i32, %acc: i1, %d: i32,
                   %ta: i32)
        workgroup(%slot: memref<1xi32, #wg>, %object: memref<1xi64, #wg>,
                  %smem: memref<20480xi32, #wg>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c1023 = arith.constant 1023 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %ticks = arith.constant 1000 : i32
      %four = arith.constant 4 : i64
      %low18 = arith.constant 0x3ffff : i64
      %scale = llvm.mlir.constant(SCALE : i64) : i64
      %tid = gpu.thread_id x
      // The image begins at a multiple of 1024.
      %at = memref.extract_aligned_pointer_as_index %smem : memref<20480xi32, #wg> -> index
      %rest = arith.remui %at, %c1024 : index
      %gap = arith.subi %c1024, %rest : index
      %start = arith.addi %at, %gap : index
      %first_word = arith.divui %gap, %c4 : index
      scf.for %i = %tid to %size step %c128 {
        %word = memref.load %image[%i] : !words
        %to = arith.addi %first_word, %i : index
        memref.store %word, %smem[%to] : memref<20480xi32, #wg>
      }
      %wide = arith.index_cast %start : index to i64
      %low = arith.andi %wide, %low18 : i64
      %field = arith.shrui %low, %four : i64
      %a = arith.addi %a0, %field : i64
      %b = arith.addi %b0, %field : i64
      %i0 = memref.extract_aligned_pointer_as_index %object : memref<1xi64, #wg> -> index
      %i64 = arith.index_cast %i0 : index to i64
      %done32 = arith.index_cast %i0 : index to i32
      %done = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %is_first = arith.cmpi ult, %tid, %c32 : index
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      scf.if %is_thread {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %is_first {
        tmem.alloc %slot, 512 : memref<1xi32, #wg>
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : memref<1xi32, #wg>
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %row = arith.muli %tid, %columns : index
      scf.for %c = %c0 to %columns step %c32 {
        %from = arith.addi %row, %c : index
        %words = vector.load %before[%from] : !words, vector<32xi32>
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        nvvm.tcgen05.st %p, %words {shape = #s} : vector<32xi32>
      }
      nvvm.tcgen05.wait <store>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %is_thread {
        %dd = arith.addi %base, %d : i32
        %aa = arith.addi %base, %ta : i32
        %pd = llvm.inttoptr %dd : i32 to !llvm.ptr<6>
        %pa = llvm.inttoptr %aa : i32 to !llvm.ptr<6>
        CALL
        COMMIT
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      DUMP
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %is_first {
        tmem.dealloc %base, 512
      }
      gpu.return
    }"""

DUMP = """scf.for %c = %c0 to %columns step %c32 {
        %to = arith.addi %row, %c : index
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        %words = nvvm.tcgen05.ld %p {shape = #s} : vector<32xi32>
        nvvm.tcgen05.wait <load>
        vector.store %words, %out[%to] : !words, vector<32xi32>
      }"""

PACKED_DUMP = """%c2 = arith.constant 2 : index
      %half_row = arith.divui %row, %c2 : index
      scf.for %c = %c0 to %columns step %c32 {
        %half = arith.divui %c, %c2 : index
        %to = arith.addi %half_row, %half : index
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        %words = nvvm.tcgen05.ld %p pack {shape = #s} : vector<16xi32>
        nvvm.tcgen05.wait <load>
        vector.store %words, %out[%to] : !words, vector<16xi32>
      }"""

EMIT = {Mma: emit_mma, Copy: emit_copy, Shift: emit_shift}


def get_name(case):
    return case.kernel + ("_packed" if case.packed else "")


def make_kernel(case, form):
    call = EMIT[type(case)](case, form)
    return (
        KERNEL.replace("NAME", get_name(case))
        .replace("CALL", call)
        .replace("COMMIT", COMMITS[form])
        .replace("DUMP", PACKED_DUMP if case.packed else DUMP)
        .replace("SCALE", str(getattr(case, "scale", 0)))
    )


def print_global(name, data):
    size = len(data) // 4
    print(
        f'  memref.global "private" constant @{name} : memref<{size}xi32> ='
        f' dense<"0x{bytes(data).hex()}">'
    )


def flatten(rows):
    return b"".join(struct.pack(f"<{len(row)}I", *row) for row in rows)


def print_case(number, case):
    sizes = [len(case.shared) // 4, LANES * case.columns, LANES * len(case.after[0])]
    names = ["shared", "before", "after"]
    for name, size in zip(names, sizes):
        print(
            f"    %{name}{number} = memref.get_global @{name}{number} : memref<{size}xi32>"
        )
        print(
            f"    %d{name}{number} = memref.cast %{name}{number} : memref<{size}xi32> to !words"
        )
    a, b, idesc, accumulate, d, ta = case.arguments
    a -= 2**64 if a >= 2**63 else 0
    b -= 2**64 if b >= 2**63 else 0
    print(f"""    %name{number} = arith.constant {sizes[2]} : index
    %out{number} = memref.alloc(%name{number}) : !words
    memref.copy %dafter{number}, %out{number} : !words to !words
    func.call @spoil(%out{number}) : (!words) -> ()
    %size{number} = arith.constant {sizes[0]} : index
    %columns{number} = arith.constant {case.columns} : index
    %a{number} = arith.constant {a} : i64
    %b{number} = arith.constant {b} : i64
    %i{number} = arith.constant {idesc} : i32
    %acc{number} = arith.constant {"true" if accumulate else "false"}
    %p{number} = arith.constant {d} : i32
    %t{number} = arith.constant {ta} : i32
    gpu.launch_func @kernels::@{get_name(case)} blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%dshared{number} : !words,
        %dbefore{number} : !words, %out{number} : !words, %size{number} : index,
        %columns{number} : index, %a{number} : i64, %b{number} : i64, %i{number} : i32,
        %acc{number} : i1, %p{number} : i32, %t{number} : i32)
    vector.print str "{case.name}: {sizes[2]} words, wrong: "
    func.call @compare(%out{number}, %dafter{number}) : (!words, !words) -> ()
    memref.dealloc %out{number} : !words""")


HOST = """
  // No result is there before the kernel has run.
  func.func @spoil(%out: !words) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %size = memref.dim %out, %c0 : !words
    scf.for %i = %c0 to %size step %c1 {
      %word = memref.load %out[%i] : !words
      %other = arith.xori %word, %one : i32
      memref.store %other, %out[%i] : !words
    }
    return
  }
  func.func @compare(%out: !words, %after: !words) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = memref.dim %out, %c0 : !words
    %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%sum = %c0) -> index {
      %word = memref.load %out[%i] : !words
      %expected = memref.load %after[%i] : !words
      %differs = arith.cmpi ne, %word, %expected : i32
      %more = arith.addi %sum, %c1 : index
      %next = arith.select %differs, %more, %sum : index
      scf.yield %next : index
    }
    vector.print %wrong : index
    return
  }"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--form", choices=COMMITS, default="nvvm")
    parser.add_argument("--only", help="cases whose name begins so")
    options = parser.parse_args()
    cases = [c for c in make_cases() if c.name.startswith(options.only or "")]
    kernels = {get_name(case): make_kernel(case, options.form) for case in cases}
    print("""#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#wg = #gpu.address_space<workgroup>
!words = memref<?xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {""" + "".join(kernels.values()) + "\n  }")
    for number, case in enumerate(cases):
        print_global(f"shared{number}", case.shared or b"\0\0\0\0")
        print_global(f"before{number}", flatten(case.before))
        print_global(f"after{number}", flatten(case.after))
    print(HOST)
    print("""  func.func @main() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index""")
    for number, case in enumerate(cases):
        case.shared = case.shared or bytearray(4)
        print_case(number, case)
    print("    return\n  }\n}")


main()
