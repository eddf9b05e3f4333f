#!/usr/bin/env python3
# ===- ld-red.py - tcgen05.ld.red of every type, end to end ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a module whose kernels store rows of SHAPE and load them reduced, with
every count that is asked for. The minimum or maximum of each row comes from this
script, by inline PTX or, with --dialect, by tmem.load_reduce. Rows hold negatives, values above 2^31, and as f32 NaNs, infinities, zeros
of both signs and subnormals."""

import argparse
import math
import struct

# What ld.red takes: operation and type.
INTEGERS = [f"{op}.{type}" for type in ("s32", "u32") for op in ("min", "max")]
FLOATS = [
    f"{op}{abs}{nan}.f32"
    for abs in ("", ".abs")
    for nan in ("", ".NaN")
    for op in ("min", "max")
]

INTERESTING = [
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x7FFFFFFF, 0xFFFFFFFF,
    0x3FC00000, 0xBFC00000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC00002,
    0x7F800001, 0x00012345, 0x80054321, 0xC2F60000, 0x42F60000, 0x12345678,
]  # fmt: skip


def make_rows(count):
    """32 rows of `count` words, with and without NaNs, no two alike."""
    state, rows = 1, []
    for lane in range(32):
        row = []
        for _ in range(count):
            state = (state * 1103515245 + 12345) % 2**31
            word = INTERESTING[(state >> 16) % len(INTERESTING)]
            if lane % 4 == 0:  # Any bits at all.
                word = (state * 40503 + lane) % 2**32
            if lane % 4 >= 2 and math.isnan(as_float(word)):
                word ^= 0x3F800000
            row.append(word)
        rows.append(row)
    return rows


def as_float(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def reduce_row(row, operation):
    *flags, type = operation.split(".")
    choose = min if flags[0] == "min" else max
    if type == "u32":
        return choose(row)
    if type == "s32":
        return choose(word - 2**32 * (word >> 31) for word in row) % 2**32
    if "abs" in flags:
        row = [word & 0x7FFFFFFF for word in row]
    numbers = [word for word in row if not math.isnan(as_float(word))]
    if not numbers or ("NaN" in flags and len(numbers) < len(row)):
        return 0x7FFFFFFF  # PTX's canonical NaN.
    # -0 is less than +0.
    return choose(numbers, key=lambda word: (as_float(word), -(word >> 31)))


def dense(words):
    return '"0x' + struct.pack(f"<{len(words)}I", *words).hex().upper() + '"'


def instruction(shape, count, operation, split):
    data = ", ".join(f"${i}" for i in range(count))
    text = f"tcgen05.ld.red.sync.aligned.{shape}.x{count}.{operation}"
    return f"{text} {{{data}}}, ${count}, [${count + 1}]{split};"


def load_by_ptx(shape, count, operation, i):
    """Defines %words{i} and %reduced{i}."""
    struct_type = f"!llvm.struct<({', '.join(['i32'] * (count + 1))})>"
    split = f", {count}" if shape == "16x32bx2" else ""
    parts = "".join(
        f"      %v{i}_{j} = llvm.extractvalue %all{i}[{j}] : {struct_type}\n"
        for j in range(count)
    )
    names = ", ".join(f"%v{i}_{j}" for j in range(count))
    return f"""\
      %all{i} = llvm.inline_asm has_side_effects
          "{instruction(shape, count, operation, split)}",
          "{'=r,' * (count + 1)}r" %base : (i32) -> {struct_type}
      llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.ld"() : () -> ()
{parts}      %words{i} = vector.from_elements {names} : vector<{count}xi32>
      %reduced{i} = llvm.extractvalue %all{i}[{count}] : {struct_type}
"""


# The names of the dialect, in the order of INTEGERS and FLOATS.
KINDS = dict(
    zip(
        INTEGERS + FLOATS,
        ["minsi", "maxsi", "minui", "maxui", "minnumf", "maxnumf"]
        + ["minimumf", "maximumf", "minnumf abs", "maxnumf abs"]
        + ["minimumf abs", "maximumf abs"],
    )
)


def load_by_dialect(shape, count, operation, i):
    """Defines %words{i} and %reduced{i}."""
    element = "f32" if operation.endswith(".f32") else "i32"
    layout = f"(32, {count}) : (1@tlane, 1@tcol)"
    if shape == "16x32bx2":
        layout = f"(2, 16, {count}) : ({count}@tcol, 1@tlane, 1@tcol)"
    view = f"!tmem.view<32x{count}x{element}, #tmem.layout<{layout}>>"
    vector, one = f"vector<{count}x{element}>", f"vector<1x{element}>"
    pending = f"!tmem.pending<{vector}>, !tmem.pending<{one}>"
    return f"""\
      %mem{i} = tmem.view %base : {view}
      %p{i}:2 = tmem.load_reduce {KINDS[operation]} %mem{i}
          registers(#tmem.layout<(32, {count}) : (1@lane, 1@reg)>)
          atom(<{shape}, x{count}>) scope(warp 0) : {view} -> {pending}
      %v{i}, %r{i} = tmem.wait_load %p{i}#0, %p{i}#1 : {pending}
      %words{i} = vector.bitcast %v{i} : {vector} to vector<{count}xi32>
      %r_words{i} = vector.bitcast %r{i} : {one} to vector<1xi32>
      %reduced{i} = vector.extract %r_words{i}[0] : i32 from vector<1xi32>
"""


def kernel(shape, count, operations, dialect):
    immediate = immediate_type = ""
    if shape == "16x32bx2":
        immediate, immediate_type = ", %split", ", i64"
    text = f"""\
    gpu.func @x{count}(%in: memref<32x{count}xi32>, %out: !out, %same: !out) kernel
        attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %split = llvm.mlir.constant({count} : i64) : i64
      %false = llvm.mlir.constant(false) : i1
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 256 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %row = vector.load %in[%tid, %c0]
          : memref<32x{count}xi32>, vector<{count}xi32>
      llvm.call_intrinsic "llvm.nvvm.tcgen05.st.{shape}.x{count}"(%p{immediate},
          %row, %false) : (!llvm.ptr<6>{immediate_type}, vector<{count}xi32>, i1) -> ()
      llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.st"() : () -> ()
"""
    load = load_by_dialect if dialect else load_by_ptx
    for i, operation in enumerate(operations):
        text += load(shape, count, operation, i)
        text += f"""\
      %i{i} = arith.constant {i} : index
      memref.store %reduced{i}, %out[%i{i}, %tid] : !out
      %equal{i} = arith.cmpi eq, %words{i}, %row : vector<{count}xi32>
      %all_equal{i} = vector.reduction <and>, %equal{i} : vector<{count}xi1> into i1
      %one{i} = arith.extui %all_equal{i} : i1 to i32
      memref.store %one{i}, %same[%i{i}, %tid] : !out
"""
    return text + """\
      gpu.barrier
      tmem.dealloc %base, 256
      gpu.return
    }
