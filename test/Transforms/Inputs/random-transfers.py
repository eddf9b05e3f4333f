#!/usr/bin/env python3
# ===- random-transfers.py - Any transfers, end to end, bit by bit --------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs transfers on the emulator and compares every bit with what the layouts
say, in four steps:

  tmem-random-transfers SEED COUNT > CASES  (or: random-transfers.py datapaths)
  random-transfers.py module CASES > MODULE, which tmem-opt selects atoms for
  random-transfers.py input CASES MODULE > IN, with which tmem-run makes OUT
  random-transfers.py check CASES MODULE IN OUT

CASES has a transfer on each line, as JSON. The program copies what it is given:
a kernel fills Tensor Memory past the instructions, executes some loads, and hands
out their registers; another one fills it, executes stores of the registers it is
given, and hands out all of Tensor Memory after each. A change is a load, an
exclusive or of each element, and a store to where it was. Which bits have to be
where is found here alone, by enumerating the elements of the layouts. What runs may
be MODULE after more passes: the registers are those of MODULE."""

import argparse
import array
import json
import os
import re
import sys

from transfer_check import Checker, change_mask, make_input
from transfer_program import GROUPS, Program


# --- The module ----------------------------------------------------------------


def view_lines(transfer):
    """Defines the views; their names and types."""
    shape = "x".join(map(str, transfer.shape))
    element = f"i{transfer.bits}"
    types = [f"!tmem.view<{shape}x{element}, {view}>" for view in transfer.views]
    lines = [f"%index = memref.load %in[%i{transfer.number}] : !in"]
    address = "%base"
    if transfer.way == "offset":
        lines.append("%address = arith.addi %base, %index : i32")
        address = "%address"
    if transfer.way == "stage":
        extents, _, rest = transfer.memory[0].partition(" : ")
        stride = transfer.step * 32 // transfer.bits
        staged = f"({transfer.stages}, {extents[1:]} : ({stride}@tcol, {rest[1:]}"
        # One dimension: those of the tile may cut through modes.
        count = transfer.count
        all = f"{transfer.stages}x{count}x{element}"
        whole = f"!tmem.view<{all}, #tmem.layout<{staged}>>"
        types = [f"!tmem.view<1x{count}x{element}, {transfer.views[0]}>"]
        lines += [
            "%stage = arith.index_cast %index : i32 to index",
            f"%stages = tmem.view %base : {whole}",
            f"%view0 = tmem.subview %stages[%stage, 0] [1, {count}]",
            f"    : {whole} to {types[0]}",
        ]
    else:
        for i, type in enumerate(types):
            lines.append(f"%view{i} = tmem.view {address} : {type}")
    return lines, ", ".join(f"%view{i}" for i in range(len(types))), ", ".join(types)


def to_words(transfer):
    """%values to the words that are handed out at %at."""
    n, values = transfer.vector, f"vector<{transfer.vector}xi{transfer.bits}>"
    if transfer.packed:
        words = f"vector<{transfer.words}xi32>"
        cast = f"%words = vector.bitcast %values : {values} to {words}"
        if values == words:
            cast = ""
        name = "%words" if cast else "%values"
        return [cast, f"vector.store {name}, %out[%at] : !out, {words}"]
    lines = []
    for i in range(n):
        lines += [
            f"%e{i} = vector.extract %values[{i}] : i{transfer.bits} from {values}",
            f"%w{i} = arith.extui %e{i} : i{transfer.bits} to i32",
            f"%c{i} = arith.constant {i} : index",
            f"%at{i} = arith.addi %at, %c{i} : index",
            f"memref.store %w{i}, %out[%at{i}] : !out",
        ]
    return lines


def from_words(transfer):
    n, values = transfer.vector, f"vector<{transfer.vector}xi{transfer.bits}>"
    if transfer.packed:
        words = f"vector<{transfer.words}xi32>"
        if values == words:
            return [f"%values = vector.load %in[%at] : !in, {words}"]
        return [
            f"%words = vector.load %in[%at] : !in, {words}",
            f"%values = vector.bitcast %words : {words} to {values}",
        ]
    lines = []
    for i in range(n):
        lines += [
            f"%c{i} = arith.constant {i} : index",
            f"%at{i} = arith.addi %at, %c{i} : index",
            f"%w{i} = memref.load %in[%at{i}] : !in",
            f"%e{i} = arith.trunci %w{i} : i32 to i{transfer.bits}",
        ]
    names = ", ".join(f"%e{i}" for i in range(n))
    return lines + [f"%values = vector.from_elements {names} : {values}"]


def change(transfer):
    values = f"vector<{transfer.vector}xi{transfer.bits}>"
    return [
        f"%before = tmem.wait_load %pending : !tmem.pending<{values}>",
        f"%mask = arith.constant dense<{change_mask(transfer)}> : {values}",
        f"%values = arith.xori %before, %mask : {values}",
    ]


def transfer_lines(transfer):
    values = f"vector<{transfer.vector}xi{transfer.bits}>"
    lines, views, types = view_lines(transfer)
    split = "_split" if len(transfer.views) == 2 else ""
    rest = f"scope({transfer.scope})"
    if transfer.registers:
        rest = f"registers(#tmem.layout<{transfer.registers}>) {rest}"
    first = transfer.first_out if transfer.is_load else transfer.first_in
    lines += [
        f"%words_of_thread = arith.constant {transfer.words} : index",
        f"%first = arith.constant {first} : index",
        "%thread_at = arith.muli %tid, %words_of_thread : index",
        "%at = arith.addi %thread_at, %first : index",
    ]
    if transfer.is_load:
        lines += [
            f"%pending = tmem.load{split} {views} {rest}",
            f"    : {types} -> !tmem.pending<{values}>",
            f"%values = tmem.wait_load %pending : !tmem.pending<{values}>",
            *to_words(transfer),
        ]
    else:
        source = change(transfer) if transfer.is_change else from_words(transfer)
        if transfer.is_change:
            lines += [
                f"%pending = tmem.load{split} {views} {rest}",
                f"    : {types} -> !tmem.pending<{values}>",
            ]
        lines += source + [
            f"%token = tmem.store{split} %values, {views} {rest}",
            f"    : {values}, {types}",
            "tmem.wait_store %token",
        ]
    # Each transfer has names of its own.
    name = re.compile(r"%(?!(?:base|in|out|tid|warp|columns)\b)(\w+)")
    return [name.sub(rf"%\1_{transfer.number}", line) for line in lines]


def print_kernel(number, kernel):
    print(f"""\
    gpu.func @kernel{number}(%in: !in, %out: !out) kernel
        attributes {{known_block_size = array<i32: {kernel.threads}, 1, 1>}} {{
      %columns = arith.constant {kernel.columns} : index
      %first_cell = arith.constant {kernel.first} : index
      %base = func.call @begin{kernel.columns}(%in, %columns, %first_cell)
          : (!in, index, index) -> i32
      %tid = gpu.thread_id x
      %lanes = arith.constant 32 : index
      %warp = arith.divui %tid, %lanes : index""")
    for transfer in kernel.transfers:
        n = transfer.number
        lines = [f"%i{n}_{n} = arith.constant {transfer.first_index} : index"]
        body = transfer_lines(transfer)
        if transfer.scope.startswith("warp "):
            lines += [
                f"%this_{n} = arith.constant {transfer.scope[5:]} : index",
                f"%only_{n} = arith.cmpi eq, %warp, %this_{n} : index",
                f"scf.if %only_{n} {{",
                *body,
                "}",
            ]
        else:
            lines += body
        if not transfer.is_load:
            lines += [
                f"%to_{n} = arith.constant {transfer.first_out} : index",
                f"func.call @dump(%base, %out, %columns, %to_{n})",
                "    : (i32, !out, index, index) -> ()",
            ]
        print("\n".join(" " * 6 + line for line in lines if line))
    print(f"""\
      func.call @end{kernel.columns}(%base) : (i32) -> ()
      gpu.return
    }}""")


def print_module(program):
    print(f"!in = memref<{program.size_in}xi32>\n!out = memref<{program.size_out}xi32>")
    print("!slot = memref<1xi32, #gpu.address_space<workgroup>>")
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    with open(os.path.join(os.path.dirname(__file__), "random-device.mlir")) as file:
        device = file.read()
    common, sized = device.split("// For each number of columns:\n")
    print(common)
    for columns in sorted({kernel.columns for kernel in program.kernels}):
        print(sized.replace("COLUMNS", str(columns)))
    for number, kernel in enumerate(program.kernels):
        print_kernel(number, kernel)
    print("  }")
    print_host(program)
    print("}")


def print_host(program):
    """@main reads the input from the standard input and writes what comes of it."""
    print("""\
  llvm.func @read(i32, !llvm.ptr, i64) -> i64
  llvm.func @write(i32, !llvm.ptr, i64) -> i64
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %stdin = arith.constant 0 : i32
    %stdout = arith.constant 1 : i32""")
    for name in "in", "out":
        size = program.size_in if name == "in" else program.size_out
        print(f"""\
    %size_{name} = arith.constant {4 * size} : i64
    %{name} = memref.alloc() : !{name}
    %{name}_any = memref.cast %{name} : !{name} to memref<*xi32>
    gpu.host_register %{name}_any : memref<*xi32>
    %{name}_index = memref.extract_aligned_pointer_as_index %{name}
        : !{name} -> index
    %{name}_int = arith.index_cast %{name}_index : index to i64
    %{name}_ptr = llvm.inttoptr %{name}_int : i64 to !llvm.ptr""")
    print("""\
    %got = llvm.call @read(%stdin, %in_ptr, %size_in)
        : (i32, !llvm.ptr, i64) -> i64""")
    for number, kernel in enumerate(program.kernels):
        print(f"""\
    %threads{number} = arith.constant {kernel.threads} : index
    gpu.launch_func @kernels::@kernel{number} blocks in (%c1, %c1, %c1)
        threads in (%threads{number}, %c1, %c1) args(%in : !in, %out : !out)""")
    print("""\
    %put = llvm.call @write(%stdout, %out_ptr, %size_out)
        : (i32, !llvm.ptr, i64) -> i64
    %bad_in = arith.cmpi ne, %got, %size_in : i64
    %bad_out = arith.cmpi ne, %put, %size_out : i64
    %bad = arith.ori %bad_in, %bad_out : i1
    %status = arith.extui %bad : i1 to i32
    return %status : i32
  }""")


def read_words(path):
    words = array.array("I")
    with open(path, "rb") as file:
        words.frombytes(file.read())
    return words


# --- Data paths ----------------------------------------------------------------


def vector_size(letter, columns, bits):
    """Of each thread, for `columns` cells of a lane; 0 if no shape fits."""
    # Shapes of 16 rows have one half of the columns in other lanes.
    if letter in "CF" and columns % 2:
        return 0
    words = columns // 2 if letter in "CF" else columns
    # Where words are pairs, two elements of 16 bits are packed into one.
    return words if bits == 32 or words % 2 == 0 or words == 1 else 2 * words


ROWS = {"A": 128, "D": 128, "G": 32}  # 64 otherwise.
PATHS = "A", "B", "C0", "C1", "D", "E", "F0", "F1", "G"


def datapath_case(path, n, bits):
    """An accumulator of n cells of a lane, or None if it is none."""
    size = vector_size(path[0], n, bits)
    shape = [ROWS.get(path[0], 64), n * GROUPS.get(path[0], 1)]
    if not size or shape[1] > 512 or size * bits > 1024 * 32:
        return None
    return {"bits": bits, "vector": size, "shape": shape, "datapath": path}


def dense_case(n, bits):
    """An operand of 128 rows of n elements without gaps, or None if it is none."""
    if n * bits > 512 * 32:
        return None
    memory = f"(128, {n}) : (1@tlane, 1@tcol)"
    return {"bits": bits, "vector": n, "shape": [128, n], "memory": [memory]}


def print_datapaths(options):
    for n in read_numbers(options.columns):
        cases = [
            dense_case(n, bits) if path == "dense" else datapath_case(path, n, bits)
            for path in options.paths.split(",")
            for bits in read_numbers(options.bits)
        ]
        for case in filter(None, cases):
            for direction in options.directions.split(","):
                case.update(direction=direction, scope="warpgroup", registers=None)
                print(json.dumps(case))


def read_numbers(text):
    """1-64,96: numbers and ranges of them."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    paths = steps.add_parser("datapaths", help="print data paths as cases")
    paths.add_argument("columns", help="cells, or elements, of a lane: 1-64,96")
    paths.add_argument("--paths", default=",".join(PATHS), help="D,F1; dense for none")
    paths.add_argument("--bits", default="32,16")
    paths.add_argument("--directions", default="load,store", help="also: change")
    for step, files in {
        "module": ["cases"],
        "input": ["cases", "module"],
        "check": ["cases", "module", "given", "got"],
    }.items():
        sub = steps.add_parser(step)
        for file in files:
            sub.add_argument(file)
    sub.add_argument("--spoil", action="store_true", help="make each wrong before")
    options = parser.parse_args()
    if options.step == "datapaths":
        return print_datapaths(options)
    program = Program(options.cases)
    if options.step == "module":
        return print_module(program)
    program.read_registers(options.module)
    if options.step == "input":
        make_input(program).tofile(sys.stdout.buffer)
        return 0
    checker = Checker(program, read_words(options.given), read_words(options.got))
    assert len(checker.got) == program.size_out, "the program wrote everything"
    checker.run(options.spoil)
    return checker.report()


if __name__ == "__main__":
    sys.exit(main())
