#!/usr/bin/env python3
# ===- with-host.py - A benchmark kernel with the program that checks it ---===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a program for tmem-run that runs a kernel of benchmarks/kernels.

The kernel gets an address of Tensor Memory and expects an accumulator there. So
its body is put between code that fills the cells, a different number in each,
and code that reads all of them back, both lane by lane and column by column. K1
needs neither. The host counts what is not as it should be."""

import pathlib
import re
import sys

# For each kernel: the columns; the bits of cell (%i, %j), of which %n is the
# number; where the result is (Tensor Memory, or the kernel's own argument) and
# its size; and the bits that are right, given %cell, those of cell (%i, %j).
FLOAT = """
    %zero = arith.constant 4000 : i32
    %signed = arith.subi %n, %zero : i32
    %float = arith.sitofp %signed : i32 to f32
    %cell = arith.bitcast %float : f32 to i32"""
# Numbers that f16 has; from the 2^14th on they are negative.
HALF = """
    %c13 = arith.constant 13 : i32
    %c14 = arith.constant 14 : i32
    %c31 = arith.constant 31 : i32
    %low = arith.constant 0x3fff : i32
    %first = arith.constant 0x38800000 : i32
    %magnitude = arith.andi %n, %low : i32
    %fraction = arith.shli %magnitude, %c13 : i32
    %positive = arith.addi %fraction, %first : i32
    %negative = arith.shrui %n, %c14 : i32
    %sign = arith.shli %negative, %c31 : i32
    %cell = arith.ori %positive, %sign : i32"""
TWICE = """
    %before = arith.bitcast %cell : i32 to f32
    %after = arith.addf %before, %before : f32
    %right = arith.bitcast %after : f32 to i32"""
AS_HALF = """
    %before = arith.bitcast %cell : i32 to f32
    %after = arith.truncf %before : f32 to f16
    %bits = arith.bitcast %after : f16 to i16
    %right = arith.extui %bits : i16 to i32"""
KERNELS = {
    "K1": (64, FLOAT, "out", 64, "\n    %right = arith.addi %cell, %none : i32"),
    "K2": (128, FLOAT, "cells", 128, TWICE),
    "K3": (128, HALF, "out", 128, AS_HALF),
    "K4": (96, FLOAT, "cells", 96, TWICE),
    # Data path F: the lower 16 of each 32 lanes.
    "K5": (64, FLOAT, "cells", 64, """
    %before = arith.bitcast %cell : i32 to f32
    %c16 = arith.constant 16 : index
    %bit = arith.andi %i, %c16 : index
    %added = arith.cmpi ne, %bit, %c16 : index
    %addend = arith.uitofp %added : i1 to f32
    %after = arith.addf %before, %addend : f32
    %right = arith.bitcast %after : f32 to i32"""),  # fmt: skip
    # Numbers that double as their exponent is increased, below something else.
    "K6": (64, """
    %first = arith.constant 0x7abc0400 : i32
    %cell = arith.addi %n, %first : i32""", "halves", 64, """
    %mask = arith.constant 0xffff : i32
    %exponent = arith.constant 0x0400 : i32
    %before = arith.andi %cell, %mask : i32
    %right = arith.addi %before, %exponent : i32"""),  # fmt: skip
    # Most rows have their maximum in a column of their own.
    "K7": (256, """
    %c11 = arith.constant 11 : i32
    %c37 = arith.constant 37 : i32
    %c255 = arith.constant 255 : i32
    %zero = arith.constant 300 : i32
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %row_term = arith.muli %row, %c11 : i32
    %column_term = arith.muli %column, %c37 : i32
    %sum = arith.addi %row_term, %column_term : i32
    %order = arith.andi %sum, %c255 : i32
    %shifted = arith.subi %order, %zero : i32
    %signed = arith.addi %shifted, %row : i32
    %float = arith.sitofp %signed : i32 to f32
    %cell = arith.bitcast %float : f32 to i32""", "out", 1, """
    %begin = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 256 : index
    %least = arith.constant 0xff800000 : f32
    %after = scf.for %k = %begin to %end step %step
        iter_args(%most = %least) -> (f32) {
      %other = func.call @cell(%i, %k) : (index, index) -> i32
      %value = arith.bitcast %other : i32 to f32
      %more = arith.maximumf %most, %value : f32
      scf.yield %more : f32
    }
    %right = arith.bitcast %after : f32 to i32"""),  # fmt: skip
    "K8": (256, HALF, "out", 256, AS_HALF),
}


def transfer(kind, width, element):
    """A loop that moves all columns between Tensor Memory and global memory, 32 at
    a time: `fill` from %in, `back` to %back."""
    view = f"!tmem.view<128x{width}x{element}, #tmem.datapath<D>>"
    part = f"!tmem.view<128x32x{element}, #tmem.datapath<D>>"
    vector = f"vector<32x{element}>"
    memory = f"memref<128x{width}x{element}>"
    registers = "registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)"
    text = f"""
    %{kind}_mem = tmem.view %base : {view}
    %{kind}_begin = arith.constant 0 : index
    %{kind}_end = arith.constant {width} : index
    %{kind}_step = arith.constant 32 : index
    scf.for %j = %{kind}_begin to %{kind}_end step %{kind}_step {{
      %part = tmem.subview %{kind}_mem[0, %j] [128, 32] : {view} to {part}"""
    if kind == "fill":
        text += f"""
      %v = vector.load %in[%thread, %j] : {memory}, {vector}
      %t = tmem.store %v, %part {registers} scope(warpgroup) : {vector}, {part}
      tmem.wait_store %t"""
    else:
        text += f"""
      %p = tmem.load %part {registers} scope(warpgroup)
          : {part} -> !tmem.pending<{vector}>
      %v = tmem.wait_load %p : !tmem.pending<{vector}>
      vector.store %v, %back[%thread, %j] : {memory}, {vector}"""
    return text + "\n    }\n    gpu.barrier\n"


def splice(source, name, place, width):
    """The kernel as @run(%in, %out or %back), with Tensor Memory of its own."""
    pattern = rf"gpu\.func @{name}\(%base: i32(?:, )?([^)]*)\) kernel(.*?)\{{\n"
    kernel, count = re.subn(pattern, "@HEAD@", source, flags=re.S)
    if count != 1:
        raise SystemExit(f"expected one gpu.func @{name}(%base: i32, ...)")
    element = "f16" if place == "halves" else "i32"
    argument = re.search(pattern, source, re.S)[1]
    argument = argument or f"%back: memref<128x{width}x{element}>"
    columns = 1 << max(5, (width - 1).bit_length())
    slot = "memref<1xi32, #gpu.address_space<workgroup>>"
    head = f"""gpu.func @run(%in: memref<128x{width}xi32>, {argument})
      workgroup(%slot: {slot}) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %first = arith.constant 0 : index
    %warp = arith.constant 32 : index
    %thread = gpu.thread_id x
    %allocates = arith.cmpi ult, %thread, %warp : index
    scf.if %allocates {{
      tmem.alloc %slot, {columns} : {slot}
    }}
    gpu.barrier
    %base = memref.load %slot[%first] : {slot}
{transfer("fill", width, "i32")}"""
    tail = "    gpu.barrier\n"
    if place != "out":
        tail += transfer("back", width, element)
    tail += f"""    scf.if %allocates {{
      tmem.relinquish_alloc_permit
      tmem.dealloc %base, {columns}
    }}
    gpu.return"""
    return kernel.replace("@HEAD@", head).replace("    gpu.return", tail), argument


HOST = """
  func.func private @cell(%i: index, %j: index) -> i32 {{
    %width = arith.constant {width} : index
    %row_start = arith.muli %i, %width : index
    %number = arith.addi %row_start, %j : index
    %n = arith.index_cast %number : index to i32{cell}
    return %cell : i32
  }}

  func.func private @right(%i: index, %j: index) -> i32 {{
    %none = arith.constant 0 : i32
    %cell = func.call @cell(%i, %j) : (index, index) -> i32{right}
    return %right : i32
  }}

  func.func @main() -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in_width = arith.constant {width} : index
    %out_width = arith.constant {out_width} : index
    %in = memref.alloc() {{alignment = 64}} : {in_type}
    %out = memref.alloc() {{alignment = 64}} : {out_type}
    scf.for %i = %c0 to %c128 step %c1 {{
      scf.for %j = %c0 to %in_width step %c1 {{
        %cell = func.call @cell(%i, %j) : (index, index) -> i32
        %value = arith.bitcast %cell : i32 to {in_element}
        memref.store %value, %in[%i, %j] : {in_type}
      }}
    }}
    %in_any = memref.cast %in : {in_type} to memref<*x{in_element}>
    %out_any = memref.cast %out : {out_type} to memref<*x{out_element}>
    gpu.host_register %in_any : memref<*x{in_element}>
    gpu.host_register %out_any : memref<*x{out_element}>
    gpu.launch_func @kernels::@run blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : {in_type}, %out : {out_type})

    %none = arith.constant 0 : i32
    %wrong = scf.for %i = %c0 to %c128 step %c1
        iter_args(%rows = %none) -> (i32) {{
      %row = scf.for %j = %c0 to %out_width step %c1
          iter_args(%before = %rows) -> (i32) {{
        %right = func.call @right(%i, %j) : (index, index) -> i32
        %value = memref.load %out[{indices}] : {out_type}
        %bits = arith.bitcast %value : {out_element} to i{bits}{extend}
        %differs = arith.cmpi ne, %got, %right : i32
        %one = arith.extui %differs : i1 to i32
        %after = arith.addi %before, %one : i32
        scf.yield %after : i32
      }}
      scf.yield %row : i32
    }}
    vector.print str "{name}, {number} compared, wrong: "
    vector.print %wrong : i32
    return %wrong : i32
  }}