"""


CHECK = """\
  // Prints the rows whose minimum or maximum is wrong, and those whose registers are.
  func.func @compare(%out: !out, %same: !out, %expected: !out, %i: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %wrong:2 = scf.for %lane = %c0 to %lanes step %c1
        iter_args(%n = %zero, %m = %zero) -> (i32, i32) {
      %is = memref.load %out[%i, %lane] : !out
      %should = memref.load %expected[%i, %lane] : !out
      %differs = arith.cmpi ne, %is, %should : i32
      %difference = arith.extui %differs : i1 to i32
      %next = arith.addi %n, %difference : i32
      %all = memref.load %same[%i, %lane] : !out
      %lost = arith.cmpi eq, %all, %zero : i32
      %loss = arith.extui %lost : i1 to i32
      %other = arith.addi %m, %loss : i32
      scf.yield %next, %other : i32, i32
    }
    vector.print str "32 rows, "
    vector.print %wrong#0 : i32 punctuation <no_punctuation>
    vector.print str " wrong, registers "
    vector.print %wrong#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong"
    vector.print punctuation <newline>
    %sum = arith.addi %wrong#0, %wrong#1 : i32
    return %sum : i32
  }
"""


def host(shape, count, operations):
    type = f"memref<32x{count}xi32>"
    text = f"""\
  func.func @check_x{count}() -> i32 {{
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %constant = memref.get_global @in_x{count} : {type}
    %expected = memref.get_global @expected_x{count} : !out
    %in = memref.alloc() : {type}
    memref.copy %constant, %in : {type} to {type}
    %out = memref.alloc() : !out
    %same = memref.alloc() : !out
"""
    for name, kind in ("in", type), ("out", "!out"), ("same", "!out"):
        text += f"    %{name}_u = memref.cast %{name} : {kind} to memref<*xi32>\n"
        text += f"    gpu.host_register %{name}_u : memref<*xi32>\n"
    text += f"""\
    gpu.launch_func @kernels::@x{count} blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1)
        args(%in : {type}, %out : !out, %same : !out)
    %n0 = arith.constant 0 : i32
"""
    for i, operation in enumerate(operations):
        text += f"""\
    vector.print str "{shape} x{count} {operation}: "
    %i{i} = arith.constant {i} : index
    %m{i} = func.call @compare(%out, %same, %expected, %i{i})
        : (!out, !out, !out, index) -> i32
    %n{i + 1} = arith.addi %n{i}, %m{i} : i32
"""
    return text + f"    return %n{len(operations)} : i32\n  }}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape", choices=["32x32b", "16x32bx2"])
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--dialect", action="store_true")
    arguments = parser.parse_args()
    operations = INTEGERS + FLOATS

    print(f"!out = memref<{len(operations)}x32xi32>")
    print("!slot = memref<1xi32, #gpu.address_space<workgroup>>")
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    print('    memref.global "private" @slot : !slot')
    for count in arguments.counts:
        print(kernel(arguments.shape, count, operations, arguments.dialect))
    print("  }\n" + CHECK)
    for count in arguments.counts:
        rows = make_rows(count)
        expected = [[reduce_row(row, op) for row in rows] for op in operations]
        signed, unsigned = expected[0] + expected[1], expected[2] + expected[3]
        assert sum(a != b for a, b in zip(signed, unsigned)) > 16
        for name, type, table in (
            ("in", f"memref<32x{count}xi32>", rows),
            ("expected", "!out", expected),
        ):
            words = [word for row in table for word in row]
            print(f'  memref.global "private" constant @{name}_x{count} : {type}')
            print(f"      = dense<{dense(words)}>")
        print(host(arguments.shape, count, operations))
    print("  func.func @main() -> i32 {\n    %n0 = arith.constant 0 : i32")
    for i, count in enumerate(arguments.counts):
        print(f"    %m{i} = func.call @check_x{count}() : () -> i32")
        print(f"    %n{i + 1} = arith.addi %n{i}, %m{i} : i32")
    print(f"    return %n{len(arguments.counts)} : i32\n  }}\n}}")


if __name__ == "__main__":
    main()
