#!/usr/bin/env python3
# ===- descriptors.py - Wrong descriptors for the tensor core --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""descriptors.py NAME: a program with one tcgen05.mma or cp that has one field of a
descriptor or one address wrong, or something that is not emulated."""

import sys

# Without swizzling, K-major: core matrices 128 bytes apart, eight rows 256.
MATRIX = 8 << 16 | 16 << 32 | 1 << 46
# f32 128x16 of f16; the same with 64 rows; s32 of u8, with as many.
SHAPE = 1 << 4 | 2 << 17 | 8 << 24
HALF = 1 << 4 | 2 << 17 | 4 << 24
BYTES = 2 << 4 | 2 << 17 | 8 << 24
FAR = 8 << 16 | 256 << 32 | 1 << 46

# What differs from a right one.
CASES = {
    "right": {},
    "reserved": {"a": MATRIX | 1 << 14},
    "version": {"b": MATRIX & ~(1 << 46)},
    "swizzle": {"b": MATRIX | 3 << 61},
    "base_offset": {"a": MATRIX | 2 << 49},
    "absolute": {"b": MATRIX | 1 << 52},
    "bounds": {"a": FAR},
    "sparse": {"shape": SHAPE | 4},
    "selector": {"shape": SHAPE | 1},
    "saturates": {"shape": SHAPE | 8},
    "shifts": {"shape": SHAPE | 2 << 30},
    "result": {"shape": SHAPE ^ (3 << 4)},
    "source": {"shape": SHAPE | 2 << 10},
    "bf16_to_f16": {"shape": (SHAPE & ~(3 << 4)) | 1 << 7},
    "rows": {"shape": SHAPE & ~(31 << 24) | 2 << 24},
    "columns": {"shape": SHAPE & ~(63 << 17) | 3 << 17},
    "no_columns": {"shape": 1 << 4 | 4 << 24},
    "wide_atoms": {"a": MATRIX | 1 << 61, "shape": SHAPE | 1 << 15},
    "lane": {"d": 16 << 16},
    "lane_of_half": {"d": 32 << 16, "shape": HALF},
    "past_the_end": {"d": 24},
    "nowhere": {"d": 32},
    "other_lane": {
        "form": "tensor",
        "d": 16 << 16,
        "ta": 16,
        "shape": 1 << 4 | 1 << 17 | 4 << 24,
    },
    "transposed_a": {"form": "tensor", "shape": SHAPE | 1 << 15},
    "unwritten_a": {"form": "tensor", "ta": 16},
    "negates": {"kind": "i8", "shape": BYTES | 1 << 13},
    "byte_columns": {"kind": "i8", "shape": 2 << 4 | 5 << 17 | 4 << 24},
    "byte_transposed": {"kind": "i8", "shape": 2 << 4 | 1 << 17 | 4 << 24 | 1 << 16},
    "small": {"kind": "f8f6f4", "shape": SHAPE | 5 << 7},
    "scaled": {"kind": "f8f6f4", "form": "scaled"},
    "words_transposed": {
        "kind": "tf32",
        "shape": 1 << 4 | 2 << 7 | 2 << 10 | 2 << 17 | 8 << 24 | 1 << 16,
    },
    "pair": {"form": "pair"},
    "copy_lane": {"form": "copy", "d": 16 << 16},
    "copy_bounds": {"form": "copy", "a": FAR},
}


def make_call(case):
    """The operation that thread 0 executes."""
    form = case.get("form")
    if form == "copy":
        return (
            "nvvm.tcgen05.cp %pd, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}"
        )
    if form == "pair":
        return (
            "nvvm.tcgen05.commit %done {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>"
        )
    a, type_a = ("%pa", "!llvm.ptr<6>") if form == "tensor" else ("%a", "i64")
    scale, type_scale = (" scale = %two", ", i64") if form == "scaled" else ("", "")
    return (
        f"nvvm.tcgen05.mma %pd, {a}, %b, %shape, %no{scale}"
        f" {{kind = #nvvm.tcgen05_mma_kind<{case.get('kind', 'f16')}>,"
        " ctaGroup = #nvvm.cta_group<cta_1>}"
        f" : (!llvm.ptr<6>, {type_a}, i64, i32, i1{type_scale})"
    )


PROGRAM = """!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!matrices = memref<1024xi32, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k()
        workgroup(%slot: !slot, %object: !object, %matrices: !matrices) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %two = llvm.mlir.constant(2 : i64) : i64
      %ticks = arith.constant 1000 : i32
      %a0 = arith.constant A : i64
      %b0 = arith.constant B : i64
      %shape = arith.constant SHAPE : i32
      %d = arith.constant D : i32
      %ta = arith.constant TENSOR_A : i32
      %tid = gpu.thread_id x
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      %at = memref.extract_aligned_pointer_as_index %matrices : !matrices -> index
      %address = arith.index_cast %at : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %in = arith.andi %address, %low : i64
      %start = arith.shrui %in, %four : i64
      %a = arith.addi %a0, %start : i64
      %b = arith.addi %b0, %start : i64
      %object_at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %object_address = arith.index_cast %object_at : index to i64
      %done = llvm.inttoptr %object_address : i64 to !llvm.ptr<3>
      ALLOC
      scf.if %is_thread {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      scf.if %is_thread {
        %ad = arith.addi %base, %d : i32
        %aa = arith.addi %base, %ta : i32
        %pd = llvm.inttoptr %ad : i32 to !llvm.ptr<6>
        %pa = llvm.inttoptr %aa : i32 to !llvm.ptr<6>
        CALL
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.dealloc %base, 32
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    vector.print str "no fault\\n"
    return
  }
}"""


def signed(value, bits):
    return value - 2**bits if value >> (bits - 1) else value


def main():
    case = CASES[sys.argv[1]]
    # Who only ever uses pairs does nothing wrong.
    alloc = "" if case.get("form") == "pair" else "tmem.alloc %slot, 32 : !slot"
    print(
        PROGRAM.replace("TENSOR_A", str(case.get("ta", 0)))
        .replace(" A :", f" {signed(case.get('a', MATRIX), 64)} :")
        .replace(" B :", f" {signed(case.get('b', MATRIX), 64)} :")
        .replace("SHAPE", str(signed(case.get("shape", SHAPE), 32)))
        .replace(" D :", f" {case.get('d', 0)} :")
        .replace("ALLOC", alloc)
        .replace("CALL", make_call(case))
    )


main()