"""


def main():
    path = pathlib.Path(sys.argv[1])
    name = path.stem
    width, cell, place, out_width, right = KERNELS[name]
    source = path.read_text(encoding="utf-8")
    in_element = "i32"
    if name == "K1":
        kernel = source.replace("@K1(", "@run(")
        in_element, out_type = "f32", "memref<128x64xf32>"
    else:
        kernel, argument = splice(source, name, place, width)
        out_type = argument.split(": ")[1]
    out_element = re.search(r"x([a-z]\d+)>", out_type)[1]
    bits = int(out_element[1:])
    extend = "extui %bits : i16 to i32" if bits == 16 else "addi %bits, %none : i32"
    host = HOST.format(
        name=name,
        width=width,
        cell=cell,
        right=right,
        out_width=out_width,
        number=128 * out_width,
        in_element=in_element,
        in_type=f"memref<128x{width}x{in_element}>",
        out_element=out_element,
        out_type=out_type,
        indices="%i" if out_type.count("x") == 1 else "%i, %j",
        bits=bits,
        extend=f"\n        %got = arith.{extend}",
    )
    aliases, module = kernel.split("gpu.module", 1)
    print(f"{aliases}module attributes {{gpu.container_module}} {{")
    print(f"gpu.module{module}{host}}}")


if __name__ == "__main__":
    main()
